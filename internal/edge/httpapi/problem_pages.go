package httpapi

import (
	"net/http"

	"uncoil/internal/edge/api"
)

// problemIndex is the page at GET /problems/.
func problemIndex() document { return page("problems.html", problemTable).tagged() }

// problemPages serves GET /problems/{code}, the URL in the type of a problem
// document.
func problemPages() http.Handler {
	pages := make(map[string]document, len(problemTable))
	for _, p := range problemTable {
		pages[string(p.Code)] = page("problem.html", p).tagged()
	}
	return handlerFunc(func(w http.ResponseWriter, r *http.Request) error {
		page, ok := pages[r.PathValue("code")]
		if !ok {
			return &api.Problem{
				Code:   api.CodeNotFound,
				Detail: "There is no error with this code.",
				Hint:   "GET /problems/ lists the codes",
			}
		}
		page.ServeHTTP(w, r)
		return nil
	})
}
