package lsp

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// Documents are checked in the order of their times, whatever was changed, saved and closed
// meanwhile.
func TestDueInOrder(t *testing.T) {
	s := newServer("", false, nil)
	random := rand.New(rand.NewPCG(1, 2))
	documents := make([]document, 300)
	var waiting []*document
	for range 3000 {
		d := &documents[random.IntN(len(documents))]
		if random.IntN(4) == 0 {
			s.unschedule(d)
		} else {
			s.schedule(d, time.Duration(random.IntN(1000))*time.Second)
		}
	}
	for i := range documents {
		if d := &documents[i]; !d.due.IsZero() {
			waiting = append(waiting, d)
		}
	}
	slices.SortFunc(waiting, func(a, b *document) int { return a.due.Compare(b.due) })
	for _, want := range waiting {
		d := s.next()
		if d == nil || !d.due.Equal(want.due) {
			t.Fatalf("%+v is due, want %+v", d, want)
		}
		s.unschedule(d)
	}
	if d := s.next(); d != nil || len(waiting) < 100 {
		t.Errorf("%+v is due behind all %d", d, len(waiting))
	}
}
