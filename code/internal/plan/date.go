package plan

import (
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/request"
)

// A DatePart is a part of the format of a date: text, or a conversion of date.
type DatePart struct {
	Literal string
	Verb    byte // Y, m, d, H, M or S; 0 for text
}

// DateParts returns the parts of a format, with %F and %T as what they stand for.
func DateParts(d *request.Date) (parts []DatePart) {
	literal := func(s string) {
		if s == "" {
			return
		}
		if n := len(parts); n > 0 && parts[n-1].Verb == 0 {
			parts[n-1].Literal += s
			return
		}
		parts = append(parts, DatePart{Literal: s})
	}
	format := strings.NewReplacer("%%", "%%", "%F", "%Y-%m-%d", "%T", "%H:%M:%S").Replace(d.Format)
	for format != "" {
		before, rest, found := strings.Cut(format, "%")
		literal(before)
		if !found {
			break
		}
		if rest[0] == '%' {
			literal("%")
		} else {
			parts = append(parts, DatePart{Verb: rest[0]})
		}
		format = rest[1:]
	}
	return parts
}

// Seconds returns the text around the seconds since 1970 that a date is, such as %s or
// %s000, and whether it is one.
func Seconds(d *request.Date) (before, after string, ok bool) {
	parts := DateParts(d)
	for i := range parts {
		switch {
		case parts[i].Verb == 0 && ok:
			after = parts[i].Literal
		case parts[i].Verb == 0:
			before = parts[i].Literal
		case parts[i].Verb == 's' && !ok:
			ok = true
		default:
			return "", "", false
		}
	}
	return before, after, ok
}

// isWritable reports whether a date is either seconds or parts of a calendar.
func isWritable(d *request.Date) bool {
	if _, _, ok := Seconds(d); ok {
		return true
	}
	for _, part := range DateParts(d) {
		if part.Verb == 's' {
			return false
		}
	}
	return true
}

// Pattern returns a format of a language for the parts of a date: verbs has what stands
// for each conversion, and literal escapes the text between them.
func Pattern(d *request.Date, verbs map[byte]string, literal func(string) string) string {
	var b strings.Builder
	for _, part := range DateParts(d) {
		if part.Verb == 0 {
			b.WriteString(literal(part.Literal))
		} else {
			b.WriteString(verbs[part.Verb])
		}
	}
	return b.String()
}

// Strftime returns the format of a date for strftime of any C library.
func Strftime(d *request.Date) string {
	verbs := map[byte]string{'Y': "%Y", 'm': "%m", 'd': "%d", 'H': "%H", 'M': "%M", 'S': "%S"}
	return Pattern(d, verbs, func(s string) string { return strings.ReplaceAll(s, "%", "%%") })
}

// AnyFrom is Takes of a target that has code for each response and each operation.
func AnyFrom(f request.From) bool {
	_, command := f.(*request.Command)
	return !command
}

// OnlyResponses is Takes of a target that has code for responses.
func OnlyResponses(f request.From) bool {
	_, ok := f.(*request.Response)
	return ok
}

// Around returns an expression for a value between two texts, which plus joins: literal
// writes the texts, and an empty one is left out.
func Around(before, value, after, plus string, literal func(string) string) string {
	if before != "" {
		value = literal(before) + plus + value
	}
	if after != "" {
		value += plus + literal(after)
	}
	return value
}

// Steps returns the path to a value in JSON, each step between two signs: ["a"][0].
func Steps(path []request.Step, open, end string, literal func(string) string) string {
	var b strings.Builder
	for _, step := range path {
		b.WriteString(open)
		if step.IsIndex {
			b.WriteString(emit.Itoa(step.Index))
		} else {
			b.WriteString(literal(step.Key))
		}
		b.WriteString(end)
	}
	return b.String()
}

// Dotted returns the path to a value in JSON with a dot before names: .a["b c"][0].
func Dotted(path []request.Step, literal func(string) string) string {
	var b strings.Builder
	for _, step := range path {
		switch {
		case step.IsIndex:
			b.WriteString("[" + emit.Itoa(step.Index) + "]")
		case emit.IsIdentifier(step.Key):
			b.WriteString("." + step.Key)
		default:
			b.WriteString("[" + literal(step.Key) + "]")
		}
	}
	return b.String()
}

// Captured returns the names of the variables that hold the content of the response, and
// what is picked out of its JSON value.
func (c *Call) Captured() (whole []string, picked []Capture) {
	for _, one := range c.Captures {
		switch {
		case one.Header != "":
		case len(one.Path) == 0:
			whole = append(whole, one.Name)
		default:
			picked = append(picked, one)
		}
	}
	return whole, picked
}

// HeaderValues returns the values of fields of the head of the response that the program keeps.
func (c *Call) HeaderValues() (fields []Capture) {
	for _, one := range c.Captures {
		if one.Header != "" {
			fields = append(fields, one)
		}
	}
	return fields
}

// OnlyFields reports whether the program keeps nothing of the content of the response.
func (c *Call) OnlyFields() bool { return len(c.HeaderValues()) == len(c.Captures) }
