package postman

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/message"
	"uncoil/internal/engine/source/word"
)

// A parameterSet holds the parameters of a way to authenticate, by name.
type parameterSet map[string]word.Word

// authenticate adds the credentials: those of the request, else of the nearest folder
// that has some.
func (r *reader) authenticate(d *draft, it *item) bool {
	offset := d.auth
	for at := &it.folder; offset == 0; at = &r.folders[at.parent] {
		offset = at.auth
		if at.parent < 0 || !r.Meter.Work(elementSteps) {
			break
		}
	}
	if offset == 0 {
		return true
	}
	r.at(offset)
	var kind word.Word
	places := make(map[string]int)
	if !r.json.Object(func(name string, _ int) bool {
		r.json.Peek()
		if name == "type" {
			return r.scalar(&kind)
		}
		places[name] = r.json.Pos()
		return r.Meter.Hold(variableSize) && r.json.Skip()
	}) {
		return false
	}
	p := make(parameterSet)
	if place := places[kind.Text]; place > 0 {
		r.at(place)
		if !r.pairs(func(one *pair) bool {
			w, ok := r.expand(one.value)
			p[one.key.Text] = w
			return ok && r.Meter.Hold(variableSize)
		}) {
			return false
		}
	}
	return r.credentials(d, kind, p)
}

// credentials adds those of one way to authenticate.
func (r *reader) credentials(d *draft, kind word.Word, p parameterSet) bool {
	switch kind.Text {
	case "", "noauth":
		return true
	case "basic", "digest", "ntlm":
		user := p["username"]
		if domain := p["domain"]; domain.Text != "" {
			both, ok := r.both(domain, `\`, user)
			if user = both; !ok {
				return false
			}
		}
		if kind.Text != "basic" {
			d.option("--"+kind.Text, kind.Span, nil)
		}
		return r.user(d, kind.Span, user, p["password"])
	case "awsv4":
		provider, ok := r.both(word.Word{Text: "aws:amz:" + p["region"].Text, Span: kind.Span}, ":", p["service"])
		if p["service"].Text == "" {
			provider.Text = strings.TrimSuffix(provider.Text, ":")
		}
		d.option("--aws-sigv4", kind.Span, &provider)
		if token := p["sessionToken"]; token.Text != "" && ok {
			ok = r.replace(d, word.Word{Text: "X-Amz-Security-Token", Span: token.Span}, token)
		}
		return ok && r.user(d, kind.Span, p["accessKey"], p["secretKey"])
	case "bearer":
		return p["token"].Text == "" || r.bearer(d, "Bearer", p["token"])
	case "oauth2":
		return r.oauth2(d, kind, p)
	case "apikey":
		return r.apiKey(d, p)
	}
	r.Warn(diag.WarnComputedAuth, kind.Span, "Postman computes these credentials when it sends the request, and curl cannot; they are left out", "")
	return true
}

// user adds a user name and a password.
func (r *reader) user(d *draft, at diag.Span, user, password word.Word) bool {
	who, ok := r.both(user, ":", password)
	who.Span = diag.Join(at, who.Span)
	if user.Span == (diag.Span{}) {
		who.Span = at
	}
	d.option("--user", at, &who)
	d.removeField("Authorization")
	return ok
}

// removeField takes a field out of the request, which authentication replaces.
func (d *draft) removeField(name string) {
	kept := d.Fields[:0]
	for _, f := range d.Fields {
		if !ascii.EqualFold(f.Name.Text, name) {
			kept = append(kept, f)
		}
	}
	d.Fields = kept
}

// bearer sets the field Authorization to a token.
func (r *reader) bearer(d *draft, prefix string, token word.Word) bool {
	var b message.Text
	if prefix != "" && !b.Add(r.Meter, prefix+" ") || !b.AddWord(r.Meter, token) {
		return false
	}
	return r.replace(d, word.Word{Text: "Authorization", Span: token.Span}, b.Word(token.Span))
}

// oauth2 adds a token that was got before.
func (r *reader) oauth2(d *draft, kind word.Word, p parameterSet) bool {
	token := p["accessToken"]
	if token.Text == "" {
		r.Warn(diag.WarnComputedAuth, kind.Span, "Postman gets a token before it sends the request; the collection has none", "add the field Authorization")
		return true
	}
	if p["addTokenTo"].Text == "queryParams" {
		return r.addQuery(d, word.Word{Text: "access_token", Span: token.Span}, token)
	}
	prefix, set := p["headerPrefix"]
	if !set {
		prefix.Text = "Bearer"
	}
	return r.bearer(d, strings.TrimSpace(prefix.Text), token)
}

// apiKey adds a key as a field, or to the query.
func (r *reader) apiKey(d *draft, p parameterSet) bool {
	key := p["key"]
	switch {
	case key.Text == "":
		return true
	case p["in"].Text == "query":
		return r.addQuery(d, key, p["value"])
	}
	return r.replace(d, key, p["value"])
}

// addQuery adds a pair to the query.
func (r *reader) addQuery(d *draft, name, value word.Word) bool {
	var b message.Text
	escape := func(known string, _ int) string { return escaped(known, false) }
	return r.Meter.Hold(4*(len(name.Text)+len(value.Text))) && b.AddWord(r.Meter, name) && b.Add(r.Meter, "=") &&
		b.AddEach(r.Meter, value, escape) && meter.Append(r.Meter, &d.query, b.Word(value.Span))
}
