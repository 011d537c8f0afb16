package contract

import (
	"slices"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/request"
)

// A command is a text that was read.
type command struct {
	*engine.Result
}

// uses returns the options with that long name which are for a request.
func (c *command) uses(i int, names ...string) (all []*engine.Use) {
	for j := range c.Uses {
		u := &c.Uses[j]
		if u.Option != nil && u.Name != "" && u.First <= i && i < u.Last && slices.Contains(names, u.Option.Long) {
			all = append(all, u)
		}
	}
	return all
}

// whole returns the span of an option with its argument.
func whole(u *engine.Use) diag.Span {
	if u.Argument.End > u.Span.End {
		return diag.Join(u.Span, u.Argument)
	}
	return u.Span
}

// option returns the span of an option with its argument, by that of the option.
func (c *command) option(s diag.Span) diag.Span {
	for i := range c.Uses {
		if c.Uses[i].Span == s {
			return whole(&c.Uses[i])
		}
	}
	return s
}

// rejected reports whether curl rejects the URL there, which was read as meant: where it
// goes is a guess.
func (c *command) rejected(s diag.Span) bool {
	return slices.ContainsFunc(c.Warnings, func(d diag.Diagnostic) bool {
		return d.Code == diag.CodeInvalidURL && d.Span.Start < s.End && s.Start < d.Span.End
	})
}

// text returns a stretch of the source.
func (c *command) text(s diag.Span) string {
	source := c.Source()
	start := min(max(int(s.Start), 0), len(source))
	return source[start:min(max(int(s.End), start), len(source))]
}

// within returns where the only occurrence of a text in a stretch of the source is.
func (c *command) within(s diag.Span, part string) (diag.Span, bool) {
	stretch := c.text(s)
	before, after, found := strings.Cut(stretch, part)
	if part == "" || !found || strings.Contains(after, part) {
		return s, false
	}
	start := s.Start + int32(len(before))
	return diag.Span{Start: start, End: start + int32(len(part))}, true
}

// withOption returns the fix that puts an option behind the word curl, where the
// source has one command and one request.
func (c *command) withOption(option string) *diag.Fix {
	start := c.Command().Start
	const word = "curl "
	if len(c.Requests) != 1 || !strings.HasPrefix(c.text(c.Command()), word) {
		return nil
	}
	return &diag.Fix{Span: diag.At(int(start) + len(word)), Text: option + " "}
}

// bodySpan returns where the source has the content of a request: the option, or all of
// them together.
func (c *command) bodySpan(i int, r *request.Request) diag.Span {
	uses := c.uses(i, "data", "data-raw", "data-ascii", "data-binary", "data-urlencode", "json", "form", "form-string", "upload-file")
	if len(uses) == 0 {
		return r.Span
	}
	return diag.Join(whole(uses[0]), whole(uses[len(uses)-1]))
}
