package posix

import (
	"strings"
	"sync"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/paste"
	"uncoil/internal/engine/source/word"
)

// Read reads a text as a script of sh or bash and returns its simple commands
// in the order in which they would run. Variables that env knows have their
// values; others become holes. What pasting has added is left out, and
// reported. When the meter refuses, the list has its error. The commands are in
// memory, unless that is nil.
func Read(src string, env map[string]string, m *meter.Meter, memory *word.Memory) ([]word.Command, diag.List) {
	return read(src, env, m, memory, whole)
}

// ReadAsRoot is Read for a text in which a # at the start of a line is the
// prompt of root, and not the start of a comment.
func ReadAsRoot(src string, env map[string]string, m *meter.Meter) ([]word.Command, diag.List) {
	return read(src, env, m, nil, ofRoot)
}

// ReadPiece is Read for a text that is a piece of a script: compound commands,
// pipes and parentheses may begin before it and end after it, and the functions
// that it defines run.
func ReadPiece(src string, env map[string]string, m *meter.Meter) ([]word.Command, diag.List) {
	return read(src, env, m, nil, aPiece)
}

// ReadJoined is Read for a text in which options of curl stand on lines of their own,
// because the lines before them lack their backslash. Joins reports whether a line break
// after a command of curl, at an offset, is one of these.
func ReadJoined(src string, env map[string]string, m *meter.Meter, joins func(at int) bool) ([]word.Command, diag.List) {
	return readWith(src, env, m, nil, whole, joins)
}

// An extent is how much of a script a text is.
type extent uint8

const (
	whole  extent = iota
	ofRoot        // all of it, with prompts of root
	aPiece
)

func read(src string, env map[string]string, m *meter.Meter, memory *word.Memory, e extent) ([]word.Command, diag.List) {
	return readWith(src, env, m, memory, e, nil)
}

func readWith(src string, env map[string]string, m *meter.Meter, memory *word.Memory, e extent, joins func(at int) bool) ([]word.Command, diag.List) {
	r := readers.Get().(*reader)
	defer r.release()
	r.src, r.env, r.meter, r.joins = src, env, m, joins
	r.memory, r.commands = memory, memory.Commands()
	r.paste, r.i, r.end = paste.New(src, m, &r.diags)
	r.paste.Root, r.piece = e == ofRoot, e == aPiece
	r.start = r.i
	if r.pay(len(src)) {
		r.lines()
	}
	r.paste.Close()
	if r.diags.Err() != nil {
		return nil, r.diags
	}
	return r.commands, r.diags
}

// readers have the memory of readers that have ended.
var readers = sync.Pool{New: func() any { return new(reader) }}

// release keeps the memory of the lists that are in no command. What it refers
// to lives on until the memory is used again, so the memory of a large text is dropped.
func (r *reader) release() {
	_, held := r.meter.Spent()
	if len(r.src) <= usual && held <= 4*usual {
		*r = reader{stack: kept(r.stack), pieces: kept(r.pieces), parted: kept(r.parted), waiting: kept(r.waiting), tokens: kept(r.tokens), braced: kept(r.braced)}
		readers.Put(r)
	}
}

// keptLength is how long a list is at most whose memory is used again.
const keptLength = 128

// kept returns the memory of a list to be used again, unless there is much.
func kept[T any](list []T) []T {
	if cap(list) > keptLength {
		return nil
	}
	return list[:0]
}

// usual is how many bytes a text has at most whose memory is used again.
const usual = 16 << 10

// maxNesting bounds how deep commands, quotes and expansions may nest.
const maxNesting = 400

// What the reader's values take.
var (
	partSize      = meter.SizeOf[part]()
	lexemeSize    = meter.SizeOf[lexeme]()
	expansionSize = meter.SizeOf[expansion]()
	compoundSize  = meter.SizeOf[compound]()
	documentSize  = meter.SizeOf[document]()
	valueSize     = meter.SizeOf[value]()
)

// What other values take, and what the meter is paid beside the steps of the
// loops.
const (
	wordSize     = word.Size
	inputSize    = 72
	branchSize   = 64      // of a branch, with its function
	variableSize = 2 * 104 // in a map, which has free places

	commandSteps = 60
	stmtSteps    = 16
	holeSteps    = 16
	mapSteps     = 10 // for an access to a map
	warnSteps    = 50
)

