// Package python tests the package for Python: its wheel, and the package as it is
// installed from there.
package python

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	yaml "github.com/oasdiff/yaml3"

	"uncoil/internal/proof/doors"
	"uncoil/internal/proof/need"
)

// names are those of the programs of a release.
var names = []string{"uncoil-linux-amd64", "uncoil-linux-arm64", "uncoil-darwin-amd64", "uncoil-darwin-arm64", "uncoil-windows-amd64.exe", "uncoil-windows-arm64.exe"}

// TestWheels holds the wheels of all systems, with texts in place of the programs,
// against their own lists.
func TestWheels(t *testing.T) {
	python := need.Program(t, "python3")
	dir := t.TempDir()
	licenses := filepath.Join(dir, "LICENSES.txt")
	args := []string{"wheel.py", "--licenses", licenses, dir}
	for _, name := range append([]string{"LICENSES.txt"}, names...) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
		if name != "LICENSES.txt" {
			args = append(args, filepath.Join(dir, name))
		}
	}
	build := func() map[string][]byte {
		out := runIn(t, ".", nil, python, args...)
		wheels := make(map[string][]byte)
		for path := range strings.FieldsSeq(out) {
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			wheels[filepath.Base(path)] = content
		}
		return wheels
	}
	wheels := build()
	if len(wheels) != len(names) {
		t.Fatalf("there are %d wheels", len(wheels))
	}
	for name, again := range build() {
		if !bytes.Equal(wheels[name], again) {
			t.Errorf("%s has other bytes the second time", name)
		}
	}
	programs := 0
	for name, content := range wheels {
		programs += checkWheel(t, name, content)
	}
	if programs != len(names) {
		t.Errorf("%d of the wheels have a program that may run", programs)
	}
}

// checkWheel compares a wheel with its RECORD, and returns how many programs it has.
func checkWheel(t *testing.T, name string, content []byte) (programs int) {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]string)
	var record [][]string
	for _, file := range archive.File {
		r, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(text)
		got[file.Name] = fmt.Sprintf("sha256=%s,%d", base64.RawURLEncoding.EncodeToString(sum[:]), len(text))
		switch {
		case strings.HasSuffix(file.Name, "/RECORD"):
			got[file.Name] = ","
			if record, err = csv.NewReader(bytes.NewReader(text)).ReadAll(); err != nil {
				t.Fatal(err)
			}
		case strings.HasSuffix(file.Name, "/WHEEL"):
			for tag := range strings.SplitSeq(strings.TrimSuffix(strings.SplitN(name, "-", 5)[4], ".whl"), ".") {
				if !strings.Contains(string(text), "\nTag: py3-none-"+tag+"\n") {
					t.Errorf("%s has no tag %s", name, tag)
				}
			}
		}
		if file.Mode()&0o111 != 0 {
			programs++
		}
	}
	want := make(map[string]string)
	for _, row := range record {
		want[row[0]] = row[1] + "," + row[2]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-RECORD +files):\n%s", name, diff)
	}
	for _, file := range []string{"LICENSE", "LICENSES.txt"} {
		if _, ok := got["uncoil_http-"+strings.SplitN(name, "-", 3)[1]+".dist-info/licenses/"+file]; !ok {
			t.Errorf("%s has no %s", name, file)
		}
	}
	return programs
}

// TestPackage installs the wheel of this system without a network, and runs the tests
// of the package.
func TestPackage(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the program")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "uncoil-"+runtime.GOOS+"-"+runtime.GOARCH)
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, "../cmd/uncoil")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	python := pythonWithClients(t)
	wheel := strings.TrimSpace(runIn(t, ".", nil, python, "wheel.py", dir, program))
	runIn(t, dir, nil, python, "-m", "venv", "--system-site-packages", "venv")
	python = filepath.Join(dir, "venv", "bin", "python")
	runIn(t, dir, nil, python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", wheel)

	t.Run("unittest", func(t *testing.T) {
		t.Log(runIn(t, "tests", nil, python, "-m", "unittest"))
	})
	t.Run("parameters", func(t *testing.T) { compareParameters(t, python) })
	t.Run("equal", func(t *testing.T) { compareAnswers(t, python) })
	t.Run("example", func(t *testing.T) {
		example := filepath.Join(dir, "example.py")
		if err := os.WriteFile(example, []byte(doors.Example(t, "python")), 0o666); err != nil {
			t.Fatal(err)
		}
		if got, want := runIn(t, dir, nil, python, example), doors.ExampleAnswer(t); got != want {
			t.Errorf("it prints %q, and the program %q", got, want)
		}
	})
}

