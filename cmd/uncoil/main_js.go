package main

import (
	"os"

	"uncoil/internal/edge/cli"
)

// The npm package has this program for the subcommands that read files. JavaScript has
// no sockets to serve on.
func main() { os.Exit(cli.Main(serve)) }

func serve(p *cli.Program, args []string) error {
	if err := p.ParseFlags(cli.NewFlags("serve"), args, &cli.Page{}); err != nil {
		return err
	}
	return &cli.UsageError{Message: "there is no service in JavaScript"}
}
