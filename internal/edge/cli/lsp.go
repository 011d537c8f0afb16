package cli

import (
	"uncoil/internal/edge/lsp"
)

// lsp answers an editor on standard input and output.
func (p *Program) lsp(args []string) error {
	fs := NewFlags("lsp")
	advice := fs.Bool("advice", false, "show advice too, unless the editor's settings say otherwise")
	fs.Bool("stdio", true, "use standard input and output; there is no other way, and some editors say so")
	if err := p.ParseFlags(fs, args, &lspPage); err != nil {
		return err
	}
	if fs.NArg() > 0 {
		return &UsageError{"lsp takes no arguments", "uncoil lsp -h"}
	}
	return lsp.Serve(Version(), *advice, p.Stdin, p.Stdout)
}
