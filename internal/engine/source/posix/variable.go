package posix

import (
	"maps"
	"slices"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/word"
)

// A change is what a variable was before it was set.
type change struct {
	name string
	old  value
	had  bool
}

// lookup returns the value of a variable, where that is known.
func (r *reader) lookup(name string) (v value, known bool) {
	if r.vars != nil {
		if !r.pay(mapSteps) {
			return v, false
		}
		if v, known = r.vars[name]; known {
			return v, !v.forgotten
		}
	}
	text, known := r.env[name]
	return value{text: text}, known
}

// set gives a variable a value.
func (r *reader) set(name string, v value) bool {
	if !r.pay(3*mapSteps) || !r.note(name) {
		return false
	}
	if r.vars == nil {
		r.vars = make(map[string]value)
	}
	if _, had := r.vars[name]; !had && !r.hold(variableSize) {
		return false
	}
	r.vars[name] = v
	return true
}

// forget makes a variable unknown.
func (r *reader) forget(name string) {
	old, ok := r.vars[name]
	if _, passed := r.env[name]; passed && !ok || ok && (!old.forgotten || old.from != nil) {
		r.set(name, value{forgotten: true})
	}
}

// note writes down what a variable was, where that may be needed again.
func (r *reader) note(name string) bool {
	if r.scopes > 0 {
		if !r.pay(2 * mapSteps) {
			return false
		}
		old, had := r.vars[name]
		return meter.Append(r.meter, &r.changes, change{name, old, had}) || r.over()
	}
	return true
}

// isolated runs what a shell runs in a subprocess: its assignments
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
	if mark == len(r.changes) || !r.pay(mapSteps*(len(r.changes)-mark)) {
		return
	}
	for _, c := range slices.Backward(r.changes[mark:]) {
		if c.had {
			r.vars[c.name] = c.old
		} else {
			delete(r.vars, c.name)
		}
	}
	r.changes = r.changes[:mark]
}

// perhaps runs branches of which the shell may run any one or none. What
// they assign is unknown afterwards.
func (r *reader) perhaps(branches ...func()) {
	var assigned map[string]bool
	for _, run := range branches {
		mark := len(r.changes)
		r.scopes++
		run()
		r.scopes--
		if len(r.changes) > mark {
			if assigned == nil {
				assigned = make(map[string]bool)
			}
			if !r.pay(mapSteps * (len(r.changes) - mark)) {
				return
			}
			for _, c := range r.changes[mark:] {
				if !assigned[c.name] && !r.holdTree(branchSize) {
					return
				}
				assigned[c.name] = true
			}
		}
		r.restore(mark)
	}
	if len(assigned) == 0 || !r.pay(4*mapSteps*len(assigned)) {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(assigned)) {
		r.forget(name)
	}
}

// assign notes the values of variables. One whose value is not wholly known
// carries its unknown parts along; one made by running a command becomes
// unknown.
func (r *reader) assign(list []assign) {
	for i := range list {
		a := &list[i]
		switch {
		case r.stopped:
			return
		case a.name == "":
			r.whole(&a.value)
		case a.element:
			r.whole(&a.value)
			r.forget(a.name) // an element of an array
		case a.isList:
			r.assignList(a)
		default:
			r.assignScalar(a)
		}
	}
}

// declare makes the assignments of export, declare and the like. Where braces
// make several words of one, they are no assignments for the shell until they
// are expanded and split.
func (r *reader) declare(list []assign) {
	for i := range list {
		a := &list[i]
		if a.name == "" || !a.value.braces {
			r.assign(list[i : i+1])
			continue
		}
		b := builder{r: r, exists: true}
		parts := append([]part{{kind: literal, text: a.name + "="}}, a.value.parts...)
		if !r.hold(partSize*len(parts)) || !r.expandBraces(&b, parts) || len(b.fields) == 0 {
			r.assign(list[i : i+1])
			continue
		}
		for _, f := range b.fields {
			n := ascii.NameLength(f.Text)
			if n == 0 || n == len(f.Text) || f.Text[n] != '=' || !r.pay(mapSteps) {
				continue
			}
			v := value{text: f.Text[n+1:]}
			for _, h := range f.Holes {
				h.Start, h.End = h.Start-int32(n+1), h.End-int32(n+1)
				if !r.hold(2 * word.HoleSize) {
					return
				}
				v.holes = append(v.holes, h)
			}
			r.set(f.Text[:n], v)
		}
	}
}

func (r *reader) assignScalar(a *assign) {
	v := value{text: a.value.text}
	if a.value.parts != nil {
		b := builder{r: r}
		inside := r.inside
		if a.value.plainlyRuns() {
			r.inside-- // an assignment's own commands are not within another
		}
		r.parts(&b, a.value.parts, assigned)
		r.inside = inside
		if b.runs {
			r.computedBy(a.name, r.originOf(&b, a.value.span))
			return
		}
		v = b.value()
	}
	if a.appends {
		old, known := r.lookup(a.name)
		if !known || old.isList {
			r.forget(a.name)
			return
		}
		b := builder{r: r}
		b.addValue(old)
		b.addValue(v)
		v = b.value()
	}
	r.set(a.name, v)
}

