package api

import (
	"cmp"
	"encoding/base64"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"uncoil/internal/edge/switches"
	"uncoil/internal/engine/jsontext"
)

// DefaultDepth bounds how deep arrays and objects may nest, so that the stack
// stays small. Only members that are ignored, and id, can nest at all.
const DefaultDepth = 512

// An Error is a malformed request object. Errors in its command are
// *uncoil.Error instead.
type Error struct {
	Offset  int    // into the JSON text, in bytes
	Member  string // the member to blame, as in files["a.json"]; may be empty
	Message string
	Hint    string // what to do
}

// Error returns the message and the offset.
func (e *Error) Error() string {
	return e.Message + " (at byte " + strconv.Itoa(e.Offset) + ")"
}

// DecodeRequest reads a request object. The members of a batch line, id and
// as, are unknown members here. The error, if any, is an *Error.
func DecodeRequest(src string) (Request, error) { return Limits{}.DecodeRequest(src) }

// DecodeRequest is the function DecodeRequest within limits, which it also
// stores in the request.
func (l Limits) DecodeRequest(src string) (Request, error) {
	d := decoder{Reader: jsontext.NewReader(src, cmp.Or(l.Depth, DefaultDepth)), src: src}
	if err := d.decode(); err != nil {
		return Request{}, err
	}
	l.set(&d.line.Request)
	d.line.Near = d.near
	return d.line.Request, nil
}

// decodeOptions is DecodeRequest for a command that comes beside its object, which
// is then optional.
func (l Limits) decodeOptions(command, src string) (Request, error) {
	if src == "" {
		return l.Text(command), nil
	}
	d := decoder{Reader: jsontext.NewReader(src, cmp.Or(l.Depth, DefaultDepth)), src: src, beside: true}
	if err := d.decode(); err != nil {
		return Request{}, err
	}
	d.line.Curl = command
	l.set(&d.line.Request)
	d.line.Near = d.near
	return d.line.Request, nil
}

// DecodeLine reads a line of a batch. The error, if any, is an *Error; the
// line then holds the id, where it could be read.
func DecodeLine(src string) (Line, error) { return Limits{}.decodeLine(src) }

func (l Limits) decodeLine(src string) (Line, error) {
	d := decoder{Reader: jsontext.NewReader(src, cmp.Or(l.Depth, DefaultDepth)), src: src, batch: true}
	if err := d.decode(); err != nil {
		return Line{ID: d.line.ID}, err
	}
	l.set(&d.line.Request)
	return d.line, nil
}

// A decoder fills a line from a JSON text. An error in the syntax ends it; an
// error in the meaning is recorded, and reading goes on, so that a batch can
// report which line was meant.
type decoder struct {
	jsontext.Reader
	src    string
	batch  bool // id and as are known members
	beside bool // the command is passed beside the object, which has no member curl
	har    bool // it has a member of HAR files or of collections
	line   Line
	other  string   // the name of the first unknown member
	near   []string // names of unknown members that are nearly known ones
	err    *Error   // the first error in the meaning
}

// alone says how to send a command without an object.
func (d *decoder) alone() string {
	switch {
	case d.batch:
		return "write the command alone on the line"
	case d.beside:
		return "pass no options"
	}
	return "send the command itself as text/plain"
}

// hintSyntax is the cure of text that is no JSON, and hintObject that of JSON that is
// no object.
func (d *decoder) hintSyntax() string { return "write the object with a JSON library, or " + d.alone() }

func (d *decoder) hintObject() string {
	if d.beside {
		return `pass an object such as {"target": "python"}, or ` + d.alone()
	}
	return `send an object such as {"curl": "curl https://example.com"}, or ` + d.alone()
}

// fail records an error, unless there is one already. It returns false.
func (d *decoder) fail(offset int, member, message, hint string) bool {
	if d.err == nil {
		d.err = &Error{Offset: offset, Member: member, Message: message, Hint: hint}
	}
	return false
}

func (d *decoder) decode() error {
	if !utf8.ValidString(d.src) {
		d.fail(invalidUTF8(d.src), "", "the JSON is not UTF-8", `send the command as UTF-8; contents of files may be {"base64": "…"}`)
		return d.err
	}
	if strings.HasPrefix(d.src, jsontext.ByteOrderMark) {
		d.Advance(len(jsontext.ByteOrderMark))
	}
	found, ok := d.beside, false
	if d.Peek() == '{' {
		ok = d.members(&found)
	} else {
		d.notAnObject()
	}
	if ok && d.Peek() != 0 {
		ok = d.fail(d.Pos(), "", "text follows the end of the object", "send one object; /api/batch takes many, one on each line")
	} else if ok && d.Pos() < len(d.src) {
		ok = d.Unexpected("the end") // a NUL byte
	}
	if ok && !found && d.har {
		d.fail(d.Pos(), "curl", `the member "curl" is missing; the text of a HAR file or a collection belongs there, as a string`, "pass the file as the value of curl, in quotes")
	} else if ok && !found {
		d.fail(d.Pos(), "curl", `the member "curl" is missing`, d.missingHint())
	}
	if d.err == nil && d.Err() != nil {
		d.fail(d.Err().Offset, "", d.Err().Message, d.hintSyntax())
	}
	if d.err != nil {
		return d.err
	}
	return nil
}

