package bash

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"uncoil/diag"
	"uncoil/internal/shell"
)

// builder collects the text of a word.
type builder struct {
	text  []byte
	holes []shell.Hole
	runs  bool // a command substitution is in it
	// quoted is set once anything was quoted: the word exists even if empty.
	quoted bool
	// breaks are the offsets at which an unquoted variable's blanks split
	// the word.
	breaks []int
}

func (b *builder) add(s string) { b.text = append(b.text, s...) }

// hole adds a part that keeps its spelling.
func (b *builder) hole(spelling string) {
	start := int32(len(b.text))
	b.add(spelling)
	b.holes = append(b.holes, shell.Hole{Start: start, End: start + int32(len(spelling)), Expr: spelling})
}

// value adds what a variable holds.
func (b *builder) value(v variable) {
	b.holes = append(b.holes, moveHoles(v.holes, len(b.text))...)
	b.add(v.text)
}

func moveHoles(holes []shell.Hole, by int) []shell.Hole {
	moved := make([]shell.Hole, len(holes))
	for i, h := range holes {
		h.Start += int32(by)
		h.End += int32(by)
		moved[i] = h
	}
	return moved
}

// fields returns the words that a word stands for: several where braces
// expand or an unquoted variable holds blanks, none where it is empty.
func (r *reader) fields(w *syntax.Word) []shell.Word {
	span := r.span(w)
	var out []shell.Word
	for _, expanded := range r.expandBraces(w) {
		var b builder
		r.parts(&b, expanded.Parts, everything)
		out = append(out, b.split(span)...)
	}
	return out
}

// split cuts the word where unquoted blanks were substituted.
func (b *builder) split(span diag.Span) []shell.Word {
	if len(b.breaks) == 0 {
		if len(b.text) == 0 && !b.quoted {
			return nil
		}
		return []shell.Word{{Text: string(b.text), Holes: b.holes, Span: span}}
	}
	var out []shell.Word
	start := 0
	for _, at := range append(b.breaks, len(b.text)) {
		if at > start {
			out = append(out, shell.Word{Text: string(b.text[start:at]), Span: span})
		}
		start = at
	}
	return out
}

// quotedInto reads a word without splitting it, as in an assignment.
func (r *reader) quotedInto(b *builder, w *syntax.Word) {
	r.parts(b, w.Parts, everything)
	b.breaks = nil
}

// What a backslash escapes: in double quotes, and in the text of a
// here-document; outside quotes it escapes everything.
const (
	inDoubleQuotes = "$`\"\\"
	inHereDocument = "$`\\"
	everything     = ""
)

// parts reads the parts of a word, in which a backslash escapes what
// escapable names.
func (r *reader) parts(b *builder, parts []syntax.WordPart, escapable string) {
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			b.add(unescape(p.Value, escapable))
		case *syntax.SglQuoted:
			b.quoted = true
			if p.Dollar {
				b.add(shell.DecodeANSI(p.Value))
			} else {
				b.add(p.Value)
			}
		case *syntax.DblQuoted:
			b.quoted = true
			r.parts(b, p.Parts, inDoubleQuotes)
		case *syntax.ParamExp:
			r.parameter(b, p, escapable != everything)
		case *syntax.CmdSubst:
			b.runs = true
			b.hole(r.source(p))
		default: // arithmetic, process substitution, extended globs
			b.hole(r.source(part))
		}
	}
}

// unescape removes the backslashes of a literal that escape something.
func unescape(s, escapable string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b = append(b, s[i])
			continue
		}
		i++
		switch {
		case s[i] == '\n':
		case s[i] == '\r' && i+1 < len(s) && s[i+1] == '\n':
			i++
		case escapable != everything && strings.IndexByte(escapable, s[i]) < 0:
			b = append(b, '\\', s[i])
		default:
			b = append(b, s[i])
		}
	}
	return string(b)
}

// expandBraces returns the words that {a,b} and {1..3} in a word stand for.
func (r *reader) expandBraces(w *syntax.Word) []*syntax.Word {
	syntax.SplitBraces(w)
	total := braceCount(w.Parts)
	if total == 1 {
		return []*syntax.Word{w}
	}
	if total > maxCommands {
		r.diags.Error(diag.CodeTooManyRequests, r.span(w), "the braces stand for more words than are looked at", "make them smaller")
		return nil
	}
	lists := expandParts(w.Parts)
	words := make([]*syntax.Word, len(lists))
	for i, parts := range lists {
		words[i] = &syntax.Word{Parts: parts}
	}
	return words
}

// braceCount returns how many words the parts of a word stand for, at most
// one more than maxCommands.
func braceCount(parts []syntax.WordPart) int {
	total := 1
	for _, part := range parts {
		brace, ok := part.(*syntax.BraceExp)
		if !ok {
			continue
		}
		n := 0
		if brace.Sequence {
			n = len(sequence(brace))
		} else {
			for _, element := range brace.Elems {
				n = min(n+braceCount(element.Parts), maxCommands+1)
			}
		}
		total = min(total*max(n, 1), maxCommands+1)
	}
	return total
}

func expandParts(parts []syntax.WordPart) [][]syntax.WordPart {
	out := [][]syntax.WordPart{nil}
	for _, part := range parts {
		options := [][]syntax.WordPart{{part}}
		if brace, ok := part.(*syntax.BraceExp); ok {
			options = nil
			if brace.Sequence {
				for _, text := range sequence(brace) {
					options = append(options, []syntax.WordPart{&syntax.Lit{Value: text}})
				}
			} else {
				for _, element := range brace.Elems {
					options = append(options, expandParts(element.Parts)...)
				}
			}
		}
		next := make([][]syntax.WordPart, 0, len(out)*len(options))
		for _, before := range out {
			for _, option := range options {
				next = append(next, append(before[:len(before):len(before)], option...))
			}
		}
		out = next
	}
	return out
}

// sequence returns the elements of {1..5..2} or {a..e}, at most one more
// than maxCommands of them.
func sequence(brace *syntax.BraceExp) []string {
	text := func(i int) string { return brace.Elems[i].Lit() }
	step := int64(1)
	if len(brace.Elems) > 2 {
		step, _ = strconv.ParseInt(text(2), 10, 64)
		if step < 0 {
			step = -step
		}
		if step == 0 {
			step = 1
		}
	}
	from, err1 := strconv.ParseInt(text(0), 10, 64)
	to, err2 := strconv.ParseInt(text(1), 10, 64)
	letters := err1 != nil || err2 != nil
	width := 0
	if letters {
		if len(text(0)) != 1 || len(text(1)) != 1 {
			return nil
		}
		from, to = int64(text(0)[0]), int64(text(1)[0])
	} else if zeroPadded(text(0)) || zeroPadded(text(1)) {
		width = max(len(text(0)), len(text(1)))
	}
	var out []string
	for v := from; len(out) <= maxCommands; {
		if letters {
			out = append(out, string(rune(v)))
		} else {
			out = append(out, padNumber(v, width))
		}
		if from <= to {
			if v > to-step {
				break
			}
			v += step
		} else {
			if v < to+step {
				break
			}
			v -= step
		}
	}
	return out
}

func zeroPadded(s string) bool {
	s = strings.TrimPrefix(s, "-")
	return len(s) > 1 && s[0] == '0'
}

func padNumber(v int64, width int) string {
	s := strconv.FormatInt(v, 10)
	if len(s) >= width {
		return s
	}
	if v < 0 {
		return "-" + strings.Repeat("0", width-len(s)) + s[1:]
	}
	return strings.Repeat("0", width-len(s)) + s
}
