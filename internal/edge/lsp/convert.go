package lsp

import (
	"encoding/json"
	"errors"
	"strings"

	"uncoil/extract"
	"uncoil/internal/edge/api"
	"uncoil/internal/edge/lint"
)

// The commands. Their results are those of the service: POST /api/code, GET /api/targets.
const (
	commandConvert = "uncoil.convert"
	commandTargets = "uncoil.targets"
)

type executeParams struct {
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments"`
}

func execute(s *server, p *executeParams) (any, error) {
	switch p.Command {
	case commandTargets:
		return json.RawMessage(api.AppendTargets(nil)), nil
	case commandConvert:
		if len(p.Arguments) == 1 {
			return s.convert(p.Arguments[0])
		}
		return nil, &responseError{Code: codeInvalidParams, Message: "uncoil.convert takes one argument, an object"}
	}
	return nil, &responseError{Code: codeInvalidParams, Message: "this command is not known"}
}

// convert writes commands as a program. Its argument says where they stand, by uri with
// position or range, or has their text in curl; all else in it is as in the request object
// of the service.
func (s *server) convert(argument json.RawMessage) (any, error) {
	var place struct {
		URI      *string   `json:"uri"`
		Position *position `json:"position"`
		Range    *span     `json:"range"`
	}
	members := make(map[string]json.RawMessage)
	if json.Unmarshal(argument, &place) != nil || json.Unmarshal(argument, &members) != nil {
		return nil, &responseError{Code: codeInvalidParams, Message: "the argument of uncoil.convert is not understood"}
	}
	if place.URI != nil {
		d := s.open[*place.URI]
		if d == nil || d.unread != "" {
			return nil, &responseError{Code: codeFailed, Message: "this document is not open here, or not looked at"}
		}
		file, err := d.read()
		if err != nil {
			return nil, err
		}
		if place.Range == nil {
			if place.Position == nil {
				return nil, &responseError{Code: codeInvalidParams, Message: "uncoil.convert needs a range or a position with its uri"}
			}
			place.Range = &span{*place.Position, *place.Position}
		}
		found, err := s.textAt(d, file, place.Range)
		if err != nil {
			return nil, err
		}
		for name, value := range found {
			if members[name], err = marshal(value); err != nil {
				return nil, err
			}
		}
	}
	for _, name := range []string{"uri", "position", "range"} {
		delete(members, name)
	}
	request, err := marshal(members)
	if err != nil {
		return nil, err
	}
	answer, err := (api.Limits{Warnings: true}).Answer(string(request), api.AsCode)
	if err != nil {
		return nil, refusal(err)
	}
	return json.RawMessage(answer), nil
}

// dialectHTTPFile is what the request object calls the form of .http files.
const dialectHTTPFile = "http-file"

// textAt returns the commands that a range touches as members of the request object. A
// selection without one is a command in whatever text, and a place in an .http file its
// request.
func (s *server) textAt(d *document, file *lint.File, r *span) (map[string]any, error) {
	x := d.at(s.in)
	start := x.offset(r.Start)
	end := max(start, x.offset(r.End))
	commands := d.commandsIn(file, x, start, end)
	switch {
	case len(commands) > 0 && commands[0].Shell != "":
		return map[string]any{"curl": joined(commands), "shell": commands[0].Shell}, nil
	case len(commands) > 0:
		return map[string]any{"curl": joined(commands)}, nil
	}
	if entry := d.entryAt(start); entry > 0 {
		return map[string]any{"curl": d.text, "shell": dialectHTTPFile, "entry": entry}, nil
	}
	if start == end {
		return nil, &responseError{Code: codeFailed, Message: "no curl command stands here"}
	}
	return map[string]any{"curl": d.text[start:end]}, nil
}

func joined(commands []extract.Command) string {
	texts := make([]string, len(commands))
	for i := range commands {
		texts[i] = commands[i].Text
	}
	return strings.Join(texts, "\n")
}

// refusal returns why a command has no program: a sentence for people, and the problem
// document of the service.
func refusal(err error) error {
	problem, _, _ := api.AppendProblem(nil, err)
	var said struct{ Title, Detail, Hint string }
	if failed := json.Unmarshal(problem, &said); failed != nil {
		return errors.Join(err, failed)
	}
	message := said.Detail
	if message == "" {
		message = said.Title
	}
	if said.Hint != "" {
		message += " (" + said.Hint + ")"
	}
	return &responseError{Code: codeFailed, Message: message, Data: problem}
}
