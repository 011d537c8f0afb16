package emit

import (
	"slices"
	"strings"
	"unicode/utf8"

	"uncoil/internal/engine/ascii"
)

// A Node is an expression of a program: a leaf, or a list in brackets with a
// text before it, such as a call, an object or an array. The layout writes it
// on one line where it fits, and else an item on each line.
type Node struct {
	Name, Separator string // before the node: of a member or an argument
	Head            string // of a leaf: all of it
	Open, Close     string // the brackets; "" for a leaf
	Items           []Node
	More            []string // further lines of a leaf, one level deeper
	Flat            *string  // what stands in place of parts where it fits on the line
	Width           int      // on one line, or tooWide
	Broken          bool     // always an item on each line
	Glued           bool     // no commas between the items: parts of one long string
	pad             bool     // a space inside of the brackets: see Padded
	Key             int32    // where the value of a column begins: in bytes of name and separator
}

// TooWide is the width of what cannot stand on one line.
const TooWide = 1 << 20

// Leaf returns a node of text. Text with a line break stands as it is.
func Leaf(s string) Node {
	switch {
	case ascii.Visible(s): // as nearly all are
		return Node{Head: s, Width: len(s)}
	case strings.IndexByte(s, '\n') >= 0:
		return Node{Head: s, Width: TooWide}
	}
	return Node{Head: s, Width: Columns(s)}
}

// Columns returns how many characters a text has.
func Columns(s string) int {
	if ascii.Only(s) {
		return len(s)
	}
	return utf8.RuneCountInString(s)
}

// Lines returns a leaf of several lines.
func Lines(s []string) Node {
	n := Leaf(s[0])
	if len(s) > 1 {
		n.More, n.Width = s[1:], TooWide
	}
	return n
}

// Summed returns terms of a sum, each on a line of its own.
func Summed(terms []string) Node {
	for i := range len(terms) - 1 {
		terms[i] += " +"
	}
	return Lines(terms)
}

// Around returns the node with text before and after it.
func (n Node) Around(before, after string) Node {
	n = n.unnamed()
	n.Head = before + n.Head
	n.Width = min(n.Width+Columns(before)+Columns(after), TooWide)
	if n.Flat != nil {
		n = n.flat(before + *n.Flat + after)
	}
	if last := len(n.More) - 1; n.Open != "" {
		n.Close += after
	} else if last >= 0 {
		n.More = append(slices.Clone(n.More[:last]), n.More[last]+after)
	} else {
		n.Head += after
	}
	return n
}

// Group returns a list in brackets.
func Group(head, open string, items []Node, end string) Node {
	n := Node{Head: head, Open: open, Close: end, Items: items}
	n.Width = Columns(head) + len(open) + len(end)
	for i := range items {
		n.Width = min(n.Width+items[i].Width+len(", "), TooWide)
	}
	if len(items) > 0 {
		n.Width -= len(", ") // after the last
	}
	return n
}

// Padded returns a list with a space inside of its brackets, { a: 1 }, unless it is empty.
func (n Node) Padded() Node {
	if len(n.Items) > 0 && !n.pad {
		n.pad, n.Width = true, min(n.Width+len("  "), TooWide)
	}
	return n
}

// Line returns the expression on one line, however long that is.
func (n Node) Line() string {
	n = n.unnamed()
	switch {
	case n.Flat != nil:
		return *n.Flat
	case n.Open == "":
		return n.Head
	}
	items := make([]string, len(n.Items))
	for i := range n.Items {
		items[i] = n.Items[i].Line()
	}
	between := ", "
	if n.Glued {
		between = " "
	}
	inside := strings.Join(items, between)
	if n.pad {
		inside = " " + inside + " "
	}
	return n.Head + n.Open + inside + n.Close
}

// Named returns a node with a name before it, of a member or an argument, and
// what stands between.
func Named(name, separator string, n Node) Node {
	if n.Name != "" {
		n = n.unnamed() // a copy, which most need not
	}
	n.Name, n.Separator = name, separator
	if separator == ": " {
		n.Key = int32(len(name) + len(separator))
	}
	n.Width = min(n.Width+Columns(name)+len(separator), TooWide)
	return n
}

