// Package meter bounds what one conversion costs.
//
// Every conversion has one [Meter], which all stages share. Each loop and each
// copy pays before it works: [Meter.Work] for steps, [Meter.Hold] for bytes
// that are kept. Text that is kept alive by a short slice of it counts whole.
// What yields no text costs steps too: an empty part, an unset variable, a
// warning, an element of a pattern. When a payment is refused, the stage stops
// at once, and the facade answers with [Meter.Diagnostic].
package meter

import (
	"strconv"
	"sync/atomic"

	"uncoil/diag"
)

// Limits bound one conversion. A member that is zero means its default.
type Limits struct {
	// Work is how many steps the stages may take. One step stands for looking
	// at one byte, or for one turn of a small loop: some nanoseconds.
	Work int64
	// Bytes is how many bytes the stages may hold beside the input itself.
	Bytes int64
}

// The defaults: no text of less than smallText bytes costs more than a tenth of
// a second of one core, and none more than a second, at some five nanoseconds a
// step.
const (
	baseWork    = 12 << 20
	workPerByte = 128
	maxWork     = 128 << 20
	smallText   = 64 << 10
)

// How many bytes a conversion may hold unless its limits say otherwise: so many
// for each byte of its input, and so many more.
const (
	bytesPerByte = 16
	baseBytes    = 16 << 20
)

// LimitsFor returns the limits for an input of n bytes: text, files, standard
// input and variables together. What l sets stays.
func LimitsFor(n int, l Limits) Limits {
	if l.Work == 0 {
		l.Work = baseWork + min(max(int64(n)-smallText, 0), maxWork/workPerByte)*workPerByte
		l.Work = min(l.Work, maxWork)
	}
	if l.Bytes == 0 {
		l.Bytes = baseBytes + bytesPerByte*int64(n)
	}
	return l
}

// A Watch lets others see what a conversion has cost so far, and end it. All
// methods may be called from any goroutine, before, during and after the
// conversion.
type Watch struct {
	stopped           atomic.Bool
	work, bytes, paid atomic.Int64
}

// Stop ends the conversion at its next look, which is a few microseconds away.
func (w *Watch) Stop() { w.stopped.Store(true) }

// Stopped reports whether Stop was called.
func (w *Watch) Stopped() bool { return w.stopped.Load() }

// Work returns the steps that the conversion has taken, as of its last look.
func (w *Watch) Work() int64 { return w.work.Load() }

// Bytes returns the bytes that the conversion holds, as of its last look.
func (w *Watch) Bytes() int64 { return w.bytes.Load() }

// Paid returns the bytes that were paid for, as of the last look, those that
// the conversion does not hold any more included.
func (w *Watch) Paid() int64 { return w.paid.Load() }

// Reason says why a meter refuses.
type Reason uint8

// The reasons.
const (
	None    Reason = iota
	Work           // the steps are used up
	Bytes          // the bytes are used up
	Stopped        // the watch said so
)

// look is how many steps are taken between two looks at the watch.
const look = 4096

// A Meter counts down what one conversion may still cost. It belongs to one
// goroutine. New makes one.
type Meter struct {
	steps  int64 // until the next look
	work   int64 // beyond these
	bytes  int64
	freed  int64 // of the bytes paid
	limits Limits
	set    Limits // as the caller gave them
	input  int
	watch  *Watch // nil: nobody watches
	isPart bool   // the watch sees what the whole conversion costs
	reason Reason
}

// New returns a meter with limits, for an input of n bytes.
func New(n int, l Limits, w *Watch) *Meter {
	m := new(Meter)
	m.Start(n, l, w)
	return m
}

// Start makes the meter one with limits, for an input of n bytes.
func (m *Meter) Start(n int, l Limits, w *Watch) {
	limits := LimitsFor(n, l)
	*m = Meter{work: limits.Work, bytes: limits.Bytes, limits: limits, set: l, input: n, watch: w}
}

// Admit adds n bytes of input that were read after the meter was made, and
// raises the limits to those of the whole input.
func (m *Meter) Admit(n int) {
	m.input += n
	l := LimitsFor(m.input, m.set)
	if m.reason == None {
		m.work += l.Work - m.limits.Work
		m.bytes += l.Bytes - m.limits.Bytes
		m.limits = l
	}
}

