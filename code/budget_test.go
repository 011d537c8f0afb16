package code_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/diag"
	"uncoil/internal/edge/api"
	"uncoil/internal/engine"
	"uncoil/internal/engine/meter"
	"uncoil/request"
)

// each returns a format with the numbers from 0 on, up to n bytes.
func each(format string, n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// costly are commands of some n bytes for which programs take much.
var costly = map[string]func(n int) string{
	"globs of fields":    func(n int) string { return "curl 'h.test/[1-300]'" + each(" -H 'F%d: v'", n/8) },
	"globs of JSON":      func(n int) string { return "curl 'h.test/[1-90]' --json '[" + strings.Repeat("0,", n/4) + "0]'" },
	"globs of members":   func(n int) string { return "curl 'h.test/[1-90]' --json '{" + each(`"m%d":"a",`, n/8) + `"z":1}'` },
	"globs of variables": func(n int) string { return "curl 'h.test/[1-90]' -d \"" + each("$A%d ", n/16) + "\"" },
	"globs of text":      func(n int) string { return "curl 'h.test/[1-90]' -d '" + strings.Repeat("text ", n/10) + "'" },
	"globs of parts":     func(n int) string { return "curl 'h.test/[1-90]'" + each(" -F p%d=v", n/16) },
	"URLs":               func(n int) string { return "curl" + each(" h.test/%d", min(n, 2000)) },
	"commands":           func(n int) string { return strings.Repeat("curl h.test -d x\n", min(n, 14_000)/17) },
	"fields":             func(n int) string { return "curl h.test" + each(" -H \"F%d: $A\"", n) },
	"variables":          func(n int) string { return "curl h.test -d \"" + each("$A%d,", n) + "\"" },
	"defaults":           func(n int) string { return "curl h.test -d \"" + each("${A%d:-b},", n) + "\"" },
	"user":               func(n int) string { return "curl h.test -u \"" + each("$A%d", n) + ":p\"" },
	"query":              func(n int) string { return "curl \"h.test/?" + each("q%d=$A&", n) + "\"" },
	"cookies":            func(n int) string { return "curl h.test -b '" + each("c%d=v; ", n) + "'" },
	"form":               func(n int) string { return "curl h.test" + each(" -d f%d=v", n) },
	"parts":              func(n int) string { return "curl h.test" + each(" -F 'p%d=v;type=a/b'", n) },
	"files":              func(n int) string { return "curl h.test" + strings.Repeat(" -F \"p=@$A\"", n/11) },
	"JSON":               func(n int) string { return "curl h.test --json '[" + strings.Repeat("1,", n/2) + "1]'" },
	"JSON of variables":  func(n int) string { return "curl h.test --json \"[" + each(`\"$A%d\",`, n) + "1]\"" },
	"hashes": func(n int) string {
		return "curl h.test" + each(" -H \"F: $(printf %%s \"$A%d$B\" | openssl md5 -hmac \"$K\" | sed 's/.* //')\"", n/4)
	},
	"outputs":             func(n int) string { return "curl h.test" + each(" -H \"F%[1]d: $(vault read a%[1]d)\"", n) },
	"globs of outputs":    func(n int) string { return "curl 'h.test/[1-90]' -d \"" + each("$(vault read a%d),", n/16) + "\"" },
	"outputs of one name": func(n int) string { return "curl h.test -d \"" + each("$(a %d)", n) + "\"" },
	"secrets of outputs":  func(n int) string { return "curl h.test -d \"" + each("a=$(v --token x%d)&", n) + "\"" },
	"secret defaults":     func(n int) string { return "curl h.test -d \"" + each("token=${A%d:-hunter2Zq}&", n) + "\"" },
	"fields of outputs":   func(n int) string { return "curl h.test" + each(" -H \"A: $(c %d)\"", n) },
	"insecure commands": func(n int) string {
		return strings.Repeat("curl -k https://h.test --connect-timeout 1 -A ''\n", min(n, 14_000)/50)
	},
	"strings":      func(n int) string { return "curl h.test --json '[" + strings.Repeat(`"\\n\"",`, n/8) + "1]'" },
	"placeholders": func(n int) string { return "curl h.test" + each("/:p%d", n) },
	"quotes":       func(n int) string { return "curl h.test --data-raw '" + strings.Repeat(`"\`, n/2) + "'" },
	"lines":        func(n int) string { return "curl h.test --data-raw '" + strings.Repeat("a\n", n/2) + "'" },
	"bytes":        func(n int) string { return "curl h.test --data-binary $'" + strings.Repeat(`\xfe`, n/4) + "'" },
	"options": func(n int) string {
		return "curl 'h.test/[1-900]' -x p --ciphers a --tlsv1.3 -k -L -m 1 --retry 2 -c j"
	},
}

// garbage is how much more than it was paid for may be allocated, because it is
// garbage at once, and hints is what the hint of an error may take.
const garbage, hints = 4, 6 << 20

// placeholdersOf returns what becomes of the placeholders of a costly command.
func placeholdersOf(name string) code.Placeholders {
	if name == "placeholders" {
		return code.PlaceholdersVariables
	}
	return code.PlaceholdersUsual
}

// TestProgramsArePaid holds for each target that what a program takes is paid for,
// so that a short command cannot take more memory than the limits of its
// conversion let it. Long commands are for one target in four without -prove, and others
// for the next kind of command.
func TestProgramsArePaid(t *testing.T) {
	if testing.Short() {
		t.Skip("it writes some thousand programs")
	}
	dst := make([]byte, 0, 17<<20)
	for i, name := range slices.Sorted(maps.Keys(costly)) {
		command := costly[name]
		for _, size := range []int{2000, 60_000} {
			src := command(size)
			limits := meter.LimitsFor(len(src), meter.Limits{})
			for k, target := range code.Targets() {
				if size > 2000 && !*prove && (i+k)%4 > 0 {
					continue
				}
				watch := new(meter.Watch)
				var err error
				took := allocated(func() {
					r := api.Request{Curl: src, Want: api.Want{Target: target.Name, Options: code.Options{MoveSecrets: strings.HasPrefix(name, "secret"), Placeholders: placeholdersOf(name)}}, Input: engine.Input{Watch: watch}}
					_, _, err = r.Answer(dst, api.AsCode)
				})
				if took > garbage*watch.Paid()+hints {
					t.Errorf("%s of %d bytes, %s: %d bytes are allocated, and %d paid for", name, len(src), target.Name, took, watch.Paid())
				}
				if watch.Bytes() > limits.Bytes || err == nil && watch.Work() > limits.Work {
					t.Errorf("%s of %d bytes, %s: %d bytes and %d steps", name, len(src), target.Name, watch.Bytes(), watch.Work())
				}
			}
		}
	}
}

// TestProgramsEnd holds that a program ends when its conversion is stopped, when it
// is longer than an answer may be, and when it would cost too much, and that dst
// comes back as it was.
func TestProgramsEnd(t *testing.T) {
	r, err := engine.Parse(costly["globs of fields"](4000), engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	stopped := new(meter.Watch)
	stopped.Stop()
	for _, target := range code.Targets() {
		for _, c := range []struct {
			name  string
			meter *meter.Meter
			most  int
			code  diag.Code
		}{
			{"stopped", meter.New(0, meter.Limits{}, stopped), 0, diag.CodeTooMuchWork},
			{"long", meter.New(0, meter.Limits{Bytes: 1 << 30, Work: 1 << 40}, nil), 3000, diag.CodeTooLarge},
			{"large", meter.New(0, meter.Limits{Bytes: 100_000, Work: 1 << 40}, nil), 0, diag.CodeTooLarge},
			{"slow", meter.New(0, meter.Limits{Bytes: 1 << 30, Work: 100_000}, nil), 0, diag.CodeTooMuchWork},
		} {
			var out []byte
			var diags diag.List
			took := allocated(func() {
				var p code.Program
				p, diags = target.WriteMetered([]byte("before"), r.Requests, code.Options{Style: code.StyleExact, DropNoise: true}, c.meter, c.most)
				out = p.Code
			})
			if string(out) != "before" || diags.Err() == nil {
				t.Errorf("%s, %s: %d bytes and %v", target.Name, c.name, len(out), diags)
				continue
			}
			if got := diags.Err().Code; got != c.code && got != diag.CodeCannotExpress {
				t.Errorf("%s, %s: %s", target.Name, c.name, got)
			}
			if _, paid := c.meter.Spent(); took > garbage*paid+hints {
				t.Errorf("%s, %s: %d bytes are allocated, and %d paid for", target.Name, c.name, took, paid)
			}
		}
	}
}

// TestHintIsBounded holds that an error whose hint would take too long to find stays
// the error that it is.
func TestHintIsBounded(t *testing.T) {
	r, err := engine.Parse("curl --request-target '*' 'h.test/[1-900]' -d '"+strings.Repeat("x", 4000)+"'", engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	target, _ := code.Lookup("python-requests")
	m := meter.New(0, meter.Limits{Bytes: 1 << 30, Work: 1 << 40}, nil)
	_, diags := target.WriteMetered(nil, r.Requests, exactly, m, 0)
	if d := diags.Err(); d == nil || d.Code != diag.CodeCannotExpress || d.Hint == "" {
		t.Fatalf("%v", diags.Err())
	}
	if work, _ := m.Spent(); work > 32<<20 {
		t.Errorf("an error takes %d steps", work)
	}
}

// TestLongJSONIsText holds that JSON with more values than anybody edits in a program
// stays text, so that it takes no list of nodes.
func TestLongJSONIsText(t *testing.T) {
	target, _ := code.Lookup("node-got")
	for values, want := range map[int]string{32_000: "json: [", 33_000: "body:", 500_000: "body:"} {
		data := "[" + strings.Repeat("0,", values-2) + "0]"
		body := &request.Body{Kind: request.KindJSON, Data: data}
		fields := []request.Field{{Name: "Content-Type", Value: "application/json", Origin: request.OriginImplied, From: "--json"}}
		out, diags := target.Compose(nil, []request.Request{{Method: "POST", URL: "http://h.test/", Fields: fields, Body: body}}, exactly)
		if diags.Err() != nil || !strings.Contains(string(out), want) {
			t.Errorf("%d values: %v, %.300s", values, diags.Err(), out)
		}
	}
}

// TestManyVariables holds that eight times as many variables allocate about eight times
// as much in every target, with room for lists that grow by doubling.
func TestManyVariables(t *testing.T) {
	var results [2]*engine.Result
	for i, n := range [...]int{700, 5600} {
		var err error
		if results[i], err = engine.Parse("curl h.test -d \""+each("$A%d ", n)+"\"", engine.Input{}); err != nil {
			t.Fatal(err)
		}
	}
	for _, target := range code.Targets() {
		var took [2]int64
		for i, r := range results {
			code.ForgetPrograms()
			took[i] = allocated(func() { target.Compose(nil, r.Requests, exactly) })
		}
		if took[1] > 16*took[0] {
			t.Errorf("%s allocates %d bytes, and for eight times as many variables %d", target.Name, took[0], took[1])
		}
	}
}
