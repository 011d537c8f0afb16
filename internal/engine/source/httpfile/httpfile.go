// Package httpfile reads the requests of .http and .rest files, as the HTTP clients
// of editors send them: those of JetBrains
// (https://github.com/JetBrains/http-request-in-editor-spec), REST Client for VS Code,
// and httpYac. What these read alike is read so; where they differ, as most of them do.
package httpfile

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/message"
	"uncoil/internal/engine/source/word"
)

// separator begins a line between two requests.
const separator = "###"

// Is reports whether a text is such a file: its first line that is no comment and
// sets nothing is a request line without a version, or one with a version, which a
// message as it goes over the wire has too, in a text with a sign of such files.
func Is(src string) bool {
	src = strings.TrimPrefix(src, jsontext.ByteOrderMark)
	signs, comments := false, false
	for at := 0; at < len(src); {
		n := ascii.LineLength(src[at:])
		line := strings.Trim(src[at:at+n], blanks)
		at = min(at+n+1, len(src))
		switch {
		case strings.HasPrefix(line, separator), definition(line) > 0, strings.HasPrefix(line, "< {%"):
			signs = true
		case line == "":
		case isComment(line):
			if strings.HasPrefix(strings.TrimLeft(line, "# "), "curl ") && !signs {
				return false // the prompt of root before a command
			}
			comments = true
		default:
			method, target, version := requestLine(line)
			switch {
			case strings.ContainsAny(target, blanks):
				return false
			case isWhole(target), slices.Contains(foreign, method):
				return version == "" && method != "" || signs || comments || strings.HasPrefix(version, "HTTP/2") || strings.Contains(src[at:], "\n"+separator)
			}
			return signs && target != "" && target[0] == '/'
		}
	}
	return false
}

// isWhole reports whether a target is a URL, or begins with a variable that may be the
// begin of one.
func isWhole(target string) bool {
	return ascii.HasPrefixFold(target, "http://") || ascii.HasPrefixFold(target, "https://") || strings.HasPrefix(target, "{{")
}

// blanks are what lines are trimmed of.
const blanks = " \t\r\f"

func isComment(line string) bool {
	return strings.HasPrefix(line, "#") || strings.HasPrefix(line, "//")
}

// definition returns the length of the name and the signs that begin a line which sets
// a variable, or 0.
func definition(line string) int {
	if !strings.HasPrefix(line, "@") {
		return 0
	}
	n := len("@")
	for n < len(line) && strings.IndexByte(" \t=:", line[n]) < 0 {
		n++
	}
	name := n
	for n < len(line) && ascii.IsBlank(line[n]) {
		n++
	}
	if n < len(line) && line[n] == ':' {
		n++
	}
	if name == len("@") || n == len(line) || line[n] != '=' {
		return 0
	}
	return n + 1
}

// What a line and a variable cost beside their text.
const (
	lineSteps    = 24
	variableSize = 160 // of a variable, in a map
)

// Read returns a command for each request of a file, in their order, or for one of
// them, counted from 1. Variables that the file does not set are those of env.
func Read(src string, entry int, env map[string]string, m *meter.Meter) ([]word.Command, diag.List) {
	r := newReader(src, env, m)
	count := r.requests(func(n, _ int) bool { return entry == 0 || n == entry })
	if m.Over() {
		return nil, diag.List{m.Diagnostic(diag.At(min(r.pos, len(src))))}
	}
	all := diag.Span{End: int32(len(src))}
	if count == 0 {
		r.Fail(r.Syntax, all, "the file has no request", "begin with a line such as GET https://example.com/")
	} else if entry > count {
		requests := strconv.Itoa(count) + " requests"
		if count == 1 {
			requests = "one request"
		}
		r.Fail(diag.CodeUnknownEntry, all, "there is no entry "+strconv.Itoa(entry)+": the file has "+requests, "requests are counted from 1")
	} else if len(r.Commands) == 0 && r.Diags.Err() == nil {
		r.Fail(r.Syntax, all, "the request is disabled", "remove the line # @disabled")
	}
	return r.Commands, r.Diags
}

// EntryAt returns which request of a file stands at an offset, counted from 1, or 0. What
// stands before a request belongs to it, from the line that separates it from another.
func EntryAt(src string, offset int) (entry int) {
	r := newReader(src, nil, meter.New(len(src), meter.Limits{}, nil))
	r.requests(func(n, start int) bool {
		if start <= offset {
			entry = n
		}
		return false
	})
	return entry
}

func newReader(src string, env map[string]string, m *meter.Meter) *reader {
	r := &reader{src: src, env: env, vars: make(map[string]word.Word)}
	r.Meter, r.Syntax = m, diag.CodeInvalidHTTPFile
	r.pos = len(src) - len(strings.TrimPrefix(src, jsontext.ByteOrderMark))
	return r
}

// requests steps through the requests of the file, and returns how many it has. wanted
// says of each, by its number and by where it starts, whether it is to be read: what is
// wrong with the others does not matter.
func (r *reader) requests(wanted func(n, start int) bool) (count int) {
	const most = 1001 // one more than the requests that one text may make
	for start := 0; r.section() && len(r.Commands) < most; start = r.end {
		for r.preamble() && len(r.Commands) < most {
			count++
			before := r.Diags
			read := wanted(count, start)
			ok := r.request(read)
			start = r.pos
			if !read {
				r.Diags = before
				if !ok { // what is left of it is no other request
					r.pos = r.end
				}
			} else if !ok {
				break
			}
		}
		if r.Diags.Err() != nil || r.Meter.Over() {
			break
		}
	}
	return count
}

