package code

import (
	"slices"
	"unicode/utf8"

	"uncoil/internal/engine/ascii"
	"uncoil/request"
)

// A formEncoder describes how a language's encoder for forms and queries
// percent-encodes.
type formEncoder struct {
	safe string // what it leaves as it is beside letters and digits
	plus bool   // a space as +
}

// The encoders of the languages.
var (
	encodeQuotePlus  = formEncoder{"_.-~", true} // Python quote_plus, Go url.QueryEscape, PHP PHP_QUERY_RFC1738 but for ~
	encodeWHATWG     = formEncoder{"*-._", true} // URLSearchParams, Java URLEncoder
	encodeComponents = formEncoder{"-_.!~*'()", false}
)

// pairNames returns the names of pairs.
func pairNames(pairs []pair) []string {
	names := make([]string, len(pairs))
	for i := range pairs {
		names[i] = pairs[i].name.source()
	}
	return names
}

// prints reports whether the encoder prints exactly src for the pairs, which are text
// in nearly all languages: other bytes stay percent-encoded. A value that the program
// reads from its environment must be one that curl encodes in the same way.
func (e *formEncoder) prints(pairs []pair, src text) bool {
	if len(pairs) == 0 {
		return false
	}
	var b []byte
	for i, p := range pairs {
		if !p.name.isText() || !p.value.isText() {
			return false
		}
		if i > 0 {
			b = append(b, '&')
		}
		b, _ = e.append(b, p.name)
		b = append(b, '=')
		var ok bool
		if b, ok = e.append(b, p.value); !ok {
			return false
		}
	}
	return string(b) == src.source()
}

func (e *formEncoder) append(b []byte, t text) (_ []byte, ok bool) {
	for _, p := range t {
		switch {
		case p.variable == nil:
			b = e.escape(b, p.literal)
		case e.plus && p.variable.Encoding == request.FormEncode, !e.plus && p.variable.Encoding == request.Percent:
			b = append(b, p.variable.Expr...)
		default:
			return b, false
		}
	}
	return b, true
}

func (e *formEncoder) escape(b []byte, s string) []byte {
	space := "%20"
	if e.plus {
		space = "+"
	}
	return ascii.AppendEncoded(b, s, e.safe, space)
}

// formDecoded returns a text with its literals decoded as a form is.
func formDecoded(t text) text {
	out := slices.Clone(t)
	for i := range out {
		if out[i].variable == nil {
			out[i].literal = ascii.Decoded(out[i].literal, true)
		}
	}
	return out
}

// encodeData is Uri.EscapeDataString.
var encodeData = formEncoder{"_.-~", false}

// keeps reports whether the encoder gives back an encoded name or value.
func (e *formEncoder) keeps(encoded string) bool {
	decoded := ascii.Decoded(encoded, e.plus)
	return utf8.ValidString(decoded) && string(e.escape(nil, decoded)) == encoded
}
