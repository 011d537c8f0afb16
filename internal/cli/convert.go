package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"

	"uncoil"
	"uncoil/diag"
	"uncoil/internal/api"
)

// convert writes the four members.
func (p *Program) convert(args []string) error {
	return p.answer("convert", api.AsConvert, convertHelp, args)
}

// parse writes the full description.
func (p *Program) parse(args []string) error {
	return p.answer("parse", api.AsParse, parseHelp, args)
}

// answer reads the flags and the command of convert and parse, which are the
// same, and answers.
func (p *Program) answer(name string, as api.As, help string, args []string) error {
	var req api.Request
	files, variables := make(map[string][]byte), make(map[string]string)
	req.Files, req.Env = files, variables
	fs := NewFlags(name)
	fs.Func("shell", "how the command is quoted: `S` is auto, posix, cmd or powershell (default auto)", func(s string) error {
		if req.Shell = s; !api.ValidShell(s) {
			return errors.New("must be auto, posix, cmd or powershell")
		}
		return nil
	})
	fs.Var(pairs{"PATH", func(name, path string) error {
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files[name] = content
		return nil
	}}, "file", "the file that the command calls NAME is at PATH, as `NAME=PATH`; may be repeated")
	dir := fs.String("files", "", "read the files that the command names below `DIR`, and no others")
	fs.Var(pairs{"VALUE", func(name, value string) error {
		variables[name] = value
		return nil
	}}, "env", "set a shell variable that the command uses, as `NAME=VALUE`; may be repeated")
	if err := p.ParseFlags(fs, args, help); err != nil {
		return err
	}

	var err error
	if req.Curl, err = p.commandText(name, fs.Args()); err != nil {
		return err
	}
	if *dir != "" {
		if err := p.supplyFiles(&req, as, *dir); err != nil {
			return err
		}
	}
	return p.write(req.AppendAnswer(nil, as))
}

// maxCommand bounds a command that is read from standard input.
const maxCommand = 64 << 20

// commandText returns the command from the arguments, or from standard input
// where they have none or -.
func (p *Program) commandText(name string, args []string) (string, error) {
	help := "uncoil " + name + " -h"
	switch {
	case len(args) > 1 && args[0] == "curl":
		return "", &UsageError{"the command must be one argument: quote it, or write uncoil curl …", help}
	case len(args) > 1:
		return "", &UsageError{"the command must be one argument, after the flags", help}
	case len(args) == 1 && args[0] != "-":
		return args[0], nil
	case len(args) == 0 && IsTerminal(p.Stdin):
		return "", &UsageError{"there is no command", help}
	}
	text, err := io.ReadAll(io.LimitReader(p.Stdin, maxCommand+1))
	if err != nil {
		return "", err
	}
	if len(text) > maxCommand {
		return "", errors.New("the command on standard input is too long")
	}
	return string(text), nil
}

// bare converts a command that the shell has split already. It takes no
// flags, for all that follows is curl's.
func (p *Program) bare(args []string) error {
	req := api.Request{Curl: uncoil.QuoteArgs(args)}
	req.Shell = "posix"
	out, err := req.AppendAnswer(nil, api.AsConvert)
	if e, ok := errors.AsType[*uncoil.Error](err); ok && e.Code == diag.CodeStdinNotSupplied {
		// Standard input is the command's, as it would be curl's.
		if req.Stdin, err = io.ReadAll(p.Stdin); err != nil {
			return err
		}
		out, err = req.AppendAnswer(nil, api.AsConvert)
	}
	return p.write(out, err)
}

// write writes an answer, or the error in its place.
func (p *Program) write(answer []byte, err error) error {
	if e, ok := errors.AsType[*uncoil.Error](err); ok {
		_, _ = p.Stderr.Write(e.AppendReport(nil))
		return errReported
	}
	if err != nil {
		return err
	}
	if IsTerminal(p.Stdout) {
		var b bytes.Buffer
		if err := json.Indent(&b, answer, "", "  "); err != nil {
			return err
		}
		answer = b.Bytes()
	}
	_, err = p.Stdout.Write(append(answer, '\n'))
	return err
}
