package posix

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/placeholder"
	"uncoil/internal/engine/source/word"
)

// A builder collects the text of a word, which becomes several fields where
// an unquoted value holds blanks.
type builder struct {
	r      *reader
	text   text
	holes  []word.Hole
	exists bool        // there is a field even if its text is empty, as "" is
	fields []word.Word // those that have ended
	span   diag.Span   // theirs
	runs   bool        // a command substitution is in it
}

// A text is put together from stretches. As long as these follow each other in
// one string, it is a slice of that.
type text struct {
	slice    string
	from, to int32 // where slice stands in the source, if to is not 0
	joined   meter.Text
}

// add appends a stretch, for which the meter of r is paid.
func (t *text) add(r *reader, s string) {
	if s == "" {
		return
	}
	if t.joined.Len() == 0 && t.slice == "" {
		t.slice, t.to = s, 0
		return
	}
	more := len(s)
	if t.joined.Len() == 0 {
		more += 2 * len(t.slice)
	}
	if !t.joined.Room(r.meter, more) || !t.joined.Add(r.meter, t.slice) || !t.joined.Add(r.meter, s) {
		r.over()
	}
	t.slice = ""
}

// addSource appends a stretch of the source.
func (t *text) addSource(r *reader, s string, span diag.Span) {
	switch {
	case s == "":
	case t.joined.Len() == 0 && t.slice == "":
		t.slice, t.from, t.to = s, span.Start, span.End
	case t.joined.Len() == 0 && t.to > 0 && t.to == span.Start:
		t.to = span.End
		t.slice = r.src[t.from:t.to]
	default:
		t.add(r, s)
	}
}

func (t *text) len() int { return len(t.slice) + t.joined.Len() }

func (t *text) string() string {
	if t.joined.Len() > 0 {
		return t.joined.String()
	}
	return t.slice
}

// value returns what was built as the value of a variable.
func (b *builder) value() value { return value{text: b.text.string(), holes: b.holes} }

// add adds text that stands for itself.
func (b *builder) add(s string) {
	if s == "" || !b.r.pay(len(s)/8+1) {
		return
	}
	b.exists = true
	b.text.add(b.r, s)
}

// hole adds a part that keeps its spelling.
func (b *builder) hole(p *part, h word.Hole) {
	start := int32(b.text.len())
	spelling := h.Expr
	if !b.r.pay(holeSteps) {
		return
	}
	b.exists = true
	if p != nil && int(p.span.End) <= len(b.r.src) && b.r.src[p.span.Start:p.span.End] == spelling {
		b.text.addSource(b.r, spelling, p.span)
	} else {
		b.add(spelling)
	}
	h.Start, h.End = start, int32(b.text.len())
	b.addHole(h)
}

func (b *builder) addHole(h word.Hole) {
	if !meter.Append(b.r.meter, &b.holes, h) {
		b.r.over()
	}
}

// add adds what a variable holds, in one piece.
func (b *builder) addValue(v value) {
	start := int32(b.text.len())
	if !b.r.pay(holeSteps * len(v.holes)) {
		return
	}
	b.add(v.text)
	for _, h := range v.holes {
		h.Start += start
		h.End += start
		b.addHole(h)
	}
}

// split adds a value that is not quoted: what separates fields in it ends the
// field. Holes are not split.
func (b *builder) split(v value) {
	ifs := b.r.separators()
	hole := 0
	for i := 0; i < len(v.text) && !b.r.stopped; {
		if hole < len(v.holes) && int(v.holes[hole].Start) == i {
			b.hole(nil, v.holes[hole])
			i = int(v.holes[hole].End)
			hole++
			continue
		}
		end := len(v.text)
		if hole < len(v.holes) {
			end = int(v.holes[hole].Start)
		}
		n := i
		for n < end && !ifs[v.text[n]] {
			n = max(n+1, n+templateLength(v.text[n:end]))
		}
		if !b.r.pay(n - i + 1) {
			return
		}
		b.add(v.text[i:n])
		if i = n; i < end {
			i += b.separate(v.text[i:end], ifs)
		}
	}
}

// templateLength returns the length of the ${{ x }} with which a text begins, or 0: a program
// puts the value there before the shell reads the text.
func templateLength(s string) int {
	if !strings.HasPrefix(s, "${{") {
		return 0
	}
	if n := placeholder.Length(s[1:]); n > 0 {
		return n + 1
	}
	return 0
}

