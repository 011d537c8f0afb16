package engine

import (
	"slices"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/source"
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
	if len(requests) != 1 || !printsContent(&requests[0]) {
		return false
	}
	c.Output.Set(len(r.Requests))
	return true
}

// printsContent reports whether curl prints the content of the response and nothing
// else: post_per_transfer() in curl 8.22 src/tool_operate.c.
func printsContent(r *request.Request) bool {
	if r.Method == "HEAD" || r.Body != nil && !r.Body.Kind.Known() && r.Body.Kind != request.KindMultipart {
		return false
	}
	for _, o := range r.Options {
		switch o.Name {
		case "output":
			if o.Value != "-" {
				return false
			}
		case "writeOut":
			if o.Value != `\n` {
				return false
			}
		case "dumpHeader":
			if o.Value == "-" {
				return false
			}
		case "showHeaders":
			if o.Value == true {
				return false
			}
		case "discardOutput", "remoteName", "remoteNameAll":
			return false
		}
	}
	return !slices.ContainsFunc(r.Ignored, func(name string) bool {
		return strings.HasPrefix(name, "--trace") || name == "--stderr"
	})
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
