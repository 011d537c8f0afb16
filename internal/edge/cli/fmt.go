package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"uncoil/diag"
	"uncoil/extract"
	"uncoil/internal/edge/switches"
	"uncoil/internal/engine/format"
	"uncoil/internal/engine/markup"
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
		return f.text("standard input", text, false)
	}
	if text := fs.Arg(0); fs.NArg() == 1 && strings.ContainsAny(text, " \t\n") && !isFile(text) {
		if f.write {
			return &UsageError{"-w needs the name of a file", "uncoil fmt -h"}
		}
		return f.text("the command", text, false)
	}
	for _, name := range fs.Args() {
		err := f.file(name)
		if errors.Is(err, errUnread) {
			f.failed = true // the other files are formatted
		} else if err != nil {
			return err
		}
	}
	if f.failed {
		return &UsageError{"some files were not read or written", ""}
	}
	return nil
}

type formatter struct {
	*Program
	write, list, diff bool
	shell             string
	failed            bool
}

// isFile reports whether there is something of this name.
func isFile(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// errUnread is the error of a file that was not read, or not written, which has been said.
var errUnread = errors.New("some files were not read")

// file formats one file.
func (f *formatter) file(name string) error {
	text, err := readWhole(name)
	if err == nil {
		return f.text(name, string(text), true)
	}
	f.complain(err.Error())
	return errUnread
}

// readWhole reads a regular file.
func readWhole(name string) ([]byte, error) {
	opened, _, err := openRegular(os.OpenFile, name)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	text, err := io.ReadAll(io.LimitReader(opened, maxCommand+1))
	if err == nil && len(text) > maxCommand {
		err = fmt.Errorf("%s is larger than %d bytes", name, maxCommand)
	}
	return text, err
}

// text formats one text, and replaces the file that has it, if it is one.
func (f *formatter) text(name, src string, isFile bool) error {
	out := src
	var left diag.List
	switch kind := f.kindOf(name, src, isFile); kind {
	case extract.Markdown, extract.RST, extract.AsciiDoc:
		formats := map[extract.Kind]markup.Format{extract.Markdown: markup.Markdown, extract.RST: markup.RST, extract.AsciiDoc: markup.AsciiDoc}
		out, left = format.Document(src, formats[kind])
	case extract.Script:
		out, left = format.Source(src, shellOf(name, f.shell))
	default:
		f.complain(name + " is left as it is: it is no shell script, and no document in Markdown, reStructuredText or AsciiDoc")
	}
	for i := range left {
		what := " is left as it is:"
		if left[i].Severity == diag.SeverityWarning {
			what = " has a block that is left as it is:"
		}
		f.complain(name + what)
		f.writeDiagnostic(&left[i], src)
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
	if f.write && changed && isFile {
		if err := replaceFile(name, []byte(src), []byte(out)); err != nil {
			f.complain(err.Error())
			return errUnread
		}
		return nil
	}
	if f.write || f.list || f.diff {
		return nil
	}
	_, err := f.Stdout.Write([]byte(out))
	return err
}

// kindOf returns what a text is read as: a script, or a document. What comes from standard
// input is a script, unless it has the fences of a document.
func (f *formatter) kindOf(name, src string, isFile bool) extract.Kind {
	fenced := strings.HasPrefix(src, "```") || strings.Contains(src, "\n```")
	kind := extract.Kind(extract.Auto)
	if isFile {
		kind = extract.KindOf(name)
	}
	base := strings.ToLower(filepath.Base(name))
	switch {
	case kind == extract.Script && (strings.HasSuffix(base, ".service") || strings.HasSuffix(base, ".cron") || strings.HasPrefix(base, "crontab")):
		return extract.Text // their lines do not go on as those of a shell do
	case strings.HasPrefix(src, "#!"), shells[path.Ext(base)] != "":
		return extract.Script
	case kind == extract.Auto && fenced && f.shell == "":
		return extract.Markdown
	case kind == extract.Auto && !isFile:
		return extract.Script
	}
	return kind
}

// shells are those of scripts by the ends of their names.
var shells = map[string]string{".bat": "cmd", ".cmd": "cmd", ".ps1": "powershell", ".psm1": "powershell"}

// shellOf returns the shell of a script: the one that was asked for, or that of its name.
func shellOf(name, asked string) string {
	base := strings.ToLower(filepath.Base(name))
	switch {
	case asked != "":
		return asked
	case shells[path.Ext(base)] != "":
		return shells[path.Ext(base)]
	case extract.KindOf(name) == extract.Script:
		return "posix"
	}
	return ""
}
