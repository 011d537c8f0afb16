package commands

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/code/internal/posix"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/quote"
	"uncoil/request"
)

// words is how options are written in one shell.
type words struct {
	comment string
	between []string // the line between two commands
	goOn    string   // ends a line that goes on
	program string
	printf  bool                    // prints any bytes
	batch   bool                    // is a batch file of cmd.exe
	takes   func(request.From) bool // what it assigns to variables
	longest int                     // how many characters a command may have; 0: any number
	// word returns an argument. It refuses what the shell cannot say.
	word  func(p *plan.Program, t plan.Text) string
	write func(p *plan.Program, options []curlOption)
}

var (
	posixWords      = &words{comment: "# ", between: []string{""}, goOn: ` \`, program: "curl", printf: true, takes: shellTakes, word: posixWord}
	fishWords       = &words{comment: "# ", between: []string{""}, goOn: ` \`, program: "curl", word: fishWord}
	cmdWords        = &words{comment: "rem ", between: []string{""}, goOn: " ^", longest: cmdLongest, program: "curl", word: cmdWord}
	batchWords      = &words{comment: "rem ", between: []string{""}, goOn: " ^", longest: cmdLongest, batch: true, program: "curl", word: batchWord}
	powerShellWords = &words{comment: "# ", between: []string{""}, goOn: " `", longest: windowsLongest, program: "curl.exe", word: powerShellWord}
	// powerShellOldWords are those of commands with quotes in an argument.
	powerShellOldWords = &words{comment: "# ", between: []string{""}, goOn: " `", longest: windowsLongest, program: "curl.exe", word: powerShellOldWord}
	configWords        = &words{comment: "# ", between: []string{"next"}, write: writeConfig}
)

// Longer commands cmd.exe and CreateProcess of Windows do not take
// (learn.microsoft.com: command line string limitation, CreateProcessW).
const (
	cmdLongest     = 8191
	windowsLongest = 32766
)

// commandWidth is how long a command may be that stands on one line.
const commandWidth = 80

// command writes a command: on one line where it is short, and else an option
// on each. It reads input from standard input.
func (w *words) command(p *plan.Program, input string, options []curlOption) {
	lines := []string{w.program}
	if input != "" {
		lines[0] = "printf " + posix.PrintfFormat(input) + " | " + w.program
	}
	width := len(lines[0])
	for i := range options {
		o := &options[i]
		s := ""
		if o.Long == "url" && !strings.HasPrefix(o.argument.Source(), "-") {
			s = w.word(p, o.argument)
			lines[0] += " " + s // beside curl, as people write it
		} else {
			s = o.name(p.Options.LongNames)
			if o.argument != nil {
				s += " " + w.word(p, o.argument)
			}
			lines = append(lines, s)
		}
		width += len(s) + 1
		if strings.Contains(s, "\n") {
			width = commandWidth + 1
		}
	}
	if width <= commandWidth {
		p.Line(strings.Join(lines, " "))
		return
	}
	length := len(lines) - 1 // a blank before each sign that the command goes on
	for i, line := range lines {
		if i > 0 {
			line = p.Indent + line
		}
		// cmd.exe takes a caret and two line breaks as one.
		length += utf8.RuneCountInString(line) - 2*strings.Count(line, "^\n\n")
		if i+1 < len(lines) {
			line += w.goOn
		}
		p.Line(line)
	}
	if w.longest > 0 && length > w.longest {
		p.Refuse("takes no command as long as this from this shell")
	}
}

// name returns the option as it is written.
func (o *curlOption) name(long bool) string {
	switch {
	case o.off:
		return "--no-" + o.Long
	case o.Short != 0 && !long:
		return "-" + string(rune(o.Short))
	}
	return "--" + o.Long
}

// holdable refuses what no argument of the shell can hold.
func holdable(p *plan.Program, t plan.Text, utf8Only bool, never string) {
	for i := range t {
		s := t[i].Literal
		switch {
		case t[i].Variable != nil:
		case strings.IndexByte(s, 0) >= 0:
			p.Refuse("takes no argument with a NUL")
		case utf8Only && !utf8.ValidString(s):
			p.Refuse("takes no bytes that are not UTF-8 from this shell")
		case strings.ContainsAny(s, never):
			p.Refuse("takes no carriage return or other control from this shell")
		}
	}
}

// variablePart writes one variable of an argument, or refuses it.
func variablePart(p *plan.Program, v *request.Variable, write func(name string) string) string {
	unescaped(p, v)
	switch {
	case !v.Known():
		p.Refuse("cannot have what another shell computes")
		return ""
	case !plan.IsVariableName(v.Name):
		p.RefuseName(plan.Nowhere, "has no such variable in this shell", v.Name)
	case v.HasDefault:
		p.Refuse("has no default value for a variable in this shell")
	}
	return write(v.Name)
}

// unescaped refuses a variable whose content curl would escape for JSON: no
// shell does that.
func unescaped(p *plan.Program, v *request.Variable) {
	if v != nil && v.Encoding == request.EncodingJSON {
		p.Refuse("escapes no variable for JSON in this shell")
	}
}

// fishWord writes an argument for fish: variables in double quotes, the rest
// in single ones.
func fishWord(p *plan.Program, t plan.Text) string {
	holdable(p, t, true, "")
	if len(t) == 0 {
		return "''"
	}
	var b []byte
	for _, part := range t {
		if part.Variable == nil {
			b = quote.AppendWord(b, part.Literal, quote.Fish)
			continue
		}
		b = append(b, variablePart(p, part.Variable, func(name string) string {
			if ascii.IsDigit(name[0]) {
				return `"$argv[` + name + `]"`
			}
			return `"$` + name + `"`
		})...)
	}
	return string(b)
}

// cmdWord writes an argument for the prompt of cmd.exe.
func cmdWord(p *plan.Program, t plan.Text) string { return windowsWord(p, t, quote.Cmd) }

// batchWord writes an argument for a batch file.
func batchWord(p *plan.Program, t plan.Text) string { return windowsWord(p, t, quote.Batch) }

// windowsWord writes an argument for cmd.exe. A variable stands within the
// quotes, because two quotes side by side are one of the text.
func windowsWord(p *plan.Program, t plan.Text, style quote.Style) string {
	const mark = "\x01"
	holdable(p, t, true, "\r"+mark)
	var marked strings.Builder
	var names []string
	for _, part := range t {
		if part.Variable == nil {
			marked.WriteString(part.Literal)
			continue
		}
		marked.WriteString(mark)
		names = append(names, variablePart(p, part.Variable, func(name string) string {
			if style == quote.Batch && len(name) == 1 && ascii.IsDigit(name[0]) {
				return "%" + name // what the file was called with
			}
			return "%" + name + "%"
		}))
	}
	return emit.ReplaceEach(string(quote.AppendWord(nil, marked.String(), style)), mark, names)
}

// How PowerShell passes arguments: Windows PowerShell 5.1 knows the old way alone, and 7.3 and later
// take the new one unless told otherwise.
const (
	passesOldWay = "$PSNativeCommandArgumentPassing = 'Legacy' # as Windows PowerShell 5.1 passes quotes"
	passesNewWay = "$PSNativeCommandArgumentPassing = 'Standard'"
)

// differsByVersion reports whether versions of PowerShell pass an argument otherwise: up to 7.2 they
// lose double quotes and empty arguments, and 5.1 takes a backslash before the quote that it adds
// for a blank as that of the quote.
func differsByVersion(t plan.Text) bool {
	s := t.Literals()
	return len(t.Source()) == 0 || strings.Contains(s, `"`) || endsInBackslash(s)
}

// endsInBackslash reports an argument that gets quotes, and ends in a backslash.
func endsInBackslash(s string) bool {
	return strings.HasSuffix(s, `\`) && strings.ContainsFunc(s, unicode.IsSpace)
}

// powerShellOldWord writes an argument without variables for the way in which all versions of
// PowerShell can pass it: with quotes as the C runtime reads them.
func powerShellOldWord(p *plan.Program, t plan.Text) string {
	if !differsByVersion(t) {
		return powerShellWord(p, t)
	}
	holdable(p, t, true, "")
	s := t.Source()
	quoted := string(quote.AppendRuntime(nil, s))
	if s == "" || endsInBackslash(s) {
		quoted = `"` + quoted + s[len(strings.TrimRight(s, `\`)):] + `"` // two backslashes for each before the quote
	}
	return string(quote.AppendPowerShell(nil, quoted))
}

// powerShellWord writes an argument for PowerShell 7.3 and later.
func powerShellWord(p *plan.Program, t plan.Text) string {
	holdable(p, t, true, "")
	if s, ok := t.Plain(); ok {
		return string(quote.AppendWord(nil, s, quote.PowerShell))
	}
	b := []byte{'"'}
	for _, part := range t {
		if part.Variable == nil {
			b = append(b, powerShellEscapes.Replace(part.Literal)...)
			continue
		}
		b = append(b, variablePart(p, part.Variable, func(name string) string { return "${env:" + name + "}" })...)
	}
	return string(append(b, '"'))
}

var powerShellEscapes = strings.NewReplacer("`", "``", "$", "`$", `"`, "`\"", "“", "`“", "”", "`”", "„", "`„")

// writeConfig writes a file for -K: a line for each option. Variables are
// those of curl 8.3, which --expand- options read.
func writeConfig(p *plan.Program, options []curlOption) {
	seen := make(map[string]bool)
	for i := range options {
		for _, part := range options[i].argument {
			if v := part.Variable; v != nil && !(v.Known() && plan.IsVariableName(v.Name)) {
				p.Refuse("cannot have what a shell computes")
			} else if v != nil && !seen[v.Name] {
				seen[v.Name] = true
				from := "%" + v.Name
				if v.HasDefault {
					from += "=" + v.Default
				}
				p.Line("variable = ", configWord(from))
			}
		}
	}
	for i := range options {
		o := &options[i]
		holdable(p, o.argument, true, "")
		name := strings.TrimPrefix(o.name(true), "--")
		if o.argument == nil {
			p.Line(name)
			continue
		}
		if s, ok := o.argument.Plain(); ok {
			p.Line(name, " = ", configWord(s))
			continue
		}
		var b strings.Builder
		for _, part := range o.argument {
			if v := part.Variable; v != nil && v.Encoding == request.EncodingJSON {
				b.WriteString("{{" + v.Name + ":json}}")
			} else if v != nil {
				b.WriteString("{{" + v.Name + "}}")
			} else {
				b.WriteString(strings.ReplaceAll(part.Literal, "{{", `\{{`))
			}
		}
		p.Line("expand-", name, " = ", configWord(b.String()))
	}
}

// configWord returns an argument in the double quotes of a file for -K:
// unslashquote() in curl 8.22 src/tool_parsecfg.c.
func configWord(s string) string {
	return `"` + configEscapes.Replace(s) + `"`
}

var configEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\t", `\t`, "\n", `\n`, "\r", `\r`, "\v", `\v`)

// posixWord writes an argument for sh and bash.
func posixWord(p *plan.Program, t plan.Text) string {
	holdable(p, t, false, "")
	return posix.PosixText(t, func(v *request.Variable, next string) string {
		unescaped(p, v)
		if !v.Known() {
			return v.Expr
		}
		return posix.PosixVariable(v, next)
	})
}
