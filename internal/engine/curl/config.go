package curl

import (
	"iter"
	"path"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/word"
)

// maxConfigDepth is how deep configuration files may name each other
// (CONFIG_MAX_LEVELS in curl 8.22 src/tool_parsecfg.h).
const maxConfigDepth = 5

// config reads the settings in a configuration file (-K) as if they stood
// on the command line: parseconfig() in curl 8.22 src/tool_parsecfg.c.
func (p *parser) config(s *Setting) {
	if p.depth == maxConfigDepth {
		p.fail(diag.CodeInvalidArgument, s.Span, s.Name, "configuration files include each other more than 5 levels deep", "")
		return
	}
	name := s.Value.Text
	content, ok := p.in.Read(name)
	if !ok {
		p.notSupplied(name, s.Value.Span, "the options in the file "+printable(name)+" are part of the command")
		return
	}
	p.append(s)
	p.in.found(content, false)
	p.configLines(content, s.Value.Span)
}

func (p *parser) configLines(content string, span diag.Span) {
	p.depth++
	defer func() { p.depth-- }()
	for line, rest, ok := cutLine(content); ok && !p.failed; line, rest, ok = cutLine(rest) {
		if !p.work(len(line)/4 + 64) {
			return
		}
		p.configLine(line, span)
	}
}

// defaultConfig reads the configuration file that curl reads unasked, where
// it was supplied under the name that the environment gives it (findfile() in
// curl 8.22 src/tool_findfile.c). -q as the first argument leaves it out.
func (p *parser) defaultConfig(args []word.Word) {
	if len(p.in.Files) == 0 || len(args) > 0 && (strings.HasPrefix(args[0].Text, "-q") || args[0].Text == "--disable") {
		return
	}
	for _, place := range [...][2]string{
		{"CURL_HOME", ".curlrc"}, {"XDG_CONFIG_HOME", "curlrc"}, {"HOME", ".curlrc"},
		{"CURL_HOME", ".config/curlrc"}, {"HOME", ".config/curlrc"},
	} {
		home := p.in.Env[place[0]]
		if home == "" {
			continue
		}
		if content, ok := p.in.Files[path.Join(home, place[1])]; ok {
			p.in.found(string(content), false)
			p.configLines(string(content), diag.Span{})
			return
		}
	}
}

// configLine reads one line: an option, with or without dashes, and perhaps
// an argument after blanks, = or :.
func (p *parser) configLine(line string, span diag.Span) {
	dashed := strings.HasPrefix(line, "-")
	end := 0
	for end < len(line) && !isConfigSeparator(line[end], dashed) {
		end++
	}
	name, rest := line[:end], line[end:]
	if rest != "" {
		rest = rest[1:]
	}
	for rest != "" && isConfigSeparator(rest[0], dashed) {
		rest = rest[1:]
	}
	var argument *word.Word
	if quoted, ok := strings.CutPrefix(rest, `"`); ok {
		if !p.hold(len(quoted)) {
			return
		}
		argument = p.word(unquoteConfig(quoted), span)
	} else if text := untilSpace(rest); text != "" {
		argument = p.word(text, span)
		p.warnConfigRest(rest[len(text):], name, span)
	}
	used := p.option(p.word(name, span), argument)
	if !p.failed && !used && argument != nil && argument.Text != "" {
		p.fail(diag.CodeInvalidArgument, span, printableName(name),
			"the option "+printableName(name)+" in the configuration file takes no argument", "remove what follows it")
	}
}

func isConfigSeparator(c byte, dashed bool) bool {
	return ascii.IsBlank(c) || !dashed && (c == '=' || c == ':')
}

func (p *parser) warnConfigRest(rest, name string, span diag.Span) {
	rest = strings.Trim(rest, " \t\r\n")
	if rest != "" && rest[0] != '#' {
		p.warn(diag.WarnConfigFile, span,
			"the argument of "+printableName(name)+" in the configuration file ends at the first blank",
			"put it in double quotes")
	}
}

// unquoteConfig reads a double-quoted argument up to its closing quote:
// unslashquote() in curl 8.22 src/tool_parsecfg.c.
func unquoteConfig(s string) string {
	var b strings.Builder
	for i := 0; i < len(s) && s[i] != '"'; i++ {
		c := s[i]
		if c == '\\' {
			if i++; i == len(s) {
				break
			}
			switch c = s[i]; c {
			case 't':
				c = '\t'
			case 'n':
				c = '\n'
			case 'r':
				c = '\r'
			case 'v':
				c = '\v'
			}
		}
		b.WriteByte(c)
	}
	return b.String()
}

func untilSpace(s string) string {
	for i := 0; i < len(s); i++ {
		if isSpace(s[i]) {
			return s[:i]
		}
	}
	return s
}

// isSpace is curl's ISSPACE: blanks and the controls from LF to CR.
func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// ConfigLines yields the lines of a file of configuration, headers or URLs
// as curl reads it: without blank lines and lines whose first character that
// is not blank is #.
func ConfigLines(content string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line, rest, ok := cutLine(content); ok; line, rest, ok = cutLine(rest) {
			if !yield(line) {
				return
			}
		}
	}
}

// cutLine cuts off the first line that [ConfigLines] yields; ok is false when
// there is none.
func cutLine(content string) (line, rest string, ok bool) {
	for rest = content; rest != ""; {
		line, rest = configLine(rest)
		if trimmed := strings.TrimLeft(line, " \t"); trimmed != "" && trimmed[0] != '#' {
			return line, rest, true
		}
	}
	return "", "", false
}

// configLine cuts off the first line: get_line() in curl 8.22
// src/tool_parsecfg.c. It reads C strings of at most 127 bytes. A NUL hides
// what follows it in its string, the end of the line too; a string with
// nothing before the NUL ends the file.
func configLine(content string) (line, rest string) {
	const most = 127
	if line, rest, _ = strings.Cut(content, "\n"); strings.IndexByte(line, 0) < 0 {
		return line, rest
	}
	var joined []byte
	for content != "" {
		n := strings.IndexByte(content[:min(len(content), most)], '\n') + 1
		if n == 0 {
			n = min(len(content), most)
		}
		text, _, _ := strings.Cut(content[:n], "\x00")
		content = content[n:]
		if text == "" {
			return "", ""
		}
		joined = append(joined, text...)
		if text[len(text)-1] == '\n' {
			return string(joined[:len(joined)-1]), content
		}
	}
	return string(joined), ""
}
