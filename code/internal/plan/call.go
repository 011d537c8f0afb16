package plan

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/internal/engine/reqtext"
	"uncoil/internal/engine/urlparts"
	"uncoil/request"
)

// A Call is one request as a program says it: the strings as texts, and what
// curl adds unasked left out.
type Call struct {
	*request.Request
	Keep  bool // variables stay as they were typed
	exact bool // the style is
	live  bool // the output of commands is a variable too
	value bool // parameters and what stands for placeholders are values
	cuts  bool // the language of the program has a function for the last part of a path

	places reqtext.Index
	parts  []Part // of texts, in one piece of memory

	URLText     Text        // URL with its variables
	Encrypts    bool        // TLS may come: by the scheme, by a variable that has it, by a redirect
	Guess       bool        // the scheme is guessed, where a variable brings none
	unguessed   bool        // it would be, but for another :// further on
	unspecified emit.Phrase // the host, where the client connects to this machine in place of 0.0.0.0 or [::]
	headers     []Field     // in curl's order; not the Content-Type of a form
	listed      bool        // the program writes them: see Headers
	Withheld    []string    // names of fields that the client must not add
	Basic       *Credentials
	Digest      *Credentials
	Negotiated  *Credentials // of NTLM, Negotiate, or what the server chooses
	Content     body
	exposes     emit.Phrase      // a credential that the client would take to any host; "": none
	Asked       exchange         // what it asks for beside the request: by reading it a room says nothing
	taken       []bool           // which of the options the program says
	dropped     []request.Option // that take no variable in a program
	Unnamed     bool             // the bytes of the form lack a file name that is implied
	joined      *Field           // has another one's value beside its own, and may have one only
	once        *Field           // has the value of one before it, and is left out
	keeps       bool             // the program says whether cookies of a response go with later requests
	cookieless  bool             // the program keeps its client from sending cookies of a response
	jar         *Jar             // that it shares with others, or nil
	fromJar     bool             // it reads a file of cookies that an earlier request writes
	takesJar    bool             // the program sends the cookies of the jar
	printsBytes bool             // the content goes to the standard output as it is
	headSaved   bool             // the file of the output has the head of the response
	joinsJar    bool             // and those of a field beside them
	mixes       bool             // it reads files of which the program keeps some in its memory
	mingles     bool             // the client would send it the cookies of another jar
	isSigned    bool             // a hash may be that of the content, whose bytes matter then
	accepted    []emit.Phrase    // what a person would accept: see Program.Accept
	failsLate   bool             // the program was asked whether it fails after the content
	passes      bool             // the program gives the password of the key
	silent      bool             // the function returns what another call gives
	decodes     bool             // the program decodes the content of its response
	yields      bool             // the function returns no status: it gives its content piece by piece, or knows none
	respelled   bool             // the URL of the program is another spelling of curl's
	verbatim    bool             // the program keeps the client from spelling the URL anew
	holdsJSON   bool             // the program has JSON content as a value
	otherJSON   bool             // it spells JSON otherwise
	streams     bool             // the program prints content as it comes, if it comes in pieces
	otherForm   bool             // and form pairs
	leavesType  bool             // a helper of the client names the type of a form
	deleted     FieldNames       // fields of the client's own that the program takes away
	addsCharset bool             // a helper of the client names a charset beside the type
	joins       bool             // fields of one name are joined
	groups      bool             // those of one name stand together
	stays       bool             // it follows no redirects, because of what the request has
	leading     string           // the order of its fields, in place of that of the client
	forgets     bool             // curl forgets the cookies of the response, and a later request reads the jar
	turn        turn             // what the program does with whether the call fails
	feeds
}

// Credentials are a user name and a password.
type Credentials struct {
	User, Password Text
	whole          Text // the variable that both are parts of, or nothing
}

// IsText reports whether the credentials are UTF-8.
func (c *Credentials) IsText() bool { return c.User.IsText() && c.Password.IsText() }

// Colon reports whether the user name has a colon, at which a server ends it. It can
// stand in a URL, and some clients take none.
func (c *Credentials) Colon() bool { return strings.Contains(c.User.Literals(), ":") }

// splitVariable returns the credentials that one variable holds.
func splitVariable(whole Text) *Credentials {
	user, password := *whole[0].Variable, *whole[0].Variable
	user.Encoding, password.Encoding = UserPart, PasswordPart
	return &Credentials{Text{{Variable: &user}}, Text{{Variable: &password}}, whole}
}

// Joined returns the user name, a colon and the password.
func (c *Credentials) Joined() Text {
	if len(c.whole) > 0 {
		return c.whole
	}
	return MergeLiterals(slices.Concat(c.User, Literal(":"), c.Password))
}

