// Package reqtext changes the strings of a request, and keeps the list of its variables
// in step with them.
package reqtext

import (
	"slices"
	"strings"

	"uncoil/request"
)

// A Text is a string of a request with the variables in it, in order.
type Text struct {
	Value     string
	Variables []request.Variable
}

// A Builder puts a text together from parts of others. The zero value is an empty
// text.
type Builder struct {
	text      strings.Builder
	variables []request.Variable
}

// Grow makes room for n more bytes.
func (b *Builder) Grow(n int) { b.text.Grow(n) }

// Add appends a literal.
func (b *Builder) Add(s string) { b.text.WriteString(s) }

// AddVariable appends the spelling of a variable.
func (b *Builder) AddVariable(v request.Variable) {
	v.Start = b.text.Len()
	b.text.WriteString(v.Expr)
	v.End = b.text.Len()
	b.variables = append(b.variables, v)
}

// Keep appends the bytes of a text from start to end, and the variables in them.
func (b *Builder) Keep(t Text, start, end int) {
	shift := b.text.Len() - start
	b.text.WriteString(t.Value[start:end])
	for _, v := range t.between(start, end) {
		if v.Start >= start && v.End <= end {
			v.Start, v.End = v.Start+shift, v.End+shift
			b.variables = append(b.variables, v)
		}
	}
}

// Replace appends a literal in the place of the bytes of a text from start to end. It
// stands for the variables in these, too.
func (b *Builder) Replace(t Text, start, end int, with string) {
	at := b.text.Len()
	b.text.WriteString(with)
	for _, v := range t.between(start, end) {
		v.Start, v.End = at, b.text.Len()
		b.variables = append(b.variables, v)
	}
}

// Text returns what has been put together.
func (b *Builder) Text() Text { return Text{b.text.String(), b.variables} }

// Between reports whether a variable stands, at least in part, in the bytes from start
// to end.
func (t Text) Between(start, end int) bool { return len(t.between(start, end)) > 0 }

// between returns the variables that stand, at least in part, in some bytes.
func (t Text) between(start, end int) []request.Variable {
	first, _ := slices.BinarySearchFunc(t.Variables, start, func(v request.Variable, start int) int {
		if v.End <= start {
			return -1
		}
		return 1
	})
	last := first
	for last < len(t.Variables) && t.Variables[last].Start < end {
		last++
	}
	return t.Variables[first:last]
}
