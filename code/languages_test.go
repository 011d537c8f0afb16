package code_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"uncoil/code"
)

// TestPlanKnowsNoLanguage holds that what targets share names no language: what is customary
// in one is a value in its room.
func TestPlanKnowsNoLanguage(t *testing.T) {
	languages := map[string]bool{}
	for _, target := range code.Targets() {
		if target.Kind == code.KindCode {
			languages[target.Language] = true
		}
	}
	literals := 0
	for _, room := range []string{"plan", "emit", "rewrite"} {
		names, err := filepath.Glob(filepath.Join("internal", room, "*.go"))
		if err != nil || len(names) == 0 {
			t.Fatal(names, err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			files := token.NewFileSet()
			file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
					literals++
					if s, _ := strconv.Unquote(l.Value); languages[s] {
						t.Errorf("%s: %s is the name of a language", files.Position(l.Pos()), l.Value)
					}
				}
				return true
			})
		}
	}
	if literals < 500 || !languages["python"] {
		t.Errorf("%d literals and %d languages were seen", literals, len(languages))
	}
}

// TestSwitches holds that a target says which options of single languages it takes.
func TestSwitches(t *testing.T) {
	taken := map[string]int{}
	for _, target := range code.Targets() {
		for name, o := range map[string]code.Options{"commonJs": {Switches: []string{"commonJs"}}, "csharp7": {Switches: []string{"csharp7"}}} {
			_, diags := writeAs(t, target, "curl http://h.test/", o)
			says := slices.Contains(target.Switches, name)
			if takes := diags.Err() == nil; takes != says {
				t.Errorf("%s takes %s: %t, and says %t (%v)", target.Name, name, takes, says, diags)
			}
			if says {
				taken[name]++
			}
		}
	}
	if len(taken) != 2 {
		t.Errorf("only %v are taken", taken)
	}
}

// TestLocalNames checks that a variable of a program has a name in the custom of its
// language, and none that the program uses for something else.
func TestLocalNames(t *testing.T) {
	for _, c := range []struct{ target, name, want string }{
		{"python", "ACCESS_TOKEN", "access_token = "},
		{"python", "open", "open_value = "},
		{"python", "response2", "response2_value = "},
		{"python", "console", "console = "},
		{"go", "ACCESS_TOKEN", "accessToken := "},
		{"go", "USER_ID", "userID := "},
		{"go", "base64", "base64Value := "},
		{"go", "contents", "contentsValue := "},
		{"javascript", "ACCESS_TOKEN", "const accessToken = "},
		{"javascript", "console", "const consoleValue = "},
		{"javascript", "createHash", "const createHashValue = "},
		{"java", "args", "argsValue = "},
		{"kotlin", "args", "val args = "},
		{"ruby", "userId", "user_id = "},
		{"php", "user_id", "$userId = "},
		{"csharp", "args", "var argsValue = "},
		{"hurl", "userId", "user_id: "},
	} {
		target, _ := code.Lookup(c.target)
		command := c.name + "=$(curl -s http://h.test/a | jq -r '.x[\"a-b\"]'); curl http://h.test/ -H \"A: $" + c.name + `"`
		if program, diags := writeAs(t, target, command, exactly); !strings.Contains(program, c.want) {
			t.Errorf("%s has no %q for %s: %v\n%s", c.target, c.want, c.name, diags, program)
		}
	}
}
