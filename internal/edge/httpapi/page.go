package httpapi

import (
	"net/http"
	"strconv"
	"strings"

	"uncoil/internal/edge/api"
	"uncoil/internal/engine/ascii"
	"uncoil/web"
)

// tryPage serves the page at GET /, where people try the service, and its files.
func tryPage(asks bool) http.Handler {
	site, err := web.New(web.Options{Service: true, Asks: asks})
	if err != nil {
		panic(err) // the files are part of the program
	}
	return handlerFunc(func(w http.ResponseWriter, r *http.Request) error {
		if r.URL.Path == "/" {
			// It names files that change with the program.
			serveFile(w, r, site.Index, "no-cache", "'none'")
			return nil
		}
		if r.URL.Path == "/offline.js" {
			serveFile(w, r, site.Worker, "no-cache", "'none'")
			return nil
		}
		if r.URL.Path == "/embed" {
			serveFile(w, r, site.Embed, "no-cache", "*")
			return nil
		}
		if page, ok := site.Pages[strings.TrimPrefix(r.URL.Path, "/")]; ok {
			serveFile(w, r, page, "no-cache", "'none'")
			return nil
		}
		file, ok := site.Files[strings.TrimPrefix(r.URL.Path, "/")]
		if !ok {
			return &api.Problem{
				Code:   api.CodeNotFound,
				Detail: "The page has no such file, or had it in another version.",
				Hint:   "load / again",
			}
		}
		serveFile(w, r, file, "public, max-age=31536000, immutable", "'none'")
		return nil
	})
}

// serveFile sends a file in the best coding that the client accepts. frames are the
// sites that may show it within theirs.
func serveFile(w http.ResponseWriter, r *http.Request, f *web.File, cache, frames string) {
	h := w.Header()
	h.Set("Content-Type", f.Type)
	h.Set("Cache-Control", cache)
	// A worker obeys the policy of its script, so all files have the policy.
	h.Set("Content-Security-Policy", web.Policy+"; frame-ancestors "+frames)
	secureDocument(h)
	h.Add("Vary", "Accept-Encoding")

	available := []string{"gzip"}
	if f.Brotli != nil {
		available = []string{"br", "gzip"}
	}
	coding, modified := negotiate(w, r, f.Hash, available)
	if !modified {
		return
	}
	var content []byte
	switch coding {
	case "br":
		content = f.Brotli
	case "gzip":
		content = f.Gzip()
	default:
		content = f.Plain()
	}
	h.Set("Content-Length", strconv.Itoa(len(content)))
	// The client may have gone.
	_, _ = w.Write(content)
}

// negotiate sets the coding and the ETag of content with a hash. It answers 304, and
// returns false, where the client has that content.
func negotiate(w http.ResponseWriter, r *http.Request, hash string, available []string) (coding string, modified bool) {
	h := w.Header()
	coding = contentCoding(r.Header.Values("Accept-Encoding"), available)
	tag := `"` + hash + `"`
	if coding != "" {
		h.Set("Content-Encoding", coding)
		tag = `"` + hash + "-" + coding + `"`
	}
	h.Set("ETag", tag)
	if etagMatches(r.Header.Values("If-None-Match"), tag) {
		h.Del("Content-Type")
		h.Del("Content-Encoding")
		w.WriteHeader(http.StatusNotModified)
		return coding, false
	}
	return coding, true
}

// contentCoding picks the best available coding by the fields Accept-Encoding,
// or "" for identity, also if the client accepts none of them.
func contentCoding(fields, available []string) string {
	weights := make(map[string]float64)
	for element := range strings.SplitSeq(strings.Join(fields, ","), ",") {
		name, parameters, _ := strings.Cut(element, ";")
		weight := 1.0
		if key, value, ok := strings.Cut(parameters, "="); ok && ascii.EqualFold(strings.TrimSpace(key), "q") {
			q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil || !(q >= 0 && q <= 1) {
				q = 0
			}
			weight = q
		}
		name = strings.ToLower(strings.TrimSpace(name))
		if name == "x-gzip" {
			name = "gzip"
		}
		if name != "" {
			weights[name] = weight
		}
	}
	best, bestWeight := "", 0.0
	for _, coding := range available {
		weight, named := weights[coding]
		if !named {
			weight = weights["*"]
		}
		if weight > bestWeight {
			best, bestWeight = coding, weight
		}
	}
	if plain, named := weights["identity"]; named && plain > bestWeight {
		return ""
	}
	return best
}

// etagMatches reports whether If-None-Match contains the tag.
func etagMatches(fields []string, tag string) bool {
	for element := range strings.SplitSeq(strings.Join(fields, ","), ",") {
		element = strings.TrimSpace(element)
		if element == "*" || strings.TrimPrefix(element, "W/") == tag {
			return true
		}
	}
	return false
}
