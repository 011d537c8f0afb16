package word

// Text returns buf as a string, without a copy where the source spells it the
// same, bare or in one pair of quotes.
func Text(source string, buf []byte) string {
	if n := len(source); n == len(buf)+2 {
		source = source[1 : n-1]
	}
	if source == string(buf) {
		return source
	}
	return string(buf)
}
