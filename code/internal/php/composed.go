package php

import (
	"strconv"
	"strings"
	"unicode"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// A composedRequest writes one call with a client that comes from Composer and
// takes its options as one array.
type composedRequest struct {
	phpRequest
	prints  func(*plan.Program, *plan.Call) bool // whether the client writes the JSON content as a value
	pairing string                               // the option that takes the pairs of a form
	entries []emit.Node                          // the options
}

// composed writes a program with a class from Composer, which it loads unless it
// is part of an application; write writes one call. A class without a namespace is "".
func composed(p *plan.Program, class string, loads bool, write func(*plan.Call)) {
	if class != "" {
		p.Use(class)
	}
	sections := p.Sections(p.Depth(0), func(c *plan.Call, _ string) {
		computes(p, c)
		write(c)
	})
	if !p.IsBeside() {
		p.Line("<?php")
		p.Line()
	}
	p.Head(func() {
		if loads {
			p.Line("require 'vendor/autoload.php';")
			p.Line()
		}
		for _, name := range p.Imports {
			p.Line("use ", name, ";")
		}
		if len(p.Imports) > 0 {
			p.Line()
		}
	})
	body(p, sections)
}

// A namedText is an option with its value.
type namedText struct {
	name  string
	value plan.Text
}

func (r *composedRequest) add(name string, value emit.Node) {
	r.entries = append(r.entries, emit.Named("'"+name, "' => ", value))
}

// addCredentials adds an option with a user, a password and what may follow.
func (r *composedRequest) addCredentials(name string, c *plan.Credentials, more ...emit.Node) {
	r.add(name, emit.Group("", "[", append([]emit.Node{emit.Leaf(r.text(c.User)), emit.Leaf(r.text(c.Password))}, more...), "]"))
}

// visibleBasic makes a field of credentials with control characters, which
// Guzzle takes in no other way.
func (r *composedRequest) visibleBasic() {
	if c := r.c.Basic; c != nil && strings.ContainsFunc(c.User.Source()+c.Password.Source(), unicode.IsControl) {
		r.c.Basic = nil
		r.c.Spell("Authorization")
	}
}

// redirects returns how many redirects are followed.
func (r *composedRequest) redirects() string {
	if r.c.MaxRedirects() < 0 {
		return "PHP_INT_MAX"
	}
	return strconv.FormatInt(r.c.MaxRedirects(), 10)
}

// array returns all options.
func (r *composedRequest) array() emit.Node {
	array := emit.Group("", "[", r.entries, "]")
	array.Broken, array.Width = true, emit.TooWide
	return array
}

// content returns an option for the content, and its value.
func (r *composedRequest) content() (string, emit.Node) {
	switch r.c.Content.Kind {
	case plan.RawBody:
		if r.c.Content.JSON != nil && r.c.HasType("application/json") && r.prints(r.p, r.c) {
			r.c.Imply(r.c.Field("Content-Type"))
			return "json", r.value(r.c.Content.JSON)
		}
		if n, ok := r.encodedJSON(); ok {
			return "body", n
		}
		if pairs, ok := r.form(); ok {
			r.c.Imply(r.c.Field("Content-Type"))
			return r.pairing, pairs
		}
		return "body", language.Content(r.p, r.c.Content.Data)
	case plan.MultipartBody:
		return "body", r.pieces(r.c.RawForm())
	case plan.FileBody:
		return "body", emit.Leaf(r.file(plan.Piece{File: r.c.Content.File}))
	case plan.PieceBody:
		return "body", r.pieces(r.c.Content.List)
	}
	return "", emit.Node{}
}

// location returns the URL, with a scheme where the program finds that it has
// none: curl has a default, and these clients have not.
func (r *composedRequest) location() string {
	if !r.c.Guess {
		return r.text(r.c.URLText)
	}
	r.p.Line("$url = ", r.text(r.c.URLText), ";")
	r.p.Block("if (!str_contains($url, '://')) {", func() { r.p.Line("$url = 'http://' . $url; // as curl does") })
	r.p.Line("}")
	return "$url"
}

// spread returns the calls that give the credentials and the cookies to a request, for
// each of those that redirects lead to, where curl sends them to every host.
func (r *composedRequest) spread() []string {
	if !r.c.Spreads() {
		return nil
	}
	r.c.Does("locationTrusted")
	var calls []string
	for _, same := range plan.ByName(r.c.Given()) {
		if !same[0].Secret() || same[0].Skipped() {
			continue
		}
		values := r.fieldValues(same)
		if same[0].Derived() {
			values = emit.Leaf("'Basic ' . base64_encode(" + r.text(r.c.Basic.Joined()) + ")")
			r.c.Basic = nil
		}
		calls = append(calls, "->withHeader("+String(same[0].Name)+", "+values.Line()+")")
	}
	for i := range r.c.Given() {
		if f := &r.c.Given()[i]; f.Secret() {
			r.c.Imply(f)
		}
	}
	return calls
}

// fieldItems returns the header fields as members of an array; those of one name
// have an array of values.
func (r *composedRequest) fieldItems() []emit.Node {
	var items []emit.Node
	for _, same := range r.c.ByName() {
		if same[0].Derived() {
			continue
		}
		items = append(items, emit.Named(String(same[0].Name), " => ", r.fieldValues(same)))
	}
	return items
}

// fieldValues returns the value of fields of one name.
func (r *composedRequest) fieldValues(same []plan.Field) emit.Node {
	values := r.p.List(len(same))
	for _, f := range same {
		values = append(values, emit.Leaf(r.text(f.Value)))
	}
	if len(values) > 1 {
		return emit.Group("", "[", values, "]")
	}
	return values[0]
}
