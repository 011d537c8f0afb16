package fetch

import (
	"encoding/base64"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
)

// encode turns params into their text.
func (r *reader) encode(v *value) bool {
	n := 0
	for i := range v.members {
		n += 3*(len(v.members[i].name)+len(v.members[i].value.text)) + len("&=")
	}
	if !r.Meter.Hold(2 * n) {
		return false
	}
	b := make([]byte, 0, n)
	for i := range v.members {
		if i > 0 {
			b = append(b, '&')
		}
		b = appendForm(append(appendForm(b, v.members[i].name), '='), v.members[i].value.text)
	}
	v.kind, v.text, v.members = text, string(b), nil
	return true
}

// appendForm appends s as application/x-www-form-urlencoded
// (https://url.spec.whatwg.org/#concept-urlencoded-serializer).
func appendForm(dst []byte, s string) []byte { return ascii.AppendEncoded(dst, s, "*-._", "+") }

// result returns what a call gives that starts at an offset.
func (r *reader) result(name string, args []value, start int) (v value, ok bool) {
	if name == "new Headers" && len(args) == 0 {
		return value{kind: object}, true
	}
	if name == "new URLSearchParams" && len(args) == 0 {
		return value{kind: params}, true
	}
	if name == "new FormData" && len(args) == 0 {
		return value{kind: form}, true
	}
	switch {
	case len(args) == 0:
	case name == "JSON.stringify":
		return r.stringify(args, start)
	case name == "new Headers" && (args[0].kind == array || args[0].kind == object):
		return args[0], true
	case name == "new URLSearchParams" && len(args) == 1:
		return r.params(args[0])
	case args[0].kind > text || len(args) > 1:
	case name == "new URL" && args[0].kind == text, name == "String":
		return value{kind: text, text: args[0].text}, true
	case name == "btoa":
		return r.btoa(args[0].text, start)
	case name == "encodeURIComponent" && r.Meter.Hold(3*len(args[0].text)):
		return value{kind: text, text: string(appendComponent(nil, args[0].text))}, true
	}
	return v, !r.Meter.Over() && r.unknown(start)
}

// btoa returns the base64 of a text, each character of which is a byte.
func (r *reader) btoa(s string, start int) (v value, ok bool) {
	if !r.Meter.Hold(3 * len(s)) {
		return v, false
	}
	b := make([]byte, 0, len(s))
	for _, c := range s {
		if c > 0xff {
			return v, r.Fail(r.Syntax, r.span(start), "btoa takes no characters beyond Latin-1", "")
		}
		b = append(b, byte(c))
	}
	return value{kind: text, text: base64.StdEncoding.EncodeToString(b)}, true
}

// appendComponent appends s as encodeURIComponent does.
func appendComponent(dst []byte, s string) []byte {
	for i := range len(s) {
		if strings.IndexByte("!'()*", s[i]) >= 0 {
			dst = append(dst, s[i])
		} else {
			dst = ascii.AppendPercent(dst, s[i:i+1], "%20")
		}
	}
	return dst
}

// params returns URLSearchParams of an object, of pairs or of a text.
func (r *reader) params(from value) (v value, ok bool) {
	v.kind = params
	switch from.kind {
	case text:
		v.members, ok = r.formPairs(from.text)
		return v, ok
	case params:
		return from, true
	}
	pairs, ok := r.pairs(from)
	v.members = pairs
	return v, ok
}

// formPairs returns the pairs of a form, decoded.
func (r *reader) formPairs(s string) (pairs []member, ok bool) {
	if !r.Meter.Hold(2 * len(s)) {
		return nil, false
	}
	for piece := range strings.SplitSeq(strings.TrimPrefix(s, "?"), "&") {
		if piece == "" {
			if !r.Meter.Work(1) {
				return nil, false
			}
			continue
		}
		name, content, _ := strings.Cut(piece, "=")
		m := member{name: formDecoded(name), value: value{kind: text, text: formDecoded(content)}}
		if !meter.Append(r.Meter, &pairs, m) {
			return nil, false
		}
	}
	return pairs, true
}

// formDecoded undoes the encoding of a form.
func formDecoded(s string) string { return strings.ToValidUTF8(ascii.Decoded(s, true), "\ufffd") }

// pairs returns the members of an object, or the pairs of an array, with texts
// for values.
func (r *reader) pairs(from value) (pairs []member, ok bool) {
	switch from.kind {
	case object, params:
		pairs = from.members
	case array:
		for _, p := range from.list {
			if p.kind != array || len(p.list) != 2 || p.list[0].kind > text {
				return nil, r.unknown(int(p.span.Start))
			}
			if !meter.Append(r.Meter, &pairs, member{name: p.list[0].text, span: p.list[0].span, value: p.list[1]}) {
				return nil, false
			}
		}
	case undefined, null:
	default:
		return nil, r.unknown(int(from.span.Start))
	}
	for i := range pairs {
		if pairs[i].value.kind > text {
			return nil, r.unknown(int(pairs[i].span.Start))
		}
	}
	return pairs, true
}
