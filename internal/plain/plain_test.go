package plain_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"uncoil"
	"uncoil/internal/plain"
)

// check holds the answer for a text to that of the full grammar, and reports
// whether there was one.
func check(t *testing.T, src string) bool {
	t.Helper()
	return checkWith(t, src, uncoil.Input{})
}

// checkWith is check for a text with more input.
func checkWith(t *testing.T, src string, in uncoil.Input) bool {
	t.Helper()
	const before = "before"
	got, missing, ok := plain.AppendConvert([]byte(before), src, plain.Input{Files: in.Files, MaxBytes: in.Limits.Bytes})
	if !ok {
		if string(got) != before {
			t.Fatalf("%q is declined, and left %q behind", src, got)
		}
		return false
	}
	want := []byte(before)
	r, err := uncoil.Parse(src, in)
	if err == nil {
		want, err = r.AppendConvert(want)
	}
	if e, _ := errors.AsType[*uncoil.Error](err); e != nil && missing != nil {
		if diff := cmp.Diff(*missing, e.Diagnostic); diff != "" {
			t.Fatalf("%q (-plain +full grammar)\n%s", src, diff)
		}
		return true
	}
	if err != nil {
		t.Fatalf("%q\nplain answers %s\nthe full grammar refuses: %v", src, got, err)
	}
	if string(got) != string(want) {
		t.Fatalf("%q\nplain answers %s\nthe full grammar %s", src, got, want)
	}
	return true
}

// manyHeaders are more than a command has room for at once.
var manyHeaders = func() string {
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, " -H 'N%d: v'", i)
	}
	return b.String()
}()

var manyParts = strings.NewReplacer("-H", "-F", ": ", "=").Replace(manyHeaders)

var commands = []string{
	"curl http://h.test/" + manyHeaders, "curl http://h.test/" + strings.Repeat(" -d a=b", 1000),
	"curl http://h.test/",
	"curl -sSL https://api.example.com/v1/items?page=2\n",
	`curl -X POST 'https://h.test/a?b=c&d=e' -H 'Content-Type: application/json' -d '{"a": [1, 2]}'`,
	`curl -XPUT "http://h.test:8080/x" -H "A: \"b\\c\"" --data-raw "@x"`,
	"curl -u ann:pw -A agent -e http://r.test/ -b a=b \\\n  localhost:3000/x",
	"curl 127.0.0.1 -d ''",
	"curl -I 'https://h.test/%41' -o out -m 10 --compressed",
	`curl 'http://h.test/' -H 'Accept: */*' -H 'accept-language: en' --data-binary 'ünï'`,
	"curl http://h.test/ -d \"a\\ b\\\nc\" -X post || exit 1",
	"curl http://h.test/ -d @- << EOF\n{\"a\": \"$X\",\\\n\"b\": \"\\\\n\"}\nEOF\n",
	"curl --json @- http://h.test/ <<'E' | jq .\n{\"a\": \"$(x)\\\\\"}\nE",
	"curl http://h.test/ && sh x\n# that is all\n",
	"curl http://h.test/ --data-binary @file.json",
	"curl http://h.test/ -T file", "curl -b cookies.txt http://h.test/ -d a=b",
	"curl --proto '=https' --tlsv1.2 -sSf https://h.test | sh",
	"curl --http2 -X $METHOD http://h.test/{a_b}/x --data-urlencode \"n=$V\"",
	`curl http://h.test/ -d '["a", "&sect;"]'`,
	"curl -F file=@a/photo.JPG -F 'note=it is (ours)' -Fx=@y --form-string 'a=@b;c' http://h.test/ -X PUT",
	"curl http://h.test/" + manyParts, "curl http://h.test/" + manyParts + " -FN7=x -F n7=y -F N7=@z", "curl http://h.test/ -F a=b -F b=@c -F a=@d -F A=e -F a=f",
}

