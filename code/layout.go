package code

import (
	"slices"
	"strings"
	"unicode/utf8"

	"uncoil/internal/engine/ascii"
)

// A node is an expression of a program: a leaf, or a list in brackets with a
// text before it, such as a call, an object or an array. The layout writes it
// on one line where it fits, and else an item on each line.
type node struct {
	name, separator string // before the node: of a member or an argument
	head            string // of a leaf: all of it
	open, close     string // the brackets; "" for a leaf
	items           []node
	more            []string // further lines of a leaf, one level deeper
	width           int      // on one line, or tooWide
	key             int      // where the value of a column begins: in bytes of name and separator
	pad             bool     // a space inside of the brackets: { a: 1 }
	broken          bool     // always an item on each line
	glued           bool     // no commas between the items: parts of one long string
}

// tooWide is the width of what cannot stand on one line.
const tooWide = 1 << 20

// leaf returns a node of text. Text with a line break stands as it is.
func leaf(s string) node {
	switch {
	case ascii.Visible(s): // as nearly all are
		return node{head: s, width: len(s)}
	case strings.IndexByte(s, '\n') >= 0:
		return node{head: s, width: tooWide}
	}
	return node{head: s, width: columns(s)}
}

// columns returns how many characters a text has.
func columns(s string) int {
	if ascii.Only(s) {
		return len(s)
	}
	return utf8.RuneCountInString(s)
}

// lines returns a leaf of several lines.
func lines(s []string) node {
	n := leaf(s[0])
	if len(s) > 1 {
		n.more, n.width = s[1:], tooWide
	}
	return n
}

// summed returns terms of a sum, each on a line of its own.
func summed(terms []string) node {
	for i := range len(terms) - 1 {
		terms[i] += " +"
	}
	return lines(terms)
}

// around returns the node with text before and after it.
func (n node) around(before, after string) node {
	n = n.unnamed()
	n.head = before + n.head
	n.width = min(n.width+columns(before)+columns(after), tooWide)
	if last := len(n.more) - 1; n.open != "" {
		n.close += after
	} else if last >= 0 {
		n.more = append(slices.Clone(n.more[:last]), n.more[last]+after)
	} else {
		n.head += after
	}
	return n
}

// group returns a list in brackets.
func group(head, open string, items []node, end string) node {
	n := node{head: head, open: open, close: end, items: items}
	n.width = columns(head) + len(open) + len(end)
	for i := range items {
		n.width = min(n.width+items[i].width+len(", "), tooWide)
	}
	return n
}

// line returns the expression on one line, however long that is.
func (n node) line() string {
	n = n.unnamed()
	if n.open == "" {
		return n.head
	}
	items := make([]string, len(n.items))
	for i := range n.items {
		items[i] = n.items[i].line()
	}
	between := ", "
	if n.glued {
		between = " "
	}
	return n.head + n.open + strings.Join(items, between) + n.close
}

// named returns a node with a name before it, of a member or an argument, and
// what stands between.
func named(name, separator string, n node) node {
	if n.name != "" {
		n = n.unnamed() // a copy, which most need not
	}
	n.name, n.separator = name, separator
	if separator == ": " {
		n.key = len(name) + len(separator)
	}
	n.width = min(n.width+columns(name)+len(separator), tooWide)
	return n
}

// unnamed returns the node with its name in its head.
func (n node) unnamed() node {
	if n.name != "" {
		n.head = n.name + n.separator + n.head
		n.name, n.separator = "", ""
	}
	return n
}

// A writer writes the lines of a program.
type writer struct {
	dst     []byte
	indent  string // one level
	level   int
	width   int    // of a line
	comma   string // after the last item of a list with an item on each line
	note    string // what begins a comment; "" where the language has none
	noteEnd string // what ends it; "" where it ends with its line
	align   bool   // values on lines of their own begin in the same column
	wraps   string // the ends of what a long value may follow on the next line: "=", ":"

	budget  *budget
	settled int // up to where dst is paid for
	next    int // from where on it is time to pay
	before  int // bytes of earlier sections
}

// line writes a line at the present level; an empty one has no blanks.
func (w *writer) line(parts ...string) {
	if len(parts) > 0 {
		w.margin(w.level)
		for _, p := range parts {
			w.dst = append(w.dst, p...)
		}
	}
	w.dst = append(w.dst, '\n')
	if len(w.dst) >= w.next {
		w.settle()
	}
}

func (w *writer) margin(level int) {
	for range level {
		w.dst = append(w.dst, w.indent...)
	}
}

// columnsAt returns how many columns the margin of a level takes.
func (w *writer) columnsAt(level int) int {
	if w.indent == "\t" {
		return level * tabColumns
	}
	return level * len(w.indent)
}

// tabColumns is how many columns a tab is counted for.
const tabColumns = 4

// fits reports whether a line of so many columns fits at the present level.
func (w *writer) fits(columns int) bool { return w.columnsAt(w.level)+columns <= w.width }

// folded writes a line that goes on one level deeper after its first part, where both
// do not fit and the second has no lines itself.
func (w *writer) folded(first, rest string) {
	if w.fits(columns(first)+1+columns(rest)) || strings.IndexByte(rest, '\n') >= 0 {
		w.line(first, " ", rest)
	} else {
		w.block(first, func() { w.line(rest) })
	}
}

// block writes a line, and what body writes one level deeper.
func (w *writer) block(line string, body func()) {
	w.line(line)
	w.level++
	body()
	w.level--
}