// A reader reads one script. It has the state of the lexer, of the parser and
// of the shell that would run the script.
type reader struct {
	src      string
	i, end   int // what is left is src[i:end]
	start    int // where the script begins
	paste    paste.Origin
	meter    *meter.Meter
	diags    diag.List
	env      map[string]string
	vars     map[string]value // made from env when first needed
	commands []word.Command

	stack    []lexeme     // words of the simple commands that are being read
	pieces   []part       // parts of the words that are being read
	parted   []part       // parts of the words that have been read
	waiting  []stmt       // statements of the line that have not run
	tree     int          // bytes that are paid for until these have run
	tokens   []braceToken // memory for those of a word
	braced   []part       // and for the parts of what its braces stand for
	docs     []*document
	depth    int               // of what is being read
	doubts   int               // warnings of them so far
	unbroken int32             // where the command starts whose lines are joined without backslashes, plus 1
	inDoc    bool              // a here-document is being read
	noSum    int               // up to here no (( is closed by ))
	noSever  int               // up to here no & or ; is part of a word
	noEnd    int               // up to here each is
	failed   bool              // an error ends the reading
	piece    bool              // of a script
	docker   bool              // the line begins with RUN, of a Dockerfile
	joins    func(at int) bool // whether the line break there is one whose backslash is missing
	script   *Script           // what a shell reads is noted there, and nothing is repaired or run
	defines  bool              // the script has defined a function

	changes   []change // of variables, while scopes are open
	scopes    int
	fed       []word.Feed    // of the command whose words are expanded
	sink      *word.Sink     // where its output goes
	turn      *word.Turn     // what the shell makes of whether it fails
	written   []written      // files that curl wrote
	lastTaken int            // where the last substitution may begin, plus 1; 0: not looked for
	wrote     []*word.Output // those that the last command writes
	piped     bool           // its output goes on to a command that does more than to show it
	inside    int            // of how many substitutions commands run in
	taken     int            // how many substitutions take what is printed
	ofCurl    bool           // the outermost of these stands in a command of curl
	stopped   bool           // the shell would go no further
	memory    *word.Memory
}

// pay pays steps, and reports whether reading may go on.
func (r *reader) pay(steps int) bool { return r.meter.Work(steps) || r.over() }

// hold pays for bytes that are kept, and reports whether reading may go on.
func (r *reader) hold(bytes int) bool { return r.meter.Hold(bytes) || r.over() }

// holdTree is hold for what is not needed any more when the line has run.
func (r *reader) holdTree(bytes int) bool {
	r.tree += bytes
	return r.hold(bytes)
}

// add appends to a list that is not needed any more when the line has run.
func add[T any](r *reader, list *[]T, v T) bool {
	if len(*list) == cap(*list) && !grow(r, list) {
		return false
	}
	*list = append(*list, v)
	return true
}

func grow[T any](r *reader, list *[]T) bool {
	n := meter.Grow(r.meter, list)
	r.tree += n
	return n > 0 || r.over()
}

// over ends the reading because the meter refuses. It is false.
func (r *reader) over() bool {
	if !r.failed {
		at := min(r.i, len(r.src))
		r.diags = append(r.diags, r.meter.Diagnostic(diag.Span{Start: int32(at), End: int32(min(at+1, len(r.src)))}))
	}
	r.failed, r.stopped = true, true
	return false
}

// fail reports an error at an offset, which ends the reading. It is false.
func (r *reader) fail(code diag.Code, at int, message, hint string) bool {
	if !r.failed {
		at = min(at, r.end)
		r.diags.Error(code, diag.Span{Start: int32(at), End: int32(min(at+1, r.end))}, message, hint)
	}
	r.failed = true
	return false
}

// unexpected reports what the shell would not accept at an offset.
func (r *reader) unexpected(at int, what string) bool {
	return r.fail(diag.CodeShellSyntax, at, "the shell would not accept this: "+what, "check the quoting around this position")
}

// incomplete reports that the text ends within a command that begins at an offset.
func (r *reader) incomplete(at int, word string) bool {
	return r.fail(diag.CodeShellSyntax, at, "the shell would not accept this: the command that begins here lacks its "+word, "paste the whole command, down to its "+word)
}

// unclosed reports a quote that is never closed.
func (r *reader) unclosed(at int, kind string) bool {
	failed := r.failed
	r.fail(diag.CodeUnterminatedQuote, at, "the "+kind+" that opens here is never closed", "add the closing quote")
	if rest := strings.TrimRight(r.src[at:r.end], " \t\r\n"); !failed && r.pay(len(rest)) && len(rest) > 1 && (rest[0] == '\'' || rest[0] == '"') && !strings.ContainsAny(rest, " \t\r\n\\") && strings.IndexByte("'\"", rest[len(rest)-1]) < 0 {
		// One word is left, so the quote belongs at its end; another one there was meant for it.
		r.diags[len(r.diags)-1].Fix = &diag.Fix{Span: diag.At(at + len(rest)), Text: rest[:1]}
	}
	return false
}

