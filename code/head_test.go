package code_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/internal/engine"
)

// importLine is a line that makes names known to a program, with the last of them.
var importLine = regexp.MustCompile(`^(?:import .*|from .*|using [\w.]+;|use .*;|require .*|local .*require.*|open [A-Z].*|#include .*|#import .*?)\b(\w+)\W*$`)

// TestBareImports checks that a bare program comes with its imports: those of the whole
// program that are not among them are of no use to it.
func TestBareImports(t *testing.T) {
	for _, target := range code.Targets() {
		if target.Kind != code.KindCode {
			continue
		}
		imported := 0
		for _, style := range []code.Style{code.StyleIdiomatic, code.StyleExact} {
			for _, c := range commandFiles(t) {
				r, err := engine.Parse(strings.TrimSuffix(string(c.Data), "\n"), engine.Input{})
				if err != nil {
					t.Fatal(c.Name, err)
				}
				whole, _, err := target.Write(r.Requests, code.Options{Style: style})
				if err != nil {
					continue
				}
				bare, _, err := target.Write(r.Requests, code.Options{Style: style, Bare: true})
				if err != nil {
					t.Errorf("%s: %s: %v", target.Name, c.Name, err)
					continue
				}
				if whole.Imports != "" {
					t.Errorf("%s: %s: a whole program has imports beside it: %s", target.Name, c.Name, whole.Imports)
				}
				imported += len(bare.Imports)
				for line := range strings.Lines(string(whole.Code)) {
					m := importLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
					if m == nil || strings.Contains(bare.Imports, m[1]) {
						continue
					}
					if regexp.MustCompile(`\b` + m[1] + `\b`).Match(bare.Code) {
						t.Errorf("%s: %s: the bare program uses %s:\n%s\nand has the imports\n%s", target.Name, c.Name, m[1], bare.Code, bare.Imports)
					}
				}
			}
		}
		if without := []string{"php", "powershell", "powershell-restmethod", "browser-fetch", "javascript-fetch", "typescript"}; imported == 0 && !slices.Contains(without, target.Name) {
			t.Errorf("%s: no bare program has imports", target.Name)
		}
	}
}

// TestBareAtMargin checks that a bare program begins at the margin, so that somebody can
// put it where they want it.
func TestBareAtMargin(t *testing.T) {
	for _, target := range code.Targets() {
		r, err := engine.Parse(`curl -H 'A: b' -d '{"a":1}' https://h.test/`, engine.Input{})
		if err != nil {
			t.Fatal(err)
		}
		p, _, err := target.Write(r.Requests, code.Options{Bare: true})
		if target.Kind != code.KindCode || err != nil {
			continue
		}
		for line := range strings.Lines(string(p.Code)) {
			if !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "\t") {
				continue
			}
			if line == strings.SplitAfter(string(p.Code), "\n")[0] {
				t.Errorf("%s begins with a blank:\n%s", target.Name, p.Code)
			}
		}
	}
}

