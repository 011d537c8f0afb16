package bash

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"uncoil/diag"
	"uncoil/internal/shell"
)

// A builder collects the text of a word, which becomes several fields where
// an unquoted value holds blanks.
type builder struct {
	r     *reader
	text  shell.Text
	holes []shell.Hole
	// exists says that there is a field even if its text is empty, as "" is.
	exists bool
	fields []shell.Word // the fields that have ended
	span   diag.Span    // theirs
	runs   bool         // a command substitution is in it
	failed bool         // an expansion in it stops the shell
}

// variable returns what was built as the value of a variable.
func (b *builder) variable() variable { return variable{text: b.text.String(), holes: b.holes} }

// add adds text that stands for itself.
func (b *builder) add(s string) {
	if s == "" || !b.r.spend(len(s)) {
		return
	}
	b.exists = true
	b.text.Add(s)
}

// hole adds a part that keeps its spelling.
func (b *builder) hole(spelling string) {
	start := int32(b.text.Len())
	b.add(spelling)
	if b.r.spend(holeCost) {
		b.holes = append(b.holes, shell.Hole{Start: start, End: int32(b.text.Len()), Expr: spelling})
	}
}

// value adds what a variable holds, in one piece.
func (b *builder) value(v variable) {
	start := int32(b.text.Len())
	if !b.r.spend(holeCost * len(v.holes)) {
		return
	}
	b.add(v.text)
	for _, h := range v.holes {
		b.holes = append(b.holes, shell.Hole{Start: h.Start + start, End: h.End + start, Expr: h.Expr})
	}
}

// split adds a value that is not quoted: what separates fields in it ends the
// field. Holes are not split.
func (b *builder) split(v variable) {
	ifs := b.r.separators()
	hole := 0
	for i := 0; i < len(v.text); {
		if hole < len(v.holes) && int(v.holes[hole].Start) == i {
			b.hole(v.holes[hole].Expr)
			i = int(v.holes[hole].End)
			hole++
			continue
		}
		end := len(v.text)
		if hole < len(v.holes) {
			end = int(v.holes[hole].Start)
		}
		n := strings.IndexAny(v.text[i:end], ifs)
		if n < 0 {
			n = end - i
		}
		b.add(v.text[i : i+n])
		i += n
		if i < end {
			i += b.separate(v.text[i:end], ifs)
		}
	}
}

// separate ends the field at a separator, and returns its length: blanks on
// either side of a separator that is no blank belong to it.
func (b *builder) separate(s, ifs string) int {
	blanks := func(i int) int {
		for i < len(s) && isBlank(s[i]) && strings.IndexByte(ifs, s[i]) >= 0 {
			i++
		}
		return i
	}
	i := blanks(0)
	if i < len(s) && strings.IndexByte(ifs, s[i]) >= 0 {
		b.exists = true // an empty field before it counts
		i = blanks(i + 1)
	}
	b.end()
	return i
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }

// end ends the field, if there is one.
func (b *builder) end() {
	if b.exists && b.r.spend(wordCost) {
		b.fields = append(b.fields, shell.Word{Text: b.text.String(), Holes: b.holes, Span: b.span})
	}
	b.text.Reset()
	b.holes, b.exists = nil, false
}

// fields appends the fields that words stand for: several where braces expand
// or an unquoted variable holds blanks, none where a word is empty.
func (r *reader) fields(dst []shell.Word, words ...*syntax.Word) []shell.Word {
	b := builder{r: r, fields: dst}
	for _, w := range words {
		b.span = r.span(w)
		if braces(w) == 0 {
			r.field(&b, w)
			continue
		}
		for _, expanded := range r.expandBraces(w) {
			r.field(&b, expanded)
		}
	}
	return b.fields
}

// field reads one word that braces stand for.
func (r *reader) field(b *builder, w *syntax.Word) {
	r.parts(b, w.Parts, unquoted)
	b.end()
	if b.failed {
		r.stopped = true
	}
}

// whole reads a word that is not split, as in an assignment.
func (r *reader) whole(w *syntax.Word) (v variable, runs bool) {
	b := builder{r: r}
	r.parts(&b, w.Parts, assigned)
	return b.variable(), b.runs
}

// A context is where the parts of a word stand, which decides what quotes
// and expansions in them mean.
type context uint8

