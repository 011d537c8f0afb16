package meter

import (
	"testing"

	"uncoil/diag"
)

func TestWork(t *testing.T) {
	for _, n := range []int{1, 7, look - 1, look, look + 1, 100_000} {
		m := New(0, Limits{Work: 100_000, Bytes: 1}, nil)
		paid := 0
		for m.Work(n) {
			paid += n
		}
		if paid > 100_000 || paid+n <= 100_000 {
			t.Errorf("in payments of %d the meter takes %d steps of 100,000", n, paid)
		}
		if m.Work(0) || m.Hold(0) || !m.Over() || m.Reason() != Work {
			t.Errorf("in payments of %d the meter goes on after its end: reason %d", n, m.Reason())
		}
		if d := m.Diagnostic(diag.At(3)); d.Code != diag.CodeTooMuchWork || d.Span.Start != 3 {
			t.Errorf("the error is %+v", d)
		}
	}
}

func TestHold(t *testing.T) {
	m := New(0, Limits{Bytes: 1000}, nil)
	if !m.Hold(400) || !m.Hold(600) || m.Over() {
		t.Fatal("1000 bytes are refused")
	}
	if m.Hold(1) || m.Reason() != Bytes || m.Diagnostic(diag.Span{}).Code != diag.CodeTooLarge {
		t.Errorf("1001 bytes are held: reason %d", m.Reason())
	}
	if m.Work(1) || m.Hold(0) {
		t.Error("the meter goes on after its end")
	}
}

func TestWatch(t *testing.T) {
	w := new(Watch)
	m := New(0, Limits{}, w)
	if !m.Hold(5000) || !m.Work(2*look) {
		t.Fatal("the meter ends at once")
	}
	if w.Bytes() != 5000 || w.Work() < look {
		t.Errorf("the watch sees %d bytes and %d steps", w.Bytes(), w.Work())
	}
	w.Stop()
	steps := 0
	for m.Work(1) {
		steps++
	}
	if steps > look || m.Reason() != Stopped || !w.Stopped() {
		t.Errorf("the conversion ends %d steps after the watch said so: reason %d", steps, m.Reason())
	}
}

func TestSpent(t *testing.T) {
	m := New(0, Limits{}, nil)
	m.Work(10)
	m.Hold(320)
	if work, bytes := m.Spent(); work != 10+320/copied+1 || bytes != 320 {
		t.Errorf("spent are %d steps and %d bytes", work, bytes)
	}
}

func BenchmarkWork(b *testing.B) {
	m := New(0, Limits{Work: 1 << 62}, new(Watch))
	for b.Loop() {
		m.Work(1)
	}
}

// A part may fail by itself, takes no more than the whole has left, ends with it, and
// is not what the watch sees.
func TestPart(t *testing.T) {
	w := new(Watch)
	m := New(0, Limits{Work: 10 * look, Bytes: 1000}, w)
	m.Hold(400)
	part := m.Part(Limits{Work: 100, Bytes: 1 << 20})
	if part.Hold(600) != true || part.Hold(1) || part.Reason() != Bytes {
		t.Error("a part holds more than the whole has left, or less")
	}
	if part = m.Part(Limits{Work: 100, Bytes: 100}); part.Work(101) || m.Over() || !m.Work(2*look) {
		t.Error("a part has no limit of its own, or ends the whole")
	}
	if w.Bytes() != 400 {
		t.Errorf("the watch sees %d bytes", w.Bytes())
	}
	part = m.Part(Limits{Work: 5 * look, Bytes: 100})
	w.Stop()
	if part.Work(2 * look) {
		t.Error("a part goes on after its conversion was stopped")
	}
}

// A meter of the same terms has the same limits, for all input that was admitted.
func TestTerms(t *testing.T) {
	m := New(0, Limits{Work: 1 << 30}, nil)
	m.Admit(1 << 20)
	m.Hold(20 << 20)
	again := m.Terms().New()
	if _, held := again.Spent(); held != 0 || !again.Hold(20<<20) || again.Hold(20<<20) {
		t.Error("the limits of the meter are others, or not whole")
	}
}
