package rewrite

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/redact"
	"uncoil/request"
)

// A mover puts variables in the place of the secrets of requests.
type mover struct {
	Names map[string]string // of the variables, by what they are named after and what they hold
	taken map[string]bool
	notes diag.List

	// Of the request at hand.
	old   plan.VariablePlaces
	new   request.Variables
	read  map[string]bool             // the places whose variables are in new
	pairs map[string]request.Variable // by the name and the decoded value of a pair
}

// MoveSecrets returns the requests with variables in the place of passwords,
// tokens, cookies and other secrets. A warning with the code
// [diag.WarnSecretMoved] names each variable, and does not repeat the secret. A
// secret in JSON that is no string stays, and one that holds a variable already.
func MoveSecrets(requests []request.Request) ([]request.Request, diag.List) {
	m := NewMover(requests)
	out := slices.Clone(requests)
	for i := range out {
		m.Request(&out[i])
	}
	return out, m.notes
}

// NewMover returns a mover that uses no variable that the requests have.
func NewMover(requests []request.Request) *mover {
	m := &mover{Names: make(map[string]string), taken: map[string]bool{"PWD": true, "OLDPWD": true}} // the shell's own
	for i := range requests {
		for _, v := range requests[i].Variables {
			m.taken[v.Name] = true
		}
	}
	return m
}

func (m *mover) Request(r *request.Request) {
	m.old, m.new, m.read, m.pairs = plan.PlacesOf(r.Variables), nil, make(map[string]bool), make(map[string]request.Variable)
	m.auth(r)
	r.URL = m.replace(r.URL, redact.URL(r.URL), "url", "url", queryEncoding)
	r.Query = m.params(r.Query, "query")
	m.fields(r)
	if r.Body != nil {
		body := *r.Body
		m.body(&body)
		r.Body = &body
	}
	r.Options = slices.Clone(r.Options)
	for i := range r.Options {
		o := &r.Options[i]
		at := "options." + o.Name
		switch value := o.Value.(type) {
		case string:
			o.Value = m.replace(value, redact.Option(o.Name, value), at, at, nil)
		case []string:
			list := slices.Clone(value)
			for j, s := range list {
				finds := redact.Option(o.Name, s)
				if o.Name == "proxyHeaders" {
					finds = lineFinds(s)
				}
				list[j] = m.replace(s, finds, at+"."+emit.Itoa(j), at, nil)
			}
			o.Value = list
		}
	}
	for _, v := range m.old.List {
		if !m.read[v.At] {
			m.new = append(m.new, v)
		}
	}
	r.Variables = m.new
}

// lineFinds returns the secrets in a header line.
func lineFinds(line string) []redact.Find {
	name, value, found := strings.Cut(line, ":")
	if !found {
		return redact.Text(line)
	}
	value = strings.TrimLeft(value, " ")
	return shifted(redact.Field(strings.TrimSpace(name), value), len(line)-len(value))
}

