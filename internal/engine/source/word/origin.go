package word

import (
	"uncoil/diag"
	"uncoil/request"
)

// An Origin is where the text says that the value of a hole comes from: what commands
// print that the shell would run.
type Origin struct {
	// From is what they print, or nil where that is not certain. A *request.Response
	// has no Request here: Output knows it.
	From   request.From
	Output *Output   // that From, a *request.Response, is of
	Span   diag.Span // of the text of the commands, if it stands in the source

	answered request.From
}

// An Output is what a command prints that runs curl within a substitution.
type Output struct {
	Used    bool // by the text, in a way that is certain
	known   bool
	request int
}

// Set says which request the command makes, whose content is all that it prints.
func (o *Output) Set(request int) { o.request, o.known = request, true }

// Answer returns where the value comes from, once the commands before the one that
// uses it have made their requests. That of no Origin is nil.
func (o *Origin) Answer() request.From {
	if o == nil {
		return nil
	}
	if o.answered == nil {
		o.answered = o.From
		if response, ok := o.From.(*request.Response); ok && o.Output.known {
			o.answered = &request.Response{Request: o.Output.request, Path: response.Path, Quoted: response.Quoted}
		} else if ok || o.From == nil {
			o.answered = &request.Command{Span: o.Span}
		}
	}
	return o.answered
}

// Certain reports whether it is known what the commands print.
func (o *Origin) Certain() bool { return o != nil && o.From != nil }
