package lsp

import (
	"container/heap"
	"time"
)

// A dueList has the documents that are to be checked, as a heap: there may be as many as
// maxOpen allows, and each message asks for the first.
type dueList []*document

func (l dueList) Len() int           { return len(l) }
func (l dueList) Less(i, j int) bool { return l[i].due.Before(l[j].due) }

func (l dueList) Swap(i, j int) {
	l[i], l[j] = l[j], l[i]
	l[i].place, l[j].place = i, j
}

func (l *dueList) Push(d any) {
	d.(*document).place = len(*l)
	*l = append(*l, d.(*document))
}

func (l *dueList) Pop() any {
	last := len(*l) - 1
	d := (*l)[last]
	(*l)[last] = nil
	*l = (*l)[:last]
	return d
}

// schedule says when a document is to be checked.
func (s *server) schedule(d *document, after time.Duration) {
	waits := !d.due.IsZero()
	d.due = time.Now().Add(after)
	if waits {
		heap.Fix(&s.due, d.place)
	} else {
		heap.Push(&s.due, d)
	}
}

// unschedule says that a document is not to be checked any more.
func (s *server) unschedule(d *document) {
	if !d.due.IsZero() {
		heap.Remove(&s.due, d.place)
		d.due = time.Time{}
	}
}

// next returns the document that is to be checked first, or nil.
func (s *server) next() *document {
	if len(s.due) == 0 {
		return nil
	}
	return s.due[0]
}
