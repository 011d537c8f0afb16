package plain

import (
	"bytes"
	"slices"
	"strings"

	"uncoil/internal/repeat"
)

// members are members of an object of which there may be any number. They are
// written as they come, each behind a comma, and moved when the rest of the
// answer is known: a list of half a million of them would leave the caches, and
// its pointers keep the collector busy.
type members struct {
	dst    []byte
	before int          // how long it was
	starts []int        // where each has its name, behind the quote
	names  repeat.Names // and of members that stand before these
}

// add begins a member, whose value has to be written to dst then. Its name
// holds no quote.
func (m *members) add(name string) {
	f := fields{dst: m.dst, next: ','}
	f.name(name)
	m.starts = append(m.starts, len(m.dst)+len(`,"`))
	m.names.Add(name)
	m.dst = f.dst
}

// has reports whether a member has that name, in any case.
func (m *members) has(name string) bool {
	for _, start := range m.starts {
		end := start + len(name)
		if end < len(m.dst) && m.dst[end] == '"' && strings.EqualFold(string(m.dst[start:end]), name) {
			return true
		}
	}
	return false
}

// value returns where the value of a member stands.
func (m *members) value(i int) (start, end int) {
	start = m.starts[i] + bytes.IndexByte(m.dst[m.starts[i]:], '"') + len(`":`)
	if i+1 < len(m.starts) {
		return start, m.starts[i+1] - len(`,"`)
	}
	return start, len(m.dst)
}

func (m *members) name(i int) string {
	end, _ := m.value(i)
	return string(m.dst[m.starts[i] : end-len(`":`)])
}

// behind returns all that has been written, with what goes in front of it.
func (m *members) behind(front []byte) []byte { return slices.Insert(m.dst, m.before, front...) }

// appendObject appends an object of the members. A name that repeats has an
// array of its values, where it stands first.
func (m *members) appendObject(dst []byte) []byte {
	var few [repeat.Few]repeat.Member
	links := m.names.Group(few[:0], false, m.name)
	next := byte('{')
	for i := range links {
		if links[i].Again {
			continue
		}
		start, end := m.value(i)
		dst = append(append(dst, next), m.dst[m.starts[i]-len(`"`):start]...)
		next = ','
		if links[i].Next == 0 {
			dst = append(dst, m.dst[start:end]...)
			continue
		}
		dst = append(append(dst, '['), m.dst[start:end]...)
		for j := links[i].Next; j != 0; j = links[j].Next {
			start, end := m.value(int(j))
			dst = append(append(dst, ','), m.dst[start:end]...)
		}
		dst = append(dst, ']')
	}
	return append(dst, '}')
}
