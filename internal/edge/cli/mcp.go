//go:build !js

package cli

import (
	"context"

	"uncoil/internal/edge/api"
	"uncoil/internal/edge/batch"
	"uncoil/internal/edge/mcp"
)

// mcp answers an agent on standard input and output.
func (p *Program) mcp(args []string) error {
	fs := NewFlags("mcp")
	if err := p.ParseFlags(fs, args, &mcpPage); err != nil {
		return err
	}
	if fs.NArg() > 0 {
		return &UsageError{"mcp takes no arguments", "uncoil mcp -h"}
	}
	return mcp.Serve(context.Background(), Version(), p.Stdin, p.Stdout,
		func(_ context.Context, arguments string, as api.As) ([]byte, error) {
			limits := batch.Limits
			limits.Warnings = true
			return limits.Answer(arguments, as)
		})
}
