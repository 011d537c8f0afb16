package httpapi

import "runtime/debug"

// What things take in memory, measured and rounded up; docs/operations.md
// says how.
const (
	sizeOfProgram    = 48 << 20 // code, tables, pages, metrics, the runtime
	sizeOfConnection = 40 << 10 // buffers and stacks of one that has a request
	sizeOfBatch      = 512 << 10
)

// What one conversion may take: so many bytes for each byte of its content,
// and so many more. The meter holds it to that, in what the stages keep.
const (
	metered     = 16
	meteredBase = 16 << 20
	// Beside them stand the content, what is decoded of it, and the text that
	// a copy is made of.
	copies = 4
)

// MemoryBound returns how many bytes the service may take, whatever clients
// send: the sum of what each limit lets through.
func (c Config) MemoryBound() int64 {
	c = c.withDefaults()
	connection := int64(sizeOfConnection + 2*readHeaderBytes(c.MaxHeader))
	return sizeOfProgram +
		int64(c.MaxConnections)*connection +
		int64(c.MaxHeld) +
		int64(c.MaxBatches)*sizeOfBatch +
		int64(c.MaxConversions)*c.conversionBound(max(c.MaxBody, c.MaxLine)) +
		c.conversionBound(shortContent)
}

// conversionBound returns what a conversion of n bytes may take: what the meter
// lets it hold, and its answer, which is copied as it grows.
func (c Config) conversionBound(n int) int64 {
	held := int64(metered*n + meteredBase)
	if c.Command.Bytes > 0 {
		held = int64(c.Command.Bytes)
	}
	return held + int64(copies*n) + int64(c.MaxAnswer)*9/4
}

// memoryLimit returns the bound, or the goal of the garbage collector where an
// operator has set a lower one.
func (c Config) memoryLimit() int64 { return min(c.MemoryBound(), debug.SetMemoryLimit(-1)) }
