package plan

import (
	"net/netip"
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/request"
)

// A Client is what an HTTP client does by itself, and what it can do: the
// capabilities of a target, measured on the wire. The base asks it before a
// target writes, so that a target writes only what its client can do: what
// would change the request is refused, and what shapes only the exchange is a
// loss. The proof forgives the fields that a client adds, and no others.
type Client struct {
	Everything  bool // it is curl, and can do what curl can
	Format      bool // it is a format that many tools read, and that no tool sends by itself
	Constant    bool // it has no variables: they stay as they were typed
	HidesStatus bool // its programs do not ask a response for its status
	Settings    bool // it is an application with settings of its own: what its file has no place for, it may have all the same

	// Of the request.
	Rules     Rules                    // what it does not send as curl does, whatever the program says
	Adds      FieldNames               // fields that it adds by itself
	Always    FieldNames               // those of adds that no program can leave out
	Fixed     FieldNames               // fields that no program can set
	Passes    map[string][]string      // values of fixed fields that it sends all the same
	Counts    func(method string) bool // whether it sends Content-Length: 0 with a method where there is no content; nil: it does where it is told to
	Breaks    bool                     // sends a line break within a field
	Recodes   bool                     // decodes a path, and encodes it again where something in it is not
	Slashes   bool                     // reads a backslash in a path as a slash
	Target    bool                     // can send a request target that is not the URL's
	Loose     bool                     // sends methods and names of fields that are no tokens
	AnyMethod bool                     // sends methods that are no tokens
	Names     func(name string) bool   // whether it sends a name of a field that is no token; nil: it sends none unless it is loose
	Hostless  bool                     // can leave out Host
	EmptyHost bool                     // can send a Host without a value
	Guesses   bool                     // guesses the type of a part of a form as curl does, where the program gives none
	Undecoded bool                     // gives content as it was sent where the program sets Accept-Encoding
	Mixed     bool                     // sends forms of other types than multipart/form-data
	Mime      bool                     // writes parts within parts, and in base64 and the like
	Schemes   bool                     // asks a proxy for other URLs than those of HTTP
	Loopback  bool                     // takes names below localhost for the machine itself, as curl does, and asks no resolver
	Ports     bool                     // names the port of the URL in Host, also the one that the scheme implies
	Specified Detour                   // how it connects to 0.0.0.0 and [::], which are this machine for curl
	Digest    bool                     // has Digest authentication
	Joins     bool                     // takes a user name and a password as one text for Basic
	Auths     []string                 // further ways to authenticate that it has; "any" where the server may choose
	Answers   bool                     // its programs answer for Digest in a function of their own
	Eager     bool                     // sends the content also before a server asks for Digest
	Unasked   []string                 // challenges that it does not answer as curl does: "basic", "unqualified", "sha-256" as docs/targets.md explains them
	Quotes    bool                     // quotes a user name for Digest
	AnyAuth   bool                     // its Digest and NTLM give way to Basic where the server asks for that

	Wire // how it spells what it sends

	// Of the machine.
	Netrc bool // sends credentials of ~/.netrc unasked; docs/targets.md has what else of the machine clients read

	// Of the exchange.
	Once      func(c *Call) bool // requests that it cannot send again
	Stuck     func(c *Call) bool // requests whose content it cannot send again when it is redirected
	Proxies   []string           // schemes of the proxies that it can ask
	ModernTLS bool               // speaks no version of TLS below 1.2 unless it is told to
	Environs  bool               // asks the proxies of its environment, whatever the program says
	Http2     bool               // speaks HTTP/2 over TLS unless it is told not to
	Versions  []string           // versions of HTTP that it can speak, and h2c where it asks for HTTP/2 over plain HTTP; nil: 1.1
	Follows   []string           // methods with which it follows redirects; nil: all; empty: none
	Shares    FieldNames         // fields that it sends to any host that it is redirected to
	Strips    bool               // with -L, its programs take those of credentials away where the host is another
	Guards    bool               // keeps credentials of its own Basic from them, even where it shares Authorization
	Drops     FieldNames         // fields that it does not send again when it is redirected
	Loops     func(*Call) bool   // calls whose redirects the program follows in a loop of its own
	Insists   bool               // sends the method of -X also after a redirect, as curl does
	Forgets   emit.Phrase        // statuses of redirects after which it forgets -T, as curl does for 303 only
	Session   bool               // sends the cookies of a response with the next request of the program
	JarFiles  bool               // its commands hand cookies on in files, as those of curl do
	Tells     bool               // what it throws has the whole request, which a program that ends with it prints
	After     []string           // other differences after a redirect: "cookies", "fails", "head", "posts", "referer" as docs/targets.md explains them
}

