package httpapi

import (
	"crypto/sha256"
	"encoding/base64"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"uncoil/diag"
	"uncoil/internal/edge/codes"
)

// A page may use the style that is written into it, and nothing else; so its
// hash must be that of the policy.
func TestPagePolicy(t *testing.T) {
	s := newService(t, New(Config{}))
	inline := regexp.MustCompile(`(?s)<(style)>(.*?)</style>`)
	for _, path := range []string{"/problems", "/problems/unknown-option"} {
		w := s.do(t, httptest.NewRequest("GET", path, nil))
		policy := w.Header().Get("Content-Security-Policy")
		if w.Code != 200 || !strings.Contains(policy, "default-src 'none'") {
			t.Errorf("%s: %d, policy %s", path, w.Code, policy)
		}
		found := inline.FindAllStringSubmatch(w.Body.String(), -1)
		if len(found) == 0 {
			t.Errorf("%s has no style", path)
		}
		for _, m := range found {
			sum := sha256.Sum256([]byte(m[2]))
			if want := m[1] + "-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(policy, want) {
				t.Errorf("%s: the policy forbids its own %s", path, m[1])
			}
		}
		for _, forbidden := range []string{"{{", "<script", "style=", "onclick=", "src=", "http-equiv"} {
			if strings.Contains(w.Body.String(), forbidden) {
				t.Errorf("%s has %s", path, forbidden)
			}
		}
	}
}

func TestStaticAnswersToHead(t *testing.T) {
	s := newService(t, New(Config{}))
	for _, path := range []string{"/", "/openapi.yaml", "/openapi.json", "/problems", "/problems/variable", "/healthz", "/readyz"} {
		if w := s.do(t, httptest.NewRequest("GET", path, nil)); w.Code != 200 || w.Body.Len() == 0 {
			t.Errorf("GET %s answers %d, %d bytes", path, w.Code, w.Body.Len())
		}
		if w := s.do(t, httptest.NewRequest("HEAD", path, nil)); w.Code != 200 {
			t.Errorf("HEAD %s answers %d", path, w.Code)
		}
		w := s.do(t, httptest.NewRequest("DELETE", path, nil))
		if allow := w.Header().Get("Allow"); w.Code != 405 || allow != "GET, HEAD, OPTIONS" {
			t.Errorf("DELETE %s answers %d, Allow: %s", path, w.Code, allow)
		}
	}
}

// Every error code of package diag and of package envelope is explained.
func TestEveryCodeHasAPage(t *testing.T) {
	known := append(diag.ErrorCodes(), declaredCodes(t, "../api/problem.go")...)
	var explained []diag.Code
	for _, p := range codes.Errors {
		explained = append(explained, p.Code)
	}
	slices.Sort(known)
	slices.Sort(explained)
	if !slices.Equal(known, explained) {
		t.Errorf("there are the codes\n%q, package codes has\n%q", known, explained)
	}
}

// declaredCodes returns the values of the constants named Code… in a file.
func declaredCodes(t *testing.T, file string) []diag.Code {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var codes []diag.Code
	ast.Inspect(parsed, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && strings.HasPrefix(spec.Names[0].Name, "Code") {
			value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			codes = append(codes, diag.Code(value))
		}
		return true
	})
	return codes
}

// The examples on the pages do what the pages say.
func TestProblemExamples(t *testing.T) {
	s := newService(t, New(Config{}))
	for _, p := range codes.Errors {
		if p.Status() != 422 {
			continue // these examples are for a service that runs
		}
		path, contentType := exampleRoute(&p)
		bad := s.post(t, path, contentType, p.Bad)
		if !strings.Contains(bad.Body.String(), `"code":"`+string(p.Code)+`"`) {
			t.Errorf("%s: the bad example %s answers %s", p.Code, p.Bad, bad.Body)
		}
		if strings.HasPrefix(p.Mended, "{") {
			contentType = typeJSON
		}
		if mended := s.post(t, path, contentType, p.Mended); mended.Code != 200 {
			t.Errorf("%s: the mended example %s answers %s", p.Code, p.Mended, mended.Body)
		}
	}
}

// exampleRoute returns where the examples of a problem are sent, and their type.
func exampleRoute(p *codes.Error) (path, contentType string) {
	if p.Code == diag.CodeCannotExpress || p.Code == diag.CodeUnknownTarget {
		return "/api/code", typeJSON
	}
	return "/api/convert", typeText
}

// The pages of warnings say what docs/semantics.md says.
func TestWarningPages(t *testing.T) {
	s := newService(t, New(Config{}))
	for _, w := range codes.Warnings() {
		if page := s.do(t, httptest.NewRequest("GET", "/problems/"+string(w.Code), nil)); page.Code != 200 || !strings.Contains(page.Body.String(), string(w.Code)) {
			t.Errorf("%s: %d", w.Code, page.Code)
		}
	}
	if w := s.do(t, httptest.NewRequest("GET", "/problems/unqoted-ampersand", nil)); !strings.Contains(w.Body.String(), "did you mean unquoted-ampersand?") {
		t.Error(w.Body)
	}
}
