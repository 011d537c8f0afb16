package plan

import (
	"slices"
	"strings"
	"unicode/utf8"

	"uncoil/code/internal/emit"
	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/redact"
	"uncoil/internal/engine/reqtext"
	"uncoil/internal/engine/urlparts"
	"uncoil/request"
)

// feeds are the values that calls of a program pass on to later ones.
type feeds struct {
	// Captures are what the program keeps of the response, in place of printing it.
	Captures []Capture
	// Computes are what it asks the machine for before the request.
	Computes []Compute
	unset    []parameter // variables that hold what commands print
	inJars   []parameter // those that name files of cookies: see tellJars
}

// noteParameters notes the commands whose output the program takes as a parameter, and ends the
// program where one that it cannot do without is empty: the text would have computed it.
func (p *Program) noteParameters(c *Call) {
	requires := p.Target.Convention.Requires
	for _, one := range c.unset {
		p.noteAt(one.at, emit.NameOr(one.name, "a variable"), " holds what a command prints")
		if requires != nil && p.Target.Kind == Code && !p.Options.Bare && !p.IsFunction() && !one.optional && p.needs(one.name) {
			requires(p, one.name)
		}
	}
}

// needs reports whether a variable stands in a credential, a host or a path, where nothing
// in its place makes another request, to another resource or without rights.
func (p *Program) needs(name string) bool {
	for _, c := range p.Calls {
		p.Budget.Work(len(c.Variables) + 1)
		for i := range c.Variables {
			if v := &c.Variables[i]; v.Name == name && !v.HasDefault && c.needs(v) {
				return true
			}
		}
	}
	return false
}

func (c *Call) needs(v *request.Variable) bool {
	switch v.At.Member {
	case request.MemberUsername, request.MemberPassword, request.MemberToken:
		return true
	case request.MemberURL:
		return v.Start < urlparts.Of(c.URL).Query
	case request.MemberFieldValue:
		at := int(v.At.Index)
		return at < len(c.Request.Fields) && redact.Secret(string(c.Request.Fields[at].Name))
	}
	return false
}

// A parameter is a variable of the environment that holds what a command prints.
type parameter struct {
	name string
	at   diag.Span // of the command
	hint string

	optional bool // the command may print nothing
}

// A Capture is a value that the program takes from a response.
type Capture struct {
	Name string // of the variable of the program
	*request.Response
}

// A Compute is a value that the program asks the machine for.
type Compute struct {
	Name string // of the variable of the program
	From request.From
}

// IsText reports whether the name of a value in JSON says that it is a string: that of
// a secret. Others may be numbers.
func (c *Capture) IsText() bool { return isText(c.Response) }

// isText reports whether a value of a response is a string by its name.
func isText(r *request.Response) bool {
	return len(r.Path) == 0 || r.Quoted || redact.Secret(lastKey(r.Path))
}

// IsLocal reports whether a variable is one of the program, by its name, which a
// response or the machine has given its value; and not one of the environment.
func IsLocal(v *request.Variable) bool { return v.From != nil }

// MayBeNumber reports whether the value of a variable of the program may be a number,
// where the language has values of JSON.
func MayBeNumber(v *request.Variable) bool {
	switch f := v.From.(type) {
	case *request.Response:
		return !isText(f)
	case *request.Date:
		return f.Format == "%s"
	}
	return false
}

// A settler decides for each variable of the requests that the text computes whether
// the program computes it too. Else it is a parameter.
type settler struct {
	p          *Program
	requests   []request.Request
	parameters map[string]string // names of parameters, by spelling
	names      map[string]bool   // of variables
	last       map[string]int    // the last number of each name
	locals     map[request.From]string
	told       map[string]bool
}

// settleFrom returns the requests with variables that a program looks up or computes: no
// program runs the text of a command. Curl's own commands keep it where it was typed.
func (p *Program) settleFrom(requests []request.Request) []request.Request {
	everything := p.Target.Facts.Everything
	if p.Options.KeepVariables || p.Target.Facts.Constant || !slices.ContainsFunc(requests, computes) {
		return requests
	}
	n := 0
	for i := range requests {
		n += len(requests[i].Variables)
	}
	p.Budget.Work(n * settleSteps)
	p.Budget.Hold(n*meter.SizeOf[request.Variable]() + len(requests)*(meter.SizeOf[request.Request]()+meter.SizeOf[feeds]()))
	s := &settler{p: p, requests: slices.Clone(requests), parameters: map[string]string{}, names: map[string]bool{}, last: map[string]int{}, locals: map[request.From]string{}, told: map[string]bool{}}
	p.fed = make([]feeds, len(requests))
	for i := range requests {
		reqtext.EachVariable(requests[i].Variables, func(v *request.Variable) { s.names[v.Name] = true })
	}
	for i := range s.requests {
		r := &s.requests[i]
		r.Variables = slices.Clone(r.Variables)
		for n := range r.Variables {
			if v := &r.Variables[n]; isComputed(v) && !(everything && s.stays(v)) {
				s.settle(i, v)
			}
		}
		s.spellURL(r)
	}
	return s.requests
}

