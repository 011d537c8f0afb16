package curlurl

import (
	"math"
	"math/bits"
	"strconv"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
)

// A Glob is a URL with sets {a,b} and ranges [1-9], as in curl 8.22
// src/tool_urlglob.c. It yields its URLs one by one, the last set or range
// fastest; nothing is expanded ahead.
type Glob struct {
	// Count is how many URLs there are.
	Count int64

	patterns []globPattern
	started  bool
	ended    bool
	meter    *meter.Meter
}

// A globPattern is a fixed text, a set or a range, with its current value.
type globPattern struct {
	fixed string   // when neither set nor range
	set   []string // nil: not a set

	isRange        bool
	letters        bool
	low, high      int64
	step           int64
	width          int // minimal number of digits
	name           string
	index          int   // of the current element of a set
	value          int64 // of a range
	number         int   // counts sets and ranges from 1; 0 for a fixed text
	numberOfValues int64
}

// A GlobError is a malformed glob. Offset is in bytes.
type GlobError struct {
	Reason string
	Offset int
}

func (e *GlobError) Error() string { return "bad URL glob: " + e.Reason }

// Limits of curl: elements in a set, patterns in a URL, length of a name.
const (
	maxGlobSet      = 100_000
	maxGlobPatterns = 255
	maxGlobName     = 64
)

// HasGlob reports whether a URL holds anything that globbing would touch.
func HasGlob(s string) bool {
	return strings.IndexByte(s, '[') >= 0 || strings.IndexByte(s, '{') >= 0 || strings.IndexByte(s, ']') >= 0 || strings.IndexByte(s, '}') >= 0
}

// ParseGlob reads the globs of a URL. The meter pays for reading them, and
// later for each URL that they yield; when it refuses, that is an error too.
func ParseGlob(s string, m *meter.Meter) (*Glob, error) {
	p := globParser{s: s, glob: &Glob{Count: 1, meter: m}}
	if !m.Work(len(s)) {
		return nil, p.overLimit()
	}
	if err := p.parse(); err != nil {
		return nil, err
	}
	return p.glob, nil
}

type globParser struct {
	s    string
	i    int
	glob *Glob
}

func (p *globParser) fail(reason string) error { return &GlobError{reason, p.i} }

// overLimit is the error of a glob that the meter refuses. The facade answers
// with the meter's own.
func (p *globParser) overLimit() error { return p.fail("it takes too much work") }

// The bytes that parts of a glob take besides their text.
const (
	sizeOfPattern = 160
	sizeOfElement = 16
)

func (p *globParser) parse() error {
	for p.i < len(p.s) {
		text, err := p.literal()
		if err != nil {
			return err
		}
		if text != "" {
			if err := p.add(globPattern{fixed: text, numberOfValues: 1}); err != nil {
				return err
			}
			continue
		}
		if err := p.expression(); err != nil {
			return err
		}
	}
	return nil
}

func (p *globParser) add(g globPattern) error {
	if len(p.glob.patterns)+1 >= maxGlobPatterns {
		return p.fail("too many sets and ranges")
	}
	high, low := bits.Mul64(uint64(p.glob.Count), uint64(g.numberOfValues))
	if high != 0 || low > math.MaxInt64 {
		return p.fail("it expands to more URLs than can be counted")
	}
	if !p.glob.meter.Hold(sizeOfPattern) {
		return p.overLimit()
	}
	p.glob.Count = int64(low)
	p.glob.patterns = append(p.glob.patterns, g)
	return nil
}

// literal reads up to the next set or range. IPv6 addresses and [] are text,
// and a backslash makes text of the brace or bracket after it.
func (p *globParser) literal() (string, error) {
	start := p.i
	var unescaped []byte // what was read before start, without its backslashes
	for p.i < len(p.s) {
		switch c := p.s[p.i]; c {
		case '{':
			return p.textSince(start, unescaped), nil
		case '[':
			if !p.glob.meter.Work(maxIPv6) {
				return "", p.overLimit()
			}
			n := ipv6Length(p.s[p.i:])
			if n == 0 && strings.HasPrefix(p.s[p.i:], "[]") {
				n = 2
			}
			if n == 0 {
				return p.textSince(start, unescaped), nil
			}
			p.i += n
		case '}', ']':
			return "", p.fail("unmatched " + string(c))
		case '\\':
			if p.i+1 < len(p.s) && strings.IndexByte("{}[]", p.s[p.i+1]) >= 0 {
				if !p.glob.meter.Hold(2 * (p.i - start)) {
					return "", p.overLimit()
				}
				unescaped = append(unescaped, p.s[start:p.i]...)
				p.i++
				start = p.i
			}
			p.i++
		default:
			p.i++
		}
	}
	return p.textSince(start, unescaped), nil
}

func (p *globParser) textSince(start int, before []byte) string {
	if before == nil {
		return p.s[start:p.i]
	}
	return string(append(before, p.s[start:p.i]...))
}

