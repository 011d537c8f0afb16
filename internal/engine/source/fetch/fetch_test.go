package fetch_test

import (
	"fmt"
	"strings"
	"testing"

	"uncoil/diag"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/fetch"
	"uncoil/internal/proof/shelltest"
)

// TestIs holds which texts are calls of fetch.
func TestIs(t *testing.T) {
	for src, want := range map[string]bool{
		`fetch("http://h.test/", {"headers": {}});`: true, "\nawait fetch('h')": true, "const r = await fetch(\n  `h`": true, "window.fetch(url)": true, "// a\nfetch(u)": true,
		"const a = {}; let b\nfetch(a)": true, "const a = 'fetch(b)' // fetch(c)": false, "var a = `x": false, "const {a} = b; fetch(a)": false,
		`curl 'h?fetch("a")'`: false, "fetch h": false, "": false, "fetch()": false, "fetch () { curl h; }": false, "fetched('a')": false, "const x = 1": false, "x = fetch('a')": false,
	} {
		if got := fetch.Is(src); got != want {
			t.Errorf("Is(%q) is %t", src, got)
		}
	}
}

// TestContent holds what JavaScript makes of contents.
func TestContent(t *testing.T) {
	for src, want := range map[string]string{
		`JSON.stringify({b: 1, 10: 2, 9: 3, b: 4, "-1": 5, "01": 6})`:           `{"9":3,"10":2,"b":4,"-1":5,"01":6}`,
		`JSON.stringify([1.0, 1e21, 1e20, 1e-6, 1e-7, -0, .5, 0xff, 1_000])`:    `[1,1e+21,100000000000000000000,0.000001,1e-7,0,0.5,255,1000]`,
		`JSON.stringify("\b\f\n\r\t\v\0\x7f\"\\/")`:                             `"\b\f\n\r\t\u000b\u0000` + "\x7f" + `\"\\/"`,
		`JSON.stringify({a: [], b: {}, c: [1, {d: 2}], e: undefined}, null, 2)`: "{\n  \"a\": [],\n  \"b\": {},\n  \"c\": [\n    1,\n    {\n      \"d\": 2\n    }\n  ]\n}",
		`JSON.stringify([1], null, "--")`:                                       "[\n--1\n]",
		`JSON.stringify(null)`:                                                  "null",
		`"a" + 1 + true + null`:                                                 "a1truenull",
		`new URLSearchParams("?a=b+c&&d=%c3%a9&e~*").toString()`:                "a=b+c&d=%C3%A9&e%7E*=",
		`encodeURIComponent("a b'(é)/~")`:                                       "a%20b'(%C3%A9)%2F~",
		`btoa("\xff\xfe")`:                                                      "//4=",
		"`a\r\nb\\\nc`":                                                         "a\nbc",
		`"\ud83d\ude00\u{41}\q"`:                                                "😀Aq",
		`12`:                                                                    "12",
	} {
		m := meter.New(0, meter.Limits{}, nil)
		commands, diags := fetch.Read(`fetch("http://h/", {method: "PATCH", body: `+src+`})`, m)
		if len(commands) != 1 {
			t.Errorf("%s: %v", src, diags)
			continue
		}
		got := ""
		for i, a := range commands[0].Args {
			if a.Text == "--data-raw" {
				got = commands[0].Args[i+1].Text
			}
		}
		if got != want {
			t.Errorf("%s:\n got %q\nwant %q", src, got, want)
		}
	}
}

