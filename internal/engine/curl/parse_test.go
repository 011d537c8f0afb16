package curl

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"uncoil/diag"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/word"
)

// words makes words of arguments as if they stood in a text one blank apart.
func words(args ...string) []word.Word {
	var out []word.Word
	at := int32(0)
	for _, arg := range args {
		end := at + int32(len(arg))
		out = append(out, word.Word{Text: arg, Span: diag.Span{Start: at, End: end}})
		at = end + 1
	}
	return out
}

// settings writes what was read: one text for each operation.
func settings(operations []Operation) []string {
	var out []string
	for _, op := range operations {
		var parts []string
		for _, s := range op.Settings {
			part := s.Long
			if !s.On {
				part = "no-" + part
			}
			if s.TakesArgument() {
				part += "=" + s.Value.Text
			}
			parts = append(parts, part)
		}
		out = append(out, strings.Join(parts, " "))
	}
	return out
}

func TestParseArgs(t *testing.T) {
	files := map[string][]byte{
		"conf": []byte("-H a:b\nurl = h.test/c\n"),
		"forms": []byte(strings.Join([]string{
			`user-agent "a \"b\" \\ \t\n\r\v\x"`, `referer=x y`, `data:z`, `--data =z`, `cookie = "open`, `silent`, ``, `  # c`, "\t", `max-time 3`,
		}, "\n")),
		"empty-argument": []byte("data \"\"\ndata =\nhead\n"),
	}
	tests := []struct {
		args []string
		want []string
		code diag.Code // of the error; want is not looked at then
	}{
		{args: nil, want: []string{""}},
		{args: []string{"h.test"}, want: []string{"url=h.test"}},
		{args: []string{"-X", "PUT", "h.test"}, want: []string{"request=PUT url=h.test"}},
		{args: []string{"-XPUT"}, want: []string{"request=PUT"}},
		{args: []string{"-X=PUT"}, want: []string{"request==PUT"}},
		{args: []string{"-sSLX", "PUT"}, want: []string{"silent show-error location request=PUT"}},
		{args: []string{"-sXL"}, want: []string{"silent request=L"}},
		{args: []string{"-X", "-s"}, want: []string{"request=-s"}},
		{args: []string{"-d", ""}, want: []string{"data="}},
		{args: []string{"--request", "PUT"}, want: []string{"request=PUT"}},
		{args: []string{"--request=PUT"}, want: []string{"request=PUT"}},
		{args: []string{"--data="}, want: []string{"data="}},
		{args: []string{"--data==a"}, want: []string{"data==a"}},
		{args: []string{"--data", "=a"}, want: []string{"data==a"}},
		{args: []string{"--silent=x", "h.test"}, want: []string{"silent url=h.test"}},
		{args: []string{"--no-silent"}, want: []string{"no-silent"}},
		{args: []string{"-N"}, want: []string{"no-buffer"}},
		{args: []string{"--no-buffer"}, want: []string{"no-buffer"}},
		{args: []string{"--buffer"}, want: []string{"buffer"}},
		{args: []string{"-d", "a", "--", "-X", "--"}, want: []string{"data=a url=-X url=--"}},
		{args: []string{"a", "--next", "b", "-:", "c"}, want: []string{"url=a", "url=b", "url=c"}},
		{args: []string{"a", "-:sd", "b"}, want: []string{"url=a", "url=b"}},
		{args: []string{"--url", "a", "--url=b"}, want: []string{"url=a url=b"}},
		{args: []string{"-K", "conf", "-H", "c:d"}, want: []string{"config=conf header=a:b url=h.test/c header=c:d"}},
		{args: []string{"-K", "forms"}, want: []string{"config=forms user-agent=a \"b\" \\ \t\n\r\vx referer=x data=z data==z cookie=open silent max-time=3"}},
		{args: []string{"-K", "empty-argument"}, code: diag.CodeMissingArgument},

		{args: []string{"--nosuch"}, code: diag.CodeUnknownOption},
		{args: []string{"--sil"}, code: diag.CodeUnknownOption},
		{args: []string{"--Silent"}, code: diag.CodeUnknownOption},
		{args: []string{"--no-no-silent"}, code: diag.CodeUnknownOption},
		{args: []string{"--no-data", "a"}, code: diag.CodeUnknownOption},
		{args: []string{"--no-next"}, code: diag.CodeUnknownOption},
		{args: []string{"---silent"}, code: diag.CodeUnknownOption},
		{args: []string{"-"}, code: diag.CodeUnknownOption},
		{args: []string{"-W"}, code: diag.CodeUnknownOption},
		{args: []string{"-sW"}, code: diag.CodeUnknownOption},
		{args: []string{"-é"}, code: diag.CodeUnknownOption},
		{args: []string{"--data"}, code: diag.CodeMissingArgument},
		{args: []string{"-sd"}, code: diag.CodeMissingArgument},
		{args: []string{"--next", "a"}, code: diag.CodeNoURL},
		{args: []string{"-V"}, code: diag.CodeNoURL},
		{args: []string{"--manual"}, code: diag.CodeNoURL},
		{args: []string{""}, code: diag.CodeInvalidArgument},
		{args: []string{"-K", "nosuch"}, code: diag.CodeFileNotSupplied},
		{args: []string{"-K", "-"}, code: diag.CodeStdinNotSupplied},
	}
	for _, test := range tests {
		operations, diags := ParseArgs(words(test.args...), &Inputs{Meter: meter.New(0, meter.Limits{}, nil), Files: files})
		if err := diags.Err(); test.code != "" {
			if err == nil || err.Code != test.code {
				t.Errorf("%q: the error is %v, want %s", test.args, err, test.code)
			}
			continue
		} else if err != nil {
			t.Errorf("%q: %s: %s", test.args, err.Code, err.Message)
			continue
		}
		if diff := cmp.Diff(test.want, settings(operations)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.args, diff)
		}
	}
}

