package engine

import (
	"slices"

	"uncoil/diag"
	"uncoil/internal/engine/source/paste"
)

// A fix is what somebody may apply without looking: so the text with it is read again, and
// has neither the finding nor an error or another one, unless that was hidden by the first
// and has such a fix itself.

const (
	// maxProofs is how often one text is read again for its fixes, and maxProven how long a
	// text is at most that is read more than once.
	maxProofs = 8
	maxProven = 16 << 10
	// maxHidden is how many mistakes may hide one behind the other.
	maxHidden = 3
)

// A prover reads a text with fixes.
type prover struct {
	in   Input
	c    *conversion // pays
	left int         // how often it may read
	// work and bytes are what it may still cost: never so much that the answer would lack it.
	work, bytes int64
}

// prove takes the fixes from the result, or from its error, that do not mend.
func (r *Result) prove(src string, in *Input, c *conversion, failed *Error) {
	found := r.Warnings
	if failed != nil {
		found = failed.Doubts
	}
	var fixed []*diag.Diagnostic
	for i := range found {
		if needsProof(&found[i]) {
			fixed = append(fixed, &found[i])
		}
	}
	if failed != nil && needsProof(&failed.Diagnostic) {
		fixed = append(fixed, &failed.Diagnostic)
	}
	if len(fixed) == 0 || r.data {
		return
	}
	found = slices.Clone(found)
	if failed != nil {
		found = append(found, failed.Diagnostic)
	}
	p := prover{in: *in, c: c, left: maxProofs}
	p.work, p.bytes = c.meter.Left()
	p.work, p.bytes = p.work/4, p.bytes/4
	if len(src) > maxProven {
		p.left = 1
	}
	p.in.Watch, p.in.Explain, p.in.ReadFile = nil, nil, remembered(in.ReadFile)
	if len(fixed) > 1 && p.mendTogether(src, fixed, found) {
		return
	}
	for _, d := range fixed {
		if !p.mends(src, d, found, maxHidden) {
			d.Fix = nil
		}
	}
}

// needsProof reports whether a finding has a fix that may not mend. Quotes around a word that
// has no meaning beyond its text keep the word as it is.
func needsProof(d *diag.Diagnostic) bool {
	return d.Fix != nil && d.Code != diag.WarnUnquotedQuestion
}

// remembered returns a function that reads each file once.
func remembered(read func(name string) ([]byte, error)) func(name string) ([]byte, error) {
	if read == nil {
		return nil
	}
	type file struct {
		content []byte
		err     error
	}
	files := make(map[string]file)
	return func(name string) ([]byte, error) {
		f, ok := files[name]
		if !ok {
			f.content, f.err = read(name)
			files[name] = f
		}
		return f.content, f.err
	}
}

// findings returns the errors, doubts and advice of a text; ok is false where there is no
// more time to read it.
func (p *prover) findings(src string) (found diag.List, ok bool) {
	if p.left--; p.left < 0 || p.work < int64(len(src)) || p.bytes < int64(len(src)) {
		return nil, false
	}
	c := conversions.Get().(*conversion)
	c.noAdvice, c.without = p.c.noAdvice, p.c.without
	c.transfers.Keep()
	in := p.in
	in.Limits.Work, in.Limits.Bytes = int(p.work), int(p.bytes)
	var r Result
	failed := r.read(src, &in, c)
	over := c.meter.Over()
	spent, held := c.meter.Spent()
	c.release()
	p.work, p.bytes = p.work-spent, p.bytes-held
	if !p.c.meter.Hold(int(held)) || !p.c.meter.Work(int(spent)) || over {
		return nil, false
	}
	if failed != nil {
		return slices.Concat(diag.List{failed.Diagnostic}, failed.Doubts), true
	}
	return r.Warnings, true
}

// mendTogether reports whether a text with all fixes lacks their findings, and has no other.
func (p *prover) mendTogether(src string, fixed []*diag.Diagnostic, before diag.List) bool {
	sorted := slices.SortedStableFunc(slices.Values(fixed), func(a, b *diag.Diagnostic) int { return int(a.Fix.Span.Start) - int(b.Fix.Span.Start) })
	fixes := make([]*diag.Fix, len(sorted))
	for i, d := range sorted {
		if i > 0 && d.Fix.Span.Start < fixes[i-1].Span.End {
			return false
		}
		fixes[i] = d.Fix
	}
	w := p.rewriting(src, fixes...)
	after, ok := p.findings(w.Text())
	if !ok {
		return false
	}
	left := slices.DeleteFunc(slices.Clone(before), func(d diag.Diagnostic) bool {
		return slices.ContainsFunc(fixed, func(f *diag.Diagnostic) bool { return f.Code == d.Code && f.Span == d.Span })
	})
	for i := range after {
		isFixed := slices.ContainsFunc(fixed, func(f *diag.Diagnostic) bool { return f.Code == after[i].Code })
		if after[i].Severity == diag.SeverityError || (isFixed || counts(&after[i])) && !has(left, &after[i], w) {
			return false
		}
	}
	return true
}

// mends reports whether a text with the fix of a finding lacks that, and has no other.
func (p *prover) mends(src string, d *diag.Diagnostic, before diag.List, hidden int) bool {
	w := p.rewriting(src, d.Fix)
	text := w.Text()
	after, ok := p.findings(text)
	if !ok {
		return false
	}
	for i := range after {
		other := &after[i]
		switch {
		case has(diag.List{*d}, other, w):
			return false
		case !counts(other), other.Severity != diag.SeverityError && has(before, other, w):
		case other.Fix == nil || hidden == 0 || !p.mends(text, other, after, hidden-1):
			return false
		}
	}
	return true
}

// counts reports whether a finding is more than advice.
func counts(d *diag.Diagnostic) bool {
	return d.Severity == diag.SeverityError || d.Level == diag.LevelDoubt
}

// rewriting returns the text with fixes, which are in their order.
func (p *prover) rewriting(src string, fixes ...*diag.Fix) *paste.Rewriting {
	w := paste.NewRewriting(src, &p.c.meter)
	for _, fix := range fixes {
		w.Replace(int(fix.Span.Start), int(fix.Span.End), fix.Text)
	}
	return w
}

// has reports whether the findings of a text have one of the text made of it.
func has(before diag.List, d *diag.Diagnostic, w *paste.Rewriting) bool {
	start := w.Start(int(d.Span.Start))
	return slices.ContainsFunc(before, func(b diag.Diagnostic) bool { return b.Code == d.Code && b.Span.Start == start })
}
