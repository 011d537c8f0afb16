package render

import (
	"slices"
	"strings"
	"unicode/utf8"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/peer"
	"uncoil/internal/engine/urlparts"
	"uncoil/request"
)

// AppendConvert appends a request as the object of method, url, headers and
// data. What these four cannot say is a diagnostic without a place, and dst
// comes back as it was.
func AppendConvert(dst []byte, r *request.Request) ([]byte, *diag.Diagnostic) {
	out, d := appendHead(dst, r, r.Fields)
	if d != nil {
		return dst, d
	}
	out, valid := appendData(out, r.Body)
	if !valid {
		return dst, cannot(diag.CodeBinaryBody, bodyNotText)
	}
	return append(out, '}'), nil
}

// appendHead appends the object up to the value of data, with the fields as headers.
func appendHead(dst []byte, r *request.Request, fields []request.Field) ([]byte, *diag.Diagnostic) {
	url, d := convertURL(r)
	if d == nil {
		d = check(r)
	}
	if d != nil {
		return dst, d
	}
	out := append(dst, `{"method":`...)
	out = jsontext.AppendString(out, r.Method)
	out = append(out, `,"url":`...)
	out = jsontext.AppendString(out, url)
	out = append(out, `,"headers":`...)
	if out, d = appendHeaderObject(out, fields); d != nil {
		return dst, d
	}
	return append(out, `,"data":`...), nil
}

// Members are the values of the object that AppendConvert appends.
type Members struct {
	Method, URL string
	Headers     []request.Param
	Data        []byte // JSON text
}

// Convert returns the values of the object that AppendConvert appends.
func Convert(r *request.Request) (m Members, d *diag.Diagnostic) {
	m.Method = r.Method
	if m.URL, d = convertURL(r); d == nil {
		d = check(r)
	}
	eachHeader(r.Fields, func(name, value string) {
		m.Headers = append(m.Headers, request.Param{Name: name, Value: value})
		if d == nil && !utf8.ValidString(value) {
			d = notText(name)
		}
	})
	if d != nil {
		return Members{}, d
	}
	var valid bool
	if m.Data, valid = appendData(nil, r.Body); !valid {
		return Members{}, cannot(diag.CodeBinaryBody, bodyNotText)
	}
	return m, nil
}

const bodyNotText = "the body is not text"

// notText refuses a header whose value JSON text cannot hold.
func notText(header string) *diag.Diagnostic {
	return cannot(diag.CodeBinaryBody, "the value of the header "+header+" is not text")
}

func cannot(code diag.Code, message string) *diag.Diagnostic {
	return &diag.Diagnostic{Code: code, Severity: diag.SeverityError, Message: message, Hint: "ask for the full description (/api/parse) instead"}
}

// convertURL returns the URL, with the path that --request-target gives.
func convertURL(r *request.Request) (string, *diag.Diagnostic) {
	if r.Target == "" {
		return r.URL, nil
	}
	if !strings.HasPrefix(r.Target, "/") {
		return "", cannot(diag.CodeRequestTarget, "the request target is not a path, and method, url, headers and data have no field for it")
	}
	parts := urlparts.Of(r.URL)
	if parts.Authority == 0 {
		return "", cannot(diag.CodeRequestTarget, "the request target replaces a path that is not known")
	}
	return r.URL[:parts.Path] + r.Target, nil
}

// check refuses credentials and content that the four members cannot say.
func check(r *request.Request) *diag.Diagnostic {
	if r.Auth != nil && r.Auth.Computed() {
		return &diag.Diagnostic{Code: diag.CodeComputedAuth, Severity: diag.SeverityError, Hint: authHint,
			Message: "curl computes the credentials of this request when it sends it (" + r.Auth.Scheme + "), and method, url, headers and data have no field for what it computes them from"}
	}
	return checkBody(r)
}

const authHint = "use auth of the full description (/api/parse)"

// Warnings returns the warnings about the object of a request. In place of the
// advice that the description has credentials which curl negotiates stands the
// doubt that the object has none. The object does not say to whom curl connects in place of
// the host of the URL; source is the text, which spells the option that does.
func Warnings(warnings diag.List, r *request.Request, span diag.Span, source string) diag.List {
	if doubt := peer.Doubt(r, source); doubt != nil {
		warnings = append(slices.Clip(warnings), *doubt)
	}
	if r.Auth == nil || !isChallenged(r.Auth) {
		return warnings
	}
	out := slices.DeleteFunc(slices.Clone(warnings), func(d diag.Diagnostic) bool { return d.Code == diag.WarnNegotiated })
	out.Warn(diag.WarnComputedAuth, span, "this is curl's first request, without credentials; when the server asks for them, curl computes them and sends it again", authHint)
	return out
}

// isChallenged reports whether curl authenticates only after the server has asked it to,
// so that the first request has no credentials.
func isChallenged(a *request.Auth) bool { return a.Scheme == "digest" || a.Scheme == "any" }

// checkBody refuses content that is not text, or not known.
func checkBody(r *request.Request) *diag.Diagnostic {
	b := r.Body
	if b == nil {
		return nil
	}
	switch b.Kind {
	case request.KindBinary:
		return cannot(diag.CodeBinaryBody, bodyNotText)
	case request.KindFile, request.KindStdin, request.KindConcat:
		return cannot(diag.CodeFileNotSupplied, curl.BodyNotSupplied)
	case request.KindMultipart:
		if !isMultipart(r) {
			return cannot(diag.CodeBinaryBody, "the body is a form, but the content type is another")
		}
		return checkParts(b.Parts)
	}
	return nil
}