func TestDependencies(t *testing.T) {
	const socks = `curl -x socks5://p.test:1 https://h.test/`
	const form = `curl -F a=@f https://h.test/`
	const jars = "curl -c jar https://h.test/a\ncurl -b jar https://h.test/b"
	const token = `T=$(curl https://h.test/t | jq -r .t)` + "\n" + `curl -H "A: $T" https://h.test/`
	for _, c := range []struct {
		target, command string
		want            []string // the file and the line of each
	}{
		{"python-requests", `curl https://h.test/`, []string{"requirements.txt: requests>=2.28"}},
		{"python-requests", socks, []string{"requirements.txt: requests[socks]>=2.28"}},
		{"python-urllib", `curl https://h.test/`, nil},
		{"javascript-fetch", `curl https://h.test/`, nil},
		{"javascript-fetch", `curl -k https://h.test/`, []string{`package.json: "undici": "^6.0.0"`}},
		{"node-got", jars, []string{`package.json: "got": "^14.0.0"`, `package.json: "tough-cookie": "^5.0.0"`}},
		{"javascript-fetch", jars, []string{`package.json: "got": "^14.0.0"`, `package.json: "tough-cookie": "^5.0.0"`}}, // which stands in for it
		{"ruby", jars, []string{`Gemfile: gem "http-cookie", "~> 1.0"`}},
		{"rust", form, []string{`Cargo.toml: reqwest = { version = "0.12", features = ["blocking", "multipart"] }`}},
		{"rust-ureq", `curl https://h.test/`, []string{`Cargo.toml: ureq = "2"`}},
		{"go", form, nil},
		{"go-resty", form, []string{"go.mod: require github.com/go-resty/resty/v2 v2.17.0"}},
		{"java", token, []string{`build.gradle: implementation "com.fasterxml.jackson.core:jackson-databind:2.15.0"`}},
		{"java-okhttp", jars, []string{`build.gradle: implementation "com.squareup.okhttp3:okhttp:3.13.0"`,
			`build.gradle: implementation "com.squareup.okhttp3:okhttp-urlconnection:3.13.0"`}},
		{"perl", `curl http://h.test/`, []string{`cpanfile: requires "LWP::UserAgent", "6.68";`}},
		{"perl", `curl https://h.test/`, []string{`cpanfile: requires "LWP::UserAgent", "6.68";`, `cpanfile: requires "LWP::Protocol::https", "6.10";`}},
		{"csharp-restsharp", `curl https://h.test/`, []string{`*.csproj: <PackageReference Include="RestSharp" Version="112.0.0" />`}},
		{"postman", `curl https://h.test/`, nil},
	} {
		target, _ := code.Lookup(c.target)
		r, err := engine.Parse(c.command, engine.Input{})
		if err != nil {
			t.Fatal(err)
		}
		p, _, err := target.Write(r.Requests, code.Options{})
		if err != nil {
			t.Fatalf("%s: %s: %v", c.target, c.command, err)
		}
		var got []string
		for _, d := range p.Dependencies {
			got = append(got, d.File+": "+d.Line)
			if !strings.Contains(d.Line, d.Name) || !strings.Contains(d.Line, d.Version) {
				t.Errorf("%s: %q does not name %s %s", c.target, d.Line, d.Name, d.Version)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %s needs\n%q\nwant\n%q", c.target, c.command, got, c.want)
		}
	}
}

// ofOthers finds imports of what is no part of a language. Those that a dependency brings
// with it are named in brings.
var ofOthers = map[string]*regexp.Regexp{
	"javascript": regexp.MustCompile(`(?m)^import .* from "([^":]+)";`),
	"go":         regexp.MustCompile(`(?m)^\t"([^"/]+\.[^"]+)"$`),
	"python":     regexp.MustCompile(`(?m)^(?:import|from) (requests|httpx|aiohttp|urllib3|yarl|pycurl)\b`),
	"java":       regexp.MustCompile(`(?m)^import ((?:com|org|okhttp3)\.[\w.]+);`),
	"ruby":       regexp.MustCompile(`(?m)^require '(faraday|httparty|http/cookie)`),
	"php":        regexp.MustCompile(`(?m)^use (\w+)\\`),
	"rust":       regexp.MustCompile(`(?m)\b(reqwest|ureq)::`),
}

var brings = map[string][]string{
	"urllib3": {"requests", "locust"}, "requests": {"locust"}, "yarl": {"aiohttp"}, "http/cookie": {"http-cookie"}, "GuzzleHttp": {"guzzlehttp/guzzle"},
	"Symfony": {"symfony/http-client"}, "Illuminate": {"laravel/framework"},
}

// TestDependenciesOfImports checks that each import of what is no part of the language has
// a dependency.
func TestDependenciesOfImports(t *testing.T) {
	found := map[string]bool{}
	for _, target := range code.Targets() {
		others := ofOthers[target.Language]
		if others == nil || target.Name == "k6" { // whose modules are its own
			continue
		}
		for _, c := range commandFiles(t) {
			r, err := engine.Parse(strings.TrimSuffix(string(c.Data), "\n"), engine.Input{})
			if err != nil {
				t.Fatal(c.Name, err)
			}
			p, _, err := target.Write(r.Requests, code.Options{Style: code.StyleExact})
			if err != nil {
				continue
			}
			for _, m := range others.FindAllStringSubmatch(string(p.Code), -1) {
				name := m[1]
				head, _, _ := strings.Cut(strings.ReplaceAll(name, "okhttp3", "okhttp"), ".")
				if !slices.ContainsFunc(p.Dependencies, func(d code.Dependency) bool {
					return strings.Contains(d.Name, head) || strings.Contains(name, d.Name) || slices.Contains(brings[name], d.Name)
				}) {
					t.Errorf("%s: %s imports %s, and needs %v", target.Name, c.Name, m[1], p.Dependencies)
				}
				found[target.Language] = true
			}
		}
	}
	for language := range ofOthers {
		if !found[language] {
			t.Errorf("no program for %s imports what is no part of it", language)
		}
	}
}
