package source_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"uncoil/diag"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source"
	"uncoil/internal/engine/source/word"
	_ "uncoil/readers"
)

// A syntax is the set of pieces that texts of one shell are made of.
type syntax struct {
	dialect source.Dialect
	frames  [][2]string // what stands before and after what is repeated
	pieces  []string    // %d is a number of its own for each repetition
	nests   [][2]string // what opens and what closes
}

var syntaxes = []syntax{
	{
		dialect: source.Cmd,
		frames: [][2]string{
			{"curl h ", ""}, {"", "\ncurl h"}, {"set A=xy\nset B=%A%%A%\ncurl ", ""}, {"curl \"", "\""}, {"curl ^\"", "^\""}, {"curl \"", ""}, {"curl ^\"", ""},
			{"curl.exe -d ^\"", "^\" x"}, {"C:\\x>curl ", " & curl h"}, {"(curl ", ")"}, {"set A=\"", "\"\ncurl %A%"},
		},
		pieces: []string{
			"a", " ", "\t", "\"", "\"\"", "\"a\" ", "\\", "\\\"", "\\\\\"", "^", "^^", "^\"", "^ ", "^\n", "^\n\n", "^\r\n", "\"^\n\"", "\"^\n\n\"", "\r", "\r\n", "\n",
			"^\\^\"", "^\\^[", "^\\^\\", "%A%", "%B%", "%C%", "%", "%%", "%a", "%41", "^%^41", "&", "&&", "|", "||", "curl h & ", "curl h | ", "(", ")", "()", "<", ">", "2>a ",
			">&1 ", "<a ", "@", ",", ";", "=", ":x\n", "rem x\n", "::\n", "@echo off\n", "set A=b\n", "set A%d=b\n", "set A=%%A%%b\n", "set B=%%A%%\n", "C:\\a>", "C:\\", "\u00a0", "```", "```\n",
			"é", "\xff", "\"a", "\"^a\" ", "-H \"A: b\" ", "a^&b ", "\"a\\\"&\" ", "!A!", "%A%\\\"", "\"{\"\"a\"\":1}\" ",
		},
	},
	{
		dialect: source.PowerShell,
		frames: [][2]string{
			{"curl.exe h ", ""}, {"", "\ncurl h"}, {"irm h ", ""}, {"$A='xy'\n$T=@{a='b';c='d'}\nirm h -Body ", ""}, {"irm h -Body \"", "\""}, {"irm h -Body '", "'"}, {"irm h -Body \"", ""},
			{"irm h -Headers @{", "}"}, {"irm h -Method Post -Form @{", "}"}, {"irm h -Method Post -Body @{", "}"}, {"$a = ", "\nirm h -Body $a"}, {"irm h -Body (", ")"}, {"irm h -Body @(", ")"},
			{"$a=@'\n", "\n'@\ncurl $a"}, {"$a=@\"\n", "\n\"@\ncurl $a"}, {"curl.exe --% ", ""}, {"$s=New-Object X.WebRequestSession\n", "\nirm h -WebSession $s"}, {"$h=@{}\n", "\nirm h -Headers $h"},
			{"$c=New-Object PSCredential(", ")\nirm h -Credential $c"}, {"try { ", " } catch {}"}, {"$T=@{Uri='h'}\nirm ", ""},
		},
		pieces: []string{
			"a", " ", "'a' ", "'a',", "''", "\"a\" ", "\"\"", "'", "\"", "`", "``", "`\n", "` ", "`n", "`u{41}", "\n", ";", "|", "||", "& ", "&", ",", "+", "+'a'", "+$A", "$A", "$B", "${A}", "${", "$", "$(",
			"$(a)", "$($A)", "$([char]65)", "$([char]0xd83d)", "$([char]", "$env:X", "$A.b", "$A.b(", "$A['b']", "$A[", "$T.a", "(", ")", "()", "{", "}", "[", "]", "[a]", "[a]::b", "[a]::new(", "[PSCredential]::new('a','b')",
			"@{", "@{}", "@{a='b'}", "a='b';", "a%d='b';", "'a'=$A;", "a=Get-Item b;", "@(", "@'\n", "'@\n", "@\"\n", "\"@\n", "@'\nx\n'@", "@T ", "@A ", "<# a #>", "<#", "#", "# a\n", "> a ", "2>&1 ", ">", "--% ",
			"-Uri a ", "-Uri:a ", "-Uri:$A ", "-zzz ", "-Body a ", "-Body $A ", "-Headers $T ", "-Headers @{a=$A} ", "-SslProtocol a ", "-a ", "–a ", "-", "irm h\n", "irm h -Headers $T\n", "curl.exe h\n", "curl.exe @T\n",
			"$A=$A+'b'\n", "$A+='b'\n", "$a%d='b'\n", "$T+=@{a='b'}\n", "$T.a%d='b'\n", "$T.Add('a%d','b')\n", "$h.Add('a%d','b')\n", "$h['a%d']='b'\n", "$h.x=$h\n", "$s.Cookies.Add((New-Object System.Net.Cookie('a%d','b')))\n",
			"$s.Headers.Add('a%d','b')\n", "$s.UserAgent='a'\n", "New-Object ", "New-Object X(", "New-Object -TypeName X -ArgumentList 'a','b' ", "New-Object PSCredential('a',$A)\n", "$c=New-Object PSCredential($A,$B)\n", "Get-Content a ",
			"ConvertTo-SecureString 'a' -AsPlainText -Force\n", "if (", "try {", "foreach ($x in $y) {", "PS C:\\> ", "PS>", ">> ", "```", "```\n", "“a” ", "’a ", "”a b“ ", "„a ", "‘", "\u00a0", "\u3000", "é", "\xff", "\\\"", "'{\\\"a\\\":1}' ", "-f 'a' ", "a.b", "a:b",
		},
		nests: [][2]string{{"(", ")"}, {"@(", ")"}, {"@{a=", "}"}, {"$(", ")"}, {"\"$(", ")\""}, {"{", "}"}, {"[", "]"}, {"(New-Object X(", "))"}, {"$A[", "]"}, {"[a]::new(", ")"}, {"<#", "#>"}, {"$a.b(", ")"}, {"@{a=@(", ")}"}},
	},
}