// plainlyRuns reports whether a value holds a command substitution.
func (w *lexeme) plainlyRuns() bool {
	for i := range w.parts {
		if w.parts[i].kind == substitution {
			return true
		}
	}
	return false
}

// assignList notes the elements of an array: A=(a "b c").
func (r *reader) assignList(a *assign) {
	v := value{isList: true}
	if old, known := r.lookup(a.name); a.appends {
		if !known || !old.isList {
			r.forget(a.name)
			return
		}
		v.list = old.list[:len(old.list):len(old.list)]
	}
	fields := r.fields(a.list)
	if !r.hold(2 * valueSize * (len(v.list) + len(fields))) {
		return
	}
	for _, f := range fields {
		v.list = append(v.list, value{text: f.Text, holes: f.Holes})
	}
	r.set(a.name, v)
}

// builtin carries out the commands that change variables.
func (r *reader) builtin(s *stmt, args []word.Word, stdin *word.Input) {
	switch args[0].Text {
	case "unset":
		for _, a := range args[1:] {
			if len(a.Holes) == 0 && a.Text != "-v" && a.Text != "-f" {
				r.set(a.Text, value{isUnset: true})
			}
		}
	case "read":
		if name, v, ok := r.readLine(s, args[1:], stdin); ok {
			r.set(name, v)
			return
		}
		r.forgetNames(args)
	case "mapfile", "readarray", "getopts", "printf", "let":
		r.forgetNames(args)
	}
}

// forgetNames makes the variables unknown that a builtin sets.
func (r *reader) forgetNames(args []word.Word) {
	for i, a := range args[1:] {
		if args[0].Text != "printf" || i > 0 && args[i].Text == "-v" {
			if n := ascii.NameLength(a.Text); n > 0 {
				r.forget(a.Text[:n])
			}
		}
	}
}

// readLine returns what read, with its arguments, puts into a variable: a line of
// known standard input, or with -d ” all of it. Blanks around it are dropped,
// unless IFS is empty.
func (r *reader) readLine(s *stmt, args []word.Word, stdin *word.Input) (name string, v value, ok bool) {
	raw, all := false, false
	for len(args) > 0 && strings.HasPrefix(args[0].Text, "-") {
		letters := args[0].Text[1:]
		args = args[1:]
		if strings.HasSuffix(letters, "d") {
			letters = letters[:len(letters)-1]
			if all = len(args) > 0 && args[0].Text == ""; !all {
				return "", v, false
			}
			args = args[1:]
		}
		if strings.Trim(letters, "r") != "" {
			return "", v, false
		}
		raw = raw || letters != ""
	}
	if len(args) != 1 || ascii.NameLength(args[0].Text) != len(args[0].Text) || args[0].Text == "" || stdin == nil || !stdin.Known ||
		stdin.Kept && stdin.Holes == nil || !r.pay(len(stdin.Text)) {
		return "", v, false
	}
	v = value{text: stdin.Text, holes: stdin.Holes}
	if i := strings.IndexByte(v.text, 0); i >= 0 && all {
		return "", v, false
	}
	if i := strings.IndexByte(v.text, '\n'); i >= 0 && !all {
		v.text = v.text[:i]
	}
	trims := true
	for i := range s.assigns {
		trims = trims && (s.assigns[i].name != "IFS" || s.assigns[i].value.text != "" || s.assigns[i].value.parts != nil)
	}
	if !raw && strings.IndexByte(v.text, '\\') >= 0 || r.separators() != &defaultSeparators || len(v.holes) > 0 && int(v.holes[len(v.holes)-1].End) > len(v.text) {
		return "", v, false
	}
	if trims {
		inner := strings.TrimLeft(v.text, " \t\n")
		if n := int32(len(v.text) - len(inner)); n > 0 && len(v.holes) > 0 {
			return "", v, false
		}
		v.text = strings.TrimRight(inner, " \t\n")
		if n := len(v.holes); n > 0 && int(v.holes[n-1].End) > len(v.text) {
			return "", v, false
		}
	}
	return args[0].Text, v, true
}

var defaultSeparators = [256]bool{' ': true, '\t': true, '\n': true}

// separators returns the characters that split an unquoted value. Those
// beyond ASCII are left out.
func (r *reader) separators() *[256]bool {
	v, known := r.lookup("IFS")
	if !known || v.isUnset || len(v.holes) > 0 || !r.pay(len(v.text)) {
		return &defaultSeparators
	}
	var set [256]bool
	for i := range len(v.text) {
		set[v.text[i]] = v.text[i] < 0x80
	}
	return &set
}

// separator returns what joins the elements of "${A[*]}".
func (r *reader) separator() string {
	v, known := r.lookup("IFS")
	if !known || v.isUnset || len(v.holes) > 0 {
		return " "
	}
	if v.text == "" || v.text[0] >= 0x80 {
		return ""
	}
	return v.text[:1]
}