func isMultipart(r *request.Request) bool {
	for i := range r.Fields {
		if f := &r.Fields[i]; ascii.EqualFold(f.Name, "Content-Type") {
			return len(f.Value) >= len("multipart/") && ascii.EqualFold(f.Value[:len("multipart/")], "multipart/")
		}
	}
	return false
}

func checkParts(parts []request.Part) *diag.Diagnostic {
	for i := range parts {
		p := &parts[i]
		if !utf8.ValidString(p.Name) || !utf8.ValidString(p.Value) || p.Content != nil && p.Inline && !utf8.ValidString(*p.Content) {
			return cannot(diag.CodeBinaryBody, "a form field is not text")
		}
		if p.Inline && p.Content == nil {
			return cannot(diag.CodeFileNotSupplied, "a form field is in a file that was not supplied")
		}
		if d := checkParts(p.Parts); d != nil {
			return d
		}
	}
	return nil
}

// appendHeaderObject appends the fields as an object.
func appendHeaderObject(dst []byte, fields []request.Field) (_ []byte, d *diag.Diagnostic) {
	separator := byte('{')
	eachHeader(fields, func(name, value string) {
		dst = jsontext.AppendString(append(dst, separator), name)
		var valid bool
		if dst, valid = jsontext.AppendText(append(dst, ':'), value); !valid && d == nil {
			d = notText(name)
		}
		separator = ','
	})
	if separator == '{' {
		dst = append(dst, '{')
	}
	return append(dst, '}'), d
}

// eachHeader yields the fields that the user asked for, in one way or another:
// a repeated name has its values joined.
func eachHeader(fields []request.Field, yield func(name, value string)) {
	var few [fewNames]member
	members := groupNames(few[:0], len(fields), true, func(i int) (string, bool) {
		return fields[i].Name, fields[i].Origin != request.OriginDefault
	})
	for i := range fields {
		if f := &fields[i]; f.Origin != request.OriginDefault && !members[i].again {
			yield(f.Name, joinedValue(fields, members, i))
		}
	}
}

// joinedValue returns the value of field i joined with those of the same name.
func joinedValue(fields []request.Field, members []member, i int) string {
	if members[i].next == 0 {
		return fields[i].Value
	}
	separator := ", "
	if ascii.EqualFold(fields[i].Name, "Cookie") {
		separator = "; "
	}
	var b strings.Builder
	b.WriteString(fields[i].Value)
	for j := members[i].next; j != 0; j = members[j].next {
		b.WriteString(separator)
		b.WriteString(fields[j].Value)
	}
	return b.String()
}

// appendData appends the content: null, JSON, a form, or text. It reports
// whether text is UTF-8.
func appendData(dst []byte, b *request.Body) (_ []byte, valid bool) {
	if b == nil {
		return append(dst, "null"...), true
	}
	switch b.Kind {
	case request.KindJSON:
		if out, ok := jsontext.AppendCompact(dst, b.Data); ok {
			return out, true
		} // else it only starts as JSON: nobody has looked before
	case request.KindMultipart:
		return appendFormObject(dst, b.Parts), true
	}
	return jsontext.AppendText(dst, b.Data)
}

// appendFormObject appends form parts as an object of names; a repeated name
// has an array.
func appendFormObject(dst []byte, parts []request.Part) []byte {
	var few [fewNames]member
	members := groupNames(few[:0], len(parts), false, func(i int) (string, bool) { return parts[i].Name, true })
	dst = append(dst, '{')
	first := true
	for i := range parts {
		if members[i].again {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = jsontext.AppendString(dst, parts[i].Name)
		dst = append(dst, ':')
		if members[i].next == 0 {
			dst = appendFormValue(dst, &parts[i])
			continue
		}
		dst = appendFormValue(append(dst, '['), &parts[i])
		for j := members[i].next; j != 0; j = members[j].next {
			dst = appendFormValue(append(dst, ','), &parts[j])
		}
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

// appendFormValue appends a plain field as text, and a file, or a field with
// more to say, as an object.
func appendFormValue(dst []byte, p *request.Part) []byte {
	value := p.Value
	if p.Inline && p.Content != nil {
		value = *p.Content
	}
	isFile := p.File != "" && !p.Inline
	if !isFile && !p.Nested && p.Filename == nil && p.ContentType == nil && p.Encoder == "" && len(p.Headers) == 0 {
		return jsontext.AppendString(dst, value)
	}
	o := jsontext.NewObject(dst)
	switch {
	case p.Nested:
		o.Key("parts")
		for k := range p.Parts {
			o.Dst = append(o.Dst, "[,"[min(k, 1)])
			o.Dst = appendFormNested(o.Dst, &p.Parts[k])
		}
		if len(p.Parts) == 0 {
			o.Dst = append(o.Dst, '[')
		}
		o.Dst = append(o.Dst, ']')
	case isFile:
		o.String("file", p.File)
	default:
		o.String("value", value)
	}
	o.Maybe("filename", p.Filename)
	o.Maybe("contentType", p.ContentType)
	o.Strings("headers", p.Headers)
	o.Optional("encoder", p.Encoder)
	return o.End()
}

// appendFormNested appends a part of a nested multipart, whose name, if any,
// has no object to stand in.
func appendFormNested(dst []byte, p *request.Part) []byte {
	if p.Name == "" {
		return appendFormValue(dst, p)
	}
	return appendFormObject(dst, []request.Part{*p})
}
