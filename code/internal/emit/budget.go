package emit

import (
	"strconv"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/meter"
	"uncoil/request"
)

// A Budget is what a program may cost. It pays the meter of the conversion, and
// bounds the length of the program. A refused payment ends the program by a
// panic with overBudget, because the descent of the targets is deep, and a check
// at each return would hide what they write. Only Append recovers it. A nil
// budget has no bounds.
type Budget struct {
	Meter *meter.Meter
	Most  int // bytes of a program; 0 for any number
}

// overBudget is why a program ended.
type overBudget struct{ tooLong bool }

// Work pays for steps.
func (b *Budget) Work(n int) {
	if b != nil && !b.Meter.Work(n) {
		panic(overBudget{})
	}
}

// Hold pays for bytes that are kept.
func (b *Budget) Hold(n int) {
	if b != nil && !b.Meter.Hold(n) {
		panic(overBudget{})
	}
}

// Free takes back bytes that hold was paid for.
func (b *Budget) Free(n int) {
	if b != nil {
		b.Meter.Free(n)
	}
}

// wrote pays for n bytes of text, after which a program has so many in all.
func (b *Budget) wrote(n, all int) {
	b.Work(n)
	if b != nil && b.Most > 0 && all > b.Most {
		panic(overBudget{tooLong: true})
	}
}

// diagnostic returns the error of a program that ended so.
func (b *Budget) diagnostic(why overBudget) diag.Diagnostic {
	if !why.tooLong {
		return b.Meter.Diagnostic(diag.Span{})
	}
	return diag.Diagnostic{Severity: diag.SeverityError, Code: diag.CodeTooLarge,
		Message: "the program would have more than " + strconv.Itoa(b.Most) + " bytes",
		Hint:    "pass fewer requests at a time, or smaller files"}
}

// Within runs what pays a budget, and returns the error of a payment that was
// refused, or nil.
func (b *Budget) Within(run func()) (refused *diag.Diagnostic) {
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

// ForHint runs what makes the hint of an error, with a budget of its own, and
// reports whether that was enough.
func (b *Budget) ForHint(run func(hint *Budget)) (enough bool) {
	if b == nil {
		run(nil)
		return true
	}
	hint := &Budget{Meter: b.Meter.Part(meter.Limits{Work: hintWork, Bytes: hintBytes}), Most: b.Most}
	refused := hint.Within(func() { run(hint) })
	work, _ := hint.Meter.Spent()
	b.Meter.Work(int(work)) // whatever it says, there is an error already
	return refused == nil
}

// SettleOften is after how many bytes a writer pays for them.
const SettleOften = 4 << 10

// Settle pays for what was written since the last time.
func (w *Writer) Settle() {
	w.Budget.wrote(max(len(w.Dst)-w.Settled, 0), w.Before+len(w.Dst))
	w.Settled, w.Next = len(w.Dst), len(w.Dst)+SettleOften
}

// A Weight is what a request weighs in a program.
type Weight struct {
	items  int // fields, variables, parts and the like
	values int // in JSON, at most; a line of a text counts for three
	Text   int // the bytes of names and values
}

// Weigh returns the weight of a request.
func Weigh(r *request.Request) Weight {
	w := Weight{Text: len(r.URL) + len(r.Target)}
	for i := range r.Fields {
		w.Text += len(r.Fields[i].Name) + len(r.Fields[i].Value)
	}
	if b := r.Body; b != nil {
		w.Text += len(b.Data)
		w.values = 3 * strings.Count(b.Data, "\n")
		if b.Kind == request.KindJSON {
			w.values = min(1+strings.Count(b.Data, ","), maxValues)
		}
		w.items += len(b.Fields) + len(b.Pieces)
		for i := range b.Fields {
			w.Text += len(b.Fields[i].Name) + len(b.Fields[i].Value)
		}
		for i := range b.Pieces {
			w.Text += len(b.Pieces[i].Text) + len(b.Pieces[i].File)
		}
		w.addParts(b.Parts)
	}
	w.items += len(r.Fields) + len(r.Removed) + len(r.Options) + len(r.Query) + len(r.Variables)
	return w
}

// addParts adds the parts of a form.
func (w *Weight) addParts(parts []request.Part) {
	w.items += partItems * len(parts)
	for i := range parts {
		p := &parts[i]
		w.Text += len(p.Name) + len(p.Value) + len(p.File)
		w.items += len(p.Headers)
		w.addParts(p.Parts)
	}
}

// What a program takes for a request, in bytes, and partItems for how many items
// a part of a form counts.
const (
	BytesPerCall = 2 << 10 // a call and what it refers to
	bytesPerItem = 160     // of a call
	partItems    = 3
	// What is written for an item and for a byte of text, before it is a part of
	// the program: lists, nodes and literals.
	writtenPerItem  = 256
	writtenPerValue = 48
	writtenPerByte  = 4
)

// Held returns how many bytes the call of a request takes.
func (w Weight) Held() int { return BytesPerCall + bytesPerItem*w.items }

// Written returns how many bytes it takes to write the call.
func (w Weight) Written() int {
	return writtenPerItem*w.items + writtenPerValue*w.values + writtenPerByte*w.Text
}

// DiagBytes is what a diagnostic takes.
const DiagBytes = 512

// MeterFor returns the meter of a program that is no part of a conversion: it may
// cost what a conversion of a text as long as the requests may.
func MeterFor(requests []request.Request) *meter.Meter {
	n := 0
	for i := range requests {
		n += Weigh(&requests[i]).Text
	}
	return meter.New(n, meter.Limits{}, nil)
}
