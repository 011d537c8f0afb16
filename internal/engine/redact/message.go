package redact

import (
	"cmp"
	"slices"
	"strings"

	"uncoil/internal/engine/ascii"
)

// mostReplaced bounds how many secrets are looked for in messages.
const mostReplaced = 1000

// A Masker hides known secrets in other text, such as messages about a
// command.
type Masker struct{ secrets []string }

// NewMasker returns a Masker for the secrets in a command's text, as [Source]
// finds them, and those given.
func NewMasker(src string, secrets []string) *Masker {
	all := slices.Clone(secrets)
	for _, s := range Source(src) {
		all = append(all, src[s.Start:s.End])
	}
	for _, secret := range all {
		if password, ok := passwordIn(secret); ok { // $(echo ann:hunter2 | base64)
			all = append(all, password)
		}
	}
	// A secret may hold another.
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	all = slices.DeleteFunc(slices.Compact(all), func(s string) bool { return s == "" || s == Mask })
	return &Masker{all[:min(len(all), mostReplaced)]}
}

// Mask returns text without the secrets.
func (m *Masker) Mask(text string) string {
	for _, secret := range m.secrets {
		if len(secret) >= shortSecret {
			text = strings.ReplaceAll(text, secret, Mask)
		} else {
			text = replaceWord(text, secret)
		}
	}
	return text
}

// MaskCut is Mask for an excerpt, whose lines may end in "..." within a secret, or begin so.
func (m *Masker) MaskCut(text string) string {
	const cut, mostCuts = "...", 16
	text = m.Mask(text)
	var b strings.Builder
	for n := 0; ; n++ {
		before, after, found := strings.Cut(text, cut)
		if !found || n == mostCuts {
			b.WriteString(text)
			return b.String()
		}
		if n := m.longest(len(before), func(secret string, n int) bool { return strings.HasSuffix(before, secret[:n]) }); n > 0 {
			before = before[:len(before)-n] + Mask
		}
		b.WriteString(before + cut)
		if n := m.longest(len(after), func(secret string, n int) bool { return strings.HasPrefix(after, secret[len(secret)-n:]) }); n > 0 {
			after = Mask + after[n:]
		}
		text = after
	}
}

// longest returns how many bytes of a secret stand somewhere, of those that hold: the most of
// all secrets, or 0 for fewer than a few.
func (m *Masker) longest(most int, holds func(secret string, n int) bool) int {
	const mostShown = 512 // columns
	for n := min(most, mostShown); n >= shortSecret; n-- {
		for _, secret := range m.secrets {
			if n < len(secret) && holds(secret, n) {
				return n
			}
		}
	}
	return 0
}

// shortSecret is the length below which a secret may also be part of a word.
const shortSecret = 4

// replaceWord masks secret where it stands between other characters than
// letters and digits.
func replaceWord(text, secret string) string {
	inWord := func(i int) bool {
		return i >= 0 && i < len(text) && (ascii.IsLetter(text[i]) || ascii.IsDigit(text[i]))
	}
	var b strings.Builder
	copied := 0
	for i := 0; i < len(text); {
		at := strings.Index(text[i:], secret)
		if at < 0 {
			break
		}
		at += i
		i = at + len(secret)
		if !inWord(at-1) && !inWord(i) {
			b.WriteString(text[copied:at] + Mask)
			copied = i
		}
	}
	return b.String() + text[copied:]
}