// separate ends the field at a separator, and returns its length: blanks on
// either side of a separator that is not a blank belong to it.
func (b *builder) separate(s string, ifs *[256]bool) int {
	blanks := func(i int) int {
		for i < len(s) && isBlank(s[i]) && ifs[s[i]] {
			i++
		}
		return i
	}
	i := blanks(0)
	if i < len(s) && ifs[s[i]] {
		b.exists = true // an empty field before it counts
		i = blanks(i + 1)
	}
	b.end()
	return i
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }

// end ends the field, if there is one.
func (b *builder) end() {
	if b.exists && !meter.Append(b.r.meter, &b.fields, word.Word{Text: b.text.string(), Holes: b.holes, Span: b.span}) {
		b.r.over()
	}
	b.text = text{}
	b.holes, b.exists = nil, false
}

// fields returns the fields that words stand for: several where braces expand
// or an unquoted variable holds blanks, none where a word is empty.
func (r *reader) fields(list []lexeme) []word.Word {
	if len(list) == 0 || !r.pay(2*len(list)) {
		return nil
	}
	fields, ok := r.memory.Words(len(list))
	if !ok {
		if !r.hold(wordSize * len(list)) {
			return nil
		}
		fields = make([]word.Word, 0, len(list))
	}
	for i := range list {
		w := &list[i]
		if w.parts == nil && !w.braces {
			fields = append(fields, word.Word{Text: w.text, Span: w.span})
			continue
		}
		b := builder{r: r, fields: fields, span: w.span}
		if !w.braces || !r.expandBraces(&b, w.parts) {
			r.parts(&b, w.parts, unquoted)
			b.end()
		}
		if r.stopped {
			return nil
		}
		fields = b.fields
	}
	return fields
}

// whole returns what a word that is not split stands for, as in an assignment.
func (r *reader) whole(w *lexeme) value {
	if w.parts == nil {
		return value{text: w.text}
	}
	b := builder{r: r}
	r.parts(&b, w.parts, assigned)
	return b.value()
}

// A context is where the parts of a word stand, which decides what expansions
// in them mean.
type context uint8

const (
	unquoted         context = iota // values are split
	operand                         // so are the blanks of literal text: ${X:-a b}
	assigned                        // nothing is split
	doubleQuoted                    // between double quotes
	hereDocumentText                // where a double quote is text
)

// escapable returns what a backslash escapes; nothing stands for everything.
func (c context) escapable() string {
	switch c {
	case doubleQuoted:
		return "$`\"\\"
	case hereDocumentText:
		return "$`\\"
	}
	return ""
}

// parts adds the parts of a word.
func (r *reader) parts(b *builder, parts []part, outer context) {
	for i := 0; i < len(parts); i++ {
		p := &parts[i]
		if r.stopped || !r.pay(10) {
			return
		}
		c := outer
		if p.quoted && c < doubleQuoted {
			c = doubleQuoted
		}
		switch p.kind {
		case literal, escaped:
			r.literalPart(b, p, c)
		case single:
			b.exists = true
			b.add(p.text)
		case open:
			// A list in quotes has as many fields as elements, even none.
			b.exists = b.exists || !opensList(parts[i:])
		case variable:
			if rest, ok := joinedName(p, parts[i+1:]); ok {
				if !r.hold(len(rest.text)) {
					return
				}
				name := p.text + rest.text[:rest.name]
				r.variable(b, &part{kind: variable, text: name, span: diag.Span{}}, c)
				tail := parts[i+1]
				tail.text = rest.text[rest.name:]
				tail.span = diag.Span{}
				r.literalPart(b, &tail, c)
				i++
				continue
			}
			r.variable(b, p, c)
		case parameter:
			r.expansion(b, p, c)
		case substitution:
			r.substitution(b, p, c)
		}
	}
}

// opensList reports whether quotes hold nothing but "${A[@]}", which stands
// for no field at all where the list is empty.
func opensList(parts []part) bool {
	return len(parts) > 2 && parts[1].kind == parameter && parts[2].kind == shut && parts[1].x.indexed && parts[1].x.index == "@" && !parts[1].x.length
}

// A nameRest is the literal after a variable, whose first bytes belong to the
// variable's name.
type nameRest struct {
	text string
	name int
}

