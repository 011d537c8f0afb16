package curl

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/word"
)

// ParseArgs reads the arguments of curl (without the program's name). The
// operations are good until the inputs serve the next command.
//
// Like curl it stops at the first error, and then curl would send nothing.
// What only the shell would know comes back as marks (see [Inputs.Marks]). Once the
// command is built, [Inputs.Clashed] reports whether it must be read again.
// The rules are those of parse_args() and getparameter() in curl 8.22
// src/tool_getparam.c.
func ParseArgs(args []word.Word, in *Inputs) ([]Operation, diag.List) {
	p := &in.parser
	*p = parser{in: in}
	in.Recorded = nil
	args, ok := in.mark(in.withSink(args))
	if last := len(args) - 1; in.Sink != nil {
		in.sink, args = args[last], args[:last]
	}
	if !ok {
		p.fail(diag.CodeTooMuchWork, diag.Span{}, "", "the command has more unknown variables than can be told apart from its text", "pass their values in env")
		return nil, p.diags
	}
	args = p.unglued(args)
	p.operations = p.first[:]
	p.first[0].Settings = in.room(expectedSettings(args))
	p.defaultConfig(args)
	options := true
	for i := 0; i < len(args) && !p.failed; i++ {
		arg := &args[i]
		p.span = arg.Span
		if options && arg.Text != "" && mayBeginDash(arg.Text[0]) {
			if option := p.withoutLongDash(arg, i+1 == len(args)); option != nil {
				arg = option
			}
		}
		if options && arg.Text != "" && arg.Text[0] == '{' {
			if option := p.documented(arg); option != nil {
				arg = option
			}
		}
		if !options || arg.Text == "" || arg.Text[0] != '-' || arg.StartsWithHole() {
			if url := p.withoutEntities(arg); url != nil {
				arg = url
			}
			p.apply(&Setting{Option: &table[OptUrl], On: true, Span: arg.Span, Value: arg})
			continue
		}
		if arg.Text == "--" {
			options = false
			continue
		}
		var next *word.Word
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

// expectedSettings returns how many settings arguments make, unless letters
// are clustered or configuration files are read.
func expectedSettings(args []word.Word) int {
	dashes := 0
	for i := range args {
		if text := args[i].Text; text != "" && text[0] == '-' {
			dashes++
		}
	}
	// Most options take an argument, and what is left are URLs.
	return max(dashes+1, len(args)-dashes)
}

// parser is the state of ParseArgs.
type parser struct {
	in         *Inputs
	operations []Operation
	first      [1]Operation // room for the usual case
	state      state        // of the last operation
	variables  map[string]string
	diags      diag.List
	failed     bool
	depth      int       // of configuration files
	span       diag.Span // of the argument that is read
}

// fail records the error that ends the parse.
func (p *parser) fail(code diag.Code, span diag.Span, option, message, hint string) {
	p.failed = true
	p.diags = append(p.diags, diag.Diagnostic{
		Code: code, Severity: diag.SeverityError, Span: span, Message: message, Hint: hint, Option: option,
	})
}

func (p *parser) warn(code diag.Code, span diag.Span, message, hint string) {
	if !p.in.NoWarnings && p.work(50) && p.hold(sizeOfWarning) {
		p.diags.Warn(code, span, message, hint)
	}
}

// work pays for n steps. When the meter refuses, the parse ends.
func (p *parser) work(n int) bool { return p.in.Meter.Work(n) || p.overLimit() }

// hold pays for n bytes. When the meter refuses, the parse ends.
func (p *parser) hold(n int) bool { return p.in.Meter.Hold(n) || p.overLimit() }

// overLimit ends the parse with the error of the meter.
func (p *parser) overLimit() bool {
	if !p.failed {
		p.failed = true
		p.diags = append(p.diags, p.in.Meter.Diagnostic(p.span))
	}
	return false
}

// option reads one argument that begins with a dash, or a line of a
// configuration file, whose options may lack the dashes. It reports whether
// next was consumed as the argument of the option.
func (p *parser) option(arg, next *word.Word) (consumed bool) {
	if text := arg.Text; len(text) > 0 && text[0] == '-' && (len(text) == 1 || text[1] != '-') {
		return p.cluster(arg, next)
	}
	return p.long(arg, next)
}

// maxLongName is the length of the longest long name; curl looks for a "="
// no further than that (MAX_OPTION_LEN in curl 8.22 src/tool_getparam.c).
const maxLongName = 26

// long reads --name, --no-name, --expand-name, each with or without =value.
func (p *parser) long(arg, next *word.Word) (consumed bool) {
	name := strings.TrimPrefix(arg.Text, "--")
	on, expand, glued := true, false, false
	if rest, ok := strings.CutPrefix(name, "no-"); ok {
		name, on = rest, false
	} else if rest, ok := strings.CutPrefix(name, "expand-"); ok {
		name, expand = rest, true
	}
	s := Setting{On: on, Name: arg.Text, Span: arg.Span, Value: &noWord}
	if i := strings.IndexByte(name[:min(len(name), maxLongName+1)], '='); i > 0 {
		start := len(arg.Text) - len(name) + i + 1
		s.Name, name, next, glued = arg.Text[:start-1], name[:i], p.wordFrom(arg, start), true
	}
	if s.Option = Lookup(name); s.Option == nil {
		e := Argument
		if !glued {
			e = evidence(next)
		}
		p.unknown(arg, name, e)
		return false
	}
	if !on && s.Arg != ArgBool {
		p.fail(diag.CodeUnknownOption, arg.Span, s.Name,
			"--"+s.Long+" cannot be reversed with --no-", "remove "+s.Name)
		return false
	}
	if expand && next != nil {
		if !s.TakesArgument() {
			p.fail(diag.CodeVariable, arg.Span, s.Name,
				"--expand- works only on options that take an argument, and --"+s.Long+" takes none", "use --"+s.Long)
			return false
		}
		expanded, ok := p.expand(next, s.Name)
		if !ok {
			return false
		}
		next = expanded
	}
	if !s.TakesArgument() {
		p.apply(&s)
		return false
	}
	return p.applyNext(&s, arg, next) && !glued
}

// applyNext applies a setting whose argument is the next word, and reports
// whether there was one.
func (p *parser) applyNext(s *Setting, arg, next *word.Word) bool {
	switch {
	case s.ID == OptHelp:
		p.noRequest(arg.Span, s.Name, "curl prints its help")
		return false
	case next == nil:
		p.missing(arg, s)
		return false
	}
	s.Value = next
	p.apply(s)
	return true
}

// cluster reads -abc: letters of options without argument, then at most one
// option that takes the rest of the word, or else the next word.
func (p *parser) cluster(arg, next *word.Word) (consumed bool) {
	text := arg.Text
	if text == "-" {
		p.fail(diag.CodeUnknownOption, arg.Span, "-",
			"a lone - is not an option, and curl refuses it",
			"to read data from standard input write -d @- or -T -")
		return false
	}
	for i := 1; i < len(text) && !p.failed; i++ {
		o := LookupShort(text[i])
		if o == nil {
			p.unknownLetter(arg, i)
			return false
		}
		s := Setting{Option: o, On: o.Flags&FlagNo == 0, Name: letterName(text, i), Span: letterSpan(arg, i), Value: &noWord}
		if !o.TakesArgument() {
			p.apply(&s)
			if o.Flags&FlagDeprecated != 0 || o.ID == OptNext {
				return false // curl drops the letters after it
			}
			continue
		}
		if i+1 < len(text) {
			s.Value = p.wordFrom(arg, i+1)
			p.apply(&s)
			return false
		}
		return p.applyNext(&s, arg, next)
	}
	return false
}

// letterNames holds each letter after a dash.
var letterNames = func() (names [128]string) {
	for c := range names {
		names[c] = "-" + string(rune(c))
	}
	return names
}()

// letterName returns letter i of a cluster with a dash.
func letterName(text string, i int) string {
	if i == 1 {
		return text[:2]
	}
	return letterNames[text[i]]
}

// letterSpan returns where letter i of a cluster stands, as far as that is
// known: see wordFrom.
func letterSpan(w *word.Word, i int) diag.Span {
	at, exact := w.Offset(i)
	switch {
	case !exact:
		return w.Span
	case i == 1:
		return diag.Span{Start: w.Span.Start, End: at + 1}
	}
	return diag.Span{Start: at, End: at + 1}
}

// unknown records a long name that curl does not have; name is without dashes
// and prefix. What follows the name in the same word may be a secret, and is
// not repeated.
func (p *parser) unknown(arg *word.Word, name string, e Evidence) {
	short := printableName(name)
	typed := printableName(arg.Text)
	if secret := secretName(short); secret != "" {
		typed, short = typed[:len(typed)-len(short)]+secret, secret
	}
	message, hint := "curl has no option "+typed, "see curl --help all"
	var lacking *word.Hole
	var fix *diag.Fix
	switch {
	case short != name && Lookup(short) != nil:
		message += ", and more follows the name without a blank"
		hint = "write the argument as the next word"
	case len(arg.Holes) > 0:
		lacking = &arg.Holes[0]
	case dashTooMany(name):
		hint = "did you mean " + typed[1:] + "?"
		if at, exact := arg.Offset(1); exact {
			fix = &diag.Fix{Span: diag.Span{Start: arg.Span.Start, End: at}}
		}
	case isMethod(name):
		hint = "write -X " + name
		if name == "GET" {
			hint += ", or -G for data in the query"
			break
		}
		if _, exact := arg.Offset(0); exact {
			fix = &diag.Fix{Span: arg.Span, Text: "-X " + name}
		}
	default:
		if s := p.suggest(short, e); s != "" {
			hint = "did you mean --" + s + "?"
			at := strings.Index(arg.Text, name)
			start, exact := arg.Offset(at)
			if end, ok := arg.Offset(at + len(name)); exact && ok && short == name {
				fix = &diag.Fix{Span: diag.Span{Start: start, End: end}, Text: s}
			}
		}
	}
	p.fail(diag.CodeUnknownOption, arg.Span, typed, message, hint)
	p.diags[len(p.diags)-1].Fix = fix
	if lacking != nil {
		p.lacks(lacking)
	}
}

// dashTooMany reports a name that is an option of one letter behind two dashes: --H,
// --XPOST.
func dashTooMany(name string) bool {
	return len(name) == 1 && LookupShort(name[0]) != nil || len(name) > 1 && name[0] == 'X' && name == strings.ToUpper(name)
}

// isMethod reports a method in capitals that is written as an option: --POST. --HEAD is
// --head.
func isMethod(name string) bool {
	switch name {
	case "GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS":
		return true
	}
	return false
}

// lacks makes the last error one that the value of a variable would decide.
func (p *parser) lacks(h *word.Hole) {
	last := &p.diags[len(p.diags)-1]
	last.Hint, last.Variable = "the value of "+h.Shown()+" is not known: pass it in env", h.Name
}

// secretName returns the option with a secret argument with which a long name
// begins, where what follows does not look like the rest of a name.
func secretName(name string) string {
	longest := ""
	for i := range table {
		o := &table[i]
		rest, ok := strings.CutPrefix(name, o.Long)
		if ok && o.Flags&FlagSecret != 0 && len(o.Long) > len(longest) && strings.ContainsFunc(rest, notInName) {
			longest = o.Long
		}
	}
	return longest
}

// notInName reports whether no long name but those of a version has c.
func notInName(c rune) bool { return c != '-' && (c < 'a' || 'z' < c) }

// suggest returns what [Suggest] does, once in a text, because it is dear.
func (p *parser) suggest(name string, e Evidence) string {
	if p.in.suggested || !p.work(suggestWork) {
		return ""
	}
	p.in.suggested = true
	return Suggest(name, e)
}

// evidence returns what the next word, if there is one, shows about an option.
func evidence(next *word.Word) Evidence {
	switch {
	case next == nil || len(next.Text) > 1 && next.Text[0] == '-':
		return NoArgument
	case strings.Contains(next.Text, "://"):
		return Unclear
	case strings.ContainsAny(next.Text, " ={\"") || !strings.ContainsAny(next.Text, "./") && !strings.HasPrefix(next.Text, "localhost"):
		return Argument
	}
	return Unclear // it may be a URL without a scheme
}

func (p *parser) unknownLetter(arg *word.Word, i int) {
	name := "-" + firstRune(arg.Text[i:])
	hint := "see curl --help all"
	var lacking *word.Hole
	switch {
	case Lookup(arg.Text[1:]) != nil:
		hint = "did you mean -" + arg.Text + "?"
	case len(arg.Holes) > 0 && int(arg.Holes[0].Start) <= i:
		lacking = &arg.Holes[0]
	case arg.Text[i] >= 0x80:
		hint = "curl's letters are ASCII: is a dash or a quote typographic?"
	}
	p.fail(diag.CodeUnknownOption, letterSpan(arg, i), name, "curl has no option "+printable(name), hint)
	if lacking != nil {
		p.lacks(lacking)
	}
}

func (p *parser) missing(arg *word.Word, s *Setting) {
	p.fail(diag.CodeMissingArgument, arg.Span, s.Name, s.Name+" needs an argument, and the command ends here", missingHint(s))
}

// missingHint returns what to write after an option that lacks its argument.
func missingHint(s *Setting) string {
	after := " after " + s.Name
	switch s.ID {
	case OptHeader, OptProxyHeader:
		return "add 'Name: value'" + after
	case OptRequest:
		return "name the method" + after + ", or leave " + s.Name + " out"
	case OptData, OptDataAscii, OptDataBinary, OptDataRaw, OptDataUrlencode, OptJson:
		return "add the data" + after + ", or '' for none"
	case OptForm, OptFormString:
		return "add 'name=value'" + after
	case OptUser, OptProxyUser:
		return "add name:password" + after
	case OptUrl, OptProxy:
		return "add the URL" + after
	case OptCookie:
		return "add 'name=value' or the name of a file" + after
	case OptOutput:
		return "name the file" + after + ", or write -O for the name in the URL"
	case OptConfig:
		return "name the file" + after + "; --insecure is -k"
	}
	switch s.Arg {
	case ArgFile:
		return "name the file" + after
	case ArgSeconds:
		return "add a number of seconds" + after
	case ArgUnsigned:
		return "add a number" + after
	}
	return "add the argument" + after
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

// printableName returns the part of a word that may be the name of an option.
func printableName(text string) string {
	i := 0
	for i < len(text) && (text[i] == '-' || text[i] == '.' || ascii.IsNameByte(text[i]) || text[i] >= 0x80) {
		i++
	}
	return printable(text[:i])
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
