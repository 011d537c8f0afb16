package compare

import "uncoil/internal/engine/jsontext"

// AppendJSON appends differences as a JSON array: a side that has nothing is left out. A text that
// is not UTF-8 has U+FFFD in place of what is wrong.
func AppendJSON(dst []byte, list []Difference) []byte {
	return jsontext.AppendArray(dst, list, func(dst []byte, d *Difference) []byte {
		o := jsontext.NewObject(dst)
		if d.Request > 0 {
			o.Int("request", int64(d.Request))
		}
		o.Plain("kind", string(d.Kind))
		o.Optional("name", d.Name)
		o.Optional("member", d.Member)
		o.Maybe("a", d.A)
		o.Maybe("b", d.B)
		o.True("spelling", d.Spelling)
		if d.Kind == Content {
			o.Int("at", int64(d.At))
		}
		return o.End()
	})
}
