package posix

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/source/word"
)

// Loops that break ends: for i in 1 2 3; do curl -f … && break; sleep 5; done.

// breakTurn returns what the shell makes of the failure of the command of curl that the body of a
// loop begins with, where break ends the loop as soon as it succeeds, or fails, and nothing is
// done before it runs again but to wait. It is nil for another body.
func (r *reader) breakTurn(body []stmt) *word.Turn {
	if r.inside > 0 || r.taken > 0 || len(body) == 0 || !r.pay(warnSteps*len(body)) || !r.hold(turnSize) {
		return nil
	}
	s, rest := &body[0], body[1:]
	t := &word.Turn{Loop: word.Until}
	if c := s.compound; c != nil { // if curl …; then break; fi
		if c.kind != conditions || len(c.lists) > 3 || len(c.lists[0]) != 1 || len(c.lists[1]) != 1 || !isBreak(&c.lists[1][0]) ||
			s.op != inSequence || s.negated || len(s.redirects) > 0 {
			return nil
		}
		if s = &c.lists[0][0]; s.op != inSequence || len(c.lists) == 3 && !r.rests(c.lists[2], t) {
			return nil
		}
	} else {
		if len(rest) == 0 || s.op < and || s.op == pipe || !isBreak(&rest[0]) {
			return nil
		}
		if s.op == or {
			t.Loop = word.While
		}
		after := rest[0].op
		rest = rest[1:]
		if after == or && s.op == and && len(rest) > 0 && rest[0].op == inSequence { // || sleep 5
			list := rest[:1]
			if c := rest[0].compound; c != nil && (c.kind == group || c.kind == subshell) && len(rest[0].redirects) == 0 {
				list = c.lists[0]
			}
			if !r.rests(list, t) {
				return nil
			}
			rest = rest[1:]
		} else if after != inSequence {
			return nil
		}
	}
	if s.compound != nil || s.declares || !runsCurl(s.words) || !r.rests(rest, t) {
		return nil
	}
	if t.Span = s.span; s.negated {
		t.Loop = word.Until + word.While - t.Loop
	}
	return t
}

// isBreak reports the command break.
func isBreak(s *stmt) bool {
	return s.compound == nil && !s.negated && len(s.words) == 1 && s.words[0].text == "break" && s.words[0].parts == nil && len(s.redirects)+len(s.assigns) == 0
}

// retries runs the one command of the body of a loop that breakTurn knows, which runs so many
// times at most; 0 is without limit. It reports whether the body is such a one.
func (r *reader) retries(body []stmt, times int, stdin *word.Input) bool {
	t := r.breakTurn(body)
	if t == nil || times > 0 && t.Delay == 0 && t.Prints == "" {
		return false // its last try would decide how the loop ends
	}
	t.Times = times
	s := &body[0]
	if s.compound != nil {
		s = &s.compound.lists[0][0]
	}
	if times != 1 {
		r.diags.Warn(diag.WarnConditional, t.Span, again, "")
	}
	r.turn = t
	r.statement(s, stdin, false)
	r.turn = nil
	return true
}

// mentions reports whether the text of statements may look at a variable.
func (r *reader) mentions(list []stmt, name string) bool {
	if len(list) == 0 {
		return false
	}
	text := r.src[list[0].span.Start:max(list[0].span.Start, list[len(list)-1].opAt)]
	return !r.pay(len(text)) || strings.Contains(text, "$"+name) || strings.Contains(text, "${"+name) || strings.Contains(text, "$((") || strings.Contains(text, "${!")
}

// countsTo returns how many words $(seq 5) or $(seq 1 5) has, where it is all that a loop goes
// through, or 0.
func (r *reader) countsTo(c *compound) int {
	if !c.in || len(c.items) != 1 {
		return 0
	}
	text := r.src[c.items[0].span.Start:c.items[0].span.End]
	if len(text) > maxName {
		return 0
	}
	text, open := strings.CutPrefix(text, "$(")
	text, closed := strings.CutSuffix(text, ")")
	numbers, isSeq := strings.CutPrefix(strings.TrimSpace(text), "seq ")
	numbers = strings.TrimPrefix(strings.TrimSpace(numbers), "1 ")
	n, err := strconv.ParseUint(strings.TrimSpace(numbers), 10, 16)
	if !open || !closed || !isSeq || err != nil {
		return 0
	}
	return int(n)
}

// firstOf returns what the shell makes of the failure of the command of a loop that ends with the
// first command that succeeds (curl … && break), before that runs. It is nil for another body.
func (r *reader) firstOf(body []stmt) *word.Turn {
	t := r.breakTurn(body)
	if t == nil || len(body) != 2 || body[0].op != and || body[0].negated {
		return nil
	}
	return &word.Turn{Span: t.Span}
}

// attempt runs a command where those before it fail, and returns what the shell makes of the
// failure of the next one.
func (r *reader) attempt(s *stmt, t *word.Turn, stdin *word.Input) *word.Turn {
	if t.Of != nil {
		t.Of.Or = word.OrCurl
		r.diags.Warn(diag.WarnConditional, t.Span, "this command runs only if the one before it fails", "")
	}
	r.turn = t
	r.statement(s, stdin, false)
	r.turn = nil
	r.hold(turnSize)
	return &word.Turn{Span: t.Span, Of: t}
}

// warnBreak warns of a loop that may end before all of its requests are sent.
func (r *reader) warnBreak(body []stmt) {
	if r.inside > 0 || !r.runsWithin(body) {
		return
	}
	if s := r.breaking(body); s != nil {
		r.diags.Warn(diag.WarnConditional, s.span, "break may end the loop before all of these requests are sent", "")
	}
}

// runsWithin reports whether curl runs in a list or in the conditions and groups of it.
func (r *reader) runsWithin(list []stmt) bool {
	return r.runsCurlIn(list) || slices.ContainsFunc(list, func(s stmt) bool {
		return s.compound != nil && s.compound.kind <= conditions && slices.ContainsFunc(s.compound.lists, r.runsWithin)
	})
}

// breaking returns the first break of a list and of the conditions and groups of it, or nil.
func (r *reader) breaking(list []stmt) *stmt {
	for i := range list {
		s := &list[i]
		if !r.pay(1) || isBreak(s) {
			return s
		}
		if s.compound != nil && (s.compound.kind <= conditions || s.compound.kind == choices) {
			for _, inner := range s.compound.lists {
				if found := r.breaking(inner); found != nil {
					return found
				}
			}
		}
	}
	return nil
}
