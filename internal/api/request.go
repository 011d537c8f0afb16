package api

import (
	"errors"
	"time"

	"uncoil"
)

// As says which answer a client wants.
type As string

// The answers.
const (
	AsConvert As = "convert" // the four members
	AsParse   As = "parse"   // the full description
)

// ParseAs reads the name of an answer.
func ParseAs(name string) (As, bool) {
	as := As(name)
	return as, as == AsConvert || as == AsParse
}

// ValidShell reports whether a name is one of those that uncoil.Input.Shell
// may have.
func ValidShell(name string) bool {
	switch name {
	case "", "auto", "posix", "cmd", "powershell":
		return true
	}
	return false
}

// A Request is a command with what it takes from outside its text.
type Request struct {
	Curl string
	uncoil.Input
}

// AppendAnswer appends the answer to the request as JSON, for the present
// moment unless the request has another. The error, if any, is an
// *uncoil.Error; dst then comes back as it was.
func (r *Request) AppendAnswer(dst []byte, as As) ([]byte, error) {
	out, _, err := r.Answer(dst, as)
	return out, err
}

// Answer is AppendAnswer, and tells besides how the text was read: "posix",
// "cmd" or "powershell". It is empty where an error came before that.
func (r *Request) Answer(dst []byte, as As) (out []byte, shell string, err error) {
	in := r.Input
	if in.Now.IsZero() {
		in.Now = time.Now()
	}
	result, err := uncoil.Parse(r.Curl, in)
	if err != nil {
		if e, ok := errors.AsType[*uncoil.Error](err); ok {
			shell = e.Shell
		}
		return dst, shell, err
	}
	if as == AsParse {
		return result.AppendJSON(dst), result.Shell, nil
	}
	out, err = result.AppendConvert(dst)
	return out, result.Shell, err
}

// A Line is a request in a batch.
type Line struct {
	Request
	// ID is the JSON text of the member id, or empty.
	ID string
	// As is empty where the line leaves the choice to the batch.
	As As
}