// A Detour is how a program connects to a host to which its client does not.
type Detour uint8

const (
	NoDetour  Detour = iota // the client connects to it
	ByURL                   // by another host in the URL
	BySetting               // by another address for the connection, also after a redirect
)

// IgnoresNetrc reports whether a program has to keep its client from ~/.netrc, which curl
// reads with -n only. Credentials that the client takes as such keep it from the file
// until it is redirected.
func (c *Call) IgnoresNetrc(k *Client) bool {
	given := c.Basic != nil && c.Basic.IsText() || c.Digest != nil
	c.take("netrc")
	return k.Netrc && !c.readsNetrc() && (c.Asked.Follow || !given)
}

// ReadsNetrc reports whether the client of a program has to read ~/.netrc as curl does.
func (c *Call) ReadsNetrc() bool {
	c.take("netrc")
	return c.readsNetrc()
}

func (c *Call) readsNetrc() bool {
	return c.Has("netrc") && c.Misses("credentials") && c.Field("Authorization") == nil && c.Digest == nil
}

// IsMediaType reports whether every reader of media types takes one.
func IsMediaType(s string) bool {
	kind, sub, found := strings.Cut(s, "/")
	sub, parameter, _ := strings.Cut(sub, ";")
	token := func(s string) bool {
		return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-._") == ""
	}
	name, value, isPair := strings.Cut(strings.TrimLeft(parameter, " "), "=")
	return found && token(kind) && token(sub) && (parameter == "" || isPair && token(name) && token(value))
}

// IsToken reports whether a method or a name of a field is a token of RFC 9110,
// section 5.6.2.
func IsToken(s string) bool { return ascii.IsToken(s) }

// AnyName is the rule of a client that sends the name of a field as it is.
func AnyName(string) bool { return true }

// Enclosing is the rule of a client that counts the content of the methods that
// mostly have some, also where there is none.
func Enclosing(method string) bool { return method == "POST" || method == "PUT" || method == "PATCH" }

// Capitals is the rule of a client that writes methods in capitals.
func Capitals(method string) bool { return method == strings.ToUpper(method) && method != "CONNECT" }

// IsAddress reports whether a host is an address of IPv4.
func IsAddress(host string) bool {
	a, err := netip.ParseAddr(host)
	return err == nil && a.Is4()
}

// IsVisible reports whether a text is visible ASCII, blanks and tabs.
func IsVisible(s string) bool {
	for i := range len(s) {
		if s[i] != '\t' && (s[i] < ' ' || s[i] > '~') {
			return false
		}
	}
	return true
}

// Stays makes a call one that follows no redirects, and warns of that.
func (p *Program) Stays(c *Call, what emit.Phrase) {
	p.LossAt(c.Place("followRedirects"), "-L", "follows no redirects "+what)
	c.Asked.Follow = false
	c.settleEncryption(false)
}

// keepsSecret reports whether a request has credentials that the client sends to no
// other host when it is redirected.
func (k *Client) keepsSecret(c *Call) bool {
	return slices.ContainsFunc([]string{"Authorization", "Cookie"}, func(name string) bool {
		return c.Field(name) != nil && !k.sends(c, name) && !k.Drops.Has(name)
	})
}

// LoopsFor reports whether the program follows the redirects of a call in a loop of
// its own.
func (k *Client) LoopsFor(c *Call) bool { return k.Loops != nil && k.Loops(c) }

// sends reports whether the client sends a field to any host that it is redirected
// to.
func (k *Client) sends(c *Call, name string) bool {
	f := c.Field(name)
	return f != nil && k.Shares.Has(name) && !(k.Guards && f.derived)
}

