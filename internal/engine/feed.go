package engine

import (
	"cmp"
	"slices"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source"
	"uncoil/internal/engine/source/word"
	"uncoil/request"
)

// settle notes which request it is whose content a command prints, and reports whether
// the text can use that. The command is one that feeds another.
func (r *Result) settle(c *source.Command, requests []request.Request, lists ...diag.List) bool {
	for _, list := range lists {
		if slices.ContainsFunc(list, func(d diag.Diagnostic) bool { return d.Severity == diag.SeverityError || len(d.Files) > 0 }) {
			return false
		}
	}
	if len(requests) != 1 {
		return false
	}
	given := true
	for _, o := range append(slices.Clip(c.Wrote), c.Output) {
		if o == nil || !o.Used {
			continue
		}
		printed := printed(&requests[0], o.File)
		o.Set(len(r.Requests), printed)
		given = given && printed.Gives(o.Head)
	}
	return given
}

// printed returns what curl prints of a response, or writes to a file: post_per_transfer() in
// curl 8.22 src/tool_operate.c. After a redirect that it follows, it prints each head.
func printed(r *request.Request, file string) (p word.Printed) {
	if r.Body != nil && !r.Body.Kind.Known() && r.Body.Kind != request.KindMultipart {
		return p
	}
	toFile, dumps, format := file != "", false, ""
	for _, o := range r.Options {
		text, _ := o.Value.(string)
		switch o.Name {
		case "output":
			toFile = text != cmp.Or(file, "-")
		case "discardOutput", "remoteName", "remoteNameAll":
			toFile = true
		case "writeOut":
			if file == "" {
				format = strings.TrimSuffix(text, `\n`)
			}
		case "dumpHeader":
			dumps = file == "" && (text == "-" || text == "/dev/stdout") || file != "" && text == file
		}
	}
	if slices.ContainsFunc(r.Ignored, func(name string) bool { return strings.HasPrefix(name, "--trace") || name == "--stderr" }) {
		return p
	}
	head := dumps || !toFile && (r.Method == "HEAD" || r.Options.On("showHeaders"))
	switch {
	case format != "":
		if !head && toFile {
			p.Field = headerFormat(format)
		}
	case head:
		p.Head = !r.Options.Redirects().Follow
	default:
		p.Content = !toFile && r.Method != "HEAD"
	}
	return p
}

// headerFormat returns the name of the field whose value -w prints, or "" where it prints
// anything else.
func headerFormat(format string) string {
	name, found := strings.CutPrefix(format, "%header{")
	name, ends := strings.CutSuffix(name, "}")
	if !found || !ends || !ascii.IsToken(name) {
		return ""
	}
	return name
}

// A feeder is a command that prints a part of a word of another curl: the place of its one
// request, and whether that other curl has a request.
type feeder struct {
	span diag.Span
	at   int
	used bool
}

// feed notes that the last n requests are those of a command. What feeds a word of it
// stands before it.
func (r *Result) feed(c *source.Command, n int) {
	r.found = len(r.Requests)
	if c.Feeds() && c.OfCurl {
		r.feeders = append(r.feeders, feeder{span: c.Span, at: len(r.Requests) - n})
		return
	}
	for i := len(r.feeders) - 1; i >= 0 && n > 0; i-- {
		f := &r.feeders[i]
		if f.used || f.span.Start < c.Span.Start || c.Span.End < f.span.End {
			break
		}
		f.used = true
	}
}

// own returns how many requests the text is about, and the place of the first of them. Those
// that only feed a word of another curl are not what it is about. Of requests that a caller
// has chosen, all are.
func (r *Result) own() (n, first int) {
	n = len(r.Requests)
	if n != r.found {
		return n, 0
	}
	for i := range r.feeders {
		if f := &r.feeders[i]; f.used {
			n--
			if f.at == first {
				first++
			}
		}
	}
	return n, first
}

// one returns the request that is the answer of a text that is about one.
func (r *Result) one() *request.Request {
	_, first := r.own()
	return &r.Requests[first]
}

// warnKept warns that a hole of a word is kept as written.
func (r *Result) warnKept(at diag.Span, h *source.Hole) {
	if r.data {
		r.Warnings.Warn(diag.WarnVariableKept, at,
			h.Shown()+" is not known and is kept as written; the client would replace it with its value", "pass its value in env")
		return
	}
	if h.From.Certain() {
		r.Warnings.Warn(diag.WarnVariableKept, at,
			h.Shown()+" is kept as written; the shell would replace it with what the commands of the text print", "")
		return
	}
	r.Warnings.Warn(diag.WarnVariableKept, at,
		h.Shown()+" is not known and is kept as written; the shell would replace it with its value", "pass its value in env")
}