// Work pays n steps, which must not be negative, and reports whether the
// conversion may go on. Once it may not, it never may again.
func (m *Meter) Work(n int) bool {
	m.steps -= int64(n)
	return m.steps >= 0 || m.refill()
}

// refill looks at the watch and takes steps for the time until the next look.
func (m *Meter) refill() bool {
	if m.reason == None {
		m.work += m.steps // which are not positive
		m.steps = 0
		m.publish()
		switch {
		case m.watch != nil && m.watch.stopped.Load():
			m.reason = Stopped
		case m.work < 0:
			m.reason = Work
		default:
			m.steps = min(look, m.work)
			m.work -= m.steps
			return true
		}
	}
	m.steps = -1
	return false
}

// End lets the watch see what the conversion has cost in all.
func (m *Meter) End() {
	if m.reason == None {
		m.work += m.steps
		m.steps = 0
		m.publish()
	}
}

func (m *Meter) publish() {
	if m.watch != nil && !m.isPart {
		m.watch.work.Store(m.limits.Work - m.work)
		bytes := m.limits.Bytes - max(m.bytes, 0)
		m.watch.bytes.Store(bytes)
		m.watch.paid.Store(bytes + m.freed)
	}
}

// Terms are what a meter was made with, and what was admitted since.
type Terms struct {
	input  int
	limits Limits
	watch  *Watch
}

// Terms returns the terms of the meter.
func (m *Meter) Terms() Terms { return Terms{m.input, m.set, m.watch} }

// New returns a meter with these terms, of which nothing is spent.
func (t Terms) New() *Meter { return New(t.input, t.limits, t.watch) }

// Left returns the steps and the bytes that are left.
func (m *Meter) Left() (work, bytes int64) { return max(m.work+max(m.steps, 0), 0), max(m.bytes, 0) }

// Part returns a meter for a part of the conversion that may fail by itself: it
// has the limits given, but no more than what this one has left.
func (m *Meter) Part(l Limits) *Meter {
	work, bytes := m.Left()
	part := New(0, Limits{Work: max(min(l.Work, work), 1), Bytes: max(min(l.Bytes, bytes), 1)}, m.watch)
	part.isPart = true
	return part
}

// copied is how many bytes one step makes room for, fills and frees again. The
// heap takes most of that time.
const copied = 8

// Hold pays for n bytes that will be kept, and for the steps that copying them
// takes. It reports whether the conversion may go on.
func (m *Meter) Hold(n int) bool {
	m.bytes -= int64(n)
	if m.bytes < 0 && m.reason == None {
		m.bytes = 0
		m.publish()
		m.reason, m.bytes, m.steps = Bytes, -1, -1
	}
	return m.Work(n/copied + 1)
}

// Free takes back n bytes that Hold was paid for, because nothing refers to
// them any more.
func (m *Meter) Free(n int) {
	if m.reason == None {
		m.bytes += int64(n)
		m.freed += int64(n)
	}
}

// Over reports whether the conversion must end.
func (m *Meter) Over() bool { return m.reason != None }

// Reason returns why the conversion must end, or None.
func (m *Meter) Reason() Reason { return m.reason }

// Spent returns the steps and bytes paid so far, those that were given back
// included.
func (m *Meter) Spent() (work, bytes int64) {
	return m.limits.Work - m.work - max(m.steps, 0), m.limits.Bytes - m.bytes + m.freed
}

// Diagnostic returns the error of a conversion that had to end, with the place
// that was being worked on.
func (m *Meter) Diagnostic(span diag.Span) diag.Diagnostic {
	d := diag.Diagnostic{Severity: diag.SeverityError, Span: span}
	switch m.reason {
	case Bytes:
		d.Code = diag.CodeTooLarge
		d.Message = "the conversion of this text would hold more than " + strconv.FormatInt(m.limits.Bytes, 10) + " bytes"
		d.Hint = "make its variables, globs, files and lists of options smaller, or send its commands in parts"
	case Stopped:
		d.Code = diag.CodeTooMuchWork
		d.Message = "the conversion was ended before its time, because the client left or memory ran short"
		d.Hint = "send the request again later"
	default:
		d.Code = diag.CodeTooMuchWork
		d.Message = "this text takes more work than one conversion may cost"
		d.Hint = "send the commands in parts"
	}
	return d
}
