package api

import (
	"strings"

	"uncoil/internal/engine/ascii"
)

// maxNearName is how long a name may be that is compared with others.
const maxNearName = 40

// Near returns the name among others that is probably meant by one that is none of
// them, or "".
func Near(name string, names []string) string {
	if len(name) < 3 || len(name) > maxNearName {
		return ""
	}
	best, near := 3, "" // one more than the changes that a likely mistake takes
	for _, candidate := range names {
		if n := ascii.Edits(strings.ToLower(name), strings.ToLower(candidate)); n < best && n <= (len(candidate)+1)/3 {
			best, near = n, candidate
		}
	}
	return near
}

// Meant is the end of a message about a name that does not exist: the question whether
// another one is meant, or nothing.
func Meant(name string) string {
	if name == "" {
		return ""
	}
	return "; did you mean " + name + "?"
}

// nearestHint is the hint for a value that is none of some names.
func nearestHint(value string, names []string) string {
	if near := Near(value, names); near != "" {
		return "did you mean " + near + "?"
	}
	return "use one of these names"
}
