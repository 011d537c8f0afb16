package lsp_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"uncoil/diag"
	"uncoil/extract"
	"uncoil/internal/edge/api"
	"uncoil/internal/edge/lint"
)

// What an editor shows is what the command line says, at the places that it says.
func TestDiagnostics(t *testing.T) {
	var names []string
	for _, folder := range []string{"../../../docs", "../../../testdata"} {
		err := filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
			if err == nil && entry.Type().IsRegular() {
				names = append(names, name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	e := start(t, `{"general": {"positionEncodings": ["utf-32", "utf-16"]}}`, `{"advice": true}`)
	shown := 0
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		source := strings.ToValidUTF8(strings.ReplaceAll(string(text), "\r", ""), "\ufffd")
		file, err := lint.Read(name, source, extract.KindOf(name))
		if err != nil {
			t.Fatal(err)
		}
		want := file.Check(lint.Rule{Advice: true})
		e.show("file:///"+filepath.Base(name), "", source)
		got := e.diagnostics().Diagnostics
		if len(got) != len(want) {
			t.Errorf("%s: %d diagnostics, want %d", name, len(got), len(want))
			continue
		}
		for i, f := range want {
			shown++
			at := span{position{f.Line - 1, f.Column - 1}, position{f.EndLine - 1, f.EndColumn - 1}}
			level := map[string]int{"error": 1, "doubt": 2, "advice": 3}[f.Severity]
			if d := got[i]; d.Range != at || d.Code != string(f.Code) || d.Severity != level || d.Source != "uncoil" || !strings.HasPrefix(d.Message, string(diag.AppendPrintable(nil, f.Message))) {
				t.Errorf("%s: %+v, want %+v", name, d, f)
			}
		}
	}
	if shown < 300 {
		t.Errorf("%d findings are too few to tell", shown)
	}
	e.end()
}

// A comment that lets a command be does so in an editor too.
func TestIgnored(t *testing.T) {
	e := start(t, "{}", "null")
	e.show("file:///a.md", "markdown", "<!-- uncoil-ignore -->\n```sh\ncurl --heder x h.test\n```\n\n```sh\ncurl --heder x h.test\n```\n")
	if got := e.diagnostics().Diagnostics; len(got) != 1 || got[0].Range.Start.Line != 6 {
		t.Errorf("%+v", got)
	}
	e.end()
}

// The settings of the session, and those that come later.
func TestSettings(t *testing.T) {
	const text = "curl -k https://h.test/ --heder x\ncurl -k https://h.test/\n"
	e := start(t, "{}", `{"docs": "https://uncoil.test/"}`)
	e.show("file:///a.sh", "shellscript", text)
	got := e.diagnostics().Diagnostics
	if len(got) != 1 || got[0].CodeDescription.Href != "https://uncoil.test/problems/unknown-option" {
		t.Errorf("%+v", got)
	}
	e.notify("workspace/didChangeConfiguration", `{"settings": {"uncoil": {"advice": true, "docs": ""}}}`)
	got = e.diagnostics().Diagnostics
	if len(got) < 2 || got[0].CodeDescription.Href != "" {
		t.Errorf("%+v", got)
	}
	for _, settings := range []string{`{"targets": ["rust", "no such target"]}`, `{"advice": 3}`} {
		e.notify("workspace/didChangeConfiguration", `{"settings": `+settings+`}`)
		if said := string(e.hear("window/showMessage")); !strings.Contains(said, "targets") || strings.Contains(said, "no such") {
			t.Errorf("%s: %s", settings, said)
		}
		e.diagnostics()
	}
	e.notify("workspace/didChangeConfiguration", `{"settings": null}`)
	e.end()
}

// A document that is too long is not looked at, and that is said.
func TestLongDocument(t *testing.T) {
	e := start(t, "{}", "null")
	e.show("file:///a.sh", "shellscript", "curl --heder x h.test\n"+strings.Repeat("#", lint.MaxFile))
	got := e.diagnostics().Diagnostics
	if len(got) != 1 || got[0].Severity != 3 || !strings.Contains(got[0].Message, "16 MiB") {
		t.Errorf("%+v", got)
	}
	at := `"textDocument": {"uri": "file:///a.sh"}, "position": {"line": 0, "character": 1}`
	if got := e.result("textDocument/hover", "{"+at+"}"); string(got) != "null" {
		t.Errorf("hover says %s", got)
	}
	e.end()
}

const hostile = "curl -H 'X: `[a](command:x)` <b>' -A '` `` ![x](y)' --data-urlencode '<img src=x>=1' 'https://h.test/[x](command:y)`<script>`' -g"

// The explanation of an option, and the request in short, each in Markdown and as text.
func TestHover(t *testing.T) {
	for _, test := range []struct{ text, at, markdown, plain string }{
		{"curl -sSL https://h.test/", "L", "`-L` `--location`\n\nFollows redirects", "-L --location\n\nFollows redirects"},
		{"curl -X PUT https://h.test/", "PUT", "`-X` `--request`\n\n", "-X --request\n\n"},
		{"curl -X PUT https://h.test/", "curl", "`PUT https://h.test/`", "PUT https://h.test/"},
		{"curl -d a=1 -H 'A: b' https://h.test/", "https", "`POST https://h.test/`\n\n`A`, `Content-Type`\n\nContent: form", "POST https://h.test/\n\nA, Content-Type\n\nContent: form"},
		{"curl https://h.test/[1-30]", "https", "\n\nand 20 more requests", "\n\nand 20 more requests"},
		{"curl https://ann:secret@h.test/?api_key=abcdefgh", "https", "`GET https://h.test/?api_key=", "GET https://h.test/?api_key="},
		{"curl --heder x https://h.test/", "https", "null", "null"},
		{"echo 1; curl https://h.test/", "echo", "null", "null"},
	} {
		for format, want := range map[string]string{"markdown": test.markdown, "plaintext": test.plain} {
			e := start(t, fmt.Sprintf(`{"textDocument": {"hover": {"contentFormat": [%q]}}}`, format), "null")
			e.show("file:///a.sh", "shellscript", "é='😀'; "+test.text+"\n")
			at := len(utf16.Encode([]rune("é='😀'; "))) + strings.Index(test.text, test.at)
			got := e.result("textDocument/hover", fmt.Sprintf(`{"textDocument": {"uri": "file:///a.sh"}, "position": {"line": 0, "character": %d}}`, at))
			var h struct {
				Contents struct{ Kind, Value string }
				Range    span
			}
			decode(t, got, &h)
			switch {
			case want == "null":
				if string(got) != want {
					t.Errorf("%s: %s", test.text, got)
				}
			case h.Contents.Kind != format || !strings.Contains(h.Contents.Value, want):
				t.Errorf("%s: %q, want %q", test.text, h.Contents, want)
			case h.Range.Start.Character > at || h.Range.End.Character <= at:
				t.Errorf("%s: the range %v has not the place %d", test.text, h.Range, at)
			case strings.Contains(h.Contents.Value, "secret") || strings.Contains(h.Contents.Value, "abcdefgh"):
				t.Errorf("%s: %q shows a secret", test.text, h.Contents)
			}
			e.end()
		}
	}
}

// withoutCode returns Markdown without its spans of code, which end at as many backticks
// as they begin with (CommonMark 0.31, 6.1).
func withoutCode(text string) string {
	var b strings.Builder
	for text != "" {
		start := strings.IndexByte(text, '`')
		if start > 0 && text[start-1] == '\\' || start < 0 {
			start = len(text)
		}
		b.WriteString(text[:start])
		text = text[start:]
		n := len(text) - len(strings.TrimLeft(text, "`"))
		rest := text[n:]
		for n > 0 && rest != "" {
			i := strings.IndexByte(rest, '`')
			if i < 0 {
				return b.String() + "UNCLOSED"
			}
			run := len(rest[i:]) - len(strings.TrimLeft(rest[i:], "`"))
			rest = rest[i+run:]
			if run == n {
				break
			}
		}
		text = rest
	}
	return b.String()
}

// Nothing of a command acts in the Markdown that an editor shows.
func TestHostileHover(t *testing.T) {
	e := start(t, `{"textDocument": {"hover": {"contentFormat": ["markdown", "plaintext"]}}}`, "null")
	e.show("file:///a.sh", "shellscript", hostile+"\n")
	seen := 0
	for at := range hostile {
		var h struct{ Contents struct{ Value string } }
		decode(t, e.result("textDocument/hover", fmt.Sprintf(`{"textDocument": {"uri": "file:///a.sh"}, "position": {"line": 0, "character": %d}}`, at)), &h)
		if strings.Contains(h.Contents.Value, "command:") || strings.Contains(h.Contents.Value, "<img") {
			seen++
		}
		if left := withoutCode(h.Contents.Value); strings.ContainsAny(left, "`<[") && !strings.Contains(left, `\[`) || strings.Contains(left, "UNCLOSED") || strings.Contains(left, "command:") {
			t.Errorf("at %d: %q", at, h.Contents.Value)
		}
	}
	if seen == 0 {
		t.Error("no hover shows text of the command")
	}
	e.end()
}

// An edit is what a code action would change.
type edit struct {
	Range   span
	NewText string
}

type action struct {
	Title, Kind string
	Diagnostics []struct{ Code string }
	Edit        struct {
		Changes         map[string][]edit
		DocumentChanges []struct {
			TextDocument struct {
				URI     string
				Version int
			}
			Edits []edit
		}
	}
	Command struct {
		Command   string
		Arguments []json.RawMessage
	}
}

func (e *editor) actions(uri, where, only string) (actions []action) {
	e.t.Helper()
	decode(e.t, e.result("textDocument/codeAction",
		fmt.Sprintf(`{"textDocument": {"uri": %q}, "range": %s, "context": {"diagnostics": [], "only": %s}}`, uri, where, only)), &actions)
	return actions
}

// changed makes edits in a text, from the last to the first, in units of UTF-16.
func changed(text string, edits []edit) string {
	lines := strings.SplitAfter(text, "\n")
	offset := func(p position) int {
		n := 0
		for _, line := range lines[:p.Line] {
			n += len(line)
		}
		return n + len(string(utf16.Decode(utf16.Encode([]rune(lines[p.Line]))[:p.Character])))
	}
	for _, e := range slices.Backward(edits) {
		text = text[:offset(e.Range.Start)] + e.NewText + text[offset(e.Range.End):]
	}
	return text
}

const everywhere = `{"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}`

func TestActions(t *testing.T) {
	const text = "😀\n\n```sh\ncurl --heder 'A: é' https://h.test/?a=1&b=2\ncurl -X post https://h.test/\n```\n"
	const uri = "file:///a%20b.md"
	e := start(t, "{}", `{"targets": ["python", "go", "curl"]}`)
	e.show(uri, "markdown", text)
	if got := e.diagnostics().Diagnostics; len(got) != 3 {
		t.Fatalf("%+v", got)
	}
	only := func(kinds ...string) string { q, _ := json.Marshal(kinds); return string(q) }
	fixes := e.actions(uri, everywhere, only("quickfix"))
	if len(fixes) != 3 || fixes[0].Title != "Did you mean --header?" || fixes[0].Diagnostics[0].Code != "unknown-option" {
		t.Fatalf("%+v", fixes)
	}
	file, err := lint.Read("a.md", text, extract.Markdown)
	if err != nil {
		t.Fatal(err)
	}
	found := file.Check(lint.Rule{})
	mended := 0
	for _, f := range found {
		if f.Fix == nil {
			continue
		}
		i := mended
		mended++
		if got, want := changed(text, fixes[i].Edit.Changes[uri]), lint.Apply(text, []*lint.Edit{f.Fix}); got != want {
			t.Errorf("%s leaves %q, want %q", fixes[i].Title, got, want)
		}
	}
	want := lint.Apply(text, lint.Edits(found))
	all := e.actions(uri, everywhere, only("source.fixAll"))
	if len(all) != 1 || changed(text, all[0].Edit.Changes[uri]) != want || changed(text, fixes[2].Edit.Changes[uri]) != want {
		t.Errorf("%+v leaves not %q", all, want)
	}
	// At a place are the fixes for it, and the targets that the user asked for.
	var titles []string
	for _, a := range e.actions(uri, `{"start": {"line": 4, "character": 9}, "end": {"line": 4, "character": 9}}`, "null") {
		titles = append(titles, a.Title)
	}
	if got := strings.Join(titles, "; "); got != "Write POST; Mend all that has one certain cure; Convert to Python; Convert to Go; Convert to Shell" && got != "Write POST; Mend all that has one certain cure; Convert to Python; Convert to Go; Convert to curl" {
		t.Errorf("%s", got)
	}
	if got := e.actions(uri, `{"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}`, "null"); len(got) != 0 {
		t.Errorf("without a command: %+v", got)
	}
	if got := e.actions(uri, everywhere, only("refactor")); len(got) != 0 {
		t.Errorf("of another kind: %+v", got)
	}
	e.end()
}

// Where the client takes them, edits are for one version of the document.
func TestVersionedEdit(t *testing.T) {
	e := start(t, `{"workspace": {"workspaceEdit": {"documentChanges": true}}}`, "null")
	e.show("file:///a.sh", "shellscript", "curl -X post https://h.test/\n")
	got := e.actions("file:///a.sh", everywhere, "null")
	if len(got) != 1 || len(got[0].Edit.Changes) > 0 || got[0].Edit.DocumentChanges[0].TextDocument.Version != 1 || got[0].Edit.DocumentChanges[0].Edits[0].NewText != "POST" {
		t.Errorf("%+v", got)
	}
	e.end()
}

// A command of a document becomes what the service would make of it.
func TestConvert(t *testing.T) {
	const first, second = "curl -d a=1 https://h.test/", "curl https://h.test/2"
	const text = "# Title\n\n```sh\n$ " + first + "\n" + second + "\n```\n\nhttps://h.test/3 -X PUT\n"
	e := start(t, "{}", `{"targets": ["python"]}`)
	e.show("file:///a.md", "markdown", text)
	convert := func(argument string) received {
		return e.request("workspace/executeCommand", `{"command": "uncoil.convert", "arguments": [`+argument+`]}`)
	}
	at := func(line, character, endLine, endCharacter int, rest string) string {
		return fmt.Sprintf(`{"uri": "file:///a.md", "range": {"start": {"line": %d, "character": %d}, "end": {"line": %d, "character": %d}}, %s}`, line, character, endLine, endCharacter, rest)
	}
	for _, test := range []struct{ argument, request string }{
		{at(3, 0, 3, 0, `"target": "python"`), `{"curl": "` + first + `", "target": "python"}`}, // on the prompt
		{at(3, 29, 3, 29, `"target": "go", "style": "exact"`), `{"curl": "` + first + `", "target": "go", "style": "exact"}`},
		{at(3, 9, 4, 9, `"target": "python", "bare": true`), `{"curl": "` + first + `\n` + second + `", "target": "python", "bare": true}`},
		{`{"uri": "file:///a.md", "position": {"line": 4, "character": 21}, "target": "rust"}`, `{"curl": "` + second + `", "target": "rust"}`},
		{at(7, 0, 7, 24, `"target": "python"`), `{"curl": "https://h.test/3 -X PUT", "target": "python"}`}, // a selection
		{`{"curl": "curl h.test", "target": "python"}`, `{"curl": "curl h.test", "target": "python"}`},
	} {
		want, err := (api.Limits{Warnings: true}).Answer(test.request, api.AsCode)
		m := convert(test.argument)
		if err != nil {
			if m.Error == nil || m.Error.Code != -32803 {
				t.Errorf("%s: %s, want the error %v", test.argument, m.Result, err)
			}
			continue
		}
		var got, wanted bytes.Buffer
		if m.Error != nil || json.Compact(&got, m.Result) != nil || json.Compact(&wanted, want) != nil || got.String() != wanted.String() {
			t.Errorf("%s: %s %v, want %s", test.argument, m.Result, m.Error, want)
		}
	}
	for argument, code := range map[string]int{
		at(0, 0, 0, 0, `"target": "python"`):                                                   -32803,
		`{"uri": "file:///b.md", "position": {"line": 0, "character": 0}, "target": "python"}`: -32803,
		`{"uri": "file:///a.md", "target": "python"}`:                                          -32602,
		`{"uri": 3}`:                                 -32602,
		`{"curl": "curl", "target": "python"}`:       -32803,
		`{"curl": "curl h.test", "target": "pyton"}`: -32803,
		`3`: -32602,
	} {
		if m := convert(argument); m.Error == nil || m.Error.Code != code {
			t.Errorf("%s: %s %+v, want the error %d", argument, m.Result, m.Error, code)
		}
	}
	// A code action has the argument.
	actions := e.actions("file:///a.md", `{"start": {"line": 4, "character": 1}, "end": {"line": 4, "character": 1}}`, `["uncoil"]`)
	if len(actions) != 1 || actions[0].Command.Command != "uncoil.convert" {
		t.Fatalf("%+v", actions)
	}
	if m := convert(string(actions[0].Command.Arguments[0])); m.Error != nil || !strings.Contains(string(m.Result), "https://h.test/2") {
		t.Errorf("%+v", m)
	}
	listed := e.result("workspace/executeCommand", `{"command": "uncoil.targets"}`)
	if string(listed) != string(api.AppendTargets(nil)) {
		t.Errorf("%.200s", listed)
	}
	e.end()
}

// A file of requests: each is told in short at its place, and written as a program.
func TestHTTPFile(t *testing.T) {
	const text = "@host = h.test\n\n### one\nGET https://{{host}}/1\nAccept: a/b\n\n### two\n# its comment\nPOST https://{{host}}/2\n\n{}\n\n###\ncurl -X PUT https://h.test/3\n"
	e := start(t, `{"textDocument": {"hover": {"contentFormat": ["plaintext"]}}}`, `{"targets": ["python"]}`)
	for uri, language := range map[string]string{"file:///a.http": "", "file:///a.rest": "http"} {
		e.show(uri, language, text)
		for line, want := range []string{3: "GET https://h.test/1", 6: "POST https://h.test/2", 7: "POST https://h.test/2", 10: "POST https://h.test/2", 13: "PUT https://h.test/3"} {
			if want == "" {
				continue
			}
			var h struct{ Contents struct{ Value string } }
			decode(t, e.result("textDocument/hover", fmt.Sprintf(`{"textDocument": {"uri": %q}, "position": {"line": %d, "character": 0}}`, uri, line)), &h)
			if first, _, _ := strings.Cut(h.Contents.Value, "\n"); first != want {
				t.Errorf("%s: line %d: %q, want %q", uri, line, h.Contents.Value, want)
			}
			actions := e.actions(uri, fmt.Sprintf(`{"start": {"line": %d, "character": 0}, "end": {"line": %d, "character": 0}}`, line, line), "null")
			if len(actions) != 1 {
				t.Fatalf("%s: line %d: %+v", uri, line, actions)
			}
			program := string(e.result("workspace/executeCommand", `{"command": "uncoil.convert", "arguments": [`+string(actions[0].Command.Arguments[0])+`]}`))
			method, url, _ := strings.Cut(want, " ")
			if !strings.Contains(program, "requests."+strings.ToLower(method)+`(\"`+url) {
				t.Errorf("%s: line %d: %s", uri, line, program)
			}
		}
	}
	e.end()
}
