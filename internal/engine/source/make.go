package source

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/paste"
)

// ofMake reads a recipe of a Makefile, in which $$ is the dollar sign of the shell: a text that
// is indented by a tab, begins with @ or stands below a target, or one that a shell refuses
// because of $$(…).
func ofMake(src string, refused *diag.Diagnostic, m *meter.Meter, diags *diag.List) *paste.Rewriting {
	if !strings.Contains(src, "$$") || !isMakeText(src) && (refused == nil || refused.Code != diag.CodeShellSyntax || !strings.Contains(src, "$$(")) {
		return nil
	}
	w := paste.NewRewriting(src, m)
	found := false
	for at := 0; m.Work(4); at++ {
		n := strings.IndexAny(src[at:], "$@")
		if n < 0 {
			break
		}
		at += n
		next := byte(0)
		if at+2 < len(src) {
			next = src[at+2]
		}
		switch {
		case src[at] == '@' && (at == 0 || src[at-1] == '\t' && (at == 1 || src[at-2] == '\n')):
			w.Replace(at, at+1, "") // make does not print the line
		case strings.HasPrefix(src[at:], "$$"):
			if ascii.IsLetter(next) || next == '_' || next == '(' || next == '{' {
				w.Replace(at, at+1, "")
				found = true
			}
			at++
		}
	}
	if !found {
		return nil
	}
	diags.Warn(diag.WarnShellAmbiguous, diag.At(0), "the text was read as a recipe of a Makefile, in which $$ is a dollar sign", "write one dollar sign for a shell")
	return w
}

// isMakeText reports whether a text begins as a recipe does, or with the target of one.
func isMakeText(src string) bool {
	if src[0] == '\t' || src[0] == '@' {
		return true
	}
	line := src[:ascii.LineLength(src)]
	name, after, ok := strings.Cut(line, ":")
	return ok && name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./%") == "" && !strings.Contains(after, "$ ") && strings.HasPrefix(src[len(line):], "\n\t")
}