// exposes returns the name of a credential of a call that the client sends to any host
// that it is redirected to, where curl does not; "": of none.
func (k *Client) exposes(c *Call) emit.Phrase {
	if c.Asked.Trusted || k.LoopsFor(c) || k.Strips && c.Asked.Follow {
		return ""
	}
	for _, name := range k.Shares {
		f := c.Field(string(name))
		if f == nil || !f.Secret() || k.Guards && c.Basic != nil && f.Is("Authorization") {
			continue
		}
		return name
	}
	return ""
}

// reportVariables warns of variables whose values curl reads: a date, a pair that
// it encodes, the path of a file that it sends.
func (p *Program) reportVariables(c *Call) {
	if len(c.Variables) == 0 || c.Keep {
		return
	}
	for i := range c.headers {
		if f := &c.headers[i]; HasVariable(f.Value) && (f.From == "-z" || f.From == "--time-cond") {
			p.DiffersAt(f.At, "sends the variable of -z as it is, and not as a date")
		}
	}
	if c.Has("createDirs") && HasVariable(c.Asked.Output) && c.Folder() == nil {
		p.LossAt(c.Place("createDirs"), "--create-dirs", "does not look for folders in what a variable holds")
	}
	encoded := false
	for i := range c.Variables {
		encoded = encoded || encodes(&c.Variables[i])
	}
	if !encoded {
		return
	}
	source := c.URLText.Source()
	_, query, _ := strings.Cut(source, "?")
	pairs := c.URLText.Cut(len(source)-len(query), len(source)).Split('&')
	if c.Content.Kind == RawBody {
		pairs = append(pairs, c.Content.Data.Split('&')...)
	}
	for _, pair := range pairs {
		if pair.Bare() {
			p.Differs("encodes all that the variable of --data-urlencode holds, also a name before =")
			break
		}
	}
	if file := c.Content.File; c.Content.Kind == FileBody && len(file) == 1 && HasVariable(file) && strings.HasSuffix(source, "/"+file.Source()) && c.URLText[len(c.URLText)-1].Encoded() {
		p.Differs("sends the whole name of the file of -T in the URL, also its folders")
	}
}

// Bare reports a pair that is one variable, of which curl encodes what stands
// after the first =.
func (t Text) Bare() bool { return len(t) == 1 && t[0].Encoded() }

// Encoded reports a variable whose content is percent-encoded.
func (p *Part) Encoded() bool { return p.Variable != nil && encodes(p.Variable) }

// encodes reports whether the content of a variable is percent-encoded.
func encodes(v *request.Variable) bool {
	return v.Encoding == request.EncodingPercent || v.Encoding == request.EncodingForm || v.Encoding == Segment || v.Encoding == Segments
}

// ReportTypes warns of parts of a form whose type curl guesses by a name that a
// variable holds: no other client knows the same extensions.
func (p *Program) ReportTypes(c *Call) {
	for i := range c.Content.Part {
		part := &c.Content.Part[i]
		if !part.GuessesType() {
			continue
		}
		kind := emit.Phrase("no type")
		if part.TypeText != nil {
			kind = "application/octet-stream"
		}
		p.CannotAt(part.Span, "guesses no type by the name of a file", "the program sends "+string(kind)+"; add ;type= to the part for another")
		p.noteAt(part.Span, "curl guesses the type of a part of -F by the name of its file; the program sends ", kind)
	}
}

// Misses reports whether a file with a role was not supplied.
func (c *Call) Misses(role string) bool {
	return slices.ContainsFunc(c.Missing, func(f request.MissingFile) bool { return f.Role == role })
}

