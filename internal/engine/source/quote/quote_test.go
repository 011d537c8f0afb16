package quote

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source"
	"uncoil/internal/engine/source/cmd"
	"uncoil/internal/engine/source/powershell"
	"uncoil/internal/engine/source/word"
	"uncoil/internal/proof/shelltest"
)

var roundTrips = flag.Int("roundtrips", 10_000, "how many random commands to try each property on")

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

// testRoundTrip checks that splitting what quote has written gives the
// arguments back.
func testRoundTrip(t *testing.T, quote func([]string) string, split func(string, map[string]string) ([]word.Command, diag.List), hold func(string) string) {
	t.Helper()
	const seed = 1
	r := rand.New(rand.NewPCG(seed, seed))
	env := map[string]string{"PATH": "wrong", "x": "wrong", "y": "wrong", "A": "wrong"}
	for range *roundTrips {
		args := randomArgs(r)
		for i := range args {
			args[i] = hold(args[i])
		}
		src := quote(args)
		cmds, diags := split(src, env)
		if len(cmds) != 1 || !slices.Equal(shelltest.Texts(cmds)[0], args) || diags.Err() != nil {
			t.Fatalf("%q\nquoted %s\nread %q\n%v", args, src, shelltest.Texts(cmds), diags)
		}
		for _, w := range cmds[0].Args {
			if len(w.Holes) > 0 {
				t.Fatalf("%q\nquoted %s\nhas the holes %v", args, src, w.Holes)
			}
		}
		shelltest.CheckSpans(t, src, cmds, diags)
	}
}

// as returns a function that quotes in a style.
func as(style Style) func([]string) string {
	return func(args []string) string { return Command(args, style) }
}

// splitPOSIX reads a text for sh.
func splitPOSIX(src string, env map[string]string) ([]word.Command, diag.List) {
	r := source.Split(src, source.POSIX, env, meter.New(len(src), meter.Limits{}, nil), nil)
	return r.Commands, r.Diags
}

