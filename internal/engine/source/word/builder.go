package word

// A Builder puts a text together from stretches. As long as there is one it is
// not copied; more are copied once for each time that they grow, so that many
// small ones cost no more than their length.
type Builder struct {
	single string
	joined []byte // replaces single after the second append
}

// Add appends a stretch.
func (t *Builder) Add(s string) {
	switch {
	case len(t.joined) > 0:
		t.joined = append(t.joined, s...)
	case t.single == "":
		t.single = s
	case s != "":
		t.joined = append(append(t.joined, t.single...), s...)
		t.single = ""
	}
}

// Len returns the length in bytes.
func (t *Builder) Len() int { return len(t.single) + len(t.joined) }

// String returns what was added.
func (t *Builder) String() string {
	if len(t.joined) > 0 {
		return string(t.joined)
	}
	return t.single
}

// Reset empties the text and keeps its memory for the next.
func (t *Builder) Reset() { t.single, t.joined = "", t.joined[:0] }
