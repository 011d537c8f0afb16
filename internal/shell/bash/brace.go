package bash

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"uncoil/diag"
)

// maxBraces bounds how many braces one word may hold, since the parser's time
// grows with the square of it.
const maxBraces = 512

// expandBraces returns the words that {a,b} and {1..3} in a word stand for.
func (r *reader) expandBraces(w *syntax.Word) []*syntax.Word {
	if braces(w) > maxBraces {
		r.tooLarge(r.span(w))
		return nil
	}
	split := &syntax.Word{Parts: w.Parts}
	if !syntax.SplitBraces(split) || braceCount(split.Parts) == 1 {
		return []*syntax.Word{w}
	}
	if braceCount(split.Parts) > maxCommands {
		r.fail(diag.CodeTooManyRequests, r.span(w), "the braces stand for more words than are looked at", "make them smaller")
		return nil
	}
	lists := expandParts(split.Parts)
	words := make([]*syntax.Word, len(lists))
	for i, parts := range lists {
		words[i] = &syntax.Word{Parts: parts}
	}
	return words
}

// braces returns how many braces open in a word, outside quotes.
func braces(w *syntax.Word) int {
	n := 0
	for _, part := range w.Parts {
		if lit, ok := part.(*syntax.Lit); ok {
			n += strings.Count(lit.Value, "{")
		}
	}
	return n
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

// expandParts returns the parts of each word that the braces stand for, the
// last brace changing fastest.
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
		step = max(step, -step, 1)
	}
	from, err1 := strconv.ParseInt(text(0), 10, 64)
	to, err2 := strconv.ParseInt(text(1), 10, 64)
	letters := err1 != nil || err2 != nil
	width := 0
	if letters {
		from, to = int64(text(0)[0]), int64(text(1)[0])
	} else if zeroPadded(text(0)) || zeroPadded(text(1)) {
		width = max(len(text(0)), len(text(1)))
	}
	var out []string
	for v := from; len(out) <= maxCommands; {
		if letters {
			out = append(out, letter(v))
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

// letter returns an element of a sequence of letters. Between Z and a there
// are other characters, which bash quotes, but for the backslash.
func letter(v int64) string {
	if v == '\\' {
		return ""
	}
	if v >= 'A' && v <= 'Z' || v >= 'a' && v <= 'z' {
		return string(rune(v))
	}
	return "\\" + string(rune(v))
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
