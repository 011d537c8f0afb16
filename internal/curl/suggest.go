package curl

import "strings"

// Suggest returns the long name that an unknown long name was most likely
// meant to be, or "". An abbreviation that older versions of curl took is
// completed when it is clear.
func Suggest(name string) string {
	if len(name) > 2*maxLongName {
		return "" // no typo of any name
	}
	name = strings.ToLower(name)
	best, bestDistance := "", 1+len(name)/3
	completed := ""
	for i := range table {
		long := table[i].Long
		if len(name) >= 3 && strings.HasPrefix(long, name) {
			if completed == "" || len(long) < len(completed) {
				completed = long
			}
		}
		if d := distance(name, long, bestDistance); d < bestDistance {
			best, bestDistance = long, d
		}
	}
	if completed != "" {
		return completed
	}
	return best
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
