package httpapi

import (
	"runtime/debug"

	"uncoil/internal/engine/meter"
)

// Memory of the parts of the service, measured and rounded up. The table in
// docs/operations.md lists them.
const (
	sizeOfProgram    = 48 << 20 // code, tables, pages, metrics, the runtime
	sizeOfConnection = 40 << 10 // buffers and stacks of a busy connection
	sizeOfBatch      = 512 << 10
)

// copies is how often the content itself is in memory beside what the meter counts: as read,
// as a string, decoded, and as the text of the command.
const copies = 4

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
	held := meter.LimitsFor(n, meter.Limits{Bytes: int64(c.Command.Bytes)}).Bytes
	return held + int64(copies*n) + int64(c.MaxAnswer)*9/4
}

// memoryLimit returns the bound, or the limit of the garbage collector if an
// operator has set a lower one.
func (c Config) memoryLimit() int64 { return min(c.MemoryBound(), debug.SetMemoryLimit(-1)) }