// unnamed returns the node with its name in its head.
func (n Node) unnamed() Node {
	if n.Name != "" {
		n.Head = n.Name + n.Separator + n.Head
		if n.Flat != nil {
			n = n.flat(n.Name + n.Separator + *n.Flat)
		}
		n.Name, n.Separator = "", ""
	}
	return n
}

// A Writer writes the lines of a program.
type Writer struct {
	Dst     []byte
	Indent  string // one level
	Level   int
	Width   int    // of a line
	Comma   string // after the last item of a list with an item on each line
	Note    string // what begins a comment; "" where the language has none
	NoteEnd string // what ends it; "" where it ends with its line
	Align   bool   // values on lines of their own begin in the same column
	Wraps   string // operators after which a line may break: "=", ":"
	Rules   Rules

	Budget  *Budget
	Settled int // up to where dst is paid for
	Next    int // from where on it is time to pay
	Before  int // bytes of earlier sections
}

// Line writes a line at the present level; an empty one has no blanks.
func (w *Writer) Line(parts ...string) {
	if len(parts) > 0 {
		w.margin(w.Level)
		for _, p := range parts {
			w.Dst = append(w.Dst, p...)
		}
	}
	w.Dst = append(w.Dst, '\n')
	if len(w.Dst) >= w.Next {
		w.Settle()
	}
}

func (w *Writer) margin(level int) {
	for range level {
		w.Dst = append(w.Dst, w.Indent...)
	}
}

// columnsAt returns how many columns the margin of a level takes.
func (w *Writer) columnsAt(level int) int {
	if w.Indent == "\t" {
		return level * tabColumns
	}
	return level * len(w.Indent)
}

// tabColumns is how many columns a tab is counted for.
const tabColumns = 4

// Fits reports whether a line of so many columns fits at the present level.
func (w *Writer) Fits(columns int) bool { return w.columnsAt(w.Level)+columns <= w.Width }

// Folded writes a line that goes on one level deeper after its first part, where both
// do not fit and the second has no lines itself.
func (w *Writer) Folded(first, rest string) {
	if w.Fits(Columns(first)+1+Columns(rest)) || strings.IndexByte(rest, '\n') >= 0 {
		w.Line(first, " ", rest)
	} else {
		w.Block(first, func() { w.Line(rest) })
	}
}

// Block writes a line, and what body writes one level deeper.
func (w *Writer) Block(line string, body func()) {
	w.Line(line)
	w.Level++
	body()
	w.Level--
}

// Node writes a statement: text, an expression, and text.
func (w *Writer) Node(before string, n Node, after string) {
	w.margin(w.Level)
	if value, ok := strings.CutSuffix(before, "= "); ok && n.Open == "" {
		n = Named(value+"=", " ", n)
		before = ""
	}
	w.Dst = append(w.Dst, before...)
	w.expression(&n, w.Level, Columns(before)+len(after))
	w.Dst = append(append(w.Dst, after...), '\n')
}

// below reports whether a value stands on the line after its name: one that has no
// parts and fits there only.
func (w *Writer) below(n *Node, level, other int) bool {
	name := strings.TrimRight(n.Name+n.Separator, " ")
	if n.Open != "" || name == "" || strings.IndexByte(w.Wraps, name[len(name)-1]) < 0 {
		return false
	}
	if w.Rules == Prettier && n.Flat != nil { // the terms of a sum
		return true
	}
	if n.Width >= TooWide || w.columnsAt(level)+other+n.Width <= w.Width {
		return false
	}
	if w.Rules == Prettier && n.Head != "" {
		// src/language-js/print/assignment.js of Prettier 3: chooseLayout.
		switch text := n.Head[0] == '"' || n.Head[0] == '\''; {
		case n.Head[0] == '`', text && n.Separator == ": " && len(n.Name) < len(w.Indent)+3:
			return false
		case text:
			return true
		}
	}
	return w.columnsAt(level+1)+other+Columns(n.Head) <= w.Width
}