// TestBindings holds what the names of a text stand for.
func TestBindings(t *testing.T) {
	for src, want := range map[string]string{
		"const a = 'x', b = 1;\nlet c = {b, a}\nfetch('http://h/' + a, {method: 'PUT', body: JSON.stringify(c)})":                                       `--url http://h/x --request PUT --header Content-Type: text/plain;charset=UTF-8 --data-raw {"b":1,"a":"x"} --location`,
		"var a = 'h'; fetch(`http://${a}/${1 + 'x'}`, {redirect: 'manual'})":                                                                            `--url http://h/1x`,
		"const h = new Headers(); h.append('A', 1); h.append('a', 2); h.set('B', 3); h.set('b', 4); fetch('http://h/', {headers: h})":                   `--url http://h/ --header A: 1, 2 --header B: 4 --location`,
		"const q = new URLSearchParams('a=1&b=2&a=3'); q.append('c', 4); q.set('a', 5)\nfetch('http://h/?' + q.toString())":                             `--url http://h/?a=5&b=2&c=4 --location`,
		"const f = new FormData(); f.append('a', 'x\\n'); f.append('b', 2); f.append('a', 3); fetch('http://h/', {method: 'POST', body: f})":            "--url http://h/ --form-string a=x\r\n --form-string b=2 --form-string a=3 --location",
		"const h = {A: '1'}, i = new Headers(h), o = {headers: i}; i.set('A', '2'); fetch('http://h/', {headers: h}); fetch('http://i/', {headers: i})": "--url http://h/ --header A: 1 --location | --url http://i/ --header A: 2 --location",
		"const a = 1; fetch('http://h/').then(r => r.json()); const c = await d()":                                                                      "--url http://h/ --location",

		"const a = b(); fetch(a)":          "10 not-data",
		"const a = 'b', a = 'c'; fetch(a)": "15 invalid-fetch",
		"const f = new FormData(); f.append('a', b.files[0]); fetch('http://h/', {body: f})": "40 not-data",
		"const f = new FormData(); f.append('a', '1', 'n'); fetch('http://h/', {body: f})":   "26 not-data",
		"const f = new FormData(); fetch('http://h/', {method: 'POST', body: f})":            "62 invalid-fetch",
		"const a = 'b'; a.append('c', 'd'); fetch('http://h/')":                              "15 not-data",
		"const a = 'b'; a = 'c'; fetch('http://h/')":                                         "15 not-data",
		"fetch(`http://${a}/`)":                                                        "16 not-data",
		"const f = 1; " + strings.Repeat("[", 70) + "; fetch(f)":                       "13 not-data",
		nested(70) + "fetch('http://h/', {method: 'POST', body: JSON.stringify(a70)})": "1159 nested-too-deep",
		"const f = new FormData(); f.append('a', 'b'); fetch('http://h/', {headers: {'Content-Type': 'multipart/form-data'}, method: 'POST', body: f})": "132 invalid-fetch",
	} {
		m := meter.New(0, meter.Limits{}, nil)
		commands, diags := fetch.Read(src, m)
		var all []string
		for _, c := range commands {
			line := ""
			for _, a := range c.Args[1:] {
				line += " " + a.Text
			}
			all = append(all, line[1:])
		}
		got := strings.Join(all, " | ")
		if d := diags.Err(); d != nil {
			got = fmt.Sprint(d.Span.Start, " ", d.Code)
		}
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", src, got, want)
		}
	}
}

// nested returns declarations of values, each of which is in the next one.
func nested(n int) string {
	var b strings.Builder
	b.WriteString("const a0 = 1\n")
	for i := range n {
		fmt.Fprintf(&b, "const a%d = [a%d]\n", i+1, i)
	}
	return b.String()
}

// FuzzRead checks that any text is read within its limits, and that an error
// leaves a place.
func FuzzRead(f *testing.F) {
	for _, src := range []string{
		`await fetch("https://h.test/a b?c#d", {method: 'post', headers: {"A": 1, b: "c"}, body: JSON.stringify({a: [1, "\u00e9", null]}, null, 2), credentials: "include"}).then(r => r.json());`,
		"const r = fetch(`http://h`, {headers: new Headers([['a', btoa('b')]]), referrer: 'https://h/x', cache: 'no-store', redirect: 'error'})\nconsole.log(1)",
		`fetch("http://h", {method: "PUT", body: new URLSearchParams({a: -1.5e3}).toString() + encodeURIComponent("é")}); ; fetch(x)`, "fetch(/* a */ (", "const a = {b: [1]}, c = new FormData(); c.append('d', `${a}e`); c.set('d', 2)\nfetch('http://h', {method: 'PUT', body: c, a})", `fetch('\x4`, "fetch(`#://`)", `fetch("#a://b")`,
	} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		fetch.Is(src)
		m := meter.New(len(src), meter.Limits{}, nil)
		commands, diags := fetch.Read(src, m)
		shelltest.CheckBounds(t, src, commands, diags)
		if diags.Err() == nil && len(commands) == 0 {
			t.Error("no command, and no error")
		}
		if d := diags.Err(); d != nil && d.Code == diag.CodeNotCurl {
			t.Errorf("the error is %v", d)
		}
	})
}
