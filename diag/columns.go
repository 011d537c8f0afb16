package diag

import "unicode"

// wide are the letters that take two columns of a terminal: those that Unicode calls wide or
// fullwidth (UAX #11), a block at a time.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x1100, 0x115f, 1}, {0x2e80, 0x303e, 1}, {0x3041, 0x33ff, 1}, {0x3400, 0x4dbf, 1}, {0x4e00, 0xa4cf, 1}, {0xa960, 0xa97c, 1},
		{0xac00, 0xd7a3, 1}, {0xf900, 0xfaff, 1}, {0xfe30, 0xfe6b, 1}, {0xff01, 0xff60, 1}, {0xffe0, 0xffe6, 1},
	},
	R32: []unicode.Range32{
		{0x16fe0, 0x18cff, 1}, {0x1b000, 0x1b2ff, 1}, {0x1f300, 0x1f64f, 1}, {0x1f680, 0x1f6ff, 1}, {0x1f900, 0x1f9ff, 1},
		{0x1fa70, 0x1faff, 1}, {0x20000, 0x3fffd, 1},
	},
}

// columnsOf returns how many columns of a terminal a character takes, as AppendPrintable
// writes it.
func columnsOf(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case r == '\u200c', r == '\u200d', unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case unicode.Is(wide, r):
		return 2
	}
	return 1
}
