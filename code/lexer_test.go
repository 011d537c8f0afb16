package code_test

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A lexicon is what of a language's grammar tells its literals from its code: enough to
// take a program apart that a target wrote, by the rules of the language and not by
// those of the target.
type lexicon struct {
	line   []string    // what begins a comment that ends with its line
	block  [][2]string // the ends of a comment of several lines
	quotes []quotes    // the longer ones first
	raw    func(s string) (end string, open int)
	breaks string              // what ends a line; "" for a line feed and a carriage return
	before func(string) string // what the compiler does before it reads tokens
}

// quotes are the ends of a literal, and what stands for something else within.
type quotes struct {
	open, close string
	escape      byte     // takes away the meaning of the character after it
	doubled     bool     // the end, twice, is a character
	lines       bool     // the literal may hold line breaks
	opens       []string // begin code within the literal, which } or ) ends
	skips       []string // stand for what would begin code
	run         bool     // the last of a run of quotation marks end it
	gaps        bool     // line breaks and blanks between two backslashes are nothing
}

// brackets are the ends of code within a literal.
var brackets = map[byte]byte{'{': '}', '(': ')'}

// outside returns what of a program stands outside of literals: its code and its
// comments.
func (l *lexicon) outside(program string) (string, error) {
	if l.before != nil {
		program = l.before(program)
	}
	var b strings.Builder
	rest, err := l.code(&b, program, 0)
	if err == nil && rest != "" {
		err = fmt.Errorf("a bracket closes what was not open: %.40q", rest)
	}
	return b.String(), err
}

// code writes code to b up to the bracket that ends it, and returns what follows that.
func (l *lexicon) code(b *strings.Builder, s string, end byte) (string, error) {
	depth := 0
next:
	for s != "" {
		if end != 0 {
			switch {
			case s[0] == end && depth == 0:
				return s[1:], nil
			case s[0] == end:
				depth--
			case brackets[s[0]] == end:
				depth++
			}
		}
		for _, mark := range l.line {
			if strings.HasPrefix(s, mark) {
				n := strings.IndexAny(s[len(mark):], l.lineBreaks()) + len(mark)
				if n < len(mark) {
					n = len(s)
				}
				b.WriteString(s[:n])
				s = s[n:]
				continue next
			}
		}
		for _, ends := range l.block {
			if strings.HasPrefix(s, ends[0]) {
				n := strings.Index(s[len(ends[0]):], ends[1])
				if n < 0 {
					return "", fmt.Errorf("a comment does not end: %.40q", s)
				}
				n += len(ends[0]) + len(ends[1])
				b.WriteString(s[:n])
				s = s[n:]
				continue next
			}
		}
		if l.raw != nil {
			if closing, open := l.raw(s); open > 0 {
				n := strings.Index(s[open:], closing)
				if n < 0 {
					return "", fmt.Errorf("a raw literal does not end: %.40q", s)
				}
				b.WriteString(" … ")
				s = s[open+n+len(closing):]
				continue next
			}
		}
		for i := range l.quotes {
			if q := &l.quotes[i]; strings.HasPrefix(s, q.open) {
				rest, err := l.literal(b, s, q)
				if err != nil {
					return "", err
				}
				s = rest
				continue next
			}
		}
		b.WriteByte(s[0])
		s = s[1:]
	}
	if end != 0 {
		return "", fmt.Errorf("code within a literal does not end")
	}
	return "", nil
}

