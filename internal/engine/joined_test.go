package engine_test

import (
	"strings"
	"testing"

	"uncoil/diag"
	"uncoil/internal/engine"
)

// described returns the requests of a text as JSON, or the error.
func described(src string) string {
	r, err := engine.Parse(src, engine.Input{})
	if err != nil {
		return err.Error()
	}
	forgetPlacesOf(r)
	return string(r.AppendJSON(nil))
}

// forgetPlacesOf drops what differs by the spelling of a command alone.
func forgetPlacesOf(r *engine.Result) { r.Warnings = nil }

// TestJoinedLines holds that lines of options belong to the command before them: it is the
// one with the backslashes, with a doubt and a fix.
func TestJoinedLines(t *testing.T) {
	for _, src := range []string{
		"curl https://h.test/a\n-X DELETE",
		"curl https://h.test/a\n  -H 'A: b'\n  -d x=1\n",
		"curl -X POST https://h.test/a \n\t--header \"A: $TOKEN\"\n\t--data-raw '{\n  \"a\": 1\n}'",
		"curl -X POST\n  https://h.test/a\n  -H 'A: b'",
		"curl https://h.test/a \\\n  -H 'A: b'\n  -H 'C: d' \\\n  -d x",
		"$ curl https://h.test/a\n  -H 'A: b'\n",
		"curl https://h.test/a\n  -XPUT\n  -H'A: b'\n  --url-query=x=1",
		"curl https://h.test/a\n  -sS -k\n",
	} {
		joined := strings.NewReplacer(" \\\n", " \\\n", "\n  ", " \\\n  ", "\n\t", " \\\n\t", "\n-", " \\\n-").Replace(strings.TrimRight(src, "\n"))
		joined = strings.NewReplacer("\\ \\\n", "\\\n", "{ \\\n  \"a\"", "{\n  \"a\"").Replace(joined)
		if strings.Contains(src, "-sS") {
			joined = "curl https://h.test/a" // letters in a bundle may be anything
		}
		if got, want := described(src), described(joined); got != want {
			t.Errorf("%s\nis\n%s\nwant, as for\n%s\n%s", src, got, joined, want)
		}
	}
}

// TestSlipsForBackslashes holds that a slash, or two backslashes, at the end of a line that the
// next one goes on with options are the backslash that was meant: one doubt, whose fix writes it.
func TestSlipsForBackslashes(t *testing.T) {
	for _, src := range []string{
		"curl https://h.test/a %\n-X PUT %\n-H 'A: b'\n",
		"curl -X POST %\n  https://h.test/a %\n  -H 'A: b' %\n  -d '{\n \"a\": 1\n}'\n",
		"curl -X POST %\n  -H 'A: b' %\n  -d x %\n  https://h.test/a\n",
		"$ curl https://h.test/a %\n  -H 'A: b' %\n  -d / %\n",
		"curl https://h.test/a %\n  -H 'A: b'\n  -X PUT %\n",
	} {
		meant := strings.NewReplacer("'A: b'\n", "'A: b' %\n").Replace(src)
		meant = strings.ReplaceAll(strings.TrimRight(meant, "% \n"), "%", "\\")
		want := described(meant)
		for _, slip := range []string{"/", "\\\\"} {
			src := strings.ReplaceAll(src, "%", slip)
			if got := described(src); got != want {
				t.Errorf("%s\nis\n%s\nwant, as for\n%s\n%s", src, got, meant, want)
				continue
			}
			r, _ := engine.Parse(src, engine.Input{})
			var doubts []diag.Diagnostic
			for _, d := range r.Warnings {
				if d.Code == diag.WarnPastedNoise && d.Level == diag.LevelDoubt {
					doubts = append(doubts, d)
				}
			}
			if len(doubts) != 1 || (doubts[0].Fix == nil) != (slip != "/") && src[0] != '$' {
				t.Errorf("%s\nhas the doubts %+v", src, doubts)
			} else if fix := doubts[0].Fix; fix != nil {
				if got := described(src[:fix.Span.Start] + fix.Text + src[fix.Span.End:]); got != want {
					t.Errorf("%s\nis fixed to\n%s", src, src[:fix.Span.Start]+fix.Text+src[fix.Span.End:])
				}
			}
		}
	}
	// The last word is an argument or quoted, or no option follows.
	for src, meant := range map[string]string{
		"curl https://h.test/a -o /\n-s":          "curl https://h.test/a -o / -s",
		"curl https://h.test/a -w /\n-s":          "curl https://h.test/a -w /",
		"curl https://h.test/a -d \\\\\n-s":       "curl https://h.test/a -d \\\\ -s",
		"curl https://h.test/a '/'\n-s":           "curl https://h.test/a '/' -s",
		"curl https://h.test/a /\nls -l":          "curl https://h.test/a /",
		"curl https://h.test/a / > /tmp/f\n-s":    "curl https://h.test/a / > /tmp/f",
		"curl https://h.test/a /\n- item":         "curl https://h.test/a /",
		"curl https://h.test/a /\n-X sets method": "curl https://h.test/a /",
	} {
		if got, want := described(src), described(meant); got != want {
			t.Errorf("%s\nis\n%s\nwant\n%s", src, got, want)
		}
	}
}

