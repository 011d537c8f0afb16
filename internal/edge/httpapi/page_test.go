package httpapi

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"

	"uncoil/web"
)

func init() {
	text := func(body io.Reader, _ http.Header, _ *openapi3.SchemaRef, _ openapi3filter.EncodingFn) (any, error) {
		data, err := io.ReadAll(body)
		return string(data), err
	}
	for _, name := range []string{"text/javascript", "text/css", "application/wasm", "image/svg+xml", "application/manifest+json"} {
		openapi3filter.RegisterBodyDecoder(name, text)
	}
}

// pageParts returns the addresses that the page names.
func pageParts(t *testing.T, s *service) []string {
	t.Helper()
	w := s.do(t, httptest.NewRequest("GET", "/", nil))
	if w.Code != 200 {
		t.Fatalf("GET / answers %d", w.Code)
	}
	var parts []string
	for _, m := range regexp.MustCompile(`(?:href|src)="((?:page|engine)/[^"]+)"`).FindAllStringSubmatch(w.Body.String(), -1) {
		parts = append(parts, "/"+m[1])
	}
	if len(parts) < 5 {
		t.Fatalf("the page names only %q", parts)
	}
	return parts
}

// The page has nothing written into it that its policy would have to allow,
// and all that it names is there, for good, under the same policy.
func TestPageParts(t *testing.T) {
	s := newService(t, New(Config{}))
	w := s.do(t, httptest.NewRequest("GET", "/", nil))
	for _, forbidden := range []string{"<style", "style=", "onclick=", "<script>", `="http:`, `="https:`, `="//`} {
		if strings.Contains(w.Body.String(), forbidden) {
			t.Errorf("the page has %s", forbidden)
		}
	}
	if got := w.Header().Get("Cache-Control"); got != "no-cache" {
		t.Errorf("the page has Cache-Control: %s", got)
	}
	for _, path := range append(pageParts(t, s), "/") {
		w := s.do(t, httptest.NewRequest("GET", path, nil))
		h := w.Header()
		if w.Code != 200 || w.Body.Len() == 0 {
			t.Errorf("GET %s answers %d", path, w.Code)
		}
		if path != "/" && h.Get("Cache-Control") != "public, max-age=31536000, immutable" {
			t.Errorf("%s has Cache-Control: %s", path, h.Get("Cache-Control"))
		}
		policy := h.Get("Content-Security-Policy")
		for _, part := range []string{"default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "connect-src 'self'", "frame-ancestors 'none'"} {
			if !strings.Contains(policy, part) {
				t.Errorf("the policy of %s lacks %s: %s", path, part, policy)
			}
		}
		if strings.Contains(policy, "unsafe-inline") || strings.Contains(policy, "*") {
			t.Errorf("the policy of %s is lax: %s", path, policy)
		}
	}
	if w := s.do(t, httptest.NewRequest("GET", "/page/0123456789abcdef/app.js", nil)); w.Code != 404 {
		t.Errorf("a part of another version answers %d", w.Code)
	}
	if w := s.do(t, httptest.NewRequest("POST", "/", nil)); w.Code != 405 {
		t.Errorf("POST / answers %d", w.Code)
	}
}

// Each language of the page has one of its own, which names a target that there is.
func TestLanguagePages(t *testing.T) {
	service := New(Config{}) // pages for people are not in its description
	get := func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		service.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		return w
	}
	targets := get("/api/targets").Body.String()
	for _, language := range web.Languages {
		w := get("/" + language.Path)
		body := w.Body.String()
		if w.Code != 200 || !strings.Contains(body, "<title>curl to "+language.Name+": uncoil</title>") || !strings.Contains(body, `data-target="`+language.Target+`"`) {
			t.Errorf("the page of %s answers %d and has not its title and target", language.Name, w.Code)
		}
		if !strings.Contains(targets, `"name":"`+language.Target+`"`) {
			t.Errorf("the page of %s names the target %s, which is not there", language.Name, language.Target)
		}
	}
}

