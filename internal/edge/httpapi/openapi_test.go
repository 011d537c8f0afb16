package httpapi

import (
	"encoding/json"
	"errors"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"uncoil/internal/edge/codes"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
	"github.com/google/go-cmp/cmp"
	yaml "github.com/oasdiff/yaml3"
)

var update = flag.Bool("update", false, "rewrite the files that are made from others")

// The description in JSON is the one in YAML.
func TestOpenAPIJSONAgrees(t *testing.T) {
	var want, got any
	if err := yaml.Unmarshal(openAPIYAML().body, &want); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(want) // numbers as JSON has them
	if err := errors.Join(err, json.Unmarshal(text, &want), json.Unmarshal(openAPIJSON(), &got)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-YAML +JSON)\n%s", diff)
	}
}

// loadOpenAPI reads the description and checks that it is one, with its
// examples.
func loadOpenAPI(t testing.TB) *openapi3.T {
	t.Helper()
	loader := openapi3.NewLoader()
	doc, err := loader.LoadFromData(openAPIYAML().body)
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(loader.Context); err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestOpenAPIIsValid(t *testing.T) {
	doc := loadOpenAPI(t)
	if doc.OpenAPI != "3.1.0" {
		t.Errorf("version %s", doc.OpenAPI)
	}
}

// The description, the pages and the codes are about the same errors.
func TestOpenAPIHasEveryCode(t *testing.T) {
	var described []string
	for _, code := range loadOpenAPI(t).Components.Schemas["ProblemCode"].Value.Enum {
		described = append(described, code.(string))
	}
	var explained []string
	for _, p := range codes.Errors {
		explained = append(explained, string(p.Code))
	}
	slices.Sort(described)
	slices.Sort(explained)
	if !slices.Equal(described, explained) {
		t.Errorf("openapi.yaml has the codes\n%q, package codes\n%q", described, explained)
	}
}

// A service is the service under test. Every answer that it gives is checked
// against the description.
type service struct {
	handler http.Handler
	doc     *openapi3.T
	router  routers.Router
}

func newService(t testing.TB, h http.Handler) *service {
	t.Helper()
	d, err := description()
	if err != nil {
		t.Fatal(err)
	}
	return &service{h, d.doc, d.router}
}

type described struct {
	doc    *openapi3.T
	router routers.Router
}

// description is the description as newService needs it. To check it takes
// seconds, so that is done once.
var description = sync.OnceValues(func() (described, error) {
	doc, err := openapi3.NewLoader().LoadFromData(openAPIYAML().body)
	if err != nil {
		return described{}, err
	}
	router, err := legacy.NewRouter(doc)
	return described{doc, router}, err
})

func init() {
	text := func(body io.Reader, _ http.Header, _ *openapi3.SchemaRef, _ openapi3filter.EncodingFn) (any, error) {
		data, err := io.ReadAll(body)
		return string(data), err
	}
	openapi3filter.RegisterBodyDecoder(typeNDJSON, text)
	openapi3filter.RegisterBodyDecoder("text/html", text)
	openapi3filter.RegisterBodyDecoder("application/yaml", func(body io.Reader, _ http.Header, _ *openapi3.SchemaRef, _ openapi3filter.EncodingFn) (any, error) {
		var value any
		err := yaml.NewDecoder(body).Decode(&value)
		return value, err
	})
}

// do sends a request and returns the answer, checked.
func (s *service) do(t testing.TB, r *http.Request) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	s.check(t, r, w)
	return w
}

// post sends content to a path.
func (s *service) post(t testing.TB, path, contentType, content string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest("POST", path, strings.NewReader(content))
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	return s.do(t, r)
}

// begin sends a command that has yet to arrive in full; the status comes when
// it has.
func (s *service) begin(content io.Reader) (status <-chan int) {
	answered := make(chan int)
	go func() {
		r := httptest.NewRequest("POST", "/api/convert", content)
		r.Header.Set("Content-Type", typeText)
		w := httptest.NewRecorder()
		s.handler.ServeHTTP(w, r)
		answered <- w.Code
	}()
	return answered
}

// postCoded sends content that is said to be compressed.
func (s *service) postCoded(t testing.TB, path, coding, content string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest("POST", path, strings.NewReader(content))
	r.Header.Set("Content-Type", typeText)
	r.Header.Set("Content-Encoding", coding)
	return s.do(t, r)
}

func (s *service) check(t testing.TB, r *http.Request, w *httptest.ResponseRecorder) {
	t.Helper()
	if w.Header().Get("Content-Type") == "application/problem+json" {
		s.checkSchema(t, "Problem", w.Body.Bytes())
		if hint := `"hint":"`; w.Code < 500 && w.Code != http.StatusUnprocessableEntity && !strings.Contains(w.Body.String(), hint) {
			t.Errorf("%s %s: no hint in %s", r.Method, r.URL, w.Body)
		}
	}
	method := r.Method
	if method == http.MethodHead || method == http.MethodOptions || w.Code == http.StatusMethodNotAllowed {
		return // these are not described for each path
	}
	route, params, err := s.router.FindRoute(r)
	if err != nil {
		if w.Code != http.StatusNotFound {
			t.Errorf("%s %s is not described, and answers %d", r.Method, r.URL, w.Code)
		}
		return
	}
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: r, Route: route, PathParams: params},
		Status:                 w.Code,
		Header:                 w.Header(),
		Options:                &openapi3filter.Options{IncludeResponseStatus: true},
	}
	input.SetBodyBytes(w.Body.Bytes())
	if err := openapi3filter.ValidateResponse(t.Context(), input); err != nil {
		t.Errorf("%s %s answers %d %s:\n%v", r.Method, r.URL, w.Code, w.Body, err)
	}
	if w.Header().Get("Content-Type") == typeNDJSON {
		for line := range strings.Lines(w.Body.String()) {
			s.checkSchema(t, "BatchAnswer", []byte(line))
		}
	}
}

// checkSchema checks a JSON text against one of the description's schemas.
func (s *service) checkSchema(t testing.TB, name string, text []byte) {
	t.Helper()
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		t.Errorf("%s: %v", text, err)
		return
	}
	if err := s.doc.Components.Schemas[name].Value.VisitJSON(value, openapi3.EnableJSONSchema2020()); err != nil {
		t.Errorf("%s is no %s:\n%v", text, name, err)
	}
}
