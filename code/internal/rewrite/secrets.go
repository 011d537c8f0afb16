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

	values []Moved // in the order of the notes

	pairs map[string]request.Variable // of the request at hand, by the name and the decoded value of a pair
}

// A Moved is a secret that a variable stands for, as one place spells it.
type Moved struct {
	Value string
	note  int // which of the warnings names the variable
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
func Move(requests []request.Request) ([]request.Request, diag.List, Finder) {
	m := NewMover(requests)
	out := slices.Clone(requests)
	for i := range out {
		m.Request(&out[i])
	}
	left := search(m.values)
	for i := range out {
		reqtext.Rewrite(&out[i], func(s *reqtext.String) {
			for _, one := range left.In(s.Value) {
				note := &m.notes[one.note]
				if place := inOf(s); !strings.HasSuffix(note.Message, stands+place) {
					note.Message += stands + place
				}
			}
		})
	}
	return out, m.notes, left
}

// stands is said of a place that still has a secret.
const stands = "; it also stands elsewhere in "

// searched is how many bytes a secret has at least that is looked for: shorter ones are parts
// of other words.
const searched = 8

// A Finder looks for secrets in a text, in time linear in it.
type Finder map[string][]Moved

func search(values []Moved) Finder {
	f := make(Finder, len(values))
	for _, one := range values {
		if len(one.Value) >= searched {
			if same := f[one.Value[:searched]]; len(same) < searched {
				f[one.Value[:searched]] = append(same, one)
			}
		}
	}
	return f
}

// In returns the secrets that a text has, each once.
func (f Finder) In(text string) (found []Moved) {
	if len(f) == 0 {
		return nil
	}
	for i := range max(0, len(text)-searched+1) {
		for _, one := range f[text[i:i+searched]] {
			if strings.HasPrefix(text[i:], one.Value) && !slices.Contains(found, one) {
				found = append(found, one)
			}
		}
	}
	return found
}

// Left says in the notes that a text, which is what a program or another message is, still has
// a secret.
func (f Finder) Left(notes diag.List, what, text string) {
	for _, one := range f.In(text) {
		if note := &notes[one.note]; !strings.Contains(note.Message, stands) {
			note.Message += stands + what
		}
	}
}

// NewMover returns a mover that uses no variable that the requests have.
func NewMover(requests []request.Request) *mover {
	m := &mover{Names: make(map[string]string), last: make(map[string]int), sources: make(reqtext.Sources), taken: map[string]bool{"PWD": true, "OLDPWD": true}} // the shell's own
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
	m.sources.Rewrite(r, m.moveKey)
}

// moveKey moves the key of an HMAC that holds no variable.
func (m *mover) moveKey(e *request.Encoded) {
	if e.Key == "" || len(e.KeyVariables) > 0 {
		return
	}
	v := m.variable("hmac key", e.Key, "the key of an HMAC")
	v.In, v.End, v.Encoding = "", len(v.Expr), request.EncodingNone
	e.Key, e.KeyVariables = v.Expr, []request.Variable{v}
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
// one: ${PASSWORD:-hunter2} is $PASSWORD.
func (m *mover) dropDefaults(r *request.Request, s *reqtext.String) {
	if !slices.ContainsFunc(s.Variables, func(v request.Variable) bool { return v.Default != "" && v.Name != "" }) {
		return
	}
	finds := redact.Finds(r, s)
	var b reqtext.Builder
	copied := 0
	for _, v := range s.Variables {
		secret := len(redact.Text(v.Default)) > 0 || slices.ContainsFunc(finds, func(f redact.Find) bool { return f.Start < v.End && v.Start < f.End })
		if v.Default == "" || v.Name == "" || v.Encoding == request.EncodingBase64 || !secret {
			continue
		}
		b.Keep(s.Text, copied, v.Start)
		copied = v.End
		if key := v.Name + ":-" + v.Default; m.Names[key] == "" {
			m.Names[key] = v.Name
			m.values = append(m.values, Moved{v.Default, len(m.notes)})
			m.notes.Warn(diag.WarnSecretMoved, diag.Span{}, "the variable "+v.Name+" stands for a secret in "+inOf(s)+", without its default", "")
		}
		v.Expr, v.Default, v.HasDefault = "$"+v.Name, "", false
		b.AddVariable(v)
	}
	b.Keep(s.Text, copied, len(s.Value))
	s.Text = b.Text()
}

// variable returns the variable for a secret, which is a new one unless the same
// secret had the same name before.
func (m *mover) variable(name, value, in string) request.Variable {
	base := variableName(name)
	key := base + "=" + value
	known, ok := m.Names[key]
	if !ok {
		known = base
		for n := max(m.last[base], 1); m.taken[known]; {
			n++
			known, m.last[base] = base+"_"+strconv.Itoa(n), n
		}
		m.taken[known], m.Names[key] = true, known
		if value != known && !redact.Secret(value) { // a placeholder is the name of a secret
			m.values = append(m.values, Moved{value, len(m.notes)})
		}
		m.notes.Warn(diag.WarnSecretMoved, diag.Span{}, "the variable "+known+" stands for a secret in "+in, "")
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
	if v, ok := m.pairs[s.Name+"="+s.Value]; ok {
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
