package contract

import (
	"uncoil/internal/edge/lazy"
	"uncoil/internal/engine/placeholder"
)

// standIns are what stands for a value beside the placeholders of all documentation: a
// variable of a shell or what a command prints; anything between braces or angle brackets;
// [id] and :id that are the whole; example- and the like. A value that may be none of the
// document's is no finding, so this takes more than a command is changed for.
var standIns = lazy.Regexp(`\$[A-Za-z_{(]|` + "`[^`]+`" + `|%[A-Za-z_]\w*%|\{[^{}"]*\}|<[^<>"]+>|^\[[^\]]*\]$|^:[A-Za-z]` +
	`|(?i:\byour[-_ ]|\bmy[-_](?:api|access|key|token)|\bx{3,}\b|\bexample[-_]|^replace)`)

// isPlaceholder reports whether a text stands for one that somebody is to put in, or
// that only a shell would know.
func isPlaceholder(s string) bool {
	const longest = 4096 // no placeholder stands in a text that is longer
	return len(s) <= longest && (placeholder.Elides(s) || standIns().MatchString(s) || placeholder.IsCapitals(s))
}
