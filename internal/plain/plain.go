package plain

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"uncoil/diag"
	"uncoil/internal/curl"
	"uncoil/internal/jsontext"
	"uncoil/internal/shell"
)

// Input is what AppendConvert takes beside the text, as uncoil.Input has it.
type Input struct {
	Shell    string // by the name that the API has for it
	Env      map[string]string
	Files    map[string][]byte
	MaxBytes int // of what the text may stand for; 0: curl.MaxBytes
}

// AppendConvert appends the object of method, url, headers and data for a
// plain command. Where data or cookies are in a file that is not supplied,
// missing says so, and nothing is appended. For any other text, where variables
// are known, and where the text could stand for too much, ok is false, and dst
// comes back as it was.
func AppendConvert(dst []byte, src string, in Input) (out []byte, missing *diag.Diagnostic, ok bool) {
	posix := in.Shell == "" || in.Shell == "auto" || in.Shell == "posix"
	if !enabled || !posix || len(in.Env) > 0 || mayBeEscaped(src) && shell.IsEscapedHTML(src) {
		return dst, nil, false
	}
	var c command
	c.dst = dst
	if !c.read(src) || !c.settle() || !c.fits(src, in.MaxBytes) || c.sendsFile && len(in.Files) > 0 {
		return dst, nil, false
	}
	if c.file == "" {
		out, ok = c.append(dst)
		return out, nil, ok
	}
	if _, supplied := in.Files[c.file]; supplied || !jsontext.IsText(c.data) {
		return dst, nil, false
	}
	message := curl.BodyNotSupplied
	if !c.dataInFile {
		message = curl.CookiesNotSupplied
	}
	d := curl.NotSupplied(c.fileSpan, message, c.file)
	return dst, &d, true
}

// fewHeaders is how many -H take no memory of their own, and have their names
// compared with each other.
const fewHeaders = 32

// A command is what a plain command asks for. A text that is empty has not
// been given, for no option here takes an empty argument.
type command struct {
	dst []byte // which the answer is appended to

	guessed bool // the URL has no scheme: http is meant
	url     string
	method  string
	head    bool
	get     bool // -G
	hasData bool
	data    string
	joined  []byte // in place of data, once there is more than one, or it is encoded
	json    bool   // the data is of --json
	stdin   option // what reads the data from standard input, or unknown

	file       string // what data or cookies are read from, if they are
	fileSpan   diag.Span
	dataInFile bool

	holedData bool // some data holds a variable
	rootless  bool // the URL has no path
	secure    bool // https is the only protocol that is allowed

	user, agent, referer, cookie string

	output bool

	words     int  // as the scanner counts them
	sendsFile bool // some part of the form is a file

	count int      // of all header fields
	names uint64   // a bit for each name, as nameBit has it
	more  *members // than few has room for
	form  *members // what -F gives
	few   [fewHeaders]header
}

type header struct{ name, value string }

// read reads the words of a text.
func (c *command) read(src string) bool {
	var s scanner
	ok := s.begin(src)
	for ok && s.next() {
		switch word := s.word; {
		case len(word) > 2 && word[0] == '-' && word[1] == '-':
			ok = c.long(word[2:], &s)
		case len(word) > 1 && word[0] == '-':
			ok = c.short(word[1:], &s)
		default:
			ok = c.setURL(word, s.holed)
		}
	}
	c.words = s.words
	if !ok || s.declined || s.words >= shell.MaxWords || s.document.delimiter != "" && !s.document.read {
		return false
	}
	return c.stdin == unknown || c.takeDocument(&s.document)
}

// fits reports whether the description of the request is certain to stay
// within the budget that the full grammar has for it. What is counted is more
// than what that one counts, in internal/build, so that it decides in the end.
func (c *command) fits(src string, maxBytes int) bool {
	const (
		fixed   = 4 << 10 // what curl adds of its own
		perWord = 160     // a setting, with a field or a piece of data
		perPart = 256
		perPair = 32
		copies  = 3 // of the text: data, its pieces, their names and values
	)
	n := fixed + perWord*c.words + copies*(len(src)+len(c.data))
	if c.form != nil {
		n += perPart * len(c.form.starts)
	}
	most, actual := curl.Budget{Max: maxBytes}, curl.Budget{Max: maxBytes}
	return most.Spend(n+perPair*len(src)) || actual.Spend(n+perPair*strings.Count(src, "&"))
}

