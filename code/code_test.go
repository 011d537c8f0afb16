package code_test

import (
	"errors"
	"go/format"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"uncoil/code"
	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/internal/engine/fault"
	"uncoil/request"
)

// TestTargets holds that targets can be found by all their names, which no two
// share.
func TestTargets(t *testing.T) {
	seen := make(map[string]bool)
	var names []string
	for _, target := range code.Targets() {
		names = append(names, target.Name)
		for _, name := range append([]string{target.Name}, target.Aliases...) {
			if seen[name] {
				t.Errorf("two targets are called %s", name)
			}
			seen[name] = true
			if found, ok := code.Lookup(strings.ToUpper(name)); !ok || found.Name != target.Name {
				t.Errorf("%s is %v, %v", name, found, ok)
			}
		}
		if target.Language == "" || target.Client == "" || target.Version == "" || target.Extension == "" || target.Kind == "" {
			t.Errorf("%s lacks something: %+v", target.Name, target)
		}
	}
	if !slices.IsSorted(names) {
		t.Errorf("the targets are not sorted: %q", names)
	}
	if _, ok := code.Lookup("cobol"); ok {
		t.Error("there is a target cobol")
	}
}

// TestOtherNames holds that the names which other converters have
// are taken, but for those of languages without a target and json, which is no
// program.
func TestOtherNames(t *testing.T) {
	const names = `ansible c clojure csharp c# browser dart elixir go golang har http httpie java java-httpurlconnection
		java-jsoup java-okhttp javascript javascript-axios javascript-fetch javascript-got javascript-ky javascript-jquery
		javascript-request javascript-superagent javascript-xhr julia kotlin lua node node-axios node-fetch node-got node-http
		node-ky node-jquery node-request node-superagent node-xhr nodejs nodejs-axios nodejs-fetch nodejs-got nodejs-http
		nodejs-ky nodejs-jquery nodejs-request nodejs-superagent nodejs-xhr objc objectivec objective-c ocaml perl php php-curl
		php-guzzle php-requests powershell powershell-restmethod powershell-webrequest python python-http python-httpclient r
		r-httr r-httr2 ruby ruby-httparty rust swift wget`
	for _, name := range append(strings.Fields(names), "ts", "typescript", "jquery", "python3", "bun", "deno") {
		if _, ok := code.Lookup(name); !ok {
			t.Errorf("there is no target %s", name)
		}
	}
	for _, name := range []string{"cfml", "matlab", "json"} {
		if target, ok := code.Lookup(name); ok {
			t.Errorf("%s is %s", name, target.Name)
		}
	}
}

func TestNearest(t *testing.T) {
	for name, want := range map[string]string{"pyton": "python", "Golnag": "golang", "rub": "ruby", "cobol": "", "vue": "", "jq": "", "cfml": "", "matlab": "",
		"webrequest": "powershell-webrequest", "urlsess": "urlsession", "java-jersey": "java", "typescipt": "typescript", "": "", strings.Repeat("x", 1000): ""} {
		if got := code.Nearest(name); got != want {
			t.Errorf("%q is like %q, want %q", name, got, want)
		}
	}
}

// TestGofmt holds that gofmt leaves the Go programs as they are.
func TestGofmt(t *testing.T) {
	target, _ := code.Lookup("go")
	more := []string{
		`curl "$U/a?b=$B" -u "u:$P$Q" -H "A: x$B" -d @f -d "a=$B"`,
		`curl "http://h.test/$A" -F "a=x$B" -F "c=y$B;type=t/p" -F "d=@f" --unix-socket "/tmp/$A" --cert "x$A" --key "y$A" -m 1 -k`,
		`curl http://h.test/ -m 2.5 --connect-timeout 1 -d b=1 -d a=2`,
	}
	for _, c := range append(commands(t), more...) {
		r, err := engine.Parse(c, engine.Input{})
		if err != nil {
			t.Fatal(c, err)
		}
		program, diags := target.Compose(nil, r.Requests, exactly)
		if diags.Err() != nil {
			continue
		}
		formatted, err := format.Source(program)
		if err != nil || string(formatted) != string(program) {
			t.Errorf("%s\n%s\nis formatted as\n%s\n%v", c, program, formatted, err)
		}
	}
}

