// Package httpie reads commands of HTTPie 3.2 (https://httpie.io/docs/cli) as it sends
// their requests: those of the programs http and https.
package httpie

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/message"
	"uncoil/internal/engine/source/word"
)

// Is reports whether the words of a command run HTTPie: the name of its program, and
// a URL behind it, as no other words begin.
func Is(args []word.Word) bool {
	if program(args[0].Text) == "" {
		return false
	}
	for i := 1; i < len(args); i++ {
		text := args[i].Text
		if strings.HasPrefix(text, "-") {
			continue
		}
		if args[i].StartsWithHole() || text == "localhost" || strings.HasPrefix(text, ":") || strings.Contains(text, "://") {
			return true
		}
		host, _, _ := strings.Cut(text, "/")
		name, _, _ := strings.Cut(host, ":")
		if dot := strings.LastIndexByte(name, '.'); dot > 0 && dot+1 < len(name) && !strings.ContainsAny(name, "=;@ ,") || name == "localhost" {
			return true
		}
	}
	return false
}

// program returns the scheme that a program stands for, or "".
func program(name string) string {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	if n := len(name) - len(".exe"); n > 0 && ascii.EqualFold(name[n:], ".exe") {
		name = name[:n]
	}
	if name == "http" || name == "https" {
		return name
	}
	return ""
}

// What words and items cost beside their text.
const (
	wordSteps = 32
	itemSize  = 4 * (word.Size + 16)
)

// Read adds the command of curl that sends the request of a command, whose first word is
// the program. It reports whether it has one and the conversion may go on.
func Read(c *word.Command, w *message.Writer) bool {
	r := reader{Writer: w, command: c, scheme: program(c.Args[0].Text)}
	r.msg.Span, r.msg.Partial = c.Span, true
	return r.arguments() && r.place() && r.items() && r.complete() && w.Add(&r.msg)
}

// A reader reads one command.
type reader struct {
	*message.Writer
	command *word.Command
	msg     message.Message
	scheme  string

	positional []word.Word
	kind       kind
	raw        *word.Word
	auth       *word.Word
	authType   word.Word
	ignored    bool // standard input
	chunked    bool

	list    []item
	removed []word.Word // fields that are switched off
	data    bool        // an item or the input is content
}

// A kind is how items are sent.
type kind uint8

const (
	automatic kind = iota
	asJSON
	asForm
	asMultipart
)

// options are the long names of options, with the letter if there is one; an argument
// follows where there is an equals sign.
const options = `json-j form-f multipart boundary= raw= compress-x pretty= style=-s unsorted sorted response-charset= response-mime= format-options=
	print=-p headers-h meta-m body-b verbose-v all history-print=-P stream-S output=-o download-d continue-c quiet-q session= session-read-only=
	auth=-a auth-type=-A ignore-netrc offline proxy= follow-F max-redirects= max-headers= timeout= check-status path-as-is chunked verify= ssl= ciphers=
	cert= cert-key= cert-key-pass= ignore-stdin-I help manual version traceback default-scheme= debug`

// lookup returns the long name of an option, by its name or letter, and whether it takes
// an argument.
func lookup(name string, letter byte) (long string, argument, ok bool) {
	for row := range strings.FieldsSeq(options) {
		var short byte
		if n := len(row); row[n-2] == '-' && letter != 0 {
			short = row[n-1]
		}
		if n := len(row); row[n-2] == '-' {
			row = row[:n-2]
		}
		row, argument = strings.CutSuffix(row, "=")
		if letter != 0 && short == letter || letter == 0 && row == name {
			return row, argument, true
		}
	}
	return "", false, false
}

// arguments reads the options, and keeps the other words.
func (r *reader) arguments() bool {
	args := r.command.Args[1:]
	for i := 0; i < len(args); i++ {
		a := args[i]
		if !r.Meter.Work(wordSteps + len(a.Text)/2) {
			return false
		}
		if a.Text == "--" {
			return r.keep(args[i+1:]...)
		}
		if a.StartsWithHole() || len(a.Text) < 2 || a.Text[0] != '-' {
			if !r.keep(a) {
				return false
			}
			continue
		}
		n, ok := r.option(a, args[i+1:])
		if !ok {
			return false
		}
		i += n
	}
	return true
}

func (r *reader) keep(words ...word.Word) bool {
	for _, w := range words {
		if !meter.Append(r.Meter, &r.positional, w) {
			return false
		}
	}
	return true
}

