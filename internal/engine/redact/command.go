package redact

import (
	"slices"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/reqtext"
	"uncoil/request"
)

// mostWithin is how deep commands are looked at that stand within words of commands.
const mostWithin = 3

// Command returns where the text of commands of a shell holds secrets, in order and without
// overlaps, as in $(vault login …) and $(… | openssl dgst -hmac key): what [Spans] finds, and
// the arguments of options that have the name of a secret. Variables are none.
func Command(text string) []Span {
	c := commandFinder{text: text, spans: Spans(text)}
	c.words(0, len(text), 0)
	return merged(c.spans)
}

type commandFinder struct {
	text  string
	spans []Span
}

// words looks at the words from start to end.
func (c *commandFinder) words(start, end, depth int) {
	program, pending := "", extent(0)
	encoded := start + strings.LastIndex(c.text[start:end], "base64") // what is printed before it
	for i := start; i < end; {
		switch {
		case c.text[i] <= ' ':
			i++
			continue
		case strings.IndexByte("|;&(){}`", c.text[i]) >= 0:
			program, pending = "", 0
			i++
			continue
		case strings.HasPrefix(c.text[i:end], "$("):
			program, pending = "", 0
			i += len("$(")
			continue
		}
		stop := wordEnd(c.text[:end], i)
		word := c.text[i:stop]
		if at := strings.Index(word, "$("); at >= 0 && depth < mostWithin {
			c.words(i+at, stop, depth+1)
		}
		bare := strings.Trim(word, `'"`)
		switch {
		case pending != 0:
			c.argument(i, stop, pending)
			pending = 0
		case program == "":
			if !strings.Contains(word, "=") { // an assignment
				program = strings.TrimSuffix(bare[strings.LastIndexByte(bare, '/')+1:], ".exe")
			}
		case (program == "echo" || program == "printf") && stop <= encoded && strings.Contains(bare, ":"):
			c.argument(i, stop, second) // credentials
		case strings.HasPrefix(bare, "-"):
			at, e, found := argumentOf(program, bare)
			if !found {
				break
			}
			if at == len(bare) {
				pending = e
			} else {
				c.argument(i+strings.Index(word, bare)+at, stop, e)
			}
		}
		i = stop
	}
}

// argumentOf returns where the argument begins in an option of a program, at its end when it is
// the next word, if the name says that it is a secret.
func argumentOf(program, word string) (at int, e extent, found bool) {
	if program == "curl" {
		return optionExtent(word)
	}
	name := strings.TrimLeft(word, "-")
	at = len(word)
	if i := strings.IndexByte(name, '='); i >= 0 {
		at = len(word) - len(name) + i + 1
		name = name[:i]
	}
	name = strings.ToLower(name)
	if len(name) < 2 || program == "gcloud" { // whose secrets have names
		return 0, 0, false
	}
	if e, found = secretOptions[name]; found {
		return at, e, true
	}
	parts := words(name)
	return at, all, name != "key" && Secret(name) && len(parts) > 0 && !plainEndings[parts[len(parts)-1]]
}

// plainEndings end the names of options whose arguments only tell of a secret.
var plainEndings = map[string]bool{
	"arn": true, "dir": true, "file": true, "format": true, "id": true, "jar": true, "name": true, "path": true, "type": true, "url": true, "version": true,
}

// argument keeps what is secret of an argument, perhaps in quotes: no variables, but their
// defaults.
func (c *commandFinder) argument(start, end int, e extent) {
	for start < end && strings.IndexByte(`'"`, c.text[start]) >= 0 {
		start++
	}
	for start < end && strings.IndexByte("'\")`;", c.text[end-1]) >= 0 {
		end--
	}
	text := c.text[start:end]
	if i := strings.IndexByte(text, ':'); e == second && i >= 0 && i+1 < len(text) && text[i+1] != '$' && text[i+1] != '-' && !strings.HasPrefix(text[i+1:], "//") {
		password, _, _ := strings.Cut(text[i+1:], "$")
		c.spans = append(c.spans, Span{start + i + 1, start + i + 1 + len(password)})
		return
	}
	if !strings.HasPrefix(text, "$") && !strings.Contains(text, ":$") {
		c.spans = appendExtent(c.spans, c.text, start, end, e)
		return
	}
	if i := strings.Index(text, "${"); i >= 0 {
		for i += len("${"); i < len(text) && ascii.IsNameByte(text[i]); {
			i++
		}
		for i < len(text) && strings.IndexByte(":-=?+", text[i]) >= 0 {
			i++
		}
		if stop := strings.IndexByte(text[i:], '}'); stop > 0 && text[i] != '$' {
			c.spans = append(c.spans, Span{start + i, start + i + stop})
		}
	}
}

