package api

import (
	"strconv"

	"uncoil/code"
	"uncoil/internal/engine/jsontext"
)

// AppendTargets appends the targets of the answer AsCode as a JSON array.
func AppendTargets(dst []byte) []byte { return AppendSomeTargets(dst, code.Targets()) }

// AppendSomeTargets appends some of the targets as AppendTargets does.
func AppendSomeTargets(dst []byte, targets []code.Target) []byte {
	dst = append(dst, '[')
	for i, t := range targets {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '{')
		for _, m := range [...]struct{ name, value string }{
			{"name", t.Name}, {"language", t.Language}, {"client", t.Client},
			{"version", t.Version}, {"kind", string(t.Kind)}, {"extension", t.Extension},
		} {
			dst = append(jsontext.AppendString(dst, m.name), ':')
			dst = append(jsontext.AppendString(dst, m.value), ',')
		}
		dst = append(dst, `"aliases":[`...)
		for j, alias := range t.Aliases {
			if j > 0 {
				dst = append(dst, ',')
			}
			dst = jsontext.AppendString(dst, alias)
		}
		dst = append(dst, `],"proven":`...)
		dst = append(strconv.AppendBool(dst, t.Proven), `,"proof":`...)
		dst = append(jsontext.AppendString(dst, t.Proof), `,"reason":`...)
		dst = append(jsontext.AppendString(dst, t.Reason), `,"rank":`...)
		dst = append(strconv.AppendInt(dst, int64(t.Rank), 10), `,"functions":`...)
		dst = append(strconv.AppendBool(dst, t.Functions), '}')
	}
	return append(dst, ']')
}
