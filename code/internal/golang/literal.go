package golang

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/request"
)

// goArgument returns an expression of type string that is one argument of
// several: gofmt writes no blanks around + there.
func (r *goRequest) goArgument(t plan.Text) string {
	if len(t) < 2 {
		return r.goText(t)
	}
	terms := make([]string, len(t))
	for i := range t {
		terms[i] = r.goText(t[i : i+1])
	}
	return strings.Join(terms, "+")
}

// goText returns an expression of type string.
func (r *goRequest) goText(t plan.Text) string {
	if s, ok := t.Plain(); ok {
		return goString(s)
	}
	terms := make([]string, len(t))
	for i, part := range t {
		if part.Variable == nil {
			terms[i] = goString(part.Literal)
		} else {
			terms[i] = r.goVariable(part.Variable)
		}
	}
	return strings.Join(terms, " + ")
}

// goReader returns a call of strings.NewReader, the variable body: long text is in
// parts.
func (r *goRequest) goReader(t plan.Text) emit.Node {
	const function = "strings.NewReader"
	literal := r.goText(t)
	s, ok := t.Plain()
	switch {
	case strings.Contains(literal, "\n"):
		return emit.Leaf(function + "(" + literal + ")")
	case !ok || !r.p.IsLong(s):
		return emit.Group(function, "(", []emit.Node{emit.Leaf(literal)}, ")")
	}
	parts := r.p.Parts(s)
	for i := range parts {
		parts[i] = goString(parts[i])
	}
	content := emit.Summed(parts)
	if !r.p.Fits(emit.Columns("body := " + function + "(" + parts[0])) {
		return emit.Group(function, "(", []emit.Node{content}, ")")
	}
	return content.Around(function+"(", ")")
}

func (r *goRequest) goVariable(v *request.Variable) string {
	if v.Encoding == plan.Computed {
		return v.Name
	}
	expr := v.Name
	switch {
	case plan.IsLocal(v):
	case r.p.IsFunction():
		expr = r.p.Parameter(v)
		if !r.has[expr] {
			if r.has == nil {
				r.has = make(map[string]bool)
			}
			r.p.Budget.Hold(bytesPerShare)
			r.has[expr] = true
			r.parameters = append(r.parameters, expr)
		}
	default:
		r.p.Use("os")
		expr = "os.Getenv(" + strconv.Quote(v.Name) + ")"
	}
	if v.HasDefault {
		r.p.Use("cmp")
		expr = "cmp.Or(" + expr + ", " + goString(v.Default) + ")"
	}
	switch v.Encoding {
	case plan.UserPart:
		r.p.Use("strings")
		return "strings.SplitN(" + expr + `, ":", 2)[0]`
	case plan.PasswordPart:
		r.p.Use("strings")
		return "strings.SplitN(" + expr + `, ":", 2)[1]`
	case plan.LastSegment:
		r.p.Use("path/filepath")
		return "filepath.Base(" + expr + ")"
	case plan.Segment, plan.Segments, plan.JSONValue, plan.JSONElements:
		return r.helped(v.Encoding, expr)
	case request.EncodingPercent:
		r.p.Use("net/url")
		if r.p.TakesValues() { // url.PathEscape leaves & and =
			return "url.QueryEscape(" + expr + ")"
		}
		return "url.PathEscape(" + expr + ")"
	case request.EncodingForm:
		r.p.Use("net/url")
		return "url.QueryEscape(" + expr + ")"
	case request.EncodingJSON:
		if r.p.TakesValues() {
			return r.helped(v.Encoding, expr)
		}
		r.p.Refuse("escapes no variable for JSON in an expression")
	}
	return expr
}

// goString returns a string literal: a raw one where it says the same and
// needs fewer escapes.
func goString(s string) string {
	if emit.StandsForItself(s, '"', "") {
		return `"` + s + `"`
	}
	quoted := strconv.Quote(s)
	if !strings.Contains(quoted, `\`) || !utf8.ValidString(s) || strings.ContainsAny(s, "`\r\ufeff") {
		return quoted
	}
	for _, r := range s {
		if r != '\n' && r != '\t' && !strconv.IsPrint(r) {
			return quoted
		}
	}
	if strings.TrimSpace(s) == "" || emit.EscapesBreaks(s) {
		return quoted
	}
	return "`" + s + "`"
}
