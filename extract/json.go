package extract

import "strings"

// json finds the commands in the strings of a text in JSON. It needs no valid JSON: a
// string ends at the quote that no backslash escapes, or with its line.
func (s *scanner) json(b *block) {
	name := ""
	for at := 0; at < len(b.text); {
		n := strings.IndexByte(b.text[at:], '"')
		if n < 0 {
			return
		}
		start := at + n
		end := start + 1 + stringLength(b.text[start+1:])
		if !s.meter.Work((end-at)/8 + 4) {
			return
		}
		if at = end + 1; end >= len(b.text) || b.text[end] != '"' {
			at = end
			continue
		}
		content := b.text[start+1 : end]
		switch rest := b.text[end+1:]; {
		case strings.HasPrefix(rest, ":"), strings.HasPrefix(rest, " :"):
			name = content
		case strings.Contains(content, "curl"):
			s.scalar(s.unquoted(b, start, end+1), name)
		}
	}
}

// stringLength returns the length of the content of a string of JSON.
func stringLength(text string) int {
	for at := 0; ; at++ {
		n := strings.IndexAny(text[at:], "\"\\\n")
		if n < 0 {
			return len(text)
		}
		if at += n; text[at] != '\\' {
			return at
		}
		if at++; at >= len(text) {
			return len(text)
		}
	}
}

// scalar finds the commands in a string of JSON or YAML that has a name.
func (s *scanner) scalar(b *block, name string) {
	switch kind := contentOf(name); {
	case kind == Markdown, kind == Auto && strings.Contains(b.text, "```"):
		s.markdown(b)
	default:
		b.shell, b.plain = true, kind != Script
		s.block(b)
	}
}

// contentOf returns the kind of text that a string of a name has, or Auto.
func contentOf(name string) Kind {
	name = strings.ToLower(name)
	switch name {
	case "run", "script", "scripts", "command", "cmd", "shell", "before_script", "after_script", "entrypoint", "args", "test", "exec", "curl":
		return Script
	case "description", "summary", "content", "body", "text", "message", "msg", "note", "notes", "markdown", "readme", "title":
		return Markdown
	}
	if strings.HasSuffix(name, ".sh") {
		return Script
	}
	return Auto
}
