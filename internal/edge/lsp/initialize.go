package lsp

import (
	"encoding/json"
	"slices"
	"strings"

	"uncoil/code"
	"uncoil/internal/edge/snippets"
)

// capabilities are those of the client that matter here.
type capabilities struct {
	General struct {
		PositionEncodings []encoding `json:"positionEncodings"`
	} `json:"general"`
	TextDocument struct {
		Hover struct {
			ContentFormat []string `json:"contentFormat"`
		} `json:"hover"`
	} `json:"textDocument"`
	Workspace struct {
		WorkspaceEdit struct {
			DocumentChanges bool `json:"documentChanges"`
		} `json:"workspaceEdit"`
	} `json:"workspace"`
}

// settings are what a user of an editor may ask for: initializationOptions, or the section
// uncoil of the configuration.
type settings struct {
	// Advice shows advice too, not only errors and doubts.
	Advice bool `json:"advice"`
	// Targets have a code action each. An editor that names some shows what
	// uncoil.convert returns.
	Targets []string `json:"targets"`
	// Docs is the address of a service of uncoil, whose pages explain codes.
	Docs string `json:"docs"`

	labels  []string // of the targets
	unknown []string // names that are no targets
}

// mostTargets is how many targets may have a code action.
const mostTargets = 20

// resolve looks the targets up.
func (o *settings) resolve() {
	var targets []code.Target
	for _, name := range o.Targets[:min(len(o.Targets), mostTargets)] {
		if t, ok := code.Lookup(name); ok {
			targets = append(targets, t)
		} else {
			o.unknown = append(o.unknown, name)
		}
	}
	o.Targets = nil
	for _, t := range targets {
		o.Targets = append(o.Targets, t.Name)
	}
	o.labels = snippets.Labels(targets)
	if !strings.HasPrefix(o.Docs, "http://") && !strings.HasPrefix(o.Docs, "https://") {
		o.Docs = ""
	}
	o.Docs = strings.TrimSuffix(o.Docs, "/")
}

type initializeParams struct {
	Capabilities capabilities    `json:"capabilities"`
	Options      json.RawMessage `json:"initializationOptions"`
}

func initialize(s *server, p *initializeParams) (any, error) {
	s.client = p.Capabilities
	for _, e := range p.Capabilities.General.PositionEncodings {
		if e == utf8Units || e == utf16Units || e == utf32Units {
			s.in = e
			break
		}
	}
	s.configure(p.Options)
	s.phase = running
	type object = map[string]any
	return object{
		"serverInfo": object{"name": "uncoil", "version": s.version},
		"capabilities": object{
			"positionEncoding": s.in,
			"textDocumentSync": object{"openClose": true, "change": 2, "save": object{"includeText": false}},
			"hoverProvider":    true,
			"codeActionProvider": object{
				"codeActionKinds": []string{kindQuickFix, kindFixAll, kindConvert},
			},
			"executeCommandProvider": object{"commands": []string{commandConvert, commandTargets}},
		},
	}, nil
}

// configure takes settings; those that are not what they should be are said, and the rest
// of the session goes on with what was there.
func (s *server) configure(raw json.RawMessage) {
	if len(raw) == 0 || string(raw) == "null" {
		return
	}
	given := settings{Advice: s.settings.Advice, Targets: slices.Clone(s.settings.Targets), Docs: s.settings.Docs}
	if err := json.Unmarshal(raw, &given); err != nil {
		s.show("the settings are not understood: advice is true or false, targets a list of names, docs an address")
		return
	}
	given.resolve()
	s.settings = given
	if len(given.unknown) > 0 {
		s.show("the setting targets has a name that is no target; uncoil targets lists them")
	}
}

type configurationParams struct {
	Settings json.RawMessage `json:"settings"`
}

// didChangeConfiguration takes the section uncoil of the settings, or these themselves.
func didChangeConfiguration(s *server, p *configurationParams) (any, error) {
	var section struct {
		Uncoil json.RawMessage `json:"uncoil"`
	}
	if err := json.Unmarshal(p.Settings, &section); err != nil {
		return nil, nil // null: a client whose server is to ask for them
	}
	if section.Uncoil == nil {
		section.Uncoil = p.Settings
	}
	s.configure(section.Uncoil)
	for _, d := range s.open {
		d.checked = false
		s.schedule(d, 0)
	}
	return nil, nil
}
