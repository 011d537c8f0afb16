package code

import (
	"slices"
	"strings"
	"sync"

	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
)

// otherNames are names that other converters have for a language or a client.
// Where uncoil does not write for that client, the target is the one whose
// programs say the same most alike: fetch for what wraps it in Node,
// axios for the older packages of Node, and a language's own client for its others.
var otherNames = map[string][]string{
	"browser-fetch":    {"browser"},
	"java":             {"java-jsoup", "jsoup"},
	"javascript-fetch": {"nodejs-fetch", "node-xhr", "nodejs-xhr", "node-jquery", "nodejs-jquery"},
	"node-axios":       {"nodejs-axios", "javascript-request", "node-request", "nodejs-request"},
	"node-got":         {"nodejs-got"},
	"node-http":        {"nodejs-http"},
	"node-ky":          {"nodejs-ky"},
	"node-superagent":  {"nodejs-superagent"},
	"objc":             {"objectivec"},
	"php":              {"php-requests"},
	"python-requests":  {"python3"},
}

// lookup is Lookup for the targets of the plan.
func lookup(name string) (*plan.Target, bool) {
	byName := targetsByName()
	if t, ok := byName[name]; ok {
		return t, true
	}
	t, ok := byName[strings.ToLower(name)]
	return t, ok
}

var targetsByName = sync.OnceValue(func() map[string]*plan.Target {
	byName := map[string]*plan.Target{}
	for i := range targets {
		t := &targets[i]
		for _, name := range slices.Concat([]string{t.Name}, t.Aliases, otherNames[t.Name]) {
			byName[name] = t
		}
	}
	return byName
})

// Nearest returns the name or alias that is most like one that does not exist,
// or nothing: one with few letters changed, one that the name begins, one with a
// word that the name begins, or else the first word of the name.
func Nearest(name string) string {
	name = strings.ToLower(name)
	const shortest, longest = 3, 40
	if len(name) < shortest || len(name) > longest {
		return ""
	}
	var begun, word string
	best, distance := "", 1+len(name)/3
	for i := range targets {
		for _, known := range append([]string{targets[i].Name}, targets[i].Aliases...) {
			switch d := ascii.Edits(name, known); {
			case d < distance && len(known) > 2:
				best, distance = known, d
			case begun == "" && strings.HasPrefix(known, name):
				begun = known
			case word == "" && strings.Contains(known, "-"+name):
				word = known
			}
		}
	}
	first, _, _ := strings.Cut(name, "-")
	if _, ok := targetsByName()[first]; !ok {
		first = ""
	}
	if distance > 1 && begun != "" { // rub is the begin of ruby, and near to bru
		return begun
	}
	for _, found := range []string{best, begun, word, first} {
		if found != "" {
			return found
		}
	}
	return ""
}

// Suggestion returns what a message about a target that does not exist advises.
func Suggestion(name string) string {
	if ascii.EqualFold(name, "json") {
		return "the request as JSON is the answer of /api/convert, and of uncoil convert"
	}
	if near := Nearest(name); near != "" {
		return "did you mean " + near + "?"
	}
	return "the targets are listed under /api/targets, and by uncoil targets"
}
