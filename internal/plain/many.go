package plain

import (
	"bytes"
	"slices"
	"strings"

	"uncoil/internal/repeat"
)

// moreHeaders are the fields for which a command has no room. They are written
// behind what the answer is appended to, as they come, and moved when the rest
// of it is known: a list of half a million fields would leave the caches, and
// its pointers keep the collector busy.
type moreHeaders struct {
	dst    []byte
	before int          // how long it was
	starts []int        // of their names
	names  repeat.Names // and those of the few
}

func newMoreHeaders(dst []byte, few []header) *moreHeaders {
	const room = 256
	m := &moreHeaders{dst: dst, before: len(dst), starts: make([]int, 0, room), names: repeat.NewNames(room)}
	for i := range few {
		m.names.Add(few[i].name)
	}
	return m
}

func (m *moreHeaders) add(name, value string) {
	m.starts = append(m.starts, len(m.dst)+len(`,"`))
	m.names.Add(name)
	f := fields{dst: m.dst, next: ','}
	f.add(name, value)
	m.dst = f.dst
}

// behind returns all that has been written, with what goes in front of it.
func (m *moreHeaders) behind(front []byte) []byte { return slices.Insert(m.dst, m.before, front...) }

// name returns the name of a field, which holds no quote.
func (m *moreHeaders) name(i int) string {
	rest := m.dst[m.starts[i]:]
	return string(rest[:bytes.IndexByte(rest, '"')])
}

// has reports whether a field has that name.
func (m *moreHeaders) has(name string) bool {
	for _, start := range m.starts {
		end := start + len(name)
		if end < len(m.dst) && m.dst[end] == '"' && strings.EqualFold(string(m.dst[start:end]), name) {
			return true
		}
	}
	return false
}

// repeatsName reports whether two of many fields have the same name.
func (c *command) repeatsName() bool {
	for range c.more.names.Pairs(true, c.name) {
		return true
	}
	return false
}

func (c *command) name(i int) string {
	if i < fewHeaders {
		return c.few[i].name
	}
	return c.more.name(i - fewHeaders)
}