// A reader reads one text.
type reader struct {
	message.Writer
	src  string
	pos  int
	end  int // of the section
	env  map[string]string
	vars map[string]word.Word

	draft
}

// A draft is the request that is being read.
type draft struct {
	msg      message.Message
	target   word.Word
	redirect bool // redirects are not followed
	insecure bool
	disabled bool
	graphQL  bool
	proxy    word.Word
	folded   *message.Text // the last value, where it goes on over several lines
}

func span(start, end int) diag.Span { return diag.Span{Start: int32(start), End: int32(end)} }

// section steps to the next section, which ends before a line that separates two.
func (r *reader) section() bool {
	if r.end > 0 {
		r.pos = r.end
	}
	if r.pos >= len(r.src) || !r.Meter.Work(lineSteps) {
		return false
	}
	at := r.pos
	if first := strings.TrimLeft(r.lineAt(at), blanks); strings.HasPrefix(first, separator) {
		at = r.after(at)
	}
	r.pos = at
	for at < len(r.src) && !strings.HasPrefix(strings.TrimLeft(r.lineAt(at), blanks), separator) {
		n := r.after(at)
		if !r.Meter.Work(lineSteps + (n - at)) {
			return false
		}
		at = n
	}
	r.end = at
	return true
}

// lineAt returns the line that begins at an offset, without its end.
func (r *reader) lineAt(at int) string { return r.src[at : at+ascii.LineLength(r.src[at:])] }

// after returns where the line after the one at an offset begins.
func (r *reader) after(at int) int { return min(at+ascii.LineLength(r.src[at:])+1, len(r.src)) }

// line reads a line of the section, and returns it without blanks around it, and where
// that begins.
func (r *reader) line() (text string, at int, ok bool) {
	if r.pos >= r.end {
		return "", r.pos, false
	}
	whole := r.lineAt(r.pos)
	at = r.pos + len(whole) - len(strings.TrimLeft(whole, blanks))
	r.pos = min(r.after(r.pos), r.end)
	text = strings.Trim(whole, blanks)
	return text, min(at, r.end), r.Meter.Work(lineSteps + len(whole)/2)
}

// peek is line without reading it.
func (r *reader) peek() (text string, at int, ok bool) {
	pos := r.pos
	text, at, ok = r.line()
	r.pos = pos
	return text, at, ok
}

// preamble reads what stands before a request, and reports whether one follows.
func (r *reader) preamble() bool {
	r.draft = draft{}
	for {
		text, at, ok := r.peek()
		switch {
		case !ok:
			return false
		case text == "", r.comment(text, at):
		case definition(text) > 0:
			if !r.define(text, at) {
				return false
			}
		case strings.HasPrefix(text, "<"):
			r.Warn(diag.WarnOtherCommand, span(at, at+len(text)), "the script before the request is left out", "")
			if !r.script(text, "{%", "%}") {
				return false
			}
			continue
		case text == "{{" || strings.HasPrefix(text, "{{@") || strings.HasPrefix(text, "{{+"):
			r.Warn(diag.WarnOtherCommand, span(at, at+len(text)), "the script is left out", "")
			if !r.script(text, "{{", "}}") {
				return false
			}
			continue
		case strings.HasPrefix(text, "import "), strings.HasPrefix(text, "run "):
			r.Warn(diag.WarnOtherCommand, span(at, at+len(text)), "another file is left out", "paste what it has")
		case isAnswer(text):
			r.pos = r.end
			return false
		default:
			return true
		}
		r.line()
	}
}

// isAnswer reports whether a line begins an answer.
func isAnswer(line string) bool {
	digits, ok := strings.CutPrefix(line, "HTTP/")
	return ok && digits != "" && ascii.IsDigit(digits[0])
}

// script steps over a script, which ends with a line that has its closing mark, where
// the first line opens it.
func (r *reader) script(text, opening, closing string) bool {
	start := r.pos
	r.line()
	i := strings.Index(text, opening)
	if i < 0 || strings.Contains(text[i+len(opening):], closing) {
		return true
	}
	for {
		text, _, ok := r.line()
		if !ok {
			return !r.Meter.Over() && r.Fail(diag.CodeUnterminatedQuote, span(start, start+ascii.LineLength(r.src[start:])), "a script is never closed", "end it with "+closing)
		}
		if strings.Contains(text, closing) {
			return true
		}
	}
}

// comment reports whether a line is a comment, and keeps what it sets.
func (r *reader) comment(text string, at int) bool {
	if !isComment(text) {
		return false
	}
	rest := strings.TrimLeft(text, "#/ \t")
	rest, ok := strings.CutPrefix(rest, "@")
	if !ok {
		return true
	}
	name, value, _ := strings.Cut(rest, " ")
	switch name {
	case "no-redirect":
		r.redirect = true
	case "no-reject-unauthorized":
		r.insecure = true
	case "disabled":
		r.disabled = true
	case "proxy":
		value = strings.Trim(value, blanks)
		end := at + len(text)
		r.proxy = word.Word{Text: value, Span: span(end-len(value), end)}
	}
	return true
}

// define sets a variable.
func (r *reader) define(text string, at int) bool {
	n := definition(text)
	name := strings.Trim(text[1:n], " \t=:")
	name = strings.TrimPrefix(name, "global.")
	value := strings.TrimLeft(text[n:], " \t")
	at += len(text) - len(value)
	if len(value) > 1 && value[0] == '"' && value[len(value)-1] == '"' {
		value = value[1 : len(value)-1]
		at++
	}
	w, ok := r.expand(value, at)
	if !ok || !r.Meter.Hold(variableSize) {
		return false
	}
	r.vars[name] = w
	return true
}
