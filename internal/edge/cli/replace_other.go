//go:build !unix

package cli

import "os"

func hasOtherLinks(os.FileInfo) bool { return false }

func keepOwner(*os.File, os.FileInfo) bool { return false }

func ignoreFileSizeSignal() {}

func syncFolder(string) {}
