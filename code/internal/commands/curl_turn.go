package commands

import (
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// turned writes around the command that was written from an offset on what the shell makes of
// whether it fails.
func turned(p *plan.Program, c *plan.Call, from int) {
	if !c.Caught() && !c.After() {
		return
	}
	command := strings.TrimSuffix(string(p.Dst[from:]), "\n")
	p.Budget.Hold(2 * len(command))
	p.Dst = p.Dst[:from]
	if until, while := c.Waits(); until || while {
		if n, _ := c.Times(p, ""); n > 0 {
			retried(p, c, command, n, until)
			return
		}
		keyword := "while "
		if until {
			keyword = "until "
		}
		p.Line(keyword, command, "; do")
		if !rests(p, c) {
			p.Line(p.Indent, ":")
		}
		p.Line("done")
		return
	}
	p.Line(command, otherwise(c))
}

// rests writes what stands between two tries, and reports whether that is anything.
func rests(p *plan.Program, c *plan.Call) bool {
	text, _ := c.SaysOr()
	if text != "" {
		p.Line(p.Indent, "echo ", shellWord(text))
	}
	seconds := c.Delay()
	if seconds > 0 {
		p.Line(p.Indent, "sleep ", emit.Seconds(seconds))
	}
	return text != "" || seconds > 0
}

// retried writes a loop that ends after n tries at the latest.
func retried(p *plan.Program, c *plan.Call, command string, n int, until bool) {
	operator := " || break"
	if until {
		operator = " && break"
	}
	p.Line("for attempt in $(seq ", emit.Itoa(n), "); do")
	p.Line(p.Indent, command, operator)
	rests(p, c)
	p.Line("done")
}

// otherwise returns what stands behind a command.
func otherwise(c *plan.Call) string {
	text, warns := c.SaysOr()
	says := ""
	if text != "" {
		says = "echo " + shellWord(text)
		if warns {
			says += " >&2"
		}
	}
	status, exits := c.Exits()
	leaves := "exit " + emit.Itoa(status)
	switch {
	case c.FallsBack():
		return " ||"
	case exits && says != "":
		return " || { " + says + "; " + leaves + "; }"
	case exits:
		return " || " + leaves
	case says != "":
		return " || " + says
	case c.Caught():
		return " || true"
	}
	return ""
}
