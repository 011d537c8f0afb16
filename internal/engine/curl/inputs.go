package curl

import (
	"path"

	"uncoil/diag"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/word"
)

// Inputs is the input of options besides their arguments.
type Inputs struct {
	// Files holds the contents of files, by name as the command spells it.
	Files map[string][]byte
	// ReadFile, unless nil, returns the content of a file that Files lacks.
	// It is asked once for a file, however often and in however many
	// spellings the command names it. An error means that the file was not
	// supplied. The configuration file that curl reads unasked is never asked
	// for.
	ReadFile func(name string) ([]byte, error)
	Env      map[string]string
	// Now is the time in seconds since 1970, for cookies and HSTS entries
	// that expire; 0 means that nothing has expired.
	Now int64
	// PublicSuffix, unless nil, returns the public suffix of a domain. With nil
	// it is the last label.
	PublicSuffix func(domain string) string
	// Source is the text that the spans of the words refer to, or "".
	Source string
	// LacksURL says that the command has no URL unless one is taken out of a
	// word to which the end of a line joins it.
	LacksURL bool
	// Placeholders says that curl refuses the command unless what looks like a placeholder
	// in the host or the port of a URL, of a proxy or of --resolve is one.
	Placeholders bool
	// Meter bounds what the command may cost.
	Meter *meter.Meter
	// NoWarnings switches warnings off, and NoAdvice those that are advice, where that
	// saves work.
	NoWarnings, NoAdvice bool
	// Record keeps each option of the command in Recorded, also one that changes
	// nothing.
	Record   bool
	Recorded []Recorded
	// MaxPartDepth bounds how deep form parts may nest; 0 means the default.
	MaxPartDepth int
	// Fed are the files that the text of the command makes itself.
	Fed []word.Feed
	// Sink is the file to which the shell leads the output of the command, or nil.
	Sink *word.Sink
	// Piped reports that the shell leads it to a command that does more than to show it.
	Piped bool
	// StdinHoles are the unknown parts of standard input.
	StdinHoles []word.Hole
	// Marks stand for what only the shell would know, in all text that comes
	// from the command: ParseArgs sets them, and the stage that uses the text
	// puts the spelling back.
	Marks *word.Marks

	stdin     string // what has not been read
	hasStdin  bool
	sink      word.Word       // the name of Sink, with marks
	known     map[string]file // from Files, by name as spelled
	fetched   map[string]file // from ReadFile, by the shortest name
	suggested bool            // a name was suggested for an unknown option
	used      word.Used       // the characters that cannot be marks
	looked    bool            // Files and Env are among those
	clash     bool            // of marks with text that was read after they were chosen

	parser   parser    // of the command
	settings []Setting // memory for those of most commands
	marked   []word.Word
	holes    []word.Hole // of the marked words
}

// Raw returns how the text spells what stands at a span, or "" where it has no such place.
func (in *Inputs) Raw(s diag.Span) string {
	if s.Start < 0 || s.End < s.Start || int(s.End) > len(in.Source) {
		return ""
	}
	return in.Source[s.Start:s.End]
}

// Reset makes the inputs those of nothing. They keep their memory.
func (in *Inputs) Reset() { *in = Inputs{settings: in.settings, marked: in.marked, holes: in.holes} }

// room returns an empty list with room for n settings, or for fewer when the
// meter refuses.
func (in *Inputs) room(n int) []Setting {
	const usual = 32
	switch {
	case n > usual && !in.Meter.Hold(sizeOfSetting*n):
		return nil
	case n > usual:
		return make([]Setting, 0, n)
	case in.settings == nil:
		in.settings = make([]Setting, usual)
	}
	return in.settings[:0]
}

// withSink returns arguments with the name of the sink behind them, so that it is marked as they
// are.
func (in *Inputs) withSink(args []word.Word) []word.Word {
	if in.Sink == nil || !in.Meter.Hold(sizeOfWord*(len(args)+1)) {
		in.Sink = nil
		return args
	}
	return append(args[:len(args):len(args)], in.Sink.File)
}

// Stdout returns the file to which the shell leads the output of the command, and whether there
// is one.
func (in *Inputs) Stdout() (name word.Word, appends, ok bool) {
	if in.Sink == nil {
		return name, false, false
	}
	return in.sink, in.Sink.Appends, true
}

// A file is the content of a file as text, or the fact that it is missing.
type file struct {
	content string
	ok      bool
}

// SetStdin sets what the next command may read from standard input; nil is
// nothing supplied.
func (in *Inputs) SetStdin(content *string) {
	in.stdin, in.hasStdin, in.StdinHoles = "", content != nil, nil
	if content != nil {
		in.stdin = *content
	}
}

// Read returns the content of a file, or of standard input for "-". Standard
// input can be read once; later readers find it at its end, as in curl. A file
// is kept once, and paid for once: a caller that copies it pays for the copy.
// ok is false when the file is missing, and when the meter refuses.
func (in *Inputs) Read(name string) (content string, ok bool) {
	if name == "-" {
		return in.ReadStdin(len(in.stdin))
	}
	name = in.Marks.Restore(name)
	for i := range in.Fed {
		if in.Fed[i].Name == name && in.Meter.Work(len(in.Fed[i].Text)/4+16) {
			return in.Fed[i].Text, true
		}
	}
	f, seen := in.known[name]
	if !seen {
		if data, ok := in.Files[name]; ok {
			f, seen = in.keep(&in.known, name, data), true
		}
	}
	if !seen && in.ReadFile != nil {
		f = in.fetch(name)
		in.found(f.content, true)
	}
	// Whoever reads it looks at each byte.
	return f.content, in.Meter.Work(len(f.content)/4+16) && f.ok
}

// ReadStdin returns the next n bytes of standard input, or fewer at its end.
func (in *Inputs) ReadStdin(n int) (content string, ok bool) {
	n = min(n, len(in.stdin))
	content, in.stdin = in.stdin[:n], in.stdin[n:]
	return content, in.hasStdin && in.Meter.Work(n/4+16)
}

// fetch returns a file by ReadFile, or as it did before.
func (in *Inputs) fetch(name string) file {
	name = path.Clean(name)
	f, seen := in.fetched[name]
	if seen || !in.Meter.Work(1000) {
		return f
	}
	data, err := in.ReadFile(name)
	if err == nil {
		in.Meter.Admit(len(data))
		return in.keep(&in.fetched, name, data)
	}
	if in.fetched == nil {
		in.fetched = make(map[string]file)
	}
	in.fetched[name] = f
	return f
}

// keep makes text of a file, once, and remembers it.
func (in *Inputs) keep(files *map[string]file, name string, data []byte) file {
	if !in.Meter.Hold(len(data)) {
		return file{}
	}
	if *files == nil {
		*files = make(map[string]file)
	}
	f := file{string(data), true}
	(*files)[name] = f
	return f
}
