package code_test

import (
	"slices"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/internal/engine/ascii"
	"uncoil/request"
)

// TestHARReadBack holds that the requests of a HAR file are those that it was written for:
// the same methods, URLs, fields and content. A placeholder for a host is no host, and a
// form with parts has a boundary of its own.
func TestHARReadBack(t *testing.T) {
	target, _ := code.Lookup("har")
	read := 0
	for _, command := range fileCommands(t) {
		r, err := engine.Parse(command, engine.Input{})
		if err != nil || slices.ContainsFunc(r.Requests, unlikeBrowsers) {
			continue
		}
		file, diags := target.Compose(nil, r.Requests, code.Options{})
		if diags.Err() != nil {
			continue
		}
		back, err := engine.Parse(string(file), engine.Input{})
		if err != nil || len(back.Requests) != len(r.Requests) {
			t.Errorf("%s\n%s\nis read otherwise: %v", command, file, err)
			continue
		}
		if slices.ContainsFunc(back.Warnings, func(d diag.Diagnostic) bool {
			return d.Code == diag.WarnMemberDiffers || d.Code == diag.WarnQueryDiffers
		}) {
			t.Errorf("%s\n%s\nhas the doubts %v", command, file, back.Warnings)
		}
		for i := range r.Requests {
			if want, got := harSummary(&r.Requests[i]), harSummary(&back.Requests[i]); want != got {
				t.Errorf("%s\n%s\nis read as\n%s\nwant\n%s", command, file, got, want)
			}
			read++
		}
	}
	if read < 100 {
		t.Errorf("%d requests were read", read)
	}
}

// unlikeBrowsers reports what no log of a browser has: placeholders, methods and names that
// are no tokens, forms with a type of their own or with odd parts, and fields that are not
// ASCII, of which browsers write a character for each byte.
func unlikeBrowsers(r request.Request) bool {
	if r.Body != nil && r.Body.Kind == request.KindMultipart {
		plain := slices.ContainsFunc(r.Fields, func(f request.Field) bool { return f.Value == "multipart/form-data" })
		if !plain || slices.ContainsFunc(r.Body.Parts, func(p request.Part) bool { return p.Name == "" || p.Nested || p.Encoder != "" }) {
			return true
		}
	}
	odd := func(f request.Field) bool {
		name, _, _ := strings.Cut(f.Line, ":")
		return !ascii.Only(f.Value) || !ascii.IsToken(f.Name) || f.Line != "" && !ascii.IsToken(name)
	}
	return len(r.Variables) > 0 || strings.ContainsAny(r.URL, "<>") || !ascii.IsToken(r.Method) || slices.ContainsFunc(r.Fields, odd)
}

// harSummary returns what a file keeps of a request, in one spelling.
func harSummary(r *request.Request) string {
	var b strings.Builder
	base, query, _ := strings.Cut(r.URL, "?")
	if strings.Count(base, "/") == 2 {
		base += "/"
	}
	b.WriteString(r.Method + " " + ascii.Decoded(base, false) + "?" + ascii.Decoded(query, false) + "\n")
	var fields []string
	for _, f := range r.Fields {
		if f.Origin != request.OriginDefault && !ascii.EqualFold(f.Name, "Content-Length") && !ascii.EqualFold(f.Name, "Connection") && !ascii.EqualFold(f.Name, "Host") && !(r.Body != nil && r.Body.Kind == request.KindMultipart && ascii.EqualFold(f.Name, "Content-Type")) {
			fields = append(fields, strings.ToLower(f.Name)+": "+strings.Trim(f.Value, " \t")+"\n")
		}
	}
	slices.Sort(fields)
	b.WriteString(strings.ReplaceAll(strings.Join(fields, ""), "\ncookie: ", "; ")) // as HTTP/2 has several
	if r.Body == nil {
		return b.String()
	}
	b.WriteString(r.Body.Data)
	for _, p := range r.Body.Parts {
		b.WriteString("part " + p.Name + "=" + p.Value + "@" + p.File + "\n")
	}
	for _, p := range r.Body.Pieces {
		b.WriteString("piece " + p.Text + "@" + p.File + "\n")
	}
	return b.String()
}
