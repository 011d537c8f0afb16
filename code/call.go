package code

import (
	"slices"
	"strings"

	"uncoil/request"
)

// A call is one request as a program says it: the strings as texts, and what
// curl adds unasked left out.
type call struct {
	*request.Request
	keep bool // variables stay as they were typed
	live bool // the output of commands is a variable too
	cuts bool // the language of the program has a function for the last part of a path

	places variablePlaces
	parts  []part // of texts, in one piece of memory

	url         text     // URL with its variables
	encrypts    bool     // TLS may come: by the scheme, by a variable that has it, by a redirect
	guess       bool     // the scheme is guessed, where a variable brings none
	unguessed   bool     // it would be, but for another :// further on
	unspecified phrase   // the host, where the client connects to this machine in place of 0.0.0.0 or [::]
	fields      []field  // in curl's order; not the Content-Type of a form
	removed     []string // names of fields that the client must not add
	basic       *credentials
	digest      *credentials
	negotiated  *credentials // of NTLM, Negotiate, or what the server chooses
	body        body
	exchange
}

// credentials are a user name and a password.
type credentials struct {
	user, password text
	whole          text // the variable that both are parts of, or nothing
}

// isText reports whether the credentials are UTF-8.
func (c *credentials) isText() bool { return c.user.isText() && c.password.isText() }

// colon reports whether the user name has a colon, at which a server ends it. It can
// stand in a URL, and some clients take none.
func (c *credentials) colon() bool { return strings.Contains(c.user.literals(), ":") }

// splitVariable returns the credentials that one variable holds.
func splitVariable(whole text) *credentials {
	user, password := *whole[0].variable, *whole[0].variable
	user.Encoding, password.Encoding = userPart, passwordPart
	return &credentials{text{{variable: &user}}, text{{variable: &password}}, whole}
}

// joined returns the user name, a colon and the password.
func (c *credentials) joined() text {
	if len(c.whole) > 0 {
		return c.whole
	}
	return mergeLiterals(slices.Concat(c.user, literal(":"), c.password))
}

// read reads a request.
func (c *call) read(p *program, r *request.Request) {
	r = p.target.client.spelled(r)
	c.Request, c.keep, c.live, c.cuts = r, p.options.KeepVariables, p.target.client.everything, p.target.Kind != File
	c.places = placesOf(r.Variables)
	if c.parts == nil {
		c.parts = make([]part, 0, len(r.Fields)+4) // the URL, credentials and the body
	}
	c.dropVariables()
	c.url = c.text(r.URL, "url")
	if c.url[0].variable != nil {
		if literals := c.url.literals(); schemeOf(literals) == "" {
			mark := strings.Index(literals, "://") // which programs look for
			c.guess, c.unguessed = mark < 0, mark > 0
		}
	}
	c.fields = slices.Grow(c.fields, len(r.Fields))
	for i := range r.Fields {
		c.addField(&p.target.client, &r.Fields[i], c.fieldPlace(i))
	}
	if len(r.Removed) > 0 {
		find := c.finder()
		for _, name := range r.Removed {
			if find(name) == nil { // Connection comes back with TE
				c.removed = append(c.removed, name)
			}
		}
	}
	c.readAuth()
	c.readBody(p)
	p.spellOut(c)
	c.readOptions()
	if p.target.client.specified {
		c.unspecified = c.specify(&p.target.client)
	}
	c.settleEncryption(c.follow && p.target.client.can("followRedirects"))
	p.refuseLacks(c)
}

// settleEncryption works out whether TLS may come, and drops what is said of it where
// it cannot: the files need not be there then.
func (c *call) settleEncryption(redirected bool) {
	c.encrypts = c.secure() || c.unknownScheme() || redirected
	if !c.encrypts {
		c.insecure, c.caFile, c.cert, c.key = false, nil, nil, nil
	}
}

// clear makes the call ready for another request.
func (c *call) clear() { *c = call{parts: emptied(c.parts), fields: emptied(c.fields)} }

// refuseUnwritten makes errors of what no target writes: authentication that
// takes more than a header field or Digest, form parts whose content is encoded when
// it is known, ranges of an upload whose size the command does not say, and a file of
// header fields that was not supplied, which is lost already.
func (c *call) refuseUnwritten(p *program) {
	for _, f := range c.Missing {
		if f.Role == "headers" {
			p.refuseEverywhere("cannot send the header fields of a file that was not supplied")
		}
	}
	if c.Auth != nil {
		switch scheme := c.Auth.Scheme; scheme {
		case "", "basic", "bearer", "digest":
		case "any":
			if !slices.Contains(p.target.client.auths, scheme) {
				p.refuseAt(c.Auth.Span, "lets no server choose the authentication")
			}
		default:
			if !slices.Contains(p.target.client.auths, scheme) {
				p.refuseName(c.Auth.Span, "has no authentication of this scheme", scheme)
			}
		}
	}
	if k := &p.target.client; len(c.unsplit()) == 1 && !k.format && (c.basic == nil || !k.joins) {
		p.refuse("splits no variable into a user name and a password")
	}
	if f := c.field("Content-Range"); f != nil && strings.Contains(f.value.source(), "*") && (f.from == "-C" || f.from == "-r" || strings.HasPrefix(f.from, "--")) {
		p.refuseEverywhere("does not know the size of what it uploads beforehand")
	}
	if !p.target.client.mime && slices.ContainsFunc(c.body.part, func(one formPart) bool { return one.encodesUnknown() }) {
		p.refuse("encodes no files or variables of a form")
	}
}

// requestTarget returns the target of --request-target.
func (c *call) requestTarget() text { return c.text(c.Target, "target") }

func (c *call) readAuth() {
	a := c.Auth
	if a == nil {
		return
	}
	both := &credentials{user: c.text(a.Username, "auth.username"), password: c.text(a.Password, "auth.password")}
	if a.Whole && c.cuts && !c.live && len(both.user) == 1 && hasVariable(both.user) {
		both = splitVariable(both.user)
	}
	switch a.Scheme {
	case "basic":
		for i := range c.fields {
			f := &c.fields[i]
			if f.is("Authorization") && strings.HasPrefix(f.value.source(), "Basic ") && !strings.HasPrefix(f.from, "-H") && f.from != "--header" {
				f.derived = true
				c.basic = both
			}
		}
	case "digest":
		if a.Username != "" || a.Password != "" { // curl answers no challenge without credentials
			c.digest = both
		}
	case "ntlm", "negotiate", "any", "aws-sigv4":
		c.negotiated = both
	}
}

// awsSigV4 returns the argument of --aws-sigv4. Parts that are left out at its end
// have no colons, and those before others are empty.
func (c *call) awsSigV4() text {
	var all text
	colons := ""
	for _, name := range [...]string{"provider", "provider2", "region", "service"} {
		i := slices.IndexFunc(c.Auth.Params, func(p request.Param) bool { return p.Name == name })
		if i >= 0 {
			all = append(append(all, part{literal: colons}), c.text(c.Auth.Params[i].Value, c.at("auth.params.", i, ""))...)
			colons = ""
		}
		colons += ":"
	}
	return mergeLiterals(all)
}
