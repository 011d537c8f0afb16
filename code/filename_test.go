package code_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/code/internal/plan"
	"uncoil/internal/proof/codeproof"
)

// dispositions are fields Content-Disposition with the name of the file that a program writes
// for them; "": the one of the URL.
var dispositions = []struct{ field, name string }{
	{`attachment; filename="../../up.txt"`, "up.txt"},
	{`attachment; filename=..\..\back.txt`, "back.txt"},
	{`attachment; filename=.profile`, "profile"},
	{`attachment; filename="/etc/cron.d/..hidden"`, "hidden"},
	{`inline; size=3; FileName="two words.tar.gz"; x=y`, "two words.tar.gz"},
	{`attachment; filename="C:report.csv"`, "report.csv"},
	{`attachment; filename=".."`, ""},
	{`attachment; filename="/"`, ""},
	{`attachment`, ""},
	{``, ""},
}

// TestFilenamePattern checks which name the pattern of all programs takes.
func TestFilenamePattern(t *testing.T) {
	pattern := regexp.MustCompile("(?i)" + plan.FilenamePattern)
	for _, d := range dispositions {
		got := ""
		if match := pattern.FindStringSubmatch(d.field); match != nil {
			got = match[1]
		}
		if got != d.name {
			t.Errorf("%s names %q, want %q", d.field, got, d.name)
		}
	}
}

// TestNamedByResponse checks that a program of -OJ writes the file by the name that the
// response gives, in its own folder, and by that of the URL where it gives none.
// curl and Wget themselves keep dots at the beginning of a name.
func TestNamedByResponse(t *testing.T) {
	parallel(t)
	const content = "content of the file"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d := dispositions[int(r.URL.Path[1]-'0')]
		if d.field != "" {
			w.Header().Set("Content-Disposition", d.field)
		}
		w.Write([]byte(content))
	}))
	defer server.Close()
	for i, d := range dispositions {
		name := string(rune('0' + i))
		command := "curl -sOJ " + server.URL + "/" + name
		programs(t, i, command, regexp.MustCompile("^(csharp|go|java|node|php|python|ruby|typescript)"), func(t *testing.T, r *codeproof.Runtime, program string) {
			got := exchangeBy(t, r, map[string]string{r.File: program})
			if d.name != "" {
				name = d.name
			}
			if got.fails || got.files[name] != content {
				t.Errorf("%s: fails %t, and leaves %q, want %s\n%s", d.field, got.fails, slices.Sorted(maps.Keys(got.files)), name, program)
			}
		})
	}
}

// TestNamesNoFile checks that a target which lets no response name the file says so, and that
// -J says nothing where no file is written by the name of the URL.
func TestNamesNoFile(t *testing.T) {
	names := 0
	for _, target := range code.Targets() {
		plain, _ := write(t, target, "curl -O https://h.test/a")
		program, warnings := write(t, target, "curl -OJ https://h.test/a")
		switch {
		case strings.Contains(warnings, "-J"):
		case program != plain:
			names++
		case !strings.Contains(warnings, "-O"):
			t.Errorf("%s loses -J:\n%s", target.Name, program)
		}
	}
	if names < 20 {
		t.Errorf("%d targets let the response name the file", names)
	}
	for _, options := range []string{"-J", "-J -o f", "-OJ -X POST --output-dir d"} {
		target, _ := code.Lookup("go")
		if program, warnings := write(t, target, "curl https://h.test/a "+options); warnings != "" {
			t.Errorf("%s: %q\n%s", options, warnings, program)
		}
	}
}
