package redact

import (
	"strconv"
	"strings"
)

// json hides the values of members with secret names in JSON text, and leaves
// the rest of the text as it is. The text is known to be JSON.
func (h *hider) json(text string) string {
	var out strings.Builder
	copied := 0
	for i := 0; i < len(text); {
		if text[i] != '"' {
			i++
			continue
		}
		start := i
		i = stringEnd(text, i)
		value := i
		for value < len(text) && strings.IndexByte(" \t\r\n:", text[value]) >= 0 {
			value++
		}
		if !strings.Contains(text[i:value], ":") || !Secret(unquote(text[start:i])) {
			continue // a value, or a name that tells nothing
		}
		if i = valueEnd(text, value); i == value || strings.HasPrefix(text[value:i], "null") || text[value:i] == `""` {
			continue
		}
		secret := text[value:i]
		if secret[0] == '"' {
			secret = unquote(secret)
		}
		out.WriteString(text[copied:value])
		out.WriteString(`"` + h.hide(secret) + `"`)
		copied = i
	}
	if copied == 0 {
		return text
	}
	out.WriteString(text[copied:])
	return out.String()
}

// stringEnd returns where the JSON string that begins at i ends.
func stringEnd(text string, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return min(i+1, len(text))
}

// valueEnd returns where the JSON value that begins at i ends.
func valueEnd(text string, i int) int {
	depth := 0
	for i < len(text) {
		switch c := text[i]; c {
		case '"':
			i = stringEnd(text, i)
		case '{', '[':
			depth++
			i++
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
			i++
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
			i++
			continue
		default:
			i++
			continue
		}
		if depth == 0 {
			return i
		}
	}
	return i
}

// unquote returns what a JSON string stands for, or its text where Go's rules
// do not read it.
func unquote(s string) string {
	if !strings.Contains(s, `\`) {
		return strings.Trim(s, `"`)
	}
	if text, err := strconv.Unquote(strings.ReplaceAll(s, `\/`, `/`)); err == nil {
		return text
	}
	return strings.Trim(s, `"`)
}
