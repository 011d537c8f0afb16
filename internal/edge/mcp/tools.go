package mcp

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"uncoil/code"
	"uncoil/internal/edge/api"
	"uncoil/internal/edge/switches"
	"uncoil/internal/engine/source"
)

// instructions tell an agent what the server is for.
const instructions = `uncoil knows which HTTP request a curl command sends, exactly as curl 8.22 would send it. ` +
	`It sends nothing, runs nothing and reads no files: pass the contents of files that the command names in "files".`

// A tool is what an agent can call.
type tool struct {
	name, title, description string
	as                       api.As
	members                  map[string]any // of its arguments, beside those that all tools have
	required                 []string
	output                   map[string]any
	// finish makes the answer of the tool of that of the service. It is nil
	// where both are the same.
	finish func(body []byte, err error) ([]byte, error)

	described *sdk.Tool
}

// call answers a call.
func (t *tool) call(ctx context.Context, arguments string, answer Answer) ([]byte, error) {
	if arguments == "" {
		arguments = "{}"
	}
	body, err := answer(ctx, arguments, t.as)
	if t.finish != nil {
		return t.finish(body, err)
	}
	return body, err
}

// tool returns the description of the tool, which servers share.
func (t *tool) tool() *sdk.Tool {
	closed := false
	return &sdk.Tool{
		Name: t.name, Title: t.title, Description: t.description,
		InputSchema: t.input(), OutputSchema: t.output,
		Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &closed, OpenWorldHint: &closed},
	}
}

// input returns the schema of the arguments.
func (t *tool) input() map[string]any {
	content := map[string]any{"type": []string{"string", "object"}, "description": `text, or {"base64": "…"}`}
	all := members(switches.Reading)
	maps.Copy(all, map[string]any{
		"curl": described("string", "The whole text that has the curl command, as it was copied; or "+source.Accepted()+"."),
		"files": map[string]any{"type": "object", "additionalProperties": content,
			"description": "The contents of files that the command names, by name as spelled there."},
		"stdin": content,
		"env": map[string]any{"type": "object", "additionalProperties": map[string]any{"type": "string"},
			"description": "The values of shell variables that the command uses."},
	})
	maps.Copy(all, t.members)
	return map[string]any{"type": "object", "properties": all, "required": append([]string{"curl"}, t.required...)}
}

// members returns the schemas of the switches of a scope, by name.
func members(scope switches.Scope) map[string]any {
	found := make(map[string]any)
	for _, s := range switches.All() {
		if s.Scope == scope && !s.OnlyFlag {
			found[s.Name] = schema(s)
		}
	}
	return found
}

// schema returns the schema of the values of a switch.
func schema(s *switches.Switch) map[string]any {
	switch {
	case s.Kind == switches.Truth:
		return described("boolean", s.Description())
	case s.Kind == switches.Number:
		number := described("integer", s.Description())
		number["minimum"] = 1
		return number
	case s.Name == "target":
		return described("string", "What to write, such as python-requests.", targetNames()...)
	}
	text := described("string", s.Description(), s.Words...)
	if s.Pattern != "" {
		text["pattern"] = s.Pattern
	}
	return text
}

