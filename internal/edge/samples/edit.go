package samples

import (
	"slices"
	"strings"
	"unicode/utf8"

	yaml "github.com/oasdiff/yaml3"

	"uncoil/internal/engine/jsontext"
)

// key is the member of an operation, and mark the member of a sample that names the
// target which has written it. Samples without it are somebody else's.
const (
	key  = "x-codeSamples"
	mark = "x-uncoil"
)

// unaliased returns the value that an alias stands for, and any other as it is.
func unaliased(n *yaml.Node) *yaml.Node {
	if n != nil && n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// each calls use with the members that an object has itself.
func each(n *yaml.Node, use func(name string, value *yaml.Node)) {
	if n == nil || n.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		use(n.Content[i].Value, n.Content[i+1])
	}
}

// own returns the value of a member that an object has itself or by a merge, or nil.
func own(n *yaml.Node, name string) (found *yaml.Node) {
	var merged *yaml.Node
	each(n, func(member string, value *yaml.Node) {
		switch {
		case member == name && found == nil:
			found = value
		case member == "<<":
			merged = unaliased(value)
		}
	})
	if found == nil {
		each(merged, func(member string, value *yaml.Node) {
			if member == name && found == nil {
				found = value
			}
		})
	}
	return found
}

// A sample is a program of an operation.
type sample struct{ lang, label, source, target string }

// An edit replaces a stretch of the document.
type edit struct {
	from, to int
	text     string
}

// An editor knows the places of a document.
type editor struct {
	text   string
	starts []int // where each line begins
	end    string
	edits  []edit
	// The last place that was looked up. They come in order, more or less.
	line, column, offset int
}

func newEditor(text string) *editor {
	e := &editor{text: text, starts: []int{0}, end: "\n"}
	for i := range len(text) {
		if text[i] == '\n' {
			e.starts = append(e.starts, i+1)
		}
	}
	if len(e.starts) > 1 && strings.HasSuffix(text[:e.starts[1]], "\r\n") {
		e.end = "\r\n"
	}
	return e
}

// at returns the offset of a line and a column, which counts characters.
func (e *editor) at(line, column int) int {
	if line > len(e.starts) {
		return len(e.text)
	}
	if line != e.line || column < e.column {
		e.line, e.column, e.offset = line, 1, e.starts[line-1]
	}
	for e.column < column && e.offset < len(e.text) {
		_, n := utf8.DecodeRuneInString(e.text[e.offset:])
		e.offset += n
		e.column++
	}
	return e.offset
}

// below returns where the line after one begins.
func (e *editor) below(line int) int {
	if line >= len(e.starts) {
		return len(e.text)
	}
	return e.starts[line]
}

// margin returns the blanks before the text of a line.
func (e *editor) margin(line int) string {
	text := e.text[e.starts[line-1]:e.below(line)]
	return text[:len(text)-len(strings.TrimLeft(text, " \t"))]
}

func (e *editor) replace(from, to int, text string) { e.edits = append(e.edits, edit{from, to, text}) }

// result returns the edited document.
func (e *editor) result() string {
	slices.SortStableFunc(e.edits, func(a, b edit) int { return a.from - b.from })
	var b strings.Builder
	at := 0
	for _, one := range e.edits {
		b.WriteString(e.text[at:one.from] + one.text)
		at = one.to
	}
	b.WriteString(e.text[at:])
	return b.String()
}

// set gives an operation its samples, in the place of those that it has from here.
func (e *editor) set(operation *yaml.Node, samples []sample) {
	value := own(operation, key)
	switch {
	case operation.Style&yaml.FlowStyle != 0 || value != nil && value.Style&yaml.FlowStyle != 0 && len(value.Content) > 0:
		e.setFlow(operation, value, samples)
	case value == nil || len(value.Content) == 0:
		e.addBlock(operation, value, samples)
	default:
		e.setBlock(value, samples)
	}
}

// isOwn reports whether a sample has been written from here.
func isOwn(n *yaml.Node) bool { return own(unaliased(n), mark) != nil }

// addBlock adds the member to an operation in block style, in the place of an empty one.
func (e *editor) addBlock(operation, empty *yaml.Node, samples []sample) {
	margin := ""
	if len(operation.Content) > 0 { // the mapping itself may begin with an anchor
		margin = strings.Repeat(" ", operation.Content[0].Column-1)
	}
	from := e.below(operation.EndLine)
	to := from
	for i := 0; i+1 < len(operation.Content); i += 2 {
		if k := operation.Content[i]; empty != nil && operation.Content[i+1] == empty {
			from, to = e.at(k.Line, 1), e.below(max(k.Line, empty.EndLine))
		}
	}
	text := margin + key + ":" + e.end + e.block(margin+"  ", samples)
	if from > 0 && e.text[from-1] != '\n' {
		text = e.end + strings.TrimSuffix(text, e.end)
	}
	e.replace(from, to, text)
}

// setBlock writes the samples of a sequence in block style anew.
func (e *editor) setBlock(value *yaml.Node, samples []sample) {
	end, kept := e.below(value.EndLine), false
	for _, item := range value.Content {
		if kept = !isOwn(item); !kept {
			e.replace(e.starts[item.Line-1], e.below(item.EndLine), "")
		}
	}
	text := e.block(strings.Repeat(" ", value.Column-1), samples)
	if e.text[end-1] != '\n' {
		text = strings.TrimSuffix(text, e.end)
		if kept {
			text = e.end + text
		}
	}
	e.replace(end, end, text)
}

