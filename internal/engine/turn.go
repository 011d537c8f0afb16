package engine

import (
	"slices"

	"uncoil/diag"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source"
	"uncoil/internal/engine/source/word"
	"uncoil/request"
)

// turnOptions is how many options a turn makes at most.
const turnOptions = 5

// turn notes in the options of a request what the shell makes of whether its command fails.
func (r *Result) turn(c *source.Command, requests []request.Request, m *meter.Meter) {
	t := c.Turns()
	if t == nil {
		return
	}
	if len(requests) != 1 {
		if t.Or == word.OrIgnore || t.Or == word.OrExit {
			r.Warnings.Warn(diag.WarnConditional, t.Span, "what runs where one of these requests fails is left out", "")
		}
		return
	}
	t.Set(len(r.Requests))
	options := &requests[0].Options
	if !m.Hold((len(*options) + turnOptions) * meter.SizeOf[request.Option]()) {
		return
	}
	*options = slices.Clip(*options) // others lie behind them
	set := func(name string, value any) {
		*options = append(*options, request.Option{Name: name, Value: value, Span: t.Span})
	}
	if t.Of != nil {
		if first, ok := t.Of.Request(); ok {
			set("ifFails", int64(first))
		}
	}
	switch t.Loop {
	case word.Until:
		set("repeat", "until")
	case word.While:
		set("repeat", "while")
	}
	if t.Times > 0 {
		set("repeatTimes", int64(t.Times))
	}
	if t.Delay > 0 {
		set("repeatDelay", t.Delay)
	}
	switch t.Or {
	case word.OrIgnore:
		set("orElse", "ignore")
	case word.OrExit:
		set("orElse", "exit")
		set("orElseStatus", int64(t.Status))
	}
	switch {
	case t.Prints == "":
	case t.Loop != word.Once:
		set("repeatPrints", t.Prints)
	case t.Stderr:
		set("orElseWarns", t.Prints)
	default:
		set("orElsePrints", t.Prints)
	}
}
