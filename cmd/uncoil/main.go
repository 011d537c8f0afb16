// Uncoil says which HTTP request a curl command would send.
//
// Run uncoil help for its subcommands.
//
// Built with -tags light it has all of them but serve in it, starts in less
// time, and runs uncoil-full for that one: the same program without the tag,
// which it expects beside itself.
package main

import (
	"os"

	"uncoil/internal/cli"
)

func main() { os.Exit(cli.Main(serve)) }
