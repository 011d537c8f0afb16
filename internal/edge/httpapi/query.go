package httpapi

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"uncoil/internal/edge/api"
	"uncoil/internal/edge/switches"
	"uncoil/internal/engine/mime"
)

// request reads the content, which is a request object, the fields of a form, or the
// command itself. The query can set what a request object sets.
func request(r *http.Request, content string, limits api.Limits) (req api.Request, err error) {
	t := mediaType(r)
	isObject := mime.IsJSON(t) || beginsObject(content)
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

// parameters returns the names that a query may have.
var parameters = sync.OnceValue(func() []string { return append(switches.Names(), "as") })

// apply sets what a query or a form says. A parameter that nobody knows is ignored,
// unless its name is nearly a known one. The shell of a request object stands in it.
func apply(req *api.Request, query url.Values, kind string, isText bool) error {
	if err := checkNames(query, kind); err != nil {
		return err
	}
	for _, s := range switches.All() {
		value := query.Get(s.Name)
		if value == "" || s.OnlyFlag || s.Name == "shell" && !isText || s.Kind == switches.Truth && value == "false" {
			continue
		}
		if !s.Set(&req.Want, &req.Input, value) {
			return wrongValue(kind, s.Name, s.Wanted(`"`))
		}
		if s.Name == "target" {
			req.Targets = nil
		}
	}
	return nil
}

// checkNames refuses a parameter whose name is nearly a known one.
func checkNames(query url.Values, kind string) error {
	for name := range query {
		if near := api.Near(name, parameters()); near != "" && near != name {
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
