package curl

import (
	"strconv"

	"uncoil/diag"
)

// Inputs is what options may read besides their arguments.
type Inputs struct {
	Files map[string][]byte
	Env   map[string]string
	// Now is the time in seconds since 1970, for cookies and HSTS entries
	// that expire; 0 means that nothing has expired.
	Now int64
	// Budget bounds what the inputs may grow to.
	Budget Budget
	// MaxPartDepth bounds how deep form parts may nest; 0 means the default.
	MaxPartDepth int

	stdin     *string // nil: not supplied
	stdinRead bool
	read      map[string]string // files as text, converted once
}

// SetStdin sets what the next command may read from standard input; nil is
// nothing supplied.
func (in *Inputs) SetStdin(content *string) { in.stdin, in.stdinRead = content, false }

// Read returns the content of a file, or of standard input for "-". Standard
// input can be read once; later readers find it at its end, as in curl.
func (in *Inputs) Read(name string) (content string, ok bool) {
	if name != "-" {
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
		return content, ok && in.Budget.Spend(len(content))
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

// MaxBytes is how much text a command may stand for, unless a budget says
// otherwise: what files, variables and globs repeat counts as often as it is
// repeated.
const MaxBytes = 64 << 20

// A Budget bounds the memory that a text can lead to. A text of a few bytes
// may name a large file, or send a large body to a thousand URLs.
type Budget struct {
	Max   int // 0: MaxBytes
	spent int
}

// Spend takes n bytes of the budget and reports whether they were left.
func (b *Budget) Spend(n int) bool {
	b.spent += n
	return !b.Exceeded()
}

// Exceeded reports whether more was asked for than there is.
func (b *Budget) Exceeded() bool { return b.spent > b.max() }

func (b *Budget) max() int {
	if b.Max == 0 {
		return MaxBytes
	}
	return b.Max
}

// TooLarge returns the error for a text that stands for more than the budget.
func (b *Budget) TooLarge(span diag.Span) diag.Diagnostic {
	return diag.Diagnostic{
		Code: diag.CodeTooLarge, Severity: diag.Error, Span: span,
		Message: "files, variables and globs make more of this text than is answered: " + strconv.Itoa(b.max()) + " bytes",
		Hint:    "make them smaller, or fewer",
	}
}
