package posix

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/source/quote"
	"uncoil/request"
)

// What the targets share that write a command for a POSIX shell.

var ShellStyle = emit.Style{Indent: "    ", Comment: "# "}

// ShellLiteral returns a word.
func ShellLiteral(s string) string { return string(quote.AppendWord(nil, s, quote.POSIX)) }

// shellVariable returns a look-up for the inside of double quotes, before the
// text next.
func shellVariable(v *request.Variable, next string) string {
	name := PosixVariable(v, next)
	filter := ""
	switch v.Encoding {
	case plan.UserPart:
		return `$(printf %s "` + name + `" | cut -d: -f1)`
	case plan.PasswordPart:
		return `$(printf %s "` + name + `" | cut -d: -f2-)`
	case plan.LastSegment:
		return `$(basename -- "` + name + `")`
	case request.EncodingPercent:
		filter = "-sRr @uri"
	case request.EncodingForm:
		filter = `-sRr '@uri | gsub("%20"; "+")'`
	case request.EncodingJSON:
		filter = "-sRr '@json | .[1:-1]'"
	default:
		return name
	}
	return `$(printf %s "` + name + `" | jq ` + filter + ")"
}

// ShellWord returns a word for a text: in double quotes where it has variables.
func ShellWord(p *plan.Program, t plan.Text) string { return PosixText(t, shellVariable) }

// MakeShellFolder writes the command that makes the folder of the file of -o, where
// curl would.
func MakeShellFolder(p *plan.Program, c *plan.Call) {
	if folder := c.Folder(); folder != nil {
		p.Line("mkdir -p -- ", ShellWord(p, folder))
	}
}

// MovePart returns what gives the file its name that has a response which is no error, and
// removes another. The command fails then, also where a script ends at the first failure.
func MovePart(p *plan.Program, c *plan.Call) string {
	end := "" // of the options
	if output := c.Output(); output[0].Variable != nil || strings.HasPrefix(output[0].Literal, "-") {
		end = "-- "
	}
	part := end + ShellWord(p, c.PartOutput())
	return " && mv " + part + " " + ShellWord(p, c.Output()) + " || { rm -f " + part + "; false; }"
}

// HoldsNUL reports whether a text has a byte that no argument can hold.
func HoldsNUL(t plan.Text) bool { return strings.IndexByte(t.Literals(), 0) >= 0 }

// A ShellCommand is a command line that is being written.
type ShellCommand struct {
	P     *plan.Program
	C     *plan.Call
	Words []string // the name, the options, the operands
	Items []string // words of a line each where the line is too long
	After string   // a redirection
}

// Option adds an option with a value.
func (c *ShellCommand) Option(name string, value plan.Text) {
	c.Words = append(c.Words, name+"="+ShellWord(c.P, value))
}

// Number adds an option with a number.
func (c *ShellCommand) Number(name string, n float64) {
	c.Words = append(c.Words, name+"="+emit.Seconds(n))
}

// Flag adds words where they are asked for.
func (c *ShellCommand) Flag(asked bool, words ...string) {
	if asked {
		c.Words = append(c.Words, words...)
	}
}

// Command writes the command, which reads what other commands print. Words go
// on the next line where the line is full.
func (c *ShellCommand) Command(pipe []string) {
	all := strings.Join(slices.Concat(c.Words, c.Items), " ") + c.After
	if len(pipe) > 0 {
		if one := pipe[0] + " | " + all; len(pipe) == 1 && utf8.RuneCountInString(one) <= plan.LineWidth {
			c.P.Line(one)
			return
		}
		Together(c.P, pipe, ` | \`)
		c.P.Level++
		defer func() { c.P.Level-- }()
	}
	if c.P.Fits(utf8.RuneCountInString(all)) {
		c.P.Line(all)
		return
	}
	var lines []string
	line := ""
	for _, w := range c.Words {
		if line != "" && utf8.RuneCountInString(line)+utf8.RuneCountInString(w) > plan.LineWidth-len(c.P.Indent)-len(` \`) {
			lines = append(lines, line)
			line = ""
		} else if line != "" {
			line += " "
		}
		line += w
	}
	lines = append(append(lines, line), c.Items...)
	if last := &lines[len(lines)-1]; len(c.P.Indent)+utf8.RuneCountInString(*last)+utf8.RuneCountInString(c.After) > plan.LineWidth {
		lines = append(lines, strings.TrimPrefix(c.After, " "))
	} else {
		*last += c.After
	}
	for i, l := range lines {
		if i > 0 {
			l = c.P.Indent + l
		}
		if i+1 < len(lines) {
			l += ` \`
		}
		c.P.Line(l)
	}
}

// shellFile returns a command that prints the content of a file, changed as
// curl changes it.
func shellFile(p *plan.Program, one plan.Piece) string {
	source := " < " + ShellWord(p, one.File)
	switch stdin := one.File.Source() == "-"; {
	case stdin:
		source = ""
	case one.Offset == 0 && !one.Strip && !one.Urlencode:
		return "cat " + ShellWord(p, one.File)
	}
	var filters []string
	if one.Offset > 0 {
		filters = append(filters, "tail -c +"+strconv.FormatInt(one.Offset+1, 10))
	}
	if one.Strip {
		filters = append(filters, `tr -d '\r\n\0'`)
	}
	if one.Urlencode {
		filters = append(filters, `perl -0777 -pe 's/[^A-Za-z0-9_.~-]/$& eq " " ? "+" : sprintf("%%%02X", ord $&)/ge'`)
	}
	if len(filters) == 0 {
		filters = []string{"cat"}
	}
	filters[0] += source
	return strings.Join(filters, " | ")
}

// ShellPieces returns commands that print texts and files, one after the other.
func ShellPieces(p *plan.Program, pieces []plan.Piece) []string {
	var commands []string
	var before plan.Text
	flush := func() {
		if len(before) > 0 {
			before = plan.MergeLiterals(before)
		}
		for _, one := range plan.LineByLine([]plan.Piece{{IsText: true, Text: before}}) {
			if s, ok := one.Text.Plain(); ok && (!one.Text.IsText() || HoldsNUL(one.Text)) {
				commands = append(commands, "printf "+PrintfFormat(s))
			} else if len(one.Text) > 0 {
				commands = append(commands, "printf %s "+ShellWord(p, one.Text))
			}
		}
		before = nil
	}
	for _, one := range pieces {
		if one.IsText {
			before = append(before, one.Text...)
			continue
		}
		if len(one.Name) > 0 {
			before = append(append(before, one.Name...), plan.Part{Literal: "="})
		}
		flush()
		commands = append(commands, shellFile(p, one))
	}
	flush()
	return commands
}

// Together writes commands whose output goes where after says.
func Together(p *plan.Program, commands []string, after string) {
	if len(commands) == 1 {
		p.Line(commands[0], after)
		return
	}
	p.Block("{", func() {
		for _, c := range commands {
			p.Line(c)
		}
	})
	p.Line("}", after)
}