// maxIPv6 bounds what is looked at as an IPv6 address (MAX_IP6LEN).
const maxIPv6 = 128

// ipv6Length returns the length of the IPv6 address in brackets that s begins
// with, or 0.
func ipv6Length(s string) int {
	end := strings.IndexByte(s[:min(len(s), maxIPv6)], ']')
	if end < 0 {
		return 0
	}
	var u URL
	if u.parseIPv6(s[:end+1]) != nil {
		return 0
	}
	return end + 1
}

// expression reads a set or a range with its optional <name>.
func (p *globParser) expression() error {
	isSet := p.s[p.i] == '{'
	p.i++
	name := ""
	if rest := p.s[p.i:]; strings.HasPrefix(rest, "<") {
		if end := strings.IndexByte(rest[:min(len(rest), maxGlobName+2)], '>'); end > 1 {
			name = p.s[p.i+1 : p.i+end]
			p.i += end + 1
			for _, g := range p.glob.patterns {
				if g.name == name {
					return p.fail("the name " + name + " is used twice")
				}
			}
		}
	}
	var g globPattern
	var err error
	if isSet {
		g, err = p.set()
	} else {
		g, err = p.rangeOf()
	}
	if err != nil {
		return err
	}
	g.name = name
	g.number = 1
	for _, other := range p.glob.patterns {
		if other.number > 0 {
			g.number++
		}
	}
	return p.add(g)
}

// set reads {a,b} after the opening brace. Elements are slices of the URL
// unless a backslash stands in them.
func (p *globParser) set() (g globPattern, err error) {
	var unescaped []byte // what was read of the element before from
	start, from := p.i, p.i
	for p.i < len(p.s) {
		switch c := p.s[p.i]; c {
		case '{', '[':
			return g, p.fail("a set cannot hold another one")
		case ']':
			return g, p.fail("unexpected ]")
		case '}', ',':
			if c == '}' && p.i == start {
				return g, p.fail("empty braces")
			}
			if len(g.set) >= maxGlobSet {
				return g, p.fail("too many elements in a set")
			}
			element := p.s[from:p.i]
			if len(unescaped) > 0 {
				element = string(append(unescaped, element...))
				unescaped = unescaped[:0]
			}
			if !p.glob.meter.Hold(2*sizeOfElement + len(element)) {
				return g, p.overLimit()
			}
			g.set = append(g.set, element)
			p.i++
			from = p.i
			if c == '}' {
				g.numberOfValues = int64(len(g.set))
				return g, nil
			}
		case '\\':
			if p.i+1 < len(p.s) {
				unescaped = append(unescaped, p.s[from:p.i]...)
				p.i++
				from = p.i
			}
			p.i++
		default:
			p.i++
		}
	}
	return g, p.fail("unmatched {")
}

// rangeOf reads [a-z], [1-9] or [001-100], each with an optional :step,
// after the opening bracket.
func (p *globParser) rangeOf() (g globPattern, err error) {
	if p.i < len(p.s) && ascii.IsLetter(p.s[p.i]) {
		return p.letterRange()
	}
	if p.i < len(p.s) && ascii.IsDigit(p.s[p.i]) {
		return p.numberRange()
	}
	return g, p.fail("no range in brackets; write \\[ for a bracket, or use -g")
}

func (p *globParser) letterRange() (g globPattern, err error) {
	s := p.s[p.i:]
	if len(s) < 4 || s[1] != '-' || s[3] != ']' && s[3] != ':' {
		return g, p.fail("bad range")
	}
	g = globPattern{isRange: true, letters: true, low: int64(s[0]), high: int64(s[2]), step: 1}
	p.i += 4
	if s[3] == ':' {
		if g.step, err = p.step(255); err != nil {
			return g, err
		}
	}
	return p.finishRange(g, 'z'-'a')
}

func (p *globParser) numberRange() (g globPattern, err error) {
	g = globPattern{isRange: true, step: 1}
	start := p.i
	if g.low, err = p.number(); err != nil {
		return g, err
	}
	if p.s[start] == '0' {
		g.width = p.i - start
	}
	if !p.accept('-') {
		return g, p.fail("bad range")
	}
	for p.accept(' ') || p.accept('\t') {
	}
	if g.high, err = p.number(); err != nil {
		return g, err
	}
	if !p.accept(']') {
		if !p.accept(':') {
			return g, p.fail("bad range")
		}
		if g.step, err = p.step(math.MaxInt64); err != nil {
			return g, err
		}
	}
	return p.finishRange(g, math.MaxInt64)
}

// finishRange checks a range and counts its values.
func (p *globParser) finishRange(g globPattern, widest int64) (globPattern, error) {
	span := g.high - g.low
	switch {
	case g.step == 0, span < 0, span > widest, span == 0 && g.step != 1, span > 0 && g.step > span:
		return g, p.fail("bad range")
	case math.MaxInt64-g.step < g.high:
		return g, p.fail("the range is too large")
	}
	g.value = g.low
	g.numberOfValues = span/g.step + 1
	return g, nil
}