// literal returns what follows a literal, and writes the code within it to b.
func (l *lexicon) literal(b *strings.Builder, whole string, q *quotes) (string, error) {
	b.WriteString(" … ")
	s := whole[len(q.open):]
next:
	for s != "" {
		switch {
		case strings.HasPrefix(s, q.close) && q.doubled && strings.HasPrefix(s[len(q.close):], q.close):
			s = s[2*len(q.close):]
			continue
		case q.escape != 0 && s[0] == q.escape && len(s) > 1 && !l.opens(q, s):
			if blank := len(s) - 1 - len(strings.TrimLeft(s[1:], " \t\n")); q.gaps && blank > 0 {
				s = s[1+blank+1:]
				continue
			}
			_, n := utf8.DecodeRuneInString(s[1:])
			s = s[1+n:]
			continue
		case strings.HasPrefix(s, q.close):
			if q.run && strings.HasPrefix(s[1:], q.close) {
				s = s[1:]
				continue
			}
			return s[len(q.close):], nil
		}
		for _, skip := range q.skips {
			if rest, ok := strings.CutPrefix(s, skip); ok {
				s = rest
				continue next
			}
		}
		for _, open := range q.opens {
			if strings.HasPrefix(s, open) {
				rest, err := l.code(b, s[len(open):], brackets[open[len(open)-1]])
				if err != nil {
					return "", err
				}
				s = rest
				continue next
			}
		}
		r, n := utf8.DecodeRuneInString(s)
		if !q.lines && strings.ContainsRune(l.lineBreaks(), r) {
			return "", fmt.Errorf("a line break ends a literal: %.60q", whole)
		}
		s = s[n:]
	}
	return "", fmt.Errorf("a literal does not end: %.60q", whole)
}

// opens reports whether code begins where an escape would, as \( does in Swift.
func (l *lexicon) opens(q *quotes, s string) bool {
	for _, open := range q.opens {
		if strings.HasPrefix(s, open) {
			return true
		}
	}
	return false
}

func (l *lexicon) lineBreaks() string {
	if l.breaks == "" {
		return "\n\r"
	}
	return l.breaks
}

// fenced returns the reader of raw literals that begin with a head, fences and an open
// bracket, and end with the reverse.
func fenced(head string, fence byte, open, closing, tail string) func(string) (string, int) {
	return func(s string) (string, int) {
		rest, ok := strings.CutPrefix(s, head)
		if !ok {
			return "", 0
		}
		n := 0
		for n < len(rest) && rest[n] == fence {
			n++
		}
		if !strings.HasPrefix(rest[n:], open) {
			return "", 0
		}
		return closing + strings.Repeat(string(fence), n) + tail, len(head) + n + len(open)
	}
}

// unicodeEscapes does what a compiler of Java does first: \u and four digits after an
// even number of backslashes are the character, also in comments (JLS, section 3.3).
func unicodeEscapes(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		var r rune
		if n, err := fmt.Sscanf(s[i+1:], "u%4x", &r); n == 1 && err == nil && i+6 <= len(s) && r != '\\' {
			b.WriteRune(r)
			i += 5
			continue
		}
		b.WriteString(s[i : i+2])
		i++
	}
	return b.String()
}

// slashes are the comments of C and its kin.
var slashes, stars = []string{"//"}, [][2]string{{"/*", "*/"}}

