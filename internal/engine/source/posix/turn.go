package posix

import (
	"strconv"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/paste"
	"uncoil/internal/engine/source/word"
)

// What a shell makes of whether a command of curl fails: A || B, until A; do sleep 5; done.
// Only what every language has is understood here; of all else a warning says that it is left
// out.

var (
	turnSize  = meter.SizeOf[word.Turn]() + meter.SizeOf[*word.Turn]()
	chainSize = meter.SizeOf[[]stmt]()
)

// pipelines returns the pipelines of a chain.
func pipelines(list []stmt) (all [][]stmt) {
	for len(list) > 0 {
		n := pipelineLength(list)
		all = append(all, list[:n])
		list = list[n:]
	}
	return all
}

// turns returns what the shell makes of the failure of each command of a chain of curl || curl,
// whose last one may be what is done where all fail. It is nil for another chain.
func (r *reader) turns(chain [][]stmt) []*word.Turn {
	if r.inside > 0 || r.taken > 0 || !r.pay(warnSteps*len(chain)) {
		return nil
	}
	var turns []*word.Turn
	for i, pipeline := range chain {
		if i > 0 && chain[i-1][len(chain[i-1])-1].op != or {
			return nil
		}
		s := &pipeline[0]
		isCurl := len(pipeline) == 1 && s.compound == nil && !s.negated && !s.declares && runsCurl(s.words)
		if !isCurl {
			if i == 0 || i+1 < len(chain) || len(pipeline) > 1 || !r.otherwise(s, turns[i-1]) {
				return nil
			}
			return turns
		}
		if !r.hold(turnSize) {
			return nil
		}
		t := &word.Turn{Span: s.span}
		if i > 0 {
			t.Of, turns[i-1].Or = turns[i-1], word.OrCurl
		}
		turns = append(turns, t)
	}
	return turns
}

// otherwise reads what is done where a command fails: true, exit, echo, or a group of these.
func (r *reader) otherwise(s *stmt, t *word.Turn) bool {
	made := *t
	made.Or = word.OrIgnore
	list := []stmt{*s}
	ends := true
	if c := s.compound; c != nil {
		if c.kind != group && c.kind != subshell || len(s.redirects) > 0 || s.negated {
			return false
		}
		if list, ends = c.lists[0], c.kind == group; len(list) == 0 {
			return false
		}
	}
	for i := range list {
		one := &list[i]
		if s.compound != nil && one.op != inSequence && one.op != and {
			return false
		}
		if !r.does(one, &made) {
			return false
		}
		if made.Or == word.OrExit {
			if i+1 < len(list) {
				return false
			}
			if !ends {
				made.Or = word.OrIgnore // the shell within ends
			}
		}
	}
	*t = made
	if t.Of == nil {
		t.Span = s.span
	}
	return true
}

// does reads one simple command that every language has.
func (r *reader) does(s *stmt, t *word.Turn) bool {
	if s.compound != nil || s.declares || s.negated || len(s.assigns) > 0 || len(s.words) == 0 || !r.pay(warnSteps*len(s.words)) {
		return false
	}
	if s.words[0].parts != nil {
		return false
	}
	switch name := s.words[0].text; {
	case (name == "true" || name == ":") && len(s.redirects) == 0:
		return true
	case name == "exit" && len(s.words) <= 2 && len(s.redirects) == 0:
		t.Or, t.Status = word.OrExit, 1
		if len(s.words) == 1 {
			return true
		}
		n, err := strconv.ParseUint(s.words[1].text, 10, 8)
		t.Status = int(n)
		return err == nil && s.words[1].parts == nil
	case name == "echo" && t.Prints == "":
		text, ok := r.echoed(s.words[1:])
		if !ok || len(s.redirects) > 1 {
			return false
		}
		t.Prints = text
		if len(s.redirects) == 1 {
			d := &s.redirects[0]
			t.Stderr = d.op == toFile && d.copies && d.target.parts == nil && d.target.text == "2" && !d.other
			return t.Stderr
		}
		return true
	}
	return false
}

// echoed returns what echo prints of words that have no variables, without its line break.
func (r *reader) echoed(words []lexeme) (string, bool) {
	var b strings.Builder
	for i := range words {
		w := &words[i]
		text, ok := w.text, true
		if w.parts != nil {
			text, ok = r.plainText(w.parts)
		} else if strings.ContainsAny(text, "*?[~") || w.braces {
			return "", false
		}
		if !ok || i == 0 && isEchoOption(text) || !r.hold(len(text)+1) {
			return "", false
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(text)
	}
	return b.String(), b.Len() > 0
}

// loopTurn returns what the shell makes of the failure of the command that is the condition of
// a loop, or nil where the loop does more than to wait.
func (r *reader) loopTurn(c *compound) *word.Turn {
	if r.inside > 0 || r.taken > 0 || len(c.lists[0]) != 1 || !r.pay(warnSteps) || !r.hold(turnSize) {
		return nil
	}
	s := &c.lists[0][0]
	if s.compound != nil || s.declares || s.op != inSequence || !runsCurl(s.words) {
		return nil
	}
	t := &word.Turn{Span: s.span, Loop: word.While}
	if c.until != s.negated {
		t.Loop = word.Until
	}
	if !r.rests(c.lists[1], t) {
		return nil
	}
	return t
}

// rests reads what stands between two tries: at most one line that is printed, and then a pause.
func (r *reader) rests(list []stmt, t *word.Turn) bool {
	for i := range list {
		one := &list[i]
		if one.op != inSequence || t.Delay > 0 { // what comes after a pause would print later
			return false
		}
		if seconds, ok := slept(one); ok {
			t.Delay = seconds
			continue
		}
		if !r.does(one, t) || t.Or == word.OrExit || t.Stderr {
			return false
		}
	}
	return true
}

// slept reads sleep 5, and how many seconds that is.
func slept(s *stmt) (seconds float64, ok bool) {
	if s.compound != nil || len(s.words) != 2 || s.words[0].text != "sleep" || s.words[0].parts != nil || s.words[1].parts != nil || len(s.redirects)+len(s.assigns) > 0 {
		return 0, false
	}
	text, unit := s.words[1].text, 1.0
	switch {
	case strings.HasSuffix(text, "s"):
		text = text[:len(text)-1]
	case strings.HasSuffix(text, "m"):
		text, unit = text[:len(text)-1], 60
	}
	if text == "" || !ascii.IsDigit(text[0]) || len(text) > 8 || strings.Trim(text, "0123456789.") != "" {
		return 0, false
	}
	seconds, err := strconv.ParseFloat(text, 64)
	return seconds * unit, err == nil
}

// warnUnlike warns of a command that runs only if curl before it fails, and of which a program
// has nothing.
func (r *reader) warnUnlike(pipeline []stmt) {
	s := &pipeline[0]
	if c := s.compound; c != nil && c.kind == group && len(c.lists[0]) == 0 {
		return // of a piece of a script
	}
	if isBreak(s) {
		return // which warnBreak names, where it leaves something out
	}
	name := "what follows ||"
	if s.compound == nil && len(s.words) > 0 && s.words[0].parts == nil {
		name = paste.ShownName(s.words[0].text)
	}
	r.diags.Warn(diag.WarnConditional, s.span, name+" runs only if what stands before || fails; it is no part of the request", "")
}