// Each coding has a tag of its own, and what it decodes to is the file.
func TestPageCodings(t *testing.T) {
	s := newService(t, New(Config{}))
	path := pageParts(t, s)[0]
	plain := s.do(t, httptest.NewRequest("GET", path, nil))
	if plain.Header().Get("Content-Encoding") != "" || plain.Header().Get("Vary") != "Accept-Encoding" {
		t.Errorf("without Accept-Encoding: %v", plain.Header())
	}
	r := httptest.NewRequest("GET", path, nil)
	r.Header.Set("Accept-Encoding", "gzip, deflate, br")
	zipped := s.do(t, r)
	if zipped.Header().Get("Content-Encoding") != "gzip" || zipped.Header().Get("ETag") == plain.Header().Get("ETag") {
		t.Errorf("with gzip: %v", zipped.Header())
	}
	z, err := gzip.NewReader(zipped.Body)
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(z)
	if err != nil || !bytes.Equal(content, plain.Body.Bytes()) {
		t.Errorf("the file comes out of gzip as %q, %v", content, err)
	}
	for _, tag := range []string{zipped.Header().Get("ETag"), `"other", W/` + zipped.Header().Get("ETag"), "*"} {
		r.Header.Set("If-None-Match", tag)
		if w := s.do(t, r); w.Code != 304 || w.Body.Len() != 0 || w.Header().Get("ETag") == "" {
			t.Errorf("If-None-Match: %s answers %d", tag, w.Code)
		}
	}
	r.Header.Set("If-None-Match", plain.Header().Get("ETag"))
	if w := s.do(t, r); w.Code != 200 {
		t.Errorf("the tag of another coding answers %d", w.Code)
	}
}

func TestContentCoding(t *testing.T) {
	both := []string{"br", "gzip"}
	tests := []struct {
		accepted  string
		available []string
		want      string
	}{
		{"", both, ""},
		{"gzip", both, "gzip"},
		{"gzip, br", both, "br"},
		{"gzip, deflate, br, zstd", []string{"gzip"}, "gzip"},
		{"GZIP;q=0.5, br;q=0.1", both, "gzip"},
		{"br;q=0, gzip", both, "gzip"},
		{"br; q=0, *", both, "gzip"},
		{"*", both, "br"},
		{"*;q=0", both, ""},
		{"identity, gzip;q=0.5", both, ""},
		{"identity;q=0.5, gzip", both, "gzip"},
		{"identity;q=0", both, ""}, // better than no answer
		{"gzip;q=x", both, ""},
		{"gzip;q=2", both, ""},
		{"x-gzip", both, "gzip"},
		{"deflate, zstd", both, ""},
		{" , ,", both, ""},
		{"brotli", both, ""},
	}
	for _, test := range tests {
		if got := contentCoding([]string{test.accepted}, test.available); got != test.want {
			t.Errorf("Accept-Encoding: %s of %q chooses %q, want %q", test.accepted, test.available, got, test.want)
		}
	}
}

// The engine comes in each coding. It is there where the program was built
// with it.
func TestPageEngine(t *testing.T) {
	site, err := web.New(web.Options{Service: true})
	if err != nil {
		t.Fatal(err)
	}
	s := newService(t, New(Config{}))
	body := s.do(t, httptest.NewRequest("GET", "/", nil)).Body.String()
	if !site.HasEngine {
		if !strings.Contains(body, "go generate ./web") {
			t.Error("without the engine the page does not say how to build it")
		}
		t.Skip("the engine is not built; go generate ./web builds it")
	}
	m := regexp.MustCompile(`data-engine="([^"]+)"`).FindStringSubmatch(body)
	if m == nil {
		t.Fatal("the page does not name the engine")
	}
	for _, coding := range []string{"br", "gzip", ""} {
		r := httptest.NewRequest("GET", "/"+m[1]+"uncoil.wasm", nil)
		r.Header.Set("Accept-Encoding", coding)
		w := s.do(t, r)
		if w.Code != 200 || w.Header().Get("Content-Type") != "application/wasm" || w.Header().Get("Content-Encoding") != coding {
			t.Errorf("the engine with Accept-Encoding: %s answers %d, %v", coding, w.Code, w.Header())
		}
		if coding == "br" && w.Body.Len() > web.MaxDownload {
			t.Errorf("the engine has %d bytes", w.Body.Len())
		}
		if coding == "" && !strings.HasPrefix(w.Body.String(), "\x00asm") {
			t.Error("the engine is no WebAssembly")
		}
	}
}
