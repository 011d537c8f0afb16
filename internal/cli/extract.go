package cli

import (
	"bufio"

	"uncoil/extract"
	"uncoil/internal/jsontext"
)

// extract writes the commands in files as lines of a batch.
func (p *Program) extract(args []string) error {
	fs := NewFlags("extract")
	if err := p.ParseFlags(fs, args, &extractPage); err != nil {
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
