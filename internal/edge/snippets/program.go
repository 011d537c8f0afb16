package snippets

import (
	"errors"
	"slices"
	"strings"

	"uncoil/code"
	"uncoil/diag"
	"uncoil/extract"
	"uncoil/internal/edge/api"
	"uncoil/internal/engine"
)

// Program returns what a target writes for the requests of a command, and the doubts
// about both. The error is an *engine.Error.
func Program(command string, in engine.Input, target code.Target, o code.Options) (string, diag.List, error) {
	result, err := engine.Parse(command, in)
	if err != nil {
		return "", nil, err
	}
	return written(result, target, o)
}

func written(result *engine.Result, target code.Target, o code.Options) (string, diag.List, error) {
	want := api.Want{As: api.AsCode, Target: target.Name, Options: o, Plain: true}
	text, warnings, err := api.Append(nil, result, &want)
	if err != nil {
		return "", nil, err
	}
	return strings.TrimSuffix(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n"), warnings, nil
}

// A source is the commands of a block as one text.
type source struct {
	text     string
	shell    string
	commands []extract.Command
}

func sourceOf(commands []extract.Command) source {
	s := source{commands: commands, shell: commands[0].Shell}
	var b strings.Builder
	for i := range commands {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(commands[i].Text)
	}
	s.text = b.String()
	return s
}

// offset returns where the byte of the text at an offset stands in the document.
func (s *source) offset(at int) int {
	for i := range s.commands {
		c := &s.commands[i]
		if at <= len(c.Text) || i == len(s.commands)-1 {
			return c.Offset(min(at, len(c.Text)))
		}
		at -= len(c.Text) + 1
	}
	return 0
}

// programs returns the program of each target for the commands of a block.
func (d *document) programs(r *region, commands []extract.Command, l *layout, o Options) ([]program, bool) {
	s := sourceOf(commands)
	result, err := engine.Parse(s.text, engine.Input{Shell: s.shell})
	if err != nil {
		d.refused(&s, "", err)
		return nil, false
	}
	d.doubt(&s, "", result.Warnings)
	labels := Labels(o.Targets)
	programs := make([]program, 0, len(o.Targets))
	for i, target := range o.Targets {
		text, warnings, err := written(result, target, o.Program)
		if err != nil {
			d.refused(&s, target.Name+": ", err)
			return nil, false
		}
		if problem := l.acting(text, d.format); problem != "" {
			d.fail(r.first, target.Name+": "+problem)
			return nil, false
		}
		d.doubt(&s, target.Name+": ", besides(warnings, result.Warnings))
		programs = append(programs, program{target.Name, labels[i], Highlighter(target), strings.Split(text, "\n")})
	}
	return programs, true
}

// besides returns the warnings about a program that are none of those about its commands, some
// of which it does not repeat.
func besides(warnings, commands diag.List) (list diag.List) {
	for _, w := range warnings {
		if !slices.ContainsFunc(commands, func(d diag.Diagnostic) bool {
			return d.Code == w.Code && d.Span == w.Span && d.Message == w.Message
		}) {
			list = append(list, w)
		}
	}
	return list
}

// refused notes why a command has no program.
func (d *document) refused(s *source, who string, err error) {
	message, at := err.Error(), 0
	if e, ok := errors.AsType[*engine.Error](err); ok {
		at = int(max(0, e.Span.Start))
		message = described(&e.Diagnostic)
	}
	d.Errors = append(d.Errors, d.note(s, at, who+message))
}

// doubt notes what may not be meant.
func (d *document) doubt(s *source, who string, warnings diag.List) {
	for i := range warnings {
		if w := &warnings[i]; w.Level == diag.LevelDoubt {
			d.Doubts = append(d.Doubts, d.note(s, int(max(0, w.Span.Start)), who+described(w)))
		}
	}
}

func described(d *diag.Diagnostic) string {
	text := string(d.Code) + ": " + d.Message
	if d.Hint != "" {
		text += " (" + d.Hint + ")"
	}
	return text
}

// note returns a note about a place in the commands of a block.
func (d *document) note(s *source, at int, message string) Note {
	line, column := diag.Position(d.text, int32(s.offset(at)))
	return Note{line, column, message}
}
