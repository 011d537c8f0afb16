// Package regexp takes the place of the standard library's in the build for
// the browser. The bash parser compiles two expressions when it starts, for
// its printer, which the engine does not use; the real package would be a
// fourteenth of the download.
package regexp

// A Regexp is an expression that is never matched.
type Regexp struct{}

// MustCompile accepts every expression.
func MustCompile(string) *Regexp { return new(Regexp) }

const leftOut = "regexp: left out of the build for the browser"

// The methods that the bash parser's printer calls.

func (*Regexp) FindSubmatch([]byte) [][]byte { panic(leftOut) }
func (*Regexp) MatchString(string) bool      { panic(leftOut) }
