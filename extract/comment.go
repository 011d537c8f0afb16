package extract

import (
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/source/paste"
)

// commented adds the command in a comment that starts at an offset: the marks of the comment are no part of its further lines.
func (s *scanner) commented(b *block, p place, at int) int {
	rest := p.before[p.first():]
	mark := rest[:commentLength(rest)]
	if mark = strings.TrimSpace(mark); mark == "/*" || mark == "/**" {
		mark = "*"
	}
	limit := min(len(b.text), at+maxPart)
	w := paste.NewRewriting(b.text[at:limit], s.meter)
	eol := at + ascii.LineLength(b.text[at:limit])
	if goesOn := continuation(b.text[at:eol]) != 0 || firstBreak(b.text[at:min(eol+1, limit)]) > eol-at; mark == "#" && goesOn && !strings.HasPrefix(strings.TrimLeft(b.text[min(eol+1, limit):limit], " \t"), mark) {
		stop := s.end(b, at, min(len(b.text), at+window)) // the prompt of root
		s.add(b, at, max(stop, at))
		return stop
	}
	for eol < limit {
		line := b.text[eol+1 : limit]
		line = line[:ascii.LineLength(line)]
		n := len(line) - len(strings.TrimLeft(line, " \t"))
		if !strings.HasPrefix(line[n:], mark) || mark == "*" && strings.HasPrefix(line[n:], "*/") || !s.meter.Work(len(line)/4+8) {
			break
		}
		n += len(mark)
		w.Replace(eol+1-at, eol+1+n-at, "")
		eol += 1 + len(line)
	}
	code := b.part(at, eol)
	code.text, code.places, code.name = w.Text(), w, b.name
	code.text = code.text[:len(code.text)-(limit-eol)]
	if span := codeSpan(rest); span >= 0 {
		if i := strings.IndexByte(code.text, '`'); i >= 0 {
			code.text = code.text[:i]
		}
	} else if i := strings.Index(code.text[:ascii.LineLength(code.text)], "*/"); i >= 0 && mark == "*" {
		code.text = code.text[:i]
	}
	stop := s.end(code, 0, len(code.text))
	stop = min(stop, firstBreak(code.text[:max(stop, 0)]))
	if stop <= len("curl") || !hasURL(code.text[len("curl"):stop]) || awaits(code.text[:stop]) || opensQuote(code.text[:stop]) {
		return 0
	}
	s.add(code, 0, stop)
	return at + int(w.End(stop))
}

// firstBreak returns where the first line of a command ends that neither a backslash nor an
// open quote joins to the next one: in comments that is where the author wrapped it.
func firstBreak(command string) int {
	quote := byte(0)
	for i := 0; i < len(command); i++ {
		switch c := command[i]; {
		case c == '\\' && quote != '\'':
			i++
		case c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case quote == 0 && c == '\n':
			return i
		}
	}
	return len(command)
}

// opensQuote reports whether a line of a command ends in a quote that no other one closes:
// the rest of it is no comment.
func opensQuote(command string) bool {
	last := command[len(command)-1]
	return (last == '\'' || last == '"') && strings.Count(command, string(last))%2 != 0
}

// awaits reports whether a command ends with an option whose argument is missing, since its
// author wrapped the comment there.
func awaits(command string) bool {
	word := command[strings.LastIndexAny(command, " \n")+1:]
	return curl.Expecting(word) != nil
}
