package curl

import (
	"strings"

	"uncoil/internal/engine/placeholder"
	"uncoil/internal/engine/source/word"
)

// AnyPlaceholder reports whether some argument holds what looks like a placeholder in a host
// or a port.
func (in *Inputs) AnyPlaceholder(args []word.Word) bool {
	for i := range args {
		text := args[i].Text
		if !in.Meter.Work(len(text) + 1) {
			return false
		}
		if HoldsPlaceholder(text) || strings.Contains(in.Raw(args[i].Span), `\$`) {
			return true
		}
	}
	return false
}

// HoldsPlaceholder reports whether an argument, before its first path, holds what looks like
// a placeholder for a host or a port.
func HoldsPlaceholder(text string) bool {
	if n := strings.Index(text, "://"); n >= 0 {
		text = text[n+len("://"):]
	}
	for i := 0; i < len(text) && text[i] != '/'; i++ {
		if placeholder.Length(text[i:]) > 0 || placeholder.HostLength(text[i:]) > 0 || i > 0 && text[i-1] == ':' && placeholder.PortLength(text[i:]) > 0 {
			return true
		}
	}
	return false
}
