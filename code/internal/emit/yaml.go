package emit

import (
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/quote"
)

// YAML 1.2.2 as the targets write it: block mappings and sequences, indented by
// two spaces, because YAML allows no tabs there.
var YamlStyle = Style{Indent: "  ", Comment: "# "}

// YamlString returns a scalar that parsers of YAML 1.1 and 1.2 read as this
// string, which must be UTF-8: plain where it is a word to all of them, else in
// single quotes, and in double ones where that is easier to read or needs escapes.
func YamlString(s string) string {
	switch {
	case isYAMLPlain(s):
		return s
	case isYAMLPrintable(s, "") && (!strings.Contains(s, "'") || strings.ContainsAny(s, `"\`)):
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	b := []byte{'"'}
	for _, r := range s {
		switch {
		case LineEscape(r) != 0:
			b = append(b, '\\', LineEscape(r))
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r < ' ':
			b = append(b, '\\', 'x', HexDigits[r>>4], HexDigits[r&15])
		case !isYAMLRune(r):
			b = AppendCodeUnit(b, r)
		default:
			b = append(b, string(r)...)
		}
	}
	return string(append(b, '"'))
}

// isYAMLPlain reports whether every parser reads a plain scalar as this string:
// it begins with a letter or a slash, and is none of the words for true, false
// and nothing.
func isYAMLPlain(s string) bool {
	if s == "" || !ascii.IsLetter(s[0]) && s[0] != '/' || s[len(s)-1] == ' ' || s[len(s)-1] == ':' {
		return false
	}
	switch strings.ToLower(s) {
	case "true", "false", "yes", "no", "on", "off", "y", "n", "null":
		return false
	}
	return isYAMLPrintable(s, "") && !strings.Contains(s, ": ") && !strings.Contains(s, " #")
}

// isYAMLPrintable reports whether a scalar can hold all characters as they are;
// more are further ones that it can.
func isYAMLPrintable(s, more string) bool {
	for _, r := range s {
		if !isYAMLRune(r) && !strings.ContainsRune(more, r) {
			return false
		}
	}
	return true
}

// isYAMLRune reports whether a character is printable and breaks no line, also
// in YAML 1.1: section 5.1 of both.
func isYAMLRune(r rune) bool {
	switch {
	case r < ' ', 0x7f <= r && r <= 0x9f, r == 0x2028, r == 0x2029, r == 0xfeff, r == 0xfffd, r == 0xfffe, r == 0xffff, quote.Turns(r):
		return false
	}
	return true
}

// Yaml writes a member of a mapping: a string of several lines as a block, where
// a block can hold it. The name may have a tag after its colon.
func (w *Writer) Yaml(name, s string) {
	if !strings.Contains(name, ":") {
		name += ":"
	}
	first, _, several := strings.Cut(s, "\n")
	if !several || first == "" || first[0] == ' ' || first[0] == '\t' || !isYAMLPrintable(s, "\n\t") {
		w.Line(name, " ", YamlString(s))
		return
	}
	chomping := "+" // section 8.1.1.2: keeps all line breaks at the end
	switch body := strings.TrimRight(s, "\n"); len(s) - len(body) {
	case 0:
		chomping = "-"
	case 1:
		chomping = ""
	}
	w.Block(name+" |"+chomping, func() {
		for line := range strings.SplitSeq(strings.TrimSuffix(s, "\n"), "\n") {
			if line == "" {
				w.Line()
			} else {
				w.Line(line)
			}
		}
	})
}

// YamlValue writes a member of a mapping that is any value.
func (w *Writer) YamlValue(name string, v *Value) {
	switch {
	case v.Kind == StringValue:
		w.Yaml(YamlString(name), v.Text)
	case v.Kind == ArrayValue && len(v.Items) == 0:
		w.Line(YamlString(name), ": []")
	case v.Kind == ObjectValue && len(v.Items) == 0:
		w.Line(YamlString(name), ": {}")
	case v.Kind == ArrayValue:
		w.Block(YamlString(name)+":", func() {
			for i := range v.Items {
				w.yamlItem(&v.Items[i])
			}
		})
	case v.Kind == ObjectValue:
		w.Block(YamlString(name)+":", func() { w.yamlMembers(v) })
	default:
		w.Line(YamlString(name), ": ", v.Text)
	}
}

func (w *Writer) yamlMembers(v *Value) {
	for i := range v.Items {
		w.YamlValue(v.Names[i], &v.Items[i])
	}
}

// yamlItem writes an item of a sequence: an object whose first line begins with
// the dash. The formats of today have no other items.
func (w *Writer) yamlItem(v *Value) {
	start := len(w.Dst)
	w.Level++
	w.yamlMembers(v)
	w.Level--
	w.Dst[start+w.Level*len(w.Indent)] = '-'
}
