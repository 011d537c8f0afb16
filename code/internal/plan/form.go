package plan

import (
	"slices"
	"unicode/utf8"

	"uncoil/internal/engine/ascii"
	"uncoil/request"
)

// A FormEncoder describes how a language's encoder for forms and queries
// percent-encodes.
type FormEncoder struct {
	Safe string // what it leaves as it is beside letters and digits
	Plus bool   // a space as +
}

// The encoders of the languages.
var (
	EncodeQuotePlus  = FormEncoder{"_.-~", true} // Python quote_plus, Go url.QueryEscape, PHP PHP_QUERY_RFC1738 but for ~
	EncodeWHATWG     = FormEncoder{"*-._", true} // URLSearchParams, Java URLEncoder
	encodeComponents = FormEncoder{"-_.!~*'()", false}
)

// PartNames returns the names of the parts of a form.
func PartNames(parts []FormPart) []string {
	names := make([]string, len(parts))
	for i := range parts {
		names[i] = parts[i].Name
	}
	return names
}

// PairNames returns the names of pairs.
func PairNames(pairs []Pair) []string {
	names := make([]string, len(pairs))
	for i := range pairs {
		names[i] = pairs[i].Name.Source()
	}
	return names
}

// Prints reports whether the encoder prints exactly src for the pairs, which are text
// in nearly all languages: other bytes stay percent-encoded. A value that the program
// reads from its environment must be one that curl encodes in the same way.
func (e *FormEncoder) Prints(pairs []Pair, src Text) bool {
	if len(pairs) == 0 {
		return false
	}
	var b []byte
	for i, p := range pairs {
		if !p.Name.IsText() || !p.Value.IsText() {
			return false
		}
		if i > 0 {
			b = append(b, '&')
		}
		b, _ = e.Append(b, p.Name)
		b = append(b, '=')
		var ok bool
		if b, ok = e.Append(b, p.Value); !ok {
			return false
		}
	}
	return string(b) == src.Source()
}

// spells reports whether the encoder prints the pairs as src has them, but for what variables
// hold.
func (e *FormEncoder) spells(pairs []Pair, src Text) bool {
	plain := func(t Text) Text {
		out := slices.Clone(t)
		for i := range out {
			if out[i].Variable != nil {
				out[i] = Part{Literal: "x"}
			}
		}
		return MergeLiterals(out)
	}
	list := make([]Pair, len(pairs))
	for i, one := range pairs {
		list[i] = Pair{plain(one.Name), plain(one.Value)}
	}
	return e.Prints(list, plain(src))
}

func (e *FormEncoder) Append(b []byte, t Text) (_ []byte, ok bool) {
	for _, p := range t {
		switch {
		case p.Variable == nil:
			b = e.Escape(b, p.Literal)
		case e.Plus && p.Variable.Encoding == request.EncodingForm, !e.Plus && p.Variable.Encoding == request.EncodingPercent:
			b = append(b, p.Variable.Expr...)
		default:
			return b, false
		}
	}
	return b, true
}

func (e *FormEncoder) Escape(b []byte, s string) []byte {
	space := "%20"
	if e.Plus {
		space = "+"
	}
	return ascii.AppendEncoded(b, s, e.Safe, space)
}

// FormDecoded returns a text with its literals decoded as a form is.
func FormDecoded(t Text) Text {
	out := slices.Clone(t)
	for i := range out {
		if out[i].Variable == nil {
			out[i].Literal = ascii.Decoded(out[i].Literal, true)
		}
	}
	return out
}

// EncodeData is Uri.EscapeDataString.
var EncodeData = FormEncoder{"_.-~", false}

// Keeps reports whether the encoder gives back an encoded name or value.
func (e *FormEncoder) Keeps(encoded string) bool {
	decoded := ascii.Decoded(encoded, e.Plus)
	return utf8.ValidString(decoded) && string(e.Escape(nil, decoded)) == encoded
}
