package transfer

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"uncoil/diag"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/word"
)

// arguments are arguments that curl takes, for the options that do not take
// just any text.
var arguments = map[curl.OptionID]string{
	curl.OptContinueAt: "5", curl.OptCreateFileMode: "0644", curl.OptIpTos: "CS1", curl.OptLimitRate: "1k", curl.OptLocalPort: "1-2", curl.OptMaxFilesize: "1k",
	curl.OptMaxRedirs: "3", curl.OptProto: "=http", curl.OptProtoDefault: "http", curl.OptProtoRedir: "=http", curl.OptRate: "1/s", curl.OptTlsMax: "1.3",
	curl.OptUploadFlags: "seen", curl.OptHostpubmd5: strings.Repeat("a", 32), curl.OptForm: "a=b", curl.OptFormString: "a=b", curl.OptHeader: "A: b", curl.OptCookie: "a=b",
	curl.OptData: "a=b", curl.OptRange: "1-2", curl.OptTimeCond: "2024-12-24", curl.OptVariable: "a=b", curl.OptConfig: "file", curl.OptProxy: "p.test",
	curl.OptResolve: "h.test:80:1.2.3.4", curl.OptConnectTo: "::a:", curl.OptNetrcFile: "file", curl.OptHsts: "file", curl.OptHelp: "",
}

// shapes are the ways in which an option is made long: of each, a text of
// about n bytes.
var shapes = []struct {
	name string
	args func(o *curl.Option, n int) []string
}{
	{"repeated", func(o *curl.Option, n int) []string { return repeated(o, n, func(int) string { return argument(o) }) }},
	{"many names", func(o *curl.Option, n int) []string {
		return repeated(o, n, func(i int) string { return fmt.Sprintf("%s%d", argument(o), i) })
	}},
	{"files", func(o *curl.Option, n int) []string { return repeated(o, n, func(int) string { return "@file" }) }},
	{"missing files", func(o *curl.Option, n int) []string {
		return repeated(o, n, func(i int) string { return fmt.Sprintf("@missing%d", i) })
	}},
	{"expanded", func(o *curl.Option, n int) []string {
		args := []string{"--variable", "v=" + argument(o)}
		for range n / (len("--expand-") + len(o.Long) + len("{{v}}")) {
			args = append(args, "--expand-"+o.Long, "{{v}}")
		}
		return args
	}},
	{"next", func(o *curl.Option, n int) []string {
		var args []string
		for range n / (len(o.Long) + 16) {
			args = append(append(args, repeated(o, 1, func(int) string { return argument(o) })...), "--next", "h.test")
		}
		return args
	}},
	{"long", func(o *curl.Option, n int) []string {
		return repeated(o, 1, func(int) string { return strings.Repeat("x", n) })
	}},
	{"long list", func(o *curl.Option, n int) []string {
		return repeated(o, 1, func(int) string { return strings.Repeat(argument(o)+",", n/(len(argument(o))+1)) })
	}},
	{"long pairs", func(o *curl.Option, n int) []string {
		return repeated(o, 1, func(int) string { return strings.Repeat("a=b;", n/4) })
	}},
	{"long path", func(o *curl.Option, n int) []string {
		return repeated(o, 1, func(int) string { return "h.test/" + strings.Repeat("a/../", n/5) })
	}},
	{"digits", func(o *curl.Option, n int) []string {
		return repeated(o, 1, func(int) string { return strings.Repeat("1", n) })
	}},
	{"glob", func(o *curl.Option, n int) []string {
		return append(repeated(o, 1, func(int) string { return strings.Repeat("a=b;", n/8) }), "h.test/[1-20]", strings.Repeat("y", n/2))
	}},
	{"glob repeated", func(o *curl.Option, n int) []string {
		return append(repeated(o, n, func(int) string { return argument(o) }), "h.test/[1-20]")
	}},
}

// argument returns an argument that an option takes.
func argument(o *curl.Option) string {
	if text, ok := arguments[o.ID]; ok {
		return text
	}
	if o.Arg == curl.ArgUnsigned || o.Arg == curl.ArgSeconds {
		return "3"
	}
	return "value"
}

// repeated uses an option as often as n bytes allow, at least once.
func repeated(o *curl.Option, n int, text func(i int) string) []string {
	var args []string
	for i := 0; n > 0; i++ {
		args = append(args, "--"+o.Long)
		n -= len(o.Long) + 3
		if o.TakesArgument() {
			args = append(args, text(i))
			n -= len(args[len(args)-1]) + 1
		}
	}
	return args
}

// A cost is what a command costs: in units of the meter, and in bytes that
// were allocated.
type cost struct {
	steps, bytes, allocated int64
	refused                 bool
}