// node writes a statement: text, an expression, and text.
func (w *writer) node(before string, n node, after string) {
	w.margin(w.level)
	if value, ok := strings.CutSuffix(before, "= "); ok && n.open == "" {
		n = named(value+"=", " ", n)
		before = ""
	}
	w.dst = append(w.dst, before...)
	w.expression(&n, w.level, columns(before)+len(after))
	w.dst = append(append(w.dst, after...), '\n')
}

// below reports whether a value stands on the line after its name: one that has no
// parts and fits there only.
func (w *writer) below(n *node, level, other int) bool {
	if n.open != "" || n.width >= tooWide || w.columnsAt(level)+other+n.width <= w.width {
		return false
	}
	name := strings.TrimRight(n.name+n.separator, " ")
	return name != "" && strings.IndexByte(w.wraps, name[len(name)-1]) >= 0 &&
		w.columnsAt(level+1)+other+columns(n.head) <= w.width
}

// chain writes a statement of calls, each on what the one before returns: on
// one line where it is short, and else a call on each line.
func (w *writer) chain(before string, calls []node, after string) {
	width := w.columnsAt(w.level) + columns(before) + len(after)
	for i := range calls {
		width += calls[i].width
	}
	short := len(calls) < 4 && width <= w.width
	w.margin(w.level)
	w.dst = append(w.dst, before...)
	for i := range calls {
		level, end, other := w.level, "", 0
		switch {
		case i == 0:
			other = columns(before)
		case !short:
			level++
			w.dst = append(w.dst, '\n')
			w.margin(level)
		}
		if i == len(calls)-1 {
			end = after
		}
		w.expression(&calls[i], level, other+columns(end))
		w.dst = append(w.dst, end...)
	}
	w.dst = append(w.dst, '\n')
}

// expression writes a node that has other columns of its line already.
func (w *writer) expression(n *node, level, other int) {
	if len(w.dst) >= w.next {
		w.settle()
	}
	if w.below(n, level, other) {
		w.dst = append(w.dst, strings.TrimRight(n.name+n.separator, " ")...)
		w.dst = append(w.dst, '\n')
		w.margin(level + 1)
		w.dst = append(w.dst, n.head...)
		return
	}
	w.dst = append(append(append(w.dst, n.name...), n.separator...), n.head...)
	for _, line := range n.more {
		w.dst = append(w.dst, '\n')
		if line != "" {
			w.margin(level + 1)
		}
		w.dst = append(w.dst, line...)
	}
	if n.open == "" {
		return
	}
	w.dst = append(w.dst, n.open...)
	fits := !n.broken && w.columnsAt(level)+other+n.width <= w.width
	switch {
	case len(n.items) == 0:
	case fits:
		if n.pad {
			w.dst = append(w.dst, ' ')
		}
		for i := range n.items {
			if i > 0 && n.glued {
				w.dst = append(w.dst, ' ')
			} else if i > 0 {
				w.dst = append(w.dst, ", "...)
			}
			w.expression(&n.items[i], level, 0)
		}
		if n.pad {
			w.dst = append(w.dst, ' ')
		}
	default:
		key := 0
		for i := range n.items {
			key = max(key, n.items[i].key)
		}
		for i := range n.items {
			w.dst = append(w.dst, '\n')
			w.margin(level + 1)
			if item := &n.items[i]; w.align && item.key > 0 {
				*item = item.unnamed()
				item.head = item.head[:item.key] + strings.Repeat(" ", key-item.key) + item.head[item.key:]
			}
			w.expression(&n.items[i], level+1, 1)
			switch {
			case n.glued:
			case i+1 < len(n.items):
				w.dst = append(w.dst, ',')
			default:
				w.dst = append(w.dst, w.comma...)
			}
		}
		w.dst = append(w.dst, '\n')
		w.margin(level)
	}
	w.dst = append(w.dst, n.close...)
}

// followed returns a node with text after it.
func followed(n node, after string) node {
	if n.open == "" {
		return leaf(n.unnamed().head + after)
	}
	n.close += after
	n.width += len(after)
	return n
}

// hug makes the brackets of a call with one object or array hug it.
func hug(n node) node {
	if len(n.items) != 1 || n.items[0].open == "" {
		return n
	}
	n, inner := n.unnamed(), n.items[0].unnamed()
	inner.head = n.head + n.open + inner.head
	inner.close += n.close
	inner.width = n.width
	return inner
}

// wrapped returns a node as the only argument of a function.
func wrapped(function string, n node) node {
	n = n.unnamed()
	if n.head == "" && n.open == "(" && n.close == ")" { // they serve both
		n.head, n.width = function, n.width+len(function)
		return n
	}
	n.head = function + "(" + n.head
	return followed(n, ")")
}

// statement writes a call whose last argument is an object or an array, in the manner
// of prettier: the brackets of the call hug it.
func (w *writer) statement(before string, arguments []node) {
	n := group(before, "(", arguments, ")")
	last := &arguments[len(arguments)-1]
	others := arguments[:len(arguments)-1]
	first := ""
	for i := range others {
		first += others[i].head + ", "
	}
	bracketed := func(n node) bool { return n.open != "" }
	if last.open != "{" && last.open != "[" || w.fits(n.width) || slices.ContainsFunc(others, bracketed) || !w.fits(columns(before)+columns(first)+len("({")) {
		w.node("", n, ";")
		return
	}
	last.head, last.broken = before+"("+first+last.head, true
	w.node("", *last, ");")
}

// braced returns a list in braces with a space inside of them: { a: 1 }
func braced(items []node) node {
	n := group("", "{", items, "}")
	n.pad = true
	n.width += len("  ")
	return n
}

// A style is how a language is laid out.
type style struct {
	indent, comma, comment string
	commentEnd             string // "" where a comment ends with its line
	align                  bool
	wraps                  string // the ends of what a long value may follow on the next line
}