func init() {
	const head, tail = `{"method":"POST","url":"http://h/"`, "}"
	syntaxes = append(syntaxes, syntax{
		dialect: source.HAR,
		frames: [][2]string{
			{head + `,"headers":[`, `{"name":"a","value":"b"}]` + tail}, {`{"log":{"entries":[`, `{"request":{"method":"GET","url":"h"}}]}}`}, {head + `,"cookies":[`, `{"name":"a","value":"b"}]` + tail},
			{head + `,"queryString":[`, `{"name":"a","value":"b"}]` + tail}, {head + `,"postData":{"mimeType":"multipart/form-data","params":[`, `{"name":"a","value":"b"}]}` + tail},
			{head + `,"postData":{"params":[`, `{"name":"a","value":"b"}]}` + tail}, {head + `,"postData":{"text":"`, `"}` + tail}, {head + `,"postData":{"encoding":"base64","text":"`, `"}` + tail},
			{`{"method":"GET","url":"`, `"}`}, {head + `,"x":`, tail}, {"{", `"log":{"entries":[]}}`}, {"", ""},
		},
		pieces: []string{
			"a", " ", `\n`, `\u00e9`, `\u0000`, `\ud800`, `\`, `"`, "é", "\xff", "{", "[", "}", "]", ",", ":", "1,", "null,", "{},", "[],", `"a",`, `"a":1,`, `"log":{},`, "AAAA", "{{a}}", "/..", "%%2e/",
			`{"name":"a","value":"b"},`, `{"name":"a%d","value":"b"},`, `{"name":"cookie","value":"a=b"},`, `{"name":"content-length","value":"7"},`, `{"name":"a","value":"é"},`, `{"name":"","value":"b"},`,
			`{"name":"a","fileName":"b"},`, `{"name":"a","fileName":"b","value":""c","contentType":"d/e"},`, `{"request":{"method":"GET","url":"h"}},`, `{"request":{"method":"GET","url":"h","headers":[{"name":"a","value":"b"}]}},`, `"request":{"method":"GET","url":"h"},`,
		},
		nests: [][2]string{{"[", "]"}, {`{"a":`, "}"}},
	}, syntax{
		dialect: source.HTTP,
		frames: [][2]string{
			{"POST / HTTP/1.1\nHost: h\n", ""}, {"POST / HTTP/1.1\nHost: h\n\n", ""}, {"GET /", " HTTP/1.1\nHost: h\n"}, {"GET / HTTP/1.1\nHost: ", "\n"}, {":authority\nh\n:path\n/\n", ""}, {":authority: h\n:path: /\n", ""},
			{"POST / HTTP/1.1\nHost: h\nTransfer-Encoding: chunked\n\n", "0\n\n"}, {"POST / HTTP/1.1\nHost: h\nContent-Type: multipart/form-data\n\n", ""}, {"POST / HTTP/1.1\nHost: h\nContent-Length: 5000\n\n", ""}, {"", ""},
		},
		pieces: []string{
			"a", " ", "\n", "\r\n", "\t", ":", "é", "\xff", "\x00", "a: b\n", "a%d: b\n", " a\n", "A: b\n c\n", "cookie: a=b\n", "Content-Length: 0\n", "Host: h\n", "Origin: http://h\n", ":path: /\n", ":path\n/\n",
			"GET / HTTP/1.1\nHost: h\n\n", "POST / HTTP/1.1\nHost: h\nContent-Length: 1\n\na\n", "POST / HTTP/1.1\nHost: h\nContent-Length: 9\n\na\n", "HTTP/1.1 200 OK\n\n", "1\na\n", "0\n\n", "1;a\r\na\r\n", "/..", "#", "@", "[",
		},
	}, syntax{
		dialect: source.Fetch,
		frames: [][2]string{
			{`fetch("http://h/`, `")`}, {`fetch("http://h/", {headers: {`, `}})`}, {`fetch("http://h/", {headers: [`, `]})`}, {`fetch("http://h/", {method: "PUT", body: `, `"a"})`}, {`fetch("http://h/", {method: "PUT", body: "`, `"})`},
			{`fetch("http://h/", {method: "PUT", body: JSON.stringify([`, `1], null, 2)})`}, {`fetch("http://h/", {method: "PUT", body: JSON.stringify({`, `})})`}, {`fetch("http://h/", {method: "PUT", body: new URLSearchParams("`, `")})`}, {`fetch("http://h/").then(`, ")"}, {"", ""}, {"fetch(`http://h/", "`)"},
		},
		pieces: []string{
			"a", " ", "\n", `\n`, `\u00e9`, `\u{41}`, `\`, "'", `"`, "`", "$", "${", "é", "\xff", "1", "1,", "-", "-1.5e3,", "null,", "'a',", "'a'+", "1+", "{},", "[],", "{a:1},", "[1],", "a:1,", "a:'b',", "'a%d':'b',", "%d:'b',", "a:{b:1},", "['a','b'],", "a=b&", "&", "+", ".toString()", ".then(a)",
			"fetch('http://h/');", "fetch('http://h/', {method:'PUT',body:'a'}).then(a);\n", "await ", "const x = ", "// a\n", "/* a */", "/*", "new Headers({a:1}),", "new URLSearchParams({a:1}),", "JSON.stringify('a'),", "btoa('a')+", "encodeURIComponent('é')+", "undefined,", ";", "(", ")", "x,", "...x",
		},
		nests: [][2]string{{"[", "]"}, {"{a:", "}"}, {"(", ")"}, {"JSON.stringify(", ")"}, {"fetch(", ")"}},
	}, syntax{
		dialect: source.POSIX,
		frames: [][2]string{
			{"http h.test ", ""}, {"http -f h.test ", ""}, {"http -f h.test f@x ", ""}, {"http h.test/", ""}, {"X=ab; http h.test 'a:=[", "1]'"}, {"http h.test 'a=", "'"}, {"http ", " h.test"}, {"", "\nhttp h.test"},
		},
		pieces: []string{
			"a", "a=b ", "a%d=b ", "a:=1 ", "a%d:=[1] ", "A:b ", "A: ", "A\\; ", "a==b ", "a%d==$U ", "a=$U ", "$U", "$U ", "é", "\\=", "\\\\", "a=@b ", "a@b ", "1,", "\"x\",", "-vF ", "-a u:p ", "http h.test a=b\n", "echo a | http h.test\n", "{", "#", "[a] ",
		},
	}, syntax{
		dialect: source.Postman,
		frames: [][2]string{
			{`{"info":{},"item":[`, `{"request":"h"}]}`}, {`{"info":{},"variable":[{"key":"x","value":"ab"},`, `{}],"item":[{"request":"h/{{x}}"}]}`}, {`{"name":"","request":{"url":"h","method":"PUT","header":[`, `{}]}}`},
			{`{"name":"","request":{"url":{"host":["h"],"query":[`, `{}]}}}`}, {`{"name":"","request":{"url":{"host":["h"],"path":[`, `"a"]}}}`}, {`{"name":"","request":{"url":"h/`, `"}}`}, {`{"name":"","request":{"url":"h","method":"PUT","body":{"mode":"urlencoded","urlencoded":[`, `{}]}}}`},
			{`{"name":"","request":{"url":"h","method":"PUT","body":{"mode":"formdata","formdata":[`, `{"key":"a"}]}}}`}, {`{"name":"","request":{"url":"h","method":"PUT","body":{"mode":"raw","raw":"`, `"}}}`}, {`{"name":"","request":{"url":"h","method":"PUT","body":{"mode":"graphql","graphql":{"query":"`, `"}}}}`},
			{`{"name":"","request":{"url":"h","auth":{"type":"basic","basic":[`, `{"key":"username","value":"{{x}}"}]}}}`}, {`{"name":"","event":[{"listen":"prerequest","script":{"exec":[`, `""]}}],"request":{"url":"h"}}`}, {"", ""},
		},
		pieces: []string{
			"a", " ", `\n`, `\u00e9`, `\`, `"`, "é", "\xff", "{", "[", "}", "]", ",", ":", "null,", "{},", "[],", `"a",`, `"a":1,`, "{{x}}", "{{y%d}}", "{{$guid}}", "{{", "&", "=", "/:a.b", "/..",
			`{"key":"a","value":"b"},`, `{"key":"a%d","value":"b"},`, `{"key":"a%d","value":"{{x}}{{y}}"},`, `{"key":"a","value":"{{a}}{{x}}"},`, `{"key":"a","type":"file","src":["b","c"]},`, `{"key":"a","disabled":true},`, `{"key":"a","value":{"b":[1]}},`,
			`{"request":"h/%d"},`, `{"request":{"url":"h","header":[{"key":"a","value":"b"}]}},`, `{"item":[{"request":"h"}]},`, `"pm.variables.set(\"a%d\",\"b\");",`, `"x();",`,
		},
		nests: [][2]string{{"[", "]"}, {`{"a":`, "}"}},
	}, syntax{
		dialect: source.HTTPFile,
		frames: [][2]string{
			{"POST http://h/\nA: b\n", ""}, {"POST http://h/\n\n", ""}, {"GET http://h/", "\n"}, {"GET http://h/\n", ""}, {"@x = ", "\nGET http://h/{{x}}"}, {"@x = ab\nPOST http://h/\n\n", ""}, {"POST http://h/\nContent-Type: application/x-www-form-urlencoded\n\n", ""},
			{"POST http://h/\nContent-Type: multipart/form-data; boundary=b\n\n--b\n", "\n--b--"}, {"POST http://h/\nContent-Type: multipart/form-data; boundary=b\n\n--b\nContent-Disposition: form-data; name=\"a\"\n", "\n< f\n--b--"}, {"GRAPHQL http://h/\n\n", ""}, {"GET /\nHost: ", "\n"},
			{"PUT http://h/\nAuthorization: Basic ", "\n"}, {"", ""},
		},
		pieces: []string{
			"a", " ", "\n", "\r\n", "\t", ":", "é", "\xff", "\x00", "a: b\n", "a%d: b\n", " a\n", "?a=b\n", " &a%d=b\n", "a=b&", "a = b &\n", "{{x}}", "{{y}}", "{{y%d}}", "{{$guid}}", "{{$timestamp}}", "{{$processEnv E}}", "{{", "}}", "{{{", "%%", "\"", "\\", "\\\"",
			"@a=b\n", "@a%d=b\n", "@a={{a}}{{x}}\n", "###\n", "### a\n", "###\nGET http://h/\n", "GET http://h/{{y}}\n\n", "# a\n", "// @name a%d\n", "# @no-redirect\n", "cookie: a=b\n", "Content-Length: 0\n", "Host: h\n", "> {%% a\n", "%%}\n", "< f\n", "<@ f\n", "<> f\n", "?? a\n", "--b\n", "--b--\n",
			"Content-Disposition: form-data; name=\"a%d\"\n", "HTTP/1.1 200 OK\n", "#", "query a {", "/..", "[",
		},
	})
}

// repeat returns a piece so often that it has n bytes, numbered.
func repeat(piece string, n int) string {
	if !strings.Contains(piece, "%d") {
		return strings.Repeat(piece, n/len(piece)+1)
	}
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, piece, i)
	}
	return b.String()
}

