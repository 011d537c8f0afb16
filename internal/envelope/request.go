package envelope

import (
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
	answer := uncoil.AppendConvert
	if as == AsParse {
		answer = uncoil.AppendParse
	}
	in := r.Input
	if in.Now.IsZero() {
		in.Now = time.Now()
	}
	out, err := answer(dst, r.Curl, in)
	if err != nil {
		return dst, err
	}
	return out, nil
}

// A Line is a request in a batch.
type Line struct {
	Request
	// ID is the JSON text of the member id, or empty.
	ID string
	// As is empty where the line leaves the choice to the batch.
	As As
}
