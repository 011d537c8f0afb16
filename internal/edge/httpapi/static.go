package httpapi

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"net/http"
	"strconv"
)

//go:embed assets
var assets embed.FS

// asset returns an embedded file.
func asset(name string) []byte {
	data, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // the file is part of the program
	}
	return data
}

// A document is a response that never changes while the program runs.
type document struct {
	contentType string
	policy      string // Content-Security-Policy; "" for the default
	status      int    // 0 means 200
	body        []byte
}

func (d document) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	secureDocument(h)
	h.Set("Content-Type", d.contentType)
	h.Set("Content-Length", strconv.Itoa(len(d.body)))
	h.Set("Cache-Control", "public, max-age=300")
	if d.policy != "" {
		h.Set("Content-Security-Policy", d.policy)
	}
	if d.status != 0 {
		w.WriteHeader(d.status)
	}
	// The client may have gone.
	_, _ = w.Write(d.body)
}

// The OpenAPI description of the service. go test -update writes the JSON from
// the YAML.
func openAPIYAML() document {
	return document{contentType: "application/yaml", body: asset("openapi.yaml")}
}

func openAPIJSON() document {
	return document{contentType: typeJSON, body: asset("openapi.json")}
}

// templates are the HTML pages.
var templates = template.Must(template.ParseFS(assets, "assets/*.html"))

// page returns the document of a template and its data. The page contains its
// style, and its policy allows this style and nothing else.
func page(file string, data any) document {
	style := asset("style.css")
	var body bytes.Buffer
	err := templates.ExecuteTemplate(&body, file, struct {
		Style template.CSS
		Data  any
	}{template.CSS(style), data})
	if err != nil {
		panic(err) // the pages are part of the program
	}
	return document{
		contentType: "text/html; charset=utf-8",
		policy: "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'" +
			"; style-src " + hashSource(style),
		body: body.Bytes(),
	}
}

// hashSource returns the source of a Content-Security-Policy that allows a text.
func hashSource(text []byte) string {
	sum := sha256.Sum256(text)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
