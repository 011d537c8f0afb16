package curl

import "strings"

// Evidence is what follows an unknown option: it shows whether the option was
// meant to take an argument.
type Evidence uint8

// The kinds of evidence.
const (
	Unclear    Evidence = iota
	Argument            // neither an option nor a URL, or "="
	NoArgument          // the end of the command, or another option
)

// suggestWork is the cost of Suggest, which compares all names.
const suggestWork = 8192

// Suggest returns the long name that an unknown long name was most likely
// meant to be, or "". An abbreviation that older versions of curl took is
// completed when it is clear. Of names that are equally near, the one that
// fits the evidence wins.
func Suggest(name string, evidence Evidence) string {
	if len(name) > 2*maxLongName {
		return "" // too long for a typo of any name
	}
	name = strings.ToLower(name)
	fits := func(o *Option) bool {
		return evidence == Unclear || o.TakesArgument() == (evidence == Argument)
	}
	var best, completed *Option
	limit := 1 + len(name)/3 // for the distance of best
	for i := range table {
		o := &table[i]
		if len(name) >= 3 && strings.HasPrefix(o.Long, name) &&
			(completed == nil || fits(o) && !fits(completed) || fits(o) == fits(completed) && len(o.Long) < len(completed.Long)) {
			completed = o
		}
		// An equal distance is enough where it fits better.
		most := limit
		if best != nil && fits(o) && !fits(best) {
			most++
		}
		if d := distance(name, o.Long, most); d < most {
			best, limit = o, d
		}
	}
	switch {
	case completed != nil:
		return completed.Long
	case best != nil:
		return best.Long
	}
	return ""
}

// distance returns the number of inserted, removed, changed or swapped bytes
// between a and b, or some number not below limit when it is that large.
func distance(a, b string, limit int) int {
	if d := len(a) - len(b); d >= limit || -d >= limit {
		return limit
	}
	var rows [3][2*maxLongName + 2]int
	before, previous, current := &rows[0], &rows[1], &rows[2]
	for j := 0; j <= len(b); j++ {
		previous[j] = j
	}
	for i := 1; i <= len(a); i++ {
		current[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			current[j] = min(previous[j]+1, current[j-1]+1, previous[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				current[j] = min(current[j], before[j-2]+1)
			}
		}
		before, previous, current = previous, current, before
	}
	return previous[len(b)]
}
