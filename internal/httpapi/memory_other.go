//go:build !linux

package httpapi

// openMemory returns nil: what Go has from the system is among its own
// metrics, and there is no more to be had without a library.
func openMemory() func() float64 { return nil }
