package httpapi

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"uncoil/internal/edge/api"
	"uncoil/internal/edge/codes"
)

// problemIndex is the page at GET /problems/.
func problemIndex() document {
	return page("problems.html", "Errors and warnings", "./", struct {
		Errors   []codes.Error
		Warnings []warning
	}{codes.Errors, warnings()}).tagged()
}

// A warning is what the page of its code says.
type warning struct {
	Code, Level string
	Says        []words
}

// Words are a stretch of text, of code or not.
type words struct {
	Code bool
	Text string
}

// warnings returns what the pages of all warnings say.
func warnings() (all []warning) {
	for _, known := range codes.Warnings() {
		w := warning{Code: string(known.Code), Level: known.Level}
		for i, text := range strings.Split(known.Says, "`") {
			w.Says = append(w.Says, words{i%2 == 1, text})
		}
		all = append(all, w)
	}
	return all
}

// problemPages serves GET /problems/{code}, the URL in the type of a problem
// document. Codes of warnings have pages, too.
func problemPages() http.Handler {
	pages := make(map[string]document, len(codes.Errors))
	for _, w := range warnings() {
		pages[w.Code] = page("warning.html", w.Code, "../", w).tagged()
	}
	for _, p := range codes.Errors { // which also says what a warning of the same code does
		pages[string(p.Code)] = page("problem.html", string(p.Code), "../", p).tagged()
	}
	names := slices.Sorted(maps.Keys(pages))
	return handlerFunc(func(w http.ResponseWriter, r *http.Request) error {
		page, ok := pages[r.PathValue("code")]
		if !ok {
			hint := "GET /problems lists the codes"
			if near := api.Near(r.PathValue("code"), names); near != "" {
				hint = "did you mean " + near + "?"
			}
			return &api.Problem{Code: api.CodeNotFound, Detail: "There is no error and no warning with this code.", Hint: hint}
		}
		page.ServeHTTP(w, r)
		return nil
	})
}
