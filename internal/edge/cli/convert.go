package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"uncoil/code"
	"uncoil/diag"
	"uncoil/internal/edge/api"
	"uncoil/internal/edge/suffix"
	"uncoil/internal/edge/switches"
	"uncoil/internal/engine"
	"uncoil/internal/engine/redact"
)

// convert writes the four members.
func (p *Program) convert(args []string) error {
	return p.answer("convert", api.AsConvert, &convertPage, args)
}

// parse writes the full description.
func (p *Program) parse(args []string) error {
	return p.answer("parse", api.AsParse, &parsePage, args)
}

// explain writes what each option of a command does, and did.
func (p *Program) explain(args []string) error {
	return p.answer("explain", api.AsExplain, &explainPage, args)
}

// A question is what the flags of convert, parse and code ask for.
type question struct {
	input engine.Input
	want  api.Want
	dir   string // in which files may be read
	quiet bool
	json  bool   // explain answers in JSON
	out   string // the file for the answer; "" for standard output
	// failOnDoubt makes a doubt an error.
	failOnDoubt bool
}

func newQuestion(as api.As) question {
	return question{
		input: engine.Input{Files: make(map[string][]byte), Env: make(map[string]string), Now: time.Now(), PublicSuffix: suffix.Public},
		want:  api.Want{As: as},
	}
}

// inputFlags adds the flags of what goes with the text.
func (q *question) inputFlags(p *Program, fs *flag.FlagSet) {
	switchFlags(fs, &q.want, &q.input, switches.Reading)
	fs.Var(pairs{"PATH", func(name, path string) error {
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		q.input.Files[name] = content
		return nil
	}}, "file", "`NAME=PATH`: read the file NAME of the command from PATH; may be repeated")
	fs.Func("stdin", "`FILE`: what the command reads from standard input", func(path string) (err error) {
		if path == "-" {
			q.input.Stdin, err = io.ReadAll(p.Stdin)
			return err
		}
		q.input.Stdin, err = os.ReadFile(path)
		return err
	})
	fs.StringVar(&q.dir, "files", "", "`DIR`: read files that the command names, below DIR only")
	fs.Func("env", "`NAME=VALUE`: set a shell variable, NAME alone to that of the environment; may be repeated", func(text string) error {
		return q.setVariable(p, text)
	})
	fs.Func("env-file", "`FILE`: set shell variables, one NAME=VALUE on each line", func(path string) error {
		return q.readVariables(p, path)
	})
	fs.Func("fail-on", "`doubt`: exit with 1 when there is a doubt about the answer", func(level string) error {
		if q.failOnDoubt = level == "doubt"; !q.failOnDoubt {
			return errors.New("must be doubt")
		}
		return nil
	})
	fs.BoolVar(&q.quiet, "q", false, "write no warnings to standard error")
}

// codeFlags adds the flags of code.
func (q *question) codeFlags(fs *flag.FlagSet) {
	q.want.Plain = true
	fs.Func("to", "`TARGET`: a name of uncoil targets, or several with commas", q.setTargets)
	switchFlags(fs, &q.want, &q.input, switches.Programs)
	fs.StringVar(&q.out, "o", "", "`FILE`: write there; of several targets, a folder")
}

// checkTarget refuses a name of no target.
func checkTarget(name string) error {
	if _, ok := code.Lookup(name); !ok && name != "" {
		return errors.New("there is no such target; " + hintReplacer.Replace(code.Suggestion(name)))
	}
	return nil
}

