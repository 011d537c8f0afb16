package httpapi

import "runtime/debug"

// What things take in memory, measured and rounded up; docs/operations.md
// says how.
const (
	sizeOfProgram    = 48 << 20 // code, tables, pages, metrics, the runtime
	sizeOfConnection = 40 << 10 // buffers and stacks of one that has a request
	sizeOfBatch      = 512 << 10
	sizeOfTextByte   = 192 // what a conversion takes for a byte of its text
	sizeOfBudgetByte = 10  // and for one that files, variables and globs add
)

// MemoryBound returns how many bytes the service may take, whatever clients
// send: the sum of what each limit lets through. Serve keeps to it where the
// collector of garbage does, for which it is a goal (debug.SetMemoryLimit).
func (c Config) MemoryBound() int64 {
	c = c.withDefaults()
	connection := int64(sizeOfConnection + 2*readHeaderBytes(c.MaxHeader))
	conversion := sizeOfTextByte*int64(max(c.MaxBody, c.MaxLine)) + sizeOfBudgetByte*int64(c.Command.Bytes)
	return sizeOfProgram +
		int64(c.MaxConnections)*connection +
		int64(c.MaxHeld) +
		int64(c.MaxBatches)*sizeOfBatch +
		int64(c.MaxConversions)*conversion
}

// memoryLimit returns the goal of the garbage collector where that is lower,
// because an operator has set it, and else the bound.
func (c Config) memoryLimit() int64 { return min(c.MemoryBound(), debug.SetMemoryLimit(-1)) }