// costOf reads arguments and builds the requests, with one file.
func costOf(args []string) cost {
	words := make([]word.Word, 0, len(args))
	size := 0
	for _, arg := range args {
		words = append(words, word.Word{Text: arg})
		size += len(arg)
	}
	file := []byte("X: y\nmachine h.test login a password b\nh.test FALSE / FALSE 0 a b\n")
	in := &curl.Inputs{Meter: meter.New(size, meter.Limits{}, nil), Files: map[string][]byte{"file": file, "value": file}}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	operations, diags := curl.ParseArgs(words, in)
	if diags.Err() == nil {
		_, more, _ := Requests(operations, in, Room{Total: UsualRequests}, diag.Span{})
		diags = append(diags, more...)
	}
	runtime.ReadMemStats(&after)
	steps, bytes := in.Meter.Spent()
	return cost{steps, bytes, int64(after.TotalAlloc - before.TotalAlloc), diags.Err() != nil}
}

// TestGrowth holds for each option of curl, in many shapes, that a command
// that is twice as long costs twice as much, or is refused, and that what is
// allocated was paid for.
func TestGrowth(t *testing.T) {
	options := curl.Options()
	for i := range options {
		o := &options[i]
		if testing.Short() && i%8 != 0 {
			continue
		}
		for _, shape := range shapes {
			if o.ID == curl.OptUrl && shape.name != "next" && !strings.HasPrefix(shape.name, "long") {
				continue // each of at most UsualRequests requests looks at all settings
			}
			checkGrowth(t, "--"+o.Long+", "+shape.name, func(n int) []string { return append([]string{"h.test"}, shape.args(o, n)...) })
		}
	}
	for _, u := range []struct{ name, before, piece, after string }{
		{"segments", "h.test/", "a/", ""}, {"dot segments", "h.test/", "a/../", ""}, {"encoded dots", "h.test/", "%2e%2E/", ""}, {"percent", "h.test/", "%c3%a9", ""},
		{"bytes", "h.test/", "é", ""}, {"query", "h.test?", "a=%2f&", ""}, {"fragment", "h.test#", "x", ""}, {"user", "http://", "u:", "@h.test"}, {"at", "http://", "a@", "h.test"},
		{"labels", "http://", "a.", "test"}, {"numbers", "http://", "1.", "1"}, {"hexadecimal", "http://0x", "1", ""}, {"IDN", "http://", "é", ".test"}, {"IDN labels", "http://", "é.", "test"},
		{"combining", "http://a", "\u0301\u0316", ".test"}, {"invisible", "http://é", "\u00ad", ".test"}, {"encoded host", "http://", "%41", ".test"}, {"IPv6", "http://[", "1:", "]"}, {"zone", "http://[::1%25", "x", "]"},
		{"scheme", "", "a", "://h.test"}, {"slashes", "http:", "/", "h.test"}, {"port", "http://h.test:", "1", "/"}, {"backslashes", "h.test/", `\`, ""}, {"escaped braces", "h.test/", `\{\}`, ""},
		{"templates", "h.test/", "{{a}}", ""}, {"names", "h.test/", "{id}/", ""}, {"angles", "h.test/", "<id>/", ""}, {"open braces", "h.test/", "{{", ""}, {"open angles", "h.test/", "<a ", ""},
		{"elements", "h.test/{", "a,", "b}"}, {"escaped elements", "h.test/{", `\a\,,`, "b}"}, {"sets", "h.test/", "{a}", ""}, {"ranges", "h.test/", "[1-1]", ""}, {"brackets", "h.test/", "[]", ""}, {"addresses", "h.test/", "[::1]", ""},
		{"zeros", "h.test/[", "0", "1-9]"}, {"range and text", "h.test/[1-1000]", "x", ""}, {"range and dots", "h.test/[1-1000]", "/a/..", ""}, {"range and templates", "h.test/[1-1000]", "{{a}}", ""},
		{"range and query", "h.test/[1-1000]?", "a=b&", ""}, {"names of globs", "h.test/", "{<n>a}", ""}, {"nested", "h.test/", "{a{", ""},
	} {
		checkGrowth(t, "a URL of many "+u.name, func(n int) []string { return []string{u.before + strings.Repeat(u.piece, n/len(u.piece)) + u.after} })
		checkGrowth(t, "-T with many "+u.name, func(n int) []string {
			return []string{"h.test", "-T", u.before + strings.Repeat(u.piece, n/len(u.piece)) + u.after}
		})
	}
	for _, output := range []string{"#1", "#<n>", "#<", "#2", "#11111", "#<a", "##"} {
		for _, url := range []string{"h.test/[1-1000]", "h.test/{<n>" + strings.Repeat("a", 1000) + ",b}"} {
			checkGrowth(t, "-o with many "+output, func(n int) []string { return []string{url, "-o", strings.Repeat(output, n/len(output))} })
		}
	}
}

// checkGrowth holds the law for commands of about n bytes.
func checkGrowth(t *testing.T, name string, args func(n int) []string) {
	t.Helper()
	const n = 2048
	one, four := costOf(args(n)), costOf(args(4*n))
	if !four.refused && !one.refused && (four.steps > 5*one.steps+4096 || four.bytes > 5*one.bytes+4096) {
		t.Errorf("%s: %d bytes cost %d steps and %d bytes, four times as many cost %d and %d", name, n, one.steps, one.bytes, four.steps, four.bytes)
	}
	if most := 2*four.bytes + 16*4*n + 1<<16; four.allocated > most {
		t.Errorf("%s: %d bytes are allocated and %d paid for", name, four.allocated, four.bytes)
	}
}