// read reads a request.
func (c *Call) read(p *Program, r *request.Request) {
	given := r
	r = p.Target.Facts.Spelled(r)
	c.Request, c.Keep, c.live, c.cuts = r, p.Options.KeepVariables, p.Target.Facts.Everything, p.Target.Kind != File
	c.exact, c.value = p.Exact(), p.TakesValues()
	c.respelled = given != r && !p.Target.Facts.Everything && afterAuthority(given.URL) != afterAuthority(r.URL)
	c.places = reqtext.IndexOf(r.Variables)
	if c.parts == nil {
		c.parts = make([]Part, 0, len(r.Fields)+4) // the URL, credentials and the body
	}
	c.dropVariables()
	c.taken = append(c.taken[:0], make([]bool, len(c.Options))...)
	c.URLText = c.Text(r.URL, reqtext.At(request.MemberURL, 0))
	if c.URLText[0].Variable != nil {
		if literals := c.URLText.Literals(); urlparts.Scheme(literals) == "" {
			mark := strings.Index(literals, "://") // which programs look for
			c.Guess, c.unguessed = mark < 0, mark > 0
		}
	}
	c.headers = slices.Grow(c.headers, len(r.Fields))
	for i := range r.Fields {
		c.addField(&p.Target.Facts, &r.Fields[i], reqtext.At(request.MemberFieldValue, i))
	}
	if len(r.Removed) > 0 {
		find := c.Finder()
		for _, name := range r.Removed {
			if find(name) == nil { // Connection comes back with TE
				c.Withheld = append(c.Withheld, name)
			}
		}
	}
	c.readAuth()
	c.readBody(p)
	p.spellOut(c)
	c.readOptions()
	c.readKeyPassword()
	if p.Target.Facts.Specified != NoDetour {
		c.unspecified = c.specify(&p.Target.Facts)
	}
	if !c.live {
		c.keepTo(&p.Target.Facts)
	}
	c.settleEncryption(c.Asked.Follow)
	p.refuseOthers(c)
}

// settleEncryption works out whether TLS may come, and drops what is said of it where
// it cannot: the files need not be there then.
func (c *Call) settleEncryption(redirected bool) {
	c.Encrypts = c.Secure() || c.UnknownScheme() || redirected
	if !c.Encrypts {
		c.Asked.Insecure, c.Asked.CaFile, c.Asked.Cert, c.Asked.Key = false, nil, nil, nil
	}
}

// clear makes the call ready for another request.
func (c *Call) clear() {
	*c = Call{parts: emit.Emptied(c.parts), headers: emit.Emptied(c.headers), taken: c.taken[:0]}
}

// refuseUnwritten makes errors of what no target writes: authentication that
// takes more than a header field or Digest, form parts whose content is encoded when
// it is known, ranges of an upload whose size the command does not say, and a file of
// header fields that was not supplied, which is lost already.
func (p *Program) refuseUnwritten(c *Call) {
	for _, f := range c.Missing {
		if f.Role == "headers" {
			p.refuseEverywhere("cannot send the header fields of a file that was not supplied")
		}
	}
	if c.Auth != nil {
		switch scheme := c.Auth.Scheme; scheme {
		case "", "basic", "bearer", "digest":
		case "any":
			if !slices.Contains(p.Target.Facts.Auths, scheme) {
				p.RefuseAt(c.Auth.Span, "has no --anyauth")
			}
		default:
			if !slices.Contains(p.Target.Facts.Auths, scheme) {
				p.RefuseName(c.Auth.Span, "is not set up for authentication of this scheme", scheme)
			}
		}
	}
	if k := &p.Target.Facts; len(c.Unsplit()) == 1 && !k.Format && (c.Basic == nil || !k.Joins) {
		p.Refuse("splits no variable into a user name and a password")
	}
	if f := c.Field("Content-Range"); f != nil && strings.Contains(f.Value.Source(), "*") && (f.From == "-C" || f.From == "-r" || strings.HasPrefix(f.From, "--")) {
		p.refuseEverywhere("does not know the size of what it uploads beforehand")
	}
	if !p.Target.Facts.Mime && slices.ContainsFunc(c.Content.Part, func(one FormPart) bool { return one.encodesUnknown() }) {
		p.Refuse("encodes no files or variables of a form")
	}
}

// TargetText returns the target of --request-target.
func (c *Call) TargetText() Text { return c.Text(c.Target, reqtext.At(request.MemberTarget, 0)) }

func (c *Call) readAuth() {
	a := c.Auth
	if a == nil {
		return
	}
	both := &Credentials{User: c.Text(a.Username, reqtext.At(request.MemberUsername, 0)), Password: c.Text(a.Password, reqtext.At(request.MemberPassword, 0))}
	if a.Whole && c.cuts && !c.live && len(both.User) == 1 && HasVariable(both.User) {
		both = splitVariable(both.User)
	}
	switch a.Scheme {
	case "basic":
		for i := range c.headers {
			f := &c.headers[i]
			if f.Is("Authorization") && strings.HasPrefix(f.Value.Source(), "Basic ") && !strings.HasPrefix(f.From, "-H") && f.From != "--header" {
				f.derived = true
				c.Basic = both
			}
		}
	case "digest":
		if a.Username != "" || a.Password != "" { // curl answers no challenge without credentials
			c.Digest = both
		}
	case "ntlm", "negotiate", "any", "aws-sigv4":
		c.Negotiated = both
	}
}

// AwsSigV4 returns the argument of --aws-sigv4. Parts that are left out at its end
// have no colons, and those before others are empty.
func (c *Call) AwsSigV4() Text {
	var all Text
	colons := ""
	for _, name := range [...]string{"provider", "provider2", "region", "service"} {
		i := slices.IndexFunc(c.Auth.Params, func(p request.Param) bool { return p.Name == name })
		if i >= 0 {
			all = append(append(all, Part{Literal: colons}), c.Text(c.Auth.Params[i].Value, reqtext.At(request.MemberAuthParam, i))...)
			colons = ""
		}
		colons += ":"
	}
	return MergeLiterals(all)
}