// reportRedirects warns of fields that the client sends elsewhere than curl does
// when it is redirected, of a Digest that gives way to Basic, and of content that
// goes out too early: curl sends none until it can answer a challenge
// (authneg in curl 8.22 lib/http.c).
func (p *Program) reportRedirects(c *Call) {
	k := &p.Target.Facts
	if c.Digest != nil && k.Eager && c.Content.Kind != NoBody {
		p.Differs("sends the content also before the server asks for Digest")
		p.Diags[len(p.Diags)-1].Option = "--digest"
	}
	if k.AnyAuth && (c.Digest != nil || c.Negotiated != nil && c.Negotiated.Joined().Source() != ":") {
		p.Differs("uses Basic where the server asks for it")
	}
	if !c.Asked.Follow || k.LoopsFor(c) {
		return
	}
	if k.Forgets != "" && c.Content.Kind != NoBody && c.Uploads() && !c.Asked.KeepsMethod {
		p.Differs("sends no upload again where it is redirected with " + k.Forgets)
	}
	for _, name := range k.Shares {
		if f := c.Field(string(name)); k.sends(c, string(name)) && !f.Secret() && !c.Asked.Trusted {
			p.Differs("sends " + name + " to every host that it is redirected to")
		}
	}
	for _, name := range k.Drops {
		f := c.Field(string(name))
		if f != nil && !(f.Secret() && c.Asked.Trusted && c.says("locationTrusted")) && !(name == "Referer" && c.Has("autoReferer")) {
			p.Differs("leaves out " + name + " when it is redirected")
		}
	}
}

// reportCookies warns where curl sends the cookies of a response with later
// requests, and the program does not.
func (p *Program) reportCookies(c *Call) {
	k, o := &p.Target.Facts, c.cookieEngine()
	if o == nil {
		return
	}
	option := emit.Phrase("-b")
	if o.Name == "cookieJar" {
		option = "-c"
	}
	const given = "sends no cookies that a redirect sets"
	loss := func(what emit.Phrase) {
		p.CannotAt(o.Span, what, "curl sends them, because of "+string(option))
		p.Diags[len(p.Diags)-1].Option = string(option)
		p.noteAt(Nowhere, p.Target.clientName(), " ", what, "; curl does, because of ", option)
	}
	forgets := c.Asked.Follow && !k.Everything && !c.keeps && (c.cookieless || !slices.Contains(k.After, "cookies"))
	unwritten := len(c.Asked.CookieJar) > 0 && !k.Everything && !c.says("cookieJar")
	writes := emit.Phrase("writes no cookie files")
	if c.PrintsCookies() {
		writes = "prints no cookies"
	}
	switch {
	case unwritten && forgets:
		p.LossAt(c.Place("cookieJar"), "-c", writes+", and "+given)
	case unwritten:
		p.LossAt(c.Place("cookieJar"), "-c", writes)
	case forgets:
		loss(given)
	}
	i := slices.Index(p.Calls, c)
	if i == 0 || k.Session || c.takesJar {
		return
	}
	// A command has one place for an option, whatever the number of its URLs.
	if before := p.Calls[i-1].cookieEngine(); before != nil && before.Span == o.Span {
		loss("sends no cookies that an earlier response sets")
	}
}

// Unsplit returns the text in which curl would look for a user name and a
// password, and the program does not.
func (c *Call) Unsplit() Text {
	if c.Auth == nil || !c.Auth.Whole {
		return nil
	}
	for _, one := range [...]*Credentials{c.Basic, c.Digest, c.Negotiated} {
		if one != nil && len(one.whole) == 0 && HasVariable(one.User) {
			return one.User
		}
	}
	return nil
}

// NoMethod are the methods with which a client follows redirects that follows none.
var NoMethod = []string{}

// CurlRedirects is how many redirects curl follows unless told otherwise.
var CurlRedirects = request.Options(nil).Redirects().Max

// Place returns where the command has the option that set a member of options.
func (c *Call) Place(member string) diag.Span {
	if i := c.optionIndex(member); i >= 0 {
		return c.Options[i].Span
	}
	return diag.Span{}
}

// ReportStuck warns of content that the client reads only once.
func (p *Program) ReportStuck(c *Call) {
	p.LossAt(c.Place("followRedirects"), "-L", "cannot send the content again when it is redirected")
}

// SendsFile reports content that is a file, which some clients read only once.
func SendsFile(c *Call) bool { return c.Content.Kind == FileBody }

// SendsForm reports a form of parts, which some clients read only once.
func SendsForm(c *Call) bool { return c.Content.Kind == MultipartBody }
