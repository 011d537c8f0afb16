package code

import (
	"strconv"
	"strings"
	"unicode"
)

// A composedRequest writes one call with a client that comes from Composer and
// takes its options as one array.
type composedRequest struct {
	phpRequest
	prints  func(*value, string) bool // whether the client writes a JSON value as the data
	pairing string                    // the option that takes the pairs of a form
	entries []node                    // the options
}

// composed writes a program with a class from Composer, which it loads unless it
// is part of an application; write writes one call.
func (p *program) composed(class string, loads bool, write func(*call)) {
	p.use(class)
	sections := p.sections(0, func(c *call, _ string) { write(c) })
	if !p.options.Bare {
		p.line("<?php")
		p.line()
		if loads {
			p.line("require 'vendor/autoload.php';")
			p.line()
		}
		for _, name := range p.imports {
			p.line("use ", name, ";")
		}
		p.line()
	}
	p.join(sections)
}

func (r *composedRequest) add(name string, value node) {
	r.entries = append(r.entries, named("'"+name, "' => ", value))
}

// addCredentials adds an option with a user, a password and what may follow.
func (r *composedRequest) addCredentials(name string, c *credentials, more ...node) {
	r.add(name, group("", "[", append([]node{leaf(r.text(c.user)), leaf(r.text(c.password))}, more...), "]"))
}

// visibleBasic makes a field of credentials with control characters, which
// Guzzle takes in no other way.
func (r *composedRequest) visibleBasic() {
	if c := r.c.basic; c != nil && strings.ContainsFunc(c.user.source()+c.password.source(), unicode.IsControl) {
		r.c.basic, r.c.field("Authorization").derived = nil, false
	}
}

// redirects returns how many redirects are followed.
func (r *composedRequest) redirects() string {
	if r.c.maxRedirects < 0 {
		return "PHP_INT_MAX"
	}
	return strconv.FormatInt(r.c.maxRedirects, 10)
}

// array returns all options.
func (r *composedRequest) array() node {
	array := group("", "[", r.entries, "]")
	array.broken, array.width = true, tooWide
	return array
}

// content returns an option for the content, and its value.
func (r *composedRequest) content() (string, node) {
	switch r.c.body.kind {
	case rawBody:
		data, known := r.c.body.data.plain()
		if r.c.body.json != nil && known && r.c.hasType("application/json") && r.prints(r.c.body.json, data) {
			r.c.field("Content-Type").derived = true
			return "json", phpValue(r.c.body.json)
		}
		if n, ok := r.encodedJSON(); ok {
			return "body", n
		}
		if pairs, ok := r.form(); ok {
			r.c.field("Content-Type").derived = true
			return r.pairing, pairs
		}
		return "body", phpLanguage.content(r.p, r.c.body.data)
	case multipartBody:
		return "body", r.pieces(r.c.rawForm())
	case fileBody:
		return "body", leaf(r.file(piece{file: r.c.body.file}))
	case pieceBody:
		return "body", r.pieces(r.c.body.list)
	}
	return "", node{}
}

// location returns the URL, with a scheme where the program finds that it has
// none: curl has a default, and these clients have not.
func (r *composedRequest) location() string {
	if !r.c.guess {
		return r.text(r.c.url)
	}
	r.p.line("$url = ", r.text(r.c.url), ";")
	r.p.block("if (!str_contains($url, '://')) {", func() { r.p.line("$url = 'http://' . $url; // as curl does") })
	r.p.line("}")
	return "$url"
}

// spread returns the calls that give the credentials and the cookies to a request, for
// each of those that redirects lead to, where curl sends them to every host.
func (r *composedRequest) spread() []string {
	if !r.c.spreads() {
		return nil
	}
	var calls []string
	for _, same := range r.c.byName() {
		if !same[0].secret() || same[0].skipped() {
			continue
		}
		values := r.fieldValues(same)
		if same[0].derived {
			values = leaf("'Basic ' . base64_encode(" + r.text(r.c.basic.joined()) + ")")
			r.c.basic = nil
		}
		calls = append(calls, "->withHeader("+phpString(same[0].name)+", "+values.line()+")")
	}
	for i := range r.c.fields {
		f := &r.c.fields[i]
		f.derived = f.derived || f.secret()
	}
	return calls
}

// fieldItems returns the header fields as members of an array; those of one name
// have an array of values.
func (r *composedRequest) fieldItems() []node {
	var items []node
	for _, same := range r.c.byName() {
		if same[0].derived {
			continue
		}
		items = append(items, named(phpString(same[0].name), " => ", r.fieldValues(same)))
	}
	return items
}

// fieldValues returns the value of fields of one name.
func (r *composedRequest) fieldValues(same []field) node {
	values := r.p.list(len(same))
	for _, f := range same {
		values = append(values, leaf(r.text(f.value)))
	}
	if len(values) > 1 {
		return group("", "[", values, "]")
	}
	return values[0]
}