// lexicons has one for each language that programs are written in.
var lexicons = map[string]*lexicon{
	"c": {line: slashes, block: stars, quotes: []quotes{{open: `"`, close: `"`, escape: '\\'}, {open: "'", close: "'", escape: '\\'}}},
	"cpp": {line: slashes, block: stars, raw: fenced("R", 0, `"(`, `)"`, ""),
		quotes: []quotes{{open: `"`, close: `"`, escape: '\\'}, {open: "'", close: "'", escape: '\\'}}},
	"clojure": {line: []string{";"}, quotes: []quotes{{open: `"`, close: `"`, escape: '\\', lines: true}}},
	"crystal": {line: []string{"#"}, quotes: []quotes{{open: "%q(", close: ")", lines: true}, {open: `"`, close: `"`, escape: '\\', lines: true, opens: []string{"#{"}}}},
	"csharp": {line: slashes, block: stars, breaks: "\n\r\u0085\u2028\u2029", quotes: []quotes{
		{open: `"""`, close: `"""`, lines: true},
		{open: `@"`, close: `"`, doubled: true, lines: true},
		{open: `$@"`, close: `"`, doubled: true, lines: true, opens: []string{"{"}},
		{open: `$"`, close: `"`, escape: '\\', opens: []string{"{"}},
		{open: `"`, close: `"`, escape: '\\'}, {open: "'", close: "'", escape: '\\'}}},
	"dart": {line: slashes, block: stars, quotes: []quotes{
		{open: "'''", close: "'''", escape: '\\', lines: true, opens: []string{"${"}},
		{open: "'", close: "'", escape: '\\', opens: []string{"${"}}, {open: `"`, close: `"`, escape: '\\', opens: []string{"${"}}}},
	"elixir": {line: []string{"#"}, quotes: []quotes{
		{open: "~S(", close: ")", lines: true}, {open: "~S|", close: "|", lines: true}, {open: "~S[", close: "]", lines: true},
		{open: "~S/", close: "/", lines: true}, {open: "~S<", close: ">", lines: true},
		{open: "~s(", close: ")", escape: '\\', lines: true, opens: []string{"#{"}},
		{open: `"`, close: `"`, escape: '\\', lines: true, opens: []string{"#{"}}, {open: "'", close: "'", escape: '\\', lines: true, opens: []string{"#{"}}}},
	"go": {line: slashes, block: stars, quotes: []quotes{
		{open: "`", close: "`", lines: true}, {open: `"`, close: `"`, escape: '\\'}, {open: "'", close: "'", escape: '\\'}}},
	"haskell": {line: []string{"-- "}, block: [][2]string{{"{-", "-}"}}, quotes: []quotes{{open: `"`, close: `"`, escape: '\\', gaps: true}}},
	"java": {line: slashes, block: stars, before: unicodeEscapes, quotes: []quotes{
		{open: `"""`, close: `"""`, escape: '\\', lines: true}, {open: `"`, close: `"`, escape: '\\'}, {open: "'", close: "'", escape: '\\'}}},
	"groovy": {line: slashes, block: stars, before: unicodeEscapes, quotes: []quotes{
		{open: "'''", close: "'''", escape: '\\', lines: true}, {open: `"""`, close: `"""`, escape: '\\', lines: true, opens: []string{"${"}},
		{open: `"`, close: `"`, escape: '\\', opens: []string{"${"}}, {open: "'", close: "'", escape: '\\'}}},
	"kotlin": {line: slashes, block: stars, quotes: []quotes{
		{open: `"""`, close: `"""`, lines: true, run: true, opens: []string{"${"}},
		{open: `"`, close: `"`, escape: '\\', opens: []string{"${"}}, {open: "'", close: "'", escape: '\\'}}},
	"scala": {line: slashes, block: stars, quotes: []quotes{
		{open: `s"""`, close: `"""`, lines: true, run: true, opens: []string{"${"}}, {open: `"""`, close: `"""`, lines: true, run: true},
		{open: `s"`, close: `"`, escape: '\\', opens: []string{"${"}}, {open: `"`, close: `"`, escape: '\\'}, {open: "'", close: "'", escape: '\\'}}},
	"javascript": {line: slashes, block: stars, breaks: "\n\r", quotes: []quotes{
		{open: "`", close: "`", escape: '\\', lines: true, opens: []string{"${"}},
		{open: `"`, close: `"`, escape: '\\'}, {open: "'", close: "'", escape: '\\'}}},
	"julia": {line: []string{"#"}, block: [][2]string{{"#=", "=#"}}, quotes: []quotes{
		{open: `"""`, close: `"""`, escape: '\\', lines: true, opens: []string{"$("}},
		{open: `"`, close: `"`, escape: '\\', lines: true, opens: []string{"$("}}}},
	"lua": {line: []string{"--"}, raw: fenced("[", '=', "[", "]", "]"),
		quotes: []quotes{{open: `"`, close: `"`, escape: '\\'}, {open: "'", close: "'", escape: '\\'}}},
	"objective-c": {line: slashes, block: stars, quotes: []quotes{{open: `"`, close: `"`, escape: '\\'}, {open: "'", close: "'", escape: '\\'}}},
	"ocaml":       {block: [][2]string{{"(*", "*)"}}, quotes: []quotes{{open: "{|", close: "|}", lines: true}, {open: `"`, close: `"`, escape: '\\', lines: true}}},
	"perl": {line: []string{"#"}, quotes: []quotes{
		{open: "qw(", close: ")"}, {open: "'", close: "'", escape: '\\', lines: true},
		{open: `"`, close: `"`, escape: '\\', lines: true, opens: []string{"@{", "${"}}}},
	"php": {line: []string{"//", "#"}, block: stars, quotes: []quotes{
		{open: "'", close: "'", escape: '\\', lines: true}, {open: `"`, close: `"`, escape: '\\', lines: true, opens: []string{"{$", "${"}}}},
	"powershell": {line: []string{"#"}, block: [][2]string{{"<#", "#>"}}, before: plainPowerShellQuotes, quotes: []quotes{
		{open: "@'\n", close: "\n'@", lines: true}, {open: "@\"\n", close: "\n\"@", escape: '`', lines: true, opens: []string{"$("}},
		{open: "'", close: "'", doubled: true, lines: true}, {open: `"`, close: `"`, escape: '`', doubled: true, lines: true, opens: []string{"$("}}}},
	"python": {line: []string{"#"}, quotes: []quotes{
		{open: `r"""`, close: `"""`, lines: true}, {open: "r'''", close: "'''", lines: true},
		{open: `"""`, close: `"""`, escape: '\\', lines: true}, {open: "'''", close: "'''", escape: '\\', lines: true},
		{open: `f"`, close: `"`, escape: '\\', opens: []string{"{"}}, {open: "f'", close: "'", escape: '\\', opens: []string{"{"}},
		{open: `"`, close: `"`, escape: '\\'}, {open: "'", close: "'", escape: '\\'}}},
	"r": {line: []string{"#"}, raw: fenced(`r"`, '-', "(", ")", `"`), quotes: []quotes{
		{open: `"`, close: `"`, escape: '\\', lines: true}, {open: "'", close: "'", escape: '\\', lines: true}, {open: "`", close: "`", escape: '\\', lines: true}}},
	"ruby": {line: []string{"#"}, quotes: []quotes{
		{open: `"`, close: `"`, escape: '\\', lines: true, opens: []string{"#{"}}, {open: "'", close: "'", escape: '\\', lines: true}}},
	"rust": {line: slashes, block: stars, raw: fenced("r", '#', `"`, `"`, ""), quotes: []quotes{
		{open: `"`, close: `"`, escape: '\\', lines: true}, {open: "'\"'", close: ""}, {open: `'\'`, close: "'"}}},
	"swift": {line: slashes, block: stars, raw: swiftRaw, quotes: []quotes{
		{open: `"""`, close: `"""`, escape: '\\', lines: true, opens: []string{`\(`}}, {open: `"`, close: `"`, escape: '\\', opens: []string{`\(`}}}},
	"hcl":   {line: []string{"#", "//"}, block: stars, quotes: []quotes{{open: `"`, close: `"`, escape: '\\', opens: []string{"${", "%{"}, skips: []string{"$${", "%%{"}}}},
	"jinja": {quotes: []quotes{{open: "'", close: "'", escape: '\\', lines: true}, {open: `"`, close: `"`, escape: '\\', lines: true}}},
}

// swiftRaw reads literals with number signs, in which \#( begins code: the targets write
// variables there only where no number sign but theirs stands.
func swiftRaw(s string) (string, int) {
	n := 0
	for n < len(s) && s[n] == '#' {
		n++
	}
	line, _, _ := strings.Cut(s[min(n+1, len(s)):], "\n")
	switch fence := strings.Repeat("#", n); {
	case n > 0 && strings.HasPrefix(s[n:], `"""`) && !strings.Contains(line, `"`+fence): // SE-0200
		return `"""` + fence, n + 3
	case n > 0 && strings.HasPrefix(s[n:], `"`):
		return `"` + fence, n + 1
	}
	return "", 0
}

// plainPowerShellQuotes writes the typographic quotation marks as plain ones, which they
// are for PowerShell.
func plainPowerShellQuotes(s string) string {
	return strings.NewReplacer("‘", "'", "’", "'", "‚", "'", "‛", "'", "“", `"`, "”", `"`, "„", `"`).Replace(s)
}
