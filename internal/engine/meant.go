package engine

import (
	"slices"

	"uncoil/diag"
	"uncoil/internal/engine/source"
)

// reread reads a text that curl refuses as it is meant, where that is certain:
// with the fix of the error, or with other quoting. The warnings say what was
// changed. Where curl refuses that too, the first error stands.
func (r *Result) reread(refused *Error, dialect source.Dialect, in *Input, c *conversion) *Error {
	first := r.Warnings
	if fix := r.meant; fix != nil {
		reading := source.SplitFixed(r.source, dialect, *fix, in.Env, &c.meter)
		d := refused.Diagnostic
		d.Fix = fix
		d.Demote()
		if r.again(&reading, diag.List{d}, in, c) {
			return nil
		}
	}
	switch refused.Code {
	case diag.CodeInvalidGlob, diag.CodeInvalidURL, diag.CodeNoURL, diag.CodeUnknownOption, diag.CodeMissingArgument, diag.CodeUnsupportedScheme, diag.CodeInternationalHost:
		if reading, ok := source.SplitMisquoted(r.source, dialect, in.Env, &c.meter); ok && r.again(&reading, nil, in, c) {
			return nil
		}
	}
	r.Warnings, r.Requests, r.Uses = first, nil, nil
	if c.meter.Over() {
		return r.Fail(c.meter.Diagnostic(refused.Span))
	}
	return refused
}

// again takes another reading of the text through the stages, and reports
// whether it gives an answer.
func (r *Result) again(reading *source.Reading, said diag.List, in *Input, c *conversion) bool {
	r.forget()
	if reading.Diags.Err() != nil || c.meter.Over() {
		return false
	}
	r.Warnings = slices.Concat(said, reading.Diags)
	return r.run(reading.Commands, in, c) == nil && r.failed == nil
}
