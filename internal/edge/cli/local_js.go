package cli

// What talks to others is for the program itself: without it, what the npm package
// carries is two thirds of the size.

func (p *Program) mcp(args []string) error { return p.notHere("mcp", &mcpPage, args) }

func (p *Program) health(args []string) error { return p.notHere("health", &healthPage, args) }

// changedLines are never known here: git is a program.
type changedLines struct{}

func linesSince(string) (changedLines, error) {
	return changedLines{}, &UsageError{Message: "-since is not for JavaScript"}
}

func (changedLines) of(string) func(first, last int) bool { return nil }

func (p *Program) notHere(name string, page *Page, args []string) error {
	if err := p.ParseFlags(NewFlags(name), args, page); err != nil {
		return err
	}
	return &UsageError{Message: "uncoil " + name + " is not for JavaScript"}
}

// trackedBelow knows of no file here: git is a program.
func trackedBelow(string) map[string]bool { return nil }
