package edit_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"uncoil/internal/engine/edit"
	"uncoil/internal/engine/reqtext"
	"uncoil/request"
)

// implied, user and byDefault return a field of each origin.
func implied(name, value, from string) request.Field {
	return request.Field{Name: name, Value: value, From: from, Origin: request.OriginImplied}
}

func user(name, value string) request.Field {
	return request.Field{Name: name, Value: value, From: "-H", Origin: request.OriginUser}
}

func byDefault(name, value string) request.Field {
	return request.Field{Name: name, Value: value, Origin: request.OriginDefault}
}

// content is a body, for which curl sends a type.
var content = &request.Body{Kind: request.KindText, Data: "a"}

// TestHeaders holds what a change of a header field makes of the fields, of those that
// curl is told to leave out, and of the credentials.
func TestHeaders(t *testing.T) {
	host := byDefault("Host", "h.test")
	basic := &request.Auth{Scheme: "basic", Username: "a", Password: "b"}
	change := func(at int, name, value string) edit.Edit {
		return edit.Edit{Part: edit.Headers, At: at, Name: name, Value: value}
	}
	remove := func(at int) edit.Edit { return edit.Edit{Part: edit.Headers, At: at, Remove: true} }
	for _, test := range []struct {
		name    string
		request request.Request
		edit    edit.Edit
		fields  string // those that the description lists, with their options
		removed string // what curl is told to leave out
		auth    bool   // credentials stay
	}{
		{"a field is changed", request.Request{Fields: []request.Field{host, user("A", "b")}}, change(0, " A ", "\tc "), "-H A: c", "", false},
		{"a field is added", request.Request{Fields: []request.Field{host}}, change(0, "A", "b"), "-H A: b", "", false},
		{"a field takes another name", request.Request{Fields: []request.Field{user("A", "b"), user("C", "d")}}, change(0, "X", "b"), "-H X: b, -H C: d", "", false},
		{"a field goes", request.Request{Fields: []request.Field{user("A", "b"), user("C", "d")}}, remove(0), "-H C: d", "", false},
		{"a field that curl left out is sent", request.Request{Removed: []string{"accept", "Host"}}, change(0, "Accept", "a/b"), "-H Accept: a/b", "Host", false},
		{"a default is given", request.Request{Fields: []request.Field{byDefault("Accept", "*/*"), user("A", "b")}}, change(1, "accept", "a/b"), "-H accept: a/b, -H A: b", "", false},
		{"the type of content goes", request.Request{Body: content, Fields: []request.Field{implied("Content-Type", "a/b", "-d")}}, remove(0), "", "Content-Type", false},
		{"a type that was given goes, and curl would send its own", request.Request{Body: content, Fields: []request.Field{user("content-type", "a/b")}}, remove(0), "", "content-type", false},
		{"a type without content goes", request.Request{Fields: []request.Field{user("Content-Type", "a/b")}}, remove(0), "", "", false},
		{"the type of content takes another name", request.Request{Body: content, Fields: []request.Field{implied("Content-Type", "a/b", "-d")}}, change(0, "X", "y"), "-H X: y", "Content-Type", false},
		{"what another option implies goes", request.Request{Fields: []request.Field{implied("Accept-Encoding", "gzip", "--compressed")}}, remove(0), "", "Accept-Encoding", false},
		{"cookies go with their option", request.Request{Fields: []request.Field{implied("Cookie", "a=1", "-b")}}, remove(0), "", "", false},
		{"cookies stay with their option", request.Request{Fields: []request.Field{implied("Cookie", "a=1", "-b")}}, change(0, "Cookie", "a=2"), "-b Cookie: a=2", "", false},
		{"empty cookies are a field", request.Request{Fields: []request.Field{implied("Cookie", "a=1", "-b")}}, change(0, "Cookie", ""), "-H Cookie: ", "", false},
		{"credentials go", request.Request{Auth: basic, Fields: []request.Field{implied("Authorization", "Basic YTpi", "-u")}}, remove(0), "", "", false},
		{"credentials give way", request.Request{Auth: basic, Fields: []request.Field{implied("Authorization", "Basic YTpi", "-u")}}, change(0, "authorization", "Bearer x"), "-H authorization: Bearer x", "", false},
		{"credentials stay beside another field", request.Request{Auth: basic, Fields: []request.Field{implied("Authorization", "Basic YTpi", "-u"), user("A", "b")}}, remove(1), "-u Authorization: Basic YTpi", "", true},
	} {
		r := test.request
		before := clone(&r)
		if !test.edit.Apply(&r) {
			t.Errorf("%s: there is no such field", test.name)
			continue
		}
		var fields []string
		for _, f := range r.Fields {
			if f.Origin != request.OriginDefault {
				fields = append(fields, f.From+" "+f.Name+": "+f.Value)
			}
		}
		if got, removed := strings.Join(fields, ", "), strings.Join(r.Removed, ", "); got != test.fields || removed != test.removed || (r.Auth != nil) != test.auth {
			t.Errorf("%s: %q without %q, credentials %t; want %q without %q, %t", test.name, got, removed, r.Auth != nil, test.fields, test.removed, test.auth)
		}
		if diff := cmp.Diff(before, &test.request); diff != "" {
			t.Errorf("%s changes the request that it was given (-before +after):\n%s", test.name, diff)
		}
		if !test.edit.Done(&test.request, &r) {
			t.Errorf("%s: the change is not found in what came of it", test.name)
		}
		if test.edit.Done(&test.request, &test.request) {
			t.Errorf("%s: the change is found where nothing changed", test.name)
		}
	}
}