// TestErrorNamesTargets holds that an error leads to a target without one.
func TestErrorNamesTargets(t *testing.T) {
	r, err := engine.Parse("curl --digest -u a:b http://h.test/", engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	target, _ := code.Lookup("rust")
	out, diags := target.Compose([]byte("x"), r.Requests, exactly)
	d := diags.Err()
	if string(out) != "x" || d == nil || d.Code != diag.CodeCannotExpress {
		t.Fatalf("%q, %v", out, diags)
	}
	_, list, _ := strings.Cut(d.Hint, ": ")
	for name := range strings.SplitSeq(list, ", ") {
		other, ok := code.Lookup(name)
		if !ok {
			t.Fatalf("%q is no target", name)
		}
		if _, diags := other.Compose(nil, r.Requests, exactly); diags.Err() != nil {
			t.Errorf("%s cannot either: %v", name, diags)
		}
	}
}

// TestPanicBecomesError holds that a target that is none gives an error.
func TestPanicBecomesError(t *testing.T) {
	out, diags := new(code.Target).Compose([]byte("x"), []request.Request{{Method: "GET", URL: "http://h/"}}, exactly)
	if d := diags.Err(); string(out) != "x" || d == nil || d.Code != diag.CodeInternal {
		t.Errorf("%q, %v", out, diags)
	}
}

// FuzzAppend holds that no command makes a target panic or write what is not
// UTF-8, and that an error leaves dst as it was.
func FuzzAppend(f *testing.F) {
	for _, c := range commands(f) {
		f.Add(c)
	}
	f.Add("curl -H $'A: \\xff' -d $'\\xfe\\x00' \"$U/\xc3?a=$B\" -u \"\\xe9:$P\"")
	f.Add("curl --digest -u :p h.test")
	f.Add("curl 0 -'X\xbc\"'")
	f.Add("curl 0 -H'\xab:'")  // the name of a field that R removes
	f.Add("curl 0 -H'\xf7:0'") // and of one that Hurl sends
	f.Fuzz(func(t *testing.T, command string) {
		r, err := engine.Parse(command, engine.Input{Limits: engine.Limits{Requests: 8}})
		if f := fault.Of(err); f != nil {
			t.Fatalf("a panic: %s\n%s", f.What, f.Stack)
		}
		if err != nil {
			return
		}
		for _, target := range code.Targets() {
			for _, o := range []code.Options{{}, {KeepVariables: true, Bare: true, Indent: "\t"}} {
				out, diags := target.Compose([]byte("x"), r.Requests, o)
				if d := diags.Err(); d != nil {
					if d.Code == diag.CodeInternal {
						f := fault.Of(d.Cause)
						t.Fatalf("%s: a panic: %s\n%s", target.Name, f.What, f.Stack)
					}
					if string(out) != "x" {
						t.Errorf("%s: an error leaves %q", target.Name, out)
					}
					continue
				}
				if !utf8.Valid(out) {
					t.Errorf("%s: no UTF-8: %q", target.Name, out)
				}
			}
		}
	})
}

// TestAppendError checks that a program that cannot be is an error, with warnings apart.
func TestAppendError(t *testing.T) {
	target, _ := code.Lookup("python-requests")
	for command, refused := range map[string]bool{"curl --request-target x https://h.test/": true, "curl https://h.test/ --interface e0": false} {
		r, err := engine.Parse(command, engine.Input{})
		if err != nil {
			t.Fatal(err)
		}
		out, warnings, err := target.Append([]byte("x"), r.Requests, code.Options{})
		var e *code.Error
		switch {
		case refused && (!errors.As(err, &e) || e.Diagnostics.Err() == nil || !strings.HasPrefix(err.Error(), "cannot-express: requests ") || string(out) != "x" || len(warnings) != 0),
			!refused && (err != nil || len(warnings) != 1 || warnings[0].Option != "--interface" || !strings.HasPrefix(string(out), "x")):
			t.Errorf("%s: got %q, %v, %v", command, out, warnings, err)
		}
	}
}