// Brief reports whether the items of a list are few enough for one line that has room
// for them.
func (w *Writer) Brief(n *Node) bool {
	if w.Rules != Rustfmt {
		return true
	}
	width := -len(", ")
	if call := strings.LastIndexByte(n.Head, '('); call >= 0 && strings.HasSuffix(n.Head, "!") {
		width += Columns(n.Head[call+1:]) + len("()") // the macro is the item of a call
	} else if len(n.Items) == 1 && n.Items[0].Open == "" {
		return true
	}
	for i := range n.Items {
		width += n.Items[i].Width + len(", ")
	}
	return width <= rustfmtList
}

// rustfmtList is how wide the items of a list may be on one line: fn_call_width and
// array_width of rustfmt 1.
const rustfmtList = 60

// Chain writes a statement of calls, each on what the one before returns: on
// one line where it is short, and else a call on each line.
func (w *Writer) Chain(before string, calls []Node, after string) {
	width := w.columnsAt(w.Level) + Columns(before) + len(after)
	for i := range calls {
		width += calls[i].Width
	}
	short := len(calls) < 4 && width <= w.Width
	w.margin(w.Level)
	w.Dst = append(w.Dst, before...)
	for i := range calls {
		level, end, other := w.Level, "", 0
		switch {
		case i == 0:
			other = Columns(before)
		case !short:
			level++
			w.Dst = append(w.Dst, '\n')
			w.margin(level)
		}
		if i == len(calls)-1 {
			end = after
		}
		w.expression(&calls[i], level, other+Columns(end))
		w.Dst = append(w.Dst, end...)
	}
	w.Dst = append(w.Dst, '\n')
}

// expression writes a node that has other columns of its line already.
func (w *Writer) expression(n *Node, level, other int) {
	if len(w.Dst) >= w.Next {
		w.Settle()
	}
	if n.Flat != nil && w.columnsAt(level)+other+n.Width <= w.Width {
		w.Dst = append(append(append(w.Dst, n.Name...), n.Separator...), *n.Flat...)
		return
	}
	if w.below(n, level, other) {
		w.Dst = append(w.Dst, strings.TrimRight(n.Name+n.Separator, " ")...)
		w.Dst = append(w.Dst, '\n')
		w.margin(level + 1)
		w.Dst = append(w.Dst, n.Head...)
	} else {
		w.Dst = append(append(append(w.Dst, n.Name...), n.Separator...), n.Head...)
	}
	w.further(n, level)
	if n.Open != "" {
		w.list(n, level, other)
	}
}

// further writes the other lines of a leaf.
func (w *Writer) further(n *Node, level int) {
	for _, line := range n.More {
		w.Dst = append(w.Dst, '\n')
		if line != "" {
			w.margin(level + 1)
		}
		w.Dst = append(w.Dst, line...)
	}
}

