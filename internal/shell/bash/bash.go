package bash

import (
	"errors"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"uncoil/diag"
	"uncoil/internal/shell"
)

// What one text may stand for. Loops, braces and variables let a short text
// stand for a long one.
const (
	maxCommands = 10_000  // simple commands that run
	maxSteps    = 1 << 20 // statements that are looked at

	// What a word and a hole take beside their text.
	wordCost = 64
	holeCost = 40
)

// Split reads src[start:end] as a bash script and returns its simple commands
// in the order in which they would run. The offsets are those of a Reading:
// what [shell.Decode] undoes is undone before. What pasting brings into a
// script is left out, see [clean].
func Split(src string, start, end int, env map[string]string) ([]shell.Command, diag.List) {
	var decoded diag.List
	w := shell.Decode(src, shell.POSIX, &decoded)
	if w == nil {
		return split(src, start, end, env)
	}
	commands, diags := split(w.Text(), start, end, env)
	w.Restore(commands, diags)
	return commands, append(decoded, diags...)
}

func split(src string, start, end int, env map[string]string) ([]shell.Command, diag.List) {
	r := &reader{src: src, vars: make(map[string]variable, len(env)), budget: shell.MaxExpansion + len(src)}
	for name, text := range env {
		r.vars[name] = variable{text: text}
	}
	script, origin, diags := clean(src, start, end)
	r.origin, r.diags = origin, diags
	if diags.Err() != nil {
		return nil, r.diags
	}
	r.run(script)
	if r.diags.Err() != nil {
		return nil, r.diags
	}
	return r.commands, r.diags
}

// reader walks over a script.
type reader struct {
	src      string // the text as pasted
	origin   origin // of the script, in src
	vars     map[string]variable
	changes  []change // of variables, while scopes are open
	scopes   int
	commands []shell.Command
	diags    diag.List
	budget   int  // bytes that words may still take
	steps    int  // statements looked at so far
	stopped  bool // a limit is reached, or the shell would go no further
}

// run parses the script one statement at a time, so that a long script is
// never in memory as a whole. The text of a here-document is known only once
// its lines are read, so what stands on one line with it waits.
func (r *reader) run(script string) {
	parser := syntax.NewParser(syntax.Variant(syntax.LangBash))
	documents := strings.Contains(script, "<<")
	text := strings.NewReader(script)
	var waiting []*syntax.Stmt
	var err error
	// It is no range loop: the parser goes on after an error, and after false.
	parser.StmtsSeq(text)(func(s *syntax.Stmt, failure error) bool {
		if failure != nil {
			err = failure
			return true
		}
		if n := len(waiting); !documents || n > 0 &&
			strings.IndexByte(script[waiting[n-1].End().Offset():s.Pos().Offset()], '\n') >= 0 {
			r.statements(waiting, nil)
			waiting = waiting[:0]
		}
		waiting = append(waiting, s)
		if r.stopped {
			text.Seek(0, 2) // nothing is left to read
		}
		return true
	})
	if err != nil && !r.stopped {
		r.syntaxError(err, len(script))
		return
	}
	r.statements(waiting, nil)
}

// syntaxError turns the error of the parser into a diagnostic.
func (r *reader) syntaxError(err error, end int) {
	at, text := end, err.Error()
	var parse syntax.ParseError
	var lang syntax.LangError
	switch {
	case errors.As(err, &parse):
		at, text = int(parse.Pos.Offset()), parse.Text
	case errors.As(err, &lang):
		at, text = int(lang.Pos.Offset()), lang.Error()
	}
	start := min(r.origin.start(min(at, end)), r.origin.end(end))
	span := diag.Span{Start: start, End: min(start+1, r.origin.end(end))}
	if strings.Contains(text, "without closing quote") {
		r.diags.Error(diag.CodeUnterminatedQuote, span, "the quote that opens here is never closed", "add the closing quote")
		return
	}
	r.diags.Error(diag.CodeShellSyntax, span, "the shell would not accept this: "+text, "check the quoting around this place")
}

// fail reports an error after which nothing more is read.
func (r *reader) fail(code diag.Code, span diag.Span, message, hint string) {
	if !r.stopped {
		r.diags.Error(code, span, message, hint)
	}
	r.stopped = true
}

