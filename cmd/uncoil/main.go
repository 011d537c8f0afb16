//go:build !js

// Uncoil prints the HTTP request that a curl command sends.
//
// Run uncoil help for its subcommands.
package main

import (
	"os"

	"uncoil/internal/edge/cli"
	"uncoil/internal/edge/serve"
)

func main() { os.Exit(cli.Main(serve.Serve)) }
