package curlurl

import (
	"strconv"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
)

// maxLength is the longest URL that curl takes (CURL_MAX_INPUT_LENGTH).
const maxLength = 8_000_000

// A URL is a parsed URL, each component as curl would use it.
type URL struct {
	Scheme  string // lower case; empty when a placeholder stands where it would be
	Guessed bool   // the scheme was not there and was guessed from the host

	User, Password       string // as typed, percent-encoding included
	HasUser, HasPassword bool

	Host string // decoded, IPv4 normalized, IPv6 in brackets; not yet punycode
	Zone string // of an IPv6 address
	Port string // digits, or a placeholder; empty when absent

	Path     string // without dot segments unless PathAsIs; empty when absent
	Query    string
	HasQuery bool // a "?" is there, perhaps with nothing after it

	Fragment string

	source      string // as typed, if parseVerbatim read it
	typedScheme string // as spelled, for String
	meter       *meter.Meter
}

// Flags change how a URL is parsed.
type Flags uint8

// The flags.
const (
	PathAsIs      Flags = 1 << iota // keep dot segments
	DisallowUser                    // refuse credentials
	DefaultScheme                   // a scheme will be given, so an empty port is allowed
)

// An Error is the reason why curl rejects a URL: a clause without a capital.
type Error struct{ Reason string }

func (e *Error) Error() string { return "URL rejected: " + e.Reason }

// ErrInternationalHost is the error of a host that curl converts to a name
// which no URL can have, and requests all the same.
var ErrInternationalHost = &Error{"its international host name stands for characters that no URL can have in a host"}

func reject(reason string) (*URL, error) { return nil, &Error{reason} }

// Parse reads a URL as curl does when it may guess the scheme: parseurl() in
// curl 8.22 lib/urlapi.c with CURLU_GUESS_SCHEME and
// CURLU_NON_SUPPORT_SCHEME. The meter pays for it, and for what the methods of
// the URL do later; when it refuses, that is an error too.
func Parse(s string, flags Flags, m *meter.Meter) (*URL, error) {
	return ParseInto(new(URL), s, flags, m)
}

// ParseInto is Parse into memory of the caller.
func ParseInto(u *URL, s string, flags Flags, m *meter.Meter) (*URL, error) {
	*u = URL{meter: m}
	switch {
	case len(s) > maxLength:
		return reject("it is too long")
	case !m.Work(len(s)/4 + 16):
		return reject("it takes too much work")
	case u.parseVerbatim(s):
		return u, nil
	}
	return u.parse(s, flags)
}

