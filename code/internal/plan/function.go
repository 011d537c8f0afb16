package plan

import (
	"cmp"
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/redact"
	"uncoil/internal/engine/urlparts"
	"uncoil/request"
)

// AutoFunction is the name of a function that is named after its request.
const AutoFunction = "auto"

// A Parameter is one of the function that the program is.
type Parameter struct {
	Name     string
	Variable string // of the command or for a placeholder, whose value it has
	Default  string // where HasDefault
	// HasDefault says that the shell has a text for a variable without a value.
	HasDefault bool

	place int // of the variable among those of the requests; 0 for one that is in no string of theirs
}

// key is that of the variable whose value the parameter has.
func (one *Parameter) key() string { return one.Variable + " " + one.Default }

// IsFunction reports whether the program is a function, whose parameters are the variables.
func (p *Program) IsFunction() bool { return p.Options.Function != "" }

// Says returns the sentence that says what the function does, made of the verbs for what it
// sends, and for what it does with content that comes in pieces.
func (p *Program) Says(sends, yields string) string {
	s := sends + " the request"
	if len(p.Calls) > 1 {
		s += "s"
	}
	if p.InPieces {
		s += ", and " + yields + " the content as it comes"
	}
	return s + "."
}

// Parameter returns the name of the parameter that has the value of a variable.
func (p *Program) Parameter(v *request.Variable) string {
	key := parameterKey(v)
	if name, ok := p.parameterNames[key]; ok {
		return name
	}
	if p.parameterNames == nil {
		p.parameterNames = make(map[string]string)
	}
	name := p.Bind(p.Target.Naming.word("value", v.Name), key)
	p.parameterNames[key] = name
	p.parameters = append(p.parameters, Parameter{name, v.Name, v.Default, v.HasDefault, p.places[key]})
	p.unordered = true
	return name
}

// Parameters returns those of the function in the order of the requests' strings, the
// required ones first. It is known once the calls are written.
func (p *Program) Parameters() []Parameter {
	if p.unordered {
		p.unordered = false
		slices.SortStableFunc(p.parameters, func(a, b Parameter) int {
			switch {
			case a.HasDefault && !b.HasDefault:
				return 1
			case b.HasDefault && !a.HasDefault:
				return -1
			}
			return a.place - b.place
		})
	}
	return p.parameters
}

// DeclareParameters returns the parameters of the function, in their order, each as declare
// writes it.
func (p *Program) DeclareParameters(declare func(one *Parameter) string) []emit.Node {
	parameters := p.Parameters()
	items := p.List(len(parameters))
	for i := range parameters {
		items = append(items, emit.Leaf(declare(&parameters[i])))
	}
	return items
}

// ReturnsStatus reports whether the function returns the status of the response, after what else
// it returns: -w asks for it.
func (c *Call) ReturnsStatus(o Options) bool {
	if o.Function == "" || c.silent || c.yields || c.Destination(o) == Captured {
		return false
	}
	_, other, known := readWriteOut(c.writeOut(), "")
	if known && other == "" {
		c.take("writeOut")
	}
	return known
}

// DecodesJSON reports whether the program decodes the content of the response.
func (c *Call) DecodesJSON() bool { return c.decodes }

// ReadsStatus reports whether the program prints or returns the status for -w.
func (c *Call) ReadsStatus(o Options) bool { return len(c.WriteOut(o, "")) > 0 || c.ReturnsStatus(o) }

// ReturnsOnlyStatus reports whether the function returns the status and nothing else, which it
// does last.
func (c *Call) ReturnsOnlyStatus(o Options) bool { return c.ReturnsStatus(o) && !c.PrintsBoth(o) }

func parameterKey(v *request.Variable) string { return v.Name + " " + v.Default }

// FunctionName returns the name of the function.
func (p *Program) FunctionName() string {
	if p.Options.Function != AutoFunction {
		return p.Target.Naming.free(p.Options.Function)
	}
	n := &p.Target.Naming
	name := n.OfCall(p.Calls[len(p.Calls)-1])
	if n.Capital {
		name = strings.ToUpper(name[:1]) + name[1:]
	}
	return name + n.Ending
}

