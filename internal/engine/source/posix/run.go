package posix

import (
	"slices"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/paste"
	"uncoil/internal/engine/source/word"
	"uncoil/request"
)

// unknown is redirected standard input whose content is not known.
var unknown word.Input

// run runs statements whose standard input is stdin, unless that is nil. Where
// their output is wanted, it returns that.
func (r *reader) run(list []stmt, stdin *word.Input, want bool) (printed *word.Input) {
	printed = &unknown
	count := 0
	for i := 0; i < len(list) && !r.stopped; {
		last := i
		for list[last].op >= and && last+1 < len(list) {
			last++
		}
		if !r.pay(last + 1 - i) {
			return printed
		}
		out := r.chain(list[i:last+1], stdin, want)
		if i = last + 1; !want {
			continue
		}
		if count++; count == 1 {
			printed = out
			continue
		}
		printed = r.joined(printed, out, stdin)
	}
	if want && count == 0 {
		return &word.Input{Known: true}
	}
	return printed
}

// joined returns what two commands print one after the other.
func (r *reader) joined(first, second, stdin *word.Input) *word.Input {
	if !first.Known || !second.Known || stdin != nil && (first == stdin || second == stdin) || !r.hold(inputSize+len(first.Text)+len(second.Text)+2*word.HoleSize*(len(first.Holes)+len(second.Holes))) {
		return &unknown
	}
	both := word.Input{Text: first.Text + second.Text, Known: true, Kept: first.Kept || second.Kept}
	if both.Kept {
		both.Holes = word.AppendHoles(slices.Clone(first.Holes), len(first.Text), second.Holes)
	}
	return &both
}

// chain runs pipelines joined by && and ||.
func (r *reader) chain(list []stmt, stdin *word.Input, want bool) (printed *word.Input) {
	printed = &unknown
	if list[len(list)-1].op == background {
		r.warnQuery(&list[len(list)-1])
		r.isolated(func() { r.foreground(list, stdin, false) })
		return printed
	}
	return r.foreground(list, stdin, want)
}

// foreground runs a chain. The right side of an operator runs unless it is
// known not to; after ||, that is not certain.
func (r *reader) foreground(list []stmt, stdin *word.Input, want bool) (printed *word.Input) {
	n := pipelineLength(list)
	if n == len(list) {
		return r.runPipeline(list, stdin, want)
	}
	if !r.hold(len(list) * (chainSize + turnSize)) {
		return &unknown
	}
	chain := pipelines(list)
	turns, curls := r.turns(chain), r.runsCurlIn(chain[0])
	r.turnOf(turns, 0)
	r.runPipeline(chain[0], stdin, false)
	succeeded, known := status(chain[0])
	for i := 1; i < len(chain) && !r.stopped; i++ {
		after, next := chain[i-1][len(chain[i-1])-1].op, chain[i]
		r.turnOf(turns, i)
		switch {
		case known && succeeded != (after == and):
			continue // it does not run
		case known || after == and:
			r.runPipeline(next, stdin, false)
		default:
			if after == or {
				r.warnConditional(next, curls, turns != nil)
			}
			r.perhaps(func() { r.runPipeline(next, stdin, false) })
		}
		succeeded, known = status(next)
		curls = curls || r.runsCurlIn(next)
	}
	r.turn = nil
	return &unknown
}

// turnOf notes what the shell makes of whether a command of a chain fails, before it runs.
func (r *reader) turnOf(turns []*word.Turn, i int) {
	r.turn = nil
	if i < len(turns) {
		r.turn = turns[i]
	}
}

// pipelineLength returns how many commands the first pipeline of a chain has.
func pipelineLength(list []stmt) int {
	n := 1
	for n < len(list) && list[n-1].op == pipe {
		n++
	}
	return n
}

// runPipeline runs commands; each reads what the one before it prints.
func (r *reader) runPipeline(stages []stmt, stdin *word.Input, want bool) (printed *word.Input) {
	if len(stages) == 1 {
		return r.statement(&stages[0], stdin, want)
	}
	for i := range stages {
		if r.stopped {
			break
		}
		r.piped = i+1 < len(stages) && r.warnPiped(&stages[i], &stages[i+1])
		r.isolated(func() { printed = r.statement(&stages[i], stdin, want || i+1 < len(stages)) })
		stdin = printed
	}
	return stdin
}

