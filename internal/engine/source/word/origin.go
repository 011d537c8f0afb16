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
	Of     *Operands // that From, a *request.Encoded, is made of
	Span   diag.Span // of the text of the commands, if it stands in the source
	Script string    // their text, where a shell could run it by itself

	answered request.From
}

// An Output is what a command prints that runs curl within a substitution, or what it writes to
// a file.
type Output struct {
	File    string // of -D or -o; "" for what is printed
	Used    bool   // by the text, in a way that is certain
	Head    bool   // the text takes a field of the head of the response
	printed Printed
	request int
}

// Printed is what curl prints of the response to one request.
type Printed struct {
	Content bool   // its content, and nothing else
	Head    bool   // its head, and perhaps its content after that
	Field   string // the value of this field, and nothing else; "" for none
}

// Set says which request the command makes, and what it prints of the response.
func (o *Output) Set(request int, printed Printed) { o.request, o.printed = request, printed }

// Gives reports whether what the text takes is there.
func (p Printed) Gives(head bool) bool {
	return head && p.Head || !head && (p.Content || p.Field != "")
}

// taken returns what a value is that the text takes of the output, or nil where that is
// not certain.
func (o *Output) taken(r *request.Response) *request.Response {
	made := *r
	made.Request = o.request
	switch {
	case !o.printed.Gives(r.Header != ""):
		return nil
	case r.Header == "" && o.printed.Field != "":
		if made.Header = o.printed.Field; len(r.Path) > 0 {
			return nil
		}
	}
	return &made
}

// Answer returns where the value comes from, once the commands before the one that
// uses it have made their requests. That of no Origin is nil.
func (o *Origin) Answer() request.From {
	if o == nil {
		return nil
	}
	if o.answered == nil {
		o.answered = o.From
		response, ok := o.From.(*request.Response)
		if ok {
			response = o.Output.taken(response)
		}
		if response != nil {
			o.answered = response
		} else if ok || o.From == nil {
			o.answered = &request.Command{Span: o.Span, Text: o.Script}
		} else if made, ok := o.From.(*request.Encoded); ok {
			o.answered = o.Of.answer(made, o.Span)
		}
	}
	return o.answered
}

// Operands are the text, and perhaps the key, of a *request.Encoded.
type Operands struct {
	Text   Operand
	Key    *Operand
	weight int
}

// An Operand is a text with its unknown parts.
type Operand struct {
	Text  string
	Holes []Hole
}

// What one *request.Encoded may be made of, with those that it is made of in turn: they
// are written out for each variable that comes from it.
const (
	maxOperands = 64
	maxOperand  = 16 << 10
)

// What an operand takes, with a variable for each of its holes.
const (
	OperandSize  = 96
	VariableSize = 320
)

// NewOperands returns operands, or nil where they are too many or too long.
func NewOperands(text Operand, key *Operand) *Operands {
	o := &Operands{Text: text, Key: key, weight: 1}
	size := 0
	for _, one := range o.list() {
		size += len(one.Text)
		for i := range one.Holes {
			o.weight++
			if from := one.Holes[i].From; from != nil && from.Of != nil {
				o.weight += from.Of.weight
			}
		}
	}
	if o.weight > maxOperands || size > maxOperand {
		return nil
	}
	return o
}

func (o *Operands) list() []*Operand {
	if o.Key == nil {
		return []*Operand{&o.Text}
	}
	return []*Operand{&o.Text, o.Key}
}

// Size returns how many bytes, at most, what a value is made of takes in a request.
func (o *Origin) Size() int {
	if o == nil || o.Of == nil {
		return 0
	}
	return o.Of.weight*VariableSize + o.Of.length()
}

func (o *Operands) length() (n int) {
	for _, one := range o.list() {
		n += len(one.Text)
		for i := range one.Holes {
			if from := one.Holes[i].From; from != nil && from.Of != nil {
				n += from.Of.length()
			}
		}
	}
	return n
}

// answer returns what is made of the operands, once it is known where these come from.
func (o *Operands) answer(made *request.Encoded, span diag.Span) *request.Encoded {
	answer := *made
	answer.Span = span
	answer.Text, answer.Variables = o.Text.Text, o.Text.variables()
	if o.Key != nil {
		answer.Key, answer.KeyVariables = o.Key.Text, o.Key.variables()
	}
	return &answer
}

func (o *Operand) variables() (list []request.Variable) {
	for i := range o.Holes {
		h := &o.Holes[i]
		list = append(list, request.Variable{Name: h.Name, Expr: h.Expr, Default: h.Default, HasDefault: h.HasDefault,
			From: h.From.Answer(), Start: int(h.Start), End: int(h.End), Encoding: request.EncodingNone})
	}
	return list
}

// Certain reports whether it is known what the commands print.
func (o *Origin) Certain() bool { return o != nil && o.From != nil }
