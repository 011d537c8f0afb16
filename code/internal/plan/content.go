package plan

import (
	"path"
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/mime"
	"uncoil/internal/engine/reqtext"
	"uncoil/request"
)

// A body is the content of a request: at most one of its members is set.
type body struct {
	Kind bodyKind
	Data Text          // rawBody: the exact bytes
	JSON *emit.Value   // what data says in JSON, or nothing: see StringOf
	Form []Pair        // formBody: the pairs of data, decoded
	Part []FormPart    // multipartBody
	File Text          // fileBody: the name of the file that is sent as it is
	List []Piece       // pieceBody: what is joined
	src  *request.Body //

	meant  bool                // data means the pairs of form, also where an encoder spells them otherwise
	parsed emit.Value          // that json points to
	holes  []*request.Variable // in its strings
}

type bodyKind uint8

const (
	NoBody bodyKind = iota
	RawBody
	MultipartBody
	FileBody  // one file, as it is
	PieceBody // texts and files, joined
)

// A Pair is a name and a value of a form.
type Pair struct{ Name, Value Text }

// A FormPart is a part of a multipart form.
type FormPart struct {
	*request.Part
	NameText, ValueText, FileText Text
	FilenameText, TypeText        *string
	Named, Kind                   Text // filename and contentType with their variables; nil for none
	// implied reports that filename is the end of a path that holds a variable,
	// which the program must cut off when it knows the path.
	Implied bool
	// cut reports that named does so, where a language can.
	Cut      bool
	Inner    []FormPart // of a part that holds parts
	boundary string     // between these, once it is known
}

// Simple reports whether every client's own form writes the part as curl does:
// a name, a value or a file, a type.
func (p *FormPart) Simple() bool { return p.Helped() && !p.Implied }

// Helped is simple, and leaves it to the target to take the file name from the
// path where it is implied. Most helpers leave out a file name that is empty.
func (p *FormPart) Helped() bool {
	if p.FilenameText != nil && *p.FilenameText == "" && !p.Implied {
		return false
	}
	return !p.Nested && p.Encoder == "" && len(p.Headers) == 0 && p.Name != "" && p.Fixed()
}

// Fixed reports whether the file name and the type hold no variables, but for a
// name that is implied.
func (p *FormPart) Fixed() bool {
	return !HasVariable(p.Kind) && (p.Implied || !HasVariable(p.Named))
}

// readNames reads the file name and the type of a part with their variables.
func (p *FormPart) readNames(c *Call, i int) {
	if p.TypeText != nil {
		p.Kind = c.Text(*p.TypeText, reqtext.At(request.MemberPartContentType, i))
	}
	if p.FilenameText == nil {
		return
	}
	p.Named = c.Text(*p.FilenameText, reqtext.At(request.MemberPartFilename, i))
	path := p.FileText.Source()
	last := p.FileText.Cut(strings.LastIndexByte(path, '/')+1, len(path))
	p.Implied = HasVariable(last) && last.Source() == *p.FilenameText
	if p.Implied && c.cuts && !c.live && last[0].Variable != nil && !HasVariable(last[1:]) {
		v := *last[0].Variable
		v.Encoding = LastSegment
		p.Named, p.Cut = append(Text{{Variable: &v}}, last[1:]...), true
	}
}

// GuessesType reports whether curl guesses the type of the part by the end of a name
// that a variable holds.
func (p *FormPart) GuessesType() bool {
	if !p.Guessed || p.Named == nil && p.FilenameText != nil {
		return false
	}
	if p.FilenameText != nil && (open(p.Named) || curl.TypeByExtension(p.Named.Source()) != "") {
		return open(p.Named)
	}
	return p.File != "-" && open(p.FileText)
}

// open reports whether the extension of a name is that of its last variable.
func open(name Text) bool {
	last := -1
	for i := range name {
		if name[i].Variable != nil {
			last = i
		}
	}
	return last >= 0 && !strings.ContainsAny(name[last+1:].Literals(), "./")
}

// encodesUnknown reports whether the part, or one within it, has an encoder for what
// only the program knows. The one for seven bits ends the transfer at other bytes.
func (p *FormPart) encodesUnknown() bool {
	if slices.ContainsFunc(p.Inner, func(one FormPart) bool { return one.encodesUnknown() }) {
		return true
	}
	known := !p.IsFile() && !HasVariable(p.ValueText)
	if ascii.EqualFold(p.Encoder, "7bit") {
		return !known || !ascii.Only(p.Value)
	}
	return mime.Encodes(p.Encoder) && !known
}

// IsFile reports whether the content of the part comes from a file.
func (p *FormPart) IsFile() bool { return p.File != "" }

