package redact_test

import (
	"strings"
	"testing"
	"time"

	"uncoil/internal/engine/redact"
)

// Whatever an argument holds is hidden in the text of a command, used or not.
func TestSource(t *testing.T) {
	for _, src := range []string{
		`curl 'https://u:LEAK@x/' -H 'Authorization: Bearer LEAK'`,
		`curl 'https://u:LE@AK@x/' -u a:LEAK -u b:LEAK`,
		`curl -sSuLEAK:LEAK -ub:LEAK https://x`,
		`curl --user=a:LEAK --proxy-user "a:LEAK" --pass LEAK --oauth2-bearer 'LEAK' x`,
		"curl -u \\\n  'a:LEAK' x",
		`curl -b sid=LEAK -H 'Cookie: a=LEAK; b=LEAK'`,
		`curl -b 'sid=LEAK; theme=LEAK' -bx=LEAK x`,
		"TOKEN=LEAK\ncurl x",
		"export API_KEY='LEAK LEAK'; curl x",
		"$env:TOKEN = \"LEAK\"\ncurl x",
		"set PASSWORD=LEAK\r\ncurl x",
		`curl --json '{"password":"LEAK","a":{"client_secret": "LEAK"}}' x`,
		`curl --json "{\"password\":\"LEAK\",\"a\":1}" x`,
		`curl -d password=LEAK -d 'a=1&token=LEAK' x`,
		`curl 'x?api_key=LEAK&q=1' -e 'y?access_token=LEAK'`,
		`irm x -Headers @{ Authorization = 'Bearer LEAK'; 'X-Api-Key'="LEAK" }`,
		`curl x -H "X-Api-Key: LEAK" -H X-Auth-Token:LEAK`,
		`curl x/ghp_LEAKLEAKLEAK https://hooks.slack.com/services/LEAK/LEAK/LEAK`,
		`curl -E cert.pem:LEAK --key k.pem x`,
		`curl -u "a:LEAK`,
	} {
		var b strings.Builder
		end := 0
		for _, s := range redact.Source(src) {
			if s.Start < end || s.End <= s.Start || s.End > len(src) {
				t.Fatalf("%q has the span %v after %d", src, s, end)
			}
			b.WriteString(src[end:s.Start] + redact.Mask)
			end = s.End
		}
		b.WriteString(src[end:])
		if shown := b.String(); strings.Contains(strings.ReplaceAll(shown, "-sSuLEAK", ""), "LEAK") || len(shown) < 6 {
			t.Errorf("%q shows %q", src, shown)
		}
	}
}

func TestSourceKeeps(t *testing.T) {
	for _, src := range []string{
		`curl -X POST https://h.test/a?page=2 -H 'Accept: text/html' -d 'author=ann&max_tokens=5' -o out.txt`,
		`curl -sSL --compressed -b jar.txt --key k.pem -u ann http://[::1]:80/`,
	} {
		if spans := redact.Source(src); len(spans) > 0 {
			t.Errorf("%q hides %v", src, spans)
		}
	}
}

// Hiding takes time linear in the text, whatever it holds.
func TestSourceCost(t *testing.T) {
	for _, unit := range []string{"://", "u:p@", "://u:", "://u:@", "token=", "token:\"", "eyJ", "eyJ.", "sk-", "-u ", "a", "'", "\\", "token='\\", "/api/webhooks/", "=;", "<password>", "<password", "<password><![CDATA[", "<password>]", "<", "12345678:", "bot1", "SK0", "key-0", "v1.0-0-", "AGE-SECRET-KEY-1", "/webhookb2/"} {
		src := strings.Repeat(unit, 1<<20/len(unit))
		start := time.Now()
		redact.Source(src)
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%q takes %v", unit, took)
		}
	}
}

func FuzzSource(f *testing.F) {
	f.Add(`curl 'https://u:LEAK@x/' -u "a:b" -b a=b TOKEN='x\'y' eyJ`)
	f.Fuzz(func(t *testing.T, src string) {
		end := 0
		for _, s := range redact.Source(src) {
			if s.Start < end || s.End <= s.Start || s.End > len(src) {
				t.Fatalf("the span %v after %d", s, end)
			}
			end = s.End
		}
	})
}
