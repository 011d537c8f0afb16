// Package postman reads collections of Postman, version 2.1 and 2.0
// (https://schema.getpostman.com/json/collection/v2.1.0/docs/index.html), as newman and
// postman-runtime 7 send their requests.
package postman

import (
	"strconv"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/message"
	"uncoil/internal/engine/source/word"
)

// Is reports whether a text is a collection, or a request of one: a JSON object with
// info, an object, and item, an array; or with name, a string, and request, an object.
// What follows in the text does not matter, so that a file which is cut off still is one.
func Is(src string) bool {
	r := jsontext.NewReader(strings.TrimPrefix(src, jsontext.ByteOrderMark), jsontext.MaxDepth)
	if r.Peek() != '{' {
		return false
	}
	var info, items, name, request, found bool
	r.Object(func(member string, _ int) bool {
		kind := r.Peek()
		switch member {
		case "info":
			info = kind == '{'
		case "item":
			items = kind == '['
		case "name":
			name = kind == '"'
		case "request":
			request = kind == '{'
		case "collection":
			found = kind == '{' && strings.Contains(src[:min(len(src), nearStart)], "getpostman.com")
		}
		found = found || info && items || name && request
		return !found && r.Skip()
	})
	return found
}

// nearStart is up to where the schema of an exported collection stands.
const nearStart = 4 << 10

// What elements cost beside their text.
const (
	elementSteps = 24
	variableSize = 160 // of a variable, in a map
	maxFolders   = 100 // within each other
)

// Read returns a command for each request of a collection, in their order, or for one
// of them, counted from 1. Variables that the collection has no value for are those of
// env.
func Read(src string, entry int, env map[string]string, m *meter.Meter) ([]word.Command, diag.List) {
	r := reader{src: src, entry: entry, env: env, vars: make(map[string]string)}
	r.Meter, r.Syntax = m, diag.CodeInvalidPostman
	// Each string without its escapes takes no more than the string and as much again,
	// and is read twice.
	if strings.IndexByte(src, '\\') >= 0 && !m.Hold(4*len(src)) {
		return nil, diag.List{m.Diagnostic(diag.At(0))}
	}
	r.json = jsontext.NewReader(src, jsontext.MaxDepth)
	if strings.HasPrefix(src, jsontext.ByteOrderMark) {
		r.json.Advance(len(jsontext.ByteOrderMark))
	}
	ok := r.file() && r.requests()
	all := diag.Span{End: int32(len(src))}
	switch {
	case m.Over():
		return nil, diag.List{m.Diagnostic(diag.At(r.json.Pos()))}
	case r.json.Err() != nil && r.Diags.Err() == nil:
		r.Fail(r.Syntax, diag.At(r.json.Err().Offset), "the text is not JSON: "+r.json.Err().Message, "the file may be cut off: export it again")
	case ok && entry > len(r.items):
		requests := strconv.Itoa(len(r.items)) + " requests"
		if len(r.items) == 1 {
			requests = "one request"
		}
		r.Fail(diag.CodeUnknownEntry, all, "there is no entry "+strconv.Itoa(entry)+": the collection has "+requests, "requests are counted from 1")
	case ok && len(r.items) == 0:
		r.Fail(r.Syntax, all, "the collection has no requests", "")
	}
	return r.Commands, r.Diags
}

// A reader reads one text. It looks at the whole first, because variables and
// credentials of a folder may stand behind its requests.
type reader struct {
	message.Writer
	json  jsontext.Reader
	src   string
	entry int // the one that is asked for, or 0
	env   map[string]string

	vars    map[string]string
	folders []folder
	items   []item
	scripts diag.Span // the first one that is no list of literal values
	pair    pair      // that is being read
	depth   int       // of values within values
	found   bool      // there is a list of items, or a request
}

// A folder is the collection or a folder of it.
type folder struct {
	parent   int // its index, -1 for none
	auth     int // offset of the value, or 0
	behavior int
}

// An item is a request of the collection.
type item struct {
	folder
	request int // offset
}

// at returns a reader of the value at an offset.
func (r *reader) at(offset int) {
	r.json = jsontext.NewReader(r.src, jsontext.MaxDepth)
	r.json.Advance(offset)
}

// from returns the span of a value that begins at an offset and has been read.
func (r *reader) from(start int) diag.Span {
	return diag.Span{Start: int32(start), End: int32(r.json.Pos())}
}

// file reads the whole text.
func (r *reader) file() bool {
	if r.json.Peek() != '{' {
		return r.Fail(r.Syntax, diag.At(r.json.Pos()), "a collection is an object with info and item", "export the collection as v2.1")
	}
	start := r.json.Pos()
	if !r.item(-1) {
		return false
	}
	if r.json.Peek() != 0 || r.json.Pos() < len(r.src) {
		return r.Fail(r.Syntax, diag.Span{Start: int32(r.json.Pos()), End: int32(len(r.src))}, "text follows the end of the collection", "remove it")
	}
	if !r.found {
		return r.Fail(r.Syntax, r.from(start), "the collection has no member item", "export the collection as v2.1")
	}
	return true
}