// texts calls do with a function for each text that can be made of a syntax,
// which returns it in a size; grows says that it grows faster on purpose.
func (s *syntax) texts(do func(name string, grows bool, text func(n int) string)) {
	for i, f := range s.frames {
		if testing.Short() && i%4 > 0 {
			continue
		}
		for _, p := range s.pieces {
			do(fmt.Sprintf("%v %q %q", s.dialect, f, p), strings.HasPrefix(p, "set A=%%A") || strings.HasPrefix(p, "$A=$A+") || strings.HasPrefix(p, "@a={{a}}"), func(n int) string { return f[0] + repeat(p, n) + f[1] })
		}
		for _, nest := range s.nests {
			do(fmt.Sprintf("%v %q %q", s.dialect, f, nest), false, func(n int) string {
				k := n / len(nest[0]+nest[1])
				return f[0] + strings.Repeat(nest[0], k) + "1" + strings.Repeat(nest[1], k) + f[1]
			})
		}
	}
}

// TestGrowth checks that work and bytes grow no faster than the text, for every
// piece of syntax in every frame, and that the memory which reading takes is
// paid for.
func TestGrowth(t *testing.T) {
	const n = 1500
	for _, s := range syntaxes {
		s.texts(func(name string, grows bool, text func(n int) string) {
			if grows { // each line holds all that stand before it
				return
			}
			var work, bytes [3]int64
			for i := range work {
				src := text(n << i)
				m := meter.New(len(src), meter.Limits{}, nil)
				source.Split(src, s.dialect, nil, m, nil)
				work[i], bytes[i] = m.Spent()
				if m.Over() {
					t.Errorf("%s: %d bytes are too much", name, len(src))
					return
				}
			}
			for what, cost := range map[string][3]int64{"steps": work, "bytes": bytes} {
				if growth, before := cost[2]-cost[1], cost[1]-cost[0]; growth > before*5/2+200*n/10 {
					t.Errorf("%s: %s grow from %d over %d to %d", name, what, cost[0], cost[1], cost[2])
				}
			}
		})
	}
}

