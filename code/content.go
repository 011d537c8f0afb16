package code

import (
	"path"
	"slices"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/mime"
	"uncoil/request"
)

// A body is the content of a request: at most one of its members is set.
type body struct {
	kind bodyKind
	data text          // rawBody: the exact bytes
	json *value        // what data says in JSON, or nothing
	form []pair        // formBody: the pairs of data, decoded
	part []formPart    // multipartBody
	file text          // fileBody: the name of the file that is sent as it is
	list []piece       // pieceBody: what is joined
	src  *request.Body //

	parsed value // that json points to
}

type bodyKind uint8

const (
	noBody bodyKind = iota
	rawBody
	multipartBody
	fileBody  // one file, as it is
	pieceBody // texts and files, joined
)

// A pair is a name and a value of a form.
type pair struct{ name, value text }

// A formPart is a part of a multipart form.
type formPart struct {
	*request.Part
	name, value, file     text
	filename, contentType *string
	named, kind           text // filename and contentType with their variables; nil for none
	// implied reports that filename is the end of a path that holds a variable,
	// which the program must cut off when it knows the path.
	implied bool
	// cut reports that named does so, where a language can.
	cut      bool
	inner    []formPart // of a part that holds parts
	boundary string     // between these, once it is known
}

// simple reports whether every client's own form writes the part as curl does:
// a name, a value or a file, a type.
func (p *formPart) simple() bool { return p.helped() && !p.implied }

// helped is simple, and leaves it to the target to take the file name from the
// path where it is implied. Most helpers leave out a file name that is empty.
func (p *formPart) helped() bool {
	if p.filename != nil && *p.filename == "" && !p.implied {
		return false
	}
	return !p.Nested && p.Encoder == "" && len(p.Headers) == 0 && p.Name != "" && p.fixed()
}

// fixed reports whether the file name and the type hold no variables, but for a
// name that is implied.
func (p *formPart) fixed() bool {
	return !hasVariable(p.kind) && (p.implied || !hasVariable(p.named))
}

// readNames reads the file name and the type of a part with their variables.
func (p *formPart) readNames(c *call, at string) {
	if p.contentType != nil {
		p.kind = c.text(*p.contentType, at+".contentType")
	}
	if p.filename == nil {
		return
	}
	p.named = c.text(*p.filename, at+".filename")
	path := p.file.source()
	last := p.file.cut(strings.LastIndexByte(path, '/')+1, len(path))
	p.implied = hasVariable(last) && last.source() == *p.filename
	if p.implied && c.cuts && !c.live && last[0].variable != nil && !hasVariable(last[1:]) {
		v := *last[0].variable
		v.Encoding = lastSegment
		p.named, p.cut = append(text{{variable: &v}}, last[1:]...), true
	}
}

// guessed reports whether curl guesses the type of the part by the end of a name
// that a variable holds.
func (p *formPart) guessed() bool {
	if !p.Guessed || p.named == nil && p.filename != nil {
		return false
	}
	if p.filename != nil && (open(p.named) || curl.TypeByExtension(p.named.source()) != "") {
		return open(p.named)
	}
	return p.File != "-" && open(p.file)
}

// open reports whether the extension of a name is that of its last variable.
func open(name text) bool {
	last := -1
	for i := range name {
		if name[i].variable != nil {
			last = i
		}
	}
	return last >= 0 && !strings.ContainsAny(name[last+1:].literals(), "./")
}

// encodesUnknown reports whether the part, or one within it, has an encoder for what
// only the program knows. The one for seven bits ends the transfer at other bytes.
func (p *formPart) encodesUnknown() bool {
	if slices.ContainsFunc(p.inner, func(one formPart) bool { return one.encodesUnknown() }) {
		return true
	}
	known := !p.isFile() && !hasVariable(p.value)
	if ascii.EqualFold(p.Encoder, "7bit") {
		return !known || !ascii.Only(p.Value)
	}
	return mime.Encodes(p.Encoder) && !known
}

