package rewrite

import (
	"slices"
	"strings"

	"uncoil/code/internal/plan"
	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/edit"
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
		if value == "" || ascii.EqualFold(value, f.Value) {
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
		out[i] = requests[i]
		for _, name := range edit.DropFields(&out[i], func(f *request.Field) bool {
			return o.DropNoise && IsNoise(f) || o.DropCookies && isCookie(f)
		}) {
			if !slices.ContainsFunc(dropped, func(known string) bool { return ascii.EqualFold(known, name) }) {
				dropped = append(dropped, name)
			}
		}
	}
	var notes diag.List
	if len(dropped) > 0 {
		notes.Warn(diag.WarnFieldsDropped, diag.Span{}, "left out: "+strings.Join(dropped, ", "), "")
	}
	return out, notes
}
