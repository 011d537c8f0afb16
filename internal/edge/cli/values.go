package cli

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"uncoil/code"
	"uncoil/internal/edge/api"
)

// setForm sets the form of the answer: json, http or a target. It returns false for
// another name.
func (q *question) setForm(form string, as api.As) bool {
	if form == "json" {
		q.want.As, q.want.Plain = as, false
		return true
	}
	if form == "http" {
		form = "raw-http"
	}
	if _, ok := code.Lookup(form); !ok {
		return false
	}
	q.want.As, q.want.Plain, q.want.Target = api.AsCode, true, form
	return true
}

// setVariable sets a variable of the command: NAME=VALUE, or NAME alone for the value
// that it has in the environment of uncoil.
func (q *question) setVariable(p *Program, text string) error {
	name, value, given := strings.Cut(text, "=")
	if name == "" {
		return errors.New("must be NAME=VALUE, or NAME for the value in the environment")
	}
	if !given {
		if value = p.Env(name); value == "" {
			return errors.New("the environment has no " + name + "; write " + name + "=VALUE")
		}
	}
	q.input.Env[name] = value
	return nil
}

// readVariables sets the variables of a file: a line for each, with comments after #.
// Values stand as they are; quotes around a whole value are left out.
func (q *question) readVariables(p *Program, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		line = strings.TrimPrefix(strings.TrimSpace(line), "export ")
		if line == "" || line[0] == '#' {
			continue
		}
		name, value, given := strings.Cut(line, "=")
		if last := len(value) - 1; last > 0 && (value[0] == '"' || value[0] == '\'') && value[last] == value[0] {
			value = value[1:last]
		}
		if name = strings.TrimSpace(name); !given {
			value = p.Env(name)
		}
		if name == "" || value == "" && !given {
			// The line may be a part of a secret, and is not shown.
			return fmt.Errorf("line %d: must be NAME=VALUE, or the NAME of a variable of the environment", n)
		}
		q.input.Env[name] = value
	}
	return nil
}

// missingTarget is the error of code without -to.
func missingTarget(args []string) error {
	message := "-to is missing: it names a target that uncoil targets lists"
	if len(args) > 1 {
		if _, ok := code.Lookup(args[0]); ok {
			message = "-to is missing; did you mean -to " + args[0] + "?"
		}
	}
	return &UsageError{message, "uncoil code -h"}
}
