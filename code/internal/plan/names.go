package plan

import (
	"maps"
	"slices"

	"uncoil/code/internal/emit"
	"uncoil/internal/engine/ascii"
)

// Use adds an import, once.
func (p *Program) Use(name string) { p.Imports = p.addedImports.add(p.Imports, name) }

// Help adds a function, once.
func (p *Program) Help(function string) { p.Helpers = p.addedHelpers.add(p.Helpers, function) }

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

// Bind returns the name of a variable of the program that holds a value: the stem,
// or the stem and a number where another value has that name.
func (p *Program) Bind(stem, value string) string {
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
		name, p.stems[stem] = stem+emit.Itoa(n), n
	}
	p.stems[name], p.bound[key] = max(p.stems[name], 1), name
	return name
}

// AnyCall reports whether a condition, which has a name, holds for a call. It is asked once
// for all calls, because each of them may ask.
func (p *Program) AnyCall(name string, holds func(c *Call) bool) bool {
	known, ok := p.anyCall[name]
	if !ok {
		if p.anyCall == nil {
			p.anyCall = make(map[string]bool)
		}
		known = slices.ContainsFunc(p.Calls, holds)
		p.anyCall[name] = known
	}
	return known
}

// List returns an empty list for n nodes, in the memory of the program.
func (p *Program) List(n int) []emit.Node { return p.nodes.List(n) }

// payDiags pays for the diagnostics since the last time.
func (p *Program) payDiags() {
	p.Budget.Hold((len(p.Diags) - p.paidDiags) * emit.DiagBytes)
	p.paidDiags = len(p.Diags)
}

// FieldNames are names of header fields, in the spelling of their standard.
type FieldNames []emit.Phrase

// find returns a name as it is spelled here, whatever the case of its letters.
func (names FieldNames) find(name string) (spelled emit.Phrase, ok bool) {
	for _, known := range names {
		if ascii.EqualFold(string(known), name) {
			return known, true
		}
	}
	return "", false
}

// Has reports whether a name is among them, in any case of letters.
func (names FieldNames) Has(name string) bool {
	_, ok := names.find(name)
	return ok
}
