package httpapi

import (
	"bufio"
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestWire sends the requests in testdata/wire. A case is a txtar file with
// the sections request, which is a request as it goes over the wire but with
// bare newlines, and response, which is the status, the header fields that
// matter in this case and the content. The newline that ends a section is
// not part of the content. With -update the responses are rewritten, with
// the fields that they name.
func TestWire(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/wire/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	service := newService(t, New(Config{MaxBody: 4000}))
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if len(archive.Files) != 2 || archive.Files[0].Name != "request" || archive.Files[1].Name != "response" {
				t.Fatal("the file must have the sections request and response")
			}
			w := service.do(t, wireRequest(t, archive.Files[0].Data))
			want := archive.Files[1].Data
			got := wireResponse(w, want)
			if bytes.Equal(got, want) {
				return
			}
			if *update {
				archive.Files[1].Data = got
				if err := os.WriteFile(file, txtar.Format(archive), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			t.Errorf("got\n%s\nwant\n%s", got, want)
		})
	}
}

// wireRequest reads the text of a request.
func wireRequest(t *testing.T, text []byte) *http.Request {
	t.Helper()
	head, content, _ := strings.Cut(string(text), "\n\n")
	content = strings.TrimSuffix(content, "\n")
	head = strings.ReplaceAll(strings.TrimSuffix(head, "\n"), "\n", "\r\n")
	head += fmt.Sprintf("\r\nHost: example.com\r\nContent-Length: %d\r\n\r\n", len(content))
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(head + content)))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// wireResponse writes a response down, with the fields that want names.
func wireResponse(w *httptest.ResponseRecorder, want []byte) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%d\n", w.Code)
	head, _, _ := strings.Cut(string(want), "\n\n")
	fields := strings.Split(strings.TrimSuffix(head, "\n"), "\n")
	for _, field := range fields[1:] {
		name, _, _ := strings.Cut(field, ":")
		fmt.Fprintf(&b, "%s: %s\n", name, w.Header().Get(name))
	}
	if w.Body.Len() > 0 {
		b.WriteByte('\n')
		b.Write(w.Body.Bytes())
		if !bytes.HasSuffix(b.Bytes(), []byte("\n")) {
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}