func (d *decoder) notAnObject() {
	switch kind := d.Kind(); {
	case d.Pos() >= len(d.src):
		d.fail(d.Pos(), "", "the JSON text is empty", d.hintObject())
	case kind == "":
		d.Unexpected("a JSON object")
	default:
		d.fail(d.Pos(), "", "the JSON must be an object, not "+kind, d.hintObject()+"; many commands go to /api/batch, one on each line")
	}
}

// members reads the members of the request object and says in found that the one
// that is required is there.
func (d *decoder) members(found *bool) bool {
	var seen names
	return d.Object(func(name string, offset int) bool {
		if seen.again(name) {
			d.twice(offset, Clip(name))
			return d.Skip()
		}
		switch name {
		case "log", "request", "item":
			d.har = true
		case "curl":
			if d.beside {
				d.fail(offset, name, `the command is passed beside the options, which have no member "curl"`, "leave it out")
				return d.Skip()
			}
			*found = true
			return d.required(name, &d.line.Curl)
		case "files":
			return d.files(name)
		case "stdin":
			return d.Null() || d.content(name, &d.line.Stdin)
		case "env":
			return d.env(name)
		case "targets":
			return d.targets(name)
		}
		if s := switches.Lookup(name); s != nil {
			return d.switchOf(s)
		}
		if d.batch {
			switch name {
			case "id":
				return d.id()
			case "as":
				return d.as(name)
			}
		}
		d.unknown(name)
		return d.Skip()
	})
}

// switchOf reads the value of a switch. The rest of the object is read where the switch
// does not take the value, because a line of a batch may have its id there.
func (d *decoder) switchOf(s *switches.Switch) bool {
	if d.Null() {
		return true
	}
	first := d.Peek()
	offset := d.Pos()
	var value string
	ok := true
	switch {
	case s.Kind == switches.Number, s.Kind == switches.Truth && (first == 't' || first == 'f'):
		ok = d.Skip()
		value = d.src[offset:d.Pos()]
	case s.Kind == switches.Truth:
		return d.wrongType(s.Name, "true or false")
	default:
		ok = d.required(s.Name, &value)
	}
	if ok && !s.Set(&d.line.Want, &d.line.Input, value) {
		hint := s.Without
		if hint == "" {
			hint = nearestHint(value, s.Words)
		}
		d.fail(offset, s.Name, "the member "+strconv.Quote(s.Name)+" must be "+s.Wanted(`"`), hint)
	}
	return ok
}

// requestMembers returns the members of a request object.
var requestMembers = sync.OnceValue(func() []string {
	return append(switches.Names(), "curl", "files", "stdin", "env", "targets")
})

// maxNear is how many names of unknown members are kept.
const maxNear = 8

// unknown notes the name of a member that is ignored, if another may be meant.
func (d *decoder) unknown(name string) {
	if d.other == "" {
		d.other = name
	}
	isName := strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == ""
	if isName && len(d.near) < maxNear && Near(name, requestMembers()) != "" {
		d.near = append(d.near, name)
	}
}

// missingHint says which member may be meant for curl.
func (d *decoder) missingHint() string {
	if d.other != "" {
		return "the text of the command belongs there, not into " + strconv.Quote(Clip(d.other))
	}
	return `put the text of the command there: {"curl": "curl https://example.com"}`
}

// required reads a string without NUL.
func (d *decoder) required(member string, into *string) bool {
	if d.Peek() != '"' {
		return d.wrongType(member, "a string")
	}
	text, ok := d.text(member)
	if offset := d.NUL(); ok && offset >= 0 {
		d.fail(offset, member, memberNamed(member)+` holds the escape \u0000, a NUL, which no command can hold`, "leave the NUL out")
	}
	*into = text
	return ok
}

