package code

import (
	"strconv"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/meter"
	"uncoil/request"
)

// A budget is what a program may cost. It pays the meter of the conversion, and
// bounds the length of the program. A refused payment ends the program by a
// panic with overBudget, because the descent of the targets is deep, and a check
// at each return would hide what they write. Only Append recovers it. A nil
// budget has no bounds.
type budget struct {
	meter *meter.Meter
	most  int // bytes of a program; 0 for any number
}

// overBudget is why a program ended.
type overBudget struct{ tooLong bool }

// work pays for steps.
func (b *budget) work(n int) {
	if b != nil && !b.meter.Work(n) {
		panic(overBudget{})
	}
}

// hold pays for bytes that are kept.
func (b *budget) hold(n int) {
	if b != nil && !b.meter.Hold(n) {
		panic(overBudget{})
	}
}

// free takes back bytes that hold was paid for.
func (b *budget) free(n int) {
	if b != nil {
		b.meter.Free(n)
	}
}

// wrote pays for n bytes of text, after which a program has so many in all.
func (b *budget) wrote(n, all int) {
	b.work(n)
	if b != nil && b.most > 0 && all > b.most {
		panic(overBudget{tooLong: true})
	}
}

// diagnostic returns the error of a program that ended so.
func (b *budget) diagnostic(why overBudget) diag.Diagnostic {
	if !why.tooLong {
		return b.meter.Diagnostic(diag.Span{})
	}
	return diag.Diagnostic{Severity: diag.Error, Code: diag.CodeTooLarge,
		Message: "the program would have more than " + strconv.Itoa(b.most) + " bytes",
		Hint:    "pass fewer requests at a time, or smaller files"}
}

// within runs what pays a budget, and returns the error of a payment that was
// refused, or nil.
func (b *budget) within(run func()) (refused *diag.Diagnostic) {
	defer func() {
		switch why := recover().(type) {
		case nil:
		case overBudget:
			d := b.diagnostic(why)
			refused = &d
		default:
			panic(why)
		}
	}()
	run()
	return nil
}

// What a hint may cost, which tries other targets.
const (
	hintWork  = 4 << 20
	hintBytes = 4 << 20
)

// forHint runs what makes the hint of an error, with a budget of its own, and
// reports whether that was enough.
func (b *budget) forHint(run func(hint *budget)) (enough bool) {
	if b == nil {
		run(nil)
		return true
	}
	hint := &budget{meter: b.meter.Part(meter.Limits{Work: hintWork, Bytes: hintBytes}), most: b.most}
	refused := hint.within(func() { run(hint) })
	work, _ := hint.meter.Spent()
	b.meter.Work(int(work)) // whatever it says, there is an error already
	return refused == nil
}

// settleOften is after how many bytes a writer pays for them.
const settleOften = 4 << 10

// settle pays for what was written since the last time.
func (w *writer) settle() {
	w.budget.wrote(max(len(w.dst)-w.settled, 0), w.before+len(w.dst))
	w.settled, w.next = len(w.dst), len(w.dst)+settleOften
}

// A weight is what a request weighs in a program.
type weight struct {
	items  int // fields, variables, parts and the like
	values int // in JSON, at most; a line of a text counts for three
	text   int // the bytes of names and values
}

// weigh returns the weight of a request.
func weigh(r *request.Request) weight {
	w := weight{text: len(r.URL) + len(r.Target)}
	for i := range r.Fields {
		w.text += len(r.Fields[i].Name) + len(r.Fields[i].Value)
	}
	if b := r.Body; b != nil {
		w.text += len(b.Data)
		w.values = 3 * strings.Count(b.Data, "\n")
		if b.Kind == request.JSON {
			w.values = min(1+strings.Count(b.Data, ","), maxValues)
		}
		w.items += len(b.Fields) + len(b.Pieces)
		for i := range b.Fields {
			w.text += len(b.Fields[i].Name) + len(b.Fields[i].Value)
		}
		for i := range b.Pieces {
			w.text += len(b.Pieces[i].Text) + len(b.Pieces[i].File)
		}
		w.addParts(b.Parts)
	}
	w.items += len(r.Fields) + len(r.Removed) + len(r.Options) + len(r.Query) + len(r.Variables)
	return w
}

// addParts adds the parts of a form.
func (w *weight) addParts(parts []request.Part) {
	w.items += partItems * len(parts)
	for i := range parts {
		p := &parts[i]
		w.text += len(p.Name) + len(p.Value) + len(p.File)
		w.items += len(p.Headers)
		w.addParts(p.Parts)
	}
}

// What a program takes for a request, in bytes, and partItems for how many items
// a part of a form counts.
const (
	bytesPerCall = 2 << 10 // a call and what it refers to
	bytesPerItem = 160     // of a call
	partItems    = 3
	// What is written for an item and for a byte of text, before it is a part of
	// the program: lists, nodes and literals.
	writtenPerItem  = 256
	writtenPerValue = 48
	writtenPerByte  = 4
)

// held returns how many bytes the call of a request takes.
func (w weight) held() int { return bytesPerCall + bytesPerItem*w.items }

// written returns how many bytes it takes to write the call.
func (w weight) written() int {
	return writtenPerItem*w.items + writtenPerValue*w.values + writtenPerByte*w.text
}

// diagBytes is what a diagnostic takes.
const diagBytes = 512

// meterFor returns the meter of a program that is no part of a conversion: it may
// cost what a conversion of a text as long as the requests may.
func meterFor(requests []request.Request) *meter.Meter {
	n := 0
	for i := range requests {
		n += weigh(&requests[i]).text
	}
	return meter.New(n, meter.Limits{}, nil)
}
