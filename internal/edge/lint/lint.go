// Package lint says what is probably not meant in the curl commands of a file, but for
// what documentation does by custom, and for what a comment lets be.
//
// The command line prints what it finds, and the language server shows it while somebody
// types.
package lint

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"uncoil/diag"
	"uncoil/extract"
	"uncoil/internal/edge/contract"
	"uncoil/internal/edge/lazy"
	"uncoil/internal/edge/openapi"
	"uncoil/internal/edge/suffix"
	"uncoil/internal/engine"
	"uncoil/internal/engine/check"
)

// MaxFile is how many bytes a file may have in which commands are looked for.
const MaxFile = 16 << 20

// A Finding is a mistake in a command, with its place in a file. Columns count
// characters.
type Finding struct {
	File      string    `json:"file"`
	Line      int       `json:"line"`
	Column    int       `json:"column"`
	EndLine   int       `json:"endLine"`
	EndColumn int       `json:"endColumn"`
	Severity  string    `json:"severity"` // error, doubt or advice
	Code      diag.Code `json:"code"`
	Message   string    `json:"message"`
	Hint      string    `json:"hint,omitempty"`
	// Fix is the edit of the file that mends it, where one is certain.
	Fix *Edit `json:"fix,omitempty"`
	// OpenAPI is where an OpenAPI document says otherwise.
	OpenAPI *openapi.Place `json:"openapi,omitempty"`

	Start, End int `json:"-"` // in the file, in bytes

	command int    // of which it is, in the list of the file
	text    string // the fingerprint of the line on which it begins
}

// An Edit replaces a stretch of a file, whose places are those of a finding.
type Edit struct {
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
	Text      string `json:"text"`

	Start, End int `json:"-"` // in the file, in bytes
}

// A Rule is what commands are held against.
type Rule struct {
	Advice bool
	// Levels are those of rules that have others than their own.
	Levels Levels
	// Shell is that of commands of which the file says none; empty to detect it.
	Shell string
	// Lines, unless nil, says whether a command on these lines is of interest.
	Lines func(first, last int) bool
	// Contract, unless nil, reports what contradicts an OpenAPI document.
	Contract func(r *engine.Result, report func(f *contract.Finding, severity string))
	// Stop, unless nil, says whether the rest of the commands is of no interest any more.
	Stop func() bool
}

// A File is a text in which commands were found.
type File struct {
	Name, Text string
	Kind       extract.Kind
	Commands   []extract.Command
}

// Read finds the commands in a text. The error extract.ErrWork comes with those that were
// found before the work was used up.
func Read(name, text string, kind extract.Kind) (*File, error) {
	commands, err := extract.Commands(text, kind)
	if err != nil && err != extract.ErrWork {
		return nil, err
	}
	return &File{name, text, kind, commands}, err
}

// Check returns what is wrong with the commands of a file, but for what its comments say is
// meant, and for rules that are off.
func (f *File) Check(rule Rule) []Finding {
	return rule.Levels.Shown(f.all(rule), rule.Advice)
}

// all is Check with the findings of all rules, and with the levels that they come with.
func (f *File) all(rule Rule) (findings []Finding) {
	if len(f.Commands) == 0 {
		return nil
	}
	places := diag.NewPositions(f.Text)
	ignored := IgnoredIn(f.Text)
	for i := range f.Commands {
		if rule.Stop != nil && rule.Stop() {
			break
		}
		c := &f.Commands[i]
		if rule.Lines != nil && !rule.Lines(c.Line, c.Line+strings.Count(f.Text[c.Start:c.End], "\n")) {
			continue
		}
		for _, found := range f.check(c, places, rule) {
			found.command = i
			if !ignored.Has(c.Line, found.Code) {
				findings = append(findings, found)
			}
		}
	}
	return findings
}