// TestMemoryIsPaid checks that what reading allocates is in proportion to what
// it paid for, small texts apart.
func TestMemoryIsPaid(t *testing.T) {
	const n = 6000
	var before, after runtime.MemStats
	for _, s := range syntaxes {
		s.texts(func(name string, _ bool, text func(n int) string) {
			src := text(n)
			m := meter.New(len(src), meter.Limits{}, nil)
			runtime.ReadMemStats(&before)
			source.Split(src, s.dialect, nil, m, nil)
			runtime.ReadMemStats(&after)
			_, paid := m.Spent()
			if took := int64(after.TotalAlloc - before.TotalAlloc); took > 2*paid+24*int64(len(src)) {
				t.Errorf("%s: takes %d bytes of memory, and paid for %d", name, took, paid)
			}
		})
	}
}

// TestRefusals checks that a meter which refuses ends the reading there, with
// its error and nothing else, wherever that is.
func TestRefusals(t *testing.T) {
	for _, s := range syntaxes {
		s.texts(func(name string, _ bool, text func(n int) string) {
			src := text(300)
			for _, limit := range []int64{200, 1000, 3000} {
				m := meter.New(len(src), meter.Limits{Bytes: limit}, nil)
				r := source.Split(src, s.dialect, nil, m, nil)
				if d := r.Diags.Err(); m.Over() && (len(r.Commands) > 0 || d == nil || d.Code != diag.CodeTooLarge || d.Span.Start < 0 || int(d.Span.End) > len(src)) {
					t.Errorf("%s: with %d bytes, %d commands and %v", name, limit, len(r.Commands), d)
				}
			}
		})
	}
}

