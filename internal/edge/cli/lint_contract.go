package cli

import (
	"flag"
	"os"
	"path/filepath"
	"strings"

	"uncoil/internal/edge/contract"
	"uncoil/internal/edge/gitignore"
	"uncoil/internal/edge/lint"
	"uncoil/internal/edge/openapi"
	"uncoil/internal/engine"
)

// contractFlags name an OpenAPI document.
type contractFlags struct {
	name    string
	servers []string
}

func addContractFlags(fs *flag.FlagSet) *contractFlags {
	f := new(contractFlags)
	fs.StringVar(&f.name, "openapi", "", "`SPEC`: hold commands against this OpenAPI document, 2.0 or 3.x in JSON or YAML, and its own examples too")
	fs.Func("server", "`URL`: with -openapi, a server of the API, in place of those that SPEC names; may be repeated", func(url string) error {
		f.servers = append(f.servers, url)
		return nil
	})
	return f
}

// An apiContract is an OpenAPI document that was opened from a folder.
type apiContract struct {
	*contract.Document
	root     *os.Root
	folder   string
	complain func(message string)
}

// openContract reads the document that the flags name; nil if they name none. Files
// that it refers to are read below its folder, and nothing else.
func (p *Program) openContract(f *contractFlags) (*apiContract, error) {
	if f.name == "" {
		if f.servers != nil {
			return nil, &UsageError{"-server needs -openapi", "uncoil lint -h"}
		}
		return nil, nil
	}
	if strings.Contains(f.name, "://") {
		return nil, &UsageError{"-openapi takes the name of a file, and nothing is fetched: save what " + f.name + " has first", "uncoil lint -h"}
	}
	folder, name := filepath.Split(f.name)
	root, err := os.OpenRoot(filepath.Clean(folder))
	if err != nil {
		return nil, &UsageError{err.Error(), ""}
	}
	reader := &fileReader{root: root, left: maxFiles}
	d, err := contract.Open(name, f.servers, reader.readBeside)
	if err != nil {
		_ = root.Close()
		return nil, &UsageError{err.Error(), ""}
	}
	return &apiContract{d, root, folder, p.complain}, nil
}

// close closes the folder of the document.
func (c *apiContract) close() {
	if c != nil {
		_ = c.root.Close()
	}
}

// path returns how a file of the document is named here.
func (c *apiContract) path(place openapi.Place) openapi.Place {
	place.File = c.folder + filepath.FromSlash(place.File)
	return place
}

// severity returns how much a finding weighs.
func severity(f *contract.Finding) string {
	if f.Doubt {
		return "doubt"
	}
	return "error"
}

// own returns the findings in the examples of the document, and how many commands
// are among these.
func (c *apiContract) own() (findings []lint.Finding, commands int) {
	if c == nil {
		return nil, 0
	}
	own, commands, err := c.CheckOwn(func(text, shell string) (*engine.Result, error) {
		input := lint.TypedNow(shell)
		input.Explain = engine.Explain
		return engine.Parse(text, input)
	})
	if err != nil {
		c.complain(err.Error())
	}
	ignored := make(map[string]lint.Ignores)
	for i := range own {
		o := &own[i]
		list, known := ignored[o.File]
		if !known {
			source, _ := c.Source(o.File)
			list = lint.IgnoredIn(source)
			ignored[o.File] = list
		}
		if list.Has(o.Line, o.Code) || list.Has(o.Begins, o.Code) {
			continue
		}
		at, against := c.path(o.Place), c.path(o.Against)
		one := lint.Finding{
			File: at.File, Line: at.Line, Column: at.Column, EndLine: at.Line, EndColumn: at.Column,
			Severity: severity(&o.Finding), Code: o.Code, Message: o.Message, Hint: o.Hint, OpenAPI: &against,
		}
		if o.From.Line > 0 {
			one.Fix = &lint.Edit{Line: o.From.Line, Column: o.From.Column, EndLine: o.To.Line, EndColumn: o.To.Column, Text: o.Fix.Text}
		}
		findings = append(findings, one)
	}
	return findings, commands
}

// has reports whether a file is one of the document, whose commands were checked with it.
func (c *apiContract) has(file string) bool {
	if c == nil {
		return false
	}
	folder, err := filepath.Abs(c.folder)
	file, failed := filepath.Abs(file)
	if err != nil || failed != nil {
		return false
	}
	name, err := filepath.Rel(folder, file)
	_, is := c.Source(filepath.ToSlash(name))
	return err == nil && is
}

// rule returns the rule that reports what contradicts the document in a command of
// another file; nil if there is none.
func (c *apiContract) rule() func(r *engine.Result, report func(f *contract.Finding, severity string)) {
	if c == nil {
		return nil
	}
	return func(r *engine.Result, report func(f *contract.Finding, severity string)) {
		if r == nil {
			return
		}
		found, err := c.Check(r)
		if err != nil {
			c.complain(err.Error())
		}
		for i := range found {
			found[i].Against = c.path(found[i].Against)
			report(&found[i], severity(&found[i]))
		}
	}
}

// searchBeside searches files, or standard input where nothing else is to be checked, and
// says what of a document could not be read.
func (p *Program) searchBeside(c *apiContract, args []string, excluded gitignore.Patterns, left func(name string, folder bool) bool, found func(*lint.File) error) error {
	var err error
	if c == nil || len(args) > 0 {
		err = p.search(args, excluded, left, found)
	}
	if c != nil {
		for _, note := range c.Notes {
			p.complain(note)
		}
	}
	return err
}
