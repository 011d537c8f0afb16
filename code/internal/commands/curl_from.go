package commands

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/code/internal/posix"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/reqtext"
	"uncoil/internal/engine/source/quote"
	"uncoil/request"
)

// shellTakes reports what a script of sh assigns to a variable: a value of a response
// that jq prints, and what programs print that every machine has.
func shellTakes(f request.From) bool {
	switch f.(type) {
	case *request.Response, *request.Date, *request.UUID, *request.Hostname, *request.FileContent, *request.Encoded:
		return true
	}
	return false
}

// assignments writes the variables that the machine gives a command.
func assignments(p *plan.Program, c *plan.Call) {
	for i := range c.Computes {
		command := ""
		switch f := c.Computes[i].From.(type) {
		case *request.Date:
			command = "date "
			if f.UTC {
				command += "-u "
			}
			command += shellWord("+" + f.Format)
		case *request.UUID:
			command = "uuidgen | tr A-Z a-z"
		case *request.Hostname:
			command = "hostname"
		case *request.FileContent:
			command = "cat " + shellWord(f.Name)
			if f.Base64 {
				command = "base64 < " + shellWord(f.Name) + ` | tr -d '\n'`
			}
		case *request.Encoded:
			command = encodes(p, f)
		case *request.Command:
			command = f.Text
			if strings.ContainsAny(command, "<#") {
				command += "\n" // of a here-document, or a comment
			}
		}
		p.Line(c.Computes[i].Name, "=$(", command, ")")
	}
}

// encodes returns the pipe that prints a text in Base64, or its hash or HMAC.
func encodes(p *plan.Program, e *request.Encoded) string {
	command := "printf %s " + posix.ShellWord(p, plan.EncodedText(e))
	if e.Hash != "" {
		command += " | openssl dgst -" + e.Hash
		if e.Key != "" {
			command += " -hmac " + posix.ShellWord(p, plan.EncodedKey(e))
		}
	}
	if e.Base64 && e.Hash != "" {
		command += " -binary"
	}
	switch {
	case e.URLSafe:
		return command + " | openssl base64 -A | tr '+/' '-_' | tr -d '='"
	case e.Base64:
		return command + " | openssl base64 -A"
	}
	return command + " | sed 's/^.* //'"
}

func shellWord(s string) string { return string(quote.AppendWord(nil, s, quote.POSIX)) }

// captured makes an assignment of the command that was written from an offset on: of
// what it prints, or of the one value that jq picks of that.
func captured(p *plan.Program, c *plan.Call, from int) {
	if len(c.Captures) == 0 {
		return
	}
	command := strings.TrimSuffix(string(p.Dst[from:]), "\n")
	p.Budget.Hold(2 * len(command))
	p.Dst = p.Dst[:from]
	printed, saved := make([]plan.Capture, 0, len(c.Captures)), make([]plan.Capture, 0, len(c.Captures))
	for _, one := range c.Captures {
		if len(savedIn(c, one.Response)) > 0 {
			saved = append(saved, one)
		} else {
			printed = append(printed, one)
		}
	}
	switch len(printed) {
	case 0:
		p.Line(command)
	case 1:
		p.Line(printed[0].Name, "=$(", command, picks(c, printed[0].Response), ")")
	default:
		capturedSeveral(p, c, command, printed)
	}
	for _, one := range saved {
		first, rest := strings.TrimPrefix(picks(c, one.Response), " | "), ""
		switch {
		case one.Header != "":
			i := strings.Index(first, " | ")
			first, rest = first[:i], first[i:]
		case first == "":
			first = "cat"
		}
		p.Line(one.Name, "=$(", first, " < ", posix.ShellWord(p, savedIn(c, one.Response)), rest, ")")
	}
}

// savedIn returns the name of the file into which curl writes what a value is picked of; nil: it
// prints that.
func savedIn(c *plan.Call, r *request.Response) plan.Text {
	if dump, _ := c.Option("dumpHeader").(string); r.Header != "" && dump != "" {
		if dump == "-" || dump == "/dev/stdout" {
			return nil
		}
		return c.Text(dump, reqtext.Option("dumpHeader", 0))
	}
	switch name := c.Output().Source(); {
	case c.Has("writeOut") && r.Header != "", name == "-", name == plan.NullDevice:
		return nil
	}
	return c.Output()
}

// capturedSeveral makes assignments of several values that are picked of what a command prints.
func capturedSeveral(p *plan.Program, c *plan.Call, command string, captures []plan.Capture) {
	whole := ""
	for i := range captures {
		if len(captures[i].Path) == 0 && captures[i].Header == "" {
			whole = captures[i].Name
		}
	}
	if whole == "" {
		whole = p.Bind("RESPONSE", command)
	}
	p.Line(whole, "=$(", command, ")")
	for i := range captures {
		switch one := &captures[i]; {
		case one.Name == whole:
		case len(one.Path) == 0 && one.Header == "":
			p.Line(one.Name, "=$", whole)
		default:
			p.Line(one.Name, `=$(printf '%s\n' "$`, whole, `"`, picks(c, one.Response), ")")
		}
	}
}

// picks returns the pipe that picks a value, or nothing for all of what curl prints.
func picks(c *plan.Call, r *request.Response) string {
	if r.Header != "" {
		if c.Has("writeOut") { // which prints the value
			return ""
		}
		field := "2-"
		if r.Word > 0 {
			field = emit.Itoa(r.Word + 1)
		}
		return " | grep -i " + shellWord("^"+r.Header+":") + " | cut -d ' ' -f " + field + ` | tr -d '\r'`
	}
	if len(r.Path) == 0 {
		return ""
	}
	var path []byte
	for i, step := range r.Path {
		switch plain := !step.IsIndex && step.Key != "" && ascii.NameLength(step.Key) == len(step.Key); {
		case plain:
			path = append(append(path, '.'), step.Key...)
			continue
		case i == 0:
			path = append(path, '.')
		}
		path = append(path, '[')
		if step.IsIndex {
			path = append(path, emit.Itoa(step.Index)...)
		} else {
			path = append(path, jqString(step.Key)...)
		}
		path = append(path, ']')
	}
	filter := shellWord(string(path))
	if r.Quoted {
		return " | jq " + filter
	}
	return " | jq -r " + filter
}

// jqString returns a string of jq, in which a backslash and a parenthesis would begin an
// expression.
func jqString(s string) []byte {
	b := []byte{'"'}
	for i := range len(s) {
		if s[i] == '"' || s[i] == '\\' {
			b = append(b, '\\')
		}
		b = append(b, s[i])
	}
	return append(b, '"')
}

// keepsQuiet adds -s to a command whose output is kept, as people write it: its progress
// would be all that is seen.
func (r *curlCommand) keepsQuiet() {
	if len(r.c.Captures) > 0 && !slices.ContainsFunc(r.options, func(o curlOption) bool { return o.Long == "silent" }) {
		r.set("silent")
	}
}
