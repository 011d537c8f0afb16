// Package lazy compiles regular expressions when they are used first, so that a start of the
// program does not pay for those of other subcommands.
package lazy

import (
	"regexp"
	"sync"
)

var all []func() *regexp.Regexp

// Regexp returns a function for a regular expression, which is compiled at its first call and
// panics if it is malformed. It is for variables of packages: MustCompile compiles them all.
func Regexp(source string) func() *regexp.Regexp {
	r := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(source) })
	all = append(all, r)
	return r
}

// MustCompile compiles all regular expressions of the program. It is for tests.
func MustCompile() {
	for _, r := range all {
		r()
	}
}