// clone returns a copy that shares no list with the request.
func clone(r *request.Request) *request.Request {
	c := *r
	c.Fields, c.Removed, c.Query = append([]request.Field(nil), r.Fields...), append([]string(nil), r.Removed...), append([]request.Param(nil), r.Query...)
	return &c
}

// TestPairs holds what a change of a query pair makes of the URL, byte for byte around it.
func TestPairs(t *testing.T) {
	for _, test := range []struct {
		url         string
		at          int
		name, value string
		remove      bool
		want        string
	}{
		{"http://h/?a=1&b=2", 0, "a", "x y", false, "http://h/?a=x%20y&b=2"},
		{"http://h/?a=1&b=2", 1, "b&=", "ü", false, "http://h/?a=1&b%26%3D=%C3%BC"},
		{"http://h/?a=1&&b=2", 1, "b", "3", false, "http://h/?a=1&&b=3"}, // between two & there is no pair
		{"http://h/?a", 0, "a", "", false, "http://h/?a"},
		{"http://h/?a=1", 0, "", "", false, "http://h/?="},
		{"http://h/", 0, "a", "1", false, "http://h/?a=1"},
		{"http://h/?a=1", 1, "b", "2", false, "http://h/?a=1&b=2"},
		{"http://h/?a=1&", 1, "b", "2", false, "http://h/?a=1&b=2"},
		{"http://h/?", 0, "b", "2", false, "http://h/?b=2"},
		{"http://h/?a=%2f+x&b=2", 1, "b", "1.2-3_4~", false, "http://h/?a=%2f+x&b=1.2-3_4~"},
		{"http://h/?a=1&b=2", 0, "", "", true, "http://h/?b=2"},
		{"http://h/?a=1&b=2", 1, "", "", true, "http://h/?a=1"},
		{"http://h/?a=1", 0, "", "", true, "http://h/"},
	} {
		r := &request.Request{URL: test.url, Query: query(test.url)}
		e := edit.Edit{Part: edit.Query, At: test.at, Name: test.name, Value: test.value, Remove: test.remove}
		if ok := e.Apply(r); !ok || r.URL != test.want {
			t.Errorf("%s, pair %d: %s, %t; want %s", test.url, test.at, r.URL, ok, test.want)
		}
	}
}

// query returns as many pairs as a URL has.
func query(url string) []request.Param {
	_, text, _ := strings.Cut(url, "?")
	var pairs []request.Param
	for one := range strings.SplitSeq(text, "&") {
		if one != "" {
			pairs = append(pairs, request.Param{Name: one})
		}
	}
	return pairs
}

// TestVariables holds that variables keep their places around a change, that those in a
// new text stay variables, and that those of the old text go with it.
func TestVariables(t *testing.T) {
	const url = "http://h/?a=$A&b=$B"
	r := &request.Request{
		Method: "POST", URL: url, Query: query(url), Fields: []request.Field{user("A", "Bearer $T")},
		Variables: []request.Variable{
			{Name: "A", Expr: "$A", At: reqtext.At(request.MemberURL, 0), Start: 12, End: 14}, {Name: "B", Expr: "$B", At: reqtext.At(request.MemberURL, 0), Start: 17, End: 19},
			{Name: "T", Expr: "$T", At: reqtext.At(request.MemberFieldValue, 0), Start: 7, End: 9},
		},
	}
	for _, e := range []edit.Edit{
		{Part: edit.Query, At: 0, Name: "a", Value: "long"},
		{Part: edit.Headers, At: 0, Name: "A", Value: "Token $T!"},
		{Part: edit.Method, Value: "PUT"},
	} {
		if !e.Apply(r) {
			t.Fatalf("%+v is refused", e)
		}
	}
	want := map[string]string{"$B": "url", "$T": "headers.0.value"}
	got := make(map[string]string)
	for _, v := range r.Variables {
		text := r.URL
		if v.At.Member != request.MemberURL {
			text = r.Fields[0].Value
		}
		if text[v.Start:v.End] != v.Expr {
			t.Errorf("%s is at %d to %d of %s", v.Expr, v.Start, v.End, text)
		}
		got[v.Expr] = v.At.String()
	}
	if !reflect.DeepEqual(got, want) || r.URL != "http://h/?a=long&b=$B" || r.Fields[0].Value != "Token $T!" || r.Method != "PUT" {
		t.Errorf("%v in %+v", got, r)
	}
}

// TestNoSuchPart holds that a change of what is not there is refused, and changes nothing.
func TestNoSuchPart(t *testing.T) {
	for _, e := range []edit.Edit{
		{Part: "body"}, {Part: edit.Headers, At: -1}, {Part: edit.Headers, At: 2}, {Part: edit.Headers, At: 1, Remove: true},
		{Part: edit.Query, At: -1}, {Part: edit.Query, At: 2}, {Part: edit.Query, At: 1, Remove: true},
	} {
		r := &request.Request{Method: "GET", URL: "http://h/?a", Query: query("http://h/?a"), Fields: []request.Field{byDefault("Host", "h"), user("A", "b")}}
		before := clone(r)
		if e.Apply(r) || cmp.Diff(before, r) != "" {
			t.Errorf("%+v is taken: %+v", e, r)
		}
	}
}
