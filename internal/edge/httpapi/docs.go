package httpapi

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// An operation is what GET /docs shows of one in the description.
type operation struct {
	Method, Path, Summary, Description string
	Parameters                         []parameter
	Request                            []sample
	Response                           []sample
	Statuses                           []string
}

type parameter struct{ Name, In, Description, Values string }

// A sample is an example of a content.
type sample struct{ Type, Summary, Text string }

// docsPage is the page at GET /docs, which is made from the description. It loads
// nothing.
func docsPage() document {
	description := openAPIJSON()
	var doc struct {
		Paths map[string]map[string]json.RawMessage
	}
	var all referred
	if json.Unmarshal(description, &doc) != nil || json.Unmarshal(description, &all) != nil {
		panic("the description cannot be read") // it is part of the program
	}
	var list []operation
	for path, methods := range doc.Paths {
		for method, text := range methods {
			list = append(list, all.operation(strings.ToUpper(method), path, text))
		}
	}
	place := func(o operation) int { return bytes.Index(description, []byte(`    "`+o.Path+`": {`)) }
	slices.SortFunc(list, func(a, b operation) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.Method, b.Method))
	})
	return page("docs.html", "The API", "./", list).tagged()
}

// referred are the components that operations refer to.
type referred struct {
	Components struct {
		Parameters    map[string]apiParameter
		RequestBodies map[string]apiBody
	}
}

type apiParameter struct {
	Ref         string `json:"$ref"`
	Name, In    string
	Description string
	Schema      struct {
		Ref  string `json:"$ref"`
		Type any
		Enum []any
	}
}

type apiBody struct {
	Ref     string `json:"$ref"`
	Content map[string]struct {
		Example  any
		Examples map[string]struct {
			Summary string
			Value   json.RawMessage
		}
	}
}

// operation reads one operation.
func (all *referred) operation(method, path string, text []byte) operation {
	var in struct {
		Summary, Description string
		Parameters           []apiParameter
		RequestBody          apiBody
		Responses            map[string]apiBody
	}
	if err := json.Unmarshal(text, &in); err != nil {
		panic(err) // the description is part of the program
	}
	o := operation{Method: method, Path: path, Summary: in.Summary, Description: in.Description}
	for _, p := range in.Parameters {
		if p.Ref != "" {
			p = all.Components.Parameters[afterSlash(p.Ref)]
		}
		values := ""
		for _, v := range p.Schema.Enum {
			if name, ok := v.(string); ok {
				values += " " + name
			}
		}
		o.Parameters = append(o.Parameters, parameter{p.Name, p.In, p.Description, strings.TrimSpace(values)})
	}
	body := in.RequestBody
	if body.Ref != "" {
		body = all.Components.RequestBodies[afterSlash(body.Ref)]
	}
	o.Request = body.samples()
	ok := in.Responses["200"]
	o.Response = ok.samples()
	for status := range in.Responses {
		o.Statuses = append(o.Statuses, status)
	}
	slices.Sort(o.Statuses)
	return o
}

func afterSlash(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }

// samples returns the examples of a content, those of a type in the order of names.
func (b *apiBody) samples() (list []sample) {
	for contentType, media := range b.Content {
		if text, ok := media.Example.(string); ok {
			list = append(list, sample{contentType, "", text})
		}
		for _, example := range media.Examples {
			var text bytes.Buffer
			if json.Indent(&text, example.Value, "", "  ") == nil {
				list = append(list, sample{contentType, example.Summary, text.String()})
			}
		}
	}
	slices.SortFunc(list, func(a, b sample) int {
		return cmp.Or(strings.Compare(a.Type, b.Type), strings.Compare(a.Summary, b.Summary), strings.Compare(a.Text, b.Text))
	})
	return list
}
