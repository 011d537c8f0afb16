package source

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/paste"
)

// SplitListed reads a text in which curl and its arguments are the items of a list of YAML,
// each on a line of its own; ok is false where none is.
func SplitListed(src string, d Dialect, env map[string]string, m *meter.Meter) (r Reading, ok bool) {
	if d != POSIX || !m.Work(lookSteps*len(src)) {
		return r, false
	}
	w := paste.NewRewriting(src, m)
	kept := 0
	for at := 0; at < len(src); {
		first, next := listItem(src, at)
		if !m.Work(next - at) {
			return r, false
		}
		if !paste.IsCurl(first.text) {
			at = next
			continue
		}
		words := listWords(src, &first, &next, m)
		if len(words) > 0 && isArgument(words[0].text) {
			w.Replace(kept, first.start, "\n")
			kept = first.end
			for _, i := range words {
				w.Replace(kept, i.end, " '"+strings.ReplaceAll(i.text, "'", `'\''`)+"'")
				kept = i.end
			}
		}
		at = next
	}
	if kept == 0 || m.Over() {
		return r, false
	}
	w.Replace(kept, len(src), "\n")
	r = splitRewritten(w, d, env, m)
	r.Diags.Warn(diag.WarnPastedNoise, diag.At(0), "the command is a list of YAML; what stands around it is left out", "")
	return r, true
}

// isArgument reports whether a word can only be an argument of curl, and is no package in a
// list with curl: an option, or what begins a URL.
func isArgument(word string) bool {
	return strings.HasPrefix(word, "-") || strings.Contains(word, "://") || strings.HasPrefix(word, "$") || strings.HasPrefix(word, "localhost")
}

// An item is one of a list of YAML, with its place.
type item struct {
	indent, start, end int
	text               string
}

// listWords returns the items that follow the first one of a list, and moves next behind
// them; nothing where one of them is no text on one line.
func listWords(src string, first *item, next *int, m *meter.Meter) (words []item) {
	for *next < len(src) {
		i, after := listItem(src, *next)
		if i.end == 0 || i.indent != first.indent {
			break
		}
		*next = after
		if i.text == "" || strings.IndexByte("|>&*!", i.text[0]) >= 0 && src[i.start] == i.text[0] ||
			!m.Work(4*(i.end-i.start)) || !m.Hold(3*(i.end-i.start)) || !meter.Append(m, &words, i) {
			return nil
		}
	}
	return words
}

// listItem returns the item in the line at an offset, whose end is 0 where none is, and where
// the next line starts.
func listItem(src string, at int) (i item, next int) {
	n := ascii.LineLength(src[at:])
	next = min(at+n+1, len(src))
	line := strings.TrimRight(src[at:at+n], " \t\r")
	text := strings.TrimLeft(line, " ")
	if !strings.HasPrefix(text, "- ") {
		return i, next
	}
	i.indent = len(line) - len(text)
	text = strings.TrimLeft(text[1:], " ")
	i.start = at + len(line) - len(text)
	switch end := 0; text[0] {
	case '"', '\'':
		if end = stringEnd(text, 0); end < 0 {
			return item{}, next
		}
		i.text = strings.ReplaceAll(text[1:end-1], "''", "'")
		if text[0] == '"' {
			i.text, _ = jsontext.Unquote(text[:end])
		}
		i.end = i.start + end
	default:
		if comment := strings.Index(text, " #"); comment > 0 {
			text = strings.TrimRight(text[:comment], " ")
		}
		i.text, i.end = text, i.start+len(text)
	}
	return i, next
}
