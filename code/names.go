package code

import (
	"maps"
	"slices"

	"uncoil/internal/engine/ascii"
)

// use adds an import, once.
func (p *program) use(name string) { p.imports = p.addedImports.add(p.imports, name) }

// help adds a function, once.
func (p *program) help(function string) { p.helpers = p.addedHelpers.add(p.helpers, function) }

// additions are names that come to a long sorted list together, because each would
// move half of it.
type additions struct {
	collects bool // the list is asked for later
	names    map[string]bool
}

// add adds a name to a sorted list, once.
func (a *additions) add(list []string, name string) []string {
	i, ok := slices.BinarySearch(list, name)
	switch {
	case ok:
	case !a.collects || len(list) < longList:
		return slices.Insert(list, i, name)
	case a.names == nil:
		a.names = map[string]bool{name: true}
	default:
		a.names[name] = true
	}
	return list
}

// addTo adds all names to the list.
func (a *additions) addTo(list []string) []string {
	if len(a.names) > 0 {
		list = slices.AppendSeq(list, maps.Keys(a.names))
		slices.Sort(list)
		a.names = nil
	}
	return list
}

// longList is from how many names on a list is long: more than a program has but for
// variables.
const longList = 64

// bind returns the name of a variable of the program that holds a value: the stem,
// or the stem and a number where another value has that name.
func (p *program) bind(stem, value string) string {
	key := stem + " " + value
	if name, ok := p.bound[key]; ok {
		return name
	}
	if p.bound == nil {
		p.bound, p.stems = make(map[string]string), make(map[string]int)
	}
	name := stem
	for n := max(p.stems[stem], 1); p.stems[name] > 0; {
		n++
		name, p.stems[stem] = stem+itoa(n), n
	}
	p.stems[name], p.bound[key] = max(p.stems[name], 1), name
	return name
}

// list returns an empty list for n nodes, in the memory of the program.
func (p *program) list(n int) []node { return p.nodes.list(n) }

// payDiags pays for the diagnostics since the last time.
func (p *program) payDiags() {
	if n := len(p.diags) - p.paidDiags; n > 0 {
		p.budget.hold(n * diagBytes)
		p.paidDiags = len(p.diags)
	}
}

// fieldNames are names of header fields, in the spelling of their standard.
type fieldNames []phrase

// find returns a name as it is spelled here, whatever the case of its letters.
func (names fieldNames) find(name string) (spelled phrase, ok bool) {
	for _, known := range names {
		if ascii.EqualFold(string(known), name) {
			return known, true
		}
	}
	return "", false
}

// has reports whether a name is among them, in any case of letters.
func (names fieldNames) has(name string) bool {
	_, ok := names.find(name)
	return ok
}
