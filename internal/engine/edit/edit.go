// Package edit changes the method, a header field or a query pair of a request,
// so that a command written from it sends the change.
package edit

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/curl"
	"uncoil/request"
)

// The parts that an Edit can change.
const (
	Method  = "method"
	Headers = "headers"
	Query   = "query"
)

// An Edit is one change of a request.
type Edit struct {
	Part string
	// At is which header field or pair is changed, counted from 0 as the
	// description lists them. At their number, one is added.
	At          int
	Name, Value string // the value alone for a method
	Remove      bool
}

// Apply changes the request. It reports false where there is no such part.
// Variables that the new text still has stay variables.
func (e *Edit) Apply(r *request.Request) bool {
	e.Name, e.Value = strings.TrimSpace(e.Name), strings.Trim(e.Value, " \t")
	switch e.Part {
	case Method:
		var m marker
		m.add(e.Value, r.Variables.At("method"), "method", plain)
		r.Method = string(m.text)
		r.Variables = m.replaceIn(r.Variables, "method")
		return true
	case Headers:
		return e.header(r)
	case Query:
		return e.pair(r)
	}
	return false
}

// header changes a field. One that goes is left as a field that curl adds,
// because the places of variables count the fields.
func (e *Edit) header(r *request.Request) bool {
	shown := listed(r)
	if e.At < 0 || e.At > len(shown) || e.Remove && e.At == len(shown) {
		return false
	}
	r.Fields = slices.Clone(r.Fields)
	if e.Remove {
		e.Name = r.Fields[shown[e.At]].Name
	}
	r.Removed = slices.DeleteFunc(slices.Clone(r.Removed), func(name string) bool { return ascii.EqualFold(name, e.Name) })
	i := len(r.Fields)
	var old request.Field
	switch {
	case e.At < len(shown):
		i = shown[e.At]
		old = r.Fields[i]
	case !e.Remove:
		if i = implied(r, e.Name); i < len(r.Fields) {
			old = r.Fields[i] // curl sends the new field in its place
		} else {
			r.Fields = append(r.Fields, request.Field{})
		}
	}
	if old.Origin == request.OriginImplied && ascii.EqualFold(old.Name, "Authorization") {
		r.Auth = nil
	}
	renamed := !ascii.EqualFold(old.Name, e.Name)
	if e.Remove || renamed && old.Origin == request.OriginImplied {
		leave(r, old)
	}
	at := "headers." + strconv.Itoa(i)
	var m marker
	if e.Remove {
		r.Fields[i] = unasked(old.Name)
	} else {
		m.add(e.Value, r.Variables.At(at+".value"), at+".value", plain)
		r.Fields[i] = request.Field{Name: e.Name, Value: string(m.text), Origin: request.OriginUser, From: "-H"}
		if !renamed && old.Origin == request.OriginImplied && ownOption(old.Name) && e.Value != "" {
			r.Fields[i].Origin, r.Fields[i].From = old.Origin, old.From
		}
	}
	r.Variables = m.replaceIn(r.Variables, at+".name", at+".value", at+".line")
	return true
}

// listed returns the indices of the fields in the description.
func listed(r *request.Request) []int {
	var list []int
	for i := range r.Fields {
		if r.Fields[i].Origin != request.OriginDefault {
			list = append(list, i)
		}
	}
	return list
}

// implied returns the index of the field of a name that an option sets, or the
// number of fields.
func implied(r *request.Request, name string) int {
	for i := range r.Fields {
		if r.Fields[i].Origin != request.OriginUser && ascii.EqualFold(r.Fields[i].Name, name) {
			return i
		}
	}
	return len(r.Fields)
}

// ownOption reports a field that an option sets and does nothing else, so that
// it goes with the option.
func ownOption(name string) bool {
	return slices.ContainsFunc([]string{"User-Agent", "Referer", "Cookie", "Range", "If-Modified-Since", "If-Unmodified-Since"},
		func(own string) bool { return ascii.EqualFold(own, name) })
}

// leave makes curl leave out a field that it would send for the content, also
// without -H.
func leave(r *request.Request, old request.Field) {
	forContent := ascii.EqualFold(old.Name, "Content-Type") && r.Body != nil
	if forContent || old.Origin == request.OriginImplied && !ownOption(old.Name) && !ascii.EqualFold(old.Name, "Authorization") {
		r.Removed = append(r.Removed, old.Name)
	}
}

// unasked returns what stands for a field that nobody asks for any more.
func unasked(name string) request.Field {
	f := request.Field{Origin: request.OriginDefault}
	switch {
	case ascii.EqualFold(name, "User-Agent"):
		f.Name, f.Value = "User-Agent", "curl/"+curl.Version
	case ascii.EqualFold(name, "Accept"):
		f.Name, f.Value = "Accept", "*/*"
	case ascii.EqualFold(name, "Host"):
		f.Name = "Host"
	}
	return f
}

