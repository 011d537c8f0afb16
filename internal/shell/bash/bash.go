package bash

import (
	"errors"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"uncoil/diag"
	"uncoil/internal/shell"
)

// maxCommands bounds how many commands loops and braces may stand for.
const maxCommands = 10_000

// Split reads src[start:end] as a bash script and returns its simple commands
// in the order in which they would run.
func Split(src string, start, end int, env map[string]string) ([]shell.Command, diag.List) {
	r := &reader{src: src, base: start, vars: make(map[string]variable, len(env))}
	for name, text := range env {
		r.vars[name] = variable{text: text}
	}
	parser := syntax.NewParser(syntax.Variant(syntax.LangBash))
	file, err := parser.Parse(strings.NewReader(src[start:end]), "")
	if err != nil {
		r.syntaxError(err, end)
		return nil, r.diags
	}
	r.statements(file.Stmts, nil)
	return r.commands, r.diags
}

// reader walks over a script.
type reader struct {
	src      string
	base     int // offset of the script in src
	vars     map[string]variable
	commands []shell.Command
	diags    diag.List
	full     bool // maxCommands is reached
}

// variable is what an assignment gave a name.
type variable struct {
	text  string
	holes []shell.Hole
}

// syntaxError turns the error of the parser into a diagnostic.
func (r *reader) syntaxError(err error, end int) {
	at, text := end, err.Error()
	var parse syntax.ParseError
	var lang syntax.LangError
	switch {
	case errors.As(err, &parse):
		at, text = r.base+int(parse.Pos.Offset()), parse.Text
	case errors.As(err, &lang):
		at, text = r.base+int(lang.Pos.Offset()), lang.Error()
	}
	span := diag.Span{Start: int32(min(at, end)), End: int32(min(at+1, end))}
	if strings.Contains(text, "without closing quote") {
		r.diags.Error(diag.CodeUnterminatedQuote, span, "the quote that opens here is never closed", "add the closing quote")
		return
	}
	r.diags.Error(diag.CodeShellSyntax, span, "the shell would not accept this: "+text, "check the quoting around this place")
}

func (r *reader) offset(p syntax.Pos) int32 { return int32(r.base + int(p.Offset())) }

func (r *reader) span(n syntax.Node) diag.Span {
	return diag.Span{Start: r.offset(n.Pos()), End: r.offset(n.End())}
}

// source returns how a node is spelled.
func (r *reader) source(n syntax.Node) string {
	s := r.span(n)
	return r.src[s.Start:s.End]
}

func (r *reader) statements(list []*syntax.Stmt, stdin *shell.Input) {
	for _, s := range list {
		r.statement(s, stdin)
	}
}

// statement walks over a statement whose standard input is known to be
// stdin, unless that is nil.
func (r *reader) statement(s *syntax.Stmt, stdin *shell.Input) {
	if s.Background && r.hasQuery(s) {
		r.diags.Warn(diag.WarnUnquotedAmpersand, diag.Span{Start: r.offset(s.Semicolon), End: r.offset(s.Semicolon) + 1},
			"this & ends the command, since it is not quoted; what follows is not part of the URL", "put the URL in quotes")
	}
	if input := r.redirected(s); input != nil {
		stdin = input
	}
	switch cmd := s.Cmd.(type) {
	case *syntax.CallExpr:
		r.call(cmd, stdin)
	case *syntax.BinaryCmd:
		r.statement(cmd.X, stdin)
		if cmd.Op == syntax.Pipe || cmd.Op == syntax.PipeAll {
			stdin = r.output(cmd.X, stdin)
		}
		r.statement(cmd.Y, stdin)
	case *syntax.Subshell:
		r.statements(cmd.Stmts, stdin)
	case *syntax.Block:
		r.statements(cmd.Stmts, stdin)
	case *syntax.IfClause:
		for clause := cmd; clause != nil; clause = clause.Else {
			r.statements(clause.Cond, stdin)
			r.statements(clause.Then, stdin)
		}
	case *syntax.WhileClause:
		r.statements(cmd.Cond, stdin)
		r.statements(cmd.Do, stdin)
	case *syntax.ForClause:
		r.loop(cmd, stdin)
	case *syntax.CaseClause:
		for _, item := range cmd.Items {
			r.statements(item.Stmts, stdin)
		}
	case *syntax.TimeClause:
		if cmd.Stmt != nil {
			r.statement(cmd.Stmt, stdin)
		}
	case *syntax.DeclClause:
		r.assign(cmd.Args)
	}
}

// hasQuery reports whether the last word of a call looks like a URL that an
// unquoted & cut off.
func (r *reader) hasQuery(s *syntax.Stmt) bool {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return false
	}
	return strings.Contains(r.source(call.Args[len(call.Args)-1]), "?")
}

// call adds a simple command, or makes assignments.
func (r *reader) call(c *syntax.CallExpr, stdin *shell.Input) {
	if len(c.Args) == 0 {
		r.assign(c.Assigns)
		return
	}
	if r.full {
		return
	}
	if len(r.commands) >= maxCommands {
		r.full = true
		r.diags.Error(diag.CodeTooManyRequests, r.span(c), "the script runs more commands than are looked at", "shorten its loops")
		return
	}
	var args []shell.Word
	for _, w := range c.Args {
		args = append(args, r.fields(w)...)
	}
	if len(args) > 0 {
		r.commands = append(r.commands, shell.Command{Args: args, Stdin: stdin, Span: r.span(c)})
	}
}

// assign notes the values of variables. One whose value is not wholly known
// carries its unknown parts along; one made by running a command becomes
// unknown.
func (r *reader) assign(list []*syntax.Assign) {
	for _, a := range list {
		if a.Name == nil || a.Array != nil || a.Index != nil || a.Naked {
			continue
		}
		var b builder
		if a.Value != nil {
			r.quotedInto(&b, a.Value)
		}
		if b.runs {
			delete(r.vars, a.Name.Value)
			r.substituted(a.Value)
			continue
		}
		v := variable{text: string(b.text), holes: b.holes}
		if old, ok := r.vars[a.Name.Value]; ok && a.Append {
			v.text = old.text + v.text
			v.holes = append(old.holes[:len(old.holes):len(old.holes)], moveHoles(v.holes, len(old.text))...)
		}
		r.vars[a.Name.Value] = v
	}
}

// substituted looks for commands in a value that is a command substitution:
// TOKEN=$(curl …) runs curl as well.
func (r *reader) substituted(w *syntax.Word) {
	syntax.Walk(w, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.CmdSubst); ok {
			r.statements(c.Stmts, nil)
			return false
		}
		return true
	})
}

// loop unrolls a loop over a list that is known; any other loop is walked
// over once, its variable unknown.
func (r *reader) loop(f *syntax.ForClause, stdin *shell.Input) {
	iter, ok := f.Loop.(*syntax.WordIter)
	if !ok {
		r.statements(f.Do, stdin)
		return
	}
	var items []shell.Word
	for _, w := range iter.Items {
		items = append(items, r.fields(w)...)
	}
	name := iter.Name.Value
	known := len(items) > 0
	for _, item := range items {
		known = known && len(item.Holes) == 0
	}
	if !known {
		delete(r.vars, name)
		r.statements(f.Do, stdin)
		return
	}
	for _, item := range items {
		if r.full {
			return
		}
		r.vars[name] = variable{text: item.Text}
		r.statements(f.Do, stdin)
	}
}
