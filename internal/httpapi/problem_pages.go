package httpapi

import (
	"html"
	"net/http"
	"strconv"
	"strings"

	"uncoil/internal/api"
)

// problemIndex is the page at GET /problems/.
func problemIndex() document {
	var rows strings.Builder
	for _, p := range problemTable {
		code := html.EscapeString(string(p.Code))
		rows.WriteString(`<tr><td><a href="` + code + `">` + code + `</a></td><td>` + strconv.Itoa(p.Status()) +
			`</td><td>` + html.EscapeString(p.Title()) + "</td></tr>\n")
	}
	return page("problems.html", "rows", rows.String())
}

// problemPage is the page of one code.
func problemPage(p explanation) document {
	return page("problem.html",
		"code", html.EscapeString(string(p.Code)),
		"title", html.EscapeString(p.Title()),
		"status", strconv.Itoa(p.Status()),
		"meaning", html.EscapeString(p.Meaning),
		"bad", html.EscapeString(p.Bad),
		"remedy", html.EscapeString(p.Remedy),
		"mended", html.EscapeString(p.Mended))
}

// problemPages serves GET /problems/{code}, to which the type of every
// problem document leads.
func problemPages() http.Handler {
	pages := make(map[string]document, len(problemTable))
	for _, p := range problemTable {
		pages[string(p.Code)] = problemPage(p)
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