// answerFlags adds the flags of convert and parse.
func (p *Program) answerFlags(fs *flag.FlagSet, q *question, as api.As) {
	fs.BoolVar(&p.hide, "hide-secrets", false, "show ••• for passwords, tokens and cookies")
	setForm := func(form string) error {
		if !q.setForm(form, as) {
			return errors.New("must be json, http or a target; " + hintReplacer.Replace(code.Suggestion(form)))
		}
		return nil
	}
	fs.Func("to", "`FORM`: json (default), http (the message), or a target of code", setForm)
	fs.Func("o", "`FILE`: write there instead of standard output; a name of a FORM means that form", func(name string) error {
		if q.setForm(name, as) {
			return nil
		}
		if near := code.Nearest(name); near != "" && !strings.ContainsAny(name, "./\\") {
			return fmt.Errorf("is no target; did you mean %s? A file of this name is ./%s", near, name)
		}
		q.out = name
		return nil
	})
	if as == api.AsConvert {
		switchFlags(fs, &q.want, &q.input, switches.Converting)
	}
}

// answer reads the flags and the command of convert and parse, which are the
// same, and answers.
func (p *Program) answer(name string, as api.As, page *Page, args []string) error {
	q := newQuestion(as)
	fs := NewFlags(name)
	q.inputFlags(p, fs)
	switch as {
	case api.AsCode:
		q.codeFlags(fs)
		fs.BoolVar(&q.json, "json", false, "write JSON, as POST /api/code answers: the program, its packages, and what it does otherwise than curl")
	case api.AsExplain:
		q.input.Explain = engine.Explain
		fs.BoolVar(&q.json, "json", false, "write JSON, as POST /api/explain answers")
		fs.Func("o", "`FILE`: write there instead of standard output", func(name string) error { q.out = name; return nil })
	default:
		p.answerFlags(fs, &q, as)
	}
	if err := p.ParseFlags(fs, args, page); err != nil {
		return err
	}

	q.one()
	q.want.Plain = (q.want.Plain || as == api.AsExplain) && !q.json
	if as == api.AsCode && q.want.Target == "" && q.want.Targets == nil {
		return missingTarget(fs.Args())
	}
	closeFiles, err := q.readFiles(p)
	if err != nil {
		return err
	}
	defer closeFiles()
	if words := fs.Args(); len(words) > 1 && words[0] == "curl" {
		return p.answerArgs(words, &q)
	}
	text, err := p.commandText(name, fs.Args())
	if err != nil {
		return err
	}
	p.source = text
	result, err := engine.Parse(text, q.input)
	return p.write(result, err, &q)
}

// maxCommand bounds a text that is read from standard input. Recordings of browsers with the
// content of all answers have a hundred megabytes.
const maxCommand = 512 << 20

// readText reads a text of at most so many bytes. A file is in memory once.
func readText(r io.Reader, most int) (string, error) {
	var text strings.Builder
	if f, ok := r.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			text.Grow(int(min(info.Size(), int64(most)+1)))
		}
	}
	if _, err := io.Copy(&text, io.LimitReader(textReader(r), int64(most)+1)); err != nil {
		return "", err
	}
	if text.Len() > most {
		return "", fmt.Errorf("the text is too long: %d MiB are read", most>>20)
	}
	return text.String(), nil
}

// commandText returns the command from the arguments, from the file that the only one of them
// names, or from standard input where they have none or -.
func (p *Program) commandText(name string, args []string) (string, error) {
	help := "uncoil " + name + " -h"
	switch {
	case len(args) > 1:
		return "", &UsageError{"the command must be one argument: quote it, or begin it with the word curl", help}
	case len(args) == 1 && args[0] != "-":
		return textOf(args[0])
	case len(args) == 0 && IsTerminal(p.Stdin):
		return "", &UsageError{"there is no command", help}
	}
	p.tellWaiting()
	return readText(p.Stdin, maxCommand)
}

// textOf returns the text that an argument is, or that of the file whose name it is: a command
// has white space.
func textOf(argument string) (string, error) {
	if strings.ContainsAny(argument, " \t\r\n") {
		return argument, nil
	}
	if info, err := os.Stat(argument); err != nil || !info.Mode().IsRegular() {
		return argument, nil
	}
	f, _, err := openRegular(os.OpenFile, argument)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := readText(f, maxCommand)
	if err != nil {
		return "", fmt.Errorf("%s: %w", argument, err)
	}
	return text, nil
}