// status returns whether a pipeline succeeds, where that is known.
func status(list []stmt) (succeeds, known bool) {
	s := &list[0]
	if len(list) != 1 || s.compound != nil || s.declares || len(s.redirects) > 0 || len(s.assigns) > 0 || len(s.words) != 1 || s.words[0].parts != nil {
		return false, false
	}
	switch s.words[0].text {
	case "true", ":":
		return !s.negated, true
	case "false":
		return s.negated, true
	}
	return false, false
}

// statement runs one command.
func (r *reader) statement(s *stmt, stdin *word.Input, want bool) (printed *word.Input) {
	if r.stopped || !r.pay(1) {
		return &unknown
	}
	c := s.compound
	if c == nil {
		return r.call(s, stdin, want)
	}
	stdin = r.redirected(s, stdin)
	want = want && !leadsOutput(s)
	switch c.kind {
	case subshell:
		r.isolated(func() { printed = r.run(c.lists[0], stdin, want) })
		return printed
	case group:
		return r.run(c.lists[0], stdin, want)
	case conditions:
		r.conditional(c.lists, stdin)
	case while:
		before, warned := len(r.commands), r.warnRepeated(c.lists)
		if succeeds, known := statusOf(c.lists[0]); known && succeeds != c.until && r.retries(c.lists[1], 0, stdin) {
			break
		}
		r.turn = r.loopTurn(c)
		r.run(c.lists[0], stdin, false)
		r.turn = nil
		if !warned {
			r.warnRepeatedWithin(before)
		}
		if succeeds, known := statusOf(c.lists[0]); !known || succeeds {
			r.perhaps(func() { r.run(c.lists[1], stdin, false) })
		}
	case forEach:
		r.loop(c, stdin)
	case forCount:
		r.count(c, stdin)
	case function:
		r.defines = true
		if r.piece {
			r.perhaps(func() { r.run(c.lists[0], nil, false) })
		}
	case arithmetic:
		r.execute(c.head[0])
	case choices:
		r.values(c.items)
		if !r.holdTree(branchSize * len(c.lists)) {
			return &unknown
		}
		branches := make([]func(), len(c.lists))
		for i := range c.lists {
			branches[i] = func() { r.run(c.lists[i], stdin, false) }
		}
		r.perhaps(branches...)
	case coproc:
		r.isolated(func() { r.run(c.lists[0], nil, false) })
	}
	return &unknown
}

// values expands words for what runs in them.
func (r *reader) values(list []lexeme) {
	for i := range list {
		r.whole(&list[i])
	}
}

func statusOf(list []stmt) (succeeds, known bool) {
	if len(list) != 1 {
		return false, false
	}
	return status(list)
}

// leadsOutput reports whether redirections lead what a statement prints away
// from the pipe.
func leadsOutput(s *stmt) bool {
	for i := range s.redirects {
		if d := &s.redirects[i]; d.op == toFile && !d.other {
			return true
		}
	}
	return false
}

// conditional runs the branches of an if: the one that runs where that is
// known, and else all.
func (r *reader) conditional(lists [][]stmt, stdin *word.Input) {
	var branches []func()
	for len(lists) > 0 && r.holdTree(4*branchSize) {
		condition, then := lists[0], lists[0]
		succeeds, known := true, len(lists) == 1 // an else
		if len(lists) > 1 {
			succeeds, known = statusOf(condition)
			then = lists[1]
			lists = lists[2:]
		} else {
			lists = nil
		}
		runs := func() { r.run(then, stdin, false) }
		switch {
		case known && !succeeds:
			continue
		case known && len(branches) == 0:
			runs()
			return
		case known:
			r.perhaps(append(branches, runs)...)
			return
		}
		if len(branches) == 0 {
			r.run(condition, stdin, false)
		} else {
			branches = append(branches, func() { r.run(condition, stdin, false) })
		}
		branches = append(branches, runs)
	}
	r.perhaps(branches...)
}