// metered returns split with a meter for each text.
func metered(split func(string, map[string]string, *meter.Meter) ([]word.Command, diag.List)) func(string, map[string]string) ([]word.Command, diag.List) {
	return func(src string, env map[string]string) ([]word.Command, diag.List) {
		return split(src, env, meter.New(len(src), meter.Limits{}, nil))
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
	testRoundTrip(t, as(Cmd), metered(cmd.Split), hold)
}

func TestQuotePOSIXRoundTrip(t *testing.T) {
	testRoundTrip(t, as(POSIX), splitPOSIX, all)
}

// What is written for fish is read as POSIX.
func TestQuoteFishRoundTrip(t *testing.T) {
	testRoundTrip(t, as(Fish), splitPOSIX, all)
}

// The shell of the written command is detected without being named.
func TestQuoteAutoRoundTrip(t *testing.T) {
	forms := []struct {
		name  string
		quote func([]string) string
		hold  func(string) string
	}{
		{"posix", as(POSIX), all},
		{"cmd", as(Cmd), drop("\r")},
		{"powershell", as(PowerShell), all},
		{"fish", as(Fish), all},
	}
	for _, f := range forms {
		t.Run(f.name, func(t *testing.T) {
			testRoundTrip(t, f.quote, func(src string, _ map[string]string) ([]word.Command, diag.List) {
				reading := source.Split(src, source.Auto, nil, meter.New(len(src), meter.Limits{}, nil), nil)
				return reading.Commands, reading.Diags
			}, f.hold)
		})
	}
}

func TestQuotePowerShellRoundTrip(t *testing.T) {
	testRoundTrip(t, as(PowerShell), metered(powershell.Split), all)
}

// A browserForm is a way in which browsers have copied commands for cmd.exe.
type browserForm struct {
	name   string
	encode func([]byte, string) []byte
	lost   string // characters that the form cannot tell apart: see the encoder
}

var browserForms = []browserForm{
	{"today", encodeToday, "\r"},
	{"caretsInQuotes", encodeCaretsInQuotes, "\r"},
	{"doubledQuotes", encodeDoubledQuotes, "\r\n\\^"},
}

// quote writes a command as browsers do, each argument on a line.
func (f browserForm) quote(args []string) string {
	dst := []byte(args[0])
	for i, arg := range args[1:] {
		if i > 0 {
			dst = append(dst, " ^\n "...)
		}
		dst = f.encode(append(dst, ' '), arg)
	}
	return string(append(dst, " ^\n  --compressed"...))
}

// split reads the arguments back, less what every copy ends with.
func (f browserForm) split(src string, d source.Dialect) ([]word.Command, diag.List) {
	reading := source.Split(src, d, nil, meter.New(len(src), meter.Limits{}, nil), nil)
	for i := range reading.Commands {
		args := &reading.Commands[i].Args
		if last := len(*args) - 1; last > 0 && (*args)[last].Text == "--compressed" {
			*args = (*args)[:last]
		}
	}
	return reading.Commands, reading.Diags
}

// hold keeps what the form can hold.
func (f browserForm) hold(arg string) string { return drop(f.lost)(strings.ToValidUTF8(arg, "")) }

// What a browser copies is read as the browser meant it.
func TestBrowserRoundTrip(t *testing.T) {
	for _, f := range browserForms {
		t.Run(f.name, func(t *testing.T) {
			for _, d := range []source.Dialect{source.Cmd, source.Auto} {
				testRoundTrip(t, f.quote, func(src string, _ map[string]string) ([]word.Command, diag.List) { return f.split(src, d) }, f.hold)
			}
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
		case r < utf8.RuneSelf && (ascii.IsNameByte(byte(r)) || strings.ContainsRune(" \t-:=+~'/.,?;()*`", r)):
			if last == '%' && ascii.IsNameByte(byte(r)) {
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

// The shells themselves judge what is written for them: each reads many
// commands in one go.
func TestQuoteByShell(t *testing.T) {
	shells := []struct {
		program string
		options []string
		quote   func([]string) string
	}{
		{"bash", []string{"--noprofile", "--norc"}, as(POSIX)},
		{"bash", []string{"--noprofile", "--norc"}, as(Fish)},
		{"fish", []string{"--no-config"}, as(Fish)},
	}
	for _, s := range shells {
		t.Run(s.program, func(t *testing.T) {
			program, err := exec.LookPath(s.program)
			if err != nil {
				t.Skip(s.program + " is not installed")
			}
			r := rand.New(rand.NewPCG(2, 2))
			var script, want bytes.Buffer
			for range *roundTrips {
				args := randomArgs(r)
				script.WriteString(`printf '%s\0' ` + s.quote(args) + "\n")
				for _, arg := range args {
					want.WriteString(arg + "\x00")
				}
			}
			cmd := exec.Command(program, s.options...)
			cmd.Env = []string{"LC_ALL=C.UTF-8", "HOME=" + t.TempDir()}
			cmd.Stdin = &script
			got, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			if i := firstDifference(got, want.Bytes()); i >= 0 {
				t.Errorf("at byte %d it reads %.80q, want %.80q", i, got[min(i, len(got)):], want.Bytes()[min(i, want.Len()):])
			}
		})
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
		style Style
		want  string
	}{
		{POSIX, `curl -d '{"a":"it'\''s 100%A"}' 'a` + "\n" + `b' '' 'c\"d\' 'é' --`},
		{Fish, `curl -d '{"a":"it'\''s 100%A"}' 'a` + "\n" + `b' '' 'c'\\'"d'\\ 'é' --`},
		{Cmd, `curl -d ^"{\^"a\^":\^"it's 100^%^A\^"}^" ^"a^` + "\n\n" + `b^" ^"^" ^"c\\\^"d\\^" ^"é^" --`},
		{PowerShell, `& curl -d '{"a":"it''s 100%A"}' 'a` + "\n" + `b' '' 'c\\\"d\' 'é' '--'`},
	} {
		if got := Command(args, c.style); got != c.want {
			t.Errorf("%v\n got %s\nwant %s", c.style, got, c.want)
		}
	}
	if got, want := Command([]string{"a\x00\x01é\xff'\r"}, POSIX), `$'a\x01é\xff\'\r'`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func BenchmarkQuote(b *testing.B) {
	args := []string{"curl", "http://h.test/?a=1&b=%20", "-H", "User-Agent: it's", "-d", strings.Repeat(`{"a":"b\n"}`, 100)}
	for style, name := range []string{"posix", "fish", "cmd", "powershell"} {
		b.Run("style="+name, func(b *testing.B) {
			var dst []byte
			b.ReportAllocs()
			for b.Loop() {
				dst = dst[:0]
				for _, arg := range args {
					dst = AppendWord(dst, arg, Style(style))
				}
			}
		})
	}
}
