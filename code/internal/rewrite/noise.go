package rewrite

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/curl"
	"uncoil/request"
)

// noiseFields are what browsers add to a request whatever it asks for, in the
// spelling of HTTP/2. An empty value stands for any.
var noiseFields = map[string][]string{
	"accept-encoding":           {""},
	"accept-language":           {""},
	"alt-used":                  {""},
	"cache-control":             {"no-cache", "max-age=0"}, // of the developer tools, and of a reload
	"connection":                {"keep-alive"},
	"device-memory":             {""},
	"dnt":                       {""},
	"downlink":                  {""},
	"dpr":                       {""},
	"ect":                       {""},
	"if-modified-since":         {""}, // of the cache, and so is the next
	"if-none-match":             {""},
	"pragma":                    {"no-cache"},
	"priority":                  {""},
	"rtt":                       {""},
	"save-data":                 {""},
	"te":                        {"trailers"},
	"upgrade-insecure-requests": {""},
	"user-agent":                {""},
	"viewport-width":            {""},
	"x-client-data":             {""},
}

// IsNoise reports a field that says nothing of what is asked for. Origin,
// Referer and X-Requested-With are none, because servers check them.
func IsNoise(f *request.Field) bool {
	name := strings.ToLower(f.Name)
	if f.Origin != request.OriginUser && name != "user-agent" { // -A
		return false
	}
	switch {
	case strings.HasPrefix(name, "sec-"):
		return !strings.HasPrefix(name, "sec-websocket-")
	case strings.HasPrefix(name, "x-browser-"), strings.HasPrefix(name, ":"):
		return true
	case name == "accept": // what a page, an image or a script is asked for with
		return f.Value == "*/*" || strings.Contains(f.Value, "*/*;q=") || strings.Contains(f.Value, "*/*; q=")
	}
	for _, value := range noiseFields[name] {
		if value == "" || strings.EqualFold(value, f.Value) {
			return true
		}
	}
	return false
}

func isCookie(f *request.Field) bool { return ascii.EqualFold(f.Name, "Cookie") }

// WithoutDropped returns the requests without the fields that the options leave
// out, and a note that names them.
func WithoutDropped(o *plan.Options, requests []request.Request) ([]request.Request, diag.List) {
	var dropped []string
	out := make([]request.Request, len(requests))
	for i := range requests {
		out[i] = Without(requests[i], func(f *request.Field) bool {
			return o.DropNoise && IsNoise(f) || o.DropCookies && isCookie(f)
		}, &dropped)
	}
	var notes diag.List
	if len(dropped) > 0 {
		notes.Warn(diag.WarnFieldsDropped, diag.Span{}, "left out: "+strings.Join(dropped, ", "), "")
	}
	return out, notes
}

// defaultFields are the first fields that curl sends, in its order: http_add_hd()
// in curl 8.22 lib/http.c. Those with a value are sent where no option sets
// them.
var defaultFields = []struct{ name, value string }{
	{"Host", ""}, {"Proxy-Authorization", ""}, {"Authorization", ""}, {"Range", ""}, {"Content-Range", ""},
	{"User-Agent", "curl/" + curl.Version}, {"Accept", "*/*"}, {"TE", ""}, {"Accept-Encoding", "deflate, gzip, br, zstd"},
}

// Without returns the request without the fields that drop reports, and with what
// curl sends in the place of a field that goes. It adds the names of these to
// those in dropped, each once.
func Without(r request.Request, drop func(*request.Field) bool, dropped *[]string) request.Request {
	type field struct {
		request.Field
		from int // where it stood
	}
	gone := make(map[string]bool)
	var fields []field
	for i := range r.Fields {
		if f := &r.Fields[i]; f.Origin != request.OriginDefault && drop(f) {
			if name := strings.ToLower(f.Name); !gone[name] {
				gone[name] = true
				if !slices.ContainsFunc(*dropped, func(known string) bool { return ascii.EqualFold(known, name) }) {
					*dropped = append(*dropped, f.Name)
				}
			}
		} else {
			fields = append(fields, field{*f, i})
		}
	}
	compressed := slices.ContainsFunc(r.Options, func(o request.Option) bool { return o.Name == "compressed" && o.Value == true })
	for rank, d := range defaultFields {
		if d.value == "" || !gone[strings.ToLower(d.name)] || d.name == "Accept-Encoding" && !compressed {
			continue
		}
		at := slices.IndexFunc(fields, func(f field) bool {
			before := slices.IndexFunc(defaultFields[:rank], func(d struct{ name, value string }) bool { return ascii.EqualFold(d.name, f.Name) })
			return before < 0 || f.Origin == request.OriginUser && before > 0
		})
		if at < 0 {
			at = len(fields)
		}
		fields = slices.Insert(fields, at, field{request.Field{Name: d.name, Value: d.value, Origin: request.OriginDefault}, -1})
	}
	moved := make(map[string]string) // the place of a field in the model → its new one
	r.Fields = make([]request.Field, len(fields))
	for i, f := range fields {
		r.Fields[i] = f.Field
		moved[emit.Itoa(f.from)] = emit.Itoa(i)
	}
	var variables request.Variables
	for _, v := range r.Variables {
		if rest, ok := strings.CutPrefix(v.At, "headers."); ok {
			index, member, _ := strings.Cut(rest, ".")
			if index, ok = moved[index]; !ok {
				continue
			}
			v.At = "headers." + index + "." + member
		}
		variables = append(variables, v)
	}
	r.Variables = variables
	return r
}