// tools returns all tools. Their schemas follow those of the service in
// openapi.yaml.
var tools = sync.OnceValue(func() []*tool {
	headers := map[string]any{"type": "object", "additionalProperties": map[string]any{"type": "string"}}
	warnings := list(object("code", "string", "level", "string", "message", "string"))
	all := []*tool{
		{
			name: "convert_curl", title: "Convert a curl command", as: api.AsConvert,
			description: "Returns the HTTP request that a curl command sends: method, url, headers and data. " +
				"data is null without a body, JSON for a JSON body, an object of fields for a multipart form, else the exact text. " +
				"Read the warnings: a doubt means that the request may not be the one that was meant. " +
				"For commands with several requests or with files that are not supplied, use describe_curl.",
			members: map[string]any{"data": schema(switches.Lookup("data"))},
			output: map[string]any{"type": "object", "required": []string{"method", "url", "headers", "data", "warnings"}, "properties": map[string]any{
				"method": described("string", ""), "url": described("string", ""), "headers": headers, "data": map[string]any{}, "warnings": warnings}},
		},
		{
			name: "describe_curl", title: "Describe a curl command", as: api.AsParse,
			description: "Returns everything that a curl command asks for: all requests with query, ordered headers, body and its kind, " +
				"authentication, options such as redirects, TLS and proxy, shell variables with their places, and warnings with fixes.",
			output: map[string]any{"type": "object", "required": []string{"shell", "requests", "warnings"}, "properties": map[string]any{
				"shell": described("string", ""), "requests": list(object("method", "string", "url", "string")), "warnings": warnings}},
		},
		{
			name: "curl_to_code", title: "Write a curl command as code", as: api.AsCode,
			description: "Returns a program, a file or a command that sends the same request as the curl command. " +
				"Shell variables are read from the environment.",
			members:  members(switches.Programs),
			required: []string{"target"},
			output: map[string]any{"type": "object", "required": []string{"target", "language", "code", "warnings"}, "properties": map[string]any{
				"target": described("string", ""), "language": described("string", ""), "code": described("string", ""), "warnings": warnings}},
		},
		{
			name: "check_curl", title: "Check a curl command", as: api.AsParse, finish: check,
			description: "Reports whether a curl command is valid, with the error if it is not, " +
				"and warns of what is probably not meant, with fixes as replacements of byte ranges.",
			output: map[string]any{"type": "object", "required": []string{"valid", "warnings"}, "properties": map[string]any{
				"valid": described("boolean", ""), "requests": described("integer", "How many requests the command makes."),
				"warnings": warnings, "problem": object("code", "string", "detail", "string")}},
		},
	}
	for _, t := range all {
		t.described = t.tool()
	}
	return all
})

// targetNames returns the names of all targets.
func targetNames() (names []string) {
	for _, t := range code.Targets() {
		names = append(names, t.Name)
	}
	return names
}

// described returns the schema of a member, which may have only the values, if
// there are any.
func described(kind, description string, values ...string) map[string]any {
	schema := map[string]any{"type": kind}
	if description != "" {
		schema["description"] = description
	}
	if len(values) > 0 {
		schema["enum"] = values
	}
	return schema
}

func list(items map[string]any) map[string]any {
	return map[string]any{"type": "array", "items": items}
}

// object returns the schema of an object with the members of names and types,
// all of them required.
func object(namesAndTypes ...string) map[string]any {
	members, required := make(map[string]any), []string(nil)
	for i := 0; i < len(namesAndTypes); i += 2 {
		members[namesAndTypes[i]] = described(namesAndTypes[i+1], "")
		required = append(required, namesAndTypes[i])
	}
	return map[string]any{"type": "object", "properties": members, "required": required}
}

// check makes the answer of check_curl of a description. A command that curl
// would refuse is an answer too.
func check(body []byte, err error) ([]byte, error) {
	var checked struct {
		Valid    bool            `json:"valid"`
		Requests int             `json:"requests,omitempty"`
		Warnings json.RawMessage `json:"warnings"`
		Problem  json.RawMessage `json:"problem,omitempty"`
	}
	if err != nil {
		problem, status, _ := api.AppendProblem(nil, err)
		if status != http.StatusUnprocessableEntity { // not about the command
			return nil, err
		}
		checked.Warnings = json.RawMessage("[]")
		if err := json.Unmarshal(problem, &checked); err != nil { // for its warnings
			return nil, err
		}
		checked.Problem = problem
		return json.Marshal(checked)
	}
	var parsed struct {
		Requests []json.RawMessage
		Warnings json.RawMessage
	}
	if err := json.Unmarshal(body, &parsed); err != nil {
		return nil, err
	}
	checked.Valid, checked.Requests, checked.Warnings = true, len(parsed.Requests), parsed.Warnings
	return json.Marshal(checked)
}
