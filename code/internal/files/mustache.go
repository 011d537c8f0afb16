package files

import (
	"strings"

	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
	"uncoil/request"
)

// mustache returns a string for a format whose variables stand between double
// braces, and refuses what the format would read as a variable, or cannot make
// of one. inside returns what stands between the braces.
func mustache(p *plan.Program, t plan.Text, inside func(v *request.Variable) string) string {
	if !t.IsText() {
		p.Refuse("has no place for bytes that are not UTF-8")
	}
	var b, ours strings.Builder // ours has no opening braces of variables
	for i := range t {
		v := t[i].Variable
		if v == nil {
			b.WriteString(t[i].Literal)
			ours.WriteString(t[i].Literal)
			continue
		}
		if i > 0 && strings.HasSuffix(t[i-1].Literal, "{") {
			p.Refuse("reads a brace before a variable as part of it")
		}
		bareVariable(p, v)
		b.WriteString("{{" + inside(v) + "}}")
		ours.WriteString("}}")
	}
	if looksLikeVariable(ours.String()) {
		p.Refuse("reads text between double braces as a variable")
	}
	return b.String()
}

// fillIn reports whether a variable stands for a placeholder of documentation, and returns
// what curl sends for it: nothing where that would be a variable of the format itself.
func fillIn(v *request.Variable) (sent string, ok bool) {
	if strings.HasPrefix(v.Expr, "{{") {
		return "", true
	}
	return v.Expr, strings.HasPrefix(v.Expr, "{") || strings.HasPrefix(v.Expr, "<") || strings.HasPrefix(v.Expr, ":") ||
		v.Expr != "" && ascii.IsLetter(v.Expr[0])
}

// holds returns the value with which a file declares a variable.
func holds(v *request.Variable) string {
	if sent, ok := fillIn(v); ok {
		return sent
	}
	return v.Default
}

// needsScheme warns of a URL that begins with a variable: curl guesses a scheme
// where the variable has none.
func needsScheme(p *plan.Program, c *plan.Call) {
	if c.Guess {
		p.Cannot("guesses no scheme", c.URLText[0].Variable.Name+" must begin with one")
	}
}

// bareVariable refuses a variable whose content must be changed, in a format
// that inserts it as it is.
func bareVariable(p *plan.Program, v *request.Variable) {
	switch {
	case v.HasDefault:
		p.Refuse("has no default value for a variable")
	case v.Encoding > request.EncodingNone:
		p.Refuse("inserts a variable as it is, and does not encode it")
	}
}

// looksLikeVariable reports whether a line has text between double braces.
func looksLikeVariable(s string) bool {
	if !strings.Contains(s, "{{") {
		return false
	}
	for line := range strings.SplitSeq(s, "\n") {
		if open := strings.Index(line, "{{"); open >= 0 && strings.LastIndex(line, "}}") >= open+2 {
			return true
		}
	}
	return false
}