// loop runs a loop once for each word of a list that is known; any other loop
// once, its variable unknown.
func (r *reader) loop(c *compound, stdin *word.Input) {
	items := r.fields(c.items)
	known := c.in
	for i := range items {
		known = known && len(items[i].Holes) == 0
	}
	times := len(items)
	if !known {
		times = r.countsTo(c)
	}
	if times > 0 && !r.mentions(c.lists[0], c.name) && r.retries(c.lists[0], times, stdin) {
		r.forget(c.name)
		return
	}
	if !known {
		r.forget(c.name)
		r.perhaps(func() { r.run(c.lists[0], stdin, false) })
		return
	}
	first := r.firstOf(c.lists[0])
	if first == nil && len(items) > 1 {
		r.warnBreak(c.lists[0])
	}
	for i := range items {
		if r.stopped || !r.set(c.name, value{text: items[i].Text}) {
			return
		}
		if first == nil {
			r.run(c.lists[0], stdin, false)
		} else {
			first = r.attempt(&c.lists[0][0], first, stdin)
		}
	}
}

// count runs for ((…)) as often as is known, or once.
func (r *reader) count(c *compound, stdin *word.Input) {
	_, known := r.execute(c.head[0])
	name := c.head[0][:ascii.NameLength(c.head[0])]
	again := !r.mentions(c.lists[0], name) && r.breakTurn(c.lists[0]) != nil
	if again && strings.TrimSpace(c.head[1]) == "" && r.retries(c.lists[0], 0, stdin) {
		return
	}
	if !again {
		r.warnBreak(c.lists[0])
	}
	for turns := 0; known && !r.stopped && r.pay(10); turns++ {
		goes := int64(1)
		if strings.TrimSpace(c.head[1]) != "" {
			goes, known = r.execute(c.head[1])
		} else {
			known = false // it never ends
		}
		if known && goes == 0 {
			if again && turns > 0 {
				r.retries(c.lists[0], turns, stdin)
			}
			return
		}
		if !known {
			break
		}
		if !again {
			r.run(c.lists[0], stdin, false)
		}
		_, known = r.execute(c.head[2])
	}
	for _, s := range c.head {
		r.forgetAssigned(s)
	}
	r.perhaps(func() { r.run(c.lists[0], stdin, false) })
}

// warnQuery warns where an unquoted & looks as if it were meant to be part of
// a URL, or of the pairs of -d.
func (r *reader) warnQuery(s *stmt) {
	if s.compound != nil || len(s.words) == 0 || !r.pay(warnSteps) {
		return
	}
	last := s.words[len(s.words)-1].span
	if typed := r.src[last.Start:last.End]; strings.IndexByte(typed, '?') < 0 {
		n := len(s.words)
		rest := r.src[s.opAt+1 : min(r.end, int(s.opAt)+1+maxName)]
		name, _, pair := strings.Cut(rest, "=")
		if n > 1 && last.End == s.opAt && isData(s.words[n-2].text) && strings.IndexByte(typed, '=') > 0 && pair && name != "" && ascii.NameLength(name) == len(name) {
			r.diags.Warn(diag.WarnUnquotedAmpersand, diag.Span{Start: s.opAt, End: s.opAt + 1},
				"this & ends the command, since it is not quoted; what follows is not part of the data", "put the argument in quotes")
			end := int(s.opAt) + 1
			for end < r.end && end < int(s.opAt)+maxGap && (classes[r.src[end]] == plain || r.src[end] == '&') {
				end++
			}
			raw := r.src[last.Start:end]
			if quoted := paste.StraightQuoted(raw); quoted != "" && !strings.ContainsAny(raw, "\"'$`\\") && end < int(s.opAt)+maxGap {
				r.diags[len(r.diags)-1].Fix = &diag.Fix{Span: diag.Span{Start: last.Start, End: int32(end)}, Text: quoted}
			}
		}
		return
	}
	r.diags.Warn(diag.WarnUnquotedAmpersand, diag.Span{Start: s.opAt, End: s.opAt + 1},
		"this & ends the command, since it is not quoted; what follows is not part of the URL", "put the URL in quotes")
}

// maxName bounds how long the name of a pair is that is looked for.
const maxName = 64

// isData reports an option of curl that takes pairs of a form.
func isData(option string) bool {
	return option == "-d" || option == "--data" || option == "--data-urlencode" || option == "--data-raw" || option == "--data-ascii"
}

