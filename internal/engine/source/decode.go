package source

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/paste"
)

// Decode undoes what was done to a whole text before it was pasted, and
// returns what to read instead, or nil where nothing was.
func Decode(src string, m *meter.Meter, diags *diag.List) *paste.Rewriting {
	if w, what := paste.Unwrap(src, m); w != nil {
		diags.Warn(diag.WarnPastedNoise, diag.Span{End: int32(len(src))}, what, "")
		return w
	}
	if strings.HasPrefix(strings.TrimLeft(src, " \t\r\n"), "curl&nbsp;") {
		diags.Warn(diag.WarnPastedNoise, diag.Span{End: int32(len(src))}, "the blanks of the text are &nbsp;, as HTML source has them, and were read as blanks", "copy the text from the page, not from its source")
		return paste.UnescapeBlanks(src, m)
	}
	if w := paste.WithoutErrorRecords(src, m, diags); w != nil {
		return w
	}
	if paste.IsEscapedHTML(src) {
		diags.Warn(diag.WarnPastedNoise, diag.Span{End: int32(len(src))},
			"the text is escaped as HTML, and was read unescaped", "copy the text from the page, not from its source")
		return paste.UnescapeHTML(src, m)
	}
	return nil
}
