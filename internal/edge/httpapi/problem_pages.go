package httpapi

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"uncoil/internal/edge/api"
)

// problemIndex is the page at GET /problems/.
func problemIndex() document {
	return page("problems.html", "Errors and warnings", "./", struct {
		Errors   []explanation
		Warnings []warning
	}{problemTable, warningTable()}).tagged()
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

// warningTable returns all codes of warnings, from a file that a test makes of
// docs/semantics.md.
func warningTable() (all []warning) {
	for line := range strings.Lines(string(asset("warnings.tsv"))) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		w := warning{Code: cells[0], Level: cells[1]}
		for i, text := range strings.Split(cells[2], "`") {
			w.Says = append(w.Says, words{i%2 == 1, text})
		}
		all = append(all, w)
	}
	return all
}

// problemPages serves GET /problems/{code}, the URL in the type of a problem
// document. Codes of warnings have pages, too.
func problemPages() http.Handler {
	pages := make(map[string]document, len(problemTable))
	for _, w := range warningTable() {
		pages[w.Code] = page("warning.html", w.Code, "../", w).tagged()
	}
	for _, p := range problemTable { // which also says what a warning of the same code does
		pages[string(p.Code)] = page("problem.html", string(p.Code), "../", p).tagged()
	}
	codes := slices.Sorted(maps.Keys(pages))
	return handlerFunc(func(w http.ResponseWriter, r *http.Request) error {
		page, ok := pages[r.PathValue("code")]
		if !ok {
			hint := "GET /problems lists the codes"
			if near := api.Near(r.PathValue("code"), codes); near != "" {
				hint = "did you mean " + near + "?"
			}
			return &api.Problem{Code: api.CodeNotFound, Detail: "There is no error and no warning with this code.", Hint: hint}
		}
		page.ServeHTTP(w, r)
		return nil
	})
}