// call runs a simple command, or makes assignments. The shell expands the
// words first, then what stands in redirections.
func (r *reader) call(s *stmt, stdin *word.Input, want bool) (printed *word.Input) {
	if s.declares {
		r.declare(s.assigns)
		return &unknown
	}
	if r.inside == 0 {
		r.ofCurl, r.fed = runsCurl(s.words), nil
	}
	args := r.fields(s.words)
	if len(args) == 0 {
		if len(s.redirects) > 0 {
			r.redirected(s, stdin)
		}
		r.assign(s.assigns) // X= $EMPTY assigns as well
		if want && len(s.redirects) == 1 && s.redirects[0].op == fromFile && len(s.assigns) == 0 && s.redirects[0].target.parts == nil {
			return r.from(&request.FileContent{Name: s.redirects[0].target.text}, nil) // $(<FILE)
		}
		return &unknown
	}
	r.sink = nil
	if len(s.redirects) > 0 {
		stdin = r.redirected(s, stdin)
	}
	for i := range s.assigns { // they last no longer than the command, but may assign in turn: A=${B:=x}
		if a := &s.assigns[i]; a.value.parts != nil {
			r.whole(&a.value)
		}
	}
	if r.stopped || !r.pay(commandSteps) {
		return &unknown
	}
	r.builtin(s, args, stdin)
	output := r.output(s, args, want)
	r.wrote = r.writes(args, int(s.span.End))
	if !meter.Append(r.meter, &r.commands, word.Command{Args: args, Stdin: stdin, Extra: r.extra(output), Span: s.span, Inside: r.inside > 0, OfCurl: r.inside > 0 && r.ofCurl}) {
		r.over()
		return &unknown
	}
	if want && !leadsOutput(s) {
		printed = r.printed(args, stdin)
		if r.taken == 0 || printed.Known && (!printed.Kept || printed.Holes != nil) || printed.Wrapped || printed.From != nil {
			return printed
		}
		if o := r.computed(s, args, stdin, output); o.From != nil {
			return o
		}
		return printed
	}
	return &unknown
}

// extra returns what few commands have, of the one whose words were expanded last.
func (r *reader) extra(output *word.Output) *word.Extra {
	fed, sink, wrote, piped, turn := r.fed, r.sink, r.wrote, r.piped, r.turn
	if r.inside > 0 {
		fed, sink, wrote, piped, turn = nil, nil, nil, false, nil
	}
	if fed == nil && output == nil && sink == nil && turn == nil && wrote == nil && !piped || !r.hold(extraSize) {
		return nil
	}
	return &word.Extra{Fed: fed, Output: output, Wrote: wrote, Sink: sink, Turn: turn, Piped: piped}
}

// runsCurl reports whether one of the words is curl.
func runsCurl(words []lexeme) bool {
	return slices.ContainsFunc(words, func(w lexeme) bool { return paste.IsCurl(w.text) })
}

// redirected returns the standard input of a statement: that of its own
// redirections, or else that of what is around it.
func (r *reader) redirected(s *stmt, input *word.Input) *word.Input {
	for i := range s.redirects {
		d := &s.redirects[i]
		switch {
		case d.op == toFile || d.op == duplicate || d.other && d.op != hereDocument:
			v := r.whole(&d.target)
			if d.op != toFile || d.other || r.inside > 0 {
				continue
			}
			if r.sink = nil; strings.HasPrefix(v.text, ">(") {
				continue
			}
			if !d.copies || strings.Trim(v.text, "0123456789-") != "" || v.text == "" {
				if !r.hold(sinkSize) {
					return input
				}
				r.sink = &word.Sink{File: word.Word{Text: v.text, Holes: v.holes, Span: d.target.span}, Appends: d.appends}
			}
		case d.op == fromFile:
			if !r.hold(inputSize) {
				return input
			}
			input = &word.Input{File: r.whole(&d.target).text}
		case d.op == hereString:
			v := r.whole(&d.target)
			if !r.hold(inputSize + len(v.text) + 1) {
				return input
			}
			input = &word.Input{Text: v.text + "\n", Known: true, Kept: v.holes != nil, Holes: v.holes}
		case !d.other:
			if !r.hold(inputSize) {
				return input
			}
			v := value{text: d.doc.text}
			if d.doc.parts != nil {
				b := builder{r: r}
				r.parts(&b, d.doc.parts, hereDocumentText)
				v = b.value()
			}
			input = &word.Input{Text: v.text, Known: true, Kept: v.holes != nil, Holes: v.holes}
		}
	}
	return input
}
