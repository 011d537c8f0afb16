package contract

import (
	"regexp"
	"strings"
)

// placeholders are the ways to say that a value belongs somewhere: a variable of a
// shell or what a command prints; {id}, <id>, [id], :id; YOUR_KEY; an ellipsis.
var placeholders = regexp.MustCompile(`\$[A-Za-z_{(]|` + "`[^`]+`" + `|%[A-Za-z_]\w*%|\{[^{}"]*\}|<[^<>"]+>|\.\.\.|…|^\[[^\]]*\]$|^:[A-Za-z]` +
	`|(?i:\byour[-_ ]|\bmy[-_](?:api|access|key|token)|\bx{3,}\b|\bexample[-_]|^replace)`)

// capitals are a name that stands for a value, as API_KEY does, and a value of an enum
// that is written so.
var capitals = regexp.MustCompile(`^[A-Z][A-Z0-9]*(?:[-_][A-Z0-9]+)+$`)

// isPlaceholder reports whether a text stands for one that somebody is to put in, or
// that only a shell would know.
func isPlaceholder(s string) bool {
	const longest = 4096 // no placeholder stands in a text that is longer
	return len(s) <= longest && (placeholders.MatchString(s) || capitals.MatchString(s))
}

// isElided reports whether a name or a text says that something is left out.
func isElided(s string) bool {
	return strings.Contains(s, "...") || strings.Contains(s, "…")
}
