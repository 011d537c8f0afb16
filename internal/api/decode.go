package api

import (
	"encoding/base64"
	"strconv"
	"strings"
	"unicode/utf8"
)

// An Error says what is wrong with the form of a request, which is another
// thing than an error in its command.
type Error struct {
	Offset  int    // into the JSON text, in bytes
	Member  string // the member to blame, as in files["a.json"]; may be empty
	Message string
}

// Error returns the message and the place.
func (e *Error) Error() string {
	return e.Message + " (at byte " + strconv.Itoa(e.Offset) + ")"
}

// DecodeRequest reads a request object. The members of a batch line, id and
// as, are unknown members here. The error, if any, is an *Error.
func DecodeRequest(src string) (Request, error) { return Limits{}.DecodeRequest(src) }

// DecodeRequest is the function of that name within limits, which the
// request then has too.
func (l Limits) DecodeRequest(src string) (Request, error) {
	d := decoder{scanner: scanner{src: src, maxDepth: l.Depth}}
	if err := d.decode(); err != nil {
		return Request{}, err
	}
	d.line.Limits = l.Command
	return d.line.Request, nil
}

// DecodeLine reads a line of a batch. The error, if any, is an *Error; the
// line then holds the id, where it could be read.
func DecodeLine(src string) (Line, error) { return Limits{}.decodeLine(src) }

func (l Limits) decodeLine(src string) (Line, error) {
	d := decoder{scanner: scanner{src: src, maxDepth: l.Depth}, batch: true}
	if err := d.decode(); err != nil {
		return Line{ID: d.line.ID}, err
	}
	d.line.Limits = l.Command
	return d.line, nil
}

// A decoder fills a line from a JSON text.
type decoder struct {
	scanner
	batch bool // id and as are known members
	line  Line
}

// byteOrderMark may stand before a text that comes from a file.
const byteOrderMark = "\ufeff"

func (d *decoder) decode() error {
	if !utf8.ValidString(d.src) {
		d.fail(invalidUTF8(d.src), "", "the JSON is not UTF-8; text in another encoding goes in as base64")
		return d.err
	}
	if strings.HasPrefix(d.src, byteOrderMark) {
		d.pos = len(byteOrderMark)
	}
	if d.space() != '{' {
		d.notAnObject()
		return d.err
	}
	found, ok := d.members()
	if ok && d.space() != 0 {
		ok = d.fail(d.pos, "", "there is text after the end of the object")
	} else if ok && d.pos < len(d.src) {
		ok = d.unexpected("the end") // a NUL byte
	}
	if ok && !found {
		d.fail(d.pos, "curl", `the member "curl" is missing`)
	}
	if d.err != nil {
		return d.err
	}
	return nil
}

func (d *decoder) notAnObject() {
	switch kind := d.kind(); {
	case d.pos >= len(d.src):
		d.fail(d.pos, "", "there is no JSON")
	case kind == "":
		d.unexpected("a JSON object")
	default:
		d.fail(d.pos, "", "the JSON must be an object, not "+kind)
	}
}

// members reads the members of the request object and says whether the one
// that is required is there.
func (d *decoder) members() (foundCurl, ok bool) {
	var seen names
	ok = d.object(func(name string, offset int) bool {
		if seen.again(name) {
			d.twice(offset, clip(name))
			return d.skip()
		}
		switch name {
		case "curl":
			foundCurl = true
			return d.required(name, &d.line.Curl)
		case "files":
			return d.files(name)
		case "stdin":
			return d.absent() || d.content(name, &d.line.Stdin)
		case "env":
			return d.env(name)
		case "shell":
			return d.shell(name)
		}
		if d.batch {
			switch name {
			case "id":
				return d.id()
			case "as":
				return d.as(name)
			}
		}
		return d.skip()
	})
	return foundCurl, ok
}

// required reads a string.
func (d *decoder) required(member string, into *string) bool {
	if d.space() != '"' {
		return d.wrongType(member, "a string")
	}
	var ok bool
	*into, ok = d.string()
	return ok
}

// absent skips a null, which stands for an optional member that is absent.
func (d *decoder) absent() bool {
	if d.space(); !d.at("null") {
		return false
	}
	d.pos += len("null")
	return true
}

