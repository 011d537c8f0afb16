package word

import "uncoil/diag"

// MaxExpansion bounds how many bytes variables may add to a text, so that a
// few lines that double each other cannot fill the memory.
const MaxExpansion = 16 << 20

// TooLarge reports that the variables of a text add more than that.
func TooLarge(diags *diag.List, end int) {
	diags.Error(diag.CodeTooLarge, diag.Span{End: int32(end)},
		"the variables of the text stand for more text than is looked at", "pass the long value in a file")
}
