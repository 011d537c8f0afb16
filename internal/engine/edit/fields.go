package edit

import (
	"slices"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/reqtext"
	"uncoil/request"
)

// DropFields takes the fields that drop reports out of the request, and puts what curl
// sends without them in their place. It returns the names of what is gone, each once.
func DropFields(r *request.Request, drop func(*request.Field) bool) (names []string) {
	gone := make(map[string]bool)
	var fields []request.Field
	var from []int
	for i := range r.Fields {
		f := &r.Fields[i]
		if f.Origin == request.OriginDefault || !drop(f) {
			fields, from = append(fields, *f), append(from, i)
		} else if name := strings.ToLower(f.Name); !gone[name] {
			gone[name] = true
			names = append(names, f.Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	for rank, d := range curl.FirstFields {
		left := slices.ContainsFunc(fields, func(f request.Field) bool { return ascii.EqualFold(f.Name, d.Name) })
		if !d.Unasked || !gone[strings.ToLower(d.Name)] || left || d.Name == "Accept-Encoding" && !r.Options.On("compressed") {
			continue
		}
		at := slices.IndexFunc(fields, func(f request.Field) bool {
			before := slices.IndexFunc(curl.FirstFields[:rank], func(d curl.FirstField) bool { return ascii.EqualFold(d.Name, f.Name) })
			return before < 0 || f.Origin == request.OriginUser && before > 0
		})
		if at < 0 {
			at = len(fields)
		}
		fields = slices.Insert(fields, at, request.Field{Name: d.Name, Value: d.Value, Origin: request.OriginDefault})
		from = slices.Insert(from, at, -1)
	}
	reqtext.SetFields(r, fields, from)
	return names
}
