package shell

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"uncoil/diag"
)

// roundTrips is how many random commands each property is tried on: 10,000,
// or what the environment says.
var roundTrips = func() int {
	if n, err := strconv.Atoi(os.Getenv("UNCOIL_ROUND_TRIPS")); err == nil {
		return n
	}
	return 10_000
}()

// fragments are what random arguments are made of: whatever some shell, or
// curl, cares about.
var fragments = []string{
	`"`, `'`, `\`, `\\`, `\"`, `""`, `''`, "^", "^^", `^"`, "%", "%%", "%PATH%", "%41", "%^", "$", "$x", "${y}", "$(z)", "$env:A", "`", "`n", "``",
	"&", "|", "<", ">", "(", ")", "!", "!x!", "*", "?", "~", "#", ";", ",", "=", "@", "@{", "{", "}", "[", "]", "+", "-", "--", "--%", "/", ":", ".",
	" ", "  ", "\t", "\n", "\n\n", "\r", "\r\n", "\x01", "\x1b", "\x7f", "\u00a0", "\u2028", "“", "”", "’", "‘", "–", "ä", "你", "\U0001F600", "\xff", "\xe2\x80",
	"a", "b1", "curl", "0", "PATH", `{"k":"v\n"}`, "A: b",
}

// randomArgs returns a command line of a program and random arguments.
func randomArgs(r *rand.Rand) []string {
	args := []string{"curl"}
	for range 1 + r.IntN(4) {
		var arg strings.Builder
		for range r.IntN(8) {
			if r.IntN(8) == 0 {
				arg.WriteRune(rune(1 + r.IntN(0x10ffff)))
			} else {
				arg.WriteString(fragments[r.IntN(len(fragments))])
			}
		}
		args = append(args, arg.String())
	}
	return args
}

// testRoundTrip holds that splitting what quote has written gives the
// arguments back.
func testRoundTrip(t *testing.T, quote func([]string) string, split func(string, map[string]string) ([]Command, diag.List), hold func(string) string) {
	t.Helper()
	const seed = 1
	r := rand.New(rand.NewPCG(seed, seed))
	env := map[string]string{"PATH": "wrong", "x": "wrong", "y": "wrong", "A": "wrong"}
	for range roundTrips {
		args := randomArgs(r)
		for i := range args {
			args[i] = hold(args[i])
		}
		src := quote(args)
		cmds, diags := split(src, env)
		if len(cmds) != 1 || !slices.Equal(texts(cmds)[0], args) || diags.Err() != nil {
			t.Fatalf("%q\nquoted %s\nread %q\n%v", args, src, texts(cmds), diags)
		}
		for _, w := range cmds[0].Args {
			if len(w.Holes) > 0 {
				t.Fatalf("%q\nquoted %s\nhas the holes %v", args, src, w.Holes)
			}
		}
		checkSpans(t, src, cmds, diags)
	}
}

// all says that a shell can hold any argument.
func all(arg string) string { return arg }

// drop returns a function that removes what a shell cannot hold.
func drop(what string) func(string) string {
	return func(arg string) string {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(what, r) {
				return -1
			}
			return r
		}, arg)
	}
}

func TestQuoteCmdRoundTrip(t *testing.T) {
	hold := func(arg string) string { return strings.ReplaceAll(arg, "\r", "") }
	testRoundTrip(t, func(args []string) string { return Quote(args, Cmd) }, splitCmd, hold)
}

func TestQuotePOSIXRoundTrip(t *testing.T) {
	testRoundTrip(t, func(args []string) string { return Quote(args, POSIX) }, splitPOSIX, all)
}

// What is written for fish is read by way of its rewriting.
func TestQuoteFishRoundTrip(t *testing.T) {
	quote := func(args []string) string {
		dst := []byte("curl")
		for _, arg := range args[1:] {
			dst = appendFish(append(dst, ' '), arg)
		}
		return string(dst)
	}
	testRoundTrip(t, quote, func(src string, env map[string]string) ([]Command, diag.List) {
		w := fromFish(src)
		commands, diags := splitPOSIX(w.Text(), env)
		w.Restore(commands, diags)
		return commands, diags
	}, all)
}

// Where the writing shows which shell it is for, nobody has to say so.
func TestQuoteAutoRoundTrip(t *testing.T) {
	for _, d := range []Dialect{POSIX, Cmd, PowerShell} {
		r := rand.New(rand.NewPCG(5, 5))
		wrong := 0
		for range roundTrips {
			args := randomArgs(r)
			for i := range args {
				if d == Cmd {
					args[i] = strings.ReplaceAll(args[i], "\r", "")
				}
			}
			reading := Split(Quote(args, d), Auto, nil)
			same := len(reading.Commands) == 1 && slices.Equal(texts(reading.Commands)[0], args)
			if !same && reading.Dialect == d {
				t.Fatalf("%q in %v is read as %q", args, d, texts(reading.Commands))
			}
			if !same {
				wrong++
			}
		}
		t.Logf("%v: %d of %d are taken for another shell", d, wrong, roundTrips)
	}
}

func TestQuotePowerShellRoundTrip(t *testing.T) {
	testRoundTrip(t, func(args []string) string { return Quote(args, PowerShell) }, splitPowerShell, all)
}

// What a browser copies is read as the browser meant it. What its form cannot
// tell apart is kept out: see the comment on each encoder.
func TestBrowserRoundTrip(t *testing.T) {
	for _, b := range []struct {
		name   string
		encode func([]byte, string) []byte
		hold   func(string) string
	}{
		{"today", encodeToday, drop("\r")},
		{"caretsInQuotes", encodeCaretsInQuotes, drop("\r")},
		{"doubledQuotes", encodeDoubledQuotes, drop("\r\n\\^")},
	} {
		t.Run(b.name, func(t *testing.T) {
			quote := func(args []string) string {
				dst := []byte("curl")
				for _, arg := range args[1:] {
					dst = b.encode(append(dst, ' '), arg)
				}
				return string(dst)
			}
			split := func(src string, _ map[string]string) ([]Command, diag.List) { return splitCmd(src, nil) }
			testRoundTrip(t, quote, split, func(arg string) string { return b.hold(strings.ToValidUTF8(arg, "")) })
		})
	}
}

// encodeToday writes an argument as Chrome and Edge do now: carets before all
// but a few characters, \ and " after a backslash, and a caret that breaks up
// what could be a variable.
func encodeToday(dst []byte, arg string) []byte {
	return append(encodeCarets(append(dst, `^"`...), arg), `^"`...)
}

// encodeCaretsInQuotes writes an argument as they did for some years: the
// carets of today inside plain quotes, unless there is a line break.
func encodeCaretsInQuotes(dst []byte, arg string) []byte {
	if strings.Contains(arg, "\n") {
		return encodeToday(dst, arg)
	}
	return append(encodeCarets(append(dst, '"'), arg), '"')
}

func encodeCarets(dst []byte, arg string) []byte {
	last := rune(0)
	for _, r := range arg {
		switch {
		case r == '\n':
			dst = append(dst, "^\n\n"...)
		case r == '\\':
			dst = append(dst, `^\^\`...)
		case r == '"':
			dst = append(dst, `^\^"`...)
		case r < utf8.RuneSelf && plainForBrowser(byte(r)):
			if last == '%' && isNameByte(byte(r)) {
				dst = append(dst, '^')
			}
			dst = append(dst, byte(r))
		default:
			dst = utf8.AppendRune(append(dst, '^'), r)
		}
		last = r
	}
	return dst
}

