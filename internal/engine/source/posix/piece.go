package posix

import "strings"

// nothingFollows reports whether a piece of a script ends with the operator of n
// bytes here, and steps to its end if so.
func (r *reader) nothingFollows(n int) bool {
	if !r.piece || strings.TrimLeft(r.src[r.i+n:r.end], " \t\r\n\\") != "" {
		return false
	}
	r.i = r.end
	return true
}

// loose steps over what belongs to commands that begin before a piece of a
// script: operators, parentheses, and words such as then and done. It reports
// whether no command stands after them on the line.
func (r *reader) loose() (alone bool) {
	skipped := false
	for r.pay(1) {
		switch word := r.keyword(); {
		case r.i >= r.end || r.src[r.i] == '\n':
			return skipped
		case strings.IndexByte(");&|", r.src[r.i]) >= 0:
			r.i++
		case word == "then" || word == "else" || word == "elif" || word == "fi" || word == "do" || word == "done" || word == "esac" || word == "}":
			r.i += len(word)
		case skipped && beginsOption(r.src[r.i:r.end]):
			r.unexpected(r.i, "an option is no command")
			return true
		default:
			return false
		}
		skipped = true
		r.blanks()
	}
	return true
}
