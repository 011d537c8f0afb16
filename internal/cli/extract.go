package cli

import (
	"bufio"

	"uncoil/extract"
	"uncoil/internal/jsontext"
)

const extractHelp = `Usage: uncoil extract [FILE | FOLDER | -]…

Finds the curl commands in documentation (Markdown, HTML), shell scripts and
histories, logs and notebooks, and writes a line for uncoil batch for each:
the member id has the file, the line and the column, and curl the command.

This subcommand and uncoil lint are the only ones that read the files which are
named as arguments. In a folder they leave out symbolic links, binary files,
files of more than 16 MiB, and folders named .git, node_modules and vendor.

Examples:

  uncoil extract docs/ | uncoil batch
  uncoil extract ~/.bash_history | uncoil batch -as parse
`

// extract writes the commands in files as lines of a batch.
func (p *Program) extract(args []string) error {
	fs := NewFlags("extract")
	if err := p.ParseFlags(fs, args, extractHelp); err != nil {
		return err
	}
	out := bufio.NewWriter(p.Stdout)
	var line []byte
	err := p.search(fs.Args(), func(name, _ string, commands []extract.Command) error {
		for i := range commands {
			c := &commands[i]
			id := jsontext.NewObject(nil)
			id.String("file", name)
			id.Int("line", int64(c.Line))
			id.Int("column", int64(c.Column))
			o := jsontext.NewObject(line[:0])
			o.Key("id")
			o.Dst = append(o.Dst, id.End()...)
			o.String("curl", c.Text)
			o.Optional("shell", c.Shell)
			line = append(o.End(), '\n')
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
