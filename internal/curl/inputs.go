package curl

import (
	"bytes"

	"uncoil/diag"
	"uncoil/internal/meter"
	"uncoil/internal/shell/word"
)

// Inputs is what options may read besides their arguments.
type Inputs struct {
	Files map[string][]byte
	Env   map[string]string
	// Now is the time in seconds since 1970, for cookies and HSTS entries
	// that expire; 0 means that nothing has expired.
	Now int64
	// Meter bounds what the command may cost.
	Meter *meter.Meter
	// MaxPartDepth bounds how deep form parts may nest; 0 means the default.
	MaxPartDepth int

	// StdinHoles are the unknown parts of standard input.
	StdinHoles []word.Hole
	// Marks stand for what only the shell would know, in all text that comes
	// from the command: ParseArgs sets them, and whoever uses that text puts
	// the spelling back.
	Marks *word.Marks

	stdin     *string // nil: not supplied
	stdinRead bool
	read      map[string]string // files as text, converted once
}

// SetStdin sets what the next command may read from standard input; nil is
// nothing supplied.
func (in *Inputs) SetStdin(content *string) {
	in.stdin, in.stdinRead, in.StdinHoles = content, false, nil
}

// mark makes the marks of a command, and returns its arguments with them.
func (in *Inputs) mark(args []word.Word) []word.Word {
	in.Marks = nil
	holes := len(in.StdinHoles)
	for i := range args {
		holes += len(args[i].Holes)
	}
	if holes == 0 || !in.Meter.Work(holes*markSteps) {
		return args
	}
	var texts []string // that could hold what would be taken for a mark
	if in.stdin != nil {
		texts = append(texts, *in.stdin)
	}
	for _, value := range in.Env {
		texts = append(texts, value)
	}
	for _, content := range in.Files {
		if !in.Meter.Work(len(content)/32 + 1) {
			return args
		}
		if bytes.IndexByte(content, word.MarkLead) >= 0 {
			texts = append(texts, string(content))
		}
	}
	if in.Marks = word.NewMarks(args, in.StdinHoles, texts...); in.Marks == nil {
		return args
	}
	marked := make([]word.Word, len(args))
	for i := range args {
		marked[i] = in.Marks.Word(args[i])
	}
	if len(in.StdinHoles) > 0 && in.stdin != nil {
		text := in.Marks.Text(*in.stdin, in.StdinHoles)
		in.stdin = &text
	}
	return marked
}

// Read returns the content of a file, or of standard input for "-". Standard
// input can be read once; later readers find it at its end, as in curl.
func (in *Inputs) Read(name string) (content string, ok bool) {
	if name = in.Marks.Restore(name); name != "-" {
		content, ok = in.read[name]
		if !ok {
			var data []byte
			if data, ok = in.Files[name]; ok {
				content = string(data)
				if in.read == nil {
					in.read = make(map[string]string)
				}
				in.read[name] = content
			}
		}
		return content, ok && in.Meter.Hold(len(content))
	}
	if in.stdin == nil {
		return "", false
	}
	if in.stdinRead {
		return "", true
	}
	in.stdinRead = true
	return *in.stdin, true
}

// markSteps is what a mark costs until its spelling is put back.
const markSteps = 50

// word returns a word made of text that may hold marks.
func (in *Inputs) word(text string, span diag.Span) *word.Word {
	return &word.Word{Text: text, Holes: in.Marks.Holes(text), Span: span}
}
