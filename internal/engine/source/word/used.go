package word

import (
	"strings"

	"uncoil/internal/engine/ascii"
)

// Used records the characters of plane 16 that texts from outside hold, or that
// curl's rules could make of them: by percent-decoding, by leaving out line
// breaks, or by joining what stood in two places. None of them may be a mark.
type Used struct {
	blocks *[MaxMarks/64 + 1]uint64 // bits, by block; nil: none
	tails  uint16                   // the blocks whose characters end in such a byte, by its bits 2 to 5
}

// Word records what the text of a word can become. Words are cut and joined, so a
// character may be made of bytes that are no character in their own text.
func (u *Used) Word(text string) { u.add(text, true) }

// Content records what the content of a file can become. It is only joined, so of
// the bytes that are no character only its first count.
func (u *Used) Content(text string) { u.add(text, false) }

// Merge adds what another has.
func (u *Used) Merge(other *Used) {
	u.tails |= other.tails
	switch {
	case u.blocks == nil:
		u.blocks = other.blocks
	case other.blocks != nil:
		for i, bits := range other.blocks {
			u.blocks[i] |= bits
		}
	}
}

func (u *Used) empty() bool { return u.blocks == nil && u.tails == 0 }

func (u *Used) has(block int) bool {
	return u.tails>>(block%16)&1 != 0 || u.blocks != nil && u.blocks[block/64]>>(block%64)&1 != 0
}

// add runs over the bytes of text as UTF-8.
func (u *Used) add(text string, cut bool) {
	if ascii.Only(text) && strings.IndexByte(text, '%') < 0 {
		return
	}
	var char rune // the bits of a character that was begun
	missing := 0  // how many of its bytes follow
	onlyStray := true
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '%' && i+2 < len(text) && ascii.IsHex(text[i+1]) && ascii.IsHex(text[i+2]) {
			c = byte(ascii.Hex(text[i+1])<<4 | ascii.Hex(text[i+2]))
			i += 2
		}
		switch {
		case c == '\r', c == '\n', c == 0: // which -d leaves out
			continue
		case c < 0x80:
			missing = 0
		case c >= 0xc0:
			char, missing = rune(c), utf8Length(c)-1
		case missing > 0:
			char = char<<6 | rune(c&0x3f)
			if missing--; missing == 0 {
				u.addCharacter(char)
			}
		case cut, onlyStray:
			u.tails |= 1 << (c >> 2 & 15)
			continue
		}
		onlyStray = false
	}
}

// utf8Length returns the length of a character by its first byte.
func utf8Length(lead byte) int {
	switch {
	case lead >= 0xf0:
		return 4
	case lead >= 0xe0:
		return 3
	}
	return 2
}

// addCharacter adds a character, given as the first byte and six bits of each
// other one.
func (u *Used) addCharacter(char rune) {
	const lead = MarkLead << 18
	block := (int(char) - lead) / codings
	if char < lead || block >= MaxMarks {
		return
	}
	if u.blocks == nil {
		u.blocks = new([MaxMarks/64 + 1]uint64)
	}
	u.blocks[block/64] |= 1 << (block % 64)
}