// isFile reports whether the content of the part comes from a file.
func (p *formPart) isFile() bool { return p.File != "" }

// A piece is a text, or the content of a file after what curl does to it.
type piece struct {
	text      text
	file      text // unless isText
	isText    bool
	strip     bool // without CR, LF and NUL
	urlencode bool // percent-encoded, a space as +
	name      text // with = before the content; nil for none
	offset    int64
}

// joinedText returns pieces as one text; it reports false where one is a file.
func joinedText(list []piece) (text, bool) {
	var all text
	for i := range list {
		if !list[i].isText {
			return nil, false
		}
		all = append(all, list[i].text...)
	}
	return mergeLiterals(all), true
}

// prefix returns the name of a file's content in a form, with its sign.
func (p *piece) prefix() text { return mergeLiterals(append(slices.Clone(p.name), part{literal: "="})) }

func (c *call) readBody(p *program) {
	b := c.Body
	if b == nil {
		return
	}
	c.body.src = b
	switch b.Kind {
	case request.Text, request.JSON, request.Form, request.Binary:
		c.body.kind = rawBody
		c.body.data = c.text(b.Data, "body")
		if data, ok := c.body.data.plain(); ok {
			c.body.json = p.parsed(c, data)
		}
		for i, f := range b.Fields {
			at := c.at("body.fields.", i, "")
			c.body.form = append(c.body.form, pair{c.text(f.Name, at+".name"), c.text(f.Value, at+".value")})
		}
	case request.Multipart:
		c.body.kind = multipartBody
		c.body.part = c.readParts(b.Parts, "body.parts.")
	default:
		c.readPieces(b.Pieces)
	}
}

// parsed returns what the content of a call says in JSON, or nothing. The content
// that the call before has too, as those of a glob do, is parsed once.
func (p *program) parsed(c *call, data string) *value {
	if n := len(p.calls); n > 1 {
		if before := &p.calls[n-2].body; before.kind == rawBody && before.literal() == data {
			return before.json
		}
	}
	var ok bool
	if c.body.parsed, ok = p.values.parse(data); ok {
		return &c.body.parsed
	}
	return nil
}

// literal returns the content where it holds no variables.
func (b *body) literal() string {
	data, _ := b.data.plain()
	return data
}

// readParts reads the parts of a form, or those within a part. prefix is the
// name of their list, with a dot.
func (c *call) readParts(parts []request.Part, prefix string) []formPart {
	list := make([]formPart, 0, len(parts))
	for i := range parts {
		one := &parts[i]
		at := c.at(prefix, i, "")
		value := at + ".value"
		if one.File == "-" && one.Content != nil && !c.live { // the command leads it there, and nobody the program's
			known := *one
			known.File, known.Value, value = "", *one.Content, at+".content"
			one = &known
		}
		part := formPart{Part: one, filename: one.Filename, contentType: one.ContentType,
			name: c.text(one.Name, at+".name"), value: c.text(one.Value, value), file: c.text(one.File, at+".file")}
		part.readNames(c, at)
		if one.Nested {
			part.inner = c.readParts(one.Parts, at+".parts.")
		}
		list = append(list, part)
	}
	return list
}

func (c *call) readPieces(pieces []request.Piece) {
	for i := range pieces {
		p := &pieces[i]
		at := c.at("body.pieces.", i, "")
		one := piece{text: c.text(p.Text, at+".text"), file: c.text(p.File, at+".file"), isText: p.Kind == request.Text,
			strip: p.Strip, urlencode: p.URLEncode, offset: p.Offset}
		if p.Kind == request.Stdin {
			one.file = literal("-")
		}
		if p.Name != "" {
			one.name = c.text(p.Name, at+".name")
		}
		c.body.list = append(c.body.list, one)
	}
	c.body.kind = pieceBody
	if len(pieces) == 1 && pieces[0].Kind == request.File && !pieces[0].Strip && !pieces[0].URLEncode && pieces[0].Offset == 0 {
		c.body.kind, c.body.file = fileBody, c.body.list[0].file
	}
}

