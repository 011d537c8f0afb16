package cmd

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/word"
)

// longestHead bounds how long the head of a for or an if is.
const longestHead = 512

// head steps over the head of a for or an if, or over else, to the command that it
// runs. What for /F runs in its parentheses is read at once. It reports whether there
// was one.
func (l *lexer) head() bool {
	rest := l.src[l.pos:min(len(l.src), l.pos+longestHead)]
	rest = rest[:ascii.LineLength(rest)]
	if len(rest) == 0 || strings.IndexByte("fFiIeE", rest[0]) < 0 {
		return false
	}
	l.pay(len(rest))
	switch {
	case startsWord(rest, "for"):
		return l.loop(rest)
	case startsWord(rest, "if"):
		n := conditionLength(rest)
		l.pos += n
		return n > 0
	case startsWord(rest, "else"):
		l.pos += len("else")
		return true
	}
	return false
}

// startsWord reports whether a text starts with a word, in any case.
func startsWord(s, word string) bool {
	return ascii.HasPrefixFold(s, word) && len(s) > len(word) && (ascii.IsBlank(s[len(word)]) || s[len(word)] == '(')
}

// loop steps over for … %x in (…) do.
func (l *lexer) loop(rest string) bool {
	set := -1
	for i := len("for "); i+len("in") < len(rest); i++ {
		if ascii.IsBlank(rest[i-1]) && startsWord(rest[i:], "in") {
			if after := strings.TrimLeft(rest[i+len("in"):], " \t"); strings.HasPrefix(after, "(") {
				set = len(rest) - len(after) + 1
				break
			}
		}
	}
	if set < 0 || strings.IndexByte(rest[:set], '%') < 0 {
		return false
	}
	start := set + len(rest[set:]) - len(strings.TrimLeft(rest[set:], " \t"))
	files := strings.HasPrefix(strings.ToLower(strings.TrimLeft(rest[len("for"):], " \t")), "/f")
	runs := files && start < len(rest) && (rest[start] == '\'' || rest[start] == '`')
	end := strings.IndexByte(rest[set:], ')')
	if runs {
		start++
		end = strings.LastIndexByte(rest, rest[start-1])
		if end < start {
			return false
		}
		end -= set
	}
	if end < 0 {
		return false
	}
	end += set
	after := strings.TrimLeft(rest[end:], "'` \t")
	if !strings.HasPrefix(after, ")") {
		return false
	}
	if after = strings.TrimLeft(after[1:], " \t"); !startsWord(after, "do") {
		return false
	}
	if runs {
		inner := lexer{src: l.src[:l.pos+end], pos: l.pos + start, splices: l.splices, last: l.last, m: l.m, batch: l.batch, within: true}
		found := inner.commands()
		for i := range found {
			found[i].Nested = true
		}
		l.looped = append(l.looped, found...)
		l.diags, l.last = append(l.diags, inner.diags...), inner.last
	} else {
		l.warn(diag.WarnVariableKept, l.pos, l.pos+end+1, "the variable of this loop is kept as written; cmd.exe would run the command once for each value")
	}
	l.pos += len(rest) - len(after) + len("do")
	return true
}

// conditionLength returns the length of an if with its condition, or 0.
func conditionLength(rest string) int {
	left := rest[len("if"):]
	next := func() string {
		left = strings.TrimLeft(left, " \t")
		n := 0
		for quoted := false; n < len(left) && (quoted || !ascii.IsBlank(left[n])); n++ {
			quoted = quoted != (left[n] == '"')
		}
		w := left[:n]
		left = left[n:]
		return w
	}
	w := strings.ToLower(next())
	if w == "/i" {
		w = strings.ToLower(next())
	}
	if w == "not" {
		w = strings.ToLower(next())
	}
	switch w {
	case "exist", "defined", "errorlevel":
		next()
	default:
		if strings.Contains(w, "==") {
			if strings.HasSuffix(w, "==") {
				next()
			}
			break
		}
		switch strings.ToLower(next()) {
		case "==", "equ", "neq", "lss", "leq", "gtr", "geq":
			next()
		default:
			return 0
		}
	}
	if strings.TrimSpace(left) == "" {
		return 0
	}
	return len(rest) - len(left)
}

// escapedOperator reports an operator that a caret keeps from the line around the
// command of for /F, which runs it without the caret.
func (l *lexer) escapedOperator() bool {
	return l.within && l.src[l.pos] == '^' && l.pos+1 < len(l.src) && strings.IndexByte("|&<>", l.src[l.pos+1]) >= 0
}

// flush adds the commands that heads have run.
func (l *lexer) flush(out *[]word.Command) {
	for _, c := range l.looped {
		add(l, out, c)
	}
	l.looped = nil
}

// BeginsCompound reports whether a line begins with a for or an if as cmd.exe alone has
// them.
func BeginsCompound(line string) bool {
	switch {
	case ascii.HasPrefixFold(line, "for "):
		line = strings.TrimLeft(line[len("for "):min(len(line), longestHead)], " \t")
		return len(line) > 2 && (line[0] == '/' && strings.IndexByte("fFlLdDrR", line[1]) >= 0 && ascii.IsBlank(line[2]) || line[0] == '%' && strings.Contains(line, " in ("))
	case ascii.HasPrefixFold(line, "if "):
		line = line[len("if "):min(len(line), longestHead)]
		if ascii.HasPrefixFold(line, "not ") {
			line = line[len("not "):]
		}
		return strings.HasPrefix(line, "%") || strings.HasPrefix(line, `"%`) || ascii.HasPrefixFold(line, "exist ") || ascii.HasPrefixFold(line, "errorlevel ")
	}
	return false
}
