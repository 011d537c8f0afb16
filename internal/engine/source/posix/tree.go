package posix

import (
	"uncoil/diag"
	"uncoil/internal/engine/source/word"
)

// A stmt is a command with what joins it to the next: a simple command, or a
// compound one with its redirections.
type stmt struct {
	words     []lexeme
	assigns   []assign
	redirects []redirect
	compound  *compound // nil for a simple command
	span      diag.Span
	op        operator // between it and the next statement
	opAt      int32
	negated   bool // ! stands before the pipeline that it begins
	declares  bool // export, declare and the like: assignments only
}

// An operator joins statements.
type operator uint8

// The operators.
const (
	inSequence operator = iota // ; or a line break
	background                 // &
	and                        // &&
	or                         // ||
	pipe                       // | or |&
)

// A compound is a command made of other commands.
type compound struct {
	kind  compoundKind
	name  string    // the variable of a loop, or the function
	in    bool      // for name in …
	until bool      // of while: it is until
	items []lexeme  // what a loop goes through, or the subject of case
	lists [][]stmt  // conditions and branches in their order
	head  [3]string // of for ((…; …; …)); head[0] of ((…))
}

// A compoundKind is the kind of a compound command.
type compoundKind uint8

// The compound commands.
const (
	subshell   compoundKind = iota // ( list )
	group                          // { list; }
	conditions                     // if: condition, branch, condition, branch …, and the branch of else
	while                          // while and until: condition, body
	forEach                        // for and select: body
	forCount                       // for ((…)): body
	choices                        // case: a list for each pattern
	function                       // its body, which is not run
	expression                     // [[ … ]]
	arithmetic                     // (( … ))
	coproc                         // one list
)

// A lexeme is a word as it stands in the source. Without parts it is its
// text.
type lexeme struct {
	text   string
	parts  []part
	span   diag.Span
	braces bool // an unquoted { stands in it
}

// A part is a stretch of a word with one meaning.
type part struct {
	text   string     // of literals and quotes; the name of a variable
	x      *expansion // of parameters and substitutions
	span   diag.Span  // in the source, marks of quoting included
	kind   partKind
	quoted bool // between double quotes
}

// A partKind is the kind of a part.
type partKind uint8

// The kinds of parts.
const (
	literal      partKind = iota // text that stands for itself
	escaped                      // text with backslashes that still stand before what they escape
	single                       // '…' or $'…', decoded
	open                         // the " that opens
	shut                         // the " that closes
	variable                     // $NAME
	parameter                    // ${…}
	substitution                 // $(…), `…`, <(…), >(…), $((…)): kept as spelled
)

// An expansion is what stands in ${…}, $(…) and their like.
type expansion struct {
	name     string
	index    string // of an array: what stands between the brackets
	op       string // as spelled; "" for ${NAME}
	word     []part // after the operator: a default, a pattern
	with     []part // ${X/pattern/with}
	slice    [2]string
	list     []stmt // the commands of a substitution
	sum      string // the expression of $((…))
	indexed  bool
	length   bool // ${#NAME}
	hasWord  bool
	hasWith  bool
	bounded  bool // ${X:offset:length} has a length
	opaque   bool // keeps its spelling whatever is known
	computed bool // $((…))
}

// An assign gives a variable a value.
type assign struct {
	name    string
	value   lexeme
	list    []lexeme // A=(…)
	isList  bool
	appends bool // +=
	element bool // NAME[…]=
}

// A redirect leads a file descriptor somewhere else.
type redirect struct {
	op      redirectOp
	other   bool   // it is not standard input or output
	appends bool   // >>
	copies  bool   // >&: the target may be the number of a descriptor
	target  lexeme // file, or here-string
	doc     *document
}

// A redirectOp is the kind of a redirection.
type redirectOp uint8

// The redirections.
const (
	fromFile     redirectOp = iota // <, <>
	toFile                         // >, >>, >|, &>, >&
	duplicate                      // <&
	hereDocument                   // <<, <<-
	hereString                     // <<<
)

// A document is a here-document.
type document struct {
	delimiter string
	quoted    bool
	tabs      bool   // <<- drops leading tabs
	text      string // the lines as the command reads them, before expansion
	parts     []part // of the text, unless it is quoted
	at        int    // of the operator
}

// A value is what a variable holds.
type value struct {
	text    string
	holes   []word.Hole
	list    []value // the elements of an array, which has no text
	isList  bool
	isUnset bool // the text has unset it
	// forgotten reports that the value is no longer known.
	forgotten bool
	from      *word.Origin // what it is then, where commands of the text compute it
}

// scalar returns what $NAME stands for: of an array, its first element.
func (v value) scalar() value {
	if !v.isList {
		return v
	}
	if len(v.list) == 0 {
		return value{isUnset: true}
	}
	return v.list[0]
}
