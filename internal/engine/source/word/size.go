package word

// The bytes that a reader pays to the meter for each value it keeps, besides
// texts.
const (
	Size        = 48 // of a Word
	HoleSize    = 72
	CommandSize = 56
)