// joinedName reports whether the name of a variable goes on in the literal
// after it: braces make such names, $A{b,c} is $Ab $Ac, and continuation
// lines.
func joinedName(p *part, rest []part) (nameRest, bool) {
	if len(rest) == 0 || rest[0].kind > escaped || rest[0].quoted != p.quoted || ascii.NameLength(p.text) == 0 {
		return nameRest{}, false
	}
	s := rest[0].text
	for rest[0].kind == escaped && strings.HasPrefix(s, "\\\n") {
		s = s[2:]
	}
	n := 0
	for n < len(s) && ascii.IsNameByte(s[n]) {
		n++
	}
	return nameRest{s, n}, n > 0
}

// literalPart adds literal text, without the backslashes that escape
// something.
func (r *reader) literalPart(b *builder, p *part, c context) {
	if c == operand && !p.quoted {
		r.splitLiteral(b, p.text)
		return
	}
	if p.kind == literal {
		if p.text != "" {
			b.exists = true
			if int(p.span.End-p.span.Start) == len(p.text) && !r.inDocument(p) {
				b.text.addSource(r, p.text, p.span)
				return
			}
			b.add(p.text)
		}
		return
	}
	if r.pay(len(p.text)) && r.hold(len(p.text)) {
		b.add(unescape(p.text, c.escapable()))
	}
}

// inDocument reports whether the span of a part is none of the source.
func (r *reader) inDocument(p *part) bool {
	return int(p.span.End) > len(r.src) || r.src[p.span.Start:p.span.End] != p.text
}

// splitLiteral adds literal text whose blanks end fields.
func (r *reader) splitLiteral(b *builder, s string) {
	if !r.pay(len(s)) || !r.hold(len(s)) {
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
	return replaceEscapes(s, func(dst []byte, s string) ([]byte, int) {
		switch {
		case s[0] == '\n':
			return dst, 1
		case strings.HasPrefix(s, "\r\n"):
			return dst, 2
		case escapable != "" && strings.IndexByte(escapable, s[0]) < 0:
			dst = append(dst, '\\')
		}
		return append(dst, s[0]), 1
	})
}

// substitution runs the commands in a substitution, and adds what they print where
// that is known; else it keeps its spelling.
func (r *reader) substitution(b *builder, p *part, c context) {
	if p.x.computed {
		if n, known := r.compute(p.x.sum); known {
			r.place(b, value{text: formatInt(n)}, c)
			return
		}
	}
	printed, before := &unknown, len(r.commands)
	if len(p.x.list) > 0 && r.deeperRun() {
		r.inside++
		r.taken++
		r.isolated(func() { printed = r.run(p.x.list, nil, true) })
		r.taken--
		r.inside--
		r.depth--
	}
	if v, known := r.captured(printed); known {
		switch p.text[0] {
		case '$', '`':
			r.commands = r.commands[:before] // which did nothing but print
			r.place(b, v, c)
			return
		case '<':
			r.feed(p.text, v, printed)
		}
	}
	b.runs = true
	h := word.Hole{Expr: p.text}
	if !p.x.computed && (p.text[0] == '$' || p.text[0] == '`') {
		h.From = r.origin(printed, p, before)
	}
	b.hole(p, h)
}

// captured returns the text that a substitution stands for, where what its
// commands print is known: line breaks at the end and NUL bytes are dropped.
func (r *reader) captured(printed *word.Input) (v value, known bool) {
	if !printed.Known || printed.Kept && printed.Holes == nil || !r.pay(len(printed.Text)/8+1) {
		return v, false
	}
	v.text, v.holes = strings.TrimRight(printed.Text, "\n"), printed.Holes
	if strings.IndexByte(v.text, 0) >= 0 {
		if len(v.holes) > 0 || !r.hold(len(v.text)) {
			return v, false
		}
		v.text = strings.ReplaceAll(v.text, "\x00", "")
	}
	if n := len(v.holes); n > 0 && int(v.holes[n-1].End) > len(v.text) {
		return v, false
	}
	return v, true
}

// feed notes what the command that is being read can read by the name of a process
// substitution.
func (r *reader) feed(name string, v value, printed *word.Input) {
	if len(v.holes) > 0 || r.inside > 0 {
		return
	}
	if !meter.Append(r.meter, &r.fed, word.Feed{Name: name, Text: printed.Text}) {
		r.over()
	}
}

// deeperRun notes that commands run within others.
func (r *reader) deeperRun() bool {
	return r.deeper(min(r.i, r.end))
}
