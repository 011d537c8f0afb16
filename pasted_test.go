package uncoil_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"uncoil"
	"uncoil/diag"
	"uncoil/internal/shell"
	"uncoil/internal/shell/quote"
)

// A pastedText is one file of testdata/pasted: a text as it is copied from
// the program that the folder is named for. The comment says which version
// wrote it, or that it is made by hand after the program's format. Sections:
//
//	text           what is pasted, without the line break at its end; or
//	text (quoted)  the same as a Go string
//	shell          the dialect that detection has to find
//	convert.json or requests.json   what it stands for
//	warnings       code and place of each; none where the section is missing
type pastedText struct {
	path    string
	archive *txtar.Archive
	text    string
}

// sections returns what the file states, by name.
func (p *pastedText) sections() map[string]string {
	m := make(map[string]string)
	for _, f := range p.archive.Files {
		if !strings.HasPrefix(f.Name, "text") {
			m[f.Name] = string(f.Data)
		}
	}
	return m
}

func readPasted(t *testing.T) []*pastedText {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", "pasted", "*", "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("there are no pasted texts: %v", err)
	}
	var list []*pastedText
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		p := &pastedText{path: path, archive: archive}
		for _, f := range archive.Files {
			switch f.Name {
			case "text":
				p.text = strings.TrimSuffix(string(f.Data), "\n")
			case "text (quoted)":
				if err := json.Unmarshal(f.Data, &p.text); err != nil {
					t.Fatalf("%s: %v", path, err)
				}
			}
		}
		if p.text == "" || len(archive.Comment) == 0 {
			t.Fatalf("%s lacks its text or its comment", path)
		}
		list = append(list, p)
	}
	return list
}

// TestPasted reads each text with nothing said about its shell.
func TestPasted(t *testing.T) {
	for _, p := range readPasted(t) {
		name, _ := filepath.Rel(filepath.Join("testdata", "pasted"), p.path)
		t.Run(strings.TrimSuffix(filepath.ToSlash(name), ".txtar"), func(t *testing.T) {
			got, err := pastedAnswers(p.text)
			if err != nil {
				t.Fatalf("%v in\n%s", err, p.text)
			}
			want := p.sections()
			if *update {
				p.rewrite(t, got)
				return
			}
			if want["convert.json"]+want["requests.json"] == "" {
				t.Errorf("%s expects nothing: run  go test . -run Pasted -update  and check what it writes", p.path)
			}
			for _, section := range []string{"shell", "convert.json", "requests.json", "warnings"} {
				if _, stated := want[section]; !stated && section != "warnings" {
					continue
				}
				if diff := cmp.Diff(want[section], got[section]); diff != "" {
					t.Errorf("%s: %s differs (-want +got):\n%s\n%s", p.path, section, diff, p.text)
				}
			}
		})
	}
}

// pastedAnswers returns what the sections of a text should be.
func pastedAnswers(text string) (map[string]string, error) {
	result, err := uncoil.Parse(text, uncoil.Input{})
	if err != nil {
		return nil, err
	}
	got := map[string]string{"shell": result.Shell + "\n"}
	var description struct{ Requests json.RawMessage }
	if err := json.Unmarshal(result.AppendJSON(nil), &description); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, description.Requests, "", "  "); err != nil {
		return nil, err
	}
	got["requests.json"] = b.String() + "\n"
	if converted, err := result.AppendConvert(nil); err == nil {
		b.Reset()
		if err := json.Indent(&b, converted, "", "  "); err != nil {
			return nil, err
		}
		got["convert.json"] = b.String() + "\n"
	}
	for _, w := range result.Warnings {
		line, column := diag.Position(text, w.Span.Start)
		got["warnings"] += fmt.Sprintf("%s %d:%d\n", w.Code, line, column)
	}
	return got, nil
}

// rewrite writes the present answers: the four-member one, where there is
// one, and else all requests.
func (p *pastedText) rewrite(t *testing.T, got map[string]string) {
	t.Helper()
	archive := &txtar.Archive{Comment: p.archive.Comment}
	for _, f := range p.archive.Files {
		if strings.HasPrefix(f.Name, "text") {
			archive.Files = append(archive.Files, f)
		}
	}
	answer := "convert.json"
	if _, stated := p.sections()["requests.json"]; stated || got[answer] == "" {
		answer = "requests.json"
	}
	for _, section := range []string{"shell", answer, "warnings"} {
		if got[section] != "" {
			archive.Files = append(archive.Files, txtar.File{Name: section, Data: []byte(got[section])})
		}
	}
	if err := os.WriteFile(p.path, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestRespelled holds that the spelling of a command does not change what it
// sends: each plain command of the wire cases, written for each shell, is read
// as the original is.
func TestRespelled(t *testing.T) {
	file, err := os.Open(filepath.Join("..", "shared", "wire", "cases.jsonl"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("there are no wire cases beside the module")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	dialects := []shell.Dialect{shell.POSIX, shell.Cmd, shell.PowerShell}
	styles := []quote.Style{quote.POSIX, quote.Cmd, quote.PowerShell}
	commands, detected := 0, make(map[shell.Dialect]int)
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var c struct {
			ID, Curl string
			Argv     [][]string
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		if len(c.Argv) != 1 || !strings.HasPrefix(c.ID, "docs/") && !strings.HasPrefix(c.ID, "curl-test/") {
			continue
		}
		args := append([]string{"curl"}, c.Argv[0]...)
		want, ok := requestsOf(quote.Command(args, quote.POSIX), "posix")
		if !ok {
			continue
		}
		commands++
		for i, d := range dialects {
			text := quote.Command(args, styles[i])
			if got, _ := requestsOf(text, d.String()); got != want {
				t.Errorf("%s in %v:\n%s\n%s", c.ID, d, text, cmp.Diff(want, got))
			}
			if got, _ := requestsOf(text, "auto"); got == want {
				detected[d]++
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	for _, d := range dialects {
		t.Logf("%v: %d of %d come out the same with nothing said about the shell", d, detected[d], commands)
		if detected[d]*100 < commands*99 {
			t.Errorf("%v: only %d of %d are detected", d, detected[d], commands)
		}
	}
}

// requestsOf returns the requests that a text stands for.
func requestsOf(text, dialect string) (requests string, ok bool) {
	result, err := uncoil.Parse(text, uncoil.Input{Shell: dialect})
	if err != nil {
		return err.Error(), false
	}
	var description struct{ Requests json.RawMessage }
	if err := json.Unmarshal(result.AppendJSON(nil), &description); err != nil {
		return err.Error(), false
	}
	return string(description.Requests), true
}
