package curl

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/shell"
)

// A Setting is an option as used once.
type Setting struct {
	*Option
	// On is false for the --no- form, and for the letter of an option that
	// is documented in that form (-N).
	On bool
	// Name is the option as typed: -H, --header. It is empty for a URL
	// that stands alone.
	Name string
	// Span is where the name stands, or the URL that stands alone.
	Span diag.Span
	// Value is the argument, never nil: an empty word when the option takes
	// none.
	Value *shell.Word
}

// noWord is the argument of the options that take none.
var noWord shell.Word

// An Operation is the settings between two --next, in command order. A URL
// that stands alone is a setting of --url.
type Operation struct {
	Settings []Setting
	// URLs counts the URLs of the operation.
	URLs int
}

// ParseArgs reads the arguments of curl (without the program's name).
//
// Like curl it stops at the first error, and then curl would send nothing.
// What only the shell would know comes back as marks (see [Inputs.Marks]).
// The rules are those of parse_args() and getparameter() in curl 8.22
// src/tool_getparam.c.
func ParseArgs(args []shell.Word, in *Inputs) ([]Operation, diag.List) {
	args = in.mark(args)
	p := parser{in: in}
	p.operations = append(p.operations, Operation{Settings: make([]Setting, 0, len(args)/2+2)}) // most take an argument
	p.defaultConfig(args)
	options := true
	for i := 0; i < len(args) && !p.failed; i++ {
		arg := &args[i]
		if !options || !strings.HasPrefix(arg.Text, "-") || arg.StartsWithHole() {
			p.apply(Setting{Option: &table[OptUrl], On: true, Span: arg.Span, Value: arg})
			continue
		}
		if arg.Text == "--" {
			options = false
			continue
		}
		var next *shell.Word
		if i+1 < len(args) {
			next = &args[i+1]
		}
		if p.option(arg, next) {
			i++
		}
	}
	if !p.failed {
		p.checkEnd()
	}
	in.Marks.RestoreDiags(p.diags)
	return p.operations, p.diags
}

type parser struct {
	in         *Inputs
	operations []Operation
	state      state // of the last operation
	variables  []variable
	diags      diag.List
	failed     bool
	depth      int // of configuration files
	settings   int
}

// fail records the error that ends the parse.
func (p *parser) fail(code diag.Code, span diag.Span, option, message, hint string) {
	p.failed = true
	p.diags = append(p.diags, diag.Diagnostic{
		Code: code, Severity: diag.Error, Span: span, Message: message, Hint: hint, Option: option,
	})
}

// option reads one argument that begins with a dash, or a line of a
// configuration file, whose options may lack the dashes. It reports whether
// next was consumed as the argument of the option.
func (p *parser) option(arg *shell.Word, next *shell.Word) (consumed bool) {
	if len(arg.Text) > 0 && arg.Text[0] == '-' && !strings.HasPrefix(arg.Text, "--") {
		return p.cluster(arg, next)
	}
	return p.long(arg, next)
}

// maxLongName is the length of the longest long name; curl looks for a "="
// no further than that (MAX_OPTION_LEN).
const maxLongName = 26

// long reads --name, --no-name, --expand-name, each with or without =value.
func (p *parser) long(arg *shell.Word, next *shell.Word) (consumed bool) {
	word := strings.TrimPrefix(arg.Text, "--")
	on, expand := true, false
	if rest, ok := strings.CutPrefix(word, "no-"); ok {
		word, on = rest, false
	} else if rest, ok := strings.CutPrefix(word, "expand-"); ok {
		word, expand = rest, true
	}
	name, nameSpan := arg.Text, arg.Span
	if i := strings.IndexByte(word, '='); i > 0 && i <= maxLongName {
		start := len(arg.Text) - len(word) + i + 1
		name, word, next = arg.Text[:start-1], word[:i], cutWord(arg, start)
	} else {
		consumed = true
	}
	o := Lookup(word)
	if o == nil {
		p.unknown(arg, name, word)
		return false
	}
	if !on && o.Arg != ArgBool {
		p.fail(diag.CodeUnknownOption, arg.Span, name,
			"--"+o.Long+" cannot be reversed with --no-", "remove "+name)
		return false
	}
	if expand && next != nil {
		if !o.TakesArgument() {
			p.fail(diag.CodeVariable, arg.Span, name,
				"--expand- works only on options that take an argument, and --"+o.Long+" takes none", "use --"+o.Long)
			return false
		}
		expanded, ok := p.expand(next, name)
		if !ok {
			return false
		}
		next = expanded
	}
	s := Setting{Option: o, On: on, Name: name, Span: nameSpan, Value: &noWord}
	if !o.TakesArgument() {
		p.apply(s)
		return false
	}
	return p.applyNext(s, arg, next) && consumed
}

