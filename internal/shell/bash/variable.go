package bash

import (
	"maps"
	"slices"

	"mvdan.cc/sh/v3/syntax"

	"uncoil/internal/shell"
)

// A variable is what an assignment gave a name.
type variable struct {
	text  string
	holes []shell.Hole
	// list holds the elements of an array, of which text is none.
	list    []variable
	isList  bool
	isUnset bool // the text has unset it
}

// scalar returns what $NAME stands for: of an array, its first element.
func (v variable) scalar() variable {
	if !v.isList {
		return v
	}
	if len(v.list) == 0 {
		return variable{isUnset: true}
	}
	return v.list[0]
}

// A change is what a variable was before it was set.
type change struct {
	name string
	old  variable
	had  bool
}

// set gives a variable a value.
func (r *reader) set(name string, v variable) {
	r.note(name)
	r.vars[name] = v
}

// forget makes a variable unknown.
func (r *reader) forget(name string) {
	r.note(name)
	delete(r.vars, name)
}

// note writes down what a variable was, where that may be needed again.
func (r *reader) note(name string) {
	if r.scopes > 0 {
		old, had := r.vars[name]
		r.changes = append(r.changes, change{name, old, had})
	}
}

// isolated runs what a shell runs in a process of its own: its assignments
// do not last.
func (r *reader) isolated(run func()) {
	mark := len(r.changes)
	r.scopes++
	run()
	r.scopes--
	r.restore(mark)
}

// restore takes back the changes from a mark on.
func (r *reader) restore(mark int) {
	for _, c := range slices.Backward(r.changes[mark:]) {
		if c.had {
			r.vars[c.name] = c.old
		} else {
			delete(r.vars, c.name)
		}
	}
	r.changes = r.changes[:mark]
}

// perhaps runs the branches of which the shell may run any one or none. What
// they assign is unknown afterwards.
func (r *reader) perhaps(branches ...func()) {
	assigned := make(map[string]bool)
	for _, run := range branches {
		mark := len(r.changes)
		r.scopes++
		run()
		r.scopes--
		for _, c := range r.changes[mark:] {
			assigned[c.name] = true
		}
		r.restore(mark)
	}
	for _, name := range slices.Sorted(maps.Keys(assigned)) {
		r.forget(name)
	}
}

// assign notes the values of variables. One whose value is not wholly known
// carries its unknown parts along; one made by running a command becomes
// unknown.
func (r *reader) assign(list []*syntax.Assign) {
	for _, a := range list {
		switch {
		case a.Name == nil || a.Naked:
		case a.Index != nil:
			r.forget(a.Name.Value) // an element of an array
		case a.Array != nil:
			r.assignList(a)
		default:
			r.assignScalar(a)
		}
	}
}

// declare takes the assignments of export, declare and the like. Where braces
// make several words of one, the last one stays, and blanks split it.
func (r *reader) declare(list []*syntax.Assign) {
	for i, a := range list {
		var words []*syntax.Word
		if a.Value != nil && a.Name != nil && !a.Naked {
			words = r.expandBraces(a.Value)
		}
		if len(words) < 2 {
			r.assign(list[i : i+1])
			continue
		}
		var last variable
		for _, w := range words {
			b := builder{r: r, exists: true}
			r.parts(&b, w.Parts, unquoted)
			if b.end(); len(b.fields) > 0 {
				last = variable{text: b.fields[0].Text, holes: b.fields[0].Holes}
			}
		}
		r.set(a.Name.Value, last)
	}
}

func (r *reader) assignScalar(a *syntax.Assign) {
	name := a.Name.Value
	var v variable
	if a.Value != nil {
		runs := false
		if v, runs = r.whole(a.Value); runs {
			r.forget(name)
			r.substituted(a.Value)
			return
		}
	}
	if a.Append {
		old, known := r.vars[name]
		if !known || old.isList {
			r.forget(name)
			return
		}
		b := builder{r: r}
		b.value(old)
		b.value(v)
		v = b.variable()
	}
	r.set(name, v)
}

// assignList notes the elements of an array: A=(a "b c").
func (r *reader) assignList(a *syntax.Assign) {
	name := a.Name.Value
	v := variable{isList: true}
	if old, known := r.vars[name]; a.Append {
		if !known || !old.isList {
			r.forget(name)
			return
		}
		v.list = old.list[:len(old.list):len(old.list)]
	}
	for _, element := range a.Array.Elems {
		if element.Index != nil || element.Value == nil {
			r.forget(name)
			return
		}
		for _, f := range r.fields(nil, element.Value) {
			v.list = append(v.list, variable{text: f.Text, holes: f.Holes})
		}
	}
	if r.spend(wordCost * len(v.list)) {
		r.set(name, v)
	}
}

// substituted looks for commands in a value that is a command substitution:
// TOKEN=$(curl …) runs curl as well.
func (r *reader) substituted(w *syntax.Word) {
	syntax.Walk(w, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.CmdSubst); ok {
			r.isolated(func() { r.statements(c.Stmts, nil) })
			return false
		}
		return true
	})
}

// builtin carries out the commands that change variables.
func (r *reader) builtin(args []shell.Word) {
	switch args[0].Text {
	case "unset":
		for _, a := range args[1:] {
			if len(a.Holes) == 0 && a.Text != "-v" && a.Text != "-f" {
				r.set(a.Text, variable{isUnset: true})
			}
		}
	case "read", "mapfile", "readarray", "getopts", "printf":
		for i, a := range args[1:] {
			if args[0].Text != "printf" || i > 0 && args[i].Text == "-v" {
				if _, known := r.vars[a.Text]; known {
					r.forget(a.Text)
				}
			}
		}
	}
}
