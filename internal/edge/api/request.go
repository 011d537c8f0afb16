package api

import (
	"strconv"
	"strings"
	"time"

	"uncoil/code"
	"uncoil/internal/engine"
	"uncoil/internal/engine/source"
	_ "uncoil/readers" // the edges know all forms
)

// As names an answer.
type As = engine.As

// The answers.
const (
	AsConvert    = engine.AsConvert
	AsParse      = engine.AsParse
	AsCode    As = "code"    // a program that sends the requests
	AsExplain As = "explain" // what each option does, and did
)

// DataText is the value of data that asks for the exact body as a string.
const DataText = "text"

// ParseAs reads the name of an answer.
func ParseAs(name string) (As, bool) {
	as := As(name)
	return as, as == AsConvert || as == AsParse || as == AsCode || as == AsExplain
}

// ValidShell reports whether a name is one of those that engine.Input.Shell
// may have.
func ValidShell(name string) bool {
	_, ok := source.Lookup(name)
	return ok
}

// ShellNames returns those names as a message lists them, with a quote on both
// sides of each.
func ShellNames(quote string) string {
	names := source.DialectNames()
	last := len(names) - 1
	return quote + strings.Join(names[:last], quote+", "+quote) + quote + " or " + quote + names[last] + quote
}

// ValidEntry reports whether a text is one that engine.Input.Entry may have,
// and returns its value.
func ValidEntry(text string) (n int, ok bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n > 0
}

// ParseStyle reads the name of a style of programs.
func ParseStyle(name string) (code.Style, bool) {
	switch name {
	case "idiomatic":
		return code.StyleIdiomatic, true
	case "exact":
		return code.StyleExact, true
	}
	return 0, false
}

// ParsePlaceholders reads the name of what becomes of placeholders.
func ParsePlaceholders(name string) (code.Placeholders, bool) {
	switch name {
	case "variables":
		return code.PlaceholdersVariables, true
	case "text":
		return code.PlaceholdersText, true
	}
	return 0, false
}

// ValidIndent reports whether a text can be one level of indentation: up to
// eight blanks or tabs.
func ValidIndent(indent string) bool { return len(indent) <= 8 && strings.Trim(indent, " \t") == "" }

// A Request is a command with what it takes from outside its text.
type Request struct {
	Curl string
	Want // but for As, which Answer takes
	engine.Input
	// Near are the names of members that were ignored, and that are nearly those of
	// known ones.
	Near []string
}

// Answer appends the answer to the request as JSON. The time is now unless the
// request sets it. The error, if any, is an *engine.Error or a *Problem, and dst is
// then returned unchanged.
func (r *Request) Answer(dst []byte, as As) ([]byte, engine.Answer, error) {
	in := r.Input
	if in.Now.IsZero() {
		in.Now = time.Now()
	}
	want := r.Want
	switch want.As = as; {
	case as == AsExplain:
		in.Explain = engine.Explain
	case as != AsCode:
		return engine.Append(dst, r.Curl, want.engine(), in)
	case r.Target != "" && len(r.Targets) > 0:
		return dst, engine.Answer{}, &Problem{Code: CodeBadRequest, Detail: `The members "target" and "targets" exclude each other.`,
			Hint: "leave one of them out", Member: "targets"}
	case r.Target == "" && len(r.Targets) == 0:
		return dst, engine.Answer{}, &Problem{Code: CodeBadRequest, Detail: `The member "target" is missing.`,
			Hint: "name a target of /api/targets", Member: "target"}
	}
	out := dst
	answer, err := engine.Lend(r.Curl, &in, func(result *engine.Result) (engine.Answer, error) {
		answer := engine.Answer{Shell: result.Shell, Requests: len(result.Requests), Warnings: result.Warnings}
		written, warnings, err := want.Append(dst, result)
		if err == nil {
			out, answer.Warnings = written, warnings
		}
		return answer, err
	})
	return out, answer, err
}

// A Line is a request in a batch.
type Line struct {
	Request
	// ID is the JSON text of the member id, or empty.
	ID string
	// As is empty where the line leaves the choice to the batch.
	As As
}