// commands hides the secrets within the text of commands, which are strings as the requests
// have them, and knows them then.
func (h *hider) commands(r *request.Request) {
	isCommand := func(v request.Variable) bool {
		return (v.Name == "" || strings.Contains(v.Expr, "$(")) && v.Encoding != request.EncodingBase64
	}
	if !slices.ContainsFunc(r.Variables, isCommand) {
		return
	}
	reqtext.Rewrite(r, func(s *reqtext.String) {
		if !slices.ContainsFunc(s.Variables, isCommand) {
			return
		}
		var b reqtext.Builder
		end := 0
		for _, v := range s.Variables {
			b.Keep(s.Text, end, v.Start)
			end = v.End
			if isCommand(v) {
				v.Expr = h.command(s.Value[v.Start:v.End], &v)
			}
			b.AddVariable(v)
		}
		b.Keep(s.Text, end, len(s.Value))
		s.Text = b.Text()
	})
}

// command returns the text of a command without its secrets.
func (h *hider) command(text string, v *request.Variable) string {
	var b strings.Builder
	end := 0
	for _, at := range merged(append(Command(text), h.sources.spans(text, v)...)) {
		b.WriteString(text[end:at.Start] + h.hide(text[at.Start:at.End]))
		end = at.End
	}
	return b.String() + text[end:]
}

// spans returns where the text of a command has the secrets of what it computes: the key
// of an HMAC, and the password of credentials.
func (k Sources) spans(text string, v *request.Variable) []Span {
	e, ok := v.From.(*request.Encoded)
	if !ok {
		return nil
	}
	secrets := k.of(e)
	if len(secrets) > mostLiterals {
		return []Span{{End: len(text)}}
	}
	var spans []Span
	for _, secret := range secrets {
		if at := strings.Index(text, secret); at >= 0 {
			spans = append(spans, Span{at, at + len(secret)})
		}
	}
	return spans
}

// Sources remember the secrets that values are computed of: many variables may be of one text.
type Sources map[*request.Encoded][]string

func (k Sources) of(e *request.Encoded) []string {
	secrets, ok := k[e]
	if !ok {
		secrets = EncodedSecrets(e)
		k[e] = secrets
	}
	return secrets
}

// mostLiterals is how many secrets are looked for one by one in the text of a command.
const mostLiterals = 32

// EncodedSecrets returns the secrets that a value is computed of, as the text has them: the
// literal parts of the key of an HMAC, the password in user:password that is written in Base64,
// and the defaults of variables there.
func EncodedSecrets(e *request.Encoded) []string {
	var secrets []string
	add := func(text string, variables []request.Variable) {
		end := 0
		literal := func(s string) {
			if strings.Trim(s, Signs) != "" && (len(variables) == 0 || len(s) >= searched) { // not the AWS4 of AWS4$KEY
				secrets = append(secrets, s)
			}
		}
		for i := range variables {
			v := &variables[i]
			literal(text[end:v.Start])
			secrets = append(secrets, alternatives(v.Name, v.Expr, v.Default)...)
			end = v.End
		}
		literal(text[end:])
	}
	add(e.Key, e.KeyVariables)
	if start, ok := PasswordOf(e); ok {
		text, variables := e.Text[start:], slices.Clone(e.Variables)
		variables = slices.DeleteFunc(variables, func(v request.Variable) bool { return v.Start < start })
		for i := range variables {
			variables[i].Start -= start
			variables[i].End -= start
		}
		add(text, variables)
	}
	return secrets
}

// PasswordOf returns where the password begins in the text of which a value is computed, where
// that is user:password in Base64.
func PasswordOf(e *request.Encoded) (start int, ok bool) {
	if !e.Base64 || e.Hash != "" {
		return 0, false
	}
	next := 0
	for i := 0; i < len(e.Text); i++ {
		for ; next < len(e.Variables) && e.Variables[next].Start <= i; next++ {
			i = max(i, e.Variables[next].End)
		}
		if i == len(e.Text) {
			break
		}
		switch c := e.Text[i]; {
		case c == ':':
			password := e.Text[i+1:]
			return i + 1, i > 0 && password != "" && !strings.HasPrefix(password, "//") && !strings.ContainsAny(password, " \n\t")
		case c <= ' ' || strings.IndexByte(`{}[]"'/<>`, c) >= 0:
			return 0, false
		}
	}
	return 0, false
}

// Signs join the parts of a text that is hashed, and are no secrets.
const Signs = ".:,;/&=?-_|\n"

// Within returns the secrets in the spelling of a variable, as it spells them: of a command those
// that [Command] finds and those of what it computes, and of what a shell takes in place of a
// value what looks like one, or all where the variable stands for a secret.
func (k Sources) Within(v *request.Variable, stands bool) []string {
	var secrets []string
	if v.Name == "" || strings.Contains(v.Expr, "$(") {
		for _, at := range merged(append(Command(v.Expr), k.spans(v.Expr, v)...)) {
			secrets = append(secrets, v.Expr[at.Start:at.End])
		}
		return secrets
	}
	for _, one := range alternatives(v.Name, v.Expr, v.Default) {
		if stands || len(Spans(one)) > 0 {
			secrets = append(secrets, one)
		}
	}
	return secrets
}
