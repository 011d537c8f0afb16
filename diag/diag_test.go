package diag

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPosition(t *testing.T) {
	const src = "ab\ncdé f\n\n\xffg"
	tests := []struct {
		offset       int32
		line, column int
	}{
		{0, 1, 1}, {1, 1, 2}, {2, 1, 3}, {3, 2, 1}, {5, 2, 3}, {7, 2, 4}, {9, 2, 6}, {10, 3, 1}, {11, 4, 1}, {12, 4, 2}, {13, 4, 3},
		{-1, 1, 1}, {99, 4, 3},
	}
	for _, test := range tests {
		if line, column := Position(src, test.offset); line != test.line || column != test.column {
			t.Errorf("byte %d is %d:%d, want %d:%d", test.offset, line, column, test.line, test.column)
		}
	}
}

// FuzzPositions holds Positions against Position.
func FuzzPositions(f *testing.F) {
	f.Add(strings.Repeat("é", 600)+"\n"+strings.Repeat("\xff\x80", 600), uint16(700), uint16(2000))
	f.Add(strings.Repeat("x", 511)+"€"+strings.Repeat("\n\x80", 1000), uint16(513), uint16(1))
	f.Add("", uint16(0), uint16(9))
	f.Fuzz(func(t *testing.T, src string, a, b uint16) {
		p := NewPositions(src)
		for _, offset := range []int32{int32(a), int32(b), -1, int32(a) / 2, int32(len(src))} {
			line, column := p.At(offset)
			if l, c := Position(src, offset); line != l || column != c {
				t.Errorf("byte %d is %d:%d, want %d:%d", offset, line, column, l, c)
			}
		}
	})
}

