package rewrite

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"

	"uncoil/code/internal/plan"
	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/envname"
	"uncoil/internal/engine/redact"
	"uncoil/internal/engine/reqtext"
	"uncoil/request"
)

// A mover puts variables in the place of the secrets of requests.
type mover struct {
	Names   map[string]string // of the variables, by what they are named after and what they hold
	taken   map[string]bool
	last    map[string]int // the last number of each name
	notes   diag.List
	sources reqtext.Sources
	texts   redact.Sources

	values []string // that are moved
	of     []int    // which of the notes names the variable of each

	pairs map[string]request.Variable // of the request at hand, by the name and the decoded value of a pair
}

// MoveSecrets returns the requests with variables in the place of passwords,
// tokens, cookies and other secrets. A warning with the code
// [diag.WarnSecretMoved] names each variable, and does not repeat the secret. A
// secret in JSON that is no string stays, and one that holds a variable already.
func MoveSecrets(requests []request.Request) ([]request.Request, diag.List) {
	out, notes, _ := Move(requests)
	return out, notes
}

// Move is MoveSecrets, and returns the secrets too. A note names the places that still have
// one, because nothing there makes it a secret.
func Move(requests []request.Request) ([]request.Request, diag.List, Moved) {
	m := NewMover(requests)
	out := slices.Clone(requests)
	for i := range out {
		m.Request(&out[i])
	}
	left := Moved{redact.NewFinder(m.values), m.of}
	for i := range out {
		reqtext.Rewrite(&out[i], func(s *reqtext.String) {
			switch s.Member {
			case request.MemberQueryName, request.MemberQueryValue, request.MemberFormName, request.MemberFormValue:
				return // the URL and the content have them
			}
			left.Left(m.notes, inOf(s), s.Value, false)
		})
	}
	return out, m.notes, left
}

// stands is said of a place that still has a secret.
const stands = "; it also stands elsewhere in "

// Moved are secrets that variables stand for.
type Moved struct {
	redact.Finder
	of []int // which of the warnings names the variable of each
}

// Left says in the notes that a text still has a secret, and what that text is: a place of the
// request, which a note has once, or what is made of the requests, where it has no place.
func (m Moved) Left(notes diag.List, what, text string, isMade bool) {
	m.Find(text, func(i int, _ redact.Span) {
		note := &notes[m.of[i]]
		if said := note.Message + ";"; !isMade && !strings.Contains(said, stands+what+";") || isMade && !strings.Contains(said, stands) {
			note.Message += stands + what
		}
	})
}

// NewMover returns a mover that uses no variable that the requests have.
func NewMover(requests []request.Request) *mover {
	m := &mover{Names: make(map[string]string), last: make(map[string]int), sources: make(reqtext.Sources), texts: make(redact.Sources), taken: map[string]bool{"PWD": true, "OLDPWD": true}} // the shell's own
	for i := range requests {
		reqtext.EachVariable(requests[i].Variables, func(v *request.Variable) { m.taken[v.Name] = true })
	}
	return m
}

// Request moves the secrets of one request. The variables of its credentials come
// first, because a field may hold these in Base64.
func (m *mover) Request(r *request.Request) {
	m.pairs = make(map[string]request.Variable)
	auth := request.Request{Auth: r.Auth, Variables: r.Variables}
	reqtext.Rewrite(&auth, func(s *reqtext.String) { m.replace(&auth, s) })
	reqtext.Rewrite(r, func(s *reqtext.String) {
		switch {
		case s.Member == request.MemberQueryValue || s.Member == request.MemberFormValue:
			m.pair(r, s)
		case s.Member == request.MemberPartContent: // the program reads the file
		case redact.Derived(r, s):
			derive(s, &auth)
		default:
			m.replace(r, s)
		}
	})
	m.sources.Rewrite(r, m.moveSource)
}

// moveSource moves the secrets that a value is computed of: the key of an HMAC, and the password
// of credentials in Base64.
func (m *mover) moveSource(e *request.Encoded) {
	secrets := redact.EncodedSecrets(e)
	e.Key, e.KeyVariables = m.moveLiterals(secrets, e.Key, e.KeyVariables, 0, "hmac key", "the key of an HMAC")
	if start, ok := redact.PasswordOf(e); ok {
		e.Text, e.Variables = m.moveLiterals(secrets, e.Text, e.Variables, start, "password", "credentials in Base64")
	}
}