// OfCall returns the name of a function that sends a request: after its path, or else after its
// host. No secret is a name.
func (n *Naming) OfCall(c *Call) string {
	u := urlparts.Of(c.URL)
	path := []byte(c.URL[u.Authority:u.Query])
	for _, secret := range redact.URL(c.URL) {
		for i := secret.Start - u.Authority; i < secret.End-u.Authority && i < len(path); i++ {
			path[max(i, 0)] = '0'
		}
	}
	return n.word("send", c.Method, cmp.Or(lastWord(string(path)), hostWord(c.URL[u.Authority:u.Path]), "request"))
}

// hostWord returns the word of a host: example of api.example.com.
func hostWord(host string) string {
	host, _, _ = strings.Cut(host[strings.LastIndexByte(host, '@')+1:], ":")
	labels := strings.Split(host, ".")
	for _, label := range slices.Backward(labels[:max(1, len(labels)-1)]) {
		if len(label) > 3 || len(label) > 1 && len(labels) < 3 { // not the co of example.co.uk
			return lastWord("/" + label)
		}
	}
	return ""
}

// lastWord returns the last segment of a path that is a word: it has letters of ASCII alone,
// and is no version. Of {id}:cancel it is what follows the colon, and a file has no ending.
func lastWord(path string) string {
	segments := strings.Split(path, "/")
	for _, s := range slices.Backward(segments[min(1, len(segments)):]) {
		s = s[strings.LastIndexByte(s, ':')+1:]
		if i := strings.LastIndexByte(s, '.'); i > 1 {
			s = s[:i]
		}
		isLetter := func(r rune) bool { return r < 0x80 && ascii.IsLetter(byte(r)) }
		letters := strings.Map(func(r rune) rune {
			if isLetter(r) {
				return r
			}
			return -1
		}, s)
		plain := !strings.ContainsFunc(s, func(r rune) bool { return !isLetter(r) && r != '-' && r != '_' && r != '.' })
		if plain && len(letters) > 1 && len(s) <= maxWord {
			return s
		}
	}
	return ""
}

// maxWord is how long a segment is at most that names a function.
const maxWord = 40

// takesOptions refuses options for which the target has no code.
func (p *Program) takesOptions() {
	lacks := func(what string) {
		p.Diags.Error(diag.CodeCannotExpress, Nowhere, p.Target.Client+" "+what, "")
	}
	o, t := &p.Options, p.Target
	for _, s := range o.Switches {
		if !slices.ContainsFunc(t.Variants, func(v Variant) bool { return v.Switch == s }) {
			lacks(s.Lacks)
		}
	}
	switch {
	case o.Function != "" && !t.Functions:
		lacks("is written as no function here")
	case o.Function != "" && !emit.IsIdentifier(o.Function):
		lacks("takes no such name for a function: it has letters, digits and _ only")
	case o.DecodeJSON && !t.Decodes:
		lacks("decodes no JSON here")
	case o.CheckStatus && t.Kind != Code:
		lacks("has no check of the status here")
	}
}

// settleFunction makes a function of the program, where that is asked for: the last call
// gives what it returns, and its parameters are named otherwise than what is in it.
func (p *Program) settleFunction() {
	if !p.IsFunction() {
		return
	}
	p.places = make(map[string]int)
	for i, c := range p.Calls {
		c.silent = i < len(p.Calls)-1
		c.yields = p.Target.Facts.HidesStatus || p.Target.Yields && c.comesInPieces(p.Options)
		for j := range c.Variables {
			if key := parameterKey(&c.Variables[j]); p.places[key] == 0 {
				p.places[key] = len(p.places) + 1
			}
		}
		for _, one := range c.Captures {
			p.Bind(one.Name, one.Name)
		}
		for _, one := range c.Computes {
			p.Bind(one.Name, one.Name)
		}
	}
	p.Bind(p.FunctionName(), "the function")
}
