package lsp

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"uncoil/diag"
	"uncoil/extract"
	"uncoil/internal/edge/explain"
	"uncoil/internal/edge/lint"
	"uncoil/internal/engine"
	"uncoil/internal/engine/redact"
	"uncoil/request"
)

type placeParams struct {
	TextDocument identifier `json:"textDocument"`
	Position     position   `json:"position"`
}

// hover says what the option at a place does, or which requests the command there sends.
func hover(s *server, p *placeParams) (any, error) {
	d := s.open[p.TextDocument.URI]
	if d == nil || d.unread != "" {
		return nil, nil
	}
	file, err := d.read()
	if err != nil {
		return nil, err
	}
	x := d.at(s.in)
	at := x.offset(p.Position)
	w := writer{plain: !slices.Contains(s.client.TextDocument.Hover.ContentFormat, "markdown")}
	c := commandAt(file, at)
	if c == nil {
		return w.entry(d, at), nil
	}
	input := lint.TypedNow(c.Shell)
	input.Explain = engine.Explain
	result, err := engine.Parse(c.Text, input)
	if err != nil {
		return nil, nil // the diagnostic says why
	}
	where := span{x.at(c.Start), x.at(c.End)}
	if u := useAt(result.Uses, int32(within(c, at))); u != nil && u.Name != "" {
		w.use(u)
		last := max(u.Span.End, u.Argument.End)
		where = x.span(c.Offset(int(u.Span.Start)), c.Offset(int(last)))
	} else {
		w.requests(result.Requests)
	}
	return w.shown(&where), nil
}

// entry says which request of an .http file stands at a place.
func (w *writer) entry(d *document, at int) any {
	input := lint.TypedNow(dialectHTTPFile)
	if input.Entry = d.entryAt(at); input.Entry == 0 {
		return nil
	}
	result, err := engine.Parse(d.text, input)
	if err != nil {
		return nil
	}
	w.requests(result.Requests)
	return w.shown(nil)
}

// shown returns what is written as the answer for a stretch, if that is known.
func (w *writer) shown(where *span) any {
	kind := "markdown"
	if w.plain {
		kind = "plaintext"
	}
	answer := map[string]any{"contents": map[string]string{"kind": kind, "value": w.text.String()}}
	if where != nil {
		answer["range"] = where
	}
	return answer
}

// within returns where the byte of a document at an offset stands in a command.
func within(c *extract.Command, at int) int {
	return max(0, sort.Search(len(c.Text), func(i int) bool { return c.Offset(i) > at })-1)
}

// useAt returns the use whose option or argument stands at a place of a command, or nil.
func useAt(uses []engine.Use, at int32) *engine.Use {
	for i := range uses {
		u := &uses[i]
		if holds(u.Span, at) || u.Argument != (diag.Span{}) && holds(u.Argument, at) {
			return u
		}
	}
	return nil
}

func holds(s diag.Span, at int32) bool { return s.Start <= at && at < s.End }

// A writer writes what a client shows: Markdown, or text as it is. Nothing that a command
// holds acts in Markdown.
type writer struct {
	plain bool
	text  strings.Builder
}

// mostWritten is how many characters of a command, and mostListed how many items of a list
// are shown at once.
const (
	mostWritten = 300
	mostListed  = 10
)

// code writes text of a command.
func (w *writer) code(text string) {
	text = string(diag.AppendPrintable(nil, text))
	if characters := []rune(text[:min(len(text), 4*mostWritten)]); len(characters) > mostWritten || len(text) > 4*mostWritten {
		text = string(characters[:min(len(characters), mostWritten)]) + "…"
	}
	if w.plain {
		w.text.WriteString(text)
		return
	}
	// A span of code ends at as many backticks as it begins with.
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") || text == "" {
		text = " " + text + " "
	}
	w.text.WriteString(fence + text + fence)
}

// say writes words of our own.
func (w *writer) say(text string) {
	if !w.plain {
		text = markdown.Replace(text)
	}
	w.text.WriteString(text)
}

// markdown escapes what Markdown and HTML take for their own.
var markdown = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "{", `\{`, "}", `\}`, "[", `\[`, "]", `\]`,
	"<", "&lt;", ">", "&gt;", "&", "&amp;", "#", `\#`, "|", `\|`, "~", `\~`, "!", `\!`)

func (w *writer) paragraph() { w.text.WriteString("\n\n") }

// use says what an option does.
func (w *writer) use(u *engine.Use) {
	w.code(u.Name)
	if long := "--" + u.Option.Long; long != u.Name && u.On {
		w.say(" ")
		w.code(long)
	}
	w.paragraph()
	w.say(explain.Text(u))
	if why := explain.Why(u); why != "" {
		w.paragraph()
		w.say("No bearing on the request: " + why)
	}
	for i := range u.Effects {
		switch {
		case i == 0:
			w.paragraph()
			w.say("Sets ")
		case i == mostListed:
			w.say(" and " + strconv.Itoa(len(u.Effects)-i) + " more")
			return
		default:
			w.say(", ")
		}
		w.code(explain.Path(&u.Effects[i]))
	}
}

// requests says in short what is sent.
func (w *writer) requests(all []request.Request) {
	redact.Requests(all)
	for i := range all {
		if i == mostListed {
			w.paragraph()
			w.say("and " + strconv.Itoa(len(all)-i) + " more requests")
			return
		}
		if i > 0 {
			w.paragraph()
		}
		w.request(&all[i])
	}
}

func (w *writer) request(r *request.Request) {
	w.code(r.Method + " " + r.URL)
	first := true
	for i := range r.Fields {
		f := &r.Fields[i]
		switch {
		case f.Origin == request.OriginDefault:
			continue
		case first:
			w.paragraph()
		default:
			w.say(", ")
		}
		first = false
		w.code(f.Name)
	}
	if r.Body != nil {
		w.paragraph()
		w.say("Content: " + r.Body.Kind.String())
	}
}