// list writes the items of a node in their brackets.
func (w *Writer) list(n *Node, level, other int) {
	w.Dst = append(w.Dst, n.Open...)
	fits := !n.Broken && w.columnsAt(level)+other+n.Width <= w.Width && w.Brief(n)
	switch {
	case len(n.Items) == 0:
	case fits:
		if n.pad {
			w.Dst = append(w.Dst, ' ')
		}
		for i := range n.Items {
			if i > 0 && n.Glued {
				w.Dst = append(w.Dst, ' ')
			} else if i > 0 {
				w.Dst = append(w.Dst, ", "...)
			}
			w.expression(&n.Items[i], level, 0)
		}
		if n.pad {
			w.Dst = append(w.Dst, ' ')
		}
	default:
		key := int32(0)
		for i := range n.Items {
			key = max(key, n.Items[i].Key)
		}
		for i := range n.Items {
			w.Dst = append(w.Dst, '\n')
			w.margin(level + 1)
			if item := &n.Items[i]; w.Align && item.Key > 0 {
				*item = item.unnamed()
				item.Head = item.Head[:item.Key] + strings.Repeat(" ", int(key-item.Key)) + item.Head[item.Key:]
			}
			comma := w.Comma
			switch {
			case n.Glued, w.Rules == Black && len(n.Items) == 1 && n.Head != "" && n.Items[0].Open != "":
				comma = "" // the one argument of a call
			case w.Rules == Rustfmt && i == len(n.Items)-1 && strings.HasSuffix(n.Head, "!"):
				comma = "" // of a macro
			case i+1 < len(n.Items):
				comma = ","
			}
			w.expression(&n.Items[i], level+1, len(comma))
			w.Dst = append(w.Dst, comma...)
		}
		w.Dst = append(w.Dst, '\n')
		w.margin(level)
		if bracket, method, found := strings.Cut(n.Close, "."); found && w.Rules == Rustfmt && bracket == "]" {
			w.Dst = append(append(w.Dst, bracket...), '\n')
			w.margin(level)
			w.Dst = append(append(w.Dst, '.'), method...)
			return
		}
	}
	w.Dst = append(w.Dst, n.Close...)
}

// flat returns the node with what stands in place of its parts.
func (n Node) flat(s string) Node {
	n.Flat = &s
	return n
}

// InOne returns parts of a text, in whose place a literal stands where it fits.
func InOne(parts Node, literal string) Node {
	parts.Width = Columns(literal)
	return parts.flat(literal)
}

// Followed returns a node with text after it.
func Followed(n Node, after string) Node {
	if n.Open == "" || n.Flat != nil {
		return n.Around("", after)
	}
	n.Close += after
	n.Width += len(after)
	return n
}

// Hug makes the brackets of a call with one object or array hug it.
func Hug(n Node) Node {
	if len(n.Items) != 1 || n.Items[0].Open == "" {
		return n
	}
	n, inner := n.unnamed(), n.Items[0].unnamed()
	inner.Head = n.Head + n.Open + inner.Head
	inner.Close += n.Close
	inner.Width = n.Width
	return inner
}

// Wrapped returns a node as the only argument of a function.
func Wrapped(function string, n Node) Node {
	n = n.unnamed()
	if n.Head == "" && n.Open == "(" && n.Close == ")" { // they serve both
		if n.Flat != nil {
			n = n.flat(function + "(" + *n.Flat + ")")
			n.Width += len("()")
		}
		n.Head, n.Width = function, n.Width+len(function)
		return n
	}
	call := Group(function, "(", []Node{n}, ")")
	if n.Head == "" {
		return Hug(call)
	}
	return call
}

// Statement writes a call whose last argument is an object or an array, in the manner
// of prettier: the brackets of the call hug it.
func (w *Writer) Statement(before string, arguments []Node) {
	n := Group(before, "(", arguments, ")")
	last := &arguments[len(arguments)-1]
	others := arguments[:len(arguments)-1]
	first := ""
	for i := range others {
		first += others[i].Line() + ", "
	}
	long := func(n Node) bool { return n.Width >= TooWide }
	if last.Open != "{" && last.Open != "[" || w.Fits(n.Width+len(";")) || slices.ContainsFunc(others, long) || !w.Fits(Columns(before)+Columns(first)+len("({")) {
		w.Node("", n, ";")
		return
	}
	last.Head, last.Broken = before+"("+first+last.Head, true
	w.Node("", *last, ");")
}

// Braced returns a list in braces with a space inside of them: { a: 1 }
func Braced(items []Node) Node { return Group("", "{", items, "}").Padded() }

// A Style is how a language is laid out.
type Style struct {
	Indent, Comma, Comment string
	CommentEnd             string // "" where a comment ends with its line
	Align                  bool
	Wraps                  string // operators after which a line may break
	Rules                  Rules
}

// Rules are what only one formatter does.
type Rules uint8

const (
	NoRules Rules = iota
	Black
	Prettier
	Rustfmt
)
