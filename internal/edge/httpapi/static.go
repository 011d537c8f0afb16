package httpapi

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"html/template"
	"net/http"
	"strconv"
	"sync"
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
	api         bool          // whether it is an answer of the API, and nothing that a browser shows
	hash        string        // of the body; "" for a document without an ETag
	gzip        func() []byte // the body compressed; nil: it is too short for that
}

// tagged returns the document with an ETag and, unless it is short, a compressed form.
func (d document) tagged() document {
	sum := sha256.Sum256(d.body)
	d.hash = hex.EncodeToString(sum[:8])
	const short = 1 << 10
	if body := d.body; len(body) > short {
		d.gzip = sync.OnceValue(func() []byte {
			var b bytes.Buffer
			w := gzip.NewWriter(&b)
			_, err := w.Write(body)
			if err = errors.Join(err, w.Close()); err != nil {
				panic(err) // a buffer takes everything
			}
			return b.Bytes()
		})
	}
	return d
}

func (d document) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	if !d.api {
		secureDocument(h)
	}
	h.Set("Content-Type", d.contentType)
	h.Set("Cache-Control", "public, max-age=300")
	if d.policy != "" {
		h.Set("Content-Security-Policy", d.policy)
	}
	body := d.body
	if d.hash != "" {
		var available []string
		if d.gzip != nil {
			available = []string{"gzip"}
			h.Add("Vary", "Accept-Encoding")
		}
		coding, modified := negotiate(w, r, d.hash, available)
		if !modified {
			return
		}
		if coding != "" {
			body = d.gzip()
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if d.status != 0 {
		w.WriteHeader(d.status)
	}
	// The client may have gone.
	_, _ = w.Write(body)
}

// later returns a handler of a document that is made when somebody first asks for it.
func later(compose func() document) http.Handler {
	once := sync.OnceValue(compose)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { once().ServeHTTP(w, r) })
}

// templates are the HTML pages, and frame.html what stands around each.
var templates = sync.OnceValue(func() *template.Template { return template.Must(template.ParseFS(assets, "assets/*.html")) })

// page returns the document of a template and its data. home leads from it to the start
// page. The page contains its style, and its policy allows this style and nothing else.
func page(file, title, home string, data any) document {
	style := asset("style.css")
	var body bytes.Buffer
	err := templates().ExecuteTemplate(&body, file, struct {
		Title, Home string
		Style       template.CSS
		Data        any
	}{title, home, template.CSS(style), data})
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
