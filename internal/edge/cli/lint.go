package cli

import (
	"bufio"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"uncoil/diag"
	"uncoil/extract"
	"uncoil/internal/edge/contract"
	"uncoil/internal/edge/suffix"
	"uncoil/internal/engine"
)

// A finding is a mistake in a command, with its place in a file. Columns count
// characters.
type finding struct {
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
	Fix *edit `json:"fix,omitempty"`
	// OpenAPI is where an OpenAPI document says otherwise.
	OpenAPI *contract.Place `json:"openapi,omitempty"`
}

// A lintRule is what commands are held against.
type lintRule struct {
	advice   bool
	contract *apiContract // nil: none
}

// An edit replaces a stretch of a file, whose places are those of a finding.
type edit struct {
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
	Text      string `json:"text"`

	start, end int // in the file, in bytes
}

// levels are the words for a severity: of the finding, of the text, of GitHub, of SARIF
// and of GitLab.
var levels = map[string]struct{ text, github, sarif, gitlab string }{
	"error":  {"error", "error", "error", "major"},
	"doubt":  {"warning", "warning", "warning", "minor"},
	"advice": {"advice", "notice", "note", "info"},
}

// lint checks the commands in files.
func (p *Program) lint(args []string) error {
	fs := NewFlags("lint")
	advice := fs.Bool("advice", false, "show advice too, not only errors and doubts")
	format := fs.String("format", "text", "`F`: text, json (a line for each), sarif, github (annotations) or gitlab (code quality)")
	fix := fs.Bool("fix", false, "mend what has one certain cure, in the files")
	var excluded patterns
	fs.Func("exclude", "`PATTERN`: leave out files and folders, as a line of .gitignore does; may be repeated", excluded.add)
	spec := addContractFlags(fs)
	if err := p.ParseFlags(fs, args, &lintPage); err != nil {
		return err
	}
	write, ok := lintFormats[*format]
	if !ok {
		return &UsageError{"-format must be text, json, sarif, github or gitlab", "uncoil lint -h"}
	}
	api, err := p.openContract(spec)
	if err != nil {
		return err
	}
	defer api.close()
	rule := lintRule{*advice, api}
	findings, commands := api.own()
	files, mended := 0, 0
	err = p.searchBeside(api, fs.Args(), excluded, func(name, text string, found []extract.Command) error {
		files++
		if !api.has(name) {
			commands += len(found)
		}
		own := checkFile(name, text, found, rule)
		if *fix {
			left, n, err := p.mend(name, text, own, rule)
			if err != nil {
				return err
			}
			own, mended = left, mended+n
		}
		findings = append(findings, own...)
		return nil
	})
	if err != nil {
		// Trouble is told from findings: the exit code of those is 1.
		return &UsageError{err.Error(), ""}
	}
	out := bufio.NewWriter(p.Stdout)
	if err := errors.Join(write(out, findings), out.Flush()); err != nil {
		return err
	}
	summary := count(len(findings), "finding") + " in " + count(commands, "command") + " of " + count(files, "file")
	if *fix {
		summary += "; " + count(mended, "fix") + " made"
	}
	p.complain(summary)
	if len(findings) > 0 {
		return errReported
	}
	return nil
}

// count returns a number with its noun.
func count(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "x"):
		noun += "e"
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// checkFile returns what is wrong with the commands of a file, but for what its
// comments say is meant.
func checkFile(name, text string, found []extract.Command, rule lintRule) (findings []finding) {
	if len(found) == 0 {
		return nil
	}
	places := diag.NewPositions(text)
	ignored := ignoredIn(text)
	if rule.contract.has(name) {
		rule.contract = nil // which holds its own examples against itself
	}
	for i := range found {
		for _, f := range check(name, text, &found[i], places, rule) {
			if !ignored.has(found[i].Line, f.Code) {
				findings = append(findings, f)
			}
		}
	}
	return findings
}

