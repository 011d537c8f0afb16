package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"uncoil/internal/edge/codes"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
)

// Each request that the description shows is sent. Where an answer is shown
// under the same name, it is the answer, member for member.
func TestOpenAPIRequestExamples(t *testing.T) {
	s := newService(t, New(Config{}))
	shown := 0
	for path, item := range s.doc.Paths.Map() {
		if item.Post == nil {
			continue
		}
		answers := item.Post.Responses.Value("200").Value
		for contentType, media := range item.Post.RequestBody.Value.Content {
			for name, example := range examplesOf(media) {
				shown++
				content, isText := example.(string)
				if !isText {
					content = jsonText(t, example)
				}
				w := s.post(t, path, contentType, content)
				if w.Code != 200 {
					t.Errorf("%s: the example %s as %s answers %d %s", path, name, contentType, w.Code, w.Body)
				}
				for answerType, answer := range answers.Content {
					if want, ok := examplesOf(answer)[name]; ok {
						compareExample(t, path+" "+name+" "+answerType, want, w)
					}
				}
			}
		}
		// No answer stands there without its request.
		for _, answer := range answers.Content {
			for name := range examplesOf(answer) {
				found := false
				for _, media := range item.Post.RequestBody.Value.Content {
					_, ok := examplesOf(media)[name]
					found = found || ok
				}
				if !found {
					t.Errorf("%s: the answer %s has no request of that name", path, name)
				}
			}
		}
	}
	if shown < 8 {
		t.Errorf("there are only %d examples", shown)
	}
}

// compareExample compares an answer with the one that is shown.
func compareExample(t *testing.T, what string, want any, w *httptest.ResponseRecorder) {
	t.Helper()
	if text, ok := want.(string); ok {
		if diff := cmp.Diff(text, w.Body.String()); diff != "" {
			t.Errorf("%s (-shown +got):\n%s", what, diff)
		}
		return
	}
	var shown, got any
	if err := json.Unmarshal([]byte(jsonText(t, want)), &shown); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(shown, got); diff != "" {
		t.Errorf("%s (-shown +got):\n%s\n%s", what, diff, w.Body)
	}
}

// examplesOf returns the examples of a content by name, "" for a single one.
func examplesOf(media *openapi3.MediaType) map[string]any {
	all := make(map[string]any)
	if media.Example != nil {
		all[""] = media.Example
	}
	for name, example := range media.Examples {
		all[name] = example.Value.Value
	}
	return all
}

func jsonText(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Each problem that the description shows is what the service answers to the
// bad example on the page of its code, and each code of a command is shown.
func TestOpenAPIProblemExamples(t *testing.T) {
	s := newService(t, New(Config{}))
	shown := make(map[string]any)
	for name, response := range s.doc.Components.Responses {
		media := response.Value.Content["application/problem+json"]
		if media == nil {
			continue
		}
		for _, example := range examplesOf(media) {
			shown[fmt.Sprint(example.(map[string]any)["code"])] = example
		}
		if len(examplesOf(media)) == 0 {
			t.Errorf("the answer %s has no example", name)
		}
	}
	var missing []string
	for _, p := range codes.Errors {
		example, ok := shown[string(p.Code)]
		if !ok {
			missing = append(missing, string(p.Code))
			continue
		}
		if p.Status() == 422 {
			path, contentType := exampleRoute(&p)
			w := s.post(t, path, contentType, p.Bad)
			if *update {
				rewriteProse(t, example.(map[string]any), w)
				continue
			}
			compareExample(t, string(p.Code), example, w)
			continue
		}
		// These take a service in some state; their tests are elsewhere.
		s.checkSchema(t, "Problem", []byte(jsonText(t, example)))
		members := example.(map[string]any)
		if members["type"] != "/problems/"+string(p.Code) || fmt.Sprint(members["status"]) != fmt.Sprint(p.Status()) || members["title"] != p.Title() {
			t.Errorf("%s is shown as %v", p.Code, example)
		}
	}
	if slices.Sort(missing); len(missing) > 0 {
		t.Errorf("no example shows %s", strings.Join(missing, ", "))
	}
}

// rewriteProse puts the detail and the hint of an answer in the place of those
// that openapi.yaml shows.
func rewriteProse(t *testing.T, shown map[string]any, w *httptest.ResponseRecorder) {
	t.Helper()
	const file = "assets/openapi.yaml"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	for _, member := range []string{"detail", "hint"} {
		before, _ := shown[member].(string)
		after, _ := got[member].(string)
		text = bytes.Replace(text, []byte(member+": "+jsonText(t, before)), []byte(member+": "+jsonText(t, after)), 1)
	}
	if err := os.WriteFile(file, text, 0o666); err != nil {
		t.Fatal(err)
	}
}