const (
	unquoted     context = iota // values are split
	operand                     // so are the blanks of literal text: ${X:-a b}
	assigned                    // nothing is split
	doubleQuoted                // nor is a single quote one
	hereDocument                // nor a double quote
	// hereDocumentQuoted is that of <<'EOF', in which all is text.
	hereDocumentQuoted
)

// escapable returns what a backslash escapes; nothing stands for everything.
func (c context) escapable() string {
	switch c {
	case doubleQuoted:
		return "$`\"\\"
	case hereDocument:
		return "$`\\"
	}
	return ""
}

// parts reads the parts of a word.
func (r *reader) parts(b *builder, parts []syntax.WordPart, c context) {
	for i, part := range parts {
		if r.stopped {
			return
		}
		switch p := part.(type) {
		case *syntax.Lit:
			r.literal(b, p.Value, c)
		case *syntax.SglQuoted:
			b.exists = true
			switch {
			case c < doubleQuoted:
				b.add(r.singleQuoted(p))
			case p.Dollar || strings.ContainsAny(p.Value, "$`\\\""):
				b.hole(r.source(p))
			default: // as in "${X:-'a'}"
				b.add("'" + r.bytes(p.Value) + "'")
			}
		case *syntax.DblQuoted:
			// A list in quotes has as many fields as elements, even none.
			b.exists = b.exists || !isList(p)
			r.parts(b, p.Parts, doubleQuoted)
		case *syntax.ParamExp:
			if joined, rest := joinedName(parts[i:]); joined != nil {
				r.parameter(b, joined, c)
				r.parts(b, rest, c)
				return
			}
			r.parameter(b, p, c)
		case *syntax.CmdSubst:
			b.runs = true
			b.hole(r.source(p))
		default: // arithmetic, process substitution, extended globs
			b.hole(r.source(part))
		}
	}
}

// joinedName returns the variable whose name has grown by the text behind it,
// and the parts behind that. Braces make such a name: $A{b,c} is $Ab $Ac.
func joinedName(parts []syntax.WordPart) (*syntax.ParamExp, []syntax.WordPart) {
	p := parts[0].(*syntax.ParamExp)
	if !p.Short || len(parts) < 2 || p.Param == nil || strings.IndexByte("0123456789@*#?$!-", p.Param.Value[0]) >= 0 {
		return nil, nil
	}
	lit, ok := parts[1].(*syntax.Lit)
	if !ok {
		return nil, nil
	}
	n := 0
	for n < len(lit.Value) && (lit.Value[n] == '_' || isAlphanumeric(lit.Value[n])) {
		n++
	}
	if n == 0 {
		return nil, nil
	}
	name := *p.Param
	name.Value += lit.Value[:n]
	joined := *p
	joined.Param = &name
	text := *lit
	text.Value = text.Value[n:]
	return &joined, append([]syntax.WordPart{&text}, parts[2:]...)
}

func (r *reader) singleQuoted(p *syntax.SglQuoted) string {
	if p.Dollar {
		return shell.DecodeANSI(r.bytes(p.Value))
	}
	return r.bytes(p.Value)
}

// literal adds literal text, without the backslashes that escape something.
func (r *reader) literal(b *builder, s string, c context) {
	s = r.bytes(s)
	if c == hereDocumentQuoted {
		b.add(s)
		return
	}
	if c != operand {
		b.add(unescape(s, c.escapable()))
		return
	}
	start := 0
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case isBlank(s[i]):
			b.add(unescape(s[start:i], ""))
			b.end()
			start = i + 1
		}
	}
	b.add(unescape(s[start:], ""))
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
		case escapable != "" && strings.IndexByte(escapable, s[i]) < 0:
			b = append(b, '\\', s[i])
		default:
			b = append(b, s[i])
		}
	}
	return string(b)
}

// offset returns where a place of the script stands in the text as pasted.
func (r *reader) offset(p syntax.Pos) int32 { return r.origin.start(int(p.Offset())) }

func (r *reader) span(n syntax.Node) diag.Span {
	s := diag.Span{Start: r.offset(n.Pos()), End: r.origin.end(int(n.End().Offset()))}
	s.End = max(s.Start, min(s.End, int32(len(r.src))))
	return s
}

// source returns how a node is spelled.
func (r *reader) source(n syntax.Node) string {
	s := r.span(n)
	return r.src[s.Start:s.End]
}
