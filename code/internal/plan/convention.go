package plan

import (
	"slices"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/envname"
)

// A Convention is what is customary in a language, whichever client sends: a value in the
// room of the language. The plan itself knows no language.
type Convention struct {
	Language string   // "python"
	Naming   Naming   //
	File     string   // the usual name of a file; "": request, and the extension of the target
	Manifest Manifest // of a language that has packages
	TextJSON bool     // JSON content is text in its programs, and no value of the language
	// Yields says that functions give the content of a response that comes in pieces one by one,
	// and so return nothing beside it.
	Yields bool
	// Requires writes what ends a program where a variable of the environment is empty; nil: its
	// look-up does so where it is missing, or nothing does.
	Requires func(p *Program, name string)
}

// Format returns the convention of a format or a language of which nothing but the name is
// needed.
func Format(name string) *Convention { return &Convention{Language: name} }

// A Naming is how functions, their parameters and other variables are named in a language.
type Naming struct {
	Camel    bool     // itemId, and not item_id
	Initials []string // words that are written in capitals after the first one: itemID
	// Capital begins the name of a function with a capital, and Ending ends it, unless it is given.
	Capital bool
	Ending  string
	// Taken are the words of the language and the names that its programs use.
	Taken []string
}

// A Manifest is the file in which the projects of a language name packages. In its lines, $n
// stands for the name of a package, $v for the version, and $f for the features, joined
// by the comma and between the text before and after them where there are any.
type Manifest struct {
	File, Line           string
	Before, Comma, After string
	Plain                string // the line of a package without features, where it differs
}

// A Variant is what holds for a target with a switch that only its language has.
type Variant struct {
	Switch   *Switch
	Facts    *Client   // nil: those of the target
	Packages []Package // nil: those of the target
	SavedAs  string    // "": as without the switch
	Wraps    bool      // a whole program stands in a function
}

// A Switch is an option of the programs of one language: a value in its room, of which
// there is one.
type Switch struct {
	Name string // as requests spell it: "csharp7"
	Flag string // on the command line
	Does string // what it does, in the imperative and without a full stop
	More string // what else documentation says of it, in sentences
	// Lacks says, after the name of a client, what other targets lack.
	Lacks string
}

// Has reports whether the program is written with a switch of its language.
func (p *Program) Has(s *Switch) bool { return slices.Contains(p.Options.Switches, s) }

// with returns the target as it is with the switches of its language that are on.
func (t *Target) with(switches []*Switch) *Target {
	for _, s := range switches {
		i := slices.IndexFunc(t.Variants, func(v Variant) bool { return v.Switch == s })
		if i < 0 {
			continue
		}
		v, other := &t.Variants[i], *t
		if v.Facts != nil {
			other.Facts = *v.Facts
		}
		if v.Packages != nil {
			other.Packages = v.Packages
		}
		if v.SavedAs != "" {
			other.SavedAs = v.SavedAs
		}
		other.wraps = t.wraps || v.Wraps
		t = &other
	}
	return t
}

// Filename returns a usual name for a file that holds the program.
func (t *Target) Filename() string {
	switch {
	case t.SavedAs != "":
		return t.SavedAs
	case t.File != "":
		return t.File
	}
	return "request." + t.Extension
}

// word makes a name of what others call something, as the language has it: of letters and
// digits of ASCII, whatever they call it. Another word stands for none.
func (n *Naming) word(otherwise string, called ...string) string {
	var words []string
	for _, text := range called {
		for w := range strings.SplitSeq(strings.ToLower(envname.Of(text)), "_") {
			if w != "" {
				words = append(words, w)
			}
		}
	}
	s := n.join(words, n.Initials)
	if s == "" || ascii.IsDigit(s[0]) {
		s = otherwise + s
	}
	return n.free(s)
}

// join joins the words of a name; initials are written in capitals after the first.
func (n *Naming) join(words, initials []string) string {
	if !n.Camel {
		return strings.Join(words, "_")
	}
	var b strings.Builder
	for i, w := range words {
		switch {
		case i == 0:
		case slices.Contains(initials, w):
			w = strings.ToUpper(w)
		default:
			w = strings.ToUpper(w[:1]) + w[1:]
		}
		b.WriteString(w)
	}
	return b.String()
}

// local returns the name of a variable of the program, which is no other one with a number.
func (n *Naming) local(words []string) string {
	name := n.join(words, n.Initials)
	if slices.Contains(n.Taken, name) || slices.Contains(n.Taken, strings.TrimRight(name, "0123456789")) {
		name = n.join(append(words, "value"), n.Initials)
	}
	return name
}

// free returns a name that means nothing else in the function.
func (n *Naming) free(name string) string {
	if slices.Contains(n.Taken, name) {
		return name + "_"
	}
	return name
}
