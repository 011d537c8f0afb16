// Release makes of the programs that deploy/dist.sh has built what people
// install: archives, packages for Debian and Fedora, a formula for Homebrew, a
// manifest for Scoop, lists of what is inside (SBOM), and checksums. It is a
// module of its own, so that its libraries are not those of uncoil.
//
//	go run . -url https://downloads.example.com/uncoil/v1.2.3 FOLDER
//
// The folder has the programs uncoil-OS-ARCH[.exe], manual pages in man, and
// completions in completions. The same programs give the same bytes.
package main
