package code

// A phrase is text of this package: a constant, or constants put together. Untyped
// constants become phrases by themselves, and strings do not, so the compiler keeps text
// of a command out of comments, where a line break, `?>` or `*)` would end the comment
// and run what follows. A test holds that nothing converts to a phrase but a client's
// name.
type phrase string

// comment writes a comment, where the language has any.
func (w *writer) comment(text ...phrase) { w.commentAt("", text...) }

// commentAt is comment with a place in the command, or "".
func (w *writer) commentAt(at place, text ...phrase) {
	if w.note == "" {
		return
	}
	w.margin(w.level)
	w.dst = append(w.dst, w.note...)
	for _, part := range text {
		w.dst = append(w.dst, part...)
	}
	w.dst = append(append(append(w.dst, at...), w.noteEnd...), '\n')
}

// A place says where a command has an option: " (1:6 of the command)".
type place string
