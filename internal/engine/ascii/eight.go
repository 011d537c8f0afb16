package ascii

// Ones has a one in each of eight bytes, and High the highest bit of each: with
// them, eight bytes of a text are looked at by one operation of a word.
//
// For bytes of ASCII, the high bit of each byte of x-n*Ones is set where the
// byte is below n. The lowest such byte is exact; its subtraction may borrow
// from those above.
const (
	Ones = 0x0101010101010101
	High = 0x80 * Ones
)

// Eight returns the first eight bytes of a text as a word, the first one lowest.
func Eight[T string | []byte](s T) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// Zeros has the high bit of the lowest of eight bytes that is zero, and perhaps others
// above it.
func Zeros(x uint64) uint64 { return (x - Ones) &^ x & High }

// Visible reports whether a text is ASCII without controls but DEL.
func Visible(s string) bool {
	if len(s) < 8 {
		for i := range len(s) {
			if s[i]-' ' >= 0x80-' ' {
				return false
			}
		}
		return true
	}
	for i := 0; i <= len(s)-8; i += 8 {
		if x := Eight(s[i : i+8]); (x|(x-' '*Ones))&High != 0 {
			return false
		}
	}
	x := Eight(s[len(s)-8:]) // some of these have been looked at
	return (x|(x-' '*Ones))&High == 0
}

// Only reports whether a text is ASCII.
func Only(s string) bool {
	if len(s) < 8 {
		all := byte(0)
		for i := range len(s) {
			all |= s[i]
		}
		return all < 0x80
	}
	for i := 0; i <= len(s)-8; i += 8 { // in this form, the compiler sees that no bound is exceeded
		if Eight(s[i:i+8])&High != 0 {
			return false
		}
	}
	return Eight(s[len(s)-8:])&High == 0 // some of these have been looked at
}