// applyNext applies a setting whose argument is the next word, and reports
// whether there was one.
func (p *parser) applyNext(s Setting, arg *shell.Word, next *shell.Word) bool {
	switch {
	case s.ID == OptHelp:
		p.noRequest(arg.Span, s.Name, "curl prints its help")
		return false
	case next == nil:
		p.missing(arg, s.Name)
		return false
	}
	s.Value = next
	p.apply(s)
	return true
}

// cluster reads -abc: letters of options without argument, then at most one
// option that takes the rest of the word, or else the next word.
func (p *parser) cluster(arg *shell.Word, next *shell.Word) (consumed bool) {
	if arg.Text == "-" {
		p.fail(diag.CodeUnknownOption, arg.Span, "-",
			"a lone - is not an option, and curl refuses it",
			"to read data from standard input write -d @- or -T -")
		return false
	}
	for i := 1; i < len(arg.Text) && !p.failed; i++ {
		o := LookupShort(arg.Text[i])
		if o == nil {
			p.unknownLetter(arg, i)
			return false
		}
		name := arg.Text[:2]
		if i > 1 {
			name = "-" + arg.Text[i:i+1]
		}
		s := Setting{Option: o, On: o.Flags&FlagNo == 0, Name: name, Span: letterSpan(arg, i), Value: &noWord}
		if !o.TakesArgument() {
			p.apply(s)
			if o.Flags&FlagDeprecated != 0 || o.ID == OptNext {
				return false // curl drops the letters behind it
			}
			continue
		}
		if i+1 < len(arg.Text) {
			s.Value = cutWord(arg, i+1)
			p.apply(s)
			return false
		}
		return p.applyNext(s, arg, next)
	}
	return false
}

// cutWord returns the part of a word from byte i of its text on. Its span is
// exact when the word was typed without quoting, and else that of the word.
func cutWord(w *shell.Word, i int) *shell.Word {
	cut := &shell.Word{Text: w.Text[i:], Span: w.Span}
	if at, exact := w.Offset(i); exact {
		cut.Span.Start = at
	}
	for _, h := range w.Holes {
		if int(h.Start) >= i {
			h.Start -= int32(i)
			h.End -= int32(i)
			cut.Holes = append(cut.Holes, h)
		}
	}
	return cut
}

// letterSpan returns where letter i of a cluster stands, as far as that is
// known: see cutWord.
func letterSpan(w *shell.Word, i int) diag.Span {
	at, exact := w.Offset(i)
	switch {
	case !exact:
		return w.Span
	case i == 1:
		return diag.Span{Start: w.Span.Start, End: at + 1}
	}
	return diag.Span{Start: at, End: at + 1}
}

func (p *parser) unknown(arg *shell.Word, name, word string) {
	hint := "see curl --help all"
	if s := Suggest(word); s != "" {
		hint = "did you mean --" + s + "?"
	}
	p.fail(diag.CodeUnknownOption, arg.Span, name, "curl has no option "+printable(name), hint)
}

func (p *parser) unknownLetter(arg *shell.Word, i int) {
	name := "-" + firstRune(arg.Text[i:])
	hint := "see curl --help all"
	if Lookup(arg.Text[1:]) != nil {
		hint = "did you mean -" + arg.Text + "?"
	} else if arg.Text[i] >= 0x80 {
		hint = "curl's letters are ASCII: is a dash or a quote typographic?"
	}
	p.fail(diag.CodeUnknownOption, letterSpan(arg, i), name, "curl has no option "+printable(name), hint)
}

func (p *parser) missing(arg *shell.Word, name string) {
	p.fail(diag.CodeMissingArgument, arg.Span, name, name+" needs an argument, and the command ends here",
		"add the argument after "+name)
}

// noRequest records that curl does something else than sending a request.
func (p *parser) noRequest(span diag.Span, name, what string) {
	p.fail(diag.CodeNoURL, span, name, "with "+name+" "+what+" and sends no request", "remove "+name)
}

func firstRune(s string) string {
	for i := range s {
		if i > 0 {
			return s[:i]
		}
	}
	return s
}

// printable cuts a name so that a message stays a sentence on one line.
func printable(name string) string {
	const limit = 60
	more := ""
	if len(name) > limit {
		name, more = name[:limit], "…"
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(name, "")) + more
}
