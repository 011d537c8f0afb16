package code

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"uncoil/internal/engine/source/quote"
	"uncoil/request"
)

// What the targets share that write a command for a POSIX shell.

var shellStyle = style{indent: "    ", comment: "# "}

// shellLiteral returns a word.
func shellLiteral(s string) string { return string(quote.AppendWord(nil, s, quote.POSIX)) }

// shellVariable returns a look-up for the inside of double quotes, before the
// text next.
func shellVariable(v *request.Variable, next string) string {
	name := posixVariable(v, next)
	filter := ""
	switch v.Encoding {
	case userPart:
		return `$(printf %s "` + name + `" | cut -d: -f1)`
	case passwordPart:
		return `$(printf %s "` + name + `" | cut -d: -f2-)`
	case lastSegment:
		return `$(basename -- "` + name + `")`
	case request.Percent:
		filter = "-sRr @uri"
	case request.FormEncode:
		filter = `-sRr '@uri | gsub("%20"; "+")'`
	case request.JSONEscape:
		filter = "-sRr '@json | .[1:-1]'"
	default:
		return name
	}
	return `$(printf %s "` + name + `" | jq ` + filter + ")"
}

// shellWord returns a word for a text: in double quotes where it has variables.
func (p *program) shellWord(t text) string { return posixText(t, shellVariable) }

// makeShellFolder writes the command that makes the folder of the file of -o, where
// curl would.
func (p *program) makeShellFolder(c *call) {
	if folder := c.folder(); folder != nil {
		p.line("mkdir -p -- ", p.shellWord(folder))
	}
}

// holdsNUL reports whether a text has a byte that no argument can hold.
func holdsNUL(t text) bool { return strings.IndexByte(t.literals(), 0) >= 0 }

// A shellCommand is a command line that is being written.
type shellCommand struct {
	p     *program
	c     *call
	words []string // the name, the options, the operands
	items []string // words of a line each where the line is too long
	after string   // a redirection
}

// option adds an option with a value.
func (c *shellCommand) option(name string, value text) {
	c.words = append(c.words, name+"="+c.p.shellWord(value))
}

// number adds an option with a number.
func (c *shellCommand) number(name string, n float64) {
	c.words = append(c.words, name+"="+seconds(n))
}

// flag adds words where they are asked for.
func (c *shellCommand) flag(asked bool, words ...string) {
	if asked {
		c.words = append(c.words, words...)
	}
}

// command writes the command, which reads what other commands print. Words go
// on the next line where the line is full.
func (c *shellCommand) command(pipe []string) {
	all := strings.Join(slices.Concat(c.words, c.items), " ") + c.after
	if len(pipe) > 0 {
		if one := pipe[0] + " | " + all; len(pipe) == 1 && utf8.RuneCountInString(one) <= lineWidth {
			c.p.line(one)
			return
		}
		c.p.together(pipe, ` | \`)
		c.p.level++
		defer func() { c.p.level-- }()
	}
	if c.p.fits(utf8.RuneCountInString(all)) {
		c.p.line(all)
		return
	}
	var lines []string
	line := ""
	for _, w := range c.words {
		if line != "" && utf8.RuneCountInString(line)+utf8.RuneCountInString(w) > lineWidth-len(c.p.indent)-len(` \`) {
			lines = append(lines, line)
			line = ""
		} else if line != "" {
			line += " "
		}
		line += w
	}
	lines = append(append(lines, line), c.items...)
	if last := &lines[len(lines)-1]; len(lines) > 1 && len(c.p.indent)+utf8.RuneCountInString(*last)+utf8.RuneCountInString(c.after) > lineWidth {
		lines = append(lines, strings.TrimPrefix(c.after, " "))
	} else {
		*last += c.after
	}
	for i, l := range lines {
		if i > 0 {
			l = c.p.indent + l
		}
		if i+1 < len(lines) {
			l += ` \`
		}
		c.p.line(l)
	}
}

// shellFile returns a command that prints the content of a file, changed as
// curl changes it.
func (p *program) shellFile(one piece) string {
	source := " < " + p.shellWord(one.file)
	switch stdin := one.file.source() == "-"; {
	case stdin:
		source = ""
	case one.offset == 0 && !one.strip && !one.urlencode:
		return "cat " + p.shellWord(one.file)
	}
	var filters []string
	if one.offset > 0 {
		filters = append(filters, "tail -c +"+strconv.FormatInt(one.offset+1, 10))
	}
	if one.strip {
		filters = append(filters, `tr -d '\r\n\0'`)
	}
	if one.urlencode {
		filters = append(filters, `perl -0777 -pe 's/[^A-Za-z0-9_.~-]/$& eq " " ? "+" : sprintf("%%%02X", ord $&)/ge'`)
	}
	if len(filters) == 0 {
		filters = []string{"cat"}
	}
	filters[0] += source
	return strings.Join(filters, " | ")
}

// shellPieces returns commands that print texts and files, one after the other.
func (p *program) shellPieces(pieces []piece) []string {
	var commands []string
	var before text
	flush := func() {
		if len(before) > 0 {
			before = mergeLiterals(before)
		}
		for _, one := range lineByLine([]piece{{isText: true, text: before}}) {
			if s, ok := one.text.plain(); ok && (!one.text.isText() || holdsNUL(one.text)) {
				commands = append(commands, "printf "+printfFormat(s))
			} else if len(one.text) > 0 {
				commands = append(commands, "printf %s "+p.shellWord(one.text))
			}
		}
		before = nil
	}
	for _, one := range pieces {
		if one.isText {
			before = append(before, one.text...)
			continue
		}
		if len(one.name) > 0 {
			before = append(append(before, one.name...), part{literal: "="})
		}
		flush()
		commands = append(commands, p.shellFile(one))
	}
	flush()
	return commands
}

// together writes commands whose output goes where after says.
func (p *program) together(commands []string, after string) {
	if len(commands) == 1 {
		p.line(commands[0], after)
		return
	}
	p.block("{", func() {
		for _, c := range commands {
			p.line(c)
		}
	})
	p.line("}", after)
}