func (r *reader) tooLarge(span diag.Span) {
	r.fail(diag.CodeTooLarge, span, "the variables, braces and loops of the script stand for more text than is looked at",
		"pass the long value in a file, or send the commands in parts")
}

// spend takes bytes from what words may still take. It is false, and all is
// over, when there are none left.
func (r *reader) spend(n int) bool {
	if r.budget -= n; r.budget < 0 {
		r.tooLarge(diag.Span{End: int32(len(r.src))})
	}
	return r.budget >= 0
}

// work counts the steps that a search takes, as the product of the lengths
// that decide it. It is false where that is too long.
func (r *reader) work(lengths ...int) bool {
	const perStep = 256
	steps := 1
	for _, n := range lengths {
		if n++; steps > maxSteps*perStep/n {
			return false
		}
		steps *= n
	}
	r.steps += steps / perStep
	return r.steps <= maxSteps
}

func (r *reader) statements(list []*syntax.Stmt, stdin *shell.Input) {
	for _, s := range list {
		r.statement(s, stdin)
	}
}

// statement walks over a statement whose standard input is known to be
// stdin, unless that is nil.
func (r *reader) statement(s *syntax.Stmt, stdin *shell.Input) {
	if r.steps++; r.steps > maxSteps+len(r.src) {
		r.tooLarge(r.span(s))
	}
	if r.stopped {
		return
	}
	if _, isCall := s.Cmd.(*syntax.CallExpr); !isCall {
		stdin = r.redirected(s, stdin)
	}
	if s.Background {
		r.warnQuery(s)
		r.isolated(func() { r.compound(s, stdin) })
		return
	}
	r.compound(s, stdin)
}

func (r *reader) compound(s *syntax.Stmt, stdin *shell.Input) {
	switch cmd := s.Cmd.(type) {
	case *syntax.CallExpr:
		r.call(s, cmd, stdin)
	case *syntax.BinaryCmd:
		r.list(s, stdin)
	case *syntax.Subshell:
		r.isolated(func() { r.statements(cmd.Stmts, stdin) })
	case *syntax.Block:
		r.statements(cmd.Stmts, stdin)
	case *syntax.IfClause:
		r.conditional(cmd, stdin)
	case *syntax.WhileClause:
		r.statements(cmd.Cond, stdin)
		r.perhaps(func() { r.statements(cmd.Do, stdin) })
	case *syntax.ForClause:
		r.loop(cmd, stdin)
	case *syntax.CaseClause:
		var branches []func()
		for _, item := range cmd.Items {
			branches = append(branches, func() { r.statements(item.Stmts, stdin) })
		}
		r.perhaps(branches...)
	case *syntax.TimeClause:
		if cmd.Stmt != nil {
			r.statement(cmd.Stmt, stdin)
		}
	case *syntax.DeclClause:
		r.declare(cmd.Args)
	}
}

// list walks over a chain of && and ||, or over a pipeline. The tree of a
// chain is as deep as the chain is long, so it is not walked by recursion.
func (r *reader) list(s *syntax.Stmt, stdin *shell.Input) {
	var chain []*syntax.BinaryCmd
	first := s
	for {
		b, ok := first.Cmd.(*syntax.BinaryCmd)
		if !ok || len(chain) > 0 && isPipe(b.Op) != isPipe(chain[0].Op) {
			break
		}
		chain = append(chain, b)
		first = b.X
	}
	if isPipe(chain[0].Op) {
		stages := []*syntax.Stmt{first}
		for i := range chain {
			stages = append(stages, chain[len(chain)-1-i].Y)
		}
		r.pipeline(stages, stdin)
		return
	}
	r.statement(first, stdin)
	succeeded, known := r.status(first)
	for i := len(chain) - 1; i >= 0 && !r.stopped; i-- {
		next := chain[i].Y
		and := chain[i].Op == syntax.AndStmt
		switch {
		case known && succeeded != and:
			continue // it does not run
		case known || and: // what follows && is taken to run
			r.statement(next, stdin)
		default:
			r.perhaps(func() { r.statement(next, stdin) })
		}
		if succeeded, known = r.status(next); !known {
			continue
		}
	}
}

