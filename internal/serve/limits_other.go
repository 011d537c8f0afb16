//go:build !unix

package serve

// maxFiles is not known here.
func maxFiles() uint64 { return 0 }
