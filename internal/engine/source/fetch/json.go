package fetch

import (
	"strings"

	"uncoil/internal/engine/meter"
)

// stringify returns what JSON.stringify gives for a value, and perhaps for the
// indentation in the third argument (ECMA-262, section 25.5.2).
func (r *reader) stringify(args []value, start int) (v value, ok bool) {
	indent := ""
	if len(args) > 3 || len(args) > 1 && args[1].kind > null {
		return v, r.unknown(start)
	}
	if len(args) == 3 {
		switch space := args[2]; space.kind {
		case number:
			n := 0
			for _, c := range []byte(space.text) {
				if c < '0' || c > '9' || n > 10 {
					break
				}
				n = 10*n + int(c-'0')
			}
			indent = strings.Repeat(" ", min(n, 10))
		case text:
			indent = space.text[:min(len(space.text), 10)]
		case undefined, null:
		default:
			return v, r.unknown(start)
		}
	}
	if args[0].kind == undefined || args[0].kind >= params {
		return v, r.unknown(start)
	}
	w := jsonWriter{reader: r, indent: indent}
	ok = w.value(&args[0], "\n")
	return value{kind: text, text: w.out.String()}, ok
}

// A jsonWriter writes JSON text.
type jsonWriter struct {
	*reader
	out    meter.Text
	indent string
}

func (w *jsonWriter) add(s string) bool { return w.out.Add(w.Meter, s) }

// value writes a value; line is the line break with the indentation around it.
func (w *jsonWriter) value(v *value, line string) bool {
	switch v.kind {
	case boolean, number, null:
		return w.add(v.text)
	case text:
		return w.quote(v.text)
	case undefined: // in an array
		return w.add("null")
	case params, form:
		return w.add("{}")
	}
	open, end := "[", "]"
	if v.kind == object {
		open, end = "{", "}"
	}
	inner := ""
	if w.indent != "" {
		if inner = line + w.indent; !w.Meter.Hold(len(inner)) {
			return false
		}
	}
	count := 0
	next := func() bool {
		count++
		return (count == 1 || w.add(",")) && w.add(inner)
	}
	if !w.add(open) {
		return false
	}
	for i := range v.list {
		if !next() || !w.value(&v.list[i], inner) {
			return false
		}
	}
	for i := range v.members {
		m := &v.members[i]
		colon := ":"
		if w.indent != "" {
			colon = ": "
		}
		if m.value.kind != undefined && (!next() || !w.quote(m.name) || !w.add(colon) || !w.value(&m.value, inner)) {
			return false
		}
	}
	if count > 0 && w.indent != "" && !w.add(line) {
		return false
	}
	return w.add(end)
}

// quote writes a string. Of what may stand in JSON as it is, nothing is escaped.
func (w *jsonWriter) quote(s string) bool {
	const hex = "0123456789abcdef"
	if !w.Meter.Work(len(s)/4) || !w.add(`"`) {
		return false
	}
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		escaped := `\u00` + hex[c>>4:c>>4+1] + hex[c&15:c&15+1]
		if j := strings.IndexByte("\"\\\b\f\n\r\t", c); j >= 0 {
			escaped = `\` + `"\bfnrt`[j:j+1]
		}
		if !w.add(s[from:i]) || !w.add(escaped) {
			return false
		}
		from = i + 1
	}
	return w.add(s[from:]) && w.add(`"`)
}
