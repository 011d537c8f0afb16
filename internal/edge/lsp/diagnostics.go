package lsp

import (
	"strconv"
	"time"

	"uncoil/diag"
	"uncoil/internal/edge/lint"
	"uncoil/internal/engine/fault"
)

// A diagnostic is a finding as the protocol has it.
type diagnostic struct {
	Range       span      `json:"range"`
	Severity    int       `json:"severity"`
	Code        diag.Code `json:"code,omitempty"`
	Description *struct {
		Href string `json:"href"`
	} `json:"codeDescription,omitempty"`
	Source  string `json:"source"`
	Message string `json:"message"`
}

// severities are those of the protocol: an error, a warning, information.
var severities = map[string]int{"error": 1, "doubt": 2, "advice": 3}

// mostFindings is how many findings of a document are shown.
const mostFindings = 1000

type identifier struct {
	URI     string `json:"uri"`
	Version *int   `json:"version"`
}

type openParams struct {
	TextDocument struct {
		identifier
		LanguageID string `json:"languageId"`
		Text       string `json:"text"`
	} `json:"textDocument"`
}

func didOpen(s *server, p *openParams) (any, error) {
	s.forget(p.TextDocument.URI)
	uri, language := p.TextDocument.URI, p.TextDocument.LanguageID
	d := &document{uri: uri, version: p.TextDocument.Version, kind: kindOf(uri, language), http: isHTTP(uri, language)}
	switch n := len(p.TextDocument.Text); {
	case s.held+openCost > maxOpen:
		return nil, nil // an editor with so many documents that even empty ones are too many
	case n > maxDocument:
		d.refuse(tooLong)
	case s.held+n+openCost > maxOpen:
		d.refuse(tooMany)
	default:
		d.set(p.TextDocument.Text)
	}
	s.open[d.uri] = d
	s.held += d.size()
	s.schedule(d, 0)
	return nil, nil
}

type changeParams struct {
	TextDocument identifier `json:"textDocument"`
	Changes      []change   `json:"contentChanges"`
}

func didChange(s *server, p *changeParams) (any, error) {
	d := s.open[p.TextDocument.URI]
	if d == nil || d.unread != "" {
		return nil, nil
	}
	s.held -= d.size()
	d.version = p.TextDocument.Version
	d.apply(p.Changes, s.in, maxCopied)
	if s.held+d.size() > maxOpen {
		d.refuse(tooMany)
	}
	s.held += d.size()
	s.schedule(d, pause)
	return nil, nil
}

type documentParams struct {
	TextDocument identifier `json:"textDocument"`
}

// didSave does not wait for the keys to rest.
func didSave(s *server, p *documentParams) (any, error) {
	if d := s.open[p.TextDocument.URI]; d != nil && !d.due.IsZero() {
		s.schedule(d, 0)
	}
	return nil, nil
}

func didClose(s *server, p *documentParams) (any, error) {
	if s.forget(p.TextDocument.URI) {
		s.publish(&document{uri: p.TextDocument.URI}, []diagnostic{})
	}
	return nil, nil
}

// forget forgets a document, and reports whether it was open.
func (s *server) forget(uri string) bool {
	d := s.open[uri]
	if d != nil {
		s.held -= d.size()
		s.unschedule(d)
		delete(s.open, uri)
	}
	return d != nil
}

// arm sets the timer to when the next document is to be checked.
func (s *server) arm(timer *time.Timer) {
	timer.Stop()
	if d := s.next(); d != nil {
		timer.Reset(max(0, time.Until(d.due)))
	}
}

// checkDue checks the document whose time has come. When a message arrives meanwhile, it
// comes first, and the document waits for its turn again.
func (s *server) checkDue() {
	d := s.next()
	if d == nil || time.Until(d.due) > 0 {
		return
	}
	err := s.check(d, func() bool { return len(s.incoming) > 0 })
	if fault.Of(err) != nil {
		s.log(err.Error())
	}
	if err != nil || d.checked {
		s.unschedule(d)
		s.publish(d, s.diagnostics(d))
	}
}

// check checks a document, unless that is done already. Where stop says so it is not done
// afterwards either.
func (s *server) check(d *document, stop func() bool) (err error) {
	defer fault.Recover(&err)
	if d.checked {
		return nil
	}
	file, err := d.read()
	if err != nil {
		return err
	}
	stopped := false
	found := file.Check(lint.Rule{Advice: s.settings.Advice, Stop: func() bool {
		stopped = stop()
		return stopped
	}})
	if !stopped {
		d.found, d.checked = found, true
	}
	return nil
}

// diagnostics returns what is shown of a document.
func (s *server) diagnostics(d *document) []diagnostic {
	all := make([]diagnostic, 0, min(len(d.found), mostFindings)+1)
	note := func(text string) {
		all = append(all, diagnostic{Severity: severities["advice"], Source: "uncoil", Message: text})
	}
	if d.unread != "" {
		note("uncoil does not look at this document: " + d.unread)
	}
	if d.partial {
		note("only a part of this document is checked: it takes more work than its length allows")
	}
	if more := len(d.found) - mostFindings; more > 0 {
		note(strconv.Itoa(more) + " more findings are not shown")
	}
	x := d.at(s.in)
	for i := range d.found[:min(len(d.found), mostFindings)] {
		all = append(all, s.diagnostic(&d.found[i], x))
	}
	return all
}

func (s *server) diagnostic(f *lint.Finding, x *index) diagnostic {
	message := f.Message
	if f.Hint != "" {
		message += " (" + f.Hint + ")"
	}
	d := diagnostic{
		Range: x.span(f.Start, f.End), Severity: severities[f.Severity], Code: f.Code, Source: "uncoil",
		Message: string(diag.AppendPrintable(nil, message)),
	}
	if s.settings.Docs != "" {
		d.Description = &struct {
			Href string `json:"href"`
		}{s.settings.Docs + "/problems/" + string(f.Code)}
	}
	return d
}

func (s *server) publish(d *document, all []diagnostic) {
	params := map[string]any{"uri": d.uri, "diagnostics": all}
	if d.version != nil {
		params["version"] = *d.version
	}
	s.notify("textDocument/publishDiagnostics", params)
}
