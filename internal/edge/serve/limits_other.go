//go:build !unix

package serve

// maxFiles returns 0, because the limit of open files is unknown.
func maxFiles() uint64 { return 0 }