// moveLiterals moves the secrets around the variables of a text from an offset on, and the
// defaults of these.
func (m *mover) moveLiterals(secrets []string, text string, variables []request.Variable, start int, name, in string) (string, []request.Variable) {
	t := reqtext.Text{Value: text, Variables: variables}
	var b reqtext.Builder
	b.Keep(t, 0, start)
	literal := func(s string) {
		if !slices.Contains(secrets, s) {
			b.Add(s)
			return
		}
		v := m.variable(name, s, in)
		v.In, v.Encoding = "", request.EncodingNone
		b.AddVariable(v)
	}
	for _, v := range variables {
		if v.Start < start {
			continue
		}
		literal(text[start:v.Start])
		start = v.End
		if v.Default != "" && v.Name != "" {
			m.dropDefault(&v, in)
		}
		b.AddVariable(v)
	}
	literal(text[start:])
	moved := b.Text()
	return moved.Value, moved.Variables
}

// derive writes the field that curl makes of credentials.
func derive(s *reqtext.String, of *request.Request) {
	n := len(of.Variables)
	if n == 0 {
		return
	}
	v := of.Variables[n-1]
	scheme, _, _ := strings.Cut(s.Value, " ")
	switch scheme {
	case "Basic":
		s.Value = scheme + " " + base64.StdEncoding.EncodeToString([]byte(of.Auth.Username+":"+of.Auth.Password))
		v.Encoding = request.EncodingBase64
	case "Bearer":
		s.Value = scheme + " " + of.Auth.Token
	default:
		return
	}
	v.Start, v.End = len(scheme+" "), len(s.Value)
	s.Variables = []request.Variable{v}
}

// findsIn returns the secrets in a string. Several cookies are one.
func findsIn(r *request.Request, s *reqtext.String) []redact.Find {
	finds := redact.Finds(r, s)
	if len(finds) < 2 || s.Member != request.MemberFieldValue && s.Member != request.MemberFieldLine || !ascii.EqualFold(s.Name, "Cookie") {
		return finds
	}
	start := max(0, len(s.Value)-len(r.Fields[s.Index].Value)) // of the value in the line
	return []redact.Find{{Span: redact.Span{Start: start, End: len(s.Value)}, Name: "cookies"}}
}

// inOf returns the member of the description that has a string, as
// [request.Variable] does.
func inOf(s *reqtext.String) string {
	switch s.Member {
	case request.MemberTarget:
		return "requestTarget"
	case request.MemberFieldValue, request.MemberFieldLine:
		return "headers." + s.Name
	case request.MemberPieceText:
		return "body"
	case request.MemberPartValue, request.MemberPartFilename, request.MemberPartHeader:
		return "body." + s.Name
	case request.MemberOption:
		return "options." + s.Option
	}
	return s.Place.String()
}

// An encoding decides how a secret, as it is spelled, is encoded, and returns
// what it stands for.
type encoding func(spelled string) (value string, e request.Encoding)

func asSpelled(spelled string) (string, request.Encoding) { return spelled, request.EncodingNone }

// queryEncoding is the encoding in a URL.
func queryEncoding(spelled string) (string, request.Encoding) {
	if !strings.ContainsAny(spelled, "%+") {
		return spelled, request.EncodingNone
	}
	return pairEncoding(spelled)
}

// pairEncoding is the encoding in a form.
func pairEncoding(spelled string) (string, request.Encoding) {
	if value := ascii.Decoded(spelled, true); spelled == string(plan.EncodeQuotePlus.Escape(nil, value)) {
		return value, request.EncodingForm
	}
	return spelled, request.EncodingNone
}

// encodingOf returns the encoding in a string.
func encodingOf(r *request.Request, s *reqtext.String) encoding {
	switch s.Member {
	case request.MemberURL, request.MemberTarget:
		return queryEncoding
	case request.MemberPieceText:
		return pairEncoding
	case request.MemberBody:
		if r.Body.Kind == request.KindForm {
			return pairEncoding
		}
	}
	return asSpelled
}

