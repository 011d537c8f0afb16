package lsp

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// An encoding says in which units a client counts the characters of a line.
type encoding string

const (
	utf8Units  encoding = "utf-8"
	utf16Units encoding = "utf-16" // unless client and server agree on another
	utf32Units encoding = "utf-32"
)

// units returns how many units a text has.
func (e encoding) units(text string) int {
	switch e {
	case utf8Units:
		return len(text)
	case utf32Units:
		return utf8.RuneCountInString(text)
	}
	n := 0
	for _, r := range text {
		n += utf16Length(r)
	}
	return n
}

// length returns how many units a character has.
func (e encoding) length(r rune) int {
	switch e {
	case utf8Units:
		return utf8.RuneLen(r)
	case utf32Units:
		return 1
	}
	return utf16Length(r)
}

func utf16Length(r rune) int {
	if r > 0xffff {
		return 2
	}
	return 1
}

// A position is a place in a document as the protocol counts: both from 0 on.
type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// A span is a stretch of a document, without its end.
type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

// An index turns offsets in a text into positions and back. The text is UTF-8.
type index struct {
	text  string
	in    encoding
	lines []int // where each line starts
	marks []int // how many units stand before the character with byte i*markEvery
}

// markEvery is the distance of two marks in bytes, which is what a position costs however
// long its line is.
const markEvery = 512

func newIndex(text string, in encoding) *index {
	x := &index{text: text, in: in, lines: []int{0}, marks: make([]int, 1, len(text)/markEvery+1)}
	for i := 0; ; {
		// The protocol has three ends of lines: \n, \r\n and \r.
		n := strings.IndexAny(text[i:], "\r\n")
		if n < 0 {
			break
		}
		i += n + 1
		if text[i-1] == '\r' && i < len(text) && text[i] == '\n' {
			i++
		}
		x.lines = append(x.lines, i)
	}
	for i := markEvery; i <= len(text); i += markEvery {
		x.marks = append(x.marks, x.marks[len(x.marks)-1]+in.units(text[x.mark(len(x.marks)-1):x.mark(len(x.marks))]))
	}
	return x
}

// mark returns the offset of a mark.
func (x *index) mark(i int) int { return x.characterStart(i * markEvery) }

// characterStart moves an offset back to the start of its character.
func (x *index) characterStart(i int) int {
	for i > 0 && i < len(x.text) && !utf8.RuneStart(x.text[i]) {
		i--
	}
	return i
}

// before returns how many units stand before an offset.
func (x *index) before(offset int) int {
	i := offset / markEvery
	return x.marks[i] + x.in.units(x.text[x.mark(i):offset])
}

// at returns the position of an offset.
func (x *index) at(offset int) position {
	offset = x.characterStart(min(max(offset, 0), len(x.text)))
	line := sort.SearchInts(x.lines, offset+1) - 1
	return position{line, x.before(offset) - x.before(x.lines[line])}
}

// span returns the stretch between two offsets, with the whole of its last character.
func (x *index) span(start, end int) span {
	for end > start && end < len(x.text) && !utf8.RuneStart(x.text[end]) {
		end++
	}
	return span{x.at(start), x.at(end)}
}

// offset returns where a position is. One behind the end of its line, or of the text, is
// that end; one within a character is the start of it.
func (x *index) offset(p position) int {
	if p.Line < 0 {
		return 0
	}
	if p.Line >= len(x.lines) {
		return len(x.text)
	}
	start, end := x.lines[p.Line], x.lineEnd(p.Line)
	first := x.before(start)
	most := x.before(end) - first
	if p.Character >= most {
		return end
	}
	want := first + max(p.Character, 0)
	i := max(sort.SearchInts(x.marks, want+1)-1, start/markEvery)
	at, n := max(x.mark(i), start), max(x.marks[i], first)
	for _, r := range x.text[at:end] {
		length := x.in.length(r)
		if n+length > want {
			break
		}
		n += length
		at += utf8.RuneLen(r)
	}
	return at
}

// lineEnd returns where a line ends, before what ends it.
func (x *index) lineEnd(line int) int {
	if line+1 >= len(x.lines) {
		return len(x.text)
	}
	end := x.lines[line+1] - 1
	if x.text[end] == '\n' && end > x.lines[line] && x.text[end-1] == '\r' {
		end--
	}
	return end
}