// settleSteps is what a variable costs.
const settleSteps = 100

// computes reports whether a request has a variable that the text computes.
func computes(r request.Request) bool {
	for i := range r.Variables {
		if isComputed(&r.Variables[i]) {
			return true
		}
	}
	return false
}

// isComputed reports whether the text computes a variable by commands, also in
// PowerShell.
func isComputed(v *request.Variable) bool {
	return !v.Computed && (v.From != nil || v.Name == "" && (strings.HasPrefix(v.Expr, "$(") && !strings.HasPrefix(v.Expr, "$((") || strings.HasPrefix(v.Expr, "`")))
}

// spellURL spells what the text computes in a URL as a variable: the text of a command
// has signs that a URL cannot have.
func (s *settler) spellURL(r *request.Request) {
	at := reqtext.At(request.MemberURL, 0)
	if len(reqtext.In(r.Variables, at)) == 0 {
		return
	}
	s.p.Budget.Hold(2 * len(r.URL))
	reqtext.Rewrite(r, func(t *reqtext.String) {
		if t.Place != at {
			return
		}
		var b reqtext.Builder
		end := 0
		for _, v := range t.Variables {
			b.Add(t.Value[end:v.Start])
			end = v.End
			if v.Name != "" && !v.HasDefault && !v.Computed {
				v.Expr = "$" + v.Name
			}
			b.AddVariable(v)
		}
		b.Add(t.Value[end:])
		t.Text = b.Text()
	})
}

// stays reports whether a command of a shell keeps a variable as it was typed: what the
// shell computes there, but for a request that the program sends itself.
func (s *settler) stays(v *request.Variable) bool {
	_, sent := v.From.(*request.Response)
	return v.Name == "" && !sent
}

// settle decides for a variable of request i.
func (s *settler) settle(i int, v *request.Variable) {
	if v.HasDefault || !s.takes(i, v) {
		s.parameter(i, v)
		return
	}
	if name, ok := s.locals[v.From]; ok {
		v.Name = name
		return
	}
	made := v.From
	if e, ok := made.(*request.Encoded); ok {
		made = s.settleWithin(i, e)
	}
	name := s.local(v)
	s.locals[v.From] = name
	v.Name = name
	from, ok := made.(*request.Response)
	if !ok {
		s.p.fed[i].Computes = append(s.p.fed[i].Computes, Compute{name, made})
		return
	}
	captures := &s.p.fed[from.Request].Captures
	*captures = append(*captures, Capture{name, from})
}

// settleWithin returns a copy of what a value of request i is computed of, whose variables
// are settled: they come before it.
func (s *settler) settleWithin(i int, e *request.Encoded) *request.Encoded {
	within := func(list []request.Variable) []request.Variable {
		s.p.Budget.Work(len(list) * settleSteps)
		s.p.Budget.Hold(len(list) * meter.SizeOf[request.Variable]())
		list = slices.Clone(list)
		for n := range list {
			if v := &list[n]; isComputed(v) {
				s.settle(i, v)
			}
		}
		return list
	}
	made := *e
	made.Variables, made.KeyVariables = within(e.Variables), within(e.KeyVariables)
	return &made
}

// EncodedText returns the text that a value is computed of.
func EncodedText(e *request.Encoded) Text { return textAround(e.Text, e.Variables) }

// EncodedKey returns the key of an HMAC.
func EncodedKey(e *request.Encoded) Text { return textAround(e.Key, e.KeyVariables) }

func textAround(s string, variables []request.Variable) Text {
	t, end := make(Text, 0, 2*len(variables)+1), 0
	for i := range variables {
		v := &variables[i]
		t = append(t, Part{Literal: s[end:v.Start]}, Part{Variable: v})
		end = v.End
	}
	return MergeLiterals(append(t, Part{Literal: s[end:]}))
}

