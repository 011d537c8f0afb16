package code_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"uncoil"
	"uncoil/code"
)

var (
	csharpUsing       = regexp.MustCompile(`(?m)^using [\w.]+;\n`)
	csharpDeclaration = regexp.MustCompile(`(?m)^using (var \w+ = )`)
)

// TestRestSharpCompiles has the compiler of mono read the programs, with the API
// of RestSharp. It is of C# 7, which has neither statements outside of a class nor
// declarations with using.
func TestRestSharpCompiles(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts a compiler")
	}
	compiler, err := exec.LookPath("mcs")
	if err != nil {
		t.Skip(err)
	}
	target, _ := code.Lookup("csharp-restsharp")
	var b strings.Builder
	for _, name := range []string{"System", "System.Collections.Generic", "System.IO", "System.Linq", "System.Net", "System.Net.Http", "System.Text", "System.Text.Json", "System.Threading.Tasks", "RestSharp", "RestSharp.Authenticators"} {
		b.WriteString("using " + name + ";\n")
	}
	n := 0
	for i, command := range fileCommands(t) {
		r, err := uncoil.Parse(command, uncoil.Input{})
		if err != nil {
			continue
		}
		program, diags := target.Append(nil, r.Requests, code.Options{})
		if diags.Err() != nil {
			continue
		}
		n++
		statements := csharpDeclaration.ReplaceAllString(csharpUsing.ReplaceAllString(string(program), ""), "$1")
		fmt.Fprintf(&b, "class P%d {\nstatic async Task M() {\n%s\n}\n}\n", i, statements)
	}
	b.WriteString("class Program { static void Main() { } }\n")
	file := filepath.Join(t.TempDir(), "programs.cs")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(compiler, "-r:System.Net.Http.dll", "-out:"+file+".exe", file, filepath.Join("testdata", "restsharp.cs")).CombinedOutput()
	if err != nil || strings.Contains(string(out), "never used") {
		t.Errorf("%d programs: %v\n%s", n, err, out[:min(len(out), 4000)])
	}
	t.Logf("%d programs", n)
}

// TestRestSharp checks what RestSharp has methods for, and what it would send
// otherwise.
func TestRestSharp(t *testing.T) {
	target, _ := code.Lookup("csharp-restsharp")
	for command, want := range map[string]string{
		"curl https://h.test/ -A x":                                              `UserAgent = "x"`,
		"curl https://h.test/ -A ''":                                             "UserAgent = null",
		"curl -u a:b https://h.test/ --compressed":                               "{\n    Authenticator = new HttpBasicAuthenticator(\"a\", \"b\"),\n    FollowRedirects = false\n}",
		"curl https://h.test/ -H 'X-A: 1' -H 'x-a: 2'":                           `request.AddHeader("X-A", "1, 2");`,
		"curl https://h.test/ -d a=b%20c":                                        `request.AddParameter("a", "b c");`,
		"curl https://h.test/ -X DELETE -d a=b":                                  `request.AddStringBody("a=b", "application/x-www-form-urlencoded");`,
		"curl https://h.test/ -d x -H 'Content-Type: a/b;c'":                     "request.AddBody(Encoding.UTF8.GetBytes(\"x\"), ContentType.Binary);\nrequest.AddHeader(\"Content-Type\", \"a/b;c\");",
		"curl https://h.test/ -F f=@a.png -F g=@d/b.jpg":                         "request.AddFile(\"f\", \"a.png\", \"image/png\");\nrequest.AddFile(\"g\", \"d/b.jpg\", \"image/jpeg\");",
		"curl https://h.test/ -F f=@a.png -F a=b":                                `request.AddBody(body.ToArray(), "multipart/form-data; boundary=uncoil");`,
		"curl https://h.test/ -d x -H 'Content-Type: text/plain; charset=utf-8'": "{\n    AutomaticDecompression = DecompressionMethods.None,\n    FollowRedirects = false\n}",
		"curl https://h.test/ -L --max-redirs -1 --http2":                        "MaxRedirects = int.MaxValue",
	} {
		if program, diags := write(t, target, command); !strings.Contains(program, want) || diags != "" {
			t.Errorf("%s has no %s, or warns (%q):\n%s", command, want, diags, program)
		}
	}
	for _, command := range []string{
		"curl https://h.test/ -X PURGE", "curl https://h.test/ -H Accept:", "curl https://h.test/ -T f", "curl --path-as-is https://h.test/a/../b", "curl https://h.test/ -H 'Content-Language: de'",
		"curl https://h.test/ -H 'X-A: é'", "curl https://h.test/ --retry 2",
	} {
		if program, diags := write(t, target, command); !strings.Contains(diags, "cannot-express") {
			t.Errorf("%s is written without a word:\n%s", command, program)
		}
	}
}
