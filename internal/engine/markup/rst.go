package markup

import (
	"strings"

	"uncoil/internal/engine/ascii"
)

// rst reads the block below a paragraph that ends in two colons, a directive or a comment:
// what is indented more than that.
func (r *reader) rst(line string) (b Block, ok bool) {
	own := width(Margin(line), rstTab)
	if b, ok = r.opensRST(strings.TrimSpace(line)); !ok {
		return b, false
	}
	b.From, b.Start, b.End = r.next, r.next, r.next
	for {
		here := *r
		line, ok := r.line()
		blank := strings.TrimSpace(line) == ""
		if !ok || !blank && width(Margin(line), rstTab) <= own {
			*r = here
			break
		}
		if !blank {
			b.End = r.next
		}
	}
	b.To = b.End
	return b, true
}

const rstTab = 8 // docutils, statemachine.string2lines

// directive returns the name of a directive, in lower case, and its argument (docutils,
// parsers/rst/states.py, Body.explicit.constructs).
func directive(text string) (name, argument string, ok bool) {
	name, argument, ok = strings.Cut(text, "::")
	name = strings.ToLower(strings.TrimSuffix(name, " "))
	ok = ok && name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-_+:.") == "" &&
		(argument == "" || ascii.IsBlank(argument[0]))
	return name, argument, ok
}

// opensRST returns the block that a line opens.
func (r *reader) opensRST(line string) (b Block, ok bool) {
	rest, explicit := strings.CutPrefix(line, "..")
	rest = strings.TrimLeft(rest, " \t")
	switch {
	case !explicit || line != ".." && len(rest)+len("..") == len(line):
		return b, strings.HasSuffix(line, "::")
	case rest == "":
		// Without text on the next line it is a comment of nothing.
		next, _, _ := strings.Cut(r.text[r.next:], "\n")
		return Block{Kind: Comment}, strings.TrimSpace(next) != ""
	case strings.IndexByte("[_|", rest[0]) >= 0: // a footnote, a target, a substitution
		return b, false
	}
	name, argument, ok := directive(rest)
	if !ok {
		return Block{Kind: Comment}, true
	}
	switch name {
	case "code-block", "code", "sourcecode", "code-tab", "prompt":
		return Block{Language: languageOf(argument)}, true
	case "parsed-literal", "literal", "console":
		return b, true
	case "raw", "math":
		return Block{Kind: Raw}, true
	}
	return b, strings.HasSuffix(argument, "::")
}
