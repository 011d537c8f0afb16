package code_test

import (
	"regexp"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/internal/engine"
)

// TestIdiomatic checks what programs in idiomatic style hold where a plain literal would
// be another value, or no program at all.
func TestIdiomatic(t *testing.T) {
	for _, c := range []struct{ target, command, want string }{
		{"elixir-req", `curl http://h.test/ --json '{"a":1e2,"b":-2E-3,"c":1.5e3,"d":100}'`, `json: %{"a" => 1.0e2, "b" => -2.0E-3, "c" => 1.5e3, "d" => 100}`},
		{"csharp", `curl http://h.test/ --json '{"a":"b"}'`, `"""{"a":"b"}"""`},
		{"csharp", "curl http://h.test/ --json '{\"a\":\"b\u2028c\"}'", `"{\"a\":\"b\u2028c\"}"`},
		{"csharp", "curl http://h.test/ --json '{\"a\":\"b\u0085c\"}'", `"{\"a\":\"b\u0085c\"}"`},
		{"csharp", "curl http://h.test/ --json '{\"a\":\"b\u202ec\"}'", `\u202e`},
		{"python-requests", `curl http://h.test/ --json '[` + strings.Repeat("9", 4300) + `]'`, "json=["},
		{"python-requests", `curl http://h.test/ --json '[` + strings.Repeat("9", 4301) + `]'`, "data="},
		{"perl", `curl http://h.test/ -d '=x'`, `'' => 'x'`},
		{"httpie", `curl http://h.test/ --json '{"a":"x\u0000y"}'`, `--raw='{"a":"x\u0000y"}'`},
		{"python-requests", `curl http://h.test/ --json "{\"a\":\"$A\",\"b\":[\"x $B\"]}"`, `"a": os.environ["A"], "b": [f"x {os.environ['B']}"]}`},
		{"python-requests", `curl http://h.test/ --json "{\"a\":$A}"`, `data=('{"a":' + os.environ["A"]`},
		{"python-requests", `curl http://h.test/ --json "{\"$A\":1}"`, `data=(`},
		{"python-requests", `curl http://h.test/ --json "{\"a\":\"${A:-x\\\\y}\"}"`, `data=(`},
		{"python-requests", `curl http://h.test/ --variable "V=$A" --expand-json '{"a":"{{V:json}}"}'`, `json={"a": os.environ["A"]}`},
		{"python-requests", "V=$(curl -s http://h.test/ | jq .a)\ncurl http://h.test/ --json \"{\\\"a\\\":\\\"$V\\\"}\"", `data=(`},
		{"php", `curl http://h.test/ --json "{\"a\":\"$(date +%s)\"}"`, `['a' => (string) $timestamp]`},
		{"kotlin", `curl http://h.test/ -H "A: $(date +%s)"`, `val timestamp = Instant.now().getEpochSecond().toString()`},
		{"kotlin", `curl http://h.test/ -H "A: x" -d "$(date +%s000)"`, `val timestamp = Instant.now().getEpochSecond().toString() + "000"`},
		{"httpie", `curl http://h.test/ --json "{\"a\":\"$A\"}"`, `--raw="{\"a\":\"$A\"}"`}, // a=@x names a file
		{"httpie", `curl http://h.test/ --json '{"\u0000a":1}'`, `--raw='{"\u0000a":1}'`},
	} {
		target, _ := code.Lookup(c.target)
		r, err := engine.Parse(c.command, engine.Input{})
		if err != nil {
			t.Fatal(err)
		}
		program, diags := target.Compose(nil, r.Requests, code.Options{})
		if !strings.Contains(string(program), c.want) || diags.Err() != nil {
			t.Errorf("%s: %s has no %s (%v):\n%s", c.target, c.command, c.want, diags, program)
		}
	}
}

// imported matches a line that makes one name of another module known, and the name.
var imported = regexp.MustCompile(`(?m)^\s*(?:import (?:static )?[\w.]*?\b(\w+);?|from [\w.]+ import (\w+)|import (\w+) from .*|import \{ (\w+) \} from .*|using [\w.]*?\b(\w+);|use [\w:\\]*?\b(\w+);)$`)

// TestNoUnusedImport holds that programs use what they import, as far as a line names it:
// packages whose names say nothing of what is in them are left to compilers.
func TestNoUnusedImport(t *testing.T) {
	names := 0
	for _, target := range code.Targets() {
		switch target.Language {
		case "java", "kotlin", "scala", "groovy", "python", "javascript", "typescript", "php", "rust":
		default:
			continue
		}
		for _, command := range commands(t) {
			r, err := engine.Parse(command, engine.Input{})
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range []code.Options{{}, exactly} {
				program, diags := target.Compose(nil, r.Requests, o)
				if diags.Err() != nil {
					continue
				}
				for _, found := range imported.FindAllStringSubmatch(string(program), -1) {
					name := strings.Join(found[1:], "")
					if name == "OrAnyStatus" {
						continue // a trait, used by its method
					}
					if names++; strings.Count(string(program), name) < 2 {
						t.Errorf("%s imports %s:\n%s", target.Name, name, program)
					}
				}
			}
		}
	}
	if names < 1000 {
		t.Errorf("only %d names are imported", names)
	}
}

// limiting matches the words with which clients speak of redirects and time limits.
var limiting = regexp.MustCompile(`(?i)redir|follow|time_?-?out|duration|max_?-?time|deadline`)

// lossLine matches the comment of an option that a program leaves out.
var lossLine = regexp.MustCompile(`.* is left out: .*`)

// TestUnaskedLimits holds that idiomatic programs leave redirects and time limits to their
// clients where the command says nothing of them; and that the words by which this is seen
// are those of the client, because a program has them where the command or the style asks.
func TestUnaskedLimits(t *testing.T) {
	const plain = "curl http://a.test/"
	for _, target := range code.Targets() {
		if target.Kind == code.KindFile { // which shows the settings of its tool
			continue
		}
		if program, _ := writeAs(t, target, plain, code.Options{}); limiting.MatchString(program) {
			t.Errorf("%s says what nobody asked for:\n%s", target.Name, program)
		}
		asked := ""
		for _, option := range []string{"", " -L", " --max-redirs 7 -L", " -m 9", " --connect-timeout 8"} {
			program, _ := writeAs(t, target, plain+option, code.Options{Style: code.StyleExact})
			asked += program
		}
		if !limiting.MatchString(lossLine.ReplaceAllString(asked, "")) {
			t.Errorf("%s has none of the words where they are asked for:\n%s", target.Name, asked)
		}
	}
	// These would take the fields along, wherever a redirect leads.
	for _, option := range []string{"-u a:b", "-b a=b", "-H 'Authorization: Bearer t'", "-H 'Host: h'"} {
		for _, name := range []string{"ruby-httparty", "lua"} {
			target, _ := code.Lookup(name)
			if program, _ := writeAs(t, target, plain+" "+option, code.Options{}); !strings.Contains(program, "redirect") {
				t.Errorf("%s follows redirects with %s:\n%s", name, option, program)
			}
		}
	}
}
