package format_test

import (
	"fmt"
	"os/exec"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"

	"uncoil/internal/engine/format"
	"uncoil/internal/proof/corpus"
)

// tree returns the nodes of a script as mvdan/sh reads it, with the texts of its words and
// comments, but without their places.
func tree(src string) (nodes []string, err error) {
	file, err := syntax.NewParser(syntax.KeepComments(true), syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(src), "")
	if err != nil {
		return nil, err
	}
	syntax.Walk(file, func(node syntax.Node) bool {
		switch n := node.(type) {
		case nil:
			nodes = append(nodes, ")")
		case *syntax.Comment:
			nodes = append(nodes, "#"+n.Text)
		case *syntax.Lit:
			nodes = append(nodes, n.Value)
		case *syntax.SglQuoted:
			nodes = append(nodes, fmt.Sprint("'", n.Dollar, n.Value))
		case *syntax.Redirect:
			nodes = append(nodes, n.Op.String())
		case *syntax.BinaryCmd:
			nodes = append(nodes, n.Op.String())
		case *syntax.Stmt:
			nodes = append(nodes, fmt.Sprint(n.Negated, n.Background, n.Coprocess))
		default:
			nodes = append(nodes, reflect.TypeOf(node).String())
		}
		return true
	})
	return nodes, nil
}

// scripts returns scripts around commands: plain, in functions and substitutions, and
// where no shell runs them.
func scripts(command string) []string {
	commented := "# " + strings.ReplaceAll(command, "\n", "\n# ")
	return []string{
		command, commented + "\necho ok\n", "f() {\n\tif true; then\n\t\t" + command + "\n\tfi\n}\n", "x=\"$(" + command + ")\"\n",
		"cat <<'END'\n" + command + "\nEND\n", "echo \"\n" + strings.ReplaceAll(command, `"`, "") + "\"\n", command + " | jq . && " + command + " # why\n",
		"case $x in a) " + command + " ;; *) " + command + " ;; esac\n", "`" + strings.ReplaceAll(command, "`", "") + "`\n", "\t" + command + " > out 2>&1 || touch FAILED\n",
	}
}

// commandsOfCorpus returns the commands of testdata, and each with an option that makes it
// too long for a line.
func commandsOfCorpus(tb testing.TB) (commands []string) {
	tb.Helper()
	for _, c := range corpus.Read(tb, corpus.Commands, corpus.Errors, corpus.Pasted) {
		commands = append(commands, c.Command)
		if rest, ok := strings.CutPrefix(c.Command, "curl "); ok {
			commands = append(commands, "curl -H 'X-Request-Id: 0123456789abcdef0123456789abcdef01234567' "+rest)
		}
	}
	return commands
}

// TestShellAgrees holds, by mvdan/sh, that a shell reads a formatted script as it read it
// before: words, comments, operators, redirections.
func TestShellAgrees(t *testing.T) {
	changed := 0
	commands := commandsOfCorpus(t)
	if testing.Short() {
		commands = commands[:len(commands)/8]
	}
	for _, command := range commands {
		for _, src := range scripts(command) {
			formatted, _ := format.Source(src, "posix")
			if formatted == src {
				continue
			}
			before, err := tree(src)
			if err != nil {
				continue // that is for bash, which TestShellRuns asks
			}
			changed++
			after, err := tree(formatted)
			if err != nil || !slices.Equal(before, after) {
				t.Errorf("%s\nis formatted as\n%s\n%v\n%q\n%q", src, formatted, err, before, after)
			}
		}
	}
	if changed < len(commands)/4 {
		t.Errorf("only %d scripts change", changed)
	}
}

// lineNumber is where bash says that an error is.
var lineNumber = regexp.MustCompile(`line \d+: `)

// TestShellRuns has bash run scripts before and after, with a function in the place of
// curl that prints its arguments.
func TestShellRuns(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip(err)
	}
	run := func(script string) string {
		bash := exec.Command("bash", "-c", "curl() { printf '<%s>' \"$@\"; }; sudo() { :; }\n"+script)
		bash.Dir = t.TempDir()
		bash.Env = []string{"PATH=/nonexistent"}
		out, _ := bash.CombinedOutput()
		// There are more lines, and what runs at the same time speaks in any order.
		lines := strings.FieldsFunc(lineNumber.ReplaceAllString(string(out), ""), func(r rune) bool { return r == '\n' || r == '<' || r == '>' })
		slices.Sort(lines)
		return strings.Join(lines, "\n")
	}
	ran := 0
	for i, command := range commandsOfCorpus(t) {
		if testing.Short() && i%16 > 0 || strings.Contains(command, "\r") {
			continue
		}
		formatted, _ := format.Source(command, "posix")
		if formatted == command || exec.Command("bash", "-n", "-c", command).Run() != nil {
			continue
		}
		ran++
		if before, after := run(command), run(formatted); before != after {
			t.Errorf("%s\nis formatted as\n%s\nwhich prints\n%s\nfor\n%s", command, formatted, after, before)
		}
	}
	if ran < 10 {
		t.Errorf("only %d commands change", ran)
	}
}
