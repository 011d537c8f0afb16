// Package revise chooses which changes of a text are made: those with which the text, read
// again, keeps what it must.
package revise

// Choose returns which of n changes to make. Keeps reports whether the text with those that
// are chosen keeps what it must; each call of it costs a reading of the text. Where all
// together do not, halves of them are tried, and halves of these, up to so many tries. Then
// none are made.
func Choose(n, tries int, keeps func(chosen []bool) bool) []bool {
	c := choice{make([]bool, n), tries, keeps}
	if !c.among(0, n) {
		clear(c.chosen)
	}
	return c.chosen
}

type choice struct {
	chosen []bool
	tries  int
	keeps  func(chosen []bool) bool
}

// among chooses those from start to end, and reports whether there were tries enough.
func (c *choice) among(start, end int) bool {
	if start == end {
		return true
	}
	set := func(to bool) {
		for i := start; i < end; i++ {
			c.chosen[i] = to
		}
	}
	set(true)
	if c.tries--; c.tries < 0 {
		return false
	}
	if c.keeps(c.chosen) {
		return true
	}
	set(false)
	half := start + (end-start)/2
	return half == start || c.among(start, half) && c.among(half, end)
}