// deeper notes that something nested begins, and reports whether it may.
func (r *reader) deeper(at int) bool {
	if r.depth++; r.depth > maxNesting {
		return r.fail(diag.CodeNestedTooDeep, at, "the script is nested too deeply here", "send its commands one by one")
	}
	return true
}

// lines reads the text line by line: the shell runs a line before it reads
// the next.
func (r *reader) lines() {
	for r.i < r.end && !r.stopped {
		if r.script == nil {
			r.i = r.paste.Skip(r.i, r.end)
		}
		line, commands, diags := r.i, len(r.commands), len(r.diags)
		if r.line() {
			continue
		}
		if !r.forgive(line, commands, diags) {
			return
		}
	}
}

// line reads the commands up to a line break on which nothing waits, and runs
// them.
func (r *reader) line() bool {
	r.waiting, r.stack = r.waiting[:0], r.stack[:0]
	if r.docker = r.script == nil && strings.HasPrefix(r.src[r.i:r.end], "RUN "); r.docker {
		r.instruction()
	}
	for {
		r.blanks()
		switch {
		case r.failed:
			return false
		case r.i >= r.end:
			return r.lineEnds()
		case r.src[r.i] == '\n':
			r.i++
			return r.lineEnds()
		}
		if !r.statements(&r.waiting) {
			return false
		}
		if len(r.docs) == 0 {
			r.runWaiting()
		}
		if r.stopped || r.failed {
			return !r.failed
		}
	}
}

// instruction steps over a RUN with its options that stands before a compound command, which
// the shell would not know there.
func (r *reader) instruction() {
	at := r.i + len("RUN ")
	for at < r.end && (ascii.IsBlank(r.src[at]) || strings.HasPrefix(r.src[at:r.end], "--")) {
		for at < r.end && !ascii.IsBlank(r.src[at]) && r.src[at] != '\n' {
			at++
		}
		for at < r.end && ascii.IsBlank(r.src[at]) {
			at++
		}
	}
	for _, opens := range [...]string{"case ", "if ", "for ", "while ", "until ", "{ ", "("} {
		if strings.HasPrefix(r.src[at:r.end], opens) && r.pay(at-r.i) {
			r.diags.Warn(diag.WarnPastedNoise, diag.Span{Start: int32(r.i), End: int32(r.i + len("RUN"))}, "RUN of a Dockerfile is left out", "")
			r.i = at
			return
		}
	}
}

// lineEnds reads the here-documents of the line and runs its commands.
func (r *reader) lineEnds() bool {
	if !r.documents() {
		return false
	}
	r.runWaiting()
	return !r.failed
}

func (r *reader) runWaiting() {
	if r.script == nil {
		r.run(r.waiting, nil, false)
	}
	r.waiting, r.stack, r.pieces, r.parted = kept(r.waiting), kept(r.stack), kept(r.pieces), kept(r.parted)
	r.meter.Free(r.tree)
	r.tree = 0
}

// forgive decides about lines that the shell would refuse. Where commands came
// before them, or where they are no commands at all, they are taken for output
// or prose, and left out with a warning up to the next line that starts a
// command.
func (r *reader) forgive(line, commands, diags int) bool {
	err := r.diags.Err()
	if err == nil || r.script != nil || err.Code != diag.CodeShellSyntax && err.Code != diag.CodeUnterminatedQuote {
		return false
	}
	if paste.StartsCurl(r.src[line:r.end]) || !r.pay((r.end-line)/8+warnSteps) {
		return false
	}
	next := r.paste.SkipLines(line, r.end)
	if next == line || next == r.end && commands == 0 {
		return false
	}
	r.diags = r.diags[:diags]
	r.doubt(diag.WarnPastedNoise, line, line+len(strings.TrimRight(r.src[line:next], " \t\r\n")),
		"the shell would not accept these lines; they are taken for output or prose, and left out", "paste the commands alone")
	r.commands = r.commands[:commands]
	r.failed, r.depth, r.scopes, r.inside, r.taken, r.inDoc = false, 0, 0, 0, 0, false
	r.docs, r.changes, r.pieces = nil, nil, r.pieces[:0]
	r.i = next
	return true
}

// doubt warns that the text is not read as the shell would read it.
func (r *reader) doubt(code diag.Code, start, end int, message, hint string) {
	if r.doubts++; r.doubts <= paste.MaxWarnings && r.pay(warnSteps) {
		r.diags.Warn(code, diag.Span{Start: int32(start), End: int32(end)}, message, hint)
		r.diags[len(r.diags)-1].Level = diag.LevelDoubt
	}
}