// TestPlain holds that commands which are plain are taken for it, and the
// others not.
func TestPlain(t *testing.T) {
	for _, src := range commands {
		if !check(t, src) {
			t.Errorf("%.200q is declined", src)
		}
	}
	for _, src := range []string{
		"curl http://h.test/" + strings.Repeat(" -s", 1<<20), "curl http://h.test/ -" + strings.Repeat("s", 1<<20), "curl http://h.test/" + manyHeaders + " -H n7:x", "curl http://h.test/" + strings.Repeat(" | jq", 100),
		"", "curl", "curl ", "wget http://h.test/", "curl http://h.test/ | then", "curl http://h.test/ | bash curl http://h.test/", "curl http://h.test/ |", "curl http://h.test/ &", "curl http://h.test/ && curl http://h.test/", "curl http://h.test/ || wget x", "curl http://h.test/\ncurl http://h.test/",
		"curl http://h.test/$(x)", `curl "http://h.test/${x:-y}"`, "curl http://h.test/{a,b}", "curl 'http://h.test/[1-2]'", "curl http://h.test/../x",
		"curl http://h.test/ -d @file -d a", "curl http://h.test/ -d @file -G", "curl http://h.test/ -u ann", "curl http://h.test/ -b file -T file", "curl http://h.test/ -b -", "curl http://h.test/ -T - -d a", "curl http://h.test/ -T .", "curl http://h.test/ -T [1-2]", "curl http://h.test/ --proto =https", "curl https://h.test/ --proto https", "curl http://h.test/ -X a$b",
		"curl http://h.test/ -H 'A: b' -H 'a: c'", "curl http://h.test/ -F a=b -d c", "curl http://h.test/ -F a=b -I", "curl http://h.test/ -F a=b -G", "curl http://h.test/ -F a=b -T f", "curl http://h.test/ -F a", "curl http://h.test/ -F 'a=b;filename=c'", "curl http://h.test/ -F a=@-", "curl http://h.test/ -F a=@b,c", "curl http://h.test/ -F 'a=\xff'", "curl http://h.test/ -F a=b -H Content-Type:x", "curl http://h.test/ -H Host:x", "curl http://h.test/ -X ''", "curl http://h.test/ http://h.test/",
		"curl http://h.test/ -d a -I", "curl --nosuch http://h.test/", "curl http://h.test/ -d 'a\x00b'", "curl http://h.test/ -d '\xff'",
		"curl -d {&quot;a&quot;:1} http://h.test/", "curl ftp.h.test", "curl 1",
		"curl -d @- http://h.test/", "curl -d @- http://h.test/ <<E\na", "curl -d @- http://h.test/ <<E\n`a`\nE", "curl -d @- http://h.test/ <<E\na\\\nE\n", "curl -d @- http://h.test/ <<E\na\nE\nb",
		"curl -d @- http://h.test/ <<-E\nE", "curl -d @- -d @- http://h.test/ <<E\nE", "curl -d @- http://h.test/ <<E <<F\nE\nF", `curl ^"http://h.test/^"`, "curl 'http://h.test/",
	} {
		if check(t, src) {
			t.Errorf("%.200q is answered", src)
		}
	}
}

// fragments are words, and texts that the random ones are made of.
var fragments = strings.FieldsFunc(`
-X|--request|-H|--header|-d|--data|--data-raw|--data-binary|-u|--user|-A|-e|-b|--cookie|-I|--head|-o|-m|--url|-w|-s|-sS|-L|-k|-i|-XPOST|-HA:b|-dx|-sXGET|--compressed|--nosuch|-G|-T|-F|--json|-O|--remote-name|--get|-G|--data-urlencode|--json|--proto|--upload-file|--http2|-b|-T|-X
GET|POST|get|a b|application/json|Content-Type: text/plain|content-type:x|Accept: */*|Accept:|X;|Host: h|Cookie: a=b|User-Agent: x|Referer: r|Authorization: Basic x|A: b|a: c|TE: x|Expect:
http://h.test/|https://h.test|h.test/x|h.test:8080|localhost|127.0.0.1|127.0.0.1:81/x|1.2|0x7f.1|http://H.Test:80/|http://h.test:443|http://h.test:0/|http://h.test:65536/|http://h.test:65535/|ftp.h.test|FTP.x|dict.org/x|ftp://h|h.test?x=1|http://u:p@h.test/
http://h.test/a?b=c&d=e|http://h.test/%41%20|http://h.test/%2e%2E/x|http://h.test/a/./b|http://h.test/..|http://h.test/.x|http://h.test/#f|http://h.test/?|http://h.test/x?a&|http://h.test?a|n=a b&c|n=ü/|=x y|n@f|a%20b|a%2fb|http://h.test/{a}|http://h.test/{a,b}|http://h.test/[1-2]|http://{h}/|{h}/x|http://h.test/<x>|http://<h-x>/a|<h>/x|http://h.test/<a b>|http://h.test/x<|#|http://h.test/:id|http://h-.test/|http://h..test/|http://h.test./|http://xn--a.test/|http://h_x.test/|http:///x|http:/h|//h.test/
$H/x|http://$H/x|http://h.test/$x|http://h.test/${x}y|${H}|$env:X|$1|$|http://h.test/$x.y|http://h.test/$(x)|https://$H:8080/x
{"a": [1, 2.50]}|[1, 2]|{"a":|a=b&c=d|a=b; c=d|;auto|ann:pw|ann|:pw|:|;x:y|@file|@/dev/null|file|=https|=http,https|a{b}c|[1-2]|.|-|n=$x|n=a$x|&sect;|[&quot;|{"&amp;"}|@a b|@|--data-binary|@|%{http_code}|%A%|%20|10|1.5|-1|ünï|“x”|a;b|&amp;|a&b;|curl|\\|it's|tab	x|!x|#x|~|*|=x|$x\|http://h.test/.well|http://h.test/...|-d'a b'|-d@-|@-|--data-binary|--data-ascii|-c|--tlsv1.2|-4|"a\!"|$x_|post|--data="x"|a'b'"c"|''a|""|'it'\''s'|"$x"/'y'|"$x"'$y'|"a\b\n"|"a\ b"|"\"$x\""|"\"${x}\""|a\?b|a\&b|http://h.test/....|http://h.test/a--b|http://a--b.test|"$x:y"|"a=$x"
-F|-F|-F|--form|--form-string|-Fq=r|a=b|b=1|c=d=e|a=@f.png|f=@d/e.JPG|x=@f|x=@-|x=@|x=@d/|f=@a,b|a=|a=b;type=x|a=(|=)|a=)|a="q"|a= b|a=b |g=<f|a={"x": 1}|ü=v|n=ü|a=$x|f=@$x
`, func(r rune) bool { return r == '|' || r == '\n' })