func (d *decoder) shell(member string) bool {
	if d.absent() {
		return true
	}
	offset := d.pos
	ok := d.required(member, &d.line.Shell)
	if ok && !ValidShell(d.line.Shell) {
		d.fail(offset, member, `the member "shell" must be "auto", "posix", "cmd" or "powershell"`)
	}
	return ok
}

func (d *decoder) as(member string) bool {
	if d.absent() {
		return true
	}
	offset := d.pos
	var name string
	ok := d.required(member, &name)
	if !ok {
		return false
	}
	as, known := ParseAs(name)
	if !known {
		d.fail(offset, member, `the member "as" must be "convert" or "parse"`)
	}
	d.line.As = as
	return true
}

func (d *decoder) id() bool {
	d.space()
	start := d.pos
	ok := d.skip()
	if ok {
		d.line.ID = d.src[start:d.pos]
	}
	return ok
}

func (d *decoder) files(member string) bool {
	if d.absent() {
		return true
	}
	if d.space() != '{' {
		return d.wrongType(member, "an object")
	}
	d.line.Files = make(map[string][]byte)
	return d.object(func(name string, offset int) bool {
		if _, again := d.line.Files[name]; again {
			d.twice(offset, entry(member, name))
			return d.skip()
		}
		var content []byte
		ok := d.content(entry(member, name), &content)
		d.line.Files[name] = content
		return ok
	})
}

func (d *decoder) env(member string) bool {
	if d.absent() {
		return true
	}
	if d.space() != '{' {
		return d.wrongType(member, "an object")
	}
	d.line.Env = make(map[string]string)
	return d.object(func(name string, offset int) bool {
		if _, again := d.line.Env[name]; again {
			d.twice(offset, entry(member, name))
			return d.skip()
		}
		if d.space() != '"' {
			return d.wrongType(entry(member, name), "a string")
		}
		value, ok := d.string()
		d.line.Env[name] = value
		return ok
	})
}

// content reads a string or {"base64": "…"}. What is there but empty is not
// nil.
func (d *decoder) content(member string, into *[]byte) bool {
	switch d.space() {
	case '"':
		text, ok := d.string()
		*into = append([]byte{}, text...)
		return ok
	case '{':
		return d.base64(member, into)
	}
	return d.wrongType(member, `a string or {"base64": "…"}`)
}

func (d *decoder) base64(member string, into *[]byte) bool {
	start := d.pos
	found := false
	ok := d.object(func(name string, offset int) bool {
		if name != "base64" {
			return d.skip()
		}
		if found {
			d.twice(offset, member+".base64")
			return d.skip()
		}
		found = true
		if d.space() != '"' {
			return d.wrongType(member+".base64", "a string")
		}
		at := d.pos
		text, ok := d.string()
		if !ok {
			return false
		}
		content, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			d.fail(at, member+".base64", memberNamed(member+".base64")+" is not base64")
		}
		*into = content
		return true
	})
	if ok && !found {
		d.fail(start, member, memberNamed(member)+` must be a string or {"base64": "…"}`)
	}
	return ok
}

// wrongType records that the value of a member is not what it must be, and
// skips the value.
func (d *decoder) wrongType(member, want string) bool {
	if kind := d.kind(); kind != "" {
		d.fail(d.pos, member, memberNamed(member)+" must be "+want+", not "+kind)
	}
	return d.skip()
}

func (d *decoder) twice(offset int, member string) {
	d.fail(offset, member, memberNamed(member)+" is given twice")
}

// names holds the member names that were seen. Almost every object has a
// handful of them, for which looking through a list is fastest; a map takes
// over before that would get slow.
type names struct {
	few  [8]string
	n    int
	many map[string]bool
}

// again reports whether the name was seen before, and remembers it.
func (s *names) again(name string) bool {
	for _, old := range s.few[:s.n] {
		if old == name {
			return true
		}
	}
	if s.n < len(s.few) {
		s.few[s.n] = name
		s.n++
		return false
	}
	if s.many[name] {
		return true
	}
	if s.many == nil {
		s.many = make(map[string]bool)
	}
	s.many[name] = true
	return false
}
