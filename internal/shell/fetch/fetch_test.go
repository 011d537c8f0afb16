package fetch_test

import (
	"testing"

	"uncoil/diag"
	"uncoil/internal/meter"
	"uncoil/internal/shell/fetch"
	"uncoil/internal/shell/shelltest"
)

// TestIs holds which texts are calls of fetch.
func TestIs(t *testing.T) {
	for src, want := range map[string]bool{
		`fetch("http://h.test/", {"headers": {}});`: true, "\nawait fetch('h')": true, "const r = await fetch(\n  `h`": true, "window.fetch(url)": true, "// a\nfetch(u)": true,
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

// FuzzRead checks that any text is read within its limits, and that an error
// leaves a place.
func FuzzRead(f *testing.F) {
	for _, src := range []string{
		`await fetch("https://h.test/a b?c#d", {method: 'post', headers: {"A": 1, b: "c"}, body: JSON.stringify({a: [1, "\u00e9", null]}, null, 2), credentials: "include"}).then(r => r.json());`,
		"const r = fetch(`http://h`, {headers: new Headers([['a', btoa('b')]]), referrer: 'https://h/x', cache: 'no-store', redirect: 'error'})\nconsole.log(1)",
		`fetch("http://h", {method: "PUT", body: new URLSearchParams({a: -1.5e3}).toString() + encodeURIComponent("é")}); ; fetch(x)`, "fetch(/* a */ (", `fetch('\x4`,
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