func (p *globParser) accept(c byte) bool {
	if p.i < len(p.s) && p.s[p.i] == c {
		p.i++
		return true
	}
	return false
}

func (p *globParser) number() (int64, error) {
	start := p.i
	for p.i < len(p.s) && ascii.IsDigit(p.s[p.i]) {
		p.i++
	}
	n, err := strconv.ParseInt(p.s[start:p.i], 10, 64)
	if err != nil {
		return 0, p.fail("bad range")
	}
	return n, nil
}

// step reads the number after the colon and the closing bracket.
func (p *globParser) step(limit int64) (int64, error) {
	n, err := p.number()
	if err != nil {
		return 0, err
	}
	if n > limit || !p.accept(']') {
		return 0, p.fail("bad range")
	}
	return n, nil
}

// Next returns the next URL. After the last one, and when the meter refuses,
// ok is false.
func (g *Glob) Next() (url string, ok bool) {
	if g.started && !g.ended {
		g.ended = !g.advance()
	}
	if g.started = true; g.ended {
		return "", false
	}
	length := 0
	for i := range g.patterns {
		length += g.patterns[i].length()
	}
	if !g.meter.Work(8*len(g.patterns)) || !g.meter.Hold(length) {
		g.ended = true
		return "", false
	}
	var b strings.Builder
	b.Grow(length)
	for i := range g.patterns {
		g.patterns[i].write(&b)
	}
	return b.String(), true
}

// advance counts one up, the rightmost pattern first.
func (g *Glob) advance() bool {
	for i := len(g.patterns) - 1; i >= 0; i-- {
		p := &g.patterns[i]
		switch {
		case p.set != nil:
			if p.index++; p.index < len(p.set) {
				return true
			}
			p.index = 0
		case p.isRange:
			if p.value += p.step; p.value <= p.high {
				return true
			}
			p.value = p.low
		}
	}
	return false
}

// length returns how many bytes write writes.
func (p *globPattern) length() int {
	switch {
	case p.set != nil:
		return len(p.set[p.index])
	case p.letters:
		return 1
	case p.isRange:
		digits := 1
		for n := p.value; n > 9; n /= 10 {
			digits++
		}
		return max(p.width, digits)
	}
	return len(p.fixed)
}

// write writes the current value.
func (p *globPattern) write(b *strings.Builder) {
	switch {
	case p.set != nil:
		b.WriteString(p.set[p.index])
	case p.letters:
		b.WriteByte(byte(p.value))
	case p.isRange:
		var digits [20]byte
		text := strconv.AppendInt(digits[:0], p.value, 10)
		for range p.width - len(text) {
			b.WriteByte('0')
		}
		b.Write(text)
	default:
		b.WriteString(p.fixed)
	}
}

// Refer replaces #1, #2 … and #<name> in an output file name by the current
// values of the globs (glob_match_url() in curl 8.22 src/tool_urlglob.c). ok
// is false when no glob has the name, and when the meter refuses.
func (g *Glob) Refer(filename string) (result string, ok bool) {
	if strings.IndexByte(filename, '#') < 0 {
		return filename, true
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(filename, '#')
		if !meter.Room(g.meter, &b, len(filename)) {
			return "", false
		}
		if i < 0 {
			b.WriteString(filename)
			return b.String(), true
		}
		b.WriteString(filename[:i])
		filename = filename[i:]
		if !g.meter.Work(len(g.patterns) + 8) {
			return "", false
		}
		pattern, length := g.reference(filename)
		switch {
		case pattern != nil:
			if !meter.Room(g.meter, &b, pattern.length()) {
				return "", false
			}
			pattern.write(&b)
		case length > 0:
			return "", false
		default:
			b.WriteByte('#')
			length = 1
		}
		filename = filename[length:]
	}
}

// reference returns the pattern that s begins to refer to, and the length of
// the reference; a length without a pattern is a name that does not exist.
func (g *Glob) reference(s string) (*globPattern, int) {
	if len(s) < 2 || s[0] != '#' {
		return nil, 0
	}
	if s[1] == '<' {
		end := strings.IndexByte(s[:min(len(s), maxGlobName+3)], '>')
		if end < 3 {
			return nil, 0
		}
		for i := range g.patterns {
			if g.patterns[i].name == s[2:end] {
				return &g.patterns[i], end + 1
			}
		}
		return nil, end + 1
	}
	end, n := 1, 0
	for ; end < len(s) && ascii.IsDigit(s[end]); end++ {
		n = min(10*n+int(s[end]-'0'), maxGlobPatterns)
	}
	if n == 0 {
		return nil, 0
	}
	for i := range g.patterns {
		if g.patterns[i].number == n {
			return &g.patterns[i], end
		}
	}
	return nil, 0
}
