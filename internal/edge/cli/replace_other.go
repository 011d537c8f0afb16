//go:build !unix

package cli

import "os"

func hasOtherLinks(os.FileInfo) bool { return false }

func keepOwner(*os.File, os.FileInfo) bool { return false }

func ignoreFileSizeSignal() {}

// endings are the signals that end a process while it works.
var endings = []os.Signal{os.Interrupt}

func end(os.Signal) { os.Exit(1) }

func syncFolder(string) {}
