package reqtext_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"uncoil/internal/engine/reqtext"
	"uncoil/request"
)

// unshown are the strings of a request that are no text of it: names of our own, and
// what the command calls its options.
var unshown = map[string]bool{
	"Request.Ignored": true, "Field.From": true, "Auth.Scheme": true, "Auth.Schemes": true, "Option.Name": true, "MissingFile.Role": true,
}

// fill gives each string of a value, and each list one element or two, another text.
func fill(v reflect.Value, path string, count *int) {
	text := func() string { *count++; return fmt.Sprintf("text%d", *count) }
	switch v.Kind() {
	case reflect.String:
		if v.SetString(fmt.Sprint("own", *count)); !unshown[path] {
			v.SetString(text())
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), path, count)
	case reflect.Slice:
		n := 2
		if strings.HasSuffix(path, "Part.Parts") && strings.Count(path, "Part.Parts") > 1 {
			n = 0
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			fill(v.Index(i), path, count)
		}
	case reflect.Interface:
		v.Set(reflect.ValueOf([]string{text(), text()}))
	case reflect.Struct:
		for i := range v.NumField() {
			switch f := v.Type().Field(i); {
			case f.Type == reflect.TypeFor[[]request.Variable](): // follows
			case f.Name == "Parts" && strings.Contains(path, "+"):
			case f.Name == "Parts":
				fill(v.Field(i), path+"+", count)
			default:
				fill(v.Field(i), v.Type().Name()+"."+f.Name, count)
			}
		}
	}
}

// TestRewriteShowsAll holds that Rewrite shows each string of a request once, under a
// place of its own, and changes none that others may see.
func TestRewriteShowsAll(t *testing.T) {
	var r, same request.Request
	n, again := 0, 0
	fill(reflect.ValueOf(&r).Elem(), "Request", &n)
	fill(reflect.ValueOf(&same).Elem(), "Request", &again)
	shared := r
	seen, places := make(map[string]bool), make(map[request.Place]bool)
	reqtext.Rewrite(&r, func(s *reqtext.String) {
		if seen[s.Value] || places[s.Place] {
			t.Errorf("%s at %s is shown twice", s.Value, s.Place)
		}
		seen[s.Value], places[s.Place] = true, true
		var b reqtext.Builder
		b.Add("<")
		b.AddVariable(request.Variable{Expr: "$" + s.Value})
		b.Add(">")
		s.Text = b.Text()
	})
	// The names of parameters of a scheme are curl's own, and are not shown.
	if want := n - len(r.Auth.Params); len(seen) != want {
		t.Errorf("%d of %d strings are shown", len(seen), want)
	}
	if diff := cmp.Diff(same, shared); diff != "" {
		t.Errorf("the request of others changes: %s", diff)
	}
	if len(r.Variables) != len(seen) {
		t.Errorf("%d variables of %d strings", len(r.Variables), len(seen))
	}
	index := reqtext.IndexOf(r.Variables)
	reqtext.Rewrite(&r, func(s *reqtext.String) {
		v := index.At(s.Place)
		if len(v) != 1 || s.Value[v[0].Start:v[0].End] != v[0].Expr || s.Value != "<"+v[0].Expr+">" {
			t.Errorf("%s has the variables %+v", s.Place, v)
		}
	})
}

// TestRewriteKeeps holds that what no function changes is not copied.
func TestRewriteKeeps(t *testing.T) {
	var r request.Request
	n := 0
	fill(reflect.ValueOf(&r).Elem(), "Request", &n)
	before := r
	reqtext.Rewrite(&r, func(*reqtext.String) {})
	if &r.Fields[0] != &before.Fields[0] || r.Body != before.Body || r.Auth != before.Auth || &r.Options[0] != &before.Options[0] {
		t.Error("an unchanged request is copied")
	}
}

// TestBuilder holds that variables follow the text around them.
func TestBuilder(t *testing.T) {
	old := reqtext.Text{Value: "a$A b$B c", Variables: []request.Variable{{Expr: "$A", Start: 1, End: 3}, {Expr: "$B", Start: 5, End: 7}}}
	for _, c := range []struct {
		build func(*reqtext.Builder)
		want  string
	}{
		{func(b *reqtext.Builder) { b.Add("--"); b.Keep(old, 0, 9) }, "--a$A b$B c|3-5|7-9"},
		{func(b *reqtext.Builder) { b.Keep(old, 4, 9) }, "b$B c|1-3"},
		{func(b *reqtext.Builder) { b.Keep(old, 2, 6) }, "A b$"}, // a half is none
		{func(b *reqtext.Builder) { b.Keep(old, 0, 1); b.Replace(old, 1, 7, "*"); b.Keep(old, 7, 9) }, "a* c|1-2|1-2"},
		{func(b *reqtext.Builder) { b.Replace(old, 3, 5, "*") }, "*"},
	} {
		var b reqtext.Builder
		c.build(&b)
		text := b.Text()
		got := text.Value
		for _, v := range text.Variables {
			got += fmt.Sprintf("|%d-%d", v.Start, v.End)
		}
		if got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
	if !old.Between(2, 4) || old.Between(3, 5) || !old.Between(6, 9) {
		t.Error("Between misses a variable, or finds one that is not there")
	}
}

// TestSetFields holds that variables move with their fields.
func TestSetFields(t *testing.T) {
	r := request.Request{URL: "/$u", Fields: []request.Field{{Name: "A", Value: "$a"}, {Name: "$b"}, {Name: "C", Line: "C:$c"}}, Variables: []request.Variable{
		{Name: "u", At: reqtext.At(request.MemberURL, 0)},
		{Name: "a", At: reqtext.At(request.MemberFieldValue, 0)}, {Name: "b", At: reqtext.At(request.MemberFieldName, 1)}, {Name: "c", At: reqtext.At(request.MemberFieldLine, 2)},
	}}
	reqtext.SetFields(&r, []request.Field{r.Fields[2], {Name: "New"}, r.Fields[0]}, []int{2, -1, 0})
	want := []request.Variable{{Name: "u", At: reqtext.At(request.MemberURL, 0)}, {Name: "c", At: reqtext.At(request.MemberFieldLine, 0)}, {Name: "a", At: reqtext.At(request.MemberFieldValue, 2)}}
	if diff := cmp.Diff(want, r.Variables); diff != "" {
		t.Error(diff)
	}
}