// A Piece is a text, or the content of a file after what curl does to it.
type Piece struct {
	Text      Text
	File      Text // unless isText
	IsText    bool
	Strip     bool // without CR, LF and NUL
	Urlencode bool // percent-encoded, a space as +
	Name      Text // with = before the content; nil for none
	Offset    int64
}

// JoinedText returns pieces as one text; it reports false where one is a file.
func JoinedText(list []Piece) (Text, bool) {
	var all Text
	for i := range list {
		if !list[i].IsText {
			return nil, false
		}
		all = append(all, list[i].Text...)
	}
	return MergeLiterals(all), true
}

// Prefix returns the name of a file's content in a form, with its sign.
func (p *Piece) Prefix() Text { return MergeLiterals(append(slices.Clone(p.Name), Part{Literal: "="})) }

func (c *Call) readBody(p *Program) {
	b := c.Body
	if b == nil {
		return
	}
	c.Content.src = b
	switch b.Kind {
	case request.KindText, request.KindJSON, request.KindForm, request.KindBinary:
		c.Content.Kind = RawBody
		c.Content.Data = c.Text(b.Data, reqtext.At(request.MemberBody, 0))
		c.Content.JSON = p.parsed(c)
		for i, f := range b.Fields {
			c.Content.Form = append(c.Content.Form, Pair{c.Text(f.Name, reqtext.At(request.MemberFormName, i)), c.Text(f.Value, reqtext.At(request.MemberFormValue, i))})
		}
		c.Content.meant = p.meansPairs(c)
		if p.Target.TextJSON {
			p.LayOutJSON(c)
		}
	case request.KindMultipart:
		c.Content.Kind = MultipartBody
		c.Content.Part = c.readParts(b.Parts, new(int))
	default:
		c.readPieces(p, b.Pieces)
	}
}

// readParts reads the parts of a form, or those within a part. counted is how many
// parts come before them.
func (c *Call) readParts(parts []request.Part, counted *int) []FormPart {
	list := make([]FormPart, 0, len(parts))
	for i := range parts {
		one := &parts[i]
		at := *counted
		*counted++
		value := request.MemberPartValue
		if one.File == "-" && one.Content != nil && !c.live { // the command pipes stdin; the program has none
			known := *one
			known.File, known.Value, value = "", *one.Content, request.MemberPartContent
			one = &known
		}
		part := FormPart{Part: one, FilenameText: one.Filename, TypeText: one.ContentType,
			NameText: c.Text(one.Name, reqtext.At(request.MemberPartName, at)), ValueText: c.Text(one.Value, reqtext.At(value, at)), FileText: c.Text(one.File, reqtext.At(request.MemberPartFile, at))}
		part.readNames(c, at)
		if one.Nested {
			part.Inner = c.readParts(one.Parts, counted)
		}
		list = append(list, part)
	}
	return list
}

func (c *Call) readPieces(p *Program, pieces []request.Piece) {
	if p.Target.Kind == Code && c.isJSONFile(pieces) {
		pieces = []request.Piece{pieces[0]}
		pieces[0].Strip, c.otherJSON = false, true
	}
	for i := range pieces {
		p := &pieces[i]
		one := Piece{Text: c.Text(p.Text, reqtext.At(request.MemberPieceText, i)), File: c.Text(p.File, reqtext.At(request.MemberPieceFile, i)), IsText: p.Kind == request.KindText,
			Strip: p.Strip, Urlencode: p.URLEncode, Offset: p.Offset}
		if p.Kind == request.KindStdin {
			one.File = Literal("-")
		}
		if p.Name != "" {
			one.Name = c.Text(p.Name, reqtext.At(request.MemberPieceName, i))
		}
		c.Content.List = append(c.Content.List, one)
	}
	c.Content.Kind = PieceBody
	if len(pieces) == 1 && pieces[0].Kind == request.KindFile && !pieces[0].Strip && !pieces[0].URLEncode && pieces[0].Offset == 0 {
		c.Content.Kind, c.Content.File = FileBody, c.Content.List[0].File
	}
}

// isJSONFile reports whether the content is a file of JSON of which curl takes the line breaks,
// as -d does: in the idiomatic style it goes as it is, because they mean nothing there.
func (c *Call) isJSONFile(pieces []request.Piece) bool {
	f := c.Field("Content-Type")
	return !c.exact && len(pieces) == 1 && pieces[0].Kind == request.KindFile && pieces[0].Strip && pieces[0].Name == "" &&
		f != nil && mime.IsJSON(f.Value.Source()) && !c.measured()
}

