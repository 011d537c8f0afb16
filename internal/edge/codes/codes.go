// Package codes says what each code of an error and of a warning means, for people: the
// pages under /problems of the service and uncoil lint -explain are made from it.
package codes

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"uncoil/diag"
	"uncoil/internal/edge/api"
)

// An Error explains what an error means and how to correct it.
//
// Bad is a command that has the error. Mended is what to send instead: a command,
// or a request object where a command is not enough. A test sends both. For
// problems that are not about a command, both are requests.
type Error struct {
	Code    diag.Code
	Meaning string
	Bad     string
	Remedy  string
	Mended  string
}

// Status returns the HTTP status of the error.
func (e Error) Status() int { return api.Status(e.Code) }

// Title returns what all problem documents with the code say.
func (e Error) Title() string { return api.Title(e.Code) }

// A Warning is what is said of a warning, or of a finding.
type Warning struct {
	Code  diag.Code
	Level string
	Says  string // code in it stands in backticks, as in Markdown
}

// The tables of warnings and of what contradicts an OpenAPI document, which a test makes of
// docs/semantics.md and docs/lint-openapi.md: code, level and text.
var (
	//go:embed warnings.tsv
	warnings string
	//go:embed contract.tsv
	contract string
)

// Warnings returns all codes of warnings.
var Warnings = sync.OnceValue(func() []Warning { return read(warnings) })

// Contract returns all codes of what contradicts an OpenAPI document.
var Contract = sync.OnceValue(func() []Warning { return read(contract) })

func read(table string) (all []Warning) {
	for line := range strings.Lines(table) {
		cells := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 3)
		all = append(all, Warning{diag.Code(cells[0]), cells[1], cells[2]})
	}
	return all
}

// Explain returns what a code means in a finding, in a paragraph or several of Markdown;
// empty for one that is not known. An error may be a warning of the same code elsewhere.
func Explain(code diag.Code) string {
	var b strings.Builder
	if i := slices.IndexFunc(Errors, func(e Error) bool { return e.Code == code }); i >= 0 {
		e := &Errors[i]
		b.WriteString(e.Title() + ". " + e.Meaning + "\n\nFor example:\n\n" + margin(e.Bad) + "\n" + e.Remedy + "\n\n" + margin(e.Mended))
	}
	for _, w := range slices.Concat(Warnings(), Contract()) {
		if w.Code == code {
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString("As " + w.Level + ": " + w.Says + "\n")
		}
	}
	return b.String()
}

// margin makes a text a block of code.
func margin(text string) string {
	return "    " + strings.ReplaceAll(text, "\n", "\n    ") + "\n"
}
