package word

// What readers keep in memory, beside texts, for each thing that they find:
// what they pay for it to the meter.
const (
	Size        = 48 // of a Word
	HoleSize    = 64
	CommandSize = 48
)
