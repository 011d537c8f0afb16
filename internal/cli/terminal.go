package cli

import "os"

// IsTerminal reports whether a stream, if it is a file at all, is one that a
// person sits at.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	// The null device is the one other character device that programs are
	// commonly started with.
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}