// block returns samples as items of a sequence in block style.
func (e *editor) block(margin string, samples []sample) string {
	var b strings.Builder
	for _, s := range samples {
		b.WriteString(margin + "- lang: " + scalar(s.lang) + e.end)
		b.WriteString(margin + "  label: " + scalar(s.label) + e.end)
		b.WriteString(margin + "  " + mark + ": " + s.target + e.end)
		if !isLiteral(s.source) {
			b.WriteString(margin + "  source: " + quoted(s.source) + e.end)
			continue
		}
		b.WriteString(margin + "  source: |-" + e.end)
		for line := range strings.SplitSeq(s.source, "\n") {
			if line != "" {
				line = margin + "    " + line
			}
			b.WriteString(line + e.end)
		}
	}
	return b.String()
}

// isLiteral reports whether text may stand as it is below |-: YAML takes the margin of
// the first line for that of all, and has characters that it does not print or that end
// lines (YAML 1.1 and 1.2.2, 5.1, 5.4, 8.1).
func isLiteral(s string) bool {
	return s != "" && s[0] != ' ' && s[0] != '\t' && s[0] != '\n' && s[len(s)-1] != '\n' && !strings.ContainsFunc(s, func(r rune) bool { return r != '\n' && r != '\t' && isSpecial(r) })
}

// isSpecial reports a character that YAML or JSON wants escaped.
func isSpecial(r rune) bool {
	return r < ' ' || 0x7f <= r && r <= 0x9f || r == 0x2028 || r == 0x2029 || r == 0xfeff || 0xfffe <= r && r <= 0xffff || r == utf8.RuneError
}

// scalar returns a name as a scalar of YAML.
func scalar(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return !('a' <= r|0x20 && r|0x20 <= 'z') && r != ' ' }) {
		return quoted(s)
	}
	return s
}

// quoted returns text in double quotes, with the escapes that JSON and YAML share.
func quoted(s string) string {
	const digits = "0123456789abcdef"
	var b strings.Builder
	for _, r := range string(jsontext.AppendString(nil, s)) {
		if isSpecial(r) {
			b.WriteString(`\u` + string([]byte{digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15]}))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// setFlow writes the samples of an operation in flow style, as JSON.
func (e *editor) setFlow(operation, value *yaml.Node, samples []sample) {
	if value != nil {
		e.setArray(operation, value, samples)
		return
	}
	if len(operation.Content) == 0 {
		return // it has no responses, and is none
	}
	last := operation.Content[len(operation.Content)-1]
	margin, unit := e.layout(operation, operation.Content[len(operation.Content)-2])
	from := e.at(last.EndLine, last.EndColumn)
	separator := ", "
	if unit != "" {
		separator = "," + margin
	}
	e.replace(from, from, separator+`"`+key+`": [`+e.flow(margin, unit, samples)+"]")
}

// setArray writes the samples of an array anew, behind those of others.
func (e *editor) setArray(operation, value *yaml.Node, samples []sample) {
	margin, unit := "", ""
	for i := 0; i+1 < len(operation.Content); i += 2 {
		if operation.Content[i+1] == value {
			margin, unit = e.layout(operation, operation.Content[i])
		}
	}
	from := e.at(value.Line, value.Column) + 1
	for i, item := range value.Content {
		if isOwn(item) {
			continue
		}
		start, end := e.at(item.Line, item.Column), e.at(item.EndLine, item.EndColumn)
		if i > 0 && isOwn(value.Content[i-1]) { // the order has been changed by hand
			separator := ", "
			if e.text[from-1] == '[' {
				separator = ""
			}
			e.replace(from, start, separator)
		}
		from = end
	}
	text := e.flow(margin, unit, samples)
	if e.text[from-1] != '[' && text != "" {
		text = "," + text
		if unit == "" {
			text = ", " + text[1:]
		}
	}
	e.replace(from, e.at(value.EndLine, value.EndColumn)-1, text)
}

// layout returns what begins the line of a member, and what one level more is: nothing
// where the members stand on one line.
func (e *editor) layout(object, member *yaml.Node) (margin, unit string) {
	if member.Line == object.Line {
		return "", ""
	}
	inner, outer := e.margin(member.Line), e.margin(object.EndLine)
	unit = "  "
	if rest, ok := strings.CutPrefix(inner, outer); ok && rest != "" {
		unit = rest
	}
	return e.end + inner, unit
}

// flow returns samples as what stands between the brackets of an array of JSON.
func (e *editor) flow(margin, unit string, samples []sample) string {
	item, member, between := "", "", ", "
	if unit != "" {
		item, member, between = margin+unit, margin+unit+unit, ","
	}
	var b strings.Builder
	for i, s := range samples {
		if i > 0 {
			b.WriteString(between)
		}
		b.WriteString(item + "{" + member + `"lang": ` + quoted(s.lang) + between + member + `"label": ` + quoted(s.label) + between +
			member + `"` + mark + `": ` + quoted(s.target) + between + member + `"source": ` + quoted(s.source) + item + "}")
	}
	return b.String() + margin
}