// Untyped reports whether the request has content without a type.
func (c *Call) Untyped() bool {
	return c.Content.Kind != NoBody && c.Content.Kind != MultipartBody && c.Field("Content-Type") == nil
}

// Empty reports whether the content is there, and of no bytes.
func (c *Call) Empty() bool {
	data, known := c.Content.Data.Plain()
	return c.Content.Kind == RawBody && known && data == ""
}

// Chunked reports whether the command sends its content in chunks, by a field.
func (c *Call) Chunked() bool {
	f := c.Field("Transfer-Encoding")
	return f != nil && c.Content.Kind != NoBody && OnlyChunks(f.Value.Source())
}

// NoCoding is for clients that set Transfer-Encoding themselves.
func NoCoding(string) bool { return false }

// OnlyChunks reports a Transfer-Encoding of chunks.
func OnlyChunks(value string) bool { return ascii.EqualFold(value, "chunked") }

// NamesChunks reports a Transfer-Encoding with chunks.
func NamesChunks(value string) bool { return ascii.ContainsFold(value, "chunked") }

// NamesNoChunks reports a Transfer-Encoding without chunks.
func NamesNoChunks(value string) bool { return !NamesChunks(value) }

// EitherCoding reports a Transfer-Encoding of chunks alone, or without chunks.
func EitherCoding(value string) bool { return OnlyChunks(value) || NamesNoChunks(value) }

// EndsInChunks reports a Transfer-Encoding with chunks as its last coding, as they have
// to be.
func EndsInChunks(value string) bool { return strings.HasSuffix(strings.ToLower(value), "chunked") }

// TakesInput reports whether the content comes from the standard input.
func (c *Call) TakesInput() bool {
	piece := func(p Piece) bool { return p.File.Source() == "-" }
	return c.Content.File.Source() == "-" || slices.ContainsFunc(c.Content.List, piece) ||
		takeInput(c.Content.Part)
}

// takeInput reports whether a part, or one within it, comes from the standard input.
func takeInput(list []FormPart) bool {
	return slices.ContainsFunc(list, func(p FormPart) bool { return p.FileText.Source() == "-" || takeInput(p.Inner) })
}

// Streamed is chunked, and leaves the field to a client that adds it to a
// stream.
func (c *Call) Streamed() bool {
	if !c.Chunked() {
		return false
	}
	c.Imply(c.Field("Transfer-Encoding"))
	return true
}

// HasType reports whether the content has exactly this type.
func (c *Call) HasType(contentType string) bool {
	f := c.Field("Content-Type")
	return f != nil && f.Value.Source() == contentType
}

// IsForm reports whether the encoder of the language prints the content, as a
// form, from its decoded pairs: its bytes, or in idiomatic style another spelling of the pairs.
func (c *Call) IsForm(e *FormEncoder) bool {
	if !c.HasType(FormType) {
		return false
	}
	same := c.prints(e, c.Content.Form, c.Content.Data)
	if means := c.Content.meant && !c.measured(); !same && !means {
		return false
	}
	c.otherForm = !same && !e.spells(c.Content.Form, c.Content.Data)
	return true
}

// LeavesType leaves the type of a form to the helper that encodes it, which may name a
// charset beside it, where the command has no field for it; in the idiomatic style.
func (c *Call) LeavesType() bool {
	f := c.Field("Content-Type")
	leaves := !c.exact && f != nil && f.TypesContent()
	if leaves {
		c.leavesType = true
		c.Imply(f)
	}
	return leaves
}

// FormType is the type of what -d sends.
const FormType = "application/x-www-form-urlencoded"

// Changed reports whether curl changes the content of the piece.
func (one *Piece) Changed() bool {
	return one.Strip || one.Urlencode || one.Offset > 0
}

// Pieces returns the pieces of a text whose parts are not all text: each part
// alone.
func (t Text) Pieces() []Piece {
	out := make([]Piece, len(t))
	for i := range t {
		out[i] = Piece{IsText: true, Text: t[i : i+1]}
	}
	return out
}

// ReadsStdin reports whether some of the content comes from standard input.
func (c *Call) ReadsStdin() bool {
	isStdin := func(t Text) bool { s, ok := t.Plain(); return ok && s == "-" }
	return slices.ContainsFunc(c.Content.List, func(one Piece) bool { return isStdin(one.File) }) ||
		slices.ContainsFunc(c.Content.Part, func(one FormPart) bool { return isStdin(one.FileText) })
}

// SentName returns the name of a file that is not the one that it is read from.
func (p *FormPart) SentName() string {
	if p.FilenameText == nil || p.Implied {
		return ""
	}
	if file, known := p.FileText.Plain(); known && *p.FilenameText == path.Base(file) {
		return ""
	}
	return *p.FilenameText
}
