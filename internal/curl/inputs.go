package curl

import "uncoil/internal/meter"

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
