package transfer

import (
	"encoding/base64"
	"math/bits"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/curlurl"
	"uncoil/request"
)

// authTypes is the set of ways to authenticate that options ask for.
type authTypes uint8

const (
	authBasic authTypes = 1 << iota
	authDigest
	authNTLM
	authNegotiate
	authBearer
	authAWS
	authHTTPSig

	authAny authTypes = 1<<iota - 1
)

var authNames = [...]string{"basic", "digest", "ntlm", "negotiate", "bearer", "aws-sigv4", "http-signature"}

func (t *authTypes) toggle(bit authTypes, on bool) {
	if on {
		*t |= bit
	} else {
		*t &^= bit
	}
}

func (t authTypes) names() []string {
	var names []string
	for i, name := range authNames {
		if t&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// credentials are a user name and password, and where they come from.
type credentials struct {
	user, password string
	known          bool // some source gave them
	whole          bool // user has a variable, and there is no colon beside it
	from           string
	at             diag.Span // of the option, if there is one
}

// credentials returns what -u gives, else the URL, completed from the netrc
// file: url_set_data_creds() in curl 8.22 lib/url.c.
func (t *transfer) credentials(u *curlurl.URL) (credentials, bool) {
	var cr credentials
	if t.c.user.set() {
		var split bool
		cr.user, cr.password, split = strings.Cut(t.c.user.Text, ":")
		cr.known, cr.from, cr.at, cr.whole = true, t.c.user.from(), t.c.user.at(), !split && len(t.c.user.holes()) > 0
	}
	if cr.user == "" && u.HasUser {
		user, _ := curlurl.Unescape(u.User) // where placeholders are hidden yet
		password, _ := curlurl.Unescape(u.Password)
		if strings.IndexByte(user+password, 0) >= 0 {
			t.fail(diag.CodeInvalidURL, "the credentials in the URL hold a NUL byte", "")
			return cr, false
		}
		cr.user = t.urls.masked.Restore(user)
		if u.HasPassword {
			cr.password = t.urls.masked.Restore(password)
		}
		cr.known, cr.from, cr.at = true, "url", diag.Span{}
	}
	return t.netrcCredentials(u, cr)
}

// maxPassword is how much curl reads at a prompt (checkpasswd() in curl 8.22
// src/tool_paramhlp.c).
const maxPassword = 2048

// readPassword completes a user without a password as curl does when no one
// sits at a terminal: with what standard input has, less the last character,
// which ought to be the end of the line.
func (b *builder) readPassword(c *config) {
	text := c.user.Text
	if !c.user.set() || c.bearer.set() || strings.Contains(text, ":") || strings.HasPrefix(text, ";") || len(c.user.holes()) > 0 {
		return
	}
	if content, _ := b.in.ReadStdin(maxPassword); content != "" {
		password, _, _ := strings.Cut(content[:len(content)-1], "\x00") // a C string
		c.user.Text += ":" + password
		return
	}
	b.warn(diag.WarnPasswordPrompt, c.user.span(), "curl would ask for the password; an empty one is assumed here", "write user:password")
}

// authFields appends Authorization where curl sends it at once, and notes
// how the request authenticates: Curl_http_output_auth() and
// output_auth_headers() in curl 8.22 lib/http.c.
func (t *transfer) authFields(cr credentials) {
	c := t.c
	want := c.authTypes
	if want == 0 {
		want = authBasic
	}
	if !cr.known && !c.bearer.set() && want&(authNegotiate|authHTTPSig) == 0 {
		return
	}
	a := &request.Auth{Username: cr.user, Password: cr.password, Whole: cr.whole, Span: cr.at}
	overridden := c.find("Authorization") != nil
	switch {
	case bits.OnesCount8(uint8(want)) > 1:
		if want == authAny { // what has no token or key cannot be meant
			want = authBasic | authDigest | authNTLM | authNegotiate | c.authGiven()
		}
		a.Scheme, a.Schemes = "any", want.names()
		t.negotiated(want)
	case want == authBasic:
		if overridden || cr.user == "" && cr.password == "" {
			return
		}
		a.Scheme = "basic"
		if !t.b.in.Meter.Hold(4 * (len(cr.user) + len(cr.password))) {
			return
		}
		text := t.b.in.Marks.Restore(cr.user + ":" + cr.password)
		t.basic = len(t.request.Fields)
		t.authorize("Basic "+base64.StdEncoding.EncodeToString([]byte(text)), cr.from, cr.at)
	case want == authBearer:
		if overridden {
			return
		}
		*a = request.Auth{Scheme: "bearer", Token: c.bearer.Text, Span: c.bearer.at()}
		t.authorize("Bearer "+c.bearer.Text, c.bearer.from(), c.bearer.at())
	case t.replaced(want):
		return
	default:
		a.Scheme = authNames[bits.TrailingZeros8(uint8(want))]
		a.Params = t.authParams(want)
		t.negotiated(want)
	}
	t.request.Auth = a
}

// replaced reports whether a field of -H keeps curl from computing its own, also
// where it removes the field: output_auth_headers() and Curl_output_httpsig()
// in curl 8.22. NTLM goes out beside it.
func (t *transfer) replaced(want authTypes) bool {
	switch want {
	case authAWS, authNegotiate:
		return t.c.find("Authorization") != nil
	case authHTTPSig:
		return t.c.find("Signature") != nil || t.c.find("Signature-Input") != nil
	}
	return false
}

// authGiven returns the ways to authenticate that have what they need.
func (c *config) authGiven() (given authTypes) {
	given.toggle(authBearer, c.bearer.set())
	given.toggle(authAWS, c.awsSigv4.set())
	given.toggle(authHTTPSig, len(c.httpsig) > 0)
	return given
}

func (t *transfer) authorize(value, from string, at diag.Span) {
	t.add(request.Field{Name: "Authorization", Value: value, From: from, Origin: request.OriginImplied, Span: at})
}

// authParams returns the parameters of a scheme that has some.
func (t *transfer) authParams(want authTypes) []request.Param {
	switch want {
	case authAWS:
		names := [...]string{"provider", "provider2", "region", "service"}
		var params []request.Param
		for i, part := range strings.SplitN(t.c.awsSigv4.Text, ":", len(names)) {
			if part != "" {
				params = append(params, request.Param{Name: names[i], Value: part})
			}
		}
		return params
	case authHTTPSig:
		return t.c.httpsig
	}
	return nil
}

// negotiated warns that the answer has no Authorization, because it depends on
// an exchange with the server, or on the clock.
func (t *transfer) negotiated(want authTypes) {
	code, why := diag.WarnNegotiated, "curl works out Authorization in an exchange with the server"
	if want == authAWS || want == authHTTPSig {
		code, why = diag.WarnClockDependent, "curl signs the request when it sends it, so that the signature is not part of this answer"
	}
	t.b.warn(code, t.b.command, why, "use auth of the full description")
}
