package plan

import (
	"slices"
	"strings"
	"unicode/utf8"

	"uncoil/internal/engine/ascii"
	"uncoil/request"
)

// meansPairs reports whether the content of a call means form pairs, however they are spelled, so
// that a program of the idiomatic style may have the pairs: what an encoder makes of them is read
// as the same pairs. Encoders then protect what variables hold, which the shell does not.
func (p *Program) meansPairs(c *Call) bool {
	if c.exact || c.isSigned || p.Target.Facts.Everything || p.Target.Kind == File && HasVariable(c.Content.Data) || len(c.Content.Form) == 0 {
		return false
	}
	data := c.Content.Data
	p.Budget.Work(data.Length())
	pairs := data.Split('&')
	if len(pairs) != len(c.Content.Form) {
		return false
	}
	for i, one := range pairs {
		sign := one.Index("=", 0)
		length := len(one.Source())
		if sign >= length || !isFormName(one.Cut(0, sign)) || !p.isFormValue(one.Cut(sign+1, length)) {
			return false
		}
		if !c.Content.Form[i].Name.IsText() || !c.Content.Form[i].Value.IsText() {
			return false
		}
	}
	return true
}

// FormData returns the content as text: of form pairs with variables that the program encodes, as
// helpers for forms do.
func (c *Call) FormData() Text {
	data := c.Content.Data
	if !c.Content.meant || !c.HasType(FormType) || !HasVariable(data) || c.measured() {
		return data
	}
	out := slices.Clone(data)
	for i := range out {
		if v := out[i].Variable; v != nil && v.Encoding == request.EncodingNone {
			one := *v
			one.Encoding = request.EncodingForm
			out[i].Variable = &one
		}
	}
	return out
}

// IsOnePair reports whether the content is one form pair that reads better as text than as what a
// client makes of pairs: the encoder prints it so, or, where text is shorter even then, its value
// has a variable.
func (c *Call) IsOnePair(e *FormEncoder, alsoVariable bool) bool {
	if len(c.Content.Form) != 1 {
		return false
	}
	if HasVariable(c.Content.Data) {
		return alsoVariable
	}
	return e.Prints(c.Content.Form, c.Content.Data)
}

// isFormName reports whether what stands before an equals sign is a name, as those of forms are:
// other content has one, too, such as the line protocol of databases and queries in SQL.
func isFormName(t Text) bool {
	name, plain := t.Plain()
	return plain && name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-[]$:~%") == "" && isDecodable(name)
}

// isFormValue reports whether a value is read as it is meant: none has a plus sign that stands for
// itself, or lines with names of their own.
func (p *Program) isFormValue(t Text) bool {
	for _, part := range t {
		if v := part.Variable; v != nil {
			encoded := v.Encoding == request.EncodingForm || v.Encoding == request.EncodingPercent
			if !encoded && (v.Encoding != request.EncodingNone || p.saysEncoded(v)) {
				return false
			}
			continue
		}
		if !isDecodable(part.Literal) || meansPlus(part.Literal) {
			return false
		}
		if line := strings.IndexByte(part.Literal, '\n'); line >= 0 && strings.IndexByte(part.Literal[line:], '=') >= 0 {
			return false
		}
	}
	return true
}

// isDecodable reports whether each percent sign of a text begins an escape, and the decoded text
// is UTF-8 without control characters that a form has no use for.
func isDecodable(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && (i+2 >= len(s) || !ascii.IsHex(s[i+1]) || !ascii.IsHex(s[i+2])) {
			return false
		}
	}
	decoded := ascii.Decoded(s, true)
	return utf8.ValidString(decoded) && strings.IndexByte(decoded, 0) < 0
}

// meansPlus reports whether a plus sign in a text is likely meant as one, as in a number of a
// telephone, an address of e-mail or Base64; servers read a blank. Words have it between letters.
func meansPlus(s string) bool {
	for i := range len(s) {
		if s[i] != '+' {
			continue
		}
		if i == 0 || i+1 == len(s) || !ascii.IsLetter(s[i-1]) || !ascii.IsLetter(s[i+1]) || strings.IndexByte(s, '@') >= 0 || strings.Contains(s, "%40") || strings.ContainsAny(s, "/=") {
			return true
		}
	}
	return false
}

// measured reports whether a field or the query signs or measures the bytes of the content.
func (c *Call) measured() bool {
	if c.Auth != nil && c.Auth.Scheme == "aws-sigv4" || strings.Contains(strings.ToLower(c.URL), "signature") {
		return true
	}
	for _, f := range c.Given() {
		switch name := strings.ToLower(f.Name); {
		case strings.Contains(name, "signature"), name == "digest", name == "content-digest", name == "content-md5", name == "x-amz-content-sha256", name == "content-encoding":
			return true
		case name == "content-length" && f.From != "":
			return true
		}
	}
	return false
}
