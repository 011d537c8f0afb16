package api

import (
	"strconv"
	"strings"
	"time"

	"uncoil"
	"uncoil/code"
	"uncoil/internal/engine/source"
)

// As names an answer.
type As = uncoil.As

// The answers.
const (
	AsConvert = uncoil.AsConvert
	AsParse   = uncoil.AsParse
	AsCode    = uncoil.AsCode
)

// ParseAs reads the name of an answer.
func ParseAs(name string) (As, bool) {
	as := As(name)
	return as, as == AsConvert || as == AsParse || as == AsCode
}

// ValidShell reports whether a name is one of those that uncoil.Input.Shell
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

// ValidEntry reports whether a text is one that uncoil.Input.Entry may have,
// and returns its value.
func ValidEntry(text string) (n int, ok bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n > 0
}

// ValidIndent reports whether a text can be one level of indentation: up to
// eight blanks or tabs.
func ValidIndent(indent string) bool { return len(indent) <= 8 && strings.Trim(indent, " \t") == "" }

// A Request is a command with what it takes from outside its text.
type Request struct {
	Curl     string
	Warnings bool // the answer AsConvert has warnings too
	Doubts   bool // what stands beside the answer AsConvert has its doubts
	// These are those of uncoil.Want, for the answer AsCode.
	Target string
	code.Options
	Plain bool
	uncoil.Input
}

// Answer appends the answer to the request as JSON. The time is now unless the
// request sets it. The error, if any, is an *uncoil.Error, and dst is then
// returned unchanged.
func (r *Request) Answer(dst []byte, as As) ([]byte, uncoil.Answer, error) {
	in := r.Input
	if in.Now.IsZero() {
		in.Now = time.Now()
	}
	if as == AsCode && r.Target == "" {
		return dst, uncoil.Answer{}, &Problem{Code: CodeBadRequest, Detail: `The member "target" is missing.`,
			Hint: "name a target of /api/targets", Member: "target"}
	}
	return uncoil.Append(dst, r.Curl, uncoil.Want{
		As: as, Warnings: r.Warnings, Doubts: r.Doubts, Target: r.Target, Options: r.Options, Plain: r.Plain,
	}, in)
}

// A Line is a request in a batch.
type Line struct {
	Request
	// ID is the JSON text of the member id, or empty.
	ID string
	// As is empty where the line leaves the choice to the batch.
	As As
}
