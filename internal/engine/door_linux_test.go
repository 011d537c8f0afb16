package engine_test

import (
	"errors"
	"math"
	"syscall"
	"testing"
	"unsafe"

	"uncoil/diag"
	"uncoil/internal/engine"
)

// A text too large for the offsets of a span is an error. Its memory is never
// touched, so that it takes none.
func TestTextOver2GiB(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("no text can be that long")
	}
	const size = math.MaxInt32 + 1
	data, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ, syscall.MAP_PRIVATE|syscall.MAP_ANON|syscall.MAP_NORESERVE)
	if err != nil {
		t.Skip(err)
	}
	defer func() { _ = syscall.Munmap(data) }()
	_, err = engine.Parse(unsafe.String(&data[0], size), engine.Input{})
	var e *engine.Error
	if !errors.As(err, &e) || e.Code != diag.CodeTooLarge {
		t.Errorf("got %v", err)
	}
}
