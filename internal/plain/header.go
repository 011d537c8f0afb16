package plain

import (
	"slices"
	"strings"

	"uncoil/internal/repeat"
)

// addHeader reads -H "Name: value".
func (c *command) addHeader(line string) bool {
	colon := strings.IndexByte(line, ':')
	if colon <= 0 {
		return false
	}
	start, end := skipKind(line, colon+1, blank), len(line)
	for end > start && kinds[line[end-1]]&blank != 0 {
		end--
	}
	name, value := line[:colon], line[start:end]
	return isName(name) && value != "" && isText(value) && !isSpecial(name) && c.addField(name, value)
}

// addField adds a field that -H gives, or what implies one of these.
func (c *command) addField(name, value string) bool {
	bit := nameBit(name)
	if c.count < fewHeaders {
		if c.names&bit != 0 && c.named(name) {
			return false // two of a name are joined
		}
		c.few[c.count] = header{name, value}
	} else {
		if n := len(c.more); n == cap(c.more) {
			c.more = slices.Grow(c.more, max(3*n, fewHeaders)) // where append makes it a quarter longer
		}
		c.more = append(c.more, header{name, value})
	}
	c.names |= bit
	c.count++
	return true
}

// repeatsName reports whether two of many fields have the same name.
func (c *command) repeatsName() bool {
	members := repeat.Group(nil, c.count, true, func(i int) (string, bool) { return c.header(i).name, true })
	return slices.ContainsFunc(members, func(m repeat.Member) bool { return m.Again })
}

// isName reports a name of plain characters, for a field or for data.
func isName(s string) bool {
	return s != "" && skipKind(s, 0, inName) == len(s)
}

// specials are the fields of which [isSpecial] tells, by the length of their
// names.
var specials = [...]string{
	len("TE"): "TE", len("Host"): "Host", len("Expect"): "Expect", len("Connection"): "Connection",
	len("Content-Length"): "Content-Length", len("Transfer-Encoding"): "Transfer-Encoding",
}

// isSpecial reports a field that does not simply go where it stands.
func isSpecial(name string) bool {
	return len(name) < len(specials) && strings.EqualFold(name, specials[len(name)])
}

// named reports whether -H gives a field of that name.
func (c *command) named(name string) bool {
	if c.names&nameBit(name) == 0 {
		return false
	}
	for i := range c.count {
		if other := c.header(i).name; len(other) == len(name) && strings.EqualFold(other, name) {
			return true
		}
	}
	return false
}

// nameBit returns one of 64 bits for a name in any case: most names that
// differ have bits that differ.
func nameBit(name string) uint64 {
	const fold = 0x20
	return 1 << ((uint(name[0]|fold) + 5*uint(name[len(name)-1]|fold) + 11*uint(len(name))) % 64)
}
