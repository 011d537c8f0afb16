package lsp

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"uncoil/diag"
	"uncoil/internal/edge/lint"
)

// The kinds of code actions. Kinds are paths: an editor that asks for source.fixAll takes
// source.fixAll.uncoil.
const (
	kindQuickFix = "quickfix"
	kindFixAll   = "source.fixAll.uncoil"
	kindConvert  = "uncoil.convert"
)

// An action is what an editor offers at a place.
type action struct {
	Title       string         `json:"title"`
	Kind        string         `json:"kind"`
	Diagnostics []diagnostic   `json:"diagnostics,omitempty"`
	Edit        *workspaceEdit `json:"edit,omitempty"`
	Command     *command       `json:"command,omitempty"`
}

// A command is one that the server runs.
type command struct {
	Title     string `json:"title"`
	Command   string `json:"command"`
	Arguments []any  `json:"arguments"`
}

type textEdit struct {
	Range   span   `json:"range"`
	NewText string `json:"newText"`
}

// A workspaceEdit changes documents: a version of one where the client takes that, so that
// no edit is made to a text that it is not for.
type workspaceEdit struct {
	Changes         map[string][]textEdit `json:"changes,omitempty"`
	DocumentChanges []documentEdit        `json:"documentChanges,omitempty"`
}

type documentEdit struct {
	TextDocument identifier `json:"textDocument"`
	Edits        []textEdit `json:"edits"`
}

type actionParams struct {
	TextDocument identifier `json:"textDocument"`
	Range        span       `json:"range"`
	Context      struct {
		Only []string `json:"only"`
	} `json:"context"`
}

func codeActions(s *server, p *actionParams) (any, error) {
	d := s.open[p.TextDocument.URI]
	actions := []action{}
	if d == nil || d.unread != "" {
		return actions, nil
	}
	if err := s.check(d, func() bool { return false }); err != nil {
		return nil, err
	}
	x := d.at(s.in)
	start, end := x.offset(p.Range.Start), x.offset(p.Range.End)
	wants := func(kind string) bool {
		return len(p.Context.Only) == 0 || slices.ContainsFunc(p.Context.Only, func(only string) bool {
			return only == "" || kind == only || strings.HasPrefix(kind, only+".")
		})
	}
	if wants(kindQuickFix) {
		actions = append(actions, s.quickFixes(d, x, start, end)...)
		if len(actions) > 0 && len(lint.Edits(d.found)) > 1 {
			if all := s.certain(d); len(all) > 1 {
				actions = append(actions, action{Title: "Mend all that has one certain cure", Kind: kindQuickFix, Edit: s.edit(d, x, all)})
			}
		}
	}
	// It is asked for by name: on saving, or in a menu of its own.
	if len(p.Context.Only) > 0 && wants(kindFixAll) {
		if all := s.certain(d); len(all) > 0 {
			actions = append(actions, action{Title: "Mend all curl commands", Kind: kindFixAll, Edit: s.edit(d, x, all)})
		}
	}
	if wants(kindConvert) && len(s.settings.Targets) > 0 && (len(d.commandsIn(d.file, x, start, end)) > 0 || d.entryAt(start) > 0) {
		for i, target := range s.settings.Targets {
			title := "Convert to " + s.settings.labels[i]
			actions = append(actions, action{Title: title, Kind: kindConvert, Command: &command{title, commandConvert, []any{
				map[string]any{"uri": d.uri, "range": p.Range, "target": target},
			}}})
		}
	}
	return actions, nil
}

// certain returns the fixes of a document that can be made together. It is checked.
func (s *server) certain(d *document) []*lint.Edit {
	return d.file.Certain(d.found, lint.Rule{Advice: s.settings.Advice})
}

// mostActions is how many fixes are offered at once.
const mostActions = 50

// quickFixes returns the fixes of the findings that a stretch touches.
func (s *server) quickFixes(d *document, x *index, start, end int) (actions []action) {
	for i := range d.found {
		f := &d.found[i]
		if f.Fix == nil || f.Start > end || f.End < start {
			continue
		}
		actions = append(actions, action{
			Title: title(f), Kind: kindQuickFix, Diagnostics: []diagnostic{s.diagnostic(f, x)}, Edit: s.edit(d, x, []*lint.Edit{f.Fix}),
		})
		if len(actions) == mostActions {
			break
		}
	}
	return actions
}

// title says what a fix does, which is what the hint says to do.
func title(f *lint.Finding) string {
	text := string(diag.AppendPrintable(nil, f.Hint))
	if text == "" {
		text = "mend " + string(f.Code)
	}
	first, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[n:]
}

// edit returns edits of a document.
func (s *server) edit(d *document, x *index, edits []*lint.Edit) *workspaceEdit {
	changes := make([]textEdit, len(edits))
	for i, e := range edits {
		changes[i] = textEdit{x.span(e.Start, e.End), e.Text}
	}
	if s.client.Workspace.WorkspaceEdit.DocumentChanges {
		return &workspaceEdit{DocumentChanges: []documentEdit{{identifier{d.uri, d.version}, changes}}}
	}
	return &workspaceEdit{Changes: map[string][]textEdit{d.uri: changes}}
}