// check returns what is wrong with a command.
func check(file, source string, c *extract.Command, places *diag.Positions, rule lintRule) (findings []finding) {
	typed := typedText(file, source, c)
	text := withoutTemplates(typed)
	add := func(d *diag.Diagnostic, severity string) {
		start := int(max(0, min(d.Span.Start, int32(len(c.Text)))))
		end := int(max(d.Span.Start, min(d.Span.End, int32(len(c.Text)))))
		f := finding{File: file, Severity: severity, Code: d.Code, Message: d.Message, Hint: d.Hint}
		from := c.Offset(start)
		f.Line, f.Column = places.At(int32(from))
		f.EndLine, f.EndColumn = places.At(int32(max(from, c.Offset(end))))
		// Else the fix has what stands in for a call, or lacks the escapes of the file.
		if kind := extract.KindOf(file); text == c.Text && kind != extract.HTML && kind != extract.Notebook && kind != extract.JSON {
			f.Fix = editOf(source, c, d.Fix, places)
		}
		findings = append(findings, f)
	}
	if isShortened(c.Text) {
		return nil
	}
	input := typedNow(c.Shell)
	if rule.contract != nil {
		input.Explain = engine.Explain
	}
	result, err := engine.Parse(text, input)
	var warnings diag.List
	if e, ok := errors.AsType[*engine.Error](err); !ok {
		warnings = result.Warnings
	} else if !isMeant(&e.Diagnostic, c.Text) && !isFilled(&e.Diagnostic, typed, text) && !isPart(file, e.Code, c.Text) {
		named := cause(e)
		add(named, "error")
		warnings = slices.DeleteFunc(slices.Clone(e.Doubts), func(d diag.Diagnostic) bool { return d.Code == named.Code && d.Span == named.Span })
	}
	for i := range warnings {
		w := &warnings[i]
		level := w.Level
		if isCustom(w.Code) {
			level = diag.LevelAdvice
		}
		if w.Code == diag.WarnInvalidJSON && text != typed {
			continue // what a template puts into it is not known
		}
		if w.Code == diag.WarnPastedNoise && extract.KindOf(file) == extract.JSON && strings.HasPrefix(text[w.Span.Start:], `\ `) {
			continue // an index has a blank for each line break
		}
		if w.Code == diag.WarnQuotedVariable && isToReplace(w.Message, source) {
			continue
		}
		if !isMeant(w, c.Text) && (level == diag.LevelDoubt || rule.advice) {
			add(w, level.String())
		}
	}
	if err == nil {
		rule.contract.check(result, func(f *contract.Finding, severity string) {
			add(&diag.Diagnostic{Code: f.Code, Span: f.Span, Message: f.Message, Hint: f.Hint, Fix: f.Fix}, severity)
			findings[len(findings)-1].OpenAPI = &f.Against
		})
	}
	return withoutConsequences(findings, text)
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
func isPart(file string, code diag.Code, text string) bool {
	kind := extract.KindOf(file)
	return code == diag.CodeNoURL && (kind == extract.YAML || kind == extract.JSON) && !strings.Contains(text, "\n")
}

// typedText returns a command as its shell gets it: behind ! in a notebook IPython puts a
// blank in place of a backslash and its line break, in quotes too.
func typedText(file, source string, c *extract.Command) string {
	if extract.KindOf(file) == extract.Notebook && strings.HasSuffix(strings.TrimRight(source[:c.Start], " "), "!") {
		return strings.ReplaceAll(c.Text, "\\\n", "  ")
	}
	return c.Text
}

// typedNow is what a command is read with that somebody types now.
func typedNow(shell string) engine.Input {
	return engine.Input{Shell: shell, Now: time.Now(), PublicSuffix: suffix.Public}
}

// withoutConsequences leaves out what follows from another mistake: what curl makes of
// the letters of an option with one dash too few, and of words that quotes were to hold
// together, the word that is left of a line whose backslash joins nothing, the URL on a
// line that is lost, and JSON that lacks the value of a variable.
func withoutConsequences(findings []finding, text string) []finding {
	type place struct{ line, column int }
	taken := map[int]bool{}    // lines where an option is an argument
	dashes := map[int]int{}    // the first column of an option with one dash too few, by line
	cut := map[int]bool{}      // lines that lost the command before them
	quoted := map[place]bool{} // variables that quotes keep
	refused := map[place]bool{}
	lost := false // quotes
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
		case diag.WarnQuotesLost:
			lost = true
		case diag.CodeInvalidURL:
			refused[place{f.Line, f.Column}] = true
		case diag.WarnQuotedVariable:
			quoted[place{f.Line, f.Column}] = true
		}
	}
	return slices.DeleteFunc(findings, func(f finding) bool {
		if first, ok := dashes[f.Line]; ok && f.Code != diag.WarnSingleDash && f.Column >= first {
			return true
		}
		switch f.Code {
		case diag.CodeInvalidURL: // a slash for a backslash is no URL, nor is a backslash with its blank
			const most = len(`\ `)
			return lost || cut[f.Line+1] && f.EndLine == f.Line && f.EndColumn-f.Column <= most
		case diag.CodeInvalidGlob:
			return lost
		case diag.CodeNoURL:
			return len(cut) > 0 && urlLine.MatchString(text)
		case diag.WarnLooksLikeMethod: // -X -i POST
			return taken[f.Line]
		case diag.WarnHeaderInURL:
			return refused[place{f.Line, f.Column}]
		case diag.WarnInvalidJSON:
			return quoted[place{f.Line, f.Column}]
		}
		return false
	})
}

// urlLine is a line that begins with a URL.
var urlLine = regexp.MustCompile(`\n[ \t]*(?:--url[ =])?['"]?https?://`)

// cause returns the diagnostic that names the mistake behind an error: the single quotes
// that keep a variable in a URL as it is.
func cause(e *engine.Error) *diag.Diagnostic {
	for i := range e.Doubts {
		d := &e.Doubts[i]
		if e.Code == diag.CodeInvalidURL && d.Code == diag.WarnQuotedVariable && d.Span.Start <= e.Span.End && e.Span.Start <= d.Span.End {
			return d
		}
	}
	return &e.Diagnostic
}