// untyped reports whether the request has content without a type.
func (c *call) untyped() bool {
	return c.body.kind != noBody && c.body.kind != multipartBody && c.field("Content-Type") == nil
}

// empty reports whether the content is there, and of no bytes.
func (c *call) empty() bool {
	data, known := c.body.data.plain()
	return c.body.kind == rawBody && known && data == ""
}

// chunked reports whether the command sends its content in chunks, by a field.
func (c *call) chunked() bool {
	f := c.field("Transfer-Encoding")
	return f != nil && c.body.kind != noBody && onlyChunks(f.value.source())
}

// noCoding is for clients that set Transfer-Encoding themselves.
func noCoding(string) bool { return false }

// onlyChunks reports a Transfer-Encoding of chunks.
func onlyChunks(value string) bool { return ascii.EqualFold(value, "chunked") }

// namesChunks reports a Transfer-Encoding with chunks.
func namesChunks(value string) bool { return ascii.ContainsFold(value, "chunked") }

// namesNoChunks reports a Transfer-Encoding without chunks.
func namesNoChunks(value string) bool { return !namesChunks(value) }

// eitherCoding reports a Transfer-Encoding of chunks alone, or without chunks.
func eitherCoding(value string) bool { return onlyChunks(value) || namesNoChunks(value) }

// endsInChunks reports a Transfer-Encoding with chunks as its last coding, as they have
// to be.
func endsInChunks(value string) bool { return strings.HasSuffix(strings.ToLower(value), "chunked") }

// takesInput reports whether the content comes from the standard input.
func (c *call) takesInput() bool {
	piece := func(p piece) bool { return p.file.source() == "-" }
	return c.body.file.source() == "-" || slices.ContainsFunc(c.body.list, piece) ||
		takeInput(c.body.part)
}

// takeInput reports whether a part, or one within it, comes from the standard input.
func takeInput(list []formPart) bool {
	return slices.ContainsFunc(list, func(p formPart) bool { return p.file.source() == "-" || takeInput(p.inner) })
}

// streamed is chunked, and leaves the field to a client that adds it to a
// stream.
func (c *call) streamed() bool {
	if !c.chunked() {
		return false
	}
	c.field("Transfer-Encoding").derived = true
	return true
}

// hasType reports whether the content has exactly this type.
func (c *call) hasType(contentType string) bool {
	f := c.field("Content-Type")
	return f != nil && f.value.source() == contentType
}

// isForm reports whether the encoder of the language prints the content, as a
// form, from its decoded pairs.
func (c *call) isForm(e *formEncoder) bool {
	return c.hasType(formType) && e.prints(c.body.form, c.body.data)
}

// formType is the type of what -d sends.
const formType = "application/x-www-form-urlencoded"

// changed reports whether curl changes the content of the piece.
func (one *piece) changed() bool {
	return one.strip || one.urlencode || one.offset > 0
}

// pieces returns the pieces of a text whose parts are not all text: each part
// alone.
func (t text) pieces() []piece {
	out := make([]piece, len(t))
	for i := range t {
		out[i] = piece{isText: true, text: t[i : i+1]}
	}
	return out
}

// readsStdin reports whether some of the content comes from standard input.
func (c *call) readsStdin() bool {
	isStdin := func(t text) bool { s, ok := t.plain(); return ok && s == "-" }
	return slices.ContainsFunc(c.body.list, func(one piece) bool { return isStdin(one.file) }) ||
		slices.ContainsFunc(c.body.part, func(one formPart) bool { return isStdin(one.file) })
}

// sentName returns the name of a file that is not the one that it is read from.
func (p *formPart) sentName() string {
	if p.filename == nil || p.implied {
		return ""
	}
	if file, known := p.file.plain(); known && *p.filename == path.Base(file) {
		return ""
	}
	return *p.filename
}
