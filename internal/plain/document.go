package plain

import "strings"

// A document is a here-document, << NAME: lines that are led to standard
// input. A text has one at most.
type document struct {
	delimiter string
	quoted    bool // the delimiter is: the lines are taken as they stand
	read      bool
	text      string
	holed     bool // text holds a variable
}

// startDocument reads the operator and the delimiter. Behind a pipe, the lines
// would be for the program there.
func (s *scanner) startDocument() bool {
	rest, ok := strings.CutPrefix(s.src[s.i:], "<<")
	if !ok || s.document.delimiter != "" || s.outputs > 0 {
		return false
	}
	s.i = skipKind(s.src, len(s.src)-len(rest), blank)
	quote := byte(0)
	if s.i < len(s.src) && (s.src[s.i] == '\'' || s.src[s.i] == '"') {
		quote = s.src[s.i]
		s.i++
	}
	end := skipKind(s.src, s.i, inVariable)
	s.document.delimiter = s.src[s.i:end]
	s.i = end
	if quote != 0 {
		if s.i == len(s.src) || s.src[s.i] != quote {
			return false
		}
		s.document.quoted = true
		s.i++
	}
	return s.document.delimiter != "" && (s.i == len(s.src) || kinds[s.src[s.i]]&blank != 0 || s.src[s.i] == '\n')
}

// readDocument reads the lines of the here-document from i on, and returns
// where what follows it begins.
func (s *scanner) readDocument(i int) (end int, ok bool) {
	d := &s.document
	start := i
	for {
		n := strings.IndexByte(s.src[i:], '\n')
		last := n < 0
		if last {
			n = len(s.src) - i
		}
		if s.src[i:i+n] == d.delimiter {
			end = i + n
			break
		}
		if i += n + 1; last {
			return 0, false
		}
	}
	d.read, d.text = true, s.src[start:i]
	switch {
	case strings.ContainsAny(d.text, "`\r"): // which may come from pasting
		return 0, false
	case d.quoted:
		return end, true
	}
	return end, s.expandDocument()
}

// expandDocument does what the shell does in a here-document: a backslash
// escapes itself and a line break, and variables stay as they are spelled.
func (s *scanner) expandDocument() bool {
	d := &s.document
	for rest := d.text; ; {
		n := strings.IndexByte(rest, '$')
		if n < 0 {
			break
		}
		if n > 0 && rest[n-1] == '\\' || variableLength(rest[n:]) == 0 {
			return false
		}
		d.holed = true
		rest = rest[n+1:]
	}
	if strings.HasSuffix(d.text, "\\\n") { // which would join the delimiter
		return false
	}
	if strings.Contains(d.text, `\\`) || strings.Contains(d.text, "\\\n") {
		d.text = unescapeDocument.Replace(d.text)
	}
	return true
}

var unescapeDocument = strings.NewReplacer(`\\`, `\`, "\\\n", "")

// takeDocument makes the here-document the data, for -d @- and the like.
func (c *command) takeDocument(d *document) bool {
	if !d.read {
		return false
	}
	c.data = d.text
	if c.stdin == data {
		c.data = strings.ReplaceAll(d.text, "\n", "") // -d leaves them out of what it reads
	}
	c.holedData = c.holedData || d.holed
	return true
}
