package powershell

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/source/word"
)

// A literal is a value that ConvertTo-Json writes without quotes.
type literal uint8

const (
	noLiteral literal = iota
	number            // as its text
	truth             // True or False
	null
)

// toJSONName is the cmdlet that makes JSON of a value.
const toJSONName = "convertto-json"

// pipedToJSON reads | ConvertTo-Json behind an expression, and reports whether it stands
// there.
func (l *lexer) pipedToJSON() (args [3][]value, ok bool) {
	start := l.pos
	l.skipSpace(false)
	if l.pos < len(l.src) && l.src[l.pos] == '|' && !strings.HasPrefix(l.src[l.pos:], "||") {
		l.pos++
		l.skipSpace(true)
		rest := l.src[l.pos:]
		if n := len(toJSONName); ascii.HasPrefixFold(rest, toJSONName) && (len(rest) == n || !ascii.IsNameByte(rest[n]) && rest[n] != '-') {
			l.pos += n
			i := slices.IndexFunc(cmdlets[:], func(c cmdlet) bool { return c.name == toJSONName })
			return l.cmdletArguments(&cmdlets[i]), true
		}
	}
	l.pos = start
	return args, false
}

// toJSON returns the JSON that ConvertTo-Json of PowerShell 7 makes of a value, which the
// expression that starts at an offset gives. How many levels there are is the second
// argument: two below the first without it. -Compress is between the offsets of the text.
func (l *lexer) toJSON(v value, args [3][]value, start int) value {
	switch v.kind {
	case textValue, tableValue, arrayValue, unknownValue:
	default:
		return value{kind: unknownValue, word: l.typed(start, l.pos)}
	}
	j := jsonWriter{lexer: l, depth: usualDepth, compress: ascii.ContainsFold(l.src[max(start, l.pos-maxName):l.pos], "-compress")}
	if len(args[second]) > 0 {
		if n, err := strconv.Atoi(args[second][0].word.Text); err == nil && n >= 0 {
			j.depth = min(n, mostDepth)
		}
	}
	j.value(&v, 0)
	span := l.typed(start, l.pos).Span
	return value{word: l.join(span, "", j.pieces...)}
}

// The levels that ConvertTo-Json writes.
const (
	usualDepth = 2
	mostDepth  = 100
)

// A jsonWriter writes a value as JSON.
type jsonWriter struct {
	*lexer
	pieces   []word.Word
	depth    int
	compress bool
}

func (j *jsonWriter) text(s string) {
	j.pay(elementSteps + len(s))
	add(j.lexer, &j.pieces, word.Word{Text: s})
}

// value writes a value at a level. What is deeper than the last one is text.
func (j *jsonWriter) value(v *value, level int) {
	switch {
	case v.kind == tableValue && level > j.depth:
		j.text(`"System.Collections.Hashtable"`)
	case v.kind == tableValue:
		j.list('{', '}', len(v.entries), level, func(i int) {
			j.string(v.entries[i].key)
			j.text(":")
			if !j.compress {
				j.text(" ")
			}
			j.value(&v.entries[i].value, level+1)
		})
	case v.kind == arrayValue && level > j.depth:
		words := make([]word.Word, 0, len(v.items))
		j.hold(word.Size * len(v.items))
		for i := range v.items {
			words = append(words, v.items[i].word)
		}
		j.string(j.join(v.word.Span, " ", words...))
	case v.kind == arrayValue:
		j.list('[', ']', len(v.items), level, func(i int) { j.value(&v.items[i], level+1) })
	case v.literal == null:
		j.text("null")
	case v.literal == truth:
		j.text(strings.ToLower(v.word.Text))
	case v.literal == number:
		j.text(v.word.Text)
	default:
		j.settle(v)
		j.string(v.word)
	}
}

// list writes the elements of a table or an array.
func (j *jsonWriter) list(open, end byte, n, level int, element func(i int)) {
	j.text(string(open))
	for i := range n {
		if i > 0 {
			j.text(",")
		}
		j.line(level + 1)
		element(i)
	}
	if n > 0 {
		j.line(level)
	}
	j.text(string(end))
}

// line begins a line at a level.
func (j *jsonWriter) line(level int) {
	if !j.compress {
		j.text("\n" + strings.Repeat("  ", level))
	}
}

// string writes text in quotes. Its unknown parts stay as they are typed.
func (j *jsonWriter) string(w word.Word) {
	j.hold(6 * len(w.Text))
	at := 0
	j.text(`"`)
	known := func(s string) {
		quoted := string(jsontext.AppendString(nil, s))
		j.text(quoted[1 : len(quoted)-1])
	}
	for _, h := range w.Holes {
		known(w.Text[at:h.Start])
		j.hold(word.HoleSize)
		part := h
		part.Start, part.End = 0, h.End-h.Start
		add(j.lexer, &j.pieces, word.Word{Text: w.Text[h.Start:h.End], Holes: []word.Hole{part}})
		at = int(h.End)
	}
	known(w.Text[at:])
	j.text(`"`)
}

// isNumber reports whether text that stands without quotes is a number that JSON has.
func isNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	whole, fraction, has := strings.Cut(s, ".")
	digits := func(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
	return digits(whole) && (whole == "0" || whole[0] != '0') && (!has || digits(fraction))
}
