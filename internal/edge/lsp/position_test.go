package lsp

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"
)

// reference counts as the protocol is written: it goes through the text line by line.
func reference(text string, offset int, in encoding) position {
	before := text[:offset]
	// A \r before \n ends no line of its own, and offsets within both are on that line.
	p := position{}
	start := 0
	for i := 0; i < len(before); i++ {
		if before[i] == '\n' || before[i] == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			p.Line++
			start = i + 1
		}
	}
	line := before[start:]
	switch in {
	case utf8Units:
		p.Character = len(line)
	case utf32Units:
		p.Character = len([]rune(line))
	default:
		p.Character = len(utf16.Encode([]rune(line)))
	}
	return p
}

func randomText(r *rand.Rand, n int) string {
	pieces := []string{"a", "é", "€", "😀", "\n", "\r\n", "\r", " ", "curl"}
	var b strings.Builder
	for range n {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

// Each place of a text has the position that the protocol gives it, and the position
// leads back to it, in lines that are short and long.
func TestIndex(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	texts := []string{"", "\n", "\r", "a\r\nb", strings.Repeat("😀é", 700), strings.Repeat("a", 513) + "\n" + strings.Repeat("€", 600)}
	for range 50 {
		texts = append(texts, randomText(r, r.IntN(60)), randomText(r, 700))
	}
	for _, text := range texts {
		for _, in := range []encoding{utf8Units, utf16Units, utf32Units} {
			x := newIndex(text, in)
			for offset := range text + "." {
				p := x.at(offset)
				if want := reference(text, offset, in); p != want {
					t.Fatalf("%q, %s: the offset %d is at %v, want %v", text, in, offset, p, want)
				}
				back := offset
				if offset > 0 && offset < len(text) && text[offset-1] == '\r' && text[offset] == '\n' {
					back-- // a position does not stand within the end of a line
				}
				if got := x.offset(p); got != back {
					t.Fatalf("%q, %s: %v is the offset %d, want %d", text, in, p, got, back)
				}
			}
		}
	}
}

// Positions that are in no text are moved into it.
func TestIndexOutside(t *testing.T) {
	x := newIndex("ab\r\n😀c", utf16Units)
	for _, test := range []struct {
		at   position
		want int
	}{
		{position{0, 9}, 2}, {position{7, 0}, 9}, {position{-1, 3}, 0}, {position{0, -5}, 0},
		{position{1, 1}, 4}, {position{1, 2}, 8}, {position{1, 1 << 40}, 9},
	} {
		if got := x.offset(test.at); got != test.want {
			t.Errorf("%v is the offset %d, want %d", test.at, got, test.want)
		}
	}
}

// A document that is changed piece by piece is the one that an editor has: here a text in
// units of UTF-16, cut and joined without an index.
func TestChanges(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		text := randomText(r, r.IntN(40))
		d := &document{}
		d.set(text)
		var changes []change
		for range 1 + r.IntN(5) {
			starts := []int{len(text)}
			for i := range text {
				starts = append(starts, i)
			}
			a, b := starts[r.IntN(len(starts))], starts[r.IntN(len(starts))]
			if a > b {
				a, b = b, a
			}
			within := func(i int) bool { return i > 0 && i < len(text) && text[i-1] == '\r' && text[i] == '\n' }
			if within(a) || within(b) {
				continue
			}
			fresh := randomText(r, r.IntN(4))
			changes = append(changes, change{&span{reference(text, a, utf16Units), reference(text, b, utf16Units)}, fresh})
			text = text[:a] + fresh + text[b:]
		}
		if d.apply(changes, utf16Units, maxCopied); d.text != text {
			t.Fatalf("%+v leaves %q, want %q", changes, d.text, text)
		}
	}
}

// A text that grows over the limit is let be, and so is one that is changed without end.
func TestLimits(t *testing.T) {
	d := &document{}
	d.set(strings.Repeat("a", maxDocument))
	d.apply([]change{{&span{}, ""}, {&span{}, "b"}}, utf16Units, maxCopied)
	if d.unread != tooLong || d.text != "" {
		t.Errorf("%q, %d bytes", d.unread, len(d.text))
	}
	d = &document{}
	d.apply(make([]change, 3), utf16Units, maxCopied)
	whole := strings.Repeat("a", maxDocument)
	d.apply(func() (all []change) {
		for range maxCopied/maxDocument + 1 {
			all = append(all, change{nil, whole})
		}
		return all
	}(), utf16Units, maxCopied)
	if d.unread == "" || d.unread == tooLong {
		t.Errorf("%q", d.unread)
	}
}

// What counts is what a change copies, which is the whole text, not what it inserts.
func TestCopied(t *testing.T) {
	const length, n = 1000, 10
	changes := make([]change, n)
	for i := range changes {
		changes[i] = change{&span{}, "b"}
	}
	copied := 0
	for i := range n {
		copied += length + i + 1
	}
	for most, refused := range map[int]bool{copied: false, copied - 1: true} {
		d := &document{}
		d.set(strings.Repeat("a", length))
		if d.apply(changes, utf16Units, most); (d.unread != "") != refused || !refused && len(d.text) != length+n {
			t.Errorf("of %d bytes: %q, %d bytes", most, d.unread, len(d.text))
		}
	}
}

func TestKindOf(t *testing.T) {
	for _, test := range []struct{ uri, language, like string }{
		{"file:///docs/a.md", "markdown", "a.md"},
		{"file:///docs/a%2Emd", "", "a.md"},
		{"untitled:Untitled-1", "markdown", "a.md"},
		{"untitled:Untitled-1", "shellscript", "a.sh"},
		{"file:///Dockerfile", "dockerfile", "Dockerfile"},
		{"file:///compose.yaml", "yaml.docker-compose", "a.yaml"},
		{"file:///a.ipynb", "json", "a.ipynb"},
		{"vscode-notebook-cell:/a.ipynb#W0", "markdown", "a.md"},
		{"file:///a.go", "go", "a.go"},
		{"file:///a.sh?x=/b.md", "", "a.sh"},
		{"", "", ""},
	} {
		if got, want := kindOf(test.uri, test.language), kindOf("file:///"+test.like, ""); got != want {
			t.Errorf("%s as %s is %d, want %d", test.uri, test.language, got, want)
		}
	}
}

// TestMostWritten checks where what a hover shows of a command is cut: by characters, however
// many bytes these have.
func TestMostWritten(t *testing.T) {
	for _, c := range []struct {
		letter string
		n      int
		cut    bool
	}{{"a", 300, false}, {"a", 301, true}, {"😀", 300, false}, {"😀", 301, true}} {
		w := writer{plain: true}
		w.code(strings.Repeat(c.letter, c.n))
		want := strings.Repeat(c.letter, min(c.n, 300))
		if c.cut {
			want += "…"
		}
		if got := w.text.String(); got != want {
			t.Errorf("%d of %q are cut: %t", c.n, c.letter, got != strings.Repeat(c.letter, c.n))
		}
	}
}
