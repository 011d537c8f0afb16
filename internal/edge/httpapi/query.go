package httpapi

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"uncoil/internal/edge/api"
)

// request reads the content, which is a request object, the fields of a form, or the
// command itself. The query can set what a request object sets.
func request(r *http.Request, content string, limits api.Limits) (req api.Request, err error) {
	t := mediaType(r)
	isObject := isJSON(t) || beginsObject(content)
	switch {
	case isObject:
		if req, err = limits.DecodeRequest(content); err != nil {
			return req, err
		}
	case isForm(t, content):
		if req, err = formRequest(content, limits); err != nil {
			return req, err
		}
	case isText(t):
		req = limits.Text(content)
	default:
		return req, unsupported(r, typeJSON, typeText)
	}
	if r.URL.RawQuery == "" {
		return req, nil
	}
	return req, apply(&req, r.URL.Query(), "query parameter", !isObject)
}

// formField begins the field of a form that has the command.
const formField = "curl="

// isForm reports whether content of a type is the fields of a form, such as
// curl=curl+https%3A%2F%2Fexample.com. A form has no blanks, and a command does not
// begin with curl=. What curl -d sends without encoding it is for formRequest to refuse.
func isForm(mediaType, content string) bool {
	if mediaType != typeForm {
		return false
	}
	if strings.HasPrefix(content, formField) {
		return true
	}
	return strings.Contains(content, "&"+formField) && !strings.ContainsAny(strings.TrimRight(content, "\r\n"), " \t\r\n")
}

// formRequest reads a request from the fields of a form.
func formRequest(content string, limits api.Limits) (req api.Request, err error) {
	content = strings.TrimRight(content, "\r\n")
	fields, err := url.ParseQuery(content)
	if err != nil || strings.ContainsAny(content, " \t\r\n") {
		return req, &api.Problem{Code: api.CodeBadRequest, Detail: "The fields of the form are not percent-encoded.",
			Hint: `encode the field, as curl --data-urlencode "curl=…" does, or send the command itself as text/plain`}
	}
	for name, values := range fields {
		if len(values) > 1 {
			return req, &api.Problem{Code: api.CodeBadRequest, Detail: "The form field " + strconv.Quote(api.Clip(name)) + " is given twice.", Hint: "give it once"}
		}
	}
	for _, name := range []string{"files", "env"} {
		if fields.Has(name) {
			return req, &api.Problem{Code: api.CodeBadRequest, Detail: "A form field cannot hold " + strconv.Quote(name) + ".",
				Hint: "send a JSON object, which has a member for it", Member: name}
		}
	}
	req = limits.Text(fields.Get("curl"))
	if fields.Has("stdin") {
		req.Stdin = []byte(fields.Get("stdin"))
	}
	fields.Del("curl")
	fields.Del("stdin")
	return req, apply(&req, fields, "form field", true)
}

// parameters are the names that a query may have.
var parameters = []string{"target", "variables", "style", "indent", "data", "warnings", "bare", "checkStatus", "decodeJson", "function",
	"commonJs", "csharp7", "longNames", "dropNoise", "dropCookies", "moveSecrets", "placeholders", "entry", "shell", "as"}

// apply sets what a query or a form says. A parameter that nobody knows is ignored,
// unless its name is nearly a known one.
func apply(req *api.Request, query url.Values, kind string, isText bool) error {
	if err := checkNames(query, kind); err != nil {
		return err
	}
	set := func(name string, into func(value string) bool, want string) error {
		if value := query.Get(name); value != "" && !into(value) {
			return wrongValue(kind, name, want)
		}
		return nil
	}
	for _, name := range parameters {
		into := req.Truth(name)
		if into == nil {
			continue
		}
		truth := func(value string) bool {
			*into = value == "true" || *into
			return value == "true" || value == "false"
		}
		if err := set(name, truth, `"true" or "false"`); err != nil {
			return err
		}
	}
	for _, p := range []struct {
		name string
		into func(string) bool
		want string
	}{
		{"target", func(v string) bool { req.Target, req.Targets = v, nil; return true }, ""},
		{"variables", func(v string) bool { req.KeepVariables = v == "keep"; return v == "keep" || v == "env" }, `"env" or "keep"`},
		{"data", func(v string) bool { req.DataText = v == api.DataText; return req.DataText }, `"text"`},
		{"style", func(v string) (ok bool) { req.Style, ok = api.ParseStyle(v); return ok }, `"idiomatic" or "exact"`},
		{"placeholders", func(v string) (ok bool) { req.Placeholders, ok = api.ParsePlaceholders(v); return ok }, `"variables" or "text"`},
		{"indent", func(v string) bool { req.Indent = v; return api.ValidIndent(v) }, "up to eight blanks or tabs"},
		{"function", func(v string) bool { req.Function = v; return true }, ""},
		{"entry", func(v string) (ok bool) { req.Entry, ok = api.ValidEntry(v); return ok }, "a whole number from 1 on"},
	} {
		if err := set(p.name, p.into, p.want); err != nil {
			return err
		}
	}
	if !isText {
		return nil
	}
	return set("shell", func(v string) bool { req.Shell = v; return api.ValidShell(v) }, api.ShellNames(`"`))
}

// checkNames refuses a parameter whose name is nearly a known one.
func checkNames(query url.Values, kind string) error {
	for name := range query {
		if near := api.Near(name, parameters); near != "" && near != name {
			return &api.Problem{Code: api.CodeBadRequest, Detail: "The " + kind + " " + strconv.Quote(name) + " is unknown.", Hint: "did you mean " + near + "?"}
		}
	}
	return nil
}

// wrongValue returns the problem for a parameter that has a value it cannot have.
func wrongValue(kind, name, want string) error {
	return &api.Problem{Code: api.CodeBadRequest, Detail: "The " + kind + " " + strconv.Quote(name) + " must be " + want + ".",
		Hint: "leave it out for the default"}
}

// headerIgnored is the field that has the names of members that were ignored although
// they are nearly those of known ones.
const headerIgnored = "Uncoil-Ignored"
