package api

import (
	"uncoil/internal/engine"
	"uncoil/internal/engine/meter"
)

// Limits bound what a request may be, and say how all are answered. A member
// that is zero means its default.
type Limits struct {
	// Warnings gives the answer AsConvert its warnings unasked.
	Warnings bool
	// Target is the target of requests that name none.
	Target string
	// Line is how many bytes a line of a batch may have: any number unless
	// set.
	Line int
	// Depth is how deep JSON may nest: DefaultDepth unless set.
	Depth int
	// Command bounds the expansion of the command.
	Command engine.Limits
	// Watch, unless nil, lets others end the conversion.
	Watch *meter.Watch
	// PublicSuffix is that of engine.Input.
	PublicSuffix func(domain string) string
}

// Text returns the request for a command that stands alone.
func (l Limits) Text(command string) Request {
	r := Request{Curl: command}
	l.set(&r)
	return r
}

// set passes on what the conversion needs to know.
func (l Limits) set(r *Request) {
	r.Limits, r.Watch, r.PublicSuffix = l.Command, l.Watch, l.PublicSuffix
	r.Warnings = r.Warnings || l.Warnings
	if r.Target == "" && len(r.Targets) == 0 {
		r.Target = l.Target
	}
}
