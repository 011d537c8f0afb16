package emit

import "uncoil/internal/engine/ascii"

// A Phrase is text of this package: a constant, or constants put together. Untyped
// constants become phrases by themselves, and strings do not, so the compiler keeps text
// of a command out of comments, where a line break, `?>` or `*)` would end the comment
// and run what follows. A test holds that nothing else converts to a phrase but a client's
// name, and the names that [NameOr] takes.
type Phrase string

// NameOr returns a name of the command as a phrase where it is letters, digits and
// underscores, none of which acts in a comment, and otherwise what else says.
func NameOr(name string, otherwise Phrase) Phrase {
	for i := range len(name) {
		if c := name[i]; !ascii.IsNameByte(c) {
			return otherwise
		}
	}
	if name == "" || len(name) > longestName {
		return otherwise
	}
	return Phrase(name)
}

// longestName is how many bytes of a name a comment repeats.
const longestName = 60

// Comment writes a comment, where the language has any.
func (w *Writer) Comment(text ...Phrase) { w.CommentAt("", text...) }

// CommentAt is comment with a place in the command, or "".
func (w *Writer) CommentAt(at Place, text ...Phrase) {
	if w.Note == "" {
		return
	}
	w.margin(w.Level)
	w.Dst = append(w.Dst, w.Note...)
	for _, part := range text {
		w.Dst = append(w.Dst, part...)
	}
	w.Dst = append(append(append(w.Dst, at...), w.NoteEnd...), '\n')
}

// A Place says where a command has an option: " (1:6 of the command)".
type Place string
