package engine

import (
	"slices"

	"uncoil/diag"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source"
	"uncoil/internal/engine/source/quote"
)

// reread reads a text that curl refuses as it is meant, where that is certain:
// with the fix of the error, or with other quoting. The warnings say what was
// changed. Where curl refuses that too, the first error stands.
func (r *Result) reread(refused *Error, dialect source.Dialect, in *Input, c *conversion) *Error {
	first, fix := r.Warnings, r.meant
	if dialect == source.Cmd && r.readsSingleQuotes(in, c) {
		return nil
	}
	if fix != nil {
		reading := source.SplitFixed(r.source, dialect, *fix, in.Env, &c.meter)
		d := refused.Diagnostic
		d.Fix = fix
		d.Demote()
		if r.again(&reading, diag.List{d}, in, c) {
			return nil
		}
	}
	if refused.Code == diag.CodeNoURL || refused.Code == diag.CodeMissingArgument {
		for _, split := range [...]func(string, source.Dialect, map[string]string, *meter.Meter) (source.Reading, bool){source.SplitListed, source.SplitInterpolated} {
			if reading, ok := split(r.source, dialect, in.Env, &c.meter); ok && r.again(&reading, nil, in, c) {
				return nil
			}
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

// rereadForCmd reads a text for cmd.exe as if single quotes were quotes, where curl refuses
// one of the URLs that come of them, or takes words of an argument for URLs, and reports
// whether that gives an answer. Else the first reading stands.
func (r *Result) rereadForCmd(in *Input, c *conversion) bool {
	if !slices.ContainsFunc(r.Warnings, func(d diag.Diagnostic) bool {
		return d.Code == diag.CodeInvalidURL || d.Code == diag.CodeInvalidGlob || d.Code == diag.CodeUnsupportedScheme || d.Code == diag.WarnQuotesLost && len(r.Requests) > 1
	}) || !source.HasSingleQuotes(r.source, &c.meter) {
		return false
	}
	if r.readsSingleQuotes(in, c) {
		return true
	}
	reading := source.Split(r.source, source.Cmd, in.Env, &c.meter, nil)
	return r.again(&reading, nil, in, c)
}

// readsSingleQuotes reads a text for cmd.exe as if single quotes were quotes, and reports
// whether there are some and that gives an answer.
func (r *Result) readsSingleQuotes(in *Input, c *conversion) bool {
	reading, ok := source.SplitForCmd(r.source, in.Env, &c.meter, quote.DoubleQuoted)
	return ok && r.again(&reading, nil, in, c)
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