// TestBombs checks that a text that multiplies itself stops at the limit,
// with the memory that the limit leaves.
func TestBombs(t *testing.T) {
	long := strings.Repeat("x", 30_000)
	bombs := map[string]struct {
		dialect source.Dialect
		src     string
	}{
		"doubled sets":        {source.Cmd, "set A=xxxxxxxx\n" + strings.Repeat("set A=%A%%A%\n", 2000) + "curl %A%"},
		"a long variable":     {source.Cmd, "set A=" + long + "\ncurl " + strings.Repeat("%A%", 10_000)},
		"holes in a variable": {source.Cmd, "set A=" + strings.Repeat("%X%", 10_000) + "\ncurl " + strings.Repeat("%A%", 10_000)},
		"words in a variable": {source.Cmd, "set A=" + strings.Repeat("a ", 15_000) + "\ncurl " + strings.Repeat("%A%", 10_000)},
		"doubled credentials": {source.PowerShell, "$a='xxxxxxxx'\n" + strings.Repeat("$a=New-Object PSCredential($a,$a)\n", 40) + "irm h -Credential $a"},
		"doubled strings":     {source.PowerShell, "$a='xxxxxxxx'\n" + strings.Repeat("$a=\"$a$a\"\n", 40) + "irm h -Body $a"},
		"doubled sums":        {source.PowerShell, "$a='xxxxxxxx'\n" + strings.Repeat("$a+=$a\n", 40) + "irm h -Body $a"},
		"doubled holes":       {source.PowerShell, "$a=\"$x\"\n" + strings.Repeat("$a=\"$a$a\"\n", 40) + "irm h -Body $a"},
		"a table":             {source.PowerShell, "$v='" + long + "'\nirm h -Method Post -Body @{" + strings.Repeat("a=$v;", 6000) + "}"},
		"a table of holes":    {source.PowerShell, "$v=\"" + strings.Repeat("$x", 10_000) + "\"\nirm h -Method Post -Body @{" + strings.Repeat("a=$v;", 6000) + "}"},
		"headers":             {source.PowerShell, "$v='" + long + "'\nirm h -Headers @{" + strings.Repeat("a=$v;", 6000) + "}"},
		"a form":              {source.PowerShell, "$v='" + long + "'\nirm h -Method Post -Form @{" + strings.Repeat("a=$v;", 6000) + "}"},
		"cookies":             {source.PowerShell, "$v='" + long + "'\n$s=New-Object X.WebRequestSession\n" + strings.Repeat("$s.Cookies.Add((New-Object Net.Cookie($v,$v)))\n", 600) + strings.Repeat("irm h -WebSession $s\n", 20)},
		"tables that double":  {source.PowerShell, "$t=@{a=1;b=2}\n" + strings.Repeat("$t+=$t\n", 5000) + "irm h -Headers $t"},
		"splats":              {source.PowerShell, "$t=@{" + strings.Repeat("Uri='h';", 3000) + "}\nirm" + strings.Repeat(" @t", 10_000)},
		"commands of a table": {source.PowerShell, "$t=@{" + strings.Repeat("a='b';", 4000) + "}\n" + strings.Repeat("irm h -Headers $t\n", 2000)},
		"long names":          {source.PowerShell, "$k='" + long + "'\n$t=@{}\n" + strings.Repeat("$t.Add($k,'a')\n", 2000) + "irm h -Headers $t"},
		"long parameters":     {source.PowerShell, "$t=@{'" + long + "'='b'}\nirm h" + strings.Repeat(" @t", 10_000)},
	}
	for name, b := range bombs {
		var before, after runtime.MemStats
		limit := meter.LimitsFor(len(b.src), meter.Limits{}).Bytes
		m := meter.New(len(b.src), meter.Limits{}, nil)
		runtime.ReadMemStats(&before)
		r := source.Split(b.src, b.dialect, nil, m, nil)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 4*uint64(limit) {
			t.Errorf("%s: %d bytes take %d bytes of memory", name, len(b.src), took)
		}
		if d := r.Diags.Err(); m.Over() && (d == nil || d.Code != diag.CodeTooLarge && d.Code != diag.CodeTooMuchWork || len(r.Commands) > 0) {
			t.Errorf("%s: %d commands and %v", name, len(r.Commands), d)
		}
		size := 0
		for _, c := range r.Commands {
			for _, w := range c.Args {
				size += word.Size + len(w.Text) + word.HoleSize*len(w.Holes)
			}
		}
		if int64(size) > limit {
			t.Errorf("%s: %d bytes gave %d", name, len(b.src), size)
		}
	}
}