// TestURLsOfAFile checks that the URLs of a file are marked, since they are no
// globs.
func TestURLsOfAFile(t *testing.T) {
	in := &Inputs{Meter: meter.New(0, meter.Limits{}, nil), Files: map[string][]byte{"list": []byte("h.test/1\n# no\nh.test/{2}\n")}}
	operations, diags := ParseArgs(words("--url", "@list", "h.test/3"), in)
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"no-url=h.test/1 no-url=h.test/{2} url=h.test/3"}, settings(operations)); diff != "" {
		t.Error(diff)
	}
	if operations[0].URLs != 3 {
		t.Errorf("%d URLs", operations[0].URLs)
	}
}

// TestSpans checks that settings have their spans.
func TestSpans(t *testing.T) {
	operations, _ := ParseArgs(words("-sXPUT", "--data=ab", "-H", "c:d", "h.test"), &Inputs{Meter: meter.New(0, meter.Limits{}, nil)})
	var got []string
	for _, s := range operations[0].Settings {
		got = append(got, fmt.Sprintf("%s %s %d-%d %d-%d", s.Long, s.Name, s.Span.Start, s.Span.End, s.Value.Span.Start, s.Value.Span.End))
	}
	want := []string{
		"silent -s 0-2 0-0",
		"request -X 2-3 3-6",
		"data --data 7-16 14-16",
		"header -H 17-19 20-23",
		"url  24-30 24-30",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestLeadingVariable checks that a word that begins with an unknown part is a
// URL, whatever the part is spelled like.
func TestLeadingVariable(t *testing.T) {
	w := word.Word{Text: "-$A", Holes: []word.Hole{{Start: 0, End: 3, Expr: "-$A"}}}
	operations, diags := ParseArgs([]word.Word{w}, &Inputs{Meter: meter.New(0, meter.Limits{}, nil)})
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	if s := operations[0].Settings; len(s) != 1 || s[0].ID != OptUrl {
		t.Errorf("the settings are %v", s)
	}
}

func TestConflicts(t *testing.T) {
	tests := []struct {
		args string
		ok   bool
	}{
		{"-I -F a=b h", false},
		{"-F a=b -I h", false},
		{"-I -I h", true},
		{"-F a=b -F c=d h", true},
		{"-I h --next -F a=b h", true},
		{"-r 0-1 -C 5 h", false},
		{"-C 5 -r 0-1 h", false},
		{"-C 5 --remove-on-error h", false},
		{"--remove-on-error -C 5 h", false},
		{"--remove-on-error --no-remove-on-error -C 5 h", true},
		{"-C 5 --no-clobber h", false},
		{"--no-clobber --clobber -C 5 h", true},
		{"-J -C - h", false},
		{"-J -C 5 h", true},
		{"--tlsv1.3 --tls-max 1.2 h", false},
		{"--tls-max 1.2 --tlsv1.3 h", false},
		{"--tlsv1.2 --tls-max 1.2 h", true},
		{"--etag-save a h i", false},
		{"h i --etag-save a", false},
		{"h --etag-save a --next i", true},
		{"-F a=b -F =) h", false},
		{"-F a=( -F =) h", true},
		{"-F a=( -F =) -F =) h", false},
	}
	for _, test := range tests {
		_, diags := ParseArgs(words(strings.Fields(test.args)...), &Inputs{Meter: meter.New(0, meter.Limits{}, nil)})
		if err := diags.Err(); (err == nil) != test.ok {
			t.Errorf("%s: %v", test.args, err)
		}
	}
}

func TestArguments(t *testing.T) {
	tests := []struct {
		option string
		good   []string
		bad    []string
	}{
		{"--retry", []string{"0", "5", "007"}, []string{"", "x", "-1", "1x", "1.5", "99999999999999999999"}},
		{"--max-time", []string{"0", "1", "2.5", "0.001", "5s"}, []string{"x", "-1", ".5", "1.", "1.x"}},
		{"--limit-rate", []string{"0", "100", "10k", "1.5M", "2G", "1T", "1P", "5b"}, []string{"x", "-1", "1X", "1kk", "1.5", "1.5b", "k", "9999999P"}},
		{"--max-filesize", []string{"1", "10K"}, []string{"1Z"}},
		{"--rate", []string{"2/s", "2", "1/2m", "3/h", "3/d"}, []string{"x", "0/s", "2/x", "2/", "3700000"}},
		{"--max-redirs", []string{"-1", "0", "5"}, []string{"-2", "x", "--1"}},
		{"--create-file-mode", []string{"0", "644", "0777"}, []string{"8", "1000", "x", "-1"}},
		{"--local-port", []string{"1", "1-2", "1 - 2", "65535"}, []string{"65536", "2-1", "1-", "x", "1-65536"}},
		{"--tls-max", []string{"default", "1.0", "1.3"}, []string{"1", "2.0", "DEFAULT", "1.4"}},
		{"--proto", []string{"=https", "all", "-all,http", "http", "nosuch"}, []string{"-all", "=nosuch"}},
		{"--proto-default", []string{"https", "HTTP"}, []string{"nosuch"}},
		{"--continue-at", []string{"-", "0", "99"}, []string{"x", "1-"}},
		{"--ip-tos", []string{"CS1", "0", "255"}, []string{"256", "x"}},
		{"--vlan-priority", []string{"0", "7"}, []string{"8"}},
		{"--upload-flags", []string{"seen", "-seen,draft"}, []string{"x", "seen,x"}},
	}
	for _, test := range tests {
		for _, arg := range test.good {
			if _, diags := ParseArgs(words(test.option, arg, "h"), &Inputs{Meter: meter.New(0, meter.Limits{}, nil)}); diags.Err() != nil {
				t.Errorf("%s %q is refused: %s", test.option, arg, diags.Err().Message)
			}
		}
		for _, arg := range test.bad {
			_, diags := ParseArgs(words(test.option, arg, "h"), &Inputs{Meter: meter.New(0, meter.Limits{}, nil)})
			if err := diags.Err(); err == nil || err.Code != diag.CodeInvalidArgument {
				t.Errorf("%s %q is not refused: %v", test.option, arg, err)
			}
		}
		// An argument with unknown parts passes.
		w := words(test.option, "$X")
		w[1].Holes = []word.Hole{{Start: 0, End: 2, Expr: "$X"}}
		if _, diags := ParseArgs(w, &Inputs{Meter: meter.New(0, meter.Limits{}, nil)}); diags.Err() != nil {
			t.Errorf("%s $X is refused: %s", test.option, diags.Err().Message)
		}
	}
}

func TestParseSize(t *testing.T) {
	tests := map[string]int64{
		"0": 0, "1": 1, "10b": 10, "1k": 1024, "1K": 1024, "1.5k": 1536, "2M": 2 << 20, "1g": 1 << 30, "1T": 1 << 40, "3P": 3 << 50,
		"0.25k": 256, "9223372036854775807": 1<<63 - 1,
	}
	for in, want := range tests {
		if got, problem := ParseSize(in); got != want || problem != "" {
			t.Errorf("ParseSize(%q) = %d, %q, want %d", in, got, problem, want)
		}
	}
}

func TestParseSeconds(t *testing.T) {
	tests := map[string]float64{"0": 0, "1": 1, "2.5": 2.5, "0.001": 0.001, "0.0009": 0, "1.2345": 1.234, "3s": 3, "10.5x": 10.5}
	for in, want := range tests {
		if got, problem := ParseSeconds(in); got != want || problem != "" {
			t.Errorf("ParseSeconds(%q) = %v, %q, want %v", in, got, problem, want)
		}
	}
}

func TestParseProtocols(t *testing.T) {
	tests := []struct {
		list string
		want string // of http, https and ftp, those allowed
	}{
		{"=https", "https"},
		{"-all,https", "https"},
		{"-http", "ftp https"},
		{"http", "ftp http https"},
		{"=http,+ftp", "ftp http"},
		{"=HTTP", "http"},
		{"=http,-http", ""},
		{"=nosuch,+http", "http"},
		{",=http,", "http"},
	}
	for _, test := range tests {
		allowed := ParseProtocols(test.list, false)
		var got []string
		for _, p := range []string{"ftp", "http", "https"} {
			if allowed.Has(p) {
				got = append(got, p)
			}
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("ParseProtocols(%q) allows %v, want %s", test.list, got, test.want)
		}
	}
}

func TestConfigLines(t *testing.T) {
	got := slices.Collect(ConfigLines("a\n\n# b\n \t# c\n  \nd # e\r\nf\x00g\n  h"))
	if diff := cmp.Diff([]string{"a", "d # e\r", "f  h"}, got); diff != "" {
		t.Error(diff)
	}
	if got := slices.Collect(ConfigLines("a\n\x00b\nc\n")); !slices.Equal(got, []string{"a"}) {
		t.Errorf("a NUL at the start of a line leaves %q", got)
	}
	long := strings.Repeat("x", 127)
	if got := slices.Collect(ConfigLines(long + "y\x00z\nw\n")); !slices.Equal(got, []string{long + "yw"}) {
		t.Errorf("a NUL in a long line leaves %q", got)
	}
}

// FuzzParseArgs checks what holds for any arguments: settings with options of
// the table, and perhaps an error with a span.
func FuzzParseArgs(f *testing.F) {
	for _, seed := range []string{
		"-sSLXPUT\nh.test", "--data=a\n--next\nb", "-K\nconf\n-d\n@-", "--variable\na=b\n--expand-url\n{{a:b64}}", "-F\na=(\n-F\n=)", "--\n-x",
		"--no-head\n-I", "-:\n-", "@conf\n--url\n@conf", "--limit-rate\n1.5k\n--proto\n-all,=http",
	} {
		f.Add(seed, []byte("url=x\n-H \"a: b\"\nconfig = conf\n"))
	}
	f.Fuzz(func(t *testing.T, text string, conf []byte) {
		args := words(strings.Split(text, "\n")...)
		in := &Inputs{Meter: meter.New(0, meter.Limits{}, nil), Files: map[string][]byte{"conf": conf}, Env: map[string]string{"HOME": "/h"}}
		operations, diags := ParseArgs(args, in)
		if len(operations) == 0 {
			t.Fatal("no operations")
		}
		for _, op := range operations {
			urls := 0
			for _, s := range op.Settings {
				if s.Option == nil || Lookup(s.Long) != s.Option {
					t.Fatalf("a setting of %v", s)
				}
				if s.ID == OptUrl {
					urls++
				}
				checkSpan(t, s.Span, len(text))
				checkSpan(t, s.Value.Span, len(text))
			}
			if diags.Err() == nil && urls != op.URLs {
				t.Errorf("%d URLs are counted, and %d there", op.URLs, urls)
			}
		}
		for _, d := range diags {
			checkSpan(t, d.Span, len(text))
			if d.Message == "" || d.Code == "" {
				t.Errorf("a diagnostic of %+v", d)
			}
		}
	})
}

func checkSpan(t *testing.T, s diag.Span, length int) {
	t.Helper()
	if s.Start < 0 || s.End < s.Start || int(s.End) > length {
		t.Errorf("the place %v is not in a text of %d bytes", s, length)
	}
}
