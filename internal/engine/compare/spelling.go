package compare

import (
	"slices"

	"uncoil/internal/engine/reqtext"
	"uncoil/request"
)

// spelled returns requests in which each variable that a value stands for is spelled ${NAME}, as
// bash has it, whatever the shell of the text: $NAME, %NAME% and $env:NAME are the same. Those
// that have a default or are computed stay as they are.
func spelled(requests []request.Request) []request.Request {
	copied := false
	for i := range requests {
		if len(requests[i].Variables) == 0 {
			continue
		}
		if !copied {
			requests, copied = slices.Clone(requests), true
		}
		reqtext.Rewrite(&requests[i], func(s *reqtext.String) {
			if len(s.Variables) == 0 {
				return
			}
			var b reqtext.Builder
			end := 0
			for _, v := range s.Variables {
				if v.Encoding == request.EncodingBase64 { // several in one encoded text
					continue
				}
				b.Keep(s.Text, end, v.Start)
				if v.Known() && !v.HasDefault && v.From == nil {
					v.Expr = "${" + v.Name + "}"
					b.Add(v.Expr)
				} else {
					b.Keep(s.Text, v.Start, v.End)
				}
				end = v.End
			}
			b.Keep(s.Text, end, len(s.Value))
			s.Text = b.Text()
		})
	}
	return requests
}

// credentials returns the value of the field Authorization of credentials with variables, whose
// spelling Basic encodes: as what it encodes. ok is false for others.
func credentials(r *request.Request, f *request.Field) (value string, ok bool) {
	if f.Origin == request.OriginUser || r.Auth == nil || r.Auth.Scheme != "basic" ||
		!slices.ContainsFunc(r.Variables, func(v request.Variable) bool { return v.Encoding == request.EncodingBase64 }) {
		return "", false
	}
	return "Basic " + r.Auth.Username + ":" + r.Auth.Password + " encoded", true
}
