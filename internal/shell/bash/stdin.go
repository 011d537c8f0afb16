package bash

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"uncoil/internal/shell"
)

// redirected returns what a statement reads from standard input by its own
// redirections, or nil.
func (r *reader) redirected(s *syntax.Stmt) *shell.Input {
	var input *shell.Input
	for _, redirect := range s.Redirs {
		if redirect.N != nil && redirect.N.Value != "0" {
			continue
		}
		switch redirect.Op {
		case syntax.RdrIn:
			var b builder
			r.quotedInto(&b, redirect.Word)
			input = &shell.Input{File: string(b.text)}
		case syntax.Hdoc, syntax.DashHdoc:
			text := ""
			if redirect.Hdoc != nil {
				text = r.hereDocument(redirect)
			}
			input = &shell.Input{Text: text, Known: true}
		case syntax.WordHdoc:
			var b builder
			r.quotedInto(&b, redirect.Word)
			input = &shell.Input{Text: string(b.text) + "\n", Known: true}
		}
	}
	return input
}

// hereDocument returns the text of a here-document. Where its delimiter is
// quoted, the text is taken as it stands.
func (r *reader) hereDocument(redirect *syntax.Redirect) string {
	text := ""
	if isQuoted(redirect.Word) {
		for _, part := range redirect.Hdoc.Parts {
			if lit, ok := part.(*syntax.Lit); ok {
				text += lit.Value
			}
		}
	} else {
		var b builder
		r.parts(&b, redirect.Hdoc.Parts, inHereDocument)
		text = string(b.text)
	}
	if redirect.Op == syntax.DashHdoc {
		lines := strings.SplitAfter(text, "\n")
		for i := range lines {
			lines[i] = strings.TrimLeft(lines[i], "\t")
		}
		text = strings.Join(lines, "")
	}
	return text
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
// cat. An Input that is not Known stands for output that is not.
func (r *reader) output(s *syntax.Stmt, stdin *shell.Input) *shell.Input {
	unknown := &shell.Input{}
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return unknown
	}
	if input := r.redirected(s); input != nil {
		stdin = input
	}
	var args []string
	for _, w := range call.Args {
		for _, field := range r.fields(w) {
			args = append(args, field.Text)
		}
	}
	if len(args) == 0 {
		return unknown
	}
	switch args[0] {
	case "echo":
		return &shell.Input{Text: echo(args[1:]), Known: true}
	case "printf":
		if text, ok := printf(args[1:]); ok {
			return &shell.Input{Text: text, Known: true}
		}
	case "cat":
		switch {
		case len(args) == 1 && stdin != nil:
			return stdin
		case len(args) == 2 && args[1] == "-" && stdin != nil:
			return stdin
		case len(args) == 2 && !strings.HasPrefix(args[1], "-"):
			return &shell.Input{File: args[1]}
		}
	}
	return unknown
}

// echo prints as the builtin of bash does.
func echo(args []string) string {
	newline, escapes := true, false
	for len(args) > 0 && isEchoOption(args[0]) {
		newline = newline && !strings.Contains(args[0], "n")
		for _, c := range args[0][1:] {
			switch c {
			case 'e':
				escapes = true
			case 'E':
				escapes = false
			}
		}
		args = args[1:]
	}
	text := strings.Join(args, " ")
	if escapes {
		text = decodeEcho(text)
	}
	if newline {
		text += "\n"
	}
	return text
}

func isEchoOption(s string) bool {
	return len(s) > 1 && s[0] == '-' && strings.Trim(s[1:], "neE") == ""
}

// decodeEcho decodes the escapes of echo -e and of printf's %b: those of
// $'…', but quotes need none and octal numbers begin with a zero.
func decodeEcho(s string) string {
	if before, _, stops := strings.Cut(s, `\c`); stops {
		s = before
	}
	s = strings.NewReplacer(`\\`, `\\`, `\'`, `\\'`, `\"`, `\\"`, `\?`, `\\?`, `\0`, `\0`).Replace(s)
	return shell.DecodeANSI(s)
}

// printf prints a format of %s, %d, %b, %% and escapes; ok is false for what
// else a format may hold.
func printf(args []string) (text string, ok bool) {
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return "", false
	}
	format, args := args[0], args[1:]
	var b strings.Builder
	for {
		used := 0
		for i := 0; i < len(format); {
			switch {
			case format[i] == '%' && i+1 < len(format) && format[i+1] == '%':
				b.WriteByte('%')
				i += 2
			case format[i] == '%':
				if i+1 == len(format) || strings.IndexByte("sdb", format[i+1]) < 0 {
					return "", false
				}
				if used < len(args) {
					if format[i+1] == 'b' {
						b.WriteString(decodeEcho(args[used]))
					} else {
						b.WriteString(args[used])
					}
				}
				used++
				i += 2
			default:
				n := strings.IndexByte(format[i+1:], '%')
				if n < 0 {
					n = len(format) - i - 1
				}
				b.WriteString(shell.DecodeANSI(format[i : i+1+n]))
				i += 1 + n
			}
		}
		if used == 0 || used >= len(args) {
			return b.String(), true
		}
		args = args[used:] // the format is used again for what is left
	}
}
