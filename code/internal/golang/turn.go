package golang

import (
	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// What the program does with whether a request fails: its function returns an error then, in
// place of ending the program.

// alone reports whether the one request of the program stands in main.
func alone(p *plan.Program) bool { return len(p.Calls) == 1 && !p.Calls[0].Caught() }

// succeeds writes the end of a function that returns an error.
func succeeds(p *plan.Program, c *plan.Call) {
	if c.Caught() {
		p.Line("return nil")
	}
}

// caughtCall writes the call of a function that returns an error, and what is done then. What is
// sent where it fails is written by then.
func caughtCall(p *plan.Program, c *plan.Call, call string, otherwise func()) {
	text, warns := c.SaysOr()
	says := func() {
		if text == "" {
			return
		}
		p.Use("fmt")
		if warns {
			p.Use("os")
			p.Line("fmt.Fprintln(os.Stderr, ", goString(text), ")")
			return
		}
		p.Line("fmt.Println(", goString(text), ")")
	}
	status, exits := c.Exits()
	switch until, while := c.Waits(); {
	case until || while:
		operator := "!="
		if while {
			operator = "=="
		}
		loop := "for " + call + " " + operator + " nil {"
		if n, i := c.Times(p, "attempt"); n > 0 {
			loop = "for " + i + " := 0; " + i + " < " + emit.Itoa(n) + " && " + call + " " + operator + " nil; " + i + "++ {"
		}
		p.Block(loop, func() {
			says()
			if seconds := c.Delay(); seconds > 0 {
				p.Use("time")
				p.Line("time.Sleep(", duration(seconds), ")")
			}
		})
	case otherwise != nil:
		p.Block("if err := "+call+"; err != nil {", otherwise)
	case text == "" && !exits:
		p.Line("_ = ", call)
		return
	default:
		p.Block("if err := "+call+"; err != nil {", func() {
			says()
			if exits {
				p.Use("os")
				p.Line("os.Exit(", emit.Itoa(status), ")")
			}
		})
	}
	p.Line("}")
}
