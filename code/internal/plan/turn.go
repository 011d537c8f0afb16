package plan

import (
	"strings"

	"uncoil/code/internal/emit"
)

// What the shell makes of whether a command fails: A || B, A || exit 1, until A; do sleep 5; done.

// Tries says how a language catches the failure of a request, which its client throws.
// Lines of several are parted by line breaks.
type Tries struct {
	Try     string // "try:"
	Catch   string // "except requests.RequestException:"; $e stands for the name of an exception
	End     string // "}" or ""
	Loop    string // "while True:"
	Times   string // "for _ in range($n):"; $i stands for the name of a variable
	Counter string // the stem of that name
	Break   string // the statement that ends a loop
	Pass    string // what stands where nothing is done; "" for nothing

	Prints, Warns func(p *Program, text string) // write a line to standard output or error
	Sleeps        func(p *Program, seconds float64)
	Exits         func(p *Program, status int)
	Uses          string // what Catch needs of imports
}

// A turn is what a program does with whether a call fails.
type turn struct {
	until, while bool // sends again, until it succeeds or while it does
	ignores      bool // goes on where it fails
	exits        bool // ends there
	after        bool // is sent where the one before it fails
	before       bool // the one after it is sent where it fails
}

// caught reports whether the failure of a call ends the program not at once.
func (t *turn) caught() bool { return t.until || t.while || t.ignores || t.exits || t.before }

// Caught reports whether the failure of a call is something that the program goes on with.
func (c *Call) Caught() bool { return c.turn.caught() }

// Waits reports a call that is sent again: until it succeeds, or while it does.
func (c *Call) Waits() (until, while bool) { return c.turn.until, c.turn.while }

// After reports a call that is sent only where the one before it fails.
func (c *Call) After() bool { return c.turn.after }

// FallsBack reports a call after whose failure the next one is sent.
func (c *Call) FallsBack() bool { return c.turn.before }

// Exits reports a call whose failure ends the program, and with which status.
func (c *Call) Exits() (status int, ok bool) {
	n, _ := c.Option("orElseStatus").(int64)
	return int(n), c.turn.exits
}

// Delay returns how many seconds pass before a call is sent again.
func (c *Call) Delay() float64 {
	seconds, _ := c.Option("repeatDelay").(float64)
	return seconds
}

// Times returns how often a call is sent again at most, and the name of what counts that; 0 is
// without limit.
func (c *Call) Times(p *Program, stem string) (n int, counter string) {
	times, _ := c.Option("repeatTimes").(int64)
	if times == 0 {
		return 0, ""
	}
	return int(times), p.Bind(stem, "of a loop")
}

// SaysOr returns what the program prints where the call fails, or before it is sent again, and
// whether that goes to standard error.
func (c *Call) SaysOr() (text string, warns bool) {
	for _, name := range [...]string{"orElsePrints", "repeatPrints", "orElseWarns"} {
		if text, _ = c.Option(name).(string); text != "" {
			return text, name == "orElseWarns"
		}
	}
	return "", false
}

// settleTurns decides what the program does with failures: what it keeps of a response, a jar and
// what it computes live no longer than the block of a call.
func (p *Program) settleTurns() {
	t := p.Target
	if t.Tries == nil && !t.Catches || p.Options.Bare || p.IsFunction() {
		return
	}
	plain := func(c *Call) bool {
		return len(c.Captures) == 0 && len(c.Computes) == 0 && c.jar == nil && !c.comesInPieces(p.Options)
	}
	for i, c := range p.Calls {
		if !plain(c) {
			continue
		}
		take := func(name string) string {
			s, _ := c.Option(name).(string)
			if s != "" {
				c.take(name)
			}
			return s
		}
		switch take("repeat") {
		case "until":
			c.turn.until = true
		case "while":
			c.turn.while = true
		}
		switch take("orElse") {
		case "ignore":
			c.turn.ignores = true
		case "exit":
			c.turn.exits = true
		}
		if first, ok := c.Option("ifFails").(int64); ok && i > 0 && int(first) == i-1 && plain(p.Calls[i-1]) && !p.Calls[i-1].turn.caught() {
			c.take("ifFails")
			c.turn.after, p.Calls[i-1].turn.before = true, true
		}
	}
}

// lines writes lines that line breaks part.
func (p *Program) lines(text string) {
	if text == "" {
		return
	}
	for line := range strings.SplitSeq(text, "\n") {
		p.Line(line)
	}
}

// opensTurn writes what stands before a call whose failure the program catches.
func (p *Program) opensTurn(c *Call) {
	t := p.Target.Tries
	if t == nil || !c.turn.caught() {
		return
	}
	if t.Uses != "" {
		p.Use(t.Uses)
	}
	if c.turn.until || c.turn.while {
		if n, counter := c.Times(p, t.Counter); n > 0 {
			p.lines(strings.NewReplacer("$n", emit.Itoa(n), "$i", counter).Replace(t.Times))
		} else {
			p.lines(t.Loop)
		}
		p.Level++
	}
	p.lines(t.Try)
	p.Level++
}

// closesTurn writes what stands behind it. What is sent where it fails stands in the block that
// stays open then.
func (p *Program) closesTurn(c *Call) {
	t := p.Target.Tries
	if t == nil {
		return
	}
	if c.turn.caught() {
		p.closesTry(c, t)
	}
	if c.turn.before {
		p.open++
		return
	}
	for ; p.open > 0; p.open-- {
		p.Level--
		p.lines(t.End)
	}
}

func (p *Program) closesTry(c *Call, t *Tries) {
	if c.turn.until {
		p.lines(t.Break)
	}
	p.Level--
	name := "e"
	if p.open > 0 { // within another one
		name += emit.Itoa(p.open + 1)
	}
	p.lines(strings.ReplaceAll(t.Catch, "$e", name))
	p.Level++
	if c.turn.before {
		return
	}
	text, warns := c.SaysOr()
	says := func() {
		switch {
		case text == "":
		case warns:
			t.Warns(p, text)
		default:
			t.Prints(p, text)
		}
	}
	waits := func() {
		if seconds := c.Delay(); seconds > 0 {
			t.Sleeps(p, seconds)
		}
	}
	start := len(p.Dst)
	switch status, exits := c.Exits(); {
	case c.turn.while:
		p.lines(t.Break)
	case c.turn.until:
		says()
		waits()
	default:
		says()
		if exits {
			t.Exits(p, status)
		}
	}
	if len(p.Dst) == start && t.Pass != "" {
		p.lines(t.Pass)
	}
	p.Level--
	p.lines(t.End)
	if c.turn.while {
		says()
		waits()
	}
	if c.turn.until || c.turn.while {
		p.Level--
		p.lines(t.End)
	}
}

// turnLosses are what a program leaves out of what the shell makes of a failure.
var turnLosses = []loss{
	{name: "repeat", option: "the loop", what: "sends the request once"},
	{name: "orElse", option: "||", what: "ends where the request fails"},
	{name: "ifFails", option: "||", what: "sends the second request, too"},
}

// reportTurns warns of these.
func (p *Program) reportTurns(c *Call) {
	for i := range turnLosses {
		if l := &turnLosses[i]; c.Has(l.name) && !c.says(l.name) {
			p.omits(c.Place(l.name), l.option, l.what)
		}
	}
}
