// Uncoil tells which HTTP request a curl command sends.
//
// Run uncoil help for its subcommands.
package main

import (
	"os"

	"uncoil/internal/cli"
	"uncoil/internal/serve"
)

func main() { os.Exit(cli.Main(serve.Serve)) }
