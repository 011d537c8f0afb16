package emit

import "testing"

// TestPadded holds that a list has the same text on a line of its own and within another
// one, and the width of that text.
func TestPadded(t *testing.T) {
	list := Group("f", "[", []Node{Leaf("a"), Leaf("b")}, "]")
	for _, test := range []struct {
		node Node
		want string
	}{
		{Braced([]Node{Named("a", ": ", Leaf("1"))}), "{ a: 1 }"},
		{Braced(nil), "{}"},
		{list.Padded().Padded(), "f[ a, b ]"},
		{Wrapped("g", Braced([]Node{list})), "g({ f[a, b] })"},
	} {
		w := Writer{Width: len(test.want)}
		w.Node("", test.node, "")
		if line := test.node.Line(); line != test.want || test.node.Width != len(test.want) || string(w.Dst) != test.want+"\n" {
			t.Errorf("%q of the width %d, written as %q, want %q", line, test.node.Width, w.Dst, test.want)
		}
	}
}

// TestExactWidth holds that a call stays on its line up to the width, and not beyond it.
func TestExactWidth(t *testing.T) {
	call := Group("f", "(", []Node{Leaf("aaaa"), Leaf("bbbb")}, ")")
	const line = "x = f(aaaa, bbbb);\n"
	for width, want := range map[int]bool{len(line) - 1: true, len(line) - 2: false} {
		w := Writer{Width: width}
		w.Node("x = ", call, ";")
		if got := string(w.Dst) == line; got != want {
			t.Errorf("at the width %d it has its line: %t\n%s", width, got, w.Dst)
		}
	}
}
