package curl

// Inputs is what options may read besides their arguments.
type Inputs struct {
	Files map[string][]byte
	Stdin *string // nil: not supplied
	Env   map[string]string
	// Now is the time in seconds since 1970, for cookies and HSTS entries
	// that expire; 0 means that nothing has expired.
	Now int64

	stdinRead bool
}

// Read returns the content of a file, or of standard input for "-". Standard
// input can be read once; later readers find it at its end, as in curl.
func (in *Inputs) Read(name string) (content string, ok bool) {
	if name != "-" {
		data, ok := in.Files[name]
		return string(data), ok
	}
	if in.Stdin == nil {
		return "", false
	}
	if in.stdinRead {
		return "", true
	}
	in.stdinRead = true
	return *in.Stdin, true
}
