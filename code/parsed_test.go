package code_test

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/internal/engine"
	"uncoil/internal/proof/codeproof"
)

// grammars are the languages, as Tree-sitter names them, of the targets whose compiler or
// client cannot be fetched.
var grammars = map[string]string{
	"csharp": "csharp", "csharp-restsharp": "csharp", "dart": "dart", "dart-dio": "dart",
	"julia": "julia", "objc": "objc", "powershell": "powershell", "powershell-restmethod": "powershell", "swift": "swift",
}

// unread are what a grammar lacks of a language: ?? of PowerShell 7 and an escaped backtick,
// and in Swift a raw string in an interpolation of another one. Tree-sitter's grammar of
// PowerShell is none for commands, since it has no word such as --tlsv1.3, and that of cmd.exe
// none for ^".
var unread = map[string]*regexp.Regexp{
	"powershell": regexp.MustCompile(" \\?\\? |``"),
	"swift":      regexp.MustCompile(`(?m)#".*\\#\(.*#".*"#.*"#`),
}

// TestParsed has Tree-sitter's grammars read the programs for all commands, in both styles
// and as functions. With -short it is a tenth of the commands.
func TestParsed(t *testing.T) {
	python := codeproof.Judges("pypi", "grammars", "bin", "python")
	if err := exec.Command(python, "-c", "import tree_sitter").Run(); err != nil {
		t.Skip("tools/judges/install.sh installs the grammars")
	}
	commands := fileCommands(t)
	for name, language := range grammars {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			target, _ := code.Lookup(name)
			dir, list, programs := t.TempDir(), "", make(map[string]string)
			for i, command := range commands {
				if testing.Short() && i%10 > 0 {
					continue
				}
				r, err := engine.Parse(command, engine.Input{})
				if err != nil {
					continue
				}
				for style, o := range map[string]code.Options{"idiomatic": {}, "exact": exactly, "function": {Function: code.AutoFunction}} {
					program, diags := target.Compose(nil, r.Requests, o)
					lacks := unread[language]
					if diags.Err() != nil || style == "function" && !target.Functions || lacks != nil && lacks.Match(program) {
						continue
					}
					path := saveSource(t, dir, style+strconv.Itoa(i), string(program))
					programs[path] = string(program)
					list += language + " " + path + "\n"
				}
			}
			if len(programs) < 100 {
				t.Fatalf("%d programs", len(programs))
			}
			out, err := exec.Command(python, filepath.Join("testdata", "parse.py"), saveSource(t, dir, "list", list)).CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			t.Logf("%d programs", len(programs))
			for line := range strings.Lines(string(out)) {
				path, fault, _ := strings.Cut(strings.TrimSpace(line), " ")
				t.Errorf("line %s\n%s", fault, programs[path])
			}
		})
	}
}
