//go:build !wasip1

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	wazeroapi "github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"uncoil/internal/edge/api"
	"uncoil/internal/edge/wasm"
	"uncoil/internal/proof/doors"
	"uncoil/internal/proof/need"
)

const name = "uncoil-wasi.wasm"

// TestWASI builds the engine and asks it in two hosts.
func TestWASI(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the engine")
	}
	dir := t.TempDir()
	if err := wasm.Build("../..", wasm.WASI, filepath.Join(dir, name), wasm.Fast); err != nil {
		t.Fatal(err)
	}
	doors.CheckSize(t, filepath.Join(dir, name))
	questions := doors.Questions(t)
	questions = append(questions, doors.Question{Name: "a long text", Function: "convert", Command: "curl h.test -d '" + strings.Repeat("ü", 64<<10) + "'"})
	answers := doors.Answers(t, questions)
	t.Run("wazero", func(t *testing.T) { inWazero(t, dir, questions, answers) })
	t.Run("Node", func(t *testing.T) { inNode(t, dir, questions, answers) })
}

// A host is wazero with the engine in it.
type host struct {
	ctx context.Context
	wazeroapi.Module
}

func newHost(t *testing.T, dir string) host {
	t.Helper()
	program, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	runtime := wazero.NewRuntime(ctx)
	t.Cleanup(func() { runtime.Close(ctx) })
	wasi_snapshot_preview1.MustInstantiate(ctx, runtime)
	module, err := runtime.InstantiateWithConfig(ctx, program, wazero.NewModuleConfig().WithStartFunctions("_initialize"))
	if err != nil {
		t.Fatal(err)
	}
	return host{ctx, module}
}

// ask calls a function with a request object, or without one.
func (h host) ask(t *testing.T, function, request string) string {
	t.Helper()
	call := func(name string, args ...uint64) uint32 {
		results, err := h.ExportedFunction(name).Call(h.ctx, args...)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return uint32(results[0])
	}
	var args []uint64
	if function != "targets" {
		args = []uint64{uint64(len(request))}
		h.Memory().WriteString(call("reserve", args...), request)
	}
	place := call(function, args...)
	var numbers [3]uint32
	for i := range numbers {
		numbers[i], _ = h.Memory().ReadUint32Le(place + uint32(4*i))
	}
	body, ok := h.Memory().Read(numbers[1], numbers[2])
	if !ok {
		t.Fatalf("the answer is not in the memory: %v", numbers)
	}
	return fmt.Sprint(numbers[0], " ", string(body))
}

func inWazero(t *testing.T, dir string, questions []doors.Question, answers []doors.Answer) {
	h := newHost(t, dir)
	for i, q := range questions {
		checkAnswer(t, &q, h.ask(t, q.Function, q.Object(t)), answers[i])
	}
	if got := h.ask(t, "targets", ""); got != "200 "+string(api.AppendTargets(nil)) {
		t.Errorf("the targets are %s", got)
	}
	size := h.Memory().Size()
	for range 20_000 {
		h.ask(t, "convert", `{"curl": "curl -d a=1 https://example.com"}`)
	}
	if grown := int(h.Memory().Size()) - int(size); grown > 4<<20 {
		t.Errorf("20,000 calls have the memory of %d bytes grow by %d", size, grown)
	}
}

func inNode(t *testing.T, dir string, questions []doors.Question, answers []doors.Answer) {
	node := need.Program(t, "node")
	var in bytes.Buffer
	enc := json.NewEncoder(&in)
	for _, q := range questions {
		if err := enc.Encode(map[string]string{"function": q.Function, "request": q.Object(t)}); err != nil {
			t.Fatal(err)
		}
	}
	out := runNode(t, node, dir, &in, "testdata/answer.mjs", filepath.Join(dir, name))
	lines := strings.SplitAfter(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) != len(questions) {
		t.Fatalf("%d questions have %d answers", len(questions), len(lines))
	}
	for i, q := range questions {
		checkAnswer(t, &q, strings.TrimSuffix(lines[i], "\n"), answers[i])
	}
	example := filepath.Join(dir, "example.mjs")
	if err := os.WriteFile(example, []byte(doors.Example(t, "js")), 0o666); err != nil {
		t.Fatal(err)
	}
	if got, want := runNode(t, node, dir, nil, example), doors.ExampleAnswer(t); got != want {
		t.Errorf("the example prints %q, and the program %q", got, want)
	}
}

// runNode runs a script, in the folder unless its name is relative.
func runNode(t *testing.T, node, dir string, in *bytes.Buffer, args ...string) string {
	t.Helper()
	cmd := exec.Command(node, append([]string{"--no-warnings"}, args...)...) // node:wasi is experimental
	if in != nil {
		cmd.Stdin = in
	}
	if filepath.IsAbs(args[0]) {
		cmd.Dir = dir
	}
	var problems strings.Builder
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, problems.String())
	}
	return string(out)
}

// checkAnswer compares a status and what follows it with the answer of the program.
func checkAnswer(t *testing.T, q *doors.Question, got string, want doors.Answer) {
	t.Helper()
	status, body, _ := strings.Cut(got, " ")
	if body != want.Body || (status == "200") != want.OK {
		t.Errorf("%s: %s answers\n%s\nthe program\n%s", q.Name, q.Function, got, want.Body)
	}
}