// replace puts variables in the place of the secrets in a string. A secret that holds a
// variable already stays.
func (m *mover) replace(r *request.Request, s *reqtext.String) {
	m.dropDefaults(r, s)
	finds := findsIn(r, s)
	if len(finds) == 0 {
		return
	}
	encode, in := encodingOf(r, s), inOf(s)
	var b reqtext.Builder
	copied := 0
	for _, f := range finds {
		if f.End <= f.Start || s.Between(f.Start, f.End) {
			continue
		}
		b.Keep(s.Text, copied, f.Start)
		copied = f.End
		value, e := encode(s.Value[f.Start:f.End])
		place := in
		if e == request.EncodingNone && strings.ContainsAny(value, `%\`) && (in == "url" || in == "body") {
			place += ", as it is encoded there"
		}
		v := m.variable(f.Name, value, place)
		v.Encoding = e
		b.AddVariable(v)
		m.pairs[f.Name+"="+ascii.Decoded(s.Value[f.Start:f.End], true)] = v
	}
	b.Keep(s.Text, copied, len(s.Value))
	s.Text = b.Text()
}

// dropDefaults leaves out the default of a variable that stands for a secret, or looks like
// one: ${PASSWORD:-hunter2} is $PASSWORD. A command whose text has a secret is a variable for
// what it prints.
func (m *mover) dropDefaults(r *request.Request, s *reqtext.String) {
	if len(s.Variables) == 0 || !slices.ContainsFunc(s.Variables, func(v request.Variable) bool { return v.Name == "" || v.Default != "" || v.Computed }) {
		return
	}
	finds := redact.Finds(r, s)
	var b reqtext.Builder
	copied := 0
	for _, v := range s.Variables {
		if v.Encoding == request.EncodingBase64 {
			continue
		}
		stands := slices.ContainsFunc(finds, func(f redact.Find) bool { return f.Start < v.End && v.Start < f.End })
		secrets := m.texts.Within(&v, stands)
		if len(secrets) == 0 {
			continue
		}
		b.Keep(s.Text, copied, v.Start)
		copied = v.End
		if v.Name != "" {
			m.dropDefault(&v, inOf(s))
		} else {
			m.dropCommand(&v, secrets, inOf(s))
		}
		b.AddVariable(v)
	}
	b.Keep(s.Text, copied, len(s.Value))
	s.Text = b.Text()
}

// dropDefault leaves out what a shell takes in place of the value of a variable.
func (m *mover) dropDefault(v *request.Variable, in string) {
	if key := v.Name + ":-" + v.Expr; m.Names[key] == "" {
		m.Names[key] = v.Name
		m.note(m.texts.Within(v, true), "the variable "+v.Name+" stands for a secret in "+in+", without its default")
	}
	v.Expr, v.Default, v.HasDefault, v.Computed = "$"+v.Name, "", false, false
}

// dropCommand puts a variable in the place of a command. What is computed of the text of one is
// still known: a program may do so.
func (m *mover) dropCommand(v *request.Variable, secrets []string, in string) {
	key := "$(" + v.Expr
	if m.Names[key] == "" {
		name := plan.ParameterName(v)
		if _, ok := v.From.(*request.Encoded); ok {
			name = strings.ToUpper(plan.ComputedName(v.From))
		}
		m.Names[key] = m.free(name)
		m.note(secrets, "the variable "+m.Names[key]+" stands for a command that has a secret in "+in)
	}
	v.Name = m.Names[key]
	v.Expr = "$" + v.Name
}

// note adds a warning about the variable for some secrets.
func (m *mover) note(secrets []string, message string) {
	for _, one := range secrets {
		m.values, m.of = append(m.values, one), append(m.of, len(m.notes))
	}
	m.notes.Warn(diag.WarnSecretMoved, diag.Span{}, message, "")
}

// free returns a name that no variable has.
func (m *mover) free(base string) string {
	name := base
	for n := max(m.last[base], 1); m.taken[name]; {
		n++
		name, m.last[base] = base+"_"+strconv.Itoa(n), n
	}
	m.taken[name] = true
	return name
}

// variable returns the variable for a secret, which is a new one unless the same
// secret had the same name before.
func (m *mover) variable(name, value, in string) request.Variable {
	base := variableName(name)
	key := base + "=" + value
	known, ok := m.Names[key]
	if !ok {
		known = m.free(base)
		m.Names[key] = known
		m.note([]string{value}, "the variable "+known+" stands for a secret in "+in)
	}
	return request.Variable{Name: known, Expr: "$" + known, In: in}
}

// variableName returns a name of an environment variable: clientSecret is
// CLIENT_SECRET.
func variableName(name string) string {
	s := envname.Of(name)
	switch {
	case s == "":
		return "SECRET"
	case s == "PWD":
		return "PASSWORD"
	case ascii.IsDigit(s[0]):
		return "SECRET_" + s
	}
	return s
}

// pair moves the secret of a decoded pair, all of which are in the URL or in the
// content, too.
func (m *mover) pair(r *request.Request, s *reqtext.String) {
	if len(s.Variables) > 0 {
		m.dropDefaults(r, s)
		return
	}
	var b reqtext.Builder
	v, ok := m.pairs[s.Name+"="+s.Value]
	if !ok {
		v, ok = m.pairs["="+s.Value] // known by its look
	}
	if ok {
		b.AddVariable(v)
		s.Text = b.Text()
		return
	}
	copied := 0
	for _, f := range redact.Finds(r, s) { // known by their look
		if v, ok := m.pairs[f.Name+"="+s.Value[f.Start:f.End]]; ok {
			b.Keep(s.Text, copied, f.Start)
			b.AddVariable(v)
			copied = f.End
		}
	}
	b.Keep(s.Text, copied, len(s.Value))
	s.Text = b.Text()
}
