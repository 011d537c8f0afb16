package emit

// A Phrase is text of this package: a constant, or constants put together. Untyped
// constants become phrases by themselves, and strings do not, so the compiler keeps text
// of a command out of comments, where a line break, `?>` or `*)` would end the comment
// and run what follows. A test holds that nothing converts to a phrase but a client's
// name.
type Phrase string

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
