package cli

import (
	"bufio"

	"uncoil/internal/edge/batch"
	"uncoil/internal/edge/lint"
)

// extract writes the commands in files as lines of a batch.
func (p *Program) extract(args []string) error {
	fs := NewFlags("extract")
	var excluded patterns
	fs.Func("exclude", "`PATTERN`: leave out files and folders, as a line of .gitignore does; may be repeated", excluded.add)
	if err := p.ParseFlags(fs, args, &extractPage); err != nil {
		return err
	}
	out := bufio.NewWriter(p.Stdout)
	var line []byte
	err := p.search(fs.Args(), excluded, func(f *lint.File) error {
		for i := range f.Commands {
			line = batch.AppendCommand(line[:0], f.Name, &f.Commands[i])
			if _, err := out.Write(line); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		_ = out.Flush()
		return err
	}
	return out.Flush()
}