func isPipe(op syntax.BinCmdOperator) bool { return op == syntax.Pipe || op == syntax.PipeAll }

// pipeline walks over commands each of which reads what the one before it
// prints.
func (r *reader) pipeline(stages []*syntax.Stmt, stdin *shell.Input) {
	for i, s := range stages {
		var printed *shell.Input
		r.isolated(func() {
			if i+1 < len(stages) {
				printed = r.output(s, stdin)
			}
		})
		r.isolated(func() { r.statement(s, stdin) })
		stdin = printed
	}
}

// status returns whether a command succeeds, where that is known.
func (r *reader) status(s *syntax.Stmt) (succeeds, known bool) {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(s.Redirs) > 0 || s.Background || len(call.Assigns) > 0 || len(call.Args) != 1 {
		return false, false
	}
	switch call.Args[0].Lit() {
	case "true", ":":
		return !s.Negated, true
	case "false":
		return s.Negated, true
	}
	return false, false
}

// conditional walks over the branches of an if: over the one that runs where
// that is known, and else over all.
func (r *reader) conditional(first *syntax.IfClause, stdin *shell.Input) {
	var branches []func()
	for c := first; c != nil; c = c.Else {
		then := func() { r.statements(c.Then, stdin) }
		succeeds, known := true, len(c.Cond) == 0 // an else
		if len(c.Cond) == 1 {
			succeeds, known = r.status(c.Cond[0])
		}
		switch {
		case known && !succeeds:
			continue
		case known && len(branches) == 0:
			then()
			return
		case known:
			r.perhaps(append(branches, then)...)
			return
		}
		if len(branches) == 0 {
			r.statements(c.Cond, stdin)
		} else {
			branches = append(branches, func() { r.statements(c.Cond, stdin) })
		}
		branches = append(branches, then)
	}
	r.perhaps(branches...)
}

// warnQuery warns where an unquoted & looks as if it were meant to be part of
// a URL.
func (r *reader) warnQuery(s *syntax.Stmt) {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 || !strings.Contains(r.source(call.Args[len(call.Args)-1]), "?") {
		return
	}
	at := r.offset(s.Semicolon)
	r.diags.Warn(diag.WarnUnquotedAmpersand, diag.Span{Start: at, End: at + 1},
		"this & ends the command, since it is not quoted; what follows is not part of the URL", "put the URL in quotes")
}

// call adds a simple command, or makes assignments. The shell expands the
// words first, then what stands in redirections.
func (r *reader) call(s *syntax.Stmt, c *syntax.CallExpr, stdin *shell.Input) {
	if len(c.Args) == 0 {
		r.assign(c.Assigns)
		return
	}
	if len(r.commands) >= maxCommands {
		r.fail(diag.CodeTooManyRequests, r.span(c), "the script runs more commands than are looked at", "shorten its loops")
		return
	}
	args := r.fields(make([]shell.Word, 0, len(c.Args)), c.Args...)
	if len(args) == 0 {
		r.assign(c.Assigns) // X= $EMPTY assigns as well
		return
	}
	stdin = r.redirected(s, stdin)
	for _, a := range c.Assigns {
		if a.Value != nil {
			r.whole(a.Value) // it lasts no longer than the command, but may assign in turn: A=${B:=x}
		}
	}
	if r.stopped {
		return
	}
	r.builtin(args)
	r.commands = append(r.commands, shell.Command{Args: args, Stdin: stdin, Span: r.span(c)})
}

// loop unrolls a loop over a list that is known; any other loop is walked
// over once, its variable unknown.
func (r *reader) loop(f *syntax.ForClause, stdin *shell.Input) {
	iter, ok := f.Loop.(*syntax.WordIter)
	if !ok {
		r.perhaps(func() { r.statements(f.Do, stdin) })
		return
	}
	items := r.fields(nil, iter.Items...)
	known := iter.InPos.IsValid()
	for _, item := range items {
		known = known && len(item.Holes) == 0
	}
	if !known {
		r.forget(iter.Name.Value)
		r.perhaps(func() { r.statements(f.Do, stdin) })
		return
	}
	for _, item := range items {
		if r.stopped {
			return
		}
		r.set(iter.Name.Value, variable{text: item.Text})
		r.statements(f.Do, stdin)
	}
}
