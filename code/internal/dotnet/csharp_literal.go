package dotnet

import (
	"strings"
	"unicode/utf8"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/source/quote"
	"uncoil/request"
)

// CsharpString returns a literal, which C# 7 has too, for snippets are pasted into
// projects of Unity and mono: a verbatim one for several lines and for backslashes.
func CsharpString(s string) string {
	switch {
	case emit.StandsForItself(s, '"', ""):
		return `"` + s + `"`
	case csharpVerbatim(s):
		return `@"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return csharpQuoted(s)
}

// csharpQuoted returns a literal with escapes.
func csharpQuoted(s string) string {
	s = emit.Quoted(s, "", func(b []byte, s string) []byte {
		r, n := utf8.DecodeRuneInString(s)
		if n == 1 { // a byte that is not UTF-8 stands for itself
			r = rune(s[0])
		}
		return emit.AppendCodeUnit(b, r)
	})
	for _, r := range csharpBreaks {
		if strings.ContainsRune(s, r) {
			s = strings.ReplaceAll(s, string(r), string(emit.AppendCodeUnit(nil, r)))
		}
	}
	return s
}

// csharpVerbatim reports whether a text is better read as a verbatim literal, and
// can be one.
func csharpVerbatim(s string) bool {
	odd := func(r rune) bool {
		return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r <= 0x9f || r == '\u2028' || r == '\u2029' || r == utf8.RuneError || quote.Turns(r)
	}
	if strings.ContainsFunc(s, odd) || strings.TrimSpace(s) == "" {
		return false
	}
	if strings.Contains(s, "\n") {
		return emit.HasLines(s)
	}
	return strings.Contains(s, `\`) && !strings.Contains(s, `"`)
}

// doubledBraces escapes a literal of an interpolated string.
var doubledBraces = strings.NewReplacer("{", "{{", "}", "}}")

// csharpText returns an expression for a string with its variables.
func csharpText(p *plan.Program, t plan.Text) string {
	if s, ok := t.Plain(); ok {
		return CsharpString(s)
	}
	if len(t) == 1 {
		return csharpVariable(p, t[0].Variable)
	}
	var shape strings.Builder // with a letter for each variable
	for i := range t {
		shape.WriteString(t[i].Literal)
		if t[i].Variable != nil {
			shape.WriteByte('x')
		}
	}
	verbatim := csharpVerbatim(shape.String()) && (emit.HasLines(t.Literals()) || !strings.Contains(shape.String(), "\n"))
	if !verbatim && strings.ContainsAny(shape.String(), `"{}`) { // clearer than with these doubled or escaped
		parts := make([]string, 0, 2*len(t))
		for i := range t {
			if t[i].Literal != "" {
				parts = append(parts, csharpQuoted(t[i].Literal))
			}
			if t[i].Variable != nil {
				parts = append(parts, csharpVariable(p, t[i].Variable))
			}
		}
		return strings.Join(parts, " + ")
	}
	var b strings.Builder
	for i := range t {
		literal := doubledBraces.Replace(t[i].Literal)
		switch {
		case t[i].Variable != nil:
			b.WriteString("{" + csharpVariable(p, t[i].Variable) + "}")
		case verbatim:
			b.WriteString(strings.ReplaceAll(literal, `"`, `""`))
		default:
			literal = csharpQuoted(literal)
			b.WriteString(literal[1 : len(literal)-1])
		}
	}
	if verbatim {
		return `$@"` + b.String() + `"`
	}
	return `$"` + b.String() + `"`
}

func csharpVariable(p *plan.Program, v *request.Variable) string {
	if v.Encoding == plan.Computed {
		return v.Name
	}
	expr := "Environment.GetEnvironmentVariable(" + CsharpString(v.Name) + ")"
	sure := "(" + expr + ` ?? "")`
	switch {
	case plan.IsLocal(v):
		expr, sure = v.Name, v.Name
	case p.IsFunction():
		expr = p.Parameter(v)
		sure = expr
	}
	if v.HasDefault && !p.IsFunction() {
		expr = "(" + expr + " ?? " + csharpQuoted(v.Default) + ")"
		sure = expr
	}
	switch v.Encoding {
	case plan.UserPart:
		return sure + csharpSplit(p) + "[0]"
	case plan.PasswordPart:
		return sure + csharpSplit(p) + "[1]"
	case plan.LastSegment:
		p.Use("System.IO")
		return "Path.GetFileName(" + expr + ")"
	case request.EncodingPercent:
		return "Uri.EscapeDataString(" + sure + ")"
	case request.EncodingForm:
		return "Uri.EscapeDataString(" + sure + `).Replace("%20", "+")`
	case request.EncodingJSON:
		if isOld(p) {
			p.Use("System.Web")
			return "HttpUtility.JavaScriptStringEncode(" + sure + ")"
		}
		p.Use("System.Text.Json")
		return "JsonEncodedText.Encode(" + sure + ").ToString()"
	case plan.Segment, plan.Segments, plan.JSONValue, plan.JSONElements, plan.FieldText:
		return helped(p, v.Encoding, sure)
	}
	return expr
}

// csharpSplit returns what splits a text at its first colon.
func csharpSplit(p *plan.Program) string {
	if isOld(p) {
		return ".Split(new[] { ':' }, 2)"
	}
	return ".Split(':', 2)"
}