// check returns what is wrong with a command.
func (f *File) check(c *extract.Command, places *diag.Positions, rule Rule) (findings []Finding) {
	typed := f.typed(c)
	text := withoutTemplates(typed, f.Name)
	mendable := f.isMendable(c)
	add := func(d *diag.Diagnostic, severity string) {
		start := int(max(0, min(d.Span.Start, int32(len(c.Text)))))
		end := int(max(d.Span.Start, min(d.Span.End, int32(len(c.Text)))))
		found := Finding{File: f.Name, Severity: severity, Code: d.Code, Message: d.Message, Hint: d.Hint}
		found.Start = c.Offset(start)
		found.End = max(found.Start, c.Offset(end))
		found.Line, found.Column = places.At(int32(found.Start))
		found.text = fingerprint(lineAt(f.Text, found.Start))
		found.EndLine, found.EndColumn = places.At(int32(found.End))
		if text == c.Text && mendable { // else the fix has what stands in for a call
			found.Fix = editOf(f.Text, c, d.Fix, places)
		}
		findings = append(findings, found)
	}
	if isShortened(c.Text) {
		return nil
	}
	input := TypedNow(cmp.Or(c.Shell, rule.Shell))
	if rule.Contract != nil {
		input.Explain = engine.Explain
	}
	result, err := engine.Parse(text, input)
	var warnings diag.List
	if e, ok := errors.AsType[*engine.Error](err); !ok {
		warnings = result.Warnings
	} else if !isMeant(&e.Diagnostic, c.Text) && !isFilled(&e.Diagnostic, typed, text) && !f.isPart(e.Code, c.Text) {
		named := cause(e)
		if named.Code == diag.CodeNoURL && urlBelow().MatchString(f.Text[c.End:]) {
			named.Message, named.Hint = "the shell ends the command before its URL, which stands on the next line", "end this line with a backslash"
		}
		if next := argumentBelow().FindString(f.Text[c.End:]); named.Code == diag.CodeMissingArgument && next != "" {
			named.Message, named.Hint = named.Option+" needs an argument, which stands on the next line: the shell ends the command before it", "end this line with a backslash"
		}
		add(named, "error")
		warnings = slices.DeleteFunc(slices.Clone(e.Doubts), func(d diag.Diagnostic) bool { return d.Code == named.Code && d.Span == named.Span })
	}
	for i := range warnings {
		if w := &warnings[i]; !f.isCustomHere(w, c, typed, text) {
			level := w.Level
			if isCustom(w.Code) {
				level = diag.LevelAdvice
			} else if f.showsEntities() && w.Code == diag.WarnPastedNoise && strings.Contains(w.Message, "HTML") {
				level = diag.LevelDoubt // readers see the entities
			}
			if own := level.String(); isTold(own) || rule.Advice || isTold(rule.Levels.of(w.Code, own)) {
				add(w, own)
			}
		}
	}
	if entity := entity().FindStringSubmatch(f.Text[c.End:min(len(f.Text), c.End+longestEntity)]); entity != nil && f.showsEntities() {
		add(&diag.Diagnostic{Code: diag.WarnPastedNoise, Span: diag.At(len(c.Text)), Message: entity[1] + " stands behind the command as HTML spells it, which code shows as it is typed", Hint: "write the character itself"}, "doubt")
	}
	if err == nil && rule.Contract != nil {
		rule.Contract(result, func(against *contract.Finding, severity string) {
			add(&diag.Diagnostic{Code: against.Code, Span: against.Span, Message: against.Message, Hint: against.Hint, Fix: against.Fix}, severity)
			findings[len(findings)-1].OpenAPI = &against.Against
		})
	}
	return withoutConsequences(findings, text)
}

// showsEntities reports whether readers see the entities of HTML that a command has: those of
// pages and elements are put into characters before.
func (f *File) showsEntities() bool {
	return f.Kind == extract.Markdown || f.Kind == extract.RST || f.Kind == extract.AsciiDoc
}

// entity is one of HTML behind a command, where an operator of the shell is meant.
var entity = lazy.Regexp(`^[ \t]*(&(?:gt|lt|amp|quot);)`)

// argumentBelow is the argument of an option that ends a command, on the line below.
var argumentBelow = lazy.Regexp(`^[ \t\\]*\n[ \t]*(?:['"]\s*)?[{\[]`)

// urlBelow is a URL on the line below a command.
var urlBelow = lazy.Regexp(`^[ \t]*\n[ \t]*['"]?(?:https?://|localhost|[\w-]+(?:\.[\w-]+)+/)`)

// longestEntity is how much of the text behind a command is looked at for one.
const longestEntity = 32

// isCustomHere reports whether a warning is about what such a file may well mean.
func (f *File) isCustomHere(w *diag.Diagnostic, c *extract.Command, typed, text string) bool {
	switch {
	case w.Code == diag.WarnInvalidJSON && text != typed:
		return true // what a template puts into it is not known
	case w.Code == diag.WarnPastedNoise && f.Kind == extract.JSON && strings.HasPrefix(text[w.Span.Start:], `\ `):
		return true // an index has a blank for each line break
	case w.Code == diag.WarnQuotedVariable && isToReplace(check.QuotedVariable(text[w.Span.Start:w.Span.End]), f.Text):
		return true
	}
	return isMeant(w, c.Text)
}

// isFilled reports whether the error of an argument is about one that a template puts
// something into: what that is, is not known.
func isFilled(d *diag.Diagnostic, typed, text string) bool {
	switch d.Code {
	case diag.CodeInvalidArgument, diag.CodeInvalidURL, diag.CodeInvalidGlob:
		return typed[d.Span.Start:d.Span.End] != text[d.Span.Start:d.Span.End]
	}
	return false
}

