package cli

import (
	"bufio"

	"uncoil/internal/edge/batch"
	"uncoil/internal/edge/gitignore"
	"uncoil/internal/edge/lint"
)

// extract writes the commands in files as lines of a batch.
func (p *Program) extract(args []string) error {
	fs := NewFlags("extract")
	var excluded gitignore.Patterns
	fs.Func("exclude", "`PATTERN`: leave out files and folders, as a line of .gitignore does; may be repeated", excluded.Add)
	if err := p.ParseFlags(fs, args, &extractPage); err != nil {
		return err
	}
	out := bufio.NewWriter(p.Stdout)
	var line []byte
	files, commands := 0, 0
	err := p.search(fs.Args(), excluded, nil, func(f *lint.File) error {
		files, commands = files+1, commands+len(f.Commands)
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
	if commands == 0 {
		p.complain("0 commands in " + count(files, "file"))
	}
	return out.Flush()
}