// takes reports whether the program has code for where the value of a variable of
// request i comes from. An option may be left out, and then nothing uses the value.
func (s *settler) takes(i int, v *request.Variable) bool {
	if v.At.Member == request.MemberOption && v.At.Option != "output" {
		return false
	}
	if c, ok := v.From.(*request.Command); ok {
		return s.runs(c)
	}
	takes := s.p.Target.Takes
	if takes == nil || v.From == nil || !takes(v.From) {
		return false
	}
	switch f := v.From.(type) {
	case *request.Date:
		if !isWritable(f) {
			return false
		}
	case *request.Encoded:
		if !utf8.ValidString(f.Text) || !utf8.ValidString(f.Key) {
			return false
		}
	}
	from, ok := v.From.(*request.Response)
	if !ok {
		return true
	}
	if from.Header != "" {
		return s.p.Target.Heads && from.Request < i
	}
	return from.Request < i && s.requests[from.Request].Method != "HEAD"
}

// runs reports whether the program runs commands of the text: only where that is asked
// for. A program whose secrets are moved runs none, because they may have some.
func (s *settler) runs(c *request.Command) bool {
	if !s.p.Options.RunSubstitutions || s.p.Options.MoveSecrets || c.Text == "" || !utf8.ValidString(c.Text) {
		return false
	}
	if !s.p.Target.Runs {
		s.p.RefuseAt(c.Span, "runs no commands of a shell")
	}
	return s.p.Target.Runs
}

// parameter makes a variable of request i one that the program looks up.
func (s *settler) parameter(i int, v *request.Variable) {
	if v.Name == "" {
		name, ok := s.parameters[v.Expr]
		if !ok {
			name = s.free(ParameterName(v))
			s.parameters[v.Expr] = name
		}
		v.Name = name
	}
	var at diag.Span
	optional := v.HasDefault
	switch f := v.From.(type) {
	case *request.Command:
		at = f.Span
		optional = optional || strings.Contains(f.Text, "// empty") || strings.Contains(f.Text, "|| true")
		if s.p.encodesOutput(v, f) {
			if s.p.encoded == nil {
				s.p.encoded = make(map[string]bool)
			}
			s.p.encoded[v.Name] = true
		}
	case *request.Encoded:
		at = f.Span
	}
	v.From = nil
	hint := "set " + shown(v) + " in the environment of the program"
	if s.p.Target.Kind == File {
		hint = "set " + shown(v) + " among the variables of the tool"
	}
	one := parameter{name: v.Name, at: at, hint: hint, optional: optional}
	switch {
	case s.told[v.Name]:
	case s.namesCookies(i, v.At):
		s.p.fed[i].inJars = append(s.p.fed[i].inJars, one)
	default:
		s.told[v.Name] = true
		s.p.tell(&s.p.fed[i], one)
	}
}

// namesCookies reports whether a string of request i is the name of a file of cookies.
func (s *settler) namesCookies(i int, at request.Place) bool {
	switch at.Member {
	case request.MemberOption:
		return at.Option == "cookieJar" || at.Option == "cookieFiles"
	case request.MemberMissing:
		missing := s.requests[i].Missing
		return int(at.Index) < len(missing) && missing[at.Index].Role == "cookies"
	}
	return false
}

// tell warns of a command whose output the program takes as a parameter.
func (p *Program) tell(f *feeds, one parameter) {
	p.CannotAt(one.at, "does not run the command that computes a variable", one.hint)
	f.unset = append(f.unset, one)
}

// tellJars warns of the commands whose output names a file of cookies, as mktemp does, where
// the program still has the file when it knows which jars it keeps in its memory.
func (p *Program) tellJars() {
	if p.fed == nil {
		return
	}
	told, names := map[string]bool{}, map[string]bool{}
	add := func(t Text) {
		for i := range t {
			if v := t[i].Variable; v != nil {
				names[v.Name] = true
			}
		}
	}
	for _, c := range p.Calls {
		p.Budget.Work((len(c.unset) + len(c.inJars) + len(c.Asked.CookieFiles) + 1) * settleSteps)
		for _, one := range c.unset {
			told[one.name] = true
		}
		add(c.Asked.CookieJar)
		for _, name := range c.Asked.CookieFiles {
			add(name)
		}
	}
	for _, c := range p.Calls {
		for _, one := range c.inJars {
			if names[one.name] && !told[one.name] {
				told[one.name] = true
				p.tell(&c.feeds, one)
			}
		}
	}
}

// free returns a name that no variable has.
func (s *settler) free(name string) string {
	free := name
	for n := max(s.last[name], 1); s.names[free]; {
		n++
		s.p.Budget.Work(len(name) + settleSteps)
		free, s.last[name] = name+"_"+emit.Itoa(n), n
	}
	s.names[free] = true
	return free
}