// item reads a collection, a folder or a request.
func (r *reader) item(parent int) bool {
	own := folder{parent: parent}
	index := len(r.folders)
	if !r.Meter.Work(elementSteps) || !meter.Append(r.Meter, &r.folders, own) {
		return false
	}
	request := 0
	ok := r.json.Object(func(name string, _ int) bool {
		kind := r.json.Peek()
		start := r.json.Pos()
		switch {
		case name == "item" && kind == '[':
			r.found = true
			return r.list(index)
		case name == "request" && (kind == '{' || kind == '"'):
			r.found, request = true, start
		case name == "collection" && kind == '{' && index == 0: // as the API of Postman answers
			return r.item(-1)
		case name == "auth" && kind == '{':
			own.auth = start
		case name == "protocolProfileBehavior" && kind == '{':
			own.behavior = start
		case name == "variable" && kind == '[':
			return r.variables()
		case name == "event" && kind == '[':
			return r.events()
		}
		return r.json.Skip()
	})
	r.folders[index] = own
	if !ok || request == 0 {
		return ok
	}
	return meter.Append(r.Meter, &r.items, item{folder: own, request: request})
}

// list reads the items of a folder.
func (r *reader) list(parent int) bool {
	depth := 0
	for at := parent; at >= 0; at = r.folders[at].parent {
		depth++
	}
	if depth > maxFolders {
		return r.Fail(diag.CodeNestedTooDeep, diag.At(r.json.Pos()), "folders nest deeper here than the limit of "+strconv.Itoa(maxFolders), "")
	}
	return r.Meter.Work(depth) && r.json.Array(func() bool {
		if r.json.Peek() != '{' {
			return r.wrong("an element of item must be an object")
		}
		return r.item(parent)
	})
}

// wrong reports a value of the wrong kind.
func (r *reader) wrong(message string) bool {
	start := r.json.Pos()
	if start >= len(r.src) {
		return r.Fail(r.Syntax, diag.At(start), "the text ends here", "the file may be cut off: export it again")
	}
	if !r.json.Skip() {
		return false
	}
	return r.Fail(r.Syntax, r.from(start), message, "")
}

// scalar reads a value as text: a string, or the JSON of another value.
func (r *reader) scalar(into *word.Word) bool {
	kind := r.json.Peek()
	start := r.json.Pos()
	if kind == '"' {
		text, ok := r.json.String()
		*into = word.Word{Text: text, Span: r.from(start)}
		return ok
	}
	if !r.json.Skip() {
		return false
	}
	*into = word.Word{Text: r.src[start:r.json.Pos()], Span: r.from(start)}
	if into.Text == "null" {
		into.Text = ""
	}
	return true
}

// A pair is an element of a list with key and value.
type pair struct {
	key, value                       word.Word
	noKey, noValue, disabled, inFile bool
	src                              []word.Word
	contentType, fileName            word.Word
}

// pairs reads a list of pairs, or an object whose members are pairs.
func (r *reader) pairs(add func(*pair) bool) bool {
	member := func(name string, _ int) bool { return r.pairMember(&r.pair, name) }
	switch r.json.Peek() {
	case '{':
		return r.json.Object(func(name string, offset int) bool {
			r.pair = pair{key: word.Word{Text: name, Span: r.from(offset)}}
			return r.Meter.Work(elementSteps) && r.scalar(&r.pair.value) && add(&r.pair)
		})
	case '[':
		return r.json.Array(func() bool {
			if r.json.Peek() != '{' {
				return r.json.Skip()
			}
			r.pair = pair{noKey: true, noValue: true}
			return r.Meter.Work(elementSteps) && r.json.Object(member) && add(&r.pair)
		})
	}
	return r.json.Skip()
}

func (r *reader) pairMember(p *pair, name string) bool {
	kind := r.json.Peek()
	switch {
	case name == "key" || name == "id" && p.noKey:
		p.noKey = kind == 'n'
		return r.scalar(&p.key)
	case name == "value":
		p.noValue = kind == 'n'
		return r.scalar(&p.value)
	case name == "disabled":
		p.disabled = kind == 't'
	case name == "type" && kind == '"':
		var kind word.Word
		ok := r.scalar(&kind)
		p.inFile = kind.Text == "file"
		return ok
	case name == "src" && kind == '"':
		var one word.Word
		return r.scalar(&one) && meter.Append(r.Meter, &p.src, one)
	case name == "src" && kind == '[':
		return r.json.Array(func() bool {
			var one word.Word
			return r.scalar(&one) && meter.Append(r.Meter, &p.src, one)
		})
	case name == "contentType" && kind == '"':
		return r.scalar(&p.contentType)
	case name == "fileName" && kind == '"':
		return r.scalar(&p.fileName)
	}
	return r.json.Skip()
}

// variables keeps the variables of the collection or of a folder.
func (r *reader) variables() bool {
	return r.pairs(func(p *pair) bool {
		if p.disabled || p.key.Text == "" || p.value.Text == "" { // the last is to be filled in
			return true
		}
		if !r.Meter.Hold(variableSize) {
			return false
		}
		r.vars[p.key.Text] = p.value.Text
		return true
	})
}

// requests writes the commands for the requests.
func (r *reader) requests() bool {
	const most = 1001 // one more than the requests that one text may make
	for i := range r.items {
		if len(r.Commands) == most {
			break
		}
		if r.entry > 0 && i+1 != r.entry {
			continue
		}
		if !r.request(&r.items[i]) {
			return false
		}
	}
	if r.scripts.End > 0 && len(r.Commands) > 0 {
		r.Warn(diag.WarnOtherCommand, r.scripts, "the scripts before and after the requests are left out", "")
	}
	return true
}
