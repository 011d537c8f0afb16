package cli

import (
	"bufio"
	"errors"
	"regexp"
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
	places := diag.NewPositions(text)
	ignored := ignoredIn(text)
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
	text := templates.ReplaceAllStringFunc(c.Text, func(call string) string { return strings.Repeat("x", len(call)) })
	add := func(d *diag.Diagnostic, severity string) {
		start := int(max(0, min(d.Span.Start, int32(len(c.Text)))))
		end := int(max(d.Span.Start, min(d.Span.End, int32(len(c.Text)))))
		f := finding{File: file, Severity: severity, Code: d.Code, Message: d.Message, Hint: d.Hint}
		from := c.Offset(start)
		f.Line, f.Column = places.At(int32(from))
		f.EndLine, f.EndColumn = places.At(int32(max(from, c.Offset(end))))
		// Else the fix has what stands in for a call, or lacks the escapes of the file.
		if kind := extract.KindOf(file); text == c.Text && kind != extract.HTML && kind != extract.Notebook {
			f.Fix = editOf(source, c, d.Fix, places)
		}
		findings = append(findings, f)
	}
	if isShortened(c.Text) {
		return nil
	}
	result, err := readCommand(text, c.Shell)
	if e, ok := errors.AsType[*engine.Error](err); ok {
		if !isMeant(&e.Diagnostic, c.Text) {
			add(&e.Diagnostic, "error")
		}
		return findings
	}
	for i := range result.Warnings {
		w := &result.Warnings[i]
		level := w.Level
		if isCustom(w.Code) {
			level = diag.LevelAdvice
		}
		if !isMeant(w, c.Text) && (level == diag.LevelDoubt || rule.advice) {
			add(w, level.String())
		}
	}
	rule.contract.check(file, result, func(f *contract.Finding, severity string) {
		add(&diag.Diagnostic{Code: f.Code, Span: f.Span, Message: f.Message, Hint: f.Hint, Fix: f.Fix}, severity)
		findings[len(findings)-1].OpenAPI = &f.Against
	})
	return findings
}

// readCommand reads a command as it is typed now.
func readCommand(text, shell string) (*engine.Result, error) {
	return engine.Parse(text, engine.Input{Shell: shell, Now: time.Now(), PublicSuffix: suffix.Public, Explain: engine.Explain})
}

// templates are calls of Hugo, Jekyll and the like, which put something into a
// page before it is read. A word as long stands in for each.
var templates = regexp.MustCompile(`\{\{[<%][^\n]*?[>%]\}\}|\{%[^\n]*?%\}`)

// isShortened reports whether an ellipsis stands for a part of a command, or
// brackets around an option that may be left out.
func isShortened(text string) bool {
	for word := range strings.FieldsSeq(text) {
		if word == "..." || word == "…" || word == "[...]" || word == "[…]" || strings.HasPrefix(word, "[-") {
			return true
		}
	}
	return false
}

// isCustom reports a code that is doubtful in a command which somebody runs, and
// a custom of texts that are read: a placeholder without quotes, a GET request
// with a body where the service asks for one, the name of a file for -z, what only
// the shell would know.
func isCustom(code diag.Code) bool {
	switch code {
	case diag.WarnPlaceholder, diag.WarnBodyWithGet, diag.WarnInvalidDate, diag.WarnVariableKept:
		return true
	}
	return false
}

// isMeant reports whether a diagnostic is about what a text may well mean: files
// and variables that it cannot have, requests other than HTTP, an option that is
// shown alone, and what stands in for a value.
func isMeant(d *diag.Diagnostic, text string) bool {
	start := min(max(int(d.Span.Start), 0), len(text))
	end := min(max(int(d.Span.End), start), len(text))
	switch d.Code {
	case diag.CodeTooManyRequests, diag.CodeFileNotSupplied, diag.CodeStdinNotSupplied:
		return true
	case diag.CodeUnsupportedScheme:
		// htp:// is a slip, and hxxp:// keeps readers from following it.
		return d.Fix == nil || strings.HasPrefix(strings.ToLower(text[d.Fix.Span.Start:]), "hxx")
	case diag.CodeVariable, diag.WarnNotAHeader:
		return strings.HasPrefix(d.Hint, "pass it")
	case diag.CodeNoURL:
		if argument := strings.TrimLeft(text[start:end], "'\""); strings.HasPrefix(strings.ToLower(argument), "http") {
			return false // an option has taken this URL
		}
		// With an option such as --version curl sends nothing.
		return d.Option != "" || strings.IndexByte(text, '&') < 0 && !strings.Contains(text, "\n") && strings.Count(text, " -") == 1
	case diag.WarnFragment:
		return strings.Contains(text, "#[") // a glob there repeats the request
	case diag.WarnQuotedVariable:
		return reference.MatchString(text[start:min(end+len("}://"), len(text))])
	case diag.CodeInvalidArgument:
		return placeholder.MatchString(text[start:end]) || standsIn(text[start:end])
	case diag.WarnInvalidJSON:
		return standsIn(text[start:end])
	}
	return false
}

// reference is a value that the service looks up, not the shell.
var reference = regexp.MustCompile(`\$\{?\w+\}?://`)

// placeholder is a name that somebody is to replace by a value.
var placeholder = regexp.MustCompile(`<[A-Za-z][A-Za-z0-9 _.-]*>`)

// standsIn reports whether an argument only says what belongs there, as in
// '{json}' and [32 hex chars].
func standsIn(argument string) bool {
	argument = strings.Trim(argument, "'\"")
	n := len(argument)
	if n < 3 || strings.IndexByte("<[{", argument[0]) < 0 || strings.IndexByte(">]}", argument[n-1]) < 0 {
		return false
	}
	return strings.Trim(strings.ToLower(argument[1:n-1]), "abcdefghijklmnopqrstuvwxyz0123456789 _-.<>[]{}") == ""
}