// ParameterName returns the name of a variable for what has none: after the last name of
// a path, or after the words of the command up to the first option:
// GCLOUD_AUTH_PRINT_ACCESS_TOKEN. What only prints gives no name.
func ParameterName(v *request.Variable) string {
	if r, ok := v.From.(*request.Response); ok {
		if key := keyOf(r); key != "" {
			return upper(key)
		}
		return "RESPONSE"
	}
	text := strings.TrimRight(strings.TrimLeft(v.Expr, "$(` \t\n"), ")` \t\n")
	for command := range strings.SplitSeq(text, "|") {
		var name strings.Builder
		for word := range strings.FieldsSeq(command) {
			word = strings.Trim(word, `"'`)
			if name.Len() > 0 && (!isPlain(word) || name.Len()+len(word) > longestName) {
				break
			}
			if i := strings.LastIndexByte(word, '/'); i >= 0 {
				word = word[i+1:] // of the path of a program
			}
			if !isPlain(word) || word == "echo" || word == "printf" {
				break
			}
			if name.Len() > 0 {
				name.WriteByte('_')
			}
			name.WriteString(upper(word))
		}
		if name.Len() > 0 {
			return name.String()
		}
	}
	return "VALUE"
}

// longestName is how many bytes a name has at most that is made of words.
const longestName = 40

// isPlain reports whether a word of a command is one of letters, digits, dots, dashes and
// the like, and no option.
func isPlain(word string) bool {
	if word == "" || !ascii.IsLetter(word[0]) || len(word) > longestName {
		return false
	}
	return !strings.ContainsFunc(word, func(r rune) bool {
		return r >= 0x80 || !ascii.IsNameByte(byte(r)) && r != '-' && r != '.' && r != '/'
	})
}

// keyOf returns the name of a value of a response, "" for its content.
func keyOf(r *request.Response) string {
	if r.Header != "" {
		return r.Header
	}
	return lastKey(r.Path)
}

// lastKey returns the last name of a path.
func lastKey(path []request.Step) string {
	for _, step := range slices.Backward(path) {
		if !step.IsIndex {
			return step.Key
		}
	}
	return ""
}

// Words cuts a name into its words, in small letters: of accessToken, ACCESS_TOKEN and
// access-token the same.
func Words(name string) []string {
	var list []string
	var word []byte
	end := func() {
		if len(word) > 0 {
			list = append(list, string(word))
			word = nil
		}
	}
	for i := range len(name) {
		c := name[i]
		switch isUpper := 'A' <= c && c <= 'Z'; {
		case !ascii.IsLetter(c) && !ascii.IsDigit(c):
			end()
			continue
		case isUpper && i > 0 && 'a' <= name[i-1] && name[i-1] <= 'z':
			end()
		}
		word = append(word, c|0x20)
	}
	end()
	return list
}

// upper returns a name as those of the environment are written.
func upper(name string) string {
	list := Words(name)
	if len(list) == 0 || ascii.IsDigit(list[0][0]) {
		list = append([]string{"value"}, list...)
	}
	return strings.ToUpper(strings.Join(list, "_"))
}

// local returns the name of a variable of the program, in the custom of its language.
func (s *settler) local(v *request.Variable) string {
	source := v.Name
	if r, ok := v.From.(*request.Response); ok && source == "" {
		source = keyOf(r)
	}
	if _, ok := v.From.(*request.Command); ok && source == "" {
		source = ParameterName(v)
	}
	if f, ok := v.From.(*request.FileContent); ok && source == "" {
		source = f.Name[strings.LastIndexByte(f.Name, '/')+1:]
		source, _, _ = strings.Cut(source, ".")
	}
	if s.p.Target.Facts.Everything {
		if !IsVariableName(source) || v.Name == "" {
			source = s.free(ParameterName(v))
		}
		return s.p.Bind(source, "from "+emit.Itoa(len(s.locals)))
	}
	list := Words(source)
	if len(list) == 0 || len(source) > longestName || ascii.IsDigit(list[0][0]) {
		list = Words(ComputedName(v.From))
	}
	return s.p.Bind(s.p.Target.Naming.local(list), "from "+emit.Itoa(len(s.locals))) // no two are one
}

// ComputedName returns the name of a variable for what has none.
func ComputedName(f request.From) string {
	switch f := f.(type) {
	case *request.Date:
		return "timestamp"
	case *request.UUID:
		return "unique_id"
	case *request.Hostname:
		return "hostname"
	case *request.Encoded:
		return encodedName(f)
	}
	return "content"
}

// encodedName returns the name of a variable for what is computed of a text.
func encodedName(e *request.Encoded) string {
	switch {
	case e.Key != "":
		return "signature"
	case e.Hash != "":
		return "digest"
	}
	return "encoded"
}
