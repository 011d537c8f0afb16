package lsp

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// opened returns a running server with a document, and what it writes.
func opened(t *testing.T, text string) (*server, *document, *bytes.Buffer) {
	t.Helper()
	var out bytes.Buffer
	s := newServer("", false, &out)
	s.phase = running
	p := new(openParams)
	p.TextDocument.URI, p.TextDocument.Text = "file:///a.sh", text
	if _, err := didOpen(s, p); err != nil {
		t.Fatal(err)
	}
	return s, s.open["file:///a.sh"], &out
}

// A message that waits ends the check of a document, which is taken up afterwards.
func TestInterrupted(t *testing.T) {
	s, d, out := opened(t, strings.Repeat("curl --heder x h.test\n", 3))
	s.incoming <- message{}
	if s.checkDue(); d.checked || d.due.IsZero() || out.Len() > 0 {
		t.Errorf("checked: %v, %s", d.checked, out)
	}
	<-s.incoming
	if s.checkDue(); !d.checked || !d.due.IsZero() || strings.Count(out.String(), "unknown-option") != 3 {
		t.Errorf("checked: %v, %s", d.checked, out)
	}
}

// Of very many findings the first are shown, and how many are not.
func TestManyFindings(t *testing.T) {
	s, d, _ := opened(t, strings.Repeat("curl --heder x h.test\n", mostFindings+5))
	s.checkDue()
	all := s.diagnostics(d)
	if len(all) != mostFindings+1 || all[0].Message != "5 more findings are not shown" || all[1].Code != "unknown-option" {
		t.Errorf("%d diagnostics, the first of them %+v", len(all), all[0])
	}
}

// All open documents together have a limit; what closes makes room again.
func TestManyDocuments(t *testing.T) {
	s, _, _ := opened(t, "")
	text := strings.Repeat("#", maxDocument)
	name := func(i int) string { return fmt.Sprintf("file:///%d.sh", i) }
	open := func(i int) *document {
		p := new(openParams)
		p.TextDocument.URI, p.TextDocument.Text = name(i), text
		_, _ = didOpen(s, p)
		return s.open[name(i)]
	}
	n := maxOpen / maxDocument
	for i := range n - 1 {
		if d := open(i); d.unread != "" {
			t.Fatalf("document %d: %s", i, d.unread)
		}
	}
	if d := open(n); d.unread == "" || d.text != "" {
		t.Error("a document too many is read")
	}
	// It does not come in by a change either.
	if _, err := didChange(s, &changeParams{identifier{"file:///a.sh", nil}, []change{{nil, text}}}); err != nil || s.open["file:///a.sh"].unread == "" {
		t.Errorf("a document that grows is read: %v", err)
	}
	for i := range 2 {
		_, _ = didClose(s, &documentParams{identifier{name(i), nil}})
	}
	if d := open(n); d.unread != "" {
		t.Errorf("after two have closed: %s", d.unread)
	}
	for uri := range s.open {
		s.forget(uri)
	}
	if s.held != 0 {
		t.Errorf("without documents %d bytes are held", s.held)
	}
}
