package render

import (
	"slices"

	"uncoil/diag"
	"uncoil/internal/engine/jsontext"
	"uncoil/request"
)

// AppendDescription appends the full description of a text: how it was read,
// its requests, and the warnings, whose places are offsets into source. When
// it would have more than most bytes, and most is not 0, ok is false.
func AppendDescription(dst []byte, shell string, requests []request.Request, warnings diag.List, source string, most int) (out []byte, ok bool) {
	start := len(dst)
	o := jsontext.NewObject(dst)
	o.Plain("shell", shell)
	o.Key("requests")
	o.Dst = append(o.Dst, '[')
	for i := range requests {
		if i > 0 {
			o.Dst = append(o.Dst, ',')
		}
		if i == 1 { // the others are much like the first
			o.Dst = slices.Grow(o.Dst, min(len(requests)*(len(o.Dst)-start), max(most, 0)))
		}
		o.Dst = requests[i].AppendJSON(o.Dst)
		if most > 0 && len(o.Dst)-start > most {
			return dst, false
		}
	}
	o.Dst = append(o.Dst, ']')
	o.Key("warnings")
	o.Dst = AppendWarnings(o.Dst, warnings, source)
	out = o.End()
	return out, most <= 0 || len(out)-start <= most
}

// AppendWarnings appends warnings, whose places are offsets into source.
func AppendWarnings(dst []byte, warnings diag.List, source string) []byte {
	positions := diag.NewPositions(source)
	dst = append(dst, '[')
	for i := range warnings {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = warnings[i].AppendJSON(dst, positions)
	}
	return append(dst, ']')
}
