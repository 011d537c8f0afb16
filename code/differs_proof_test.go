package code_test

import (
	"slices"
	"strings"

	"uncoil/code"
	"uncoil/internal/proof/codeproof"
	"uncoil/request"
)

// observe returns what the requests of a program have otherwise than curl's, where each is
// one of the command: no redirect, no challenge and no further try.
func observe(requests []request.Request, curl, program *codeproof.Run) (seen []string, comparable bool) {
	if len(curl.Requests) != len(requests) || len(program.Requests) != len(requests) || slices.ContainsFunc(requests, func(r request.Request) bool {
		return r.Auth != nil && r.Auth.Scheme != "basic" && r.Auth.Scheme != "bearer"
	}) {
		return nil, false
	}
	for i := range requests {
		for _, kind := range codeproof.Observe(&requests[i], &curl.Requests[i], &program.Requests[i]) {
			if !slices.Contains(seen, kind) {
				seen = append(seen, kind)
			}
		}
	}
	return seen, true
}

// contradictions returns where what a program says of itself is not what the recorder saw,
// in either direction; nothing is said of a client that was not measured.
func contradictions(target string, differs []code.Difference, seen []string, variables bool) (list []string) {
	var named []string
	if slices.ContainsFunc(differs, func(d code.Difference) bool { return d.Kind == "unproven" }) {
		return nil
	}
	for _, d := range differs {
		switch d.Kind {
		case "adds":
			for _, name := range d.Fields {
				named = append(named, "adds:"+strings.ToLower(name))
			}
		case "spelling":
			named = append(named, "spelling:"+d.Of)
		case "follows-redirects", "decodes-text": // which no request shows
		default:
			named = append(named, d.Kind)
		}
	}
	for _, kind := range seen {
		if strings.HasPrefix(kind, "shares:") {
			continue
		}
		if !slices.Contains(named, kind) && !(variables && (kind == "spelling:url" || kind == "spelling:form" || kind == "json-blanks" || kind == "form-parts")) { // by what they hold
			list = append(list, kind+" is not named")
		}
	}
	for _, kind := range named {
		chance := kind == "json-blanks" && variables || kind == "compression" || // the same as curl's by chance, for another curl offers others
			kind == "header-order" && slices.Contains(unordered, target) ||
			slices.Contains(browsers, target) && slices.Contains(ofPage, kind)
		if name, adds := strings.CutPrefix(kind, "adds:"); adds && slices.Contains(seen, "shares:"+name) {
			continue
		}
		if !chance && !slices.Contains(seen, kind) {
			list = append(list, kind+" is named, and not seen")
		}
	}
	return list
}

// browsers are the targets that run in a page, and ofPage what a browser adds only where the
// page has an address of its own, which that of the proof has not.
var (
	browsers = []string{"browser-fetch", "javascript-jquery", "javascript-xhr"}
	ofPage   = []string{"adds:origin", "adds:referer", "adds:cookie", "adds:cache-control", "adds:pragma", "adds:x-requested-with"}
)

// unordered are targets whose clients send fields in an order of their own, which may be that
// of curl by chance.
var unordered = append([]string{"ansible", "lua", "clojure"}, browsers...)
