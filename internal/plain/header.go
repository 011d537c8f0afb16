package plain

import (
	"strings"

	"uncoil/internal/jsontext"
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
		if c.more == nil {
			c.more = c.moreHeaders()
		}
		c.more.add(name)
		c.more.dst = jsontext.AppendUTF8(c.more.dst, value)
	}
	c.names |= bit
	c.count++
	return true
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

// moreHeaders returns room for the fields behind the first few, behind what
// the answer is appended to.
func (c *command) moreHeaders() *members {
	const room = 8 * fewHeaders
	m := &members{dst: c.dst, before: len(c.dst), starts: make([]int, 0, room), names: repeat.NewNames(make([]uint32, room))}
	for i := range c.few {
		m.names.Add(c.few[i].name)
	}
	return m
}

// repeatsName reports whether two of many fields have the same name.
func (c *command) repeatsName() bool {
	for range c.more.names.Pairs(true, c.name) {
		return true
	}
	return false
}

// name returns the name of one of many fields.
func (c *command) name(i int) string {
	if i < fewHeaders {
		return c.few[i].name
	}
	return c.more.name(i - fewHeaders)
}

// named reports whether -H gives a field of that name.
func (c *command) named(name string) bool {
	if c.names&nameBit(name) == 0 {
		return false
	}
	for i := range c.few[:min(c.count, fewHeaders)] {
		if other := c.few[i].name; len(other) == len(name) && strings.EqualFold(other, name) {
			return true
		}
	}
	return c.more != nil && c.more.has(name)
}

// nameBit returns one of 64 bits for a name in any case: most names that
// differ have bits that differ.
func nameBit(name string) uint64 {
	const fold = 0x20
	return 1 << ((uint(name[0]|fold) + 5*uint(name[len(name)-1]|fold) + 11*uint(len(name))) % 64)
}
