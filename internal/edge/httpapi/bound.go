package httpapi

import "runtime/debug"

// Memory of the parts of the service, measured and rounded up. The table in
// docs/operations.md lists them.
const (
	sizeOfProgram    = 48 << 20 // code, tables, pages, metrics, the runtime
	sizeOfConnection = 40 << 10 // buffers and stacks of a busy connection
	sizeOfBatch      = 512 << 10
)

// The meter limits what the stages of a conversion hold to metered bytes for
// each byte of content, plus meteredBase.
const (
	metered     = 16
	meteredBase = 16 << 20
	// copies is how often the content itself is in memory beside that: as read,
	// as a string, decoded, and as the text of the command.
	copies = 4
)

// MemoryBound returns the most bytes that the service takes, whatever clients
// send: the sum over all limits.
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

// conversionBound returns the most bytes that a conversion of n bytes takes:
// what the meter allows, and the answer, which is copied when it grows.
func (c Config) conversionBound(n int) int64 {
	held := int64(metered*n + meteredBase)
	if c.Command.Bytes > 0 {
		held = int64(c.Command.Bytes)
	}
	return held + int64(copies*n) + int64(c.MaxAnswer)*9/4
}

// memoryLimit returns the bound, or the limit of the garbage collector if an
// operator has set a lower one.
func (c Config) memoryLimit() int64 { return min(c.MemoryBound(), debug.SetMemoryLimit(-1)) }