// parse reads a URL that curl may change.
func (u *URL) parse(s string, flags Flags) (*URL, error) {
	if err := checkJunk(s); err != nil {
		return nil, err
	}
	if !u.meter.Hold(2 * len(s)) { // for what is decoded, encoded or removed
		return reject("it takes too much work")
	}
	rest := s
	if n := schemeLength(s); n > 0 {
		u.typedScheme, u.Scheme = s[:n], strings.ToLower(s[:n])
		rest = s[n+1:]
		slashes := len(rest) - len(strings.TrimLeft(rest, "/"))
		if slashes > 3 {
			return reject("more than three slashes follow the scheme")
		}
		rest = rest[slashes:]
	} else if n := markedScheme(s); n > 0 {
		u.typedScheme, rest = s[:n], s[n+len("://"):]
	} else {
		u.Guessed = true
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	if n := markPrefix(s); n > 0 && n < len(rest) && rest[n] == '&' && u.Guessed {
		end = n // the placeholder holds a URL with its query
	}
	authority, tail := rest[:end], rest[end:]
	if authority == "" {
		return reject("it has no host")
	}
	if err := u.parseAuthority(authority, flags); err != nil {
		return nil, err
	}
	if u.Guessed {
		u.guessScheme()
	}
	tail, u.Fragment, _ = strings.Cut(tail, "#")
	tail, u.Query, u.HasQuery = strings.Cut(tail, "?")
	u.Path = encodePath(tail)
	if flags&PathAsIs == 0 {
		u.Path = RemoveDotSegments(u.Path)
	}
	return u, nil
}

// checkJunk refuses the characters that curl refuses anywhere in a URL
// (Curl_junkscan() in curl 8.22 lib/urlapi.c). The marks of placeholders pass.
func checkJunk(s string) error {
	for i := range len(s) {
		if c := s[i]; c <= ' ' && c != markOpen && c != markClose || c == 0x7f {
			if c == ' ' {
				return &Error{"it holds a space"}
			}
			return &Error{"it holds a control character"}
		}
	}
	return nil
}

// maxScheme bounds the length of a scheme (MAX_SCHEME_LEN).
const maxScheme = 40

// schemeLength returns the length of the scheme of s, or 0 when it has none.
// Without "/" after the colon the text is a host and a port.
func schemeLength(s string) int {
	if s == "" || !ascii.IsLetter(s[0]) {
		return 0
	}
	i := 1
	for i < len(s) && i < maxScheme && isSchemeByte(s[i]) {
		i++
	}
	if i+1 < len(s) && s[i] == ':' && s[i+1] == '/' {
		return i
	}
	return 0
}

func isSchemeByte(c byte) bool {
	return ascii.IsLetter(c) || ascii.IsDigit(c) || strings.IndexByte("+-.", c) >= 0
}

// markedScheme returns the length of a scheme that has a placeholder, all of it or a
// part as in http$S://, or 0.
func markedScheme(s string) int {
	marks := 0
	for i := 0; i < len(s) && i < maxScheme; {
		n := markPrefix(s[i:])
		switch {
		case n > 0:
			marks++
			i += n
		case isSchemeByte(s[i]):
			i++
		case marks > 0 && strings.HasPrefix(s[i:], "://"):
			return i
		default:
			return 0
		}
	}
	return 0
}

// guessScheme guesses from the host's name: guess_scheme() in curl 8.22
// lib/urlapi.c. A URL that begins with a
// placeholder keeps its scheme to itself.
func (u *URL) guessScheme() {
	if !u.HasUser && markPrefix(u.Host) > 0 {
		u.Guessed = false
		return
	}
	u.Scheme = "http"
	for _, scheme := range [...]string{"ftp", "dict", "ldap", "imap", "smtp", "pop3"} {
		if len(u.Host) > len(scheme) && u.Host[len(scheme)] == '.' && ascii.HasPrefixFold(u.Host, scheme) {
			u.Scheme = scheme
		}
	}
}

func (u *URL) parseAuthority(authority string, flags Flags) error {
	host := authority
	if login, after, ok := strings.Cut(authority, "@"); ok { // the first @ counts
		if flags&DisallowUser != 0 {
			return &Error{"it holds a user name, which --disallow-username-in-url forbids"}
		}
		u.User, u.Password, u.HasPassword = strings.Cut(login, ":")
		u.HasUser, host = true, after
	}
	host, err := u.cutPort(host, flags)
	if host == "" {
		return &Error{"it has no host"}
	}
	if err != nil {
		return err
	}
	if host[0] == '[' {
		return u.parseIPv6(host)
	}
	if strings.IndexByte(host, '%') >= 0 {
		decoded, ok := Unescape(host)
		if !ok {
			return &Error{"its host name holds a control character"}
		}
		host = decoded
	}
	if quad, ok := normalizeIPv4(host); ok {
		u.Host = quad
		return nil
	}
	u.Host = host
	return checkHostname(host)
}

// cutPort splits the port from a host. A colon without digits is dropped,
// unless the URL has no scheme.
func (u *URL) cutPort(host string, flags Flags) (string, error) {
	colon := strings.IndexByte(host, ':')
	if strings.HasPrefix(host, "[") {
		bracket := strings.IndexByte(host, ']')
		if bracket < 0 {
			return host, &Error{"its IPv6 address has no closing bracket"}
		}
		if colon = -1; bracket+1 < len(host) {
			if colon = bracket + 1; host[colon] != ':' {
				return host[:colon], &Error{"its port is not a number"}
			}
		}
	}
	if colon < 0 {
		return host, nil
	}
	host, port := host[:colon], host[colon+1:]
	if strings.IndexByte(port, markOpen) >= 0 {
		u.Port = port
		return host, nil
	}
	if port == "" {
		if u.Guessed && flags&DefaultScheme == 0 {
			return host, &Error{"its port is empty"}
		}
		return host, nil
	}
	n, err := strconv.ParseUint(port, 10, 64)
	if err != nil || n > 65535 || port[0] == '+' {
		return host, &Error{"its port is not a number up to 65535"}
	}
	u.Port = strconv.FormatUint(n, 10)
	return host, nil
}

// String returns the URL as curl would request it, in the spelling that was
// typed where that makes no difference; credentials and fragment left out.
// The host is as [URL.ToASCII] left it.
func (u *URL) String() string {
	if u.isVerbatim() && u.typedScheme != "" {
		return u.source
	}
	n := u.length()
	if !u.meter.Hold(n) {
		return ""
	}
	var b strings.Builder
	b.Grow(n)
	if scheme := u.schemeText(); scheme != "" {
		b.WriteString(scheme)
		b.WriteString("://")
	}
	b.WriteString(u.hostText())
	if u.Port != "" {
		b.WriteByte(':')
		b.WriteString(u.Port)
	}
	b.WriteString(u.Path)
	if u.HasQuery {
		b.WriteByte('?')
		b.WriteString(u.Query)
	}
	return b.String()
}

// length returns how many bytes String writes.
func (u *URL) length() int {
	n := len(u.hostText()) + len(u.Path)
	if scheme := u.schemeText(); scheme != "" {
		n += len(scheme) + len("://")
	}
	if u.Port != "" {
		n += len(":") + len(u.Port)
	}
	if u.HasQuery {
		n += len("?") + len(u.Query)
	}
	return n
}

// schemeText returns the scheme as typed, or else as guessed.
func (u *URL) schemeText() string {
	if u.typedScheme != "" {
		return u.typedScheme
	}
	return u.Scheme
}

// hostText returns the host as a URL has it: with the zone of an IPv6 address, and with
// a DEL percent-encoded, which curl takes in a host only so: junkscan() and
// hostname_check() in curl 8.22 lib/urlapi.c.
func (u *URL) hostText() string {
	if u.Zone == "" {
		return strings.ReplaceAll(u.Host, "\x7f", "%7f")
	}
	return u.Host[:len(u.Host)-1] + "%25" + u.Zone + "]"
}

// HostField returns what curl sends in Host: the host, without the zone of
// an IPv6 address, and the port unless it is the default of the scheme.
func (u *URL) HostField() string {
	switch {
	case u.Scheme == "ftp" && u.Port == "": // through an HTTP proxy
		return u.Host + ":21"
	case u.Port == "" || u.Port == DefaultPort(u.Scheme):
		return u.Host
	case u.isVerbatim():
		host := u.source
		if u.typedScheme != "" {
			host = host[len(u.typedScheme)+len("://"):]
		}
		return host[:len(u.Host)+len(":")+len(u.Port)]
	}
	return u.Host + ":" + u.Port
}

// DefaultPort returns the port of a scheme of HTTP, or "".
func DefaultPort(scheme string) string {
	switch scheme {
	case "http", "ws":
		return "80"
	case "https", "wss":
		return "443"
	}
	return ""
}

// Target returns the request target: path and query. It has a "?" also when
// the query is empty.
func (u *URL) Target() string {
	path := u.Path
	if path == "" {
		path = "/"
	}
	if u.HasQuery {
		return path + "?" + u.Query
	}
	return path
}

// AppendQuery adds to the query as -G and --url-query do: append2query() in
// curl 8.22 src/tool_operate.c. Dot segments go away even with --path-as-is,
// as the URL is taken apart and put together again on the way.
func (u *URL) AppendQuery(q string) error {
	if !u.meter.Hold(3*len(q) + len(u.Query) + len(u.Path)) {
		return &Error{"it takes too much work"}
	}
	q = upperHex(q)
	u.Path = RemoveDotSegments(u.Path)
	if u.Path == "" {
		u.Path = "/"
	}
	if u.Query != "" && !strings.HasSuffix(u.Query, "&") {
		u.Query += "&"
	}
	u.Query += q
	u.HasQuery = u.Query != ""
	u.Query, _, _ = strings.Cut(u.Query, "#") // the rest is a fragment now
	if strings.IndexByte(q, markOpen) >= 0 || strings.IndexByte(q, markClose) >= 0 {
		return &Error{"it holds a control character"}
	}
	if u.length() > maxLength {
		return &Error{"it is too long"}
	}
	return checkJunk(q)
}

// AppendFilename adds the base name of an uploaded file to a path that ends
// in a slash, unless there is a query: add_file_name_to_url() in curl 8.22
// src/tool_operhlp.c. The name is given percent-encoded.
func (u *URL) AppendFilename(name string) {
	if u.Query != "" {
		return
	}
	path := RemoveDotSegments(u.Path)
	if path == "" {
		path = "/"
	}
	if path[len(path)-1] != '/' {
		return
	}
	u.Path = upperHex(path + name)
	u.HasQuery = false
	u.Guessed = false // the guessed scheme is now written down
}

// SetScheme sets the scheme that --proto-default gives to a URL without one.
func (u *URL) SetScheme(scheme string) { u.Scheme, u.Guessed = scheme, false }

// Upgrade turns http into https, as HSTS asks for. A port that is given
// stays.
func (u *URL) Upgrade() {
	u.Scheme, u.typedScheme = "https", "https"
}