// text reads a string. Half of a surrogate pair stands for no character, so
// that the command could not be what was meant.
func (d *decoder) text(member string) (string, bool) {
	text, ok := d.String()
	if offset := d.LoneSurrogate(); ok && offset >= 0 {
		d.fail(offset, member, memberNamed(member)+" holds the escape "+d.src[offset:offset+len(`\ud800`)]+", which is half of a surrogate pair", "send the character itself, or both halves")
	}
	return text, ok
}

// targets reads a list of names.
func (d *decoder) targets(member string) bool {
	if d.Null() {
		return true
	}
	if d.Peek() != '[' {
		return d.wrongType(member, "an array of strings")
	}
	offset := d.Pos()
	d.line.Targets = []string{}
	ok := d.Array(func() bool {
		if len(d.line.Targets) >= maxTargets {
			d.fail(offset, member, "the member "+strconv.Quote(member)+" has more than "+strconv.Itoa(maxTargets)+" names", "ask for the others in another request")
			return d.Skip()
		}
		var name string
		ok := d.required(member, &name)
		d.line.Targets = append(d.line.Targets, name)
		return ok
	})
	if ok && len(d.line.Targets) == 0 {
		d.fail(offset, member, "the member "+strconv.Quote(member)+" is empty", "name targets of /api/targets")
	}
	return ok
}

// as reads which answer a line of a batch wants.
func (d *decoder) as(member string) bool {
	if d.Null() {
		return true
	}
	offset := d.Pos()
	var word string
	if !d.required(member, &word) {
		return false
	}
	as, ok := ParseAs(word)
	if d.line.As = as; !ok {
		d.fail(offset, member, `the member "as" must be "convert", "parse", "code" or "explain"`, nearestHint(word, answers))
	}
	return true // the rest of a line may have its id
}

func (d *decoder) id() bool {
	d.Peek()
	start := d.Pos()
	ok := d.Skip()
	if ok {
		d.line.ID = d.src[start:d.Pos()]
	}
	return ok
}

func (d *decoder) files(member string) bool {
	if d.Null() {
		return true
	}
	if d.Peek() != '{' {
		return d.wrongType(member, "an object")
	}
	d.line.Files = make(map[string][]byte)
	return d.Object(func(name string, offset int) bool {
		if _, again := d.line.Files[name]; again {
			d.twice(offset, entry(member, name))
			return d.Skip()
		}
		var content []byte
		ok := d.content(entry(member, name), &content)
		d.line.Files[name] = content
		return ok
	})
}

func (d *decoder) env(member string) bool {
	if d.Null() {
		return true
	}
	if d.Peek() != '{' {
		return d.wrongType(member, "an object")
	}
	d.line.Env = make(map[string]string)
	return d.Object(func(name string, offset int) bool {
		if _, again := d.line.Env[name]; again {
			d.twice(offset, entry(member, name))
			return d.Skip()
		}
		var value string
		ok := d.required(entry(member, name), &value)
		d.line.Env[name] = value
		return ok
	})
}

// content reads a string or {"base64": "…"}. What is there but empty is not
// nil.
func (d *decoder) content(member string, into *[]byte) bool {
	switch d.Peek() {
	case '"':
		text, ok := d.text(member)
		*into = append([]byte{}, text...)
		return ok
	case '{':
		return d.base64(member, into)
	}
	return d.wrongType(member, `a string or {"base64": "…"}`)
}

func (d *decoder) base64(member string, into *[]byte) bool {
	start := d.Pos()
	found := false
	ok := d.Object(func(name string, offset int) bool {
		if name != "base64" {
			return d.Skip()
		}
		if found {
			d.twice(offset, member+".base64")
			return d.Skip()
		}
		found = true
		if d.Peek() != '"' {
			return d.wrongType(member+".base64", "a string")
		}
		at := d.Pos()
		text, ok := d.String()
		if !ok {
			return false
		}
		content, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			d.fail(at, member+".base64", memberNamed(member+".base64")+" is not base64", "encode the bytes in the standard alphabet, with padding")
		}
		*into = content
		return true
	})
	if ok && !found {
		d.fail(start, member, memberNamed(member)+` must be a string or {"base64": "…"}`, `send text as a string, and bytes as {"base64": "…"}`)
	}
	return ok
}

// wrongType records that the value of a member is not what it must be, and
// skips the value.
func (d *decoder) wrongType(member, want string) bool {
	if kind := d.Kind(); kind != "" {
		d.fail(d.Pos(), member, memberNamed(member)+" must be "+want+", not "+kind, "give it as "+want)
	}
	return d.Skip()
}

func (d *decoder) twice(offset int, member string) {
	d.fail(offset, member, memberNamed(member)+" is given twice", "give it once")
}

// names holds the member names seen so far. Almost every object has a handful,
// and a linear search is fastest for those; a map takes over after len(few).
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
