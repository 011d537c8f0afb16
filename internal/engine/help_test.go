package engine_test

import (
	"errors"
	"strings"
	"testing"

	"uncoil/diag"
	"uncoil/internal/engine"
)

// TestHelp holds that an error which many cannot understand says what to do, and has the
// fix where one edit is certain.
func TestHelp(t *testing.T) {
	for _, c := range []struct {
		text string
		code diag.Code
		hint string // a part of the message or the hint; - before what neither may have
		want string // the text with the fix, or nothing
	}{
		{"curl http://ann:s/w@h.test/a", diag.CodeInvalidURL, "%2F", "curl http://ann:s%2Fw@h.test/a"},
		{"curl 'https://ann:s?w#x/@[::1]:8/a@b' -k", diag.CodeInvalidURL, "%3F", "curl 'https://ann:s%3Fw%23x%2F@[::1]:8/a@b' -k"},
		{"curl http://ann:s#w@corp.test", diag.CodeInvalidURL, "with -u", "curl http://ann:s%23w@corp.test"},
		{"curl http://h.test:8x/a@b", diag.CodeInvalidURL, "-%2F", ""},
		{"curl --data-urlencode bob@corp.example http://h.test", diag.CodeFileNotSupplied, "write = before it", "curl --data-urlencode =bob@corp.example http://h.test"},
		{"curl -G --data-urlencode 'bob@corp.org' http://h.test", diag.CodeFileNotSupplied, "name=text", "curl -G --data-urlencode '=bob@corp.org' http://h.test"},
		{"curl --data-urlencode note@note.txt http://h.test", diag.CodeFileNotSupplied, "--data-urlencode is a name", ""},
		{"curl --url-query to@list http://h.test", diag.CodeFileNotSupplied, "--url-query is a name", ""},
		{"curl --data-urlencode @note.txt http://h.test", diag.CodeFileNotSupplied, "-is a name", ""},
		{"curl -X DELETE \\\n  -k\n\n  # https://h.test/items/3\n", diag.CodeNoURL, "makes a comment", "curl -X DELETE \\\n  -k https://h.test/items/3\n"},
		{"curl -k\n# see https://h.test for more", diag.CodeNoURL, "add the URL", ""},
		{"curl -k\n# https://h.test\necho done", diag.CodeNoURL, "add the URL", ""},
		{"if command -v curl >/dev/null; then", diag.CodeShellSyntax, "down to its fi", ""},
		{"until test -e x; do", diag.CodeShellSyntax, "down to its done", ""},
		{"curl https://[localhost]/x", diag.CodeInvalidGlob, "-use -g", ""},
		{"curl 'https://[localhost]-{project}.h.test/x'", diag.CodeInvalidGlob, "in the place of the brackets", ""},
		{"curl https://h.test/x[name", diag.CodeInvalidGlob, "use -g", ""},
		{"$ wget --tries=3 https://h.test/a.tgz", diag.CodeNotCurl, "command of wget", ""},
		{"answer = httpx.put(\"https://h.test\", json={})", diag.CodeNotCurl, "HTTPX for Python", ""},
		{"import requests\n\nprint(requests.delete('https://h.test'))", diag.CodeNotCurl, "Requests for Python", ""},
		{"let r = await axios({ url: 'https://h.test' });", diag.CodeNotCurl, "axios", ""},
		{"$.getJSON('https://h.test', done)", diag.CodeNotCurl, "jQuery", ""},
		{" <?xml version='1.0'?>\n<plan><x/></plan>\n", diag.CodeNotCurl, "this is XML", ""},
		{"<!DOCTYPE html><html></html>", diag.CodeNotCurl, "this is HTML", ""},
		{"curl -G -d 'q=two words' http://h.test", diag.CodeInvalidURL, "--data-urlencode", ""},
		{"curl -G -d 'q=two words&n=1' http://h.test", diag.CodeInvalidURL, "--data-urlencode", ""},
		{"curl 'http://h .test/a' -d 'q=two words'", diag.CodeInvalidURL, "-use --data-urlencode", ""},
		{"curl 'http://h.test/?q=\\{\"a\":[1]}'", diag.CodeInvalidGlob, "before each bracket", ""},
		{"f(x) > 1", diag.CodeShellSyntax, "-call of", ""},
	} {
		r, err := engine.Parse(c.text, engine.Input{})
		if err == nil {
			_, err = r.Members()
		}
		e, ok := errors.AsType[*engine.Error](err)
		if !ok || e.Code != c.code {
			t.Errorf("%q: %v, want %s", c.text, err, c.code)
			continue
		}
		says := e.Message + "; " + e.Hint
		if not, ok := strings.CutPrefix(c.hint, "-"); ok && !strings.HasPrefix(not, "-") {
			if strings.Contains(says, not) {
				t.Errorf("%q: %q says %s", c.text, says, not)
			}
		} else if !strings.Contains(says, c.hint) {
			t.Errorf("%q: %q does not say %s", c.text, says, c.hint)
		}
		fixed := ""
		if e.Fix != nil {
			fixed = diag.Fixed(c.text, e.Fix)
		}
		if fixed != c.want {
			t.Errorf("%q: the fix gives %q, want %q", c.text, fixed, c.want)
		}
		if strings.Contains(says, "s/w") || strings.Contains(says, "s?w") || strings.Contains(says, "s#w") {
			t.Errorf("%q: %q has the password", c.text, says)
		}
	}
}

// TestBlankBesideVariable holds that a blank in a URL is mended where a variable stands in it.
func TestBlankBesideVariable(t *testing.T) {
	for text, want := range map[string]string{
		`curl "http://$HOST/list?$top=5&$filter=name eq 1" -k`: "http://$HOST/list?$top=5&$filter=name%20eq%201",
		`curl "http://h.test/a b/$ID"`:                         "http://h.test/a%20b/$ID",
	} {
		m, err := engine.Convert(text, engine.Input{})
		if err != nil || m.URL != want {
			t.Errorf("%s: %v, %v", text, m, err)
		}
	}
	for _, text := range []string{"curl \"http://h.test/$(date +x y)/a b\"", "curl \"http://$A b/c\""} {
		if _, err := engine.Convert(text, engine.Input{}); err == nil {
			t.Errorf("%s has an answer", text)
		}
	}
}

// TestDoubtsOfWords holds the doubts about a method and a scheme that no server knows.
func TestDoubtsOfWords(t *testing.T) {
	for text, want := range map[string]diag.Code{
		"curl -X 'LIST ALL' http://h.test":     diag.WarnMisspelledMethod,
		"curl -X 'PROPFIND' http://h.test":     "",
		"curl -X '<the method>' http://h.test": "",
		"curl https://http//h.test/a":          diag.WarnMisspelledScheme,
		"curl http://https/h.test/a":           "",
		"curl http://httpbin.test//a":          "",
	} {
		r, err := engine.Parse(text, engine.Input{})
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		got := diag.Code("")
		for i := range r.Warnings {
			if w := &r.Warnings[i]; w.Level == diag.LevelDoubt {
				got = w.Code
			}
		}
		if got != want {
			t.Errorf("%q: the doubt %q, want %q", text, got, want)
		}
	}
}
