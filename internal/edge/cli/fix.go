package cli

import (
	"cmp"
	"errors"
	"slices"

	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/internal/engine/redact"
)

// mostFixes is how many edits one command is made of at most.
const mostFixes = 20

// takeFix keeps the fix of a diagnostic for writeFix, which shows the fixes of all together.
func (p *Program) takeFix(d *diag.Diagnostic) {
	if d.Fix != nil && len(p.fixes) < mostFixes {
		p.fixes = append(p.fixes, *d)
	}
	d.Fix = nil
}

// writeFix writes the command with all fixes, for people to copy. Where it would have a
// secret that may not be shown, which somebody asks for or which would reach a log, the
// edits stand alone.
func (p *Program) writeFix(src string, in engine.Input, result *engine.Result) {
	fixed, edits := p.fixed(src, in)
	if len(edits) == 0 {
		return
	}
	text := diag.AppendFixed(nil, fixed)
	if p.masker != nil || !IsTerminal(p.Stderr) {
		masker := p.masker
		if masker == nil {
			var secrets []string
			if result != nil {
				secrets = redact.Requests(slices.Clone(result.Requests))
			}
			masker = redact.NewMasker(src, secrets)
		}
		if masker.Mask(fixed) != fixed {
			text = nil
			for _, e := range edits {
				text = diag.AppendEdit(text, e.src, e.fix)
			}
			text = []byte(masker.Mask(string(text)))
		}
	}
	_, _ = p.Stderr.Write(text)
}

// An edit is a fix of a text.
type edit struct {
	src string
	fix *diag.Fix
}

// mostHidden is how often a text is read again for mistakes that others have hidden.
const mostHidden = 4

// fixed returns a text with the fixes that were taken, and then with those of what they hid.
func (p *Program) fixed(src string, in engine.Input) (string, []edit) {
	var edits []edit
	found := p.fixes
	for range mostHidden {
		if len(found) == 0 {
			break
		}
		fixes := together(found)
		next := diag.Fixed(src, fixes...)
		after, failed := findings(next, in)
		if len(fixes) > 1 && (failed != "" && failed != p.failed || hasCode(after, found)) {
			fixes = []*diag.Fix{found[len(found)-1].Fix} // that of an error, if there is one
			next = diag.Fixed(src, fixes...)
			after, _ = findings(next, in)
		}
		for _, f := range fixes {
			edits = append(edits, edit{src, f})
		}
		src, found = next, after
	}
	return src, edits
}

// together returns the fixes of several findings in their order, without those that an
// earlier one touches.
func together(found []diag.Diagnostic) []*diag.Fix {
	sorted := slices.SortedStableFunc(slices.Values(found), func(a, b diag.Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Fix.Span.Start, b.Fix.Span.Start), cmp.Compare(a.Fix.Span.End, b.Fix.Span.End))
	})
	var fixes []*diag.Fix
	for i := range sorted {
		f := sorted[i].Fix
		if n := len(fixes); n == 0 || *fixes[n-1] != *f && f.Span.Start >= fixes[n-1].Span.End {
			fixes = append(fixes, f)
		}
	}
	return fixes
}

// findings returns the doubts about a text, and its error, as far as they have fixes, and
// the code of the error.
func findings(text string, in engine.Input) (found []diag.Diagnostic, failed diag.Code) {
	result, err := engine.Parse(text, in)
	e, _ := errors.AsType[*engine.Error](err)
	var all diag.List
	if e != nil {
		failed, all = e.Code, append(e.Doubts, e.Diagnostic)
	} else {
		all = result.Warnings
	}
	for _, d := range all {
		if d.Fix != nil && (d.Level == diag.LevelDoubt || d.Severity == diag.SeverityError) && len(found) < mostFixes {
			found = append(found, d)
		}
	}
	return found, failed
}

// hasCode reports whether one list has a code of another.
func hasCode(list, codes []diag.Diagnostic) bool {
	return slices.ContainsFunc(list, func(d diag.Diagnostic) bool {
		return slices.ContainsFunc(codes, func(c diag.Diagnostic) bool { return c.Code == d.Code })
	})
}