// option reads an option, or several letters, and returns how many of the words after it
// are its arguments.
func (r *reader) option(a word.Word, rest []word.Word) (used int, ok bool) {
	if strings.HasPrefix(a.Text, "--") {
		name, _, glued := strings.Cut(a.Text[2:], "=")
		if strings.HasPrefix(name, "no-") {
			return 0, r.Meter.Work(wordSteps)
		}
		long, takes, known := lookup(name, 0)
		switch {
		case !known:
			return 0, r.Fail(r.Syntax, a.Span, "HTTPie has no option --"+name, "")
		case !takes:
			return 0, r.set(long, a, nil)
		case glued:
			value, ok := r.cut(a, len("--")+len(name)+1)
			return 0, ok && r.set(long, a, &value)
		case len(rest) == 0:
			return 0, r.Fail(r.Syntax, a.Span, "--"+name+" needs an argument", "")
		}
		return 1, r.set(long, a, &rest[0])
	}
	for i := 1; i < len(a.Text); i++ {
		long, takes, known := lookup("", a.Text[i])
		switch {
		case !known:
			return 0, r.Fail(r.Syntax, a.Span, "HTTPie has no option -"+a.Text[i:i+1], "")
		case !takes:
			if !r.set(long, a, nil) {
				return 0, false
			}
			continue
		case i+1 < len(a.Text):
			value, ok := r.cut(a, i+1)
			if value.Text[0] == '=' {
				value, ok = r.cut(a, i+2)
			}
			return 0, ok && r.set(long, a, &value)
		case len(rest) == 0:
			return 0, r.Fail(r.Syntax, a.Span, "-"+a.Text[i:]+" needs an argument", "")
		}
		return 1, r.set(long, a, &rest[0])
	}
	return 0, true
}

// cut returns a word from a byte on.
func (r *reader) cut(w word.Word, from int) (word.Word, bool) {
	if !message.HoldCuts(r.Meter, w, 1) {
		return w, false
	}
	return message.Cut(w, from, len(w.Text)), true
}

// add adds an option of curl's.
func (r *reader) add(name string, at diag.Span, argument *word.Word) bool {
	return meter.Append(r.Meter, &r.msg.Options, message.Option{Name: name, Span: at, Argument: argument})
}

// same are options that are called otherwise in curl.
var same = map[string]string{
	"follow": "--location", "max-redirects": "--max-redirs", "timeout": "--connect-timeout", "path-as-is": "--path-as-is", "cert": "--cert", "cert-key": "--key",
	"cert-key-pass": "--pass", "output": "--output", "check-status": "--fail", "ciphers": "--ciphers",
}

// set takes an option.
func (r *reader) set(name string, at word.Word, value *word.Word) bool {
	if option, ok := same[name]; ok {
		return r.add(option, at.Span, value)
	}
	switch name {
	case "json":
		r.kind = asJSON
	case "form":
		r.kind = asForm
	case "multipart":
		r.kind = asMultipart
	case "raw":
		r.raw = value
	case "auth":
		r.auth = value
	case "auth-type":
		r.authType = *value
	case "ignore-stdin":
		r.ignored = true
	case "chunked":
		r.chunked = true
	case "default-scheme":
		if r.scheme == "http" {
			r.scheme = value.Text
		}
	case "download":
		return r.add("--remote-name", at.Span, nil)
	case "verify":
		switch strings.ToLower(value.Text) {
		case "no", "false":
			return r.add("--insecure", at.Span, nil)
		case "yes", "true":
			return true
		}
		return r.add("--cacert", at.Span, value)
	case "ssl":
		if option := map[string]string{"tls1": "--tlsv1.0", "tls1.1": "--tlsv1.1", "tls1.2": "--tlsv1.2", "tls1.3": "--tlsv1.3"}[value.Text]; option != "" {
			return r.add(option, at.Span, nil)
		}
	case "proxy":
		return r.proxy(at.Span, *value)
	case "compress":
		return r.Fail(r.Syntax, at.Span, "curl does not compress what it sends", "")
	case "session", "session-read-only":
		r.Warn(diag.WarnOtherCommand, at.Span, "what the session holds is not known, and is left out", "")
	}
	return true
}

// proxy keeps the proxy for the scheme of the URL.
func (r *reader) proxy(at diag.Span, value word.Word) bool {
	scheme, _, ok := strings.Cut(value.Text, ":")
	if !ok {
		return r.Fail(r.Syntax, value.Span, "this is no proxy of HTTPie", "write http:http://host:port")
	}
	address, ok := r.cut(value, len(scheme)+1)
	return ok && (scheme != r.scheme && scheme != "all" && !r.hasScheme(scheme) || r.add("--proxy", at, &address))
}

// hasScheme reports whether a word is a URL of a scheme.
func (r *reader) hasScheme(scheme string) bool {
	for i := range r.command.Args {
		if strings.HasPrefix(r.command.Args[i].Text, scheme+"://") {
			return true
		}
	}
	return false
}