// pair changes a pair of the query, within the URL.
func (e *Edit) pair(r *request.Request) bool {
	if e.At < 0 || e.At > len(r.Query) || e.Remove && e.At == len(r.Query) {
		return false
	}
	start, end := pairIn(r.URL, e.At)
	var m marker
	vars := r.Variables.At("url")
	m.keep(r.URL[:start], vars, 0)
	at := "query." + strconv.Itoa(e.At)
	switch {
	case e.Remove && end < len(r.URL): // with the & after it
		end++
	case e.Remove: // with the ? or & before it
		m.text = m.text[:start-1]
	case e.At == len(r.Query):
		if !strings.HasSuffix(r.URL, "?") && !strings.HasSuffix(r.URL, "&") {
			m.text = append(m.text, sign(r.URL))
		}
		fallthrough
	default:
		m.add(e.Name, r.Variables.At(at+".name"), "url", encodedName)
		if e.Value != "" || e.Name == "" {
			m.text = append(m.text, '=')
		}
		m.add(e.Value, r.Variables.At(at+".value"), "url", encoded)
	}
	m.keep(r.URL[end:], vars, end)
	r.URL = string(m.text)
	r.Variables = m.replaceIn(r.Variables, "url")
	return true
}

// sign returns what begins another pair of the URL.
func sign(url string) byte {
	if strings.Contains(url, "?") {
		return '&'
	}
	return '?'
}

// pairIn returns where a pair is in a URL, or the end of the URL twice. As in
// the description, there is no pair between two &.
func pairIn(url string, n int) (start, end int) {
	start = strings.IndexByte(url, '?') + 1
	for start > 0 && start < len(url) {
		end = len(url)
		if i := strings.IndexByte(url[start:], '&'); i >= 0 {
			end = start + i
		}
		if end > start {
			if n == 0 {
				return start, end
			}
			n--
		}
		start = end + 1
	}
	return len(url), len(url)
}

// A marker writes a text and notes where its variables are.
type marker struct {
	text      []byte
	variables request.Variables
}

// keep copies a text that stood at an offset, with its variables.
func (m *marker) keep(s string, old []request.Variable, offset int) {
	shift := len(m.text) - offset
	m.text = append(m.text, s...)
	for _, v := range old {
		if v.Start >= offset && v.End <= offset+len(s) {
			v.Start, v.End = v.Start+shift, v.End+shift
			m.variables = append(m.variables, v)
		}
	}
}

// add adds a text of the user, in which the old variables that it still spells
// stay what they are. What stands around them is encoded.
func (m *marker) add(s string, old []request.Variable, at string, encode func([]byte, string) []byte) {
	for _, v := range old {
		i := strings.Index(s, v.Expr)
		if i < 0 || v.Encoding == request.EncodingBase64 {
			continue
		}
		m.text = encode(m.text, s[:i])
		v.At, v.Start, v.End = at, len(m.text), len(m.text)+len(v.Expr)
		m.text = append(m.text, v.Expr...)
		m.variables = append(m.variables, v)
		s = s[i+len(v.Expr):]
	}
	m.text = encode(m.text, s)
}

// replaceIn returns the variables with those of the marker in place of those in
// some strings.
func (m *marker) replaceIn(all request.Variables, strings ...string) request.Variables {
	kept := slices.DeleteFunc(slices.Clone(all), func(v request.Variable) bool { return slices.Contains(strings, v.At) })
	return append(kept, m.variables...)
}

func plain(dst []byte, s string) []byte { return append(dst, s...) }

// queryMarks are what reaches a server in a query as it stands, and separates
// nothing there.
const queryMarks = "-._~!$'()*,/:;?@[]{}|"

func encodedName(dst []byte, s string) []byte { return ascii.AppendEncoded(dst, s, queryMarks, "%20") }

func encoded(dst []byte, s string) []byte { return ascii.AppendEncoded(dst, s, queryMarks+"=", "%20") }

// Done reports whether a request has the change. It compares no text with
// variables, because shells spell them differently.
func (e *Edit) Done(before, after *request.Request) bool {
	same := func(wanted, got string, vars []request.Variable) bool { return wanted == got || len(vars) > 0 }
	switch e.Part {
	case Method:
		return e.Value != "" && same(e.Value, after.Method, after.Variables.At("method"))
	case Headers:
		count := func(r *request.Request) (n int) {
			for _, i := range listed(r) {
				f := &r.Fields[i]
				if ascii.EqualFold(f.Name, e.Name) && (e.Remove || same(e.Value, f.Value, r.Variables.At("headers."+strconv.Itoa(i)+".value"))) {
					n++
				}
			}
			return n
		}
		if e.Remove {
			return count(after) < count(before)
		}
		return count(after) > 0
	}
	if e.Remove {
		return len(after.Query) < len(before.Query)
	}
	return slices.ContainsFunc(after.Query, func(p request.Param) bool {
		return len(after.Variables.At("url")) > 0 || p.Name == e.Name && p.Value == e.Value
	})
}