func shifted(finds []redact.Find, n int) []redact.Find {
	for i := range finds {
		finds[i].Start += n
		finds[i].End += n
	}
	return finds
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

// replace returns a string of the model with variables in the place of its
// secrets. at and in name the string as [request.Variable] does. A secret that
// holds a variable already stays.
func (m *mover) replace(s string, finds []redact.Find, at, in string, encode encoding) string {
	old := m.old.In(at)
	if len(finds) == 0 {
		return s
	}
	m.read[at] = true
	if encode == nil {
		encode = asSpelled
	}
	var out []byte
	copied := 0
	keep := func(end int) { // the text up to here, with its variables
		for len(old) > 0 && old[0].Start < end {
			v := old[0]
			v.Start, v.End = v.Start-copied+len(out), v.End-copied+len(out)
			m.new = append(m.new, v)
			old = old[1:]
		}
		out = append(out, s[copied:end]...)
		copied = end
	}
	for _, f := range finds {
		holds := func(v request.Variable) bool { return v.Start < f.End && f.Start < v.End }
		if f.End <= f.Start || slices.ContainsFunc(old, holds) {
			continue
		}
		keep(f.Start)
		value, e := encode(s[f.Start:f.End])
		if e == request.EncodingNone && strings.ContainsAny(value, `%\`) && (at == "url" || at == "body") {
			in += ", as it is encoded there"
		}
		v := m.variable(f.Name, value, in)
		v.At, v.Start, v.Encoding = at, len(out), e
		out = append(out, v.Expr...)
		v.End = len(out)
		m.new = append(m.new, v)
		m.pairs[f.Name+"="+ascii.Decoded(s[f.Start:f.End], true)] = v
		copied = f.End
	}
	keep(len(s))
	return string(out)
}

// variable returns the variable for a secret, which is a new one unless the same
// secret had the same name before.
func (m *mover) variable(name, value, in string) request.Variable {
	base := variableName(name)
	key := base + "=" + value
	known, ok := m.Names[key]
	if !ok {
		known = base
		for n := 2; m.taken[known]; n++ {
			known = base + "_" + strconv.Itoa(n)
		}
		m.taken[known], m.Names[key] = true, known
		m.notes.Warn(diag.WarnSecretMoved, diag.Span{}, "the variable "+known+" stands for a secret in "+in, "")
	}
	return request.Variable{Name: known, Expr: "$" + known, In: in}
}

// variableName returns a name of an environment variable: clientSecret is
// CLIENT_SECRET.
func variableName(name string) string {
	var b []byte
	for i := range len(name) {
		c := name[i]
		switch {
		case !ascii.IsLetter(c) && !ascii.IsDigit(c):
			c = '_'
		case i > 0 && c >= 'A' && c <= 'Z' && name[i-1] >= 'a' && name[i-1] <= 'z':
			b = append(b, '_')
		case c >= 'a' && c <= 'z':
			c -= 'a' - 'A'
		}
		if c != '_' || len(b) > 0 && b[len(b)-1] != '_' {
			b = append(b, c)
		}
	}
	s := strings.TrimSuffix(string(b), "_")
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

// all is a secret that is the whole of a string.
func all(s, name string) []redact.Find {
	return []redact.Find{{Span: redact.Span{End: len(s)}, Name: name}}
}

// auth moves the secrets of credentials.
func (m *mover) auth(r *request.Request) {
	if r.Auth == nil {
		return
	}
	a := *r.Auth
	a.Username = m.replace(a.Username, redact.Text(a.Username), "auth.username", "auth.username", nil)
	a.Password = m.replace(a.Password, all(a.Password, "password"), "auth.password", "auth.password", nil)
	a.Token = m.replace(a.Token, all(a.Token, "token"), "auth.token", "auth.token", nil)
	r.Auth = &a
}

// fields moves the secrets of header fields.
func (m *mover) fields(r *request.Request) {
	r.Fields = slices.Clone(r.Fields)
	for i := range r.Fields {
		f := &r.Fields[i]
		at, in := "headers."+emit.Itoa(i)+".value", "headers."+f.Name
		if f.Origin == request.OriginImplied && f.Name == "Authorization" {
			m.credentials(r, f, at)
			continue
		}
		finds := redact.Field(f.Name, f.Value)
		if ascii.EqualFold(f.Name, "Cookie") && len(finds) > 1 {
			finds = all(f.Value, "cookies")
		}
		value := m.replace(f.Value, slices.Clone(finds), at, in, nil)
		if n := len(f.Line) - len(f.Value); n > 0 && f.Line[n:] == f.Value {
			f.Line = m.replace(f.Line, shifted(finds, n), "headers."+emit.Itoa(i)+".line", in, nil)
		}
		f.Value = value
	}
}

// credentials writes the field that curl derives from credentials.
func (m *mover) credentials(r *request.Request, f *request.Field, at string) {
	scheme, _, _ := strings.Cut(f.Value, " ")
	var parts []request.Variable
	for _, v := range m.new {
		if strings.HasPrefix(v.At, "auth.") {
			parts = append(parts, v)
		}
	}
	if len(parts) == 0 || r.Auth == nil {
		return
	}
	m.read[at] = true
	v := parts[len(parts)-1]
	v.At, v.Start = at, len(scheme+" ")
	switch {
	case scheme == "Basic":
		f.Value = scheme + " " + base64.StdEncoding.EncodeToString([]byte(r.Auth.Username+":"+r.Auth.Password))
		v.Encoding = request.EncodingBase64
	case scheme == "Bearer":
		f.Value = scheme + " " + r.Auth.Token
	default:
		return
	}
	v.End = len(f.Value)
	m.new = append(m.new, v)
}

// params moves the secrets of decoded pairs, all of which are in the URL or in
// the content, too.
func (m *mover) params(params []request.Param, at string) []request.Param {
	out := slices.Clone(params)
	for i := range out {
		p := &out[i]
		at := at + "." + emit.Itoa(i) + ".value"
		v, ok := m.pairs[p.Name+"="+p.Value]
		if !ok || len(m.old.In(at)) > 0 {
			continue
		}
		v.At, v.Start, v.End = at, 0, len(v.Expr)
		p.Value = v.Expr
		m.new = append(m.new, v)
	}
	return out
}

func (m *mover) body(b *request.Body) {
	switch b.Kind {
	case request.KindJSON:
		b.Data = m.replace(b.Data, redact.JSON(b.Data), "body", "body", nil)
	case request.KindForm:
		b.Data = m.replace(b.Data, redact.Form(b.Data), "body", "body", pairEncoding)
		b.Fields = m.params(b.Fields, "body.fields")
	case request.KindText, request.KindBinary:
		b.Data = m.replace(b.Data, redact.Text(b.Data), "body", "body", nil)
	case request.KindMultipart:
		b.Parts = m.parts(b.Parts, "body.parts")
	case request.KindConcat:
		b.Pieces = slices.Clone(b.Pieces)
		for i := range b.Pieces {
			p := &b.Pieces[i]
			p.Text = m.replace(p.Text, redact.Form(p.Text), "body.pieces."+emit.Itoa(i)+".text", "body", pairEncoding)
		}
	}
}

func (m *mover) parts(parts []request.Part, at string) []request.Part {
	out := slices.Clone(parts)
	for i := range out {
		p := &out[i]
		at := at + "." + emit.Itoa(i)
		finds := redact.Content(p.Value)
		if redact.Secret(p.Name) {
			finds = all(p.Value, p.Name)
		}
		p.Value = m.replace(p.Value, finds, at+".value", "body."+p.Name, nil)
		if p.Filename != nil {
			name := m.replace(*p.Filename, redact.Text(*p.Filename), at+".filename", "body."+p.Name, nil)
			p.Filename = &name
		}
		p.Headers = slices.Clone(p.Headers)
		for j, line := range p.Headers {
			p.Headers[j] = m.replace(line, lineFinds(line), at+".headers."+emit.Itoa(j), "body."+p.Name, nil)
		}
		p.Parts = m.parts(p.Parts, at+".parts")
	}
	return out
}