// isPart reports whether a command without a URL is the value of a name in a file of
// settings: others add the URL.
func (f *File) isPart(code diag.Code, text string) bool {
	return code == diag.CodeNoURL && (f.Kind == extract.YAML || f.Kind == extract.JSON) && !strings.Contains(text, "\n")
}

// typed returns a command as its shell gets it: behind ! in a notebook IPython puts a
// blank in place of a backslash and its line break, in quotes too.
func (f *File) typed(c *extract.Command) string {
	if f.Kind == extract.Notebook && strings.HasSuffix(strings.TrimRight(f.Text[:c.Start], " "), "!") {
		return strings.ReplaceAll(c.Text, "\\\n", "  ")
	}
	return c.Text
}

// TypedNow is what a command is read with that somebody types now.
func TypedNow(shell string) engine.Input {
	return engine.Input{Shell: shell, Now: time.Now(), PublicSuffix: suffix.Public}
}

// withoutConsequences leaves out what follows from another mistake: what curl makes of
// the letters of an option with one dash too few, and of words that quotes were to hold
// together or were not closed for, the word that is left of a line whose backslash joins
// nothing, the URL on a line that is lost, and JSON that lacks the value of a variable.
func withoutConsequences(findings []Finding, text string) []Finding {
	type place struct{ line, column int }
	taken := map[int]bool{}    // lines where an option is an argument
	dashes := map[int]int{}    // the first column of an option with one dash too few, by line
	cut := map[int]bool{}      // lines that lost the command before them
	quoted := map[place]bool{} // variables that quotes keep
	refused := map[place]bool{}
	form := false      // something is said of one
	lost := false      // quotes
	misread := 1 << 30 // the first line with a mistake that makes words of others
	for i := range findings {
		switch f := &findings[i]; f.Code {
		case diag.WarnSingleDash:
			if first, ok := dashes[f.Line]; !ok || f.Column < first {
				dashes[f.Line] = f.Column
			}
		case diag.WarnLooksLikeOption:
			taken[f.Line] = true
		case diag.WarnPastedNoise:
			cut[f.Line] = true
			misread = min(misread, f.Line)
		case diag.WarnQuotesLost:
			lost = true
		case diag.WarnFormSyntax:
			form = true
		case diag.CodeUnterminatedQuote, diag.CodeShellSyntax, diag.WarnUnquotedArgument, diag.WarnUnquotedAmpersand, diag.WarnNotAHeader:
			misread = min(misread, f.Line)
		case diag.CodeInvalidURL:
			refused[place{f.Line, f.Column}] = true
		case diag.WarnQuotedVariable:
			quoted[place{f.Line, f.Column}] = true
		}
	}
	said := map[string]bool{}
	return slices.DeleteFunc(findings, func(f Finding) bool {
		if (f.Code == diag.WarnFormSyntax || f.Code == diag.WarnPastedNoise) && f.Fix == nil { // a habit of its author
			if said[f.Message] {
				return true
			}
			said[f.Message] = true
		}
		if first, ok := dashes[f.Line]; ok && f.Code != diag.WarnSingleDash && f.Column >= first {
			return true
		}
		switch f.Code {
		case diag.CodeInvalidURL: // a slash for a backslash is no URL, nor is a backslash with its blank
			const most = len(`\ `)
			return lost || misread <= f.Line || cut[f.Line+1] && f.EndLine == f.Line && f.EndColumn-f.Column <= most
		case diag.CodeInvalidGlob:
			return lost || misread <= f.Line
		case diag.CodeNoURL:
			return len(cut) > 0 && urlLine().MatchString(text)
		case diag.WarnFieldTwice: // of two types the first is not that of the form
			return form
		case diag.WarnLooksLikeMethod: // -X -i POST
			return taken[f.Line]
		case diag.WarnHeaderInURL, diag.WarnGlob:
			return refused[place{f.Line, f.Column}]
		case diag.WarnInvalidJSON:
			return quoted[place{f.Line, f.Column}]
		}
		return false
	})
}

// urlLine is a line that begins with a URL.
var urlLine = lazy.Regexp(`\n[ \t]*(?:--url[ =])?['"]?https?://`)

// cause returns the diagnostic that names the mistake behind an error: the single quotes
// that keep a variable in a URL as it is, and the & that cuts the URL off.
func cause(e *engine.Error) *diag.Diagnostic {
	for i := range e.Doubts {
		d := &e.Doubts[i]
		if e.Code == diag.CodeInvalidURL && d.Code == diag.WarnQuotedVariable && d.Span.Start <= e.Span.End && e.Span.Start <= d.Span.End {
			return d
		}
		if e.Code == diag.CodeNoURL && d.Code == diag.WarnUnquotedAmpersand {
			return d
		}
	}
	return &e.Diagnostic
}