// bare converts a command that the shell has already split. It takes no
// flags, because all arguments are curl's.
func (p *Program) bare(args []string) error {
	return p.answerArgs(args, &question{input: engine.Input{Now: time.Now(), PublicSuffix: suffix.Public}, want: api.Want{As: api.AsConvert}})
}

// answerArgs answers a command that the shell has already split. Standard input is the
// command's, as it would be curl's.
func (p *Program) answerArgs(args []string, q *question) error {
	p.source = engine.QuoteArgs(args)
	result, err := engine.ParseArgs(args, q.input)
	probe := err
	if err == nil {
		want := q.want
		_, _, probe = api.Append(nil, result, &want)
	}
	if e, ok := errors.AsType[*engine.Error](probe); ok && e.Code == diag.CodeStdinNotSupplied && q.input.Stdin == nil {
		p.tellWaiting()
		if q.input.Stdin, err = io.ReadAll(p.Stdin); err != nil {
			return err
		}
		result, err = engine.ParseArgs(args, q.input)
	}
	return p.write(result, err, q)
}

// writeDoubts writes those of the warnings that are doubts.
func (p *Program) writeDoubts(list diag.List, source string) {
	for i := range list {
		w := &list[i]
		nameFlags(w)
		if w.Code == diag.WarnSecretMoved || w.Code == diag.WarnPlaceholderMoved || w.Code == diag.WarnFieldsDropped {
			p.complain(w.Message)
		}
		if w.Level == diag.LevelDoubt {
			p.takeFix(w)
			p.writeDiagnostic(w, source)
		}
	}
}

// write writes the answer, and on standard error the doubts about it, or the
// error in its place.
func (p *Program) write(result *engine.Result, err error, q *question) error {
	want, quiet := q.want, q.quiet
	if p.hide || want.Options.MoveSecrets {
		var secrets []string
		switch {
		case err != nil:
		case p.hide:
			secrets = redact.Requests(result.Requests)
		default:
			secrets = redact.Requests(slices.Clone(result.Requests)) // which hides in copies
		}
		p.masker = redact.NewMasker(p.source, secrets)
		if err == nil {
			api.MaskAll(result.Warnings, p.masker)
		}
	}
	var answer []byte
	if err == nil {
		var warnings diag.List
		if answer, warnings, err = api.Append(nil, result, &want); err == nil {
			result.Warnings = warnings
		}
	}
	if e, ok := errors.AsType[*engine.Error](err); ok {
		if !quiet {
			p.writeDoubts(e.Doubts, e.Source)
		}
		nameFlags(&e.Diagnostic)
		p.failed = e.Code
		p.takeFix(&e.Diagnostic)
		p.writeDiagnostic(&e.Diagnostic, e.Source)
		p.writeFix(e.Source, q.input, result)
		return errReported
	}
	if err != nil {
		return err
	}
	if !quiet {
		p.writeDoubts(result.Warnings, result.Source())
		p.writeFix(result.Source(), q.input, result)
	}
	if len(want.Targets) > 0 && want.Plain {
		err = p.writePrograms(answer, q.out)
	} else {
		err = p.writeAnswer(answer, &want, q.out)
	}
	if err != nil {
		return err
	}
	isDoubt := func(d diag.Diagnostic) bool { return d.Level == diag.LevelDoubt }
	if q.failOnDoubt && slices.ContainsFunc(result.Warnings, isDoubt) {
		return errReported
	}
	return nil
}

// writeAnswer writes to a file, or to standard output: on a terminal JSON is indented
// there, and has colours.
func (p *Program) writeAnswer(answer []byte, want *api.Want, file string) error {
	if !want.Plain {
		if file == "" && IsTerminal(p.Stdout) {
			return p.writeJSON(answer)
		}
		answer = append(answer, '\n')
	}
	if file != "" {
		return writeFile(file, answer)
	}
	_, err := p.Stdout.Write(answer)
	return err
}
