package httpapi

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
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
	policy      string // Content-Security-Policy; empty for the usual one
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
	// A client that has gone needs no answer.
	_, _ = w.Write(d.body)
}

// The description of the service. The JSON is written from the YAML by
// go test -update.
func openAPIYAML() document {
	return document{contentType: "application/yaml", body: asset("openapi.yaml")}
}

func openAPIJSON() document {
	return document{contentType: typeJSON, body: asset("openapi.json")}
}

// page makes a document of an HTML file, in which {{name}} stands for a value:
// HTML, so text has to be escaped. The values are names and values in turn.
// The style is written into the page, and its policy lets through this and
// nothing else.
func page(file string, values ...string) document {
	style := asset("style.css")
	oldnew := []string{"{{style}}", string(style)}
	for i := 0; i < len(values); i += 2 {
		oldnew = append(oldnew, "{{"+values[i]+"}}", values[i+1])
	}
	body := strings.NewReplacer(oldnew...).Replace(string(asset(file)))
	return document{
		contentType: "text/html; charset=utf-8",
		policy: "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'" +
			"; style-src " + hashSource(style),
		body: []byte(body),
	}
}

// hashSource allows one text in a Content-Security-Policy.
func hashSource(text []byte) string {
	sum := sha256.Sum256(text)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