// TestRandom tries commands of random words, in every quoting.
func TestRandom(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, seed))
	plain := 0
	for range 100_000 {
		src := "curl"
		for range 1 + r.IntN(6) {
			word := fragments[r.IntN(len(fragments))]
			switch r.IntN(7) {
			case 0:
				word = "'" + word + "'"
			case 1:
				word = `"` + word + `"`
			case 2:
				word = `"` + strings.NewReplacer(`"`, `\"`, `\`, `\\`).Replace(word) + `"`
			}
			src += []string{" ", "  ", " \\\n", "\t", "\\\n ", " \\ \n"}[r.IntN(6)] + word
		}
		src += []string{"", "\n", " | jq", " > out", " | jq '.a' | head -n 1", " >> out | sh -", " | sudo bash -", " \\", " \\\n", " # it's \"$x\n", " #", "\n# x\n", " && sh x", " || exit 1", " \\\n# x\n # y\n", " |\njq", " &&\n sh x", " 2>&1 | jq", " 2>/dev/null", " 1> out", " >&2", " |& jq", " 3>x"}[r.IntN(23)]
		if r.IntN(4) == 0 {
			src = document(r, src)
		}
		if check(t, src) {
			plain++
		}
	}
	t.Logf("%d were plain", plain)
}

// TestManyHeaders tries about as many -H as a command has room for at once,
// names that repeat among them.
func TestManyHeaders(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	plain := 0
	for range 2000 {
		src := "curl http://h.test/ -d a"
		names := []int{50, 10_000, 1_000_000}[r.IntN(3)]
		for range 35 + r.IntN(60) {
			src += fmt.Sprintf(" -%s '%s%d: v'", []string{"H", "sH"}[r.IntN(2)], []string{"N", "n"}[r.IntN(2)], r.IntN(names))
		}
		src += []string{"", " -u a:b", " -H 'authorization: x'", " --json {}", " -H accept:x --json {}", " -H 'Content-Type: x'", " -d b"}[r.IntN(7)]
		if check(t, src) {
			plain++
		}
	}
	if plain == 0 || plain == 2000 {
		t.Errorf("%d of 2000 were plain", plain)
	}
}

// TestForms tries the parts of forms, with names that repeat.
func TestForms(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	values := []string{"b", "", "@f", "@d/f.png", "@f.JPEG", "b;type=c/d", "@d/", "@", "@-", "@a,b", "<f", "(", ")", "=x", "a b", "b ", " b", "\tb", "b;c", "b;type=text/x", "@f.gif;type=a/b+c", ";type=x", "b ;type=x", "b; type=x", "b;type=", "b;type=x;", "b;type=x;filename=y", "@f;filename=g", "b;type=x;charset=y", "b;TYPE=x", "\xff;type=x", `"q"`, `q"q`, `\"`, "{\"x\": 1}", "ü", "\xff", "$X", "\n", "@a b", "@ü"}
	plain := 0
	const tries = 5000
	for range tries {
		src := "curl http://h.test/"
		for range 1 + r.IntN([]int{3, 60}[r.IntN(2)]) {
			value := values[r.IntN(len(values))]
			if r.IntN(4) > 0 {
				value = values[r.IntN(6)]
			}
			src += " " + []string{"-F", "-F ", "--form ", "--form-string "}[r.IntN(4)] + fmt.Sprintf("'%s%d=%s'", []string{"N", "n", "ü"}[min(2, r.IntN(50)/24)], r.IntN(60), value)
		}
		src += []string{"", "", "", " -d a", " -I", " -G", " -X PUT", " -H 'Content-Type: x'", " -H A:b", " -b a=b", " -T f", " --json {}"}[r.IntN(12)]
		if check(t, src) {
			plain++
		}
	}
	if plain == 0 || plain == tries {
		t.Errorf("%d of %d were plain", plain, tries)
	}
	t.Logf("%d of %d were plain", plain, tries)
}

