package render

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/jsontext"
	"uncoil/request"
)

// AppendConvertText is AppendConvert with the exact body as data, a string in any
// case: JSON as it was typed, and a form as it goes out, with its boundary in
// Content-Type. A client sends that string as it is.
func AppendConvertText(dst []byte, r *request.Request) ([]byte, *diag.Diagnostic) {
	if r.Body == nil {
		return AppendConvert(dst, r)
	}
	if d := check(r); d != nil {
		return dst, d
	}
	body, boundary, err := bodyText(r)
	if err != nil {
		if e, ok := errors.AsType[*request.FileError](err); ok {
			return dst, &diag.Diagnostic{Code: diag.CodeFileNotSupplied, Severity: diag.SeverityError, Files: []string{e.Name},
				Message: "a form field is in a file that was not supplied", Hint: "pass its content in files"}
		}
		return dst, cannot(diag.CodeInternal, diag.CodeInternal.Title())
	}
	if !utf8.Valid(body) {
		return dst, cannot(diag.CodeBinaryBody, bodyNotText)
	}
	fields := r.Fields
	if boundary != "" {
		fields = slices.Clone(fields)
		for i := range fields {
			if f := &fields[i]; ascii.EqualFold(f.Name, "Content-Type") {
				f.Value += "; boundary=" + boundary // as Curl_mime_contenttype(), curl 8.22 lib/mime.c
			}
		}
	}
	out, d := appendHead(dst, r, fields)
	if d != nil {
		return dst, d
	}
	return append(jsontext.AppendString(out, body), '}'), nil
}

// bodyText returns the content, and the boundary of a form: the same each time for the
// same form, where curl takes a random one.
func bodyText(r *request.Request) (body []byte, boundary string, err error) {
	if r.Body.Kind != request.KindMultipart {
		body, err = r.AppendBody(nil, request.Source{})
		return body, "", err
	}
	boundary = boundaryFor(r.Body.Parts)
	body, err = r.AppendBody(nil, request.Source{Boundary: boundary})
	return body, boundary, err
}

// A boundary ends with digits: of a group, and of the nested parts within it.
const (
	boundaryStem = "------------------------uncoil"
	groupDigits  = 4
	partDigits   = 4
)

// boundaryFor returns a boundary that no part holds. Only content that holds all ten
// thousand of them gets one that it holds; curl does not look at all.
func boundaryFor(parts []request.Part) string {
	taken := make(map[int]bool)
	takeGroups(taken, parts)
	group := 0
	for taken[group] {
		group++
	}
	digits := strconv.Itoa(group)
	if len(digits) > groupDigits {
		digits = ""
	}
	return boundaryStem + strings.Repeat("0", groupDigits-len(digits)) + digits + strings.Repeat("0", partDigits)
}

// takeGroups notes the groups of boundaries that parts hold.
func takeGroups(taken map[int]bool, parts []request.Part) {
	for i := range parts {
		content := parts[i].Value
		if parts[i].Content != nil {
			content = *parts[i].Content
		}
		for _, rest, found := strings.Cut(content, boundaryStem); found; _, rest, found = strings.Cut(rest, boundaryStem) {
			if group, err := strconv.Atoi(rest[:min(groupDigits, len(rest))]); err == nil {
				taken[group] = true
			}
		}
		takeGroups(taken, parts[i].Parts)
	}
}
