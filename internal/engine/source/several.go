package source

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/cmd"
	"uncoil/internal/engine/source/paste"
	"uncoil/internal/engine/source/posix"
	"uncoil/internal/engine/source/powershell"
)

// maxSegments bounds the segments of a text for several shells.
const maxSegments = 16

// A segment is a stretch of a text with commands for one shell; Auto is for whichever.
type segment struct {
	start, end int
	dialect    Dialect
}

// several reads a text that has commands for several shells, one below the other, each
// with a sign that only its shell writes: no shell takes them all. ok is false for others.
func several(src string, env map[string]string, m *meter.Meter) (r Reading, ok bool) {
	if strings.IndexByte(src, '\n') < 0 || !m.Work(lookSteps*len(src)) || !mayBeginTwo(src) {
		return r, false
	}
	segments := segmentsOf(src)
	if len(segments) < 2 || len(segments) > maxSegments {
		return r, false
	}
	r.Dialect = segments[0].dialect
	for _, s := range segments {
		text := src[s.start:s.end]
		if s.dialect == POSIX && !standsAlone(text, m) {
			return r, false
		}
		part := split(text, s.dialect, env, m, nil)
		if m.Over() || part.Diags.Err() != nil || !runsCurl(part.Commands) {
			return r, false
		}
		move(&part, s.start)
		for i := range part.Commands {
			part.Commands[i].Nested = true // a fix quotes for one shell
		}
		r.Commands = append(r.Commands, part.Commands...)
		r.Diags = append(r.Diags, part.Diags...)
	}
	r.Diags.Warn(diag.WarnShellAmbiguous, diag.Span{End: int32(len(src))},
		"the text has commands for several shells, and each was read for the one that its signs show", "paste the commands for one shell")
	return r, true
}

// mayBeginTwo reports whether a text may have two lines with which commands begin: whether
// one after the first does that goes on with no other.
func mayBeginTwo(src string) bool {
	for at := strings.IndexByte(src, '\n') + 1; at > 0; {
		line := src[at:]
		next := strings.IndexByte(line, '\n') + 1
		if next > 0 {
			line = line[:next]
		}
		if !goesOn(src[:at-1]) && beginsCommand(line) {
			return true
		}
		if at += next; next == 0 {
			return false
		}
	}
	return false
}

// goesOn reports whether a shell joins a line to the next.
func goesOn(line string) bool {
	for i := len(line) - 1; i >= 0; i-- {
		switch line[i] {
		case ' ', '\t', '\r':
		default:
			return strings.IndexByte("\\^`", line[i]) >= 0
		}
	}
	return false
}

// standsAlone reports whether a POSIX shell finds the end of all quotes in a text, and
// no here-document, which could go on after it.
func standsAlone(text string, m *meter.Meter) bool {
	_, diags := posix.Read(text, nil, m, nil)
	err := diags.Err()
	return !strings.Contains(text, "<<") && (err == nil || err.Code != diag.CodeUnterminatedQuote)
}

// move adds an offset to the places of a reading.
func move(r *Reading, by int) {
	move := func(s *diag.Span) { s.Start, s.End = s.Start+int32(by), s.End+int32(by) }
	for i := range r.Commands {
		move(&r.Commands[i].Span)
		for k := range r.Commands[i].Args {
			move(&r.Commands[i].Args[k].Span)
		}
	}
	for i := range r.Diags {
		move(&r.Diags[i].Span)
		if fix := r.Diags[i].Fix; fix != nil {
			move(&fix.Span)
		}
	}
}

// segmentsOf cuts a text before the lines with which commands begin, where two of them
// are for different shells; nil for other texts.
func segmentsOf(src string) []segment {
	var segments []segment
	for at, joined := 0, false; at < len(src); {
		line := src[at : at+ascii.LineLength(src[at:])]
		if strings.HasPrefix(strings.TrimLeft(line, " \t"), "```") {
			return nil // what a fence says is known elsewhere
		}
		if !joined && beginsCommand(line) {
			start := 0
			if n := len(segments); n > 0 {
				segments[n-1].end, start = at, at
			}
			segments = append(segments, segment{start: start})
		}
		joined = goesOn(line)
		at += len(line) + 1
	}
	if len(segments) < 2 {
		return nil
	}
	segments[len(segments)-1].end = len(src)
	return merged(src, segments)
}

// merged finds the dialect of each segment, and joins those that are for the same shell.
func merged(src string, segments []segment) []segment {
	foreign, quoted := false, make([]bool, len(segments))
	for i := range segments {
		s := &segments[i]
		s.dialect, quoted[i] = signOf(src[s.start:s.end])
		foreign = foreign || s.dialect == PowerShell
	}
	out := segments[:0]
	for i, s := range segments {
		if s.dialect == Auto && quoted[i] && !foreign { // cmd.exe has no single quotes
			s.dialect = POSIX
		}
		last := len(out) - 1
		switch {
		case last >= 0 && (s.dialect == Auto || s.dialect == out[last].dialect):
			out[last].end = s.end
		case last == 0 && out[0].dialect == Auto:
			out[0].end, out[0].dialect = s.end, s.dialect
		default:
			out = append(out, s)
		}
	}
	return out
}

// beginsCommand reports whether a command that sends a request begins with a line.
func beginsCommand(line string) bool {
	for line != "" && ascii.IsBlank(line[0]) {
		line = line[1:]
	}
	if line == "" || strings.IndexByte("-\"'{}[],", line[0]) >= 0 {
		return false // most lines below the first go on so
	}
	if n := max(cmd.PromptLength(line), powershell.PromptLength(line)); n > 0 {
		line = line[n:]
	} else {
		line = strings.TrimPrefix(line, "$ ")
	}
	word := line[:wordLength(line)]
	return paste.IsCurl(word) || ascii.EqualFold(word, "invoke-webrequest") || ascii.EqualFold(word, "invoke-restmethod")
}

// signOf returns the shell that alone writes something that a text has, or Auto, and
// whether it has single quotes.
func signOf(text string) (d Dialect, quoted bool) {
	d, because := detect(text)
	quoted = strings.IndexByte(text, '\'') >= 0
	switch {
	case d != POSIX && because == "" || d == Cmd && strings.HasPrefix(because, "a caret stands where"):
		return d, quoted
	case d == POSIX && (strings.Contains(text, "\\\n") || strings.Contains(text, "\\\r\n") || strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "$ ")):
		return POSIX, quoted
	}
	return Auto, quoted
}
