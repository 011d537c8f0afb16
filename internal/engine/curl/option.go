package curl

import "strings"

// An OptionID identifies an option; it is the index of its row in the table.
type OptionID uint16

// ArgKind is the kind of argument that an option takes.
type ArgKind uint8

// The kinds of argument: ARG_NONE and so on in curl 8.22 src/tool_getparam.h.
const (
	ArgNone     ArgKind = iota // takes none
	ArgBool                    // takes none, and has a --no- form
	ArgUnsigned                // a whole number, not negative
	ArgSeconds                 // seconds, with decimals
	ArgString
	ArgFile // a file name
)

// Flags are further facts about an option.
type Flags uint8

// The flags.
const (
	FlagNo         Flags = 1 << iota // documented as --no-…; its letter switches it off
	FlagSecret                       // the argument is a secret that curl hides from ps
	FlagDeprecated                   // accepted, warned about, without effect
	FlagBlank                        // an empty argument is not refused as such
)

// A Section is the part of the answer in which an option appears.
type Section uint8

// The sections. An option in a section In…Option sets one member of the
// request's options to the argument as that type.
const (
	InRequest       Section = iota // part of the request
	InBoolOption                   // options: true or false
	InIntOption                    // options: a whole number
	InSecondsOption                // options: a number of seconds
	InSizeOption                   // options: a number of bytes
	InStringOption                 // options: text
	InListOption                   // options: texts in order
	InDerivedOption                // options: computed from it and others
	Ignored                        // no bearing on one HTTP request
)

// An Option is one of curl's command line options.
type Option struct {
	ID      OptionID
	Long    string // name without the dashes
	Short   byte   // letter, or 0
	Arg     ArgKind
	Flags   Flags
	Section Section
	Member  string // of options in the answer, if Section is In…Option
	Note    string // what it sets (InRequest) or why it is Ignored
}

// TakesArgument reports whether the option consumes an argument.
func (o *Option) TakesArgument() bool { return o.Arg >= ArgUnsigned }

// Options returns all options in alphabetical order.
func Options() []Option { return table[:] }

// Lookup returns the option with a long name (without dashes), or nil.
// Names are exact: curl stopped taking abbreviations in 8.0.
func Lookup(long string) *Option {
	if long == "" {
		return nil
	}
	for slot := nameSlot(long); byName[slot] != 0; slot = (slot + 1) % nameSlots {
		if o := &table[byName[slot]-1]; o.Long == long {
			return o
		}
	}
	return nil
}

const nameSlots = 1024

// byName is a hash table of long names: the row of an option plus one, or 0.
var byName = func() (slots [nameSlots]OptionID) {
	for i := range table {
		slot := nameSlot(table[i].Long)
		for slots[slot] != 0 {
			slot = (slot + 1) % nameSlots
		}
		slots[slot] = OptionID(i + 1)
	}
	return slots
}()

// nameSlot returns the slot of a name. The factors are a choice that leaves
// few names of curl's options in a slot together.
func nameSlot(long string) int {
	n := len(long)
	return (80*n + 7*int(long[0]) + 268*int(long[n/2]) + 7*int(long[n*3/4]) + 514*int(long[n-1])) % nameSlots
}

// byLetter maps a letter to the row of its option plus one.
var byLetter = func() (m [128]OptionID) {
	for i := range table {
		if s := table[i].Short; s != 0 {
			m[s] = OptionID(i + 1)
		}
	}
	return m
}()

// LookupShort returns the option with a letter, or nil.
func LookupShort(letter byte) *Option {
	if letter >= 128 || byLetter[letter] == 0 {
		return nil
	}
	return &table[byLetter[letter]-1]
}

// Expecting returns the option whose argument is the word after this one, as after --data,
// --expand-data, -d and -sd; or nil.
func Expecting(word string) *Option {
	if name, ok := strings.CutPrefix(word, "--"); ok {
		if o := Lookup(strings.TrimPrefix(name, "expand-")); o != nil && o.TakesArgument() {
			return o
		}
		return nil
	}
	if word == "" || word[0] != '-' {
		return nil
	}
	for i := 1; i < len(word); i++ {
		switch o := LookupShort(word[i]); {
		case o == nil:
			return nil
		case o.TakesArgument() && i+1 == len(word):
			return o
		case o.TakesArgument():
			return nil // the rest of the word is its argument
		}
	}
	return nil
}
