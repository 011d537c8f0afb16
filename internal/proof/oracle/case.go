package oracle

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Case is a command with what it needs around it.
type Case struct {
	Args []string // without the name of the program
	Setup
}

// Run runs the case.
func (c Case) Run(ctx context.Context) (Result, error) { return RunArgs(ctx, c.Args, c.Setup) }

// Command returns the command as bash would read it.
func (c Case) Command() string {
	words := []string{"curl"}
	for _, arg := range c.Args {
		words = append(words, quote(arg))
	}
	return strings.Join(words, " ")
}

// String returns the command and everything around it, for reports.
func (c Case) String() string {
	var b strings.Builder
	b.WriteString(c.Command())
	for _, name := range slices.Sorted(maps.Keys(c.Files)) {
		fmt.Fprintf(&b, "\n  file %q: %q", name, c.Files[name])
	}
	if c.Stdin != nil {
		fmt.Fprintf(&b, "\n  stdin: %q", c.Stdin)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Env)) {
		fmt.Fprintf(&b, "\n  env %s=%q", name, c.Env[name])
	}
	return b.String()
}

// quote quotes a word for bash where it needs it, on one line.
func quote(word string) string {
	plain := word != ""
	printable := utf8.ValidString(word)
	for _, r := range word {
		if !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@%+=,", r) {
			plain = false
		}
		if r < ' ' || r == 0x7f {
			printable = false
		}
	}
	switch {
	case plain:
		return word
	case printable && !strings.Contains(word, "'"):
		return "'" + word + "'"
	}
	var b strings.Builder
	b.WriteString("$'")
	for i := 0; i < len(word); i++ {
		switch c := word[i]; {
		case c == '\'' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, `\x%02x`, c)
			// bash reads no more than two digits, so nothing can be
			// mistaken for a third.
		default:
			b.WriteByte(c)
		}
	}
	b.WriteString("'")
	return b.String()
}