// encodeDoubledQuotes writes an argument as browsers did before: "" for a
// quote, "%" for a percent sign, a doubled backslash, "^⏎" for a line break.
// A word with nothing but a doubled backslash could as well be meant as two,
// two line breaks as one, and ^^ as the caret of a later browser: those are
// left to cases of their own.
func encodeDoubledQuotes(dst []byte, arg string) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(arg); i++ {
		switch c := arg[i]; c {
		case '"':
			dst = append(dst, `""`...)
		case '%':
			dst = append(dst, `"%"`...)
		case '\\':
			dst = append(dst, `\\`...)
		case '\n':
			dst = append(dst, "\"^\n\""...)
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

// bash judges the POSIX quoting: it reads many commands in one go.
func TestQuotePOSIXByBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	r := rand.New(rand.NewPCG(2, 2))
	var script, want bytes.Buffer
	for range roundTrips {
		args := randomArgs(r)
		script.WriteString(`printf '%s\0' ` + Quote(args, POSIX) + "\n")
		for _, arg := range args {
			want.WriteString(arg + "\x00")
		}
	}
	cmd := exec.Command(bash, "--noprofile", "--norc")
	cmd.Env = []string{"LC_ALL=C.UTF-8"}
	cmd.Stdin = &script
	got, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if i := firstDifference(got, want.Bytes()); i >= 0 {
		t.Errorf("at byte %d bash reads %.80q, want %.80q", i, got[min(i, len(got)):], want.Bytes()[min(i, want.Len()):])
	}
}

// firstDifference returns where a and b part, or -1.
func firstDifference(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	if len(a) != len(b) {
		return min(len(a), len(b))
	}
	return -1
}

func TestQuote(t *testing.T) {
	args := []string{"curl", "-d", `{"a":"it's 100%A"}`, "a\nb", "", `c\"d\`, "é", "--"}
	for _, c := range []struct {
		d    Dialect
		want string
	}{
		{POSIX, `curl -d '{"a":"it'\''s 100%A"}' 'a` + "\n" + `b' '' 'c\"d\' 'é' --`},
		{Auto, `curl -d '{"a":"it'\''s 100%A"}' 'a` + "\n" + `b' '' 'c\"d\' 'é' --`},
		{Cmd, `curl -d ^"{\^"a\^":\^"it's 100^%^A\^"}^" ^"a^` + "\n\n" + `b^" ^"^" ^"c\\\^"d\\^" ^"é^" --`},
		{PowerShell, `curl -d '{"a":"it''s 100%A"}' 'a` + "\n" + `b' '' 'c\\\"d\' 'é' '--'`},
	} {
		if got := Quote(args, c.d); got != c.want {
			t.Errorf("%v\n got %s\nwant %s", c.d, got, c.want)
		}
	}
	if got, want := Quote([]string{"a b", "c"}, PowerShell), "& 'a b' c"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := Quote([]string{"a\x00\x01é\xff'\r"}, POSIX), `$'a\x01é\xff\'\r'`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := string(appendFish(nil, `a\'b`)), `'a\\\'b'`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func BenchmarkQuote(b *testing.B) {
	args := []string{"curl", "http://h.test/?a=1&b=%20", "-H", "User-Agent: it's", "-d", strings.Repeat(`{"a":"b\n"}`, 100)}
	for _, d := range []Dialect{POSIX, Cmd, PowerShell} {
		b.Run("dialect="+d.String(), func(b *testing.B) {
			var dst []byte
			b.ReportAllocs()
			for b.Loop() {
				dst = dst[:0]
				for _, arg := range args {
					dst = QuoteWord(dst, arg, d)
				}
			}
		})
	}
}