// compareParameters holds that code and convert take every member of a request object.
func compareParameters(t *testing.T, python string) {
	const script = "import inspect, uncoil; print(*{*inspect.signature(uncoil.code).parameters, *inspect.signature(uncoil.convert).parameters})"
	got := strings.Fields(runIn(t, ".", nil, python, "-c", script))
	slices.Sort(got)
	text, err := os.ReadFile("../internal/edge/httpapi/assets/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	type schema struct {
		Properties map[string]any
		AllOf      []struct{ Properties map[string]any } `yaml:"allOf"`
	}
	var document struct {
		Components struct{ Schemas map[string]schema }
	}
	if err := yaml.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	members := maps.Clone(document.Components.Schemas["Command"].Properties)
	for _, part := range document.Components.Schemas["CodeCommand"].AllOf {
		maps.Copy(members, part.Properties)
	}
	var want []string
	capital := regexp.MustCompile("[A-Z]")
	for name := range members {
		switch name {
		case "curl":
			name = "command"
		case "target":
			name = "to"
		case "targets": // a program is a string
			continue
		}
		want = append(want, capital.ReplaceAllStringFunc(name, func(letter string) string { return "_" + strings.ToLower(letter) }))
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-openapi.yaml +Python):\n%s", diff)
	}
}

// compareAnswers holds that the functions give the answers of the program.
func compareAnswers(t *testing.T, python string) {
	questions := doors.Questions(t)
	var in bytes.Buffer
	enc := json.NewEncoder(&in)
	for _, q := range questions {
		if err := enc.Encode(map[string]any{"function": q.Function, "command": q.Command, "options": q.Options}); err != nil {
			t.Fatal(err)
		}
	}
	out := json.NewDecoder(strings.NewReader(runIn(t, "tests", &in, python, "answer.py")))
	for i, want := range doors.Answers(t, questions) {
		var got struct {
			OK               bool
			Text             string
			Program, Problem any
		}
		if err := out.Decode(&got); err != nil {
			t.Fatalf("after %d answers: %v", i, err)
		}
		q := &questions[i]
		switch {
		case got.OK != want.OK:
			t.Errorf("%s: %s answers %+v, the program %s", q.Name, q.Function, got, want.Body)
		case !got.OK:
			compareJSON(t, q, got.Problem, want.Body)
		case q.Function == "code":
			compareJSON(t, q, got.Program, want.Body)
		case got.Text != want.Body:
			t.Errorf("%s: %s answers\n%s\nthe program\n%s", q.Name, q.Function, got.Text, want.Body)
		}
	}
}

// compareJSON compares what Python has of an answer with the answer.
func compareJSON(t *testing.T, q *doors.Question, got any, answer string) {
	t.Helper()
	var want any
	if err := json.Unmarshal([]byte(answer), &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: %s (-program +Python):\n%s", q.Name, q.Function, diff)
	}
}

// pythonWithClients finds a Python that can make an environment, and has requests and
// httpx.
func pythonWithClients(t *testing.T) string {
	t.Helper()
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(python, "-c", "import venv, ensurepip, requests, httpx").Run() == nil {
			return python
		}
	}
	need.Missing(t, "a Python with venv, requests and httpx")
	return ""
}

// TestTypes has mypy check the package.
func TestTypes(t *testing.T) {
	if testing.Short() {
		t.Skip("mypy takes ten seconds of the processor")
	}
	mypy := need.Program(t, "mypy")
	runIn(t, ".", nil, mypy, "--cache-dir="+t.TempDir(), "uncoil", "wheel.py")
}

func runIn(t *testing.T, dir string, in io.Reader, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdin = dir, in
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "PIP_DISABLE_PIP_VERSION_CHECK=1")
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, out.String(), problems.String())
	}
	return out.String()
}
