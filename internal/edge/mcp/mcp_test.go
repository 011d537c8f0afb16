package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"uncoil/internal/edge/api"
	"uncoil/internal/edge/mcp"
	"uncoil/internal/proof/corpus"
)

var update = flag.Bool("update", false, "rewrite the messages out of testdata")

func answer(_ context.Context, arguments string, as api.As) ([]byte, error) {
	return api.Limits{Warnings: true}.Answer(arguments, as)
}

// Each file of testdata has messages in and, by id, messages out.
func TestMessages(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no messages in testdata: ", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if err := mcp.Serve(t.Context(), "v1.2.3", bytes.NewReader(archive.Files[0].Data), &out, answer); err != nil {
				t.Fatal(err)
			}
			got := byID(t, out.String())
			if *update {
				archive.Files = append(archive.Files[:1], txtar.File{Name: "out", Data: []byte(got)})
				if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if want := string(archive.Files[1].Data); got != want {
				t.Errorf("answers\n%s, want\n%s", got, want)
			}
		})
	}
}

// byID returns messages indented and sorted by their ids, because answers may
// overtake each other.
func byID(t *testing.T, lines string) string {
	t.Helper()
	type message struct {
		id   int
		text string
	}
	var all []message
	for line := range strings.Lines(lines) {
		var m struct{ ID int }
		var b bytes.Buffer
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		if err := json.Indent(&b, []byte(strings.TrimSpace(line)), "", "  "); err != nil {
			t.Fatal(err)
		}
		all = append(all, message{m.ID, b.String()})
	}
	slices.SortFunc(all, func(a, b message) int { return a.id - b.id })
	var b strings.Builder
	for _, m := range all {
		b.WriteString(m.text + "\n")
	}
	return b.String()
}

// connect returns a session of the SDK's own client with a server.
func connect(t *testing.T) *sdk.ClientSession {
	t.Helper()
	ours, theirs := sdk.NewInMemoryTransports()
	if _, err := mcp.New("v1.2.3", answer).Connect(t.Context(), ours, nil); err != nil {
		t.Fatal(err)
	}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil).Connect(t.Context(), theirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// The answers of every tool for the commands of the corpus are valid by the
// schema that the tool gives, and are the service's own.
func TestSchemas(t *testing.T) {
	session := connect(t)
	listed, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	services := map[string]api.As{"convert_curl": api.AsConvert, "describe_curl": api.AsParse, "curl_to_code": api.AsCode, "check_curl": ""}
	if len(listed.Tools) != len(services) {
		t.Errorf("%d tools", len(listed.Tools))
	}
	for _, tool := range listed.Tools {
		as, ok := services[tool.Name]
		if !ok {
			t.Errorf("a tool %s", tool.Name)
		}
		in, out := schema(t, tool.InputSchema), schema(t, tool.OutputSchema)
		answered := 0
		for _, c := range corpus.Read(t, corpus.Commands) {
			arguments := map[string]any{"curl": c.Command, "shell": c.Shell}
			if c.Shell == "" {
				delete(arguments, "shell")
			}
			if as == api.AsCode {
				arguments["target"] = "python-requests"
			}
			if err := in.Validate(arguments); err != nil {
				t.Fatalf("%s: the arguments: %v", tool.Name, err)
			}
			result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tool.Name, Arguments: arguments})
			if err != nil {
				t.Fatal(err)
			}
			text := result.Content[0].(*sdk.TextContent).Text
			if result.IsError {
				if as == "" {
					t.Errorf("%s does not check %s: %s", tool.Name, c.Name, text)
				}
				continue
			}
			answered++
			if err := out.Validate(result.StructuredContent); err != nil {
				t.Errorf("%s: %s: %v in %s", tool.Name, c.Name, err, text)
			}
			object, err := json.Marshal(arguments)
			if err != nil {
				t.Fatal(err)
			}
			if want, _ := (api.Limits{Warnings: true}).Answer(string(object), as); as != "" && text != string(want) {
				t.Errorf("%s: %s: %s, and the service answers %s", tool.Name, c.Name, text, want)
			}
		}
		if answered == 0 {
			t.Errorf("%s answers nothing", tool.Name)
		}
	}
}

func schema(t *testing.T, of any) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("schema.json", of); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// The inspector of the protocol's authors calls a tool of the program.
func TestInspector(t *testing.T) {
	inspector := os.Getenv("UNCOIL_INSPECTOR")
	if inspector == "" {
		t.Skip("UNCOIL_INSPECTOR does not name the program mcp-inspector of the npm package @modelcontextprotocol/inspector")
	}
	program := filepath.Join(t.TempDir(), "uncoil")
	if out, err := exec.Command("go", "build", "-o", program, "uncoil/cmd/uncoil").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(inspector, "--cli", program, "mcp",
		"--method", "tools/call", "--tool-name", "convert_curl", "--tool-arg", "curl=curl -d a=1 h").Output()
	if err != nil {
		t.Fatal(err)
	}
	var result struct {
		StructuredContent struct{ Method, URL, Data string }
	}
	if err := json.Unmarshal(out, &result); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	if r := result.StructuredContent; r.Method != "POST" || r.URL != "http://h" || r.Data != "a=1" {
		t.Errorf("answers %s", out)
	}
}

// An answer that no agent would read is a tool error.
func TestLongAnswer(t *testing.T) {
	result, err := connect(t).CallTool(t.Context(), &sdk.CallToolParams{Name: "convert_curl",
		Arguments: map[string]any{"curl": "curl h -d " + strings.Repeat("x", mcp.MaxAnswer)}})
	if err != nil {
		t.Fatal(err)
	}
	if text := result.Content[0].(*sdk.TextContent).Text; !result.IsError || !strings.Contains(text, "too-large") {
		t.Errorf("answers %.200s", text)
	}
}
