package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/rogpeppe/go-internal/diff"

	"uncoil/internal/edge/switches"
	"uncoil/internal/engine/format"
)

// format lays out the commands of standard input, or of files.
func (p *Program) format(args []string) error {
	f := formatter{Program: p}
	fs := NewFlags("fmt")
	fs.BoolVar(&f.write, "w", false, "write the result to the file instead of standard output")
	fs.BoolVar(&f.list, "l", false, "list the files whose layout differs")
	fs.BoolVar(&f.diff, "d", false, "show the changes instead of the result")
	fs.Func("shell", "`S`: auto, posix, cmd or powershell", func(s string) error {
		f.shell = switches.Lookup("shell").Typed(s)
		if !slices.Contains([]string{"auto", "posix", "cmd", "powershell"}, f.shell) {
			return errors.New("must be auto, posix, cmd or powershell")
		}
		return nil
	})
	if err := p.ParseFlags(fs, args, &formatPage); err != nil {
		return err
	}
	if fs.NArg() == 0 {
		if f.write {
			return &UsageError{"-w needs the name of a file", "uncoil fmt -h"}
		}
		text, err := p.commandText("fmt", nil)
		if err != nil {
			return err
		}
		return f.text("standard input", text, nil)
	}
	for _, name := range fs.Args() {
		err := f.file(name)
		if errors.Is(err, errReported) {
			f.failed = true // the other files are formatted
		} else if err != nil {
			return err
		}
	}
	if f.failed {
		return errReported
	}
	return nil
}

type formatter struct {
	*Program
	write, list, diff bool
	shell             string
	failed            bool
}

// file formats one file.
func (f *formatter) file(name string) error {
	opened, info, err := openRegular(os.OpenFile, name)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(io.LimitReader(opened, maxCommand+1))
	_ = opened.Close()
	if err != nil {
		return err
	}
	if len(text) > maxCommand {
		return fmt.Errorf("%s is larger than %d bytes", name, maxCommand)
	}
	return f.text(name, string(text), info)
}

// text formats one text, and replaces the file that has it, if it is one.
func (f *formatter) text(name, src string, file os.FileInfo) error {
	out, diags := format.Source(src, f.shell)
	if d := diags.Err(); d != nil {
		f.complain(name + ":")
		f.writeDiagnostic(d, d.AppendText(nil, src))
		return errReported
	}
	changed := out != src
	if f.list && changed {
		if _, err := fmt.Fprintln(f.Stdout, name); err != nil {
			return err
		}
	}
	if f.diff && changed {
		if _, err := f.Stdout.Write(diff.Diff(name+".orig", []byte(src), name, []byte(out))); err != nil {
			return err
		}
	}
	if f.write && changed {
		return replaceFile(name, file, []byte(out))
	}
	if f.write || f.list || f.diff {
		return nil
	}
	_, err := f.Stdout.Write([]byte(out))
	return err
}
