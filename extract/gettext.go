package extract

import (
	"strings"

	"uncoil/internal/engine/ascii"
)

// gettext finds the commands in a catalog of messages: in the strings behind msgid and
// msgstr, which go on in the lines below that begin with a quote. They are wrapped
// anywhere, also within a word. A message is a paragraph, or a literal block.
func (s *scanner) gettext(b *block) {
	for at := 0; at < len(b.text); {
		line := b.text[at : at+ascii.LineLength(b.text[at:])]
		next := min(at+len(line)+1, len(b.text))
		if !s.meter.Work(len(line)/8 + 4) {
			return
		}
		start := strings.IndexByte(line, '"')
		if !strings.HasPrefix(line, "msg") || start < 0 {
			at = next
			continue
		}
		start += at
		end := at + len(line)
		for at = next; at < len(b.text) && b.text[at] == '"'; at = min(end+1, len(b.text)) {
			end = at + ascii.LineLength(b.text[at:])
		}
		if !s.meter.Work((end - start) / 4) {
			return
		}
		if strings.Contains(b.text[start:end], "curl") {
			s.block(s.unquoted(b, start, end).asProse())
		}
	}
}