// TestLinesThatOnlyLookLikeOptions holds that what a command prints, and what people write
// about it, are no options: the request is that of the first line.
func TestLinesThatOnlyLookLikeOptions(t *testing.T) {
	const command = "curl -s https://h.test/a"
	want := described(command)
	for _, lines := range []string{
		"-4", "-0.5", "-1 rows", "-Xmx512m", "-import foo", "-rw-r--r-- 1 root root 12 Jan 1 00:00 a.txt", "-k: insecure", "-s silent", "-L follow redirects",
		"-X POST sets the method", "-X, --request <method>", "-- x", "--", "-", "- item", "-----BEGIN CERTIFICATE-----", "--boundary", "--nothing-like-it",
		"-H 'A: b'\n+H 'A: c'", "-sS", "-o", "-H", "-H 'A: b'\n-import foo", "-d x y", "-d x\n-d y z", "--data x https://h.test/b", "-help", "-vvv", "--max-time 5 s",
		"-e: an error", "-H \"A: b\" and so on", "-option",
	} {
		src := command + "\n" + lines + "\n"
		if got := described(src); got != want {
			t.Errorf("%s\nis\n%s\nwant\n%s", src, got, want)
		}
	}
	for _, src := range []string{
		"curl -s https://h.test/a; tar xzf a\n  -C /opt", "set -- curl\n-H 'A: b'\ncurl -s https://h.test/a",
		"curl -s https://h.test/a &&\n  -H 'A: b'", "curl -s https://h.test/a | cat\n-H 'A: b'",
	} {
		if got := described(src); got != want {
			t.Errorf("%s\nis\n%s\nwant\n%s", src, got, want)
		}
	}
	const piped = command + " | tar xz"
	if got, want := described(piped+"\n  -C /opt"), described(piped); got != want {
		t.Errorf("%s\nis\n%s\nwant\n%s", piped, got, want)
	}
}

// TestJoinedFix holds that the fix is the text with the backslashes.
func TestJoinedFix(t *testing.T) {
	const src = "curl https://h.test/a\n  -X PUT\n  -H 'A: b'\n"
	r, err := engine.Parse(src, engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Warnings) != 1 || r.Warnings[0].Code != diag.WarnPastedNoise || r.Warnings[0].Level != diag.LevelDoubt || r.Warnings[0].Fix == nil {
		t.Fatalf("%+v", r.Warnings)
	}
	fix := r.Warnings[0].Fix
	if got := src[:fix.Span.Start] + fix.Text + src[fix.Span.End:]; got != "curl https://h.test/a \\\n  -X PUT \\\n  -H 'A: b'\n" {
		t.Errorf("%q", got)
	}
}
