package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"uncoil/diag"
	"uncoil/extract"
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
}

// lint checks the commands in files.
func (p *Program) lint(args []string) error {
	fs := NewFlags("lint")
	advice := fs.Bool("advice", false, "show advice too, not only errors and doubts")
	format := fs.String("format", "text", "`F`: text, json (a line for each), sarif or github (annotations)")
	if err := p.ParseFlags(fs, args, &lintPage); err != nil {
		return err
	}
	write, ok := lintFormats[*format]
	if !ok {
		return &UsageError{"-format must be text, json, sarif or github", "uncoil lint -h"}
	}
	var findings []finding
	files, commands := 0, 0
	err := p.search(fs.Args(), func(name, text string, found []extract.Command) error {
		files++
		commands += len(found)
		places := diag.NewPositions(text)
		for i := range found {
			findings = append(findings, check(name, &found[i], places, *advice)...)
		}
		return nil
	})
	if err != nil {
		return err
	}
	out := bufio.NewWriter(p.Stdout)
	if err := errors.Join(write(out, findings), out.Flush()); err != nil {
		return err
	}
	p.complain(fmt.Sprintf("%d findings in %d commands of %d files", len(findings), commands, files))
	if len(findings) > 0 {
		return errReported
	}
	return nil
}

// check returns what is wrong with a command.
func check(file string, c *extract.Command, places *diag.Positions, advice bool) (findings []finding) {
	add := func(d *diag.Diagnostic, severity string) {
		start := int(max(0, min(d.Span.Start, int32(len(c.Text)))))
		end := int(max(d.Span.Start, min(d.Span.End, int32(len(c.Text)))))
		f := finding{File: file, Severity: severity, Code: d.Code, Message: d.Message, Hint: d.Hint}
		from := c.Offset(start)
		f.Line, f.Column = places.At(int32(from))
		f.EndLine, f.EndColumn = places.At(int32(max(from, c.Offset(end))))
		findings = append(findings, f)
	}
	if isShortened(c.Text) {
		return nil
	}
	text := templates.ReplaceAllStringFunc(c.Text, func(call string) string { return strings.Repeat("x", len(call)) })
	result, err := engine.Parse(text, engine.Input{Shell: c.Shell, Now: time.Now(), PublicSuffix: suffix.Public})
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
		if !isMeant(w, c.Text) && (level == diag.LevelDoubt || advice) {
			add(w, level.String())
		}
	}
	return findings
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
	case diag.CodeUnsupportedScheme, diag.CodeTooManyRequests, diag.CodeFileNotSupplied, diag.CodeStdinNotSupplied:
		return true
	case diag.CodeVariable, diag.WarnNotAHeader:
		return strings.HasPrefix(d.Hint, "pass it")
	case diag.CodeNoURL:
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

var lintFormats = map[string]func(io.Writer, []finding) error{
	"text": writeText, "json": writeJSON, "sarif": writeSARIF, "github": writeGitHub,
}

func writeText(w io.Writer, findings []finding) error {
	for i := range findings {
		f := &findings[i]
		line := fmt.Sprintf("%s:%d:%d: %s: %s", f.File, f.Line, f.Column, f.Code, f.Message)
		if f.Hint != "" {
			line += " (" + f.Hint + ")"
		}
		if _, err := w.Write(append(diag.AppendPrintable(nil, line), '\n')); err != nil {
			return err
		}
	}
	return nil
}

func writeJSON(w io.Writer, findings []finding) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for i := range findings {
		if err := encoder.Encode(&findings[i]); err != nil {
			return err
		}
	}
	return nil
}

// annotation escapes what GitHub's runner takes for its own in the data of a
// workflow command, and property what it does in a property.
var (
	annotation = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property   = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func writeGitHub(w io.Writer, findings []finding) error {
	for i := range findings {
		f := &findings[i]
		level := map[string]string{"error": "error", "doubt": "warning", "advice": "notice"}[f.Severity]
		message := f.Message
		if f.Hint != "" {
			message += "\n" + f.Hint
		}
		_, err := fmt.Fprintf(w, "::%s file=%s,line=%d,endLine=%d,col=%d,title=%s::%s\n",
			level, property.Replace(f.File), f.Line, f.EndLine, f.Column, property.Replace(string(f.Code)), annotation.Replace(message))
		if err != nil {
			return err
		}
	}
	return nil
}

// writeSARIF writes the Static Analysis Results Interchange Format, version
// 2.1.0 (OASIS).
func writeSARIF(w io.Writer, findings []finding) error {
	type object = map[string]any
	rules, index := []object{}, map[diag.Code]int{}
	for i := range findings {
		code := findings[i].Code
		if _, ok := index[code]; !ok {
			index[code] = len(rules)
			rules = append(rules, object{"id": code, "shortDescription": object{"text": code.Title()}})
		}
	}
	const none = `"results": []`
	frame, err := indented("", object{
		"$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		"version": "2.1.0",
		"runs": []object{{
			"tool":       object{"driver": object{"name": "uncoil", "rules": slices.Clip(rules)}},
			"columnKind": "unicodeCodePoints",
			"results":    []object{},
		}},
	})
	if err != nil || len(findings) == 0 {
		_, failed := w.Write(frame)
		return errors.Join(err, failed)
	}
	// The results are written one by one, because there may be a million.
	head, tail, _ := bytes.Cut(frame, []byte(none))
	separator := append(slices.Clip(head), strings.TrimSuffix(none, "]")...)
	for i := range findings {
		f := &findings[i]
		message := f.Message
		if f.Hint != "" {
			message += " (" + f.Hint + ")"
		}
		file := url.URL{Path: f.File}
		result, err := indented(sarifMargin, object{
			"ruleId": f.Code, "ruleIndex": index[f.Code],
			"level":   map[string]string{"error": "error", "doubt": "warning", "advice": "note"}[f.Severity],
			"message": object{"text": message},
			"locations": []object{{"physicalLocation": object{
				"artifactLocation": object{"uri": file.String()},
				"region":           object{"startLine": f.Line, "startColumn": f.Column, "endLine": f.EndLine, "endColumn": f.EndColumn},
			}}},
		})
		if err != nil {
			return err
		}
		result = append(append(separator, "\n"+sarifMargin...), bytes.TrimSuffix(result, []byte("\n"))...)
		if _, err := w.Write(result); err != nil {
			return err
		}
		separator = []byte(",")
	}
	_, err = w.Write(append([]byte("\n"+sarifMargin[1:]+"]"), tail...))
	return err
}

// sarifMargin is the margin of a result.
const sarifMargin = "    "

// indented returns a value in JSON with a line for each member and item.
func indented(margin string, v any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent(margin, " ")
	err := encoder.Encode(v)
	return b.Bytes(), err
}