// TestAllocations holds that text which has to be put together takes three
// allocations at most, however many words of a command are made of it.
func TestAllocations(t *testing.T) {
	dst := make([]byte, 0, 4096)
	for _, src := range []string{
		`curl -G http://h.test/ --data-urlencode "q=a b" --data-urlencode "r=c d" --data-urlencode "s=e & f" -u "ann":"pw"`,
		`curl http://h.test/ -H "A: \"b\"" -H "C: \"d\"" -H "E: \\f" -d "{\"g\": \"h\"}"`,
		`curl http://h.test/ -H 'A: '"$B" -H 'C: '"$D" -d '{"e": "'"$F"'", "g": "'"$H"'", "i": "'"$J"'"}'`,
		`curl http://h.test/ -d a=b -d c=d -d e=f -d g=h | grep "\"i\"" || exit 1`,
		`curl http://h.test/ -F a=b -F c=d -F a=@e -F 'f=g;type=h/i'`,
	} {
		n := testing.AllocsPerRun(100, func() {
			if _, _, ok := plain.AppendConvert(dst, src, plain.Input{}); !ok {
				t.Fatalf("%q is declined", src)
			}
		})
		if n > 3 {
			t.Errorf("%q takes %v allocations", src, n)
		}
	}
}

// TestLimits holds that nothing is answered that the full grammar refuses for
// what it stands for.
func TestLimits(t *testing.T) {
	within := func(src string, files map[string][]byte) (answered int) {
		for limit := 100; limit < 64<<20; limit += limit / 2 {
			if checkWith(t, src, uncoil.Input{Files: files, Limits: uncoil.Limits{Bytes: limit}}) {
				answered++
			}
		}
		return answered
	}
	for _, c := range []struct{ start, repeated, end string }{
		{"", " -d a=b", ""}, {"", " -F a=", ""}, {"", " -Fa=@b", ""}, {"", " --form-string a=b", ""},
		{"", " -H 'N%d: v'", ""}, {"", " -HN%d:v", ""}, {"", " -s", ""}, {" -s", "s", ""}, {" -d '", "a&", "'"}, {" -d '", "text ", "'"},
		{" --url 'http://h.test/?", "a&", "'"}, {" --data-urlencode 'a=", "ü", "'"}, {" -G -d '", "a&", "'"}, {" -u 'a:", "b", "'"},
		{" -d @- <<E\n", "a&", "\nE"}, {" --json '[1", ",1", "]'"},
	} {
		url := "http://h.test/"
		if strings.Contains(c.start, "--url") {
			url = ""
		}
		for n := 1; n < 5000; n *= 3 {
			var src strings.Builder
			src.WriteString("curl " + url + c.start)
			for i := range n {
				src.WriteString(strings.ReplaceAll(c.repeated, "%d", strconv.Itoa(i)))
			}
			src.WriteString(c.end)
			if within(src.String(), nil) == 0 {
				t.Errorf("%d of %q are never answered", n, c.repeated)
			}
		}
	}
	for _, src := range commands {
		for limit := 1; limit < 5000; limit += 20 {
			checkWith(t, src, uncoil.Input{Limits: uncoil.Limits{Bytes: limit}})
		}
	}
	within("curl http://h.test/ -F a=@b", map[string][]byte{"b": make([]byte, 100_000)})
}

// document puts a here-document behind a command, or into it.
func document(r *rand.Rand, src string) string {
	quote := []string{"", "", "'", `"`}[r.IntN(4)]
	operator := []string{"<< ", "<<", "<<-", "<<<"}[max(0, r.IntN(12)-8)]
	src = strings.TrimRight(src, "\n\\ ")
	if i := strings.LastIndexByte(src, ' '); i > 0 && r.IntN(2) == 0 {
		src = src[:i] + " -d @- " + operator + quote + "E" + quote + src[i:]
	} else {
		src += []string{" -d @- ", " --data-binary @- ", " --json @- ", " "}[r.IntN(4)] + operator + quote + "E" + quote
	}
	src += "\n"
	for range r.IntN(4) {
		src += []string{"a", "{", "}", `{"a": 1}`, "$x", "${x}", "$(x)", "$", "`x`", "\\", "\\\\", `\"`, `\$x`, " E", "E ", "\t", "\r", "ü", "'", "%x%", "#", "```", "E"}[r.IntN(23)]
		src += []string{"", "\n", "\n", "\\\n"}[r.IntN(4)]
	}
	return src + []string{"\nE", "\nE\n", "E\n", "\nE\n# x\n", "\nE\nx", "\n", "\nE \n"}[r.IntN(7)]
}

func FuzzPlainIsFull(f *testing.F) {
	for _, src := range commands {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) { check(t, src) })
}
