package code_test

import (
	"regexp"
	"strings"
	"testing"

	"uncoil/code"
)

// scoped are the languages of which no compiler reads the programs here, with what declares a
// name in them.
var scoped = map[string]*regexp.Regexp{
	"swift":  regexp.MustCompile(`^(?:let|var) (?:\((\w+), (\w+)\)|(\w+))`),
	"kotlin": regexp.MustCompile(`^(?:val|var) (\w+)`),
	"dart":   regexp.MustCompile(`^(?:(?:late )?(?:final|var)) (\w+) =`),
	"csharp": regexp.MustCompile(`^(?:using |await using )?var (\w+) =`),
}

// TestNamesOnce checks that a program declares no name twice in one block, for commands that
// ask for several things at once.
func TestNamesOnce(t *testing.T) {
	parts := []string{"", "-m 30", "--connect-timeout 5 -m 30", "-k", "--cacert ca.pem", "-L", "-x http://p.test:1", "-o out", "-f", "-u a:b", "--retry 2", "-c jar", "-i"}
	contents := []string{"", "-d a=1", "--data-binary @a", "-T a", "-F 'a=@f' -F b=c", `-d '{"a":1}' -H 'Content-Type: application/json'`, "-d @-"}
	all := commands(t)
	for i, one := range parts {
		for j, content := range contents {
			other := parts[(i+j+1)%len(parts)]
			all = append(all, "curl "+one+" "+other+" "+content+" https://h.test/p", "curl "+one+" "+content+" https://h.test/p --next "+other+" "+content+" https://h.test/q")
		}
	}
	found := 0
	for _, target := range code.Targets() {
		declares := scoped[target.Language]
		if declares == nil {
			continue
		}
		for _, command := range all {
			program, _ := write(t, target, command)
			names, twice := namesTwice(program, declares)
			if found += names; twice != "" {
				t.Errorf("%s of %s declares %s twice:\n%s", target.Name, command, twice, program)
			}
		}
	}
	if found < 1000 {
		t.Errorf("only %d names were found", found)
	}
}

// namesTwice counts the names that a program declares, and returns one that a block declares
// twice. A block is what is between lines that end with an opening bracket and those that
// begin with a closing one.
func namesTwice(program string, declares *regexp.Regexp) (n int, twice string) {
	scopes := []map[string]bool{{}}
	for line := range strings.Lines(program) {
		line = strings.TrimSpace(line)
		if line != "" && strings.ContainsRune("})]", rune(line[0])) && len(scopes) > 1 {
			scopes = scopes[:len(scopes)-1]
		}
		if match := declares.FindStringSubmatch(line); match != nil {
			for _, name := range match[1:] {
				if name == "" || name == "_" {
					continue
				}
				n++
				if scopes[len(scopes)-1][name] {
					twice = name
				}
				scopes[len(scopes)-1][name] = true
			}
		}
		if line != "" && strings.ContainsRune("{([", rune(line[len(line)-1])) || strings.HasSuffix(line, "->") || strings.HasSuffix(line, " in") {
			scopes = append(scopes, map[string]bool{})
		}
	}
	return n, twice
}

// TestStatusOnLine checks that what prints the status among other text reads no variable of
// the environment for it.
func TestStatusOnLine(t *testing.T) {
	reads := regexp.MustCompile(`(?i)\benv\b|environ|getenv`)
	for _, target := range code.Targets() {
		if target.Kind != "code" {
			continue
		}
		without, _ := write(t, target, "curl http://h.test/")
		with, _ := write(t, target, "curl http://h.test/ -w '(%{http_code})'")
		if len(reads.FindAllString(with, -1)) > len(reads.FindAllString(without, -1)) {
			t.Errorf("%s reads the status from the environment:\n%s", target.Name, with)
		}
	}
}
