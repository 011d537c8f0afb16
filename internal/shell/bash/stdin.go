package bash

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"uncoil/internal/shell"
)

// redirected returns what a statement reads from standard input: what its
// own redirections say, or else what stands around it leads there.
func (r *reader) redirected(s *syntax.Stmt, input *shell.Input) *shell.Input {
	for _, redirect := range s.Redirs {
		if redirect.N != nil && redirect.N.Value != "0" {
			continue
		}
		switch redirect.Op {
		case syntax.RdrIn:
			v, _ := r.whole(redirect.Word)
			input = &shell.Input{File: v.text}
		case syntax.Hdoc, syntax.DashHdoc:
			var v variable
			if redirect.Hdoc != nil {
				v = r.hereDocument(redirect)
			}
			input = &shell.Input{Text: v.text, Known: true, Kept: v.holes != nil}
		case syntax.WordHdoc:
			v, _ := r.whole(redirect.Word)
			input = &shell.Input{Text: v.text + "\n", Known: true, Kept: v.holes != nil}
		}
	}
	return input
}

// hereDocument returns the text of a here-document. Where its delimiter is
// quoted, the text is taken as it stands.
func (r *reader) hereDocument(redirect *syntax.Redirect) variable {
	b := builder{r: r}
	c := hereDocument
	if isQuoted(redirect.Word) {
		c = hereDocumentQuoted
	}
	for i, part := range redirect.Hdoc.Parts {
		if lit, ok := part.(*syntax.Lit); ok && redirect.Op == syntax.DashHdoc {
			r.literal(&b, withoutTabs(lit.Value, i == 0), c)
			continue
		}
		r.parts(&b, redirect.Hdoc.Parts[i:i+1], c)
	}
	return b.variable()
}

// withoutTabs returns the text without the tabs at the start of its lines;
// first says that the text starts a line itself.
func withoutTabs(s string, first bool) string {
	lines := strings.SplitAfter(s, "\n")
	for i := range lines {
		if i > 0 || first {
			lines[i] = strings.TrimLeft(lines[i], "\t")
		}
	}
	return strings.Join(lines, "")
}

func isQuoted(w *syntax.Word) bool {
	for _, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.SglQuoted, *syntax.DblQuoted:
			return true
		case *syntax.Lit:
			if strings.Contains(p.Value, "\\") {
				return true
			}
		}
	}
	return false
}

// output returns what a statement is known to print: for echo, printf and
// cat, and for groups of them. An Input that is not Known stands for output
// that is not.
func (r *reader) output(s *syntax.Stmt, stdin *shell.Input) *shell.Input {
	unknown := &shell.Input{}
	if redirectsOutput(s) || s.Background {
		return unknown
	}
	if _, isCall := s.Cmd.(*syntax.CallExpr); !isCall {
		stdin = r.redirected(s, stdin)
	}
	switch cmd := s.Cmd.(type) {
	case *syntax.CallExpr:
		if printed := r.printed(s, cmd, stdin); printed != nil {
			return printed
		}
	case *syntax.Subshell:
		return r.outputs(cmd.Stmts, stdin)
	case *syntax.Block:
		return r.outputs(cmd.Stmts, stdin)
	case *syntax.BinaryCmd:
		if isPipe(cmd.Op) {
			return r.output(cmd.Y, r.output(cmd.X, stdin))
		}
	}
	return unknown
}

// outputs returns what statements print one after the other.
func (r *reader) outputs(list []*syntax.Stmt, stdin *shell.Input) *shell.Input {
	if len(list) == 1 {
		return r.output(list[0], stdin)
	}
	all := &shell.Input{Known: true}
	for _, s := range list {
		printed := r.output(s, nil)
		if !printed.Known || !r.spend(len(printed.Text)) {
			return &shell.Input{}
		}
		all.Text += printed.Text
		all.Kept = all.Kept || printed.Kept
	}
	return all
}

// redirectsOutput reports whether what a statement prints does not go down
// the pipe.
func redirectsOutput(s *syntax.Stmt) bool {
	for _, redirect := range s.Redirs {
		switch redirect.Op {
		case syntax.RdrIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
			continue
		}
		if redirect.N == nil || redirect.N.Value != "2" {
			return true
		}
	}
	return false
}

// printed returns what a simple command is known to print, or nil.
func (r *reader) printed(s *syntax.Stmt, call *syntax.CallExpr, stdin *shell.Input) *shell.Input {
	var args []string
	kept := false
	for _, field := range r.fields(nil, call.Args...) {
		args = append(args, field.Text)
		kept = kept || field.Holes != nil
	}
	if len(args) == 0 || r.stopped {
		return nil
	}
	stdin = r.redirected(s, stdin)
	switch args[0] {
	case "echo":
		return &shell.Input{Text: echo(args[1:]), Known: true, Kept: kept}
	case "printf":
		if text, ok := printf(args[1:], r.budget); ok && r.spend(len(text)) {
			return &shell.Input{Text: text, Known: true, Kept: kept}
		}
	case "cat":
		switch {
		case len(args) == 1 || len(args) == 2 && args[1] == "-":
			return stdin
		case len(args) == 2 && !strings.HasPrefix(args[1], "-"):
			return &shell.Input{File: args[1]}
		}
	}
	return nil
}
