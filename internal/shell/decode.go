package shell

import (
	"uncoil/diag"
	"uncoil/internal/shell/paste"
)

// Decode undoes what was done to a whole text before it was pasted, and
// returns what to read instead, or nil where nothing was: the text of a web
// page's source has its characters as HTML entities, and fish quotes unlike
// other shells, see [fromFish].
func Decode(src string, d Dialect, diags *diag.List) *paste.Rewriting {
	if w, what := paste.Unwrap(src); w != nil {
		diags.Warn(diag.WarnPastedNoise, diag.Span{End: int32(len(src))}, what, "")
		return w
	}
	if paste.IsEscapedHTML(src) {
		diags.Warn(diag.WarnPastedNoise, diag.Span{End: int32(len(src))},
			"the text is escaped as HTML, and was read unescaped", "copy the text from the page, not from its source")
		return paste.UnescapeHTML(src)
	}
	if isFish(src) && (d == POSIX || d == Auto && isPOSIX(src)) {
		diags.Warn(diag.WarnShellAmbiguous, diag.Span{End: int32(len(src))},
			`the text was read as a command for the fish shell, since \' stands between single quotes`,
			`in other shells, write '\'' for a single quote between single quotes`)
		return fromFish(src)
	}
	return nil
}

func isPOSIX(src string) bool {
	d, _ := detect(src)
	return d == POSIX
}
