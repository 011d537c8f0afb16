package paste

import "strings"

// StandsForBackslash reports whether a word at the end of a line may be there in place of the
// backslash that joins the line to the next: a slash, or a backslash that was escaped for a
// string of another language. As a URL curl refuses both.
func StandsForBackslash(word string) bool { return word == "/" || word == `\\` }

// LineText returns the length of the text of a line without the blanks at its end, and
// without the word there that stands for a backslash, if one does.
func LineText(line string) (n int, slipped bool) {
	text := strings.TrimRight(line, " \t\r")
	for _, size := range [...]int{1, 2} {
		at := len(text) - size
		if at >= 0 && StandsForBackslash(text[at:]) && (at == 0 || strings.IndexByte(" \t\n", text[at-1]) >= 0) {
			return len(strings.TrimRight(text[:at], " \t\r")), true
		}
	}
	return len(text), false
}