func TestAppendText(t *testing.T) {
	long := strings.Repeat("x", 200)
	tests := []struct {
		name string
		d    Diagnostic
		src  string
		want string
	}{
		{"plain", Diagnostic{Code: "c", Severity: SeverityError, Span: Span{5, 8}, Message: "m", Hint: "h"}, "curl abc d",
			"1:6: c: m\ncurl abc d\n     ^^^\nhint: h\n"},
		{"warning", Diagnostic{Code: "c", Severity: SeverityWarning, Span: Span{0, 0}, Message: "m"}, "curl", "1:1: warning: c: m\ncurl\n^\n"},
		{"second line", Diagnostic{Code: "c", Severity: SeverityError, Span: Span{5, 6}, Message: "m"}, "abc\nde\nf", "2:2: c: m\nde\n ^\n"},
		{"span over lines", Diagnostic{Code: "c", Severity: SeverityError, Span: Span{1, 6}, Message: "m"}, "abc\ndef", "1:2: c: m\nabc\n ^^\n"},
		{"characters", Diagnostic{Code: "c", Severity: SeverityError, Span: Span{5, 8}, Message: "m"}, "é é é!", "1:4: c: m\né é é!\n   ^^\n"},
		{"tabs and controls", Diagnostic{Code: "c", Severity: SeverityError, Span: Span{2, 3}, Message: "m"}, "\t\x1b[x", "1:3: c: m\n �[x\n  ^\n"},
		{"no text", Diagnostic{Code: "c", Severity: SeverityError, Message: "m"}, "", "1:1: c: m\n"},
		{"at the end", Diagnostic{Code: "c", Severity: SeverityError, Span: Span{3, 3}, Message: "m"}, "abc", "1:4: c: m\nabc\n   ^\n"},
		{"outside", Diagnostic{Code: "c", Severity: SeverityError, Span: Span{30, 40}, Message: "m"}, "abc", "1:4: c: m\nabc\n   ^\n"},
		{"long line", Diagnostic{Code: "c", Severity: SeverityError, Span: Span{100, 102}, Message: "m"}, long,
			"1:101: c: m\n..." + strings.Repeat("x", 100) + "...\n" + strings.Repeat(" ", 56) + "^^\n"},
		{"wide letters", Diagnostic{Code: "c", Severity: SeverityError, Span: Span{8, 11}, Message: "m"}, "a 名 é名 b", "1:6: c: m\na 名 é名 b\n      ^^\n"},
		{"a combining mark", Diagnostic{Code: "c", Severity: SeverityError, Span: Span{4, 5}, Message: "m"}, "e\u0301 b", "1:4: c: m\ne\u0301 b\n  ^\n"},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, string(test.d.AppendText(nil, test.src))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// FuzzAppendText checks what holds for any text and span: there is a line
// with the caret, and nothing of the text can move the terminal's cursor.
func FuzzAppendText(f *testing.F) {
	f.Add("curl 'x", int32(5), int32(7))
	f.Add("a\n\xff\xff\tb", int32(3), int32(99))
	f.Add(strings.Repeat(" ", 50)+strings.Repeat("\x8c", 51), int32(50), int32(101))
	f.Add(strings.Repeat("é", 200), int32(101), int32(150))
	f.Fuzz(func(t *testing.T, src string, start, end int32) {
		d := Diagnostic{Code: "c", Severity: SeverityError, Span: Span{start, end}, Message: "m", Fix: &Fix{Span: Span{start, end}, Text: src}}
		text := string(d.AppendText(nil, src))
		lines := strings.Split(text, "\n")
		want := 4
		if src == "" {
			want = 2
		}
		if len(lines) < want {
			t.Fatalf("%d lines: %q", len(lines), text)
		}
		if safe := string(AppendPrintableLines(nil, text)); safe != text {
			t.Errorf("a control character is left: %q", text)
		}
		if len(text) > 4000 { // a byte that is no character becomes one of three
			t.Errorf("%d bytes of text", len(text))
		}
	})
}

func TestList(t *testing.T) {
	var l List
	if l.Err() != nil || l.Warnings() != nil {
		t.Error("an empty list holds something")
	}
	l.Warn("w", Span{1, 2}, "m", "h")
	if l.Err() != nil {
		t.Error("a warning is an error")
	}
	l.Error("e", At(3), "m", "")
	l.Error("f", At(4), "m", "")
	if e := l.Err(); e == nil || e.Code != "e" {
		t.Errorf("the first error is %+v", e)
	}
	if w := l.Warnings(); len(w) != 1 || w[0].Code != "w" {
		t.Errorf("the warnings are %+v", w)
	}
	if s := Join(Span{3, 5}, Span{1, 4}); s != (Span{1, 5}) {
		t.Errorf("Join gives %v", s)
	}
}

func TestCodes(t *testing.T) {
	form := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	titles := make(map[string]Code)
	for _, c := range ErrorCodes() {
		if !form.MatchString(string(c)) {
			t.Errorf("the code %s is not in kebab-case", c)
		}
		title := c.Title()
		if other, ok := titles[title]; ok {
			t.Errorf("%s and %s have one title: %s", c, other, title)
		}
		titles[title] = c
	}
	if got := Code("no-such-code").Title(); got != "no-such-code" {
		t.Errorf("the title of an unknown code is %q", got)
	}
}

func TestWarnFix(t *testing.T) {
	var l List
	l.Warn(WarnRedundantMethod, Span{0, 4}, "m", "h")
	l.WarnFix(WarnLooksLikeOption, Span{0, 4}, "m", "h", Span{2, 4}, "xy")
	l.Error(CodeNoURL, Span{}, "m", "")
	want := List{
		{Code: WarnRedundantMethod, Severity: SeverityWarning, Level: LevelAdvice, Span: Span{0, 4}, Message: "m", Hint: "h"},
		{Code: WarnLooksLikeOption, Severity: SeverityWarning, Level: LevelDoubt, Span: Span{0, 4}, Message: "m", Hint: "h", Fix: &Fix{Span{2, 4}, "xy"}},
		{Code: CodeNoURL, Severity: SeverityError, Message: "m"},
	}
	if diff := cmp.Diff(want, l); diff != "" {
		t.Errorf("the list is (-want +got):\n%s", diff)
	}
	if LevelDoubt.String() != "doubt" || LevelAdvice.String() != "advice" {
		t.Error("a level is not called as the API calls it")
	}
}

// TestMarshalJSON checks that a diagnostic is JSON without its text, an error has no level,
// and no constant that there is not has a name.
func TestMarshalJSON(t *testing.T) {
	for want, d := range map[string]Diagnostic{
		`{"code":"c","level":"doubt","message":"m","span":{"start":1,"end":2},"hint":"h","fix":{"span":{"start":1,"end":2},"text":"x"},"option":"-o","files":["f"]}`: {
			Code: "c", Severity: SeverityWarning, Level: LevelDoubt, Message: "m", Span: Span{1, 2}, Hint: "h", Fix: &Fix{Span{1, 2}, "x"}, Option: "-o", Files: []string{"f"}},
		`{"code":"c","message":"m","span":{"start":0,"end":0}}`: {Code: "c", Severity: SeverityError, Message: "m"},
	} {
		if got, err := json.Marshal(&d); err != nil || string(got) != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
	names, err := json.Marshal([]any{Severity(0), SeverityWarning, SeverityError, Severity(3), Level(0), LevelAdvice})
	if want := `["","warning","error","","","advice"]`; err != nil || string(names) != want {
		t.Errorf("got %s, %v, want %s", names, err, want)
	}
}

// TestAppendTextFix holds that the whole text stands there with the fix, or the edit alone.
func TestAppendTextFix(t *testing.T) {
	long := strings.Repeat("é", 400)
	for _, c := range []struct {
		src  string
		fix  Fix
		want string
	}{
		{"curl --hedaer x", Fix{Span: Span{Start: 7, End: 13}, Text: "header"}, "fix: curl --header x\n"},
		{"curl --hedaer x\r\n\n", Fix{Span: Span{Start: 7, End: 13}, Text: "header"}, "fix: curl --header x\n"},
		{"curl a \\\n\tb c", Fix{Span: Span{Start: 12, End: 13}, Text: "d"}, "fix:\ncurl a \\\n\tb d\n"},
		{"curl \x1b a", Fix{Span: Span{Start: 8, End: 8}, Text: "b"}, "fix: curl � ab\n"},
		{"curl -x " + long, Fix{Span: Span{Start: 5, End: 7}, Text: "-X"}, "fix: -x → -X\n"},
		{"curl '" + long, Fix{Span: Span{Start: 806, End: 806}, Text: "'"}, "fix: insert '\n"},
		{"curl " + long + " --hedaer x", Fix{Span: Span{Start: 808, End: 814}, Text: "header"}, "fix: --hedaer → --header\n"},
		{"curl x " + long, Fix{Span: Span{Start: 5, End: 7}}, "fix: remove x \n"},
		{"curl " + long + long, Fix{Span: Span{Start: 5, End: 805}}, "fix: a long edit\n"},
	} {
		d := Diagnostic{Code: "c", Message: "m", Fix: &c.fix}
		text := string(d.AppendText(nil, c.src))
		if got := text[strings.Index(text, "fix:"):]; got != c.want {
			t.Errorf("%q: got %q, want %q", c.src, got, c.want)
		}
	}
	if got := Fixed("abcdef", &Fix{Span: Span{Start: 1, End: 2}, Text: "x"}, &Fix{Span: Span{Start: 2, End: 2}, Text: "y"}, &Fix{Span: Span{Start: 5, End: 6}}); got != "axycde" {
		t.Errorf("three edits give %q", got)
	}
}

// TestReportFits holds that an excerpt is no wider than the terminal, and that the carets
// stand under what they are about.
func TestReportFits(t *testing.T) {
	for _, src := range []string{strings.Repeat("x", 300), strings.Repeat("名", 150), "curl " + strings.Repeat("é名", 90)} {
		for start := 0; start < len(src); start += 7 {
			for _, columns := range []int{24, 40, 79, 80, 200} {
				d := Diagnostic{Code: "c", Message: "m", Span: Span{int32(start), int32(start + 40)}}
				lines := strings.Split(string(d.AppendReport(nil, src, columns)), "\n")
				if width(lines[1]) > columns || width(lines[2]) > columns {
					t.Fatalf("%d of %q in %d columns: %q", start, src, columns, lines)
				}
				at := strings.Index(lines[2], "^")
				from := fit(lines[1], 0, at)
				under := runeStart(src, start)
				if !strings.HasPrefix(src[under:], strings.TrimSuffix(lines[1][from:], cutMark)) {
					t.Fatalf("%d of %q in %d columns: %q", start, src, columns, lines)
				}
			}
		}
	}
}
