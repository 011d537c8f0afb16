package repo

import (
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/internal/engine/curl"
)

// TestSemanticsOptions holds the table of options in docs/semantics.md
// against the one in the code.
func TestSemanticsOptions(t *testing.T) {
	const path = "docs/semantics.md"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	begin := strings.Index(text, "<!-- options:")
	end := strings.Index(text, "<!-- /options -->")
	if begin < 0 || end < begin {
		t.Fatalf("%s lacks the marks of the table", path)
	}
	begin += strings.Index(text[begin:], "\n") + 1
	want := optionTable()
	if text[begin:end] == want {
		return
	}
	if !*update {
		t.Fatalf("the table of options in %s is out of date: run go test ./internal/proof/repo -run Semantics -update", path)
	}
	if err := os.WriteFile(path, []byte(text[:begin]+want+text[end:]), 0o644); err != nil {
		t.Fatal(err)
	}
}

var optionType = map[curl.Section]string{
	curl.InBoolOption:    "true or false",
	curl.InIntOption:     "a whole number",
	curl.InSecondsOption: "seconds",
	curl.InSizeOption:    "bytes",
	curl.InStringOption:  "text",
	curl.InListOption:    "a list of texts",
	curl.InDerivedOption: "shared with other options",
}

func optionTable() string {
	var b strings.Builder
	b.WriteString("\n| option | where | what |\n|---|---|---|\n")
	for _, o := range curl.Options() {
		name := "`--" + o.Long + "`"
		if o.Short != 0 {
			name = "`-" + string(o.Short) + "`, " + name
		}
		where, what := "ignored", o.Note
		switch o.Section {
		case curl.InRequest:
			where = "request"
		case curl.Ignored:
		default:
			where, what = "options."+o.Member, optionType[o.Section]
		}
		b.WriteString("| " + name + " | " + where + " | " + what + " |\n")
	}
	b.WriteString("\n")
	return b.String()
}

// semanticsRows returns the cells of the table between two marks of
// docs/semantics.md.
func semanticsRows(t *testing.T, mark string) (rows [][]string) {
	t.Helper()
	data, err := os.ReadFile("docs/semantics.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(data), "<!-- "+mark+" -->")
	table, _, ok2 := strings.Cut(rest, "<!-- /"+mark+" -->")
	if !ok || !ok2 {
		t.Fatalf("docs/semantics.md lacks the marks of %s", mark)
	}
	for line := range strings.Lines(table) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		line = strings.ReplaceAll(strings.Trim(line, "|"), `\|`, "\x00")
		var cells []string
		for cell := range strings.SplitSeq(line, "|") {
			cells = append(cells, strings.ReplaceAll(strings.TrimSpace(cell), "\x00", "|"))
		}
		rows = append(rows, cells)
	}
	return rows
}

// TestSemanticsExamples reads each example of docs/semantics.md.
func TestSemanticsExamples(t *testing.T) {
	rows := semanticsRows(t, "examples")
	if len(rows) < 20 {
		t.Fatalf("there are %d examples", len(rows))
	}
	for _, row := range rows {
		if len(row) != 3 {
			t.Errorf("%q has %d cells", row, len(row))
			continue
		}
		text := strings.ReplaceAll(strings.Trim(row[0], "`"), "⏎", "\n")
		answer, warnings := exampleAnswer(t, text)
		if answer != row[1] || warnings != row[2] {
			t.Errorf("%s\n got %s | %s\nwant %s | %s", text, answer, warnings, row[1], row[2])
		}
	}
}

// exampleAnswer returns what the table has about a text.
func exampleAnswer(t *testing.T, text string) (answer, warnings string) {
	t.Helper()
	r, err := engine.Parse(text, engine.Input{})
	if err != nil {
		var e *engine.Error
		if !errors.As(err, &e) {
			t.Fatal(err)
		}
		return "error `" + string(e.Code) + "`", ""
	}
	var answers, codes []string
	for i := range r.Requests {
		q := &r.Requests[i]
		a := q.Method + " " + q.URL
		if q.Body != nil {
			a += " " + q.Body.Data
		}
		answers = append(answers, "`"+a+"`")
	}
	for _, d := range r.Warnings {
		if code := "`" + string(d.Code) + "` " + d.Level.String(); !slices.Contains(codes, code) {
			codes = append(codes, code)
		}
	}
	return strings.Join(answers, " · "), strings.Join(codes, ", ")
}

// TestSemanticsWarnings holds the table of warnings to the codes and levels of
// package diag.
func TestSemanticsWarnings(t *testing.T) {
	source, err := os.ReadFile("diag/code.go")
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	for _, m := range regexp.MustCompile(`Warn\w+\s+Code = "([a-z-]+)"`).FindAllStringSubmatch(string(source), -1) {
		codes = append(codes, m[1])
	}
	slices.Sort(codes)
	var documented []string
	for _, row := range semanticsRows(t, "warnings") {
		code := strings.Trim(row[0], "`")
		documented = append(documented, code)
		if len(row) != 3 || row[2] == "" || row[1] != diag.Code(code).Level().String() {
			t.Errorf("%q: the level is %v", row, diag.Code(code).Level())
		}
	}
	if listed := diag.WarningCodes(); len(listed) != len(codes) || slices.ContainsFunc(codes, func(c string) bool { return !slices.Contains(listed, diag.Code(c)) }) {
		t.Errorf("package diag lists the warnings\n%q, and has\n%q", listed, codes)
	}
	if !slices.Equal(codes, documented) {
		t.Errorf("docs/semantics.md has the warnings\n%q, and package diag\n%q", documented, codes)
	}
}