// settle decides what depends on several options.
func (c *command) settle() bool {
	if c.joined != nil {
		c.data = string(c.joined)
	}
	switch {
	case c.url == "", c.head && c.hasData, c.get && c.dataInFile, c.secure && !strings.HasPrefix(c.url, "https://"),
		c.user != "" && c.named("Authorization"), c.agent != "" && c.named("User-Agent"),
		c.referer != "" && c.named("Referer"), c.cookie != "" && c.named("Cookie"):
		return false
	case c.get && c.hasData && (c.json || c.holedData || c.data == "" || len(c.url)+len(c.data) > maxURL || !isPath(c.data, false)),
		c.json && !(c.implyJSON("Content-Type") && c.implyJSON("Accept")):
		return false
	case c.form != nil && (c.hasData || c.head || c.get || c.named("Content-Type")),
		c.more != nil && c.repeatsName():
		return false
	case c.method != "":
	case c.head:
		c.method = "HEAD"
	case c.hasData && !c.get, c.form != nil:
		c.method = "POST"
	default:
		c.method = "GET"
	}
	return true
}

// implyJSON adds a field that --json implies, unless -H gives it.
func (c *command) implyJSON(name string) bool {
	return c.named(name) || c.addField(name, "application/json")
}

// append appends the answer, the header fields in curl's order, unless the data
// is none that the answer can hold as text.
func (c *command) append(dst []byte) (out []byte, ok bool) {
	hasContent := c.hasData && !c.get
	isForm := hasContent && !c.named("Content-Type")
	before := len(dst)
	if c.more != nil {
		dst = nil // which is then put in front of those that stand there already
	}
	dst = append(dst, `{"method":"`...)
	dst = append(dst, c.method...)
	dst = append(dst, `","url":"`...)
	if c.guessed {
		dst = append(dst, "http://"...)
	}
	dst = append(dst, c.url...)
	if c.get && c.hasData {
		dst = c.appendQuery(dst)
	}
	dst = append(dst, `","headers":`...)
	f := fields{dst: dst, next: '{'}
	if c.user != "" {
		f.name("Authorization")
		f.dst = append(f.dst, `"Basic `...)
		f.dst = base64.StdEncoding.AppendEncode(f.dst, []byte(c.user))
		f.dst = append(f.dst, '"')
	}
	f.optional("User-Agent", c.agent)
	f.optional("Referer", c.referer)
	f.optional("Cookie", c.cookie)
	for i := range c.few[:min(c.count, fewHeaders)] {
		f.add(c.few[i].name, c.few[i].value)
	}
	if c.more != nil {
		f.dst = c.more.behind(f.dst)
	}
	switch {
	case c.form != nil:
		f.add("Content-Type", "multipart/form-data")
	case isForm:
		f.add("Content-Type", "application/x-www-form-urlencoded")
	}
	if f.next == '{' {
		f.dst = append(f.dst, '{')
	}
	dst = append(f.dst, `},"data":`...)
	if c.form != nil {
		return append(c.form.appendObject(dst), '}'), true
	}
	if !hasContent {
		return append(dst, "null}"...), true
	}
	if dst, ok = jsontext.AppendCompact(dst, c.data); !ok {
		dst, ok = jsontext.AppendText(dst, c.data)
	}
	if !ok {
		return dst[:before], false
	}
	return append(dst, '}'), true
}

// appendQuery appends the data that -G puts into the URL.
func (c *command) appendQuery(dst []byte) []byte {
	switch {
	case c.rootless:
		dst = append(dst, "/?"...)
	case strings.IndexByte(c.url, '?') < 0:
		dst = append(dst, '?')
	case c.url[len(c.url)-1] != '&':
		dst = append(dst, '&')
	}
	return append(dst, c.data...)
}

// fields appends the members of an object.
type fields struct {
	dst  []byte
	next byte // what stands before the next member
}

func (f *fields) name(name string) {
	f.dst = append(f.dst, f.next, '"')
	f.next = ','
	f.dst = append(f.dst, name...)
	f.dst = append(f.dst, '"', ':')
}

func (f *fields) add(name, value string) {
	f.name(name)
	f.dst = jsontext.AppendUTF8(f.dst, value)
}

func (f *fields) optional(name, value string) {
	if value != "" {
		f.add(name, value)
	}
}

// isText reports text that JSON can hold, without what ends a header line.
func isText(s string) bool {
	if jsontext.IsPrintable(s) {
		return true
	}
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' && s[i] != '\t' || s[i] == 0x7f {
			return false
		}
	}
	return utf8.ValidString(s)
}
