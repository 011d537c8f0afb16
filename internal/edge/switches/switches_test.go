package switches_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"uncoil/internal/edge/switches"
	"uncoil/internal/engine"
)

// TestTable checks that each switch has what the doors need, and names of its own.
func TestTable(t *testing.T) {
	names, flags := make(map[string]bool), make(map[string]bool)
	for _, s := range switches.All() {
		if names[s.Name] || s.Flag != "" && flags[s.Flag] {
			t.Errorf("%s: its name or its flag is another's", s.Name)
		}
		names[s.Name], flags[s.Flag] = true, true
		switch {
		case s.Does == "" || strings.HasSuffix(s.Does, "."):
			t.Errorf("%s: says what it does by %q", s.Name, s.Does)
		case (s.Kind == switches.Word) != (len(s.Words) > 0):
			t.Errorf("%s: a word, and no other, has words", s.Name)
		case s.Default != "" && !slices.Contains(s.Words, s.Default):
			t.Errorf("%s: the default %q is none of its words", s.Name, s.Default)
		case s.FlagWord != "" && (s.Argument != "" || s.Default == ""):
			t.Errorf("%s: a flag for one word has no argument, and off is the default", s.Name)
		case s.Flag != "" && s.Kind != switches.Truth && s.FlagWord == "" && s.Argument == "":
			t.Errorf("%s: the flag needs a name for its argument", s.Name)
		}
		if found := switches.Lookup(s.Name); s.OnlyFlag != (found == nil) {
			t.Errorf("%s: Lookup returns %v", s.Name, found)
		}
	}
}

// TestSet checks that each value of a switch sets something of its own, and that it takes
// no other.
func TestSet(t *testing.T) {
	good := map[string][]string{
		"entry": {"1", "12"}, "target": {"go", "nowhere"}, "function": {"auto", "f"}, "indent": {"  ", "\t", "        "},
	}
	bad := map[string][]string{"entry": {"0", "-1", "x", "1.5", ""}, "indent": {"         ", "x", " x"}, "style": {"", "Exact"}}
	for _, s := range switches.All() {
		values := good[s.Name]
		switch s.Kind {
		case switches.Truth:
			values = []string{"true", "false"}
		case switches.Word:
			values = s.Words
		}
		var seen []any
		for _, value := range values {
			var want switches.Want
			var in engine.Input
			if !s.Set(&want, &in, value) {
				t.Errorf("%s does not take %q", s.Name, value)
			}
			set := []any{want, in.Shell, in.Entry}
			if slices.ContainsFunc(seen, func(other any) bool { return cmp.Equal(other, any(set)) }) {
				t.Errorf("%s: %q sets what another value does", s.Name, value)
			}
			seen = append(seen, any(set))
		}
		wrong := append(bad[s.Name], "\x00")
		if s.Kind == switches.Text && s.Must == "" {
			wrong = nil // any text
		}
		for _, value := range wrong {
			if s.Set(new(switches.Want), new(engine.Input), value) {
				t.Errorf("%s takes %q", s.Name, value)
			}
		}
	}
}

// TestPage checks that the page, which shows some of the switches, knows them by their
// names.
func TestPage(t *testing.T) {
	script, err := os.ReadFile(filepath.Join(root, "web", "page", "code.js"))
	if err != nil {
		t.Fatal(err)
	}
	members := regexp.MustCompile(`member: "(\w+)"`).FindAllSubmatch(script, -1)
	if len(members) == 0 {
		t.Error("the page has no switches")
	}
	for _, m := range members {
		if switches.Lookup(string(m[1])) == nil {
			t.Errorf("the page has a switch for %s, which is none", m[1])
		}
	}
}
