// Package edit changes the method, a header field or a query pair of a request,
// so that a command written from it sends the change.
package edit

import (
	"slices"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/reqtext"
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
		reqtext.Rewrite(r, func(s *reqtext.String) {
			if s.Member == request.MemberMethod {
				s.Text = typed(e.Value, s.Variables)
			}
		})
		return true
	case Headers:
		return e.header(r)
	case Query:
		return e.pair(r)
	}
	return false
}

// header changes a field.
func (e *Edit) header(r *request.Request) bool {
	shown := listed(r)
	if e.At < 0 || e.At > len(shown) || e.Remove && e.At == len(shown) {
		return false
	}
	if e.Remove {
		e.Name = r.Fields[shown[e.At]].Name
	}
	r.Removed = slices.DeleteFunc(slices.Clone(r.Removed), func(name string) bool { return ascii.EqualFold(name, e.Name) })
	i := len(r.Fields)
	if e.At < len(shown) {
		i = shown[e.At]
	} else if !e.Remove {
		i = implied(r, e.Name) // curl sends the new field in its place
	}
	var old request.Field
	if i < len(r.Fields) {
		old = r.Fields[i]
	}
	if old.Origin == request.OriginImplied && ascii.EqualFold(old.Name, "Authorization") {
		r.Auth = nil
	}
	renamed := !ascii.EqualFold(old.Name, e.Name)
	if e.Remove || renamed && old.Origin == request.OriginImplied {
		leave(r, old)
	}
	if e.Remove {
		DropFields(r, func(f *request.Field) bool { return f == &r.Fields[i] })
		return true
	}
	value := typed(e.Value, reqtext.In(r.Variables, reqtext.At(request.MemberFieldValue, i)))
	field := request.Field{Name: e.Name, Value: value.Value, Origin: request.OriginUser, From: "-H"}
	if !renamed && old.Origin == request.OriginImplied && ownOption(old.Name) && e.Value != "" {
		field.Origin, field.From = old.Origin, old.From
	}
	setField(r, i, field, value.Variables)
	return true
}

// setField sets a field, or appends one. The variables are those in its value.
func setField(r *request.Request, i int, f request.Field, variables []request.Variable) {
	fields := slices.Clone(r.Fields)
	from := make([]int, len(fields), len(fields)+1)
	for n := range from {
		from[n] = n
	}
	if i == len(fields) {
		fields, from = append(fields, f), append(from, -1)
	} else {
		fields[i], from[i] = f, -1
	}
	reqtext.SetFields(r, fields, from)
	reqtext.Rewrite(r, func(s *reqtext.String) {
		if s.Place == reqtext.At(request.MemberFieldValue, i) {
			s.Variables = variables
		}
	})
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

// pair changes a pair of the query, within the URL.
func (e *Edit) pair(r *request.Request) bool {
	if e.At < 0 || e.At > len(r.Query) || e.Remove && e.At == len(r.Query) {
		return false
	}
	start, end := pairIn(r.URL, e.At)
	var b reqtext.Builder
	reqtext.Rewrite(r, func(s *reqtext.String) {
		if s.Member != request.MemberURL {
			return
		}
		switch {
		case e.Remove && end < len(s.Value): // with the & after it
			b.Keep(s.Text, 0, start)
			end++
		case e.Remove: // with the ? or & before it
			b.Keep(s.Text, 0, start-1)
		default:
			b.Keep(s.Text, 0, start)
			e.addPair(&b, r, s.Value)
		}
		b.Keep(s.Text, end, len(s.Value))
		s.Text = b.Text()
	})
	return true
}

// addPair appends the new pair to the part of the URL that stands before it.
func (e *Edit) addPair(b *reqtext.Builder, r *request.Request, url string) {
	if e.At == len(r.Query) && !strings.HasSuffix(url, "?") && !strings.HasSuffix(url, "&") {
		b.Add(sign(url))
	}
	addTyped(b, e.Name, reqtext.In(r.Variables, reqtext.At(request.MemberQueryName, e.At)), encodedName)
	if e.Value != "" || e.Name == "" {
		b.Add("=")
	}
	addTyped(b, e.Value, reqtext.In(r.Variables, reqtext.At(request.MemberQueryValue, e.At)), encoded)
}

// sign returns what begins another pair of the URL.
func sign(url string) string {
	if strings.Contains(url, "?") {
		return "&"
	}
	return "?"
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

// typed returns a text of the user with the old variables that it still spells.
func typed(s string, old []request.Variable) reqtext.Text {
	var b reqtext.Builder
	addTyped(&b, s, old, func(s string) string { return s })
	return b.Text()
}

// addTyped appends a text of the user, in which the old variables that it still spells
// stay what they are. What stands around them is encoded.
func addTyped(b *reqtext.Builder, s string, old []request.Variable, encode func(string) string) {
	for _, v := range old {
		i := strings.Index(s, v.Expr)
		if i < 0 || v.Encoding == request.EncodingBase64 {
			continue
		}
		b.Add(encode(s[:i]))
		b.AddVariable(v)
		s = s[i+len(v.Expr):]
	}
	b.Add(encode(s))
}

// queryMarks are what reaches a server in a query as it stands, and separates
// nothing there.
const queryMarks = "-._~!$'()*,/:;?@[]{}|"

func encodedName(s string) string { return string(ascii.AppendEncoded(nil, s, queryMarks, "%20")) }

func encoded(s string) string { return string(ascii.AppendEncoded(nil, s, queryMarks+"=", "%20")) }

// Done reports whether a request has the change. It compares no text with
// variables, because shells spell them differently.
func (e *Edit) Done(before, after *request.Request) bool {
	same := func(wanted, got string, vars []request.Variable) bool { return wanted == got || len(vars) > 0 }
	switch e.Part {
	case Method:
		return e.Value != "" && same(e.Value, after.Method, reqtext.In(after.Variables, reqtext.At(request.MemberMethod, 0)))
	case Headers:
		count := func(r *request.Request) (n int) {
			for _, i := range listed(r) {
				f := &r.Fields[i]
				if ascii.EqualFold(f.Name, e.Name) && (e.Remove || same(e.Value, f.Value, reqtext.In(r.Variables, reqtext.At(request.MemberFieldValue, i)))) {
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
		return len(reqtext.In(after.Variables, reqtext.At(request.MemberURL, 0))) > 0 || p.Name == e.Name && p.Value == e.Value
	})
}
