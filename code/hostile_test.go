package code_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	yaml "github.com/oasdiff/yaml3"
	"mvdan.cc/sh/v3/syntax"

	"uncoil/code"
	"uncoil/internal/edge/api"
	"uncoil/internal/engine"
	"uncoil/internal/engine/source/quote"
)

// canary is what the author of a command would have run. It is no identifier, not even in
// HCL, whose names may have a hyphen, so that no name of a member or an argument stands
// outside of quotes because of it.
const canary = "CN~RY"

// breakouts are what ends a literal, a comment or a line in some language, or begins
// code within a literal.
var breakouts = []string{"\n", "\r", "\r\n", "\u2028", "\u2029", "\u0085", "\v", "\f", `\u000a`, `\x0a`, "\t", "\x00", "\x1b",
	"'", `"`, "`", "''", `""`, "'''", `"""`, `\'`, `\"`, `\`, `\\`, `\'''`, "‘", "’", "“", "”",
	"${", "$(", "#{", "#@", "#$", "@{", "%{", "{{", "{%", "{#", "${{", "{", "}", `\(`, `\#(`, "$x", "@x", "%x%", "!x!",
	"?>", "*/", "*)", "-}", "=#", "#>", "-->", "]]>", "]]", "]=]", "|}", ")", ")\"", ")--\"", `"#`, `"##`, "~", "|", "/", ">", "]", ");", "';", `";`, "\n'@", "\n\"@",
	"\nEOF\n", "\n```\n", "\n###\n", "\n\n", "\n}\n", "\n---\n", " # ", "# ", "// ", "-- ", "/*", "(*", "<!--", "&", "&&", ";", "<", "> ", "%", "^", "\u202e", "\u2066", "\ufeff", "\xff", "\xc3"}

// positions are commands with a value, %s, in all places from which a target takes text.
var positions = []string{
	`curl -u %s http://h.test/`, `curl -u "$HOME"%s http://h.test/`, `curl -u a:%s http://h.test/`, `curl -u "$HOME"%s --digest http://h.test/`, `curl -u %s:b --digest http://h.test/`,
	`curl -u "$HOME"%s --aws-sigv4 aws:amz:r:s http://h.test/`, `curl --oauth2-bearer %s http://h.test/`,
	`curl -F f=%s http://h.test/`, `curl -F %s=f http://h.test/`, `curl -F f=@%s http://h.test/`, `curl -F f=@%s"$HOME" http://h.test/`, `curl -F "f=@$HOME;filename="%s http://h.test/`,
	`curl -F "f=@$HOME;filename="%s"$HOME" http://h.test/`, `curl -F 'f=<'%s"$HOME" http://h.test/`, `curl -F 'f=x;type='%s http://h.test/`, `curl -F 'f=x;headers="A: '%s'"' http://h.test/`, `curl -F 'f=@-;filename='%s http://h.test/`,
	`curl -z "$HOME"%s http://h.test/`, `curl -H %s http://h.test/`, `curl -H 'A: '%s http://h.test/`, `curl -H %s': a' http://h.test/`, `curl -H %s';' http://h.test/`, `curl -H "A: $HOME"%s http://h.test/`, `curl -H 'Authorization: '%s http://h.test/`,
	`curl -A %s http://h.test/`, `curl -e %s http://h.test/`, `curl -b a=%s http://h.test/`, `curl -b %s http://h.test/`, `curl -c %s http://h.test/`, `curl -r %s http://h.test/`,
	`curl -X %s http://h.test/`, `curl --request-target %s http://h.test/`, `curl -g http://h.test/%s`, `curl -g http://h.test/?%s`, `curl -g http://h.test/#%s`, `curl -g http://u:%s@h.test/`, `curl -g http://%s.test/`, `curl -g http://h.test/"$HOME"%s`, `curl -g -L http://h.test/?a=%s`,
	`curl -d %s http://h.test/`, `curl -d a=%s http://h.test/`, `curl -d "$HOME"%s http://h.test/`, `curl --data-urlencode a=%s http://h.test/`, `curl --data-urlencode %s=a http://h.test/`, `curl --data-urlencode a@%s http://h.test/`, `curl -d @%s http://h.test/`, `curl --data-binary @%s http://h.test/`,
	`curl -T %s http://h.test/`, `curl -G -d %s http://h.test/`, `curl --url-query a=%s http://h.test/`, `curl --json '{"a":"JSON"}' http://h.test/`, `curl --json '{"JSON":1}' http://h.test/`, `curl --json '["JSON",{"a":[1,"JSON"]}]' -X PUT http://h.test/`, `curl --json "{\"a\":\"$HOME\",\"b\":\"JSON\"}" http://h.test/`,
	`curl -o %s http://h.test/`, `curl --create-dirs -o "$HOME"%s http://h.test/`, `curl --output-dir %s -o a http://h.test/`, `curl -O http://h.test/%s`, `curl -E %s -k https://h.test/`, `curl --key %s --cert c https://h.test/`, `curl --cacert %s https://h.test/`, `curl --capath %s https://h.test/`,
	`curl -x http://p --noproxy %s http://h.test/`, `curl -x http://p -U %s http://h.test/`, `curl -x %s http://h.test/`, `curl -x http://u:%s@p http://h.test/`, `curl --proxy-header %s -x http://p http://h.test/`, `curl --unix-socket %s http://h.test/`, `curl --resolve h.test:80:%s http://h.test/`, `curl --connect-to h.test:80:%s:81 http://h.test/`,
	`curl -x "http://p:1"%s"$HOME" http://h.test/`, `curl --socks5 p:%s"$HOME" -U "$HOME" http://h.test/`, `curl -g http://h.test:8%s"$HOME"/`, `curl --json "{\"a\":\"JSON$HOME JSON\"}" http://h.test/`,
	`S=$(printf '%%s' "$HOME"%s | openssl md5 -hmac %s"$HOME" | sed 's/.* //'); curl http://h.test/ -H "A: $S" -H "B: $(echo "$HOME"%s | base64)" -H "C: $(printf %s"%%s" "$HOME" | sha256sum | cut -d' ' -f1)"`,
	`curl --interface %s http://h.test/`, `curl --dns-servers %s http://h.test/`, `curl --ciphers %s https://h.test/`, `curl --pinnedpubkey %s https://h.test/`, `curl --haproxy-clientip %s http://h.test/`, `curl -D %s http://h.test/`, `curl -w %s http://h.test/`, `curl --proto %s http://h.test/`,
	`curl "${X:-"%s"}" -H "B: ${Y:-"%s"}" http://h.test/`, `curl http://h.test/ -d "$(echo "%s")"`, `curl http://a.localhost/ -u "$X"%s`, `curl --netrc-file %s http://h.test/`, `curl --etag-compare %s http://h.test/`, `curl -H @%s http://h.test/`, `curl --variable x=%s --expand-data '{{x}}' http://h.test/`, `curl -K %s http://h.test/`,
	`T=$(curl http://h.test/ | jq -r '.["'%s'"].id'); curl http://h.test/ -H "A: $T"`, `curl http://h.test/ -d "$(curl http://h.test/ | jq '.["'%s'"]')$(curl http://h.test/x)"`,
	`T=$(cat %s); curl http://h.test/ -H "A: $T$(date -u +%%Y%s)" -d "$(date +%%s)"`, `curl http://h.test/ -H "A: $(date +%s%%s)$(printf %s)$(gcloud %s)"`,
}

// command returns the command of a position with a value.
func hostileCommand(position, value string) string {
	if strings.Contains(position, "JSON") {
		text, _ := json.Marshal(value)
		text = text[1 : len(text)-1]
		escaped := strings.ReplaceAll(string(text), "'", `'\''`)
		if strings.Contains(position, `\"`) {
			escaped = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(string(text))
		}
		return strings.ReplaceAll(position, "JSON", escaped)
	}
	text := strings.ReplaceAll(position, "%%", "\x00")
	text = strings.ReplaceAll(text, "%s", string(quote.AppendWord(nil, value, quote.POSIX)))
	return strings.ReplaceAll(text, "\x00", "%")
}

// TestHostileValues holds that each breakout, in each position, stays data in the
// programs of all targets.
func TestHostileValues(t *testing.T) {
	parallel(t)
	for i, breakout := range breakouts {
		for j, position := range positions {
			if every := 47; (i+j)%every != 0 || testing.Short() && (i+j)%(3*every) != 0 {
				continue // FuzzHostile does the others
			}
			checkHostile(t, position, "a"+breakout+canary+breakout+"b")
			checkHostile(t, position, breakout+canary)
		}
	}
}

// FuzzHostile is TestHostileValues for any value.
func FuzzHostile(f *testing.F) {
	for i, breakout := range breakouts {
		if testing.Short() && i%4 > 0 {
			continue
		}
		f.Add(uint(i), breakout, breakout)
		f.Add(uint(i*7), "a"+breakout, "")
	}
	f.Fuzz(func(t *testing.T, position uint, before, after string) {
		checkHostile(t, positions[position%uint(len(positions))], before+canary+after)
	})
}

// checkHostile holds that the value stays data in the programs for a command. It runs
// through the result, as users do, so that comments have places.
func checkHostile(t *testing.T, position, value string) {
	t.Helper()
	command := hostileCommand(position, value)
	r, err := engine.Parse(command, engine.Input{Limits: engine.Limits{Requests: 8}})
	if err != nil {
		return
	}
	for _, target := range code.Targets() {
		for _, o := range []code.Options{{}, {MoveSecrets: true}, {Placeholders: code.PlaceholdersVariables}, {KeepVariables: true}, {Bare: true, KeepVariables: true},
			{Function: code.AutoFunction, DecodeJSON: true, CheckStatus: true}, {Function: code.AutoFunction}, {Switches: []string{"commonJs"}}, {Switches: []string{"csharp7"}}, {Switches: []string{"csharp7"}, Function: code.AutoFunction}} {
			if o.Bare && target.Kind == code.KindCode {
				continue // no whole program, which a lexer could read
			}
			want := api.Want{As: api.AsCode, Target: target.Name, Options: o, Plain: true}
			program, _, err := api.Append(nil, r, &want)
			if err != nil {
				continue
			}
			if err := heldAsData(target, command, string(program), len(r.Requests)); err != nil {
				t.Errorf("%s: %v\ncommand: %q\n%s", target.Name, err, command, program)
			}
		}
	}
}

// heldAsData returns an error where the canary stands in a program as more than data.
func heldAsData(target code.Target, command, program string, requests int) error {
	name := target.Language
	switch {
	case target.Name == "objc":
		name = "objective-c"
	case name == "typescript":
		name = "javascript" // whose literals it has
	case target.Name == "curl-powershell", target.Name == "curl-cmd", target.Name == "curl-batch", target.Name == "curl-fish", target.Name == "curl-config":
		return nil // TestCurlAgain reads these again
	case target.Name == "curl", target.Kind == code.KindCommand:
		return onlyWords(command, program)
	case name == "json":
		return onlyJSON(program)
	case name == "yaml":
		return onlyYAML(target, command, program)
	case name == "xml":
		return onlyXML(program)
	case target.Name == "http":
		return onlyHTTPFile(program, requests)
	case target.Name == "hurl":
		return onlyHurl(program)
	case target.Name == "raw-http":
		return nil // a message has no code
	case target.Name == "bruno":
		return onlyBruno(program)
	}
	lexicon := lexicons[name]
	if lexicon == nil {
		return fmt.Errorf("there is no lexicon for %s", name)
	}
	outside, err := lexicon.outside(program)
	if err != nil {
		return err
	}
	if strings.Contains(outside, canary) {
		return fmt.Errorf("the canary is code")
	}
	if strings.ContainsFunc(program, func(r rune) bool { return unicode.Is(unicode.Bidi_Control, r) }) && !strings.Contains(program, "${") {
		return fmt.Errorf("a character turns the text")
	}
	return nil
}

var backquoted = regexp.MustCompile("`[^`]*`")

// onlyWords reads a script of a shell, in which the canary is part of words that are no
// commands.
func onlyWords(command, program string) error {
	parser := syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.KeepComments(true))
	file, err := parser.Parse(strings.NewReader(program), "")
	if err != nil {
		// bash reads what stands between backquotes when it comes to that. What the
		// command has there is the author's, whether bash will take it or not.
		program = backquoted.ReplaceAllStringFunc(program, func(s string) string {
			if strings.Contains(command, s) {
				return "`:`"
			}
			return s
		})
		file, err = parser.Parse(strings.NewReader(program), "")
	}
	if err != nil {
		return err
	}
	printed := func(n syntax.Node) string {
		start, end := n.Pos().Offset(), n.End().Offset()
		return program[start:end]
	}
	assigned := map[syntax.Node]bool{} // what a variable is assigned, in which words are looked at
	syntax.Walk(file, func(n syntax.Node) bool {
		var code string
		switch n := n.(type) {
		case *syntax.Comment:
			code = printed(n)
		case *syntax.CallExpr:
			if len(n.Args) > 0 {
				code = printed(n.Args[0])
			}
			for _, a := range n.Assigns {
				code += printed(a.Name)
				if a.Value != nil && len(a.Value.Parts) == 1 {
					assigned[a.Value.Parts[0]] = true
				}
			}
		case *syntax.CmdSubst, *syntax.ProcSubst, *syntax.ArithmExp:
			// What the command computes is computed when it is written again.
			if strings.Contains(command, printed(n)) {
				return false
			}
			if !strings.HasPrefix(printed(n), "$(printenv ") && !assigned[n] {
				code = printed(n)
			}
		}
		if strings.Contains(code, canary) && err == nil {
			err = fmt.Errorf("the canary is a command or a comment: %q", code)
		}
		return true
	})
	return err
}

func onlyJSON(program string) error {
	if !json.Valid([]byte(program)) {
		return errors.New("not JSON")
	}
	return nil
}

// onlyYAML reads YAML. What GitHub runs is a script of bash, in which its expressions
// are not the author's; what Ansible templates holds no canary but in quotes.
func onlyYAML(target code.Target, command, program string) error {
	var document yaml.Node
	decoder := yaml.NewDecoder(strings.NewReader(program))
	if err := decoder.Decode(&document); err != nil {
		return err
	}
	if err := decoder.Decode(new(yaml.Node)); err != io.EOF {
		return fmt.Errorf("more than one document: %v", err)
	}
	return eachScalar(&document, "", func(key string, n *yaml.Node) error {
		switch {
		case target.Name == "github-actions" && key == "run":
			return onlyWords(command, strings.ReplaceAll(n.Value, "${{ '${{' }}", "${{")) // as GitHub does before
		case target.Name == "github-actions" && strings.Contains(inExpressions(n.Value, "${{", "}}"), canary):
			return errors.New("the canary is in an expression")
		case target.Name == "ansible" && n.Tag != "!unsafe":
			return onlyJinja(n.Value)
		}
		return nil
	})
}

// lookedUp is the term of a lookup, which Ansible templates again.
var lookedUp = regexp.MustCompile(`lookup\('file', '((?:\\.|[^'\\])*)'`)

// onlyJinja reads a template, in which the canary is text or part of a literal.
func onlyJinja(template string) error {
	for {
		i := strings.IndexByte(template, '{')
		if i < 0 || i+1 == len(template) {
			return nil
		}
		switch template[i+1] {
		case '%', '#':
			return fmt.Errorf("a statement or a comment begins: %.40q", template[i:])
		case '{':
			var code strings.Builder
			whole := template[i+2:]
			rest, err := lexicons["jinja"].code(&code, whole, '}')
			if err != nil || !strings.HasPrefix(rest, "}") || strings.Contains(code.String(), canary) {
				return fmt.Errorf("the canary is in an expression: %.40q, %v", whole, err)
			}
			for _, term := range lookedUp.FindAllStringSubmatch(whole[:len(whole)-len(rest)], -1) {
				if strings.Contains(term[1], "{{") || strings.Contains(term[1], "{%") || strings.Contains(term[1], "{#") {
					return fmt.Errorf("a lookup templates its term again: %q", term[1])
				}
			}
			template = rest[1:]
		default:
			template = template[i+1:]
		}
	}
}

func eachScalar(n *yaml.Node, key string, check func(key string, n *yaml.Node) error) error {
	if n.Kind == yaml.ScalarNode {
		return check(key, n)
	}
	for i, one := range n.Content {
		if n.Kind == yaml.MappingNode {
			if i%2 == 0 {
				continue // neither tool evaluates keys
			}
			key = n.Content[i-1].Value
		}
		if err := eachScalar(one, key, check); err != nil {
			return err
		}
	}
	return nil
}

// inExpressions returns what of a text stands between two marks.
func inExpressions(s, open, end string) string {
	var b strings.Builder
	for {
		_, rest, found := strings.Cut(s, open)
		if !found {
			return b.String()
		}
		inner, rest, _ := strings.Cut(rest, end)
		b.WriteString(open + inner + end)
		s = rest
	}
}

// jmeterData are what JMeter evaluates without doing anything: an escape, a character, a
// variable, and a property with a default value of text.
var jmeterData = regexp.MustCompile(`\$\{__P\(\w+,(\\.|\$\{__char\(\d+\)\}|\$[^{]|[^,(){}$\\])*\)\}|\\.|\$\{__char\(\d+\)\}|\$\{\w+\}`)

// onlyXML reads a plan of JMeter, in which ${ begins a function or a variable.
func onlyXML(program string) error {
	decoder := xml.NewDecoder(strings.NewReader(program))
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		texts := []string{}
		switch token := token.(type) {
		case xml.StartElement:
			for _, a := range token.Attr {
				texts = append(texts, a.Value)
			}
		case xml.CharData:
			texts = append(texts, string(token))
		case xml.Comment:
			if strings.Contains(string(token), canary) {
				return errors.New("the canary is in a comment")
			}
		}
		for _, s := range texts {
			// A blank stands for what was data, so that "$" and "{" at its sides do not join.
			if strings.Contains(s, canary) && strings.Contains(jmeterData.ReplaceAllString(s, " "), "${") {
				return fmt.Errorf("JMeter evaluates %q", s)
			}
		}
	}
}

// httpVariable is a variable of an .http file as the target declares it.
var httpVariable = regexp.MustCompile(`^@\w+ = \{\{\$processEnv \w+\}\}$`)

// onlyHTTPFile holds that an .http file has no more requests than the command, and no
// script.
func onlyHTTPFile(program string, requests int) error {
	separators, most := 0, max(requests, 1)-1
	if strings.HasPrefix(program, "@") {
		most++ // after the variables
	}
	for line := range strings.FieldsFuncSeq(program, func(r rune) bool { return r == '\n' || r == '\r' }) {
		switch trimmed := strings.TrimSpace(line); {
		case strings.HasPrefix(trimmed, "###"):
			separators++
		case strings.HasPrefix(trimmed, "{{") && !strings.Contains(trimmed, "}}"), strings.HasPrefix(trimmed, "> "), strings.HasPrefix(line, "@") && !httpVariable.MatchString(line):
			return fmt.Errorf("a script begins: %q", line)
		case strings.HasPrefix(trimmed, "#") && strings.Contains(trimmed, canary):
			return fmt.Errorf("the canary is in a comment")
		}
	}
	if separators > most {
		return fmt.Errorf("%d separators for %d requests", separators, requests)
	}
	return nil
}

// onlyHurl holds that no line of a Hurl file outside of strings begins with the canary.
func onlyHurl(program string) error {
	l := &lexicon{line: []string{"\n# "}, quotes: []quotes{{open: "\n```\n", close: "```", lines: true}, {open: "\n`", close: "`", escape: '\\', lines: true}}}
	outside, err := l.outside("\n" + program)
	if err != nil {
		return err
	}
	for line := range strings.Lines(outside) {
		if strings.HasPrefix(strings.TrimSpace(line), canary) && !strings.Contains(line, ":") || strings.HasPrefix(line, "#") && strings.Contains(line, canary) {
			return fmt.Errorf("the canary begins a line: %q", line)
		}
	}
	return nil
}

// onlyBruno holds that no line at the first level begins with the canary, and that no
// block of a script exists.
func onlyBruno(program string) error {
	for line := range strings.Lines(program) {
		if strings.HasPrefix(line, canary) || strings.HasPrefix(line, "script") || strings.HasPrefix(line, "tests") {
			return fmt.Errorf("a block begins: %q", line)
		}
	}
	return nil
}

// TestPhrases holds that nothing converts to a phrase but a constant, the name of a client,
// and what emit.NameOr has looked at: so no comment has other text of a command.
func TestPhrases(t *testing.T) {
	files, err := filepath.Glob("internal/*/*.go")
	if err != nil || len(files) < 50 {
		t.Fatal(files, err)
	}
	converted := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 {
				return true
			}
			to := ""
			switch fun := call.Fun.(type) {
			case *ast.Ident:
				to = fun.Name
			case *ast.SelectorExpr:
				if x, ok := fun.X.(*ast.Ident); ok && x.Name == "emit" {
					to = fun.Sel.Name
				}
			}
			if to != "Phrase" && to != "Place" {
				return true
			}
			converted++
			if _, constant := call.Args[0].(*ast.BasicLit); constant && to == "Phrase" {
				return true
			}
			if where := set.Position(call.Pos()); where.Filename != "internal/plan/note.go" && where.Filename != "internal/emit/comment.go" {
				t.Errorf("%v: a comment takes text that is not a constant", where)
			}
			return true
		})
	}
	if converted < 2 {
		t.Errorf("%d conversions were found; does the type have another name?", converted)
	}
}

// TestHostileRuns runs programs for hostile commands where their languages are
// installed. What they try to do is make a file.
func TestHostileRuns(t *testing.T) {
	parallel(t)
	if testing.Short() {
		t.Skip("it starts interpreters several hundred times")
	}
	const url = " http://127.0.0.1:9/"
	for _, l := range []struct{ target, interpreter, file, run string }{
		{"python-requests", "python3", "p.py", `__import__("os").system("touch made")`},
		{"python-urllib", "python3", "p.py", `__import__("os").system("touch made")`},
		{"php", "php", "p.php", `system("touch made");`},
		{"ruby", "ruby", "p.rb", `system("touch made")`},
		{"perl", "perl", "p.pl", `system("touch made");`},
		{"lua", "lua5.3", "p.lua", `os.execute("touch made")`},
		{"node-http", "node", "p.mjs", `(await import("child_process")).execSync("touch made")`},
		{"javascript-fetch", "node", "p.mjs", `(await import("child_process")).execSync("touch made")`},
		{"wget", "bash", "p.sh", `touch made`},
		{"curl", "bash", "p.sh", `touch made`},
	} {
		t.Run(l.target, func(t *testing.T) {
			interpreter, err := exec.LookPath(l.interpreter)
			if err != nil {
				if os.Getenv("UNCOIL_REQUIRE_RUNTIMES") != "" && l.interpreter != "lua5.3" {
					t.Fatal(err)
				}
				t.Skip(err)
			}
			ran := 0
			for i, breakout := range []string{"\n", "\r", "\u2028", "'\n", "\"\n", "?>\n<?php ", "*/\n", "`", "$(", "#{", "${", ")\n", "']\n"} {
				value := "a" + breakout + l.run + breakout
				for j, position := range []string{`curl -u "$HOME"%s`, `curl -F "f=@$HOME;filename="%s"$HOME"`, `curl -z "$HOME"%s`, `curl -d %s`, `curl --request-target %s`, `curl -H 'A: '%s`,
					`curl -x http://127.0.0.1:9 --noproxy %s`, `curl -F 'f=<'%s"$HOME"`, `curl -b %s`, `curl -X %s`} {
					if (i+j)%3 != 0 {
						continue // each breakout and each position has its turn
					}
					r, err := engine.Parse(hostileCommand(position, value)+url, engine.Input{})
					if err != nil {
						continue
					}
					want := api.Want{As: api.AsCode, Target: l.target, Plain: true}
					program, _, err := api.Append(nil, r, &want)
					if err != nil {
						continue
					}
					dir := t.TempDir()
					if err := os.WriteFile(filepath.Join(dir, l.file), program, 0o600); err != nil {
						t.Fatal(err)
					}
					c := exec.CommandContext(t.Context(), interpreter, l.file)
					c.Dir, c.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}
					_ = c.Run() // nothing listens there, so that most programs fail
					ran++
					if _, err := os.Stat(filepath.Join(dir, "made")); err == nil {
						t.Errorf("executed:\n%s", program)
					}
				}
			}
			if ran < 10 {
				t.Errorf("%d programs ran", ran)
			}
		})
	}
}
