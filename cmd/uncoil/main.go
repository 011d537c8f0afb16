// Uncoil says which HTTP request a curl command would send.
//
// Run uncoil help for its subcommands.
package main

import (
	"os"

	"uncoil/internal/cli"
)

func main() { os.Exit(cli.Main()) }
