package transfer

import (
	"math"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/source"
	"uncoil/request"
)

// Limits of curl: the cookies given with -b, a line of a cookie file, a
// cookie's name and value, the Cookie field.
const (
	maxCookieOption = 8200
	maxCookieLine   = 5000
	maxCookieName   = 4096
	maxCookieHeader = 8190
	maxCookiesSent  = 150
)

// cookieField appends Cookie: what the cookie files hold for this URL, then
// what -b gives, unless -H gives a Cookie (http_cookies() in curl 8.22
// lib/http.c).
func (t *transfer) cookieField() {
	var text strings.Builder
	from, at := "", diag.Span{}
	for _, co := range t.cookiesFromFiles() {
		if text.Len()+len(co.name)+len(co.value)+1 >= maxCookieHeader-len("Cookie: ") {
			break
		}
		if text.Len() > 0 {
			text.WriteString("; ")
		}
		text.WriteString(co.name + "=" + co.value)
		from, at = co.from, co.at
	}
	if len(t.c.cookies) > 0 && t.c.find("Cookie") == nil {
		if text.Len() > 0 {
			text.WriteString("; ")
		}
		from, at = t.c.cookies[0].from(), t.c.cookies[0].at()
		text.WriteString(t.cookieOption())
	}
	if text.Len() > 0 {
		t.add(request.Field{Name: "Cookie", Value: text.String(), From: from, Origin: request.OriginImplied, Span: at})
	}
}

// cookieOption joins the -b options (cookie_setopts() in curl 8.22
// src/config2setopts.c).
func (t *transfer) cookieOption() string {
	if len(t.c.cookies) == 1 {
		return t.c.cookies[0].Text
	}
	var b strings.Builder
	for i, c := range t.c.cookies {
		if i > 0 {
			b.WriteByte(';')
			if c.Text == "" || c.Text[0] != ' ' && c.Text[0] != '\t' {
				b.WriteByte(' ')
			}
		}
		b.WriteString(c.Text)
	}
	return b.String()
}

// checkCookies refuses more cookies than curl takes.
func (t *transfer) checkCookies() bool {
	total := 0
	for _, c := range t.c.cookies {
		total += len(c.Text) + len("; ")
	}
	if total-len("; ") < maxCookieOption {
		return true
	}
	t.fail(diag.CodeInvalidArgument, "the cookies are longer than the "+strconv.Itoa(maxCookieOption)+" bytes that curl takes", "")
	return false
}

// cookie is one from a cookie file.
type cookie struct {
	name, value, domain, path string
	from                      string    // the option that named the file
	at                        diag.Span // and where it stands
	tail                      bool      // the domain stands for its subdomains too
	secure                    bool
	hasPath                   bool
	expires                   int64 // 0: with the session
	order                     int
}

// cookiesFromFiles returns the cookies from files that go to this URL, in the
// order in which curl sends them: Curl_cookie_getlist() in curl 8.22
// lib/cookie.c.
func (t *transfer) cookiesFromFiles() []cookie {
	jar := t.b.jar.cookies
	if len(jar) == 0 || !t.c.keepsCookies() || !t.b.in.Meter.Work(10*len(jar)) {
		return nil
	}
	host := strings.Trim(t.url.Host, "[]")
	if h := t.c.find("Host"); h != nil {
		if value := trimBlanks(h.line[len("Host:"):]); value != "" {
			host, _, _ = strings.Cut(value, ":")
		}
	}
	_, err := netip.ParseAddr(host)
	isIP := err == nil
	secure := t.tls() || ascii.EqualFold(host, "localhost") || host == "127.0.0.1" || host == "::1"
	var matching []cookie
	for _, co := range jar {
		if co.secure && !secure || !co.matchesHost(host, isIP) || co.hasPath && !pathMatches(co.path, t.requestPath()) {
			continue
		}
		if matching = append(matching, co); len(matching) == maxCookiesSent {
			break
		}
	}
	slices.SortStableFunc(matching, func(a, b cookie) int {
		for _, d := range []int{len(b.path) - len(a.path), len(b.domain) - len(a.domain), len(b.name) - len(a.name)} {
			if d != 0 {
				return d
			}
		}
		return b.order - a.order
	})
	return matching
}

func (co *cookie) matchesHost(host string, isIP bool) bool {
	if co.domain == "" {
		// Without a domain it is found only among the cookies that share
		// its place in curl's table.
		return isIP || cookieHash(host) == 0
	}
	if co.tail && !isIP {
		return tailMatches(co.domain, host)
	}
	return ascii.EqualFold(co.domain, host)
}

func tailMatches(domain, host string) bool {
	if len(host) < len(domain) || !ascii.EqualFold(host[len(host)-len(domain):], domain) {
		return false
	}
	return len(host) == len(domain) || host[len(host)-len(domain)-1] == '.'
}

// cookieHash is the place of a host in curl's table of cookies.
func cookieHash(host string) uint64 {
	if i := strings.LastIndexByte(host, '.'); i >= 0 {
		if j := strings.LastIndexByte(host[:i], '.'); j >= 0 {
			host = host[j+1:]
		}
	}
	h := uint64(5381)
	for i := range len(host) {
		c := host[i]
		if c >= 'a' && c <= 'z' {
			c -= 'a' - 'A'
		}
		h += h << 5
		h ^= uint64(c)
	}
	const size = 63
	return h % size
}

func pathMatches(cookiePath, path string) bool {
	if len(cookiePath) == 1 {
		return true
	}
	return strings.HasPrefix(path, cookiePath) && (len(path) == len(cookiePath) || path[len(cookiePath)] == '/')
}

// keepsCookies reports whether the operation has curl's cookie engine on. The
// operations that have it on share their cookies.
func (c *config) keepsCookies() bool { return len(c.cookieFiles) > 0 || c.savesCookies }

// namesCookieFile reports whether the argument of -b is the name of a file: it has
// no =, as curl asks. A variable may have one; it holds cookies unless its name speaks
// of a file, or a path stands around it.
func namesCookieFile(w *source.Word) bool {
	if strings.IndexByte(w.Text, '=') >= 0 {
		return false
	}
	around := 0
	for i := range w.Holes {
		h := &w.Holes[i]
		if name := strings.ToLower(h.Name); strings.Contains(name, "jar") || strings.Contains(name, "file") {
			return true
		}
		if strings.ContainsAny(w.Text[around:h.Start], "/.") {
			return true
		}
		around = int(h.End)
	}
	return len(w.Holes) == 0 || strings.ContainsAny(w.Text[around:], "/.")
}

// loadCookies reads the cookie files of the operation, once.
func (t *transfer) loadCookies() {
	if t.b.cookiesLoaded || len(t.c.cookieFiles) == 0 {
		return
	}
	t.b.cookiesLoaded = true
	var missing []string
	for _, f := range t.c.cookieFiles {
		if f.Text == "" {
			continue // it only turns the cookie engine on
		}
		content, ok := t.b.in.Read(f.Text)
		if !ok {
			missing = append(missing, f.Text)
			t.c.lack(f.Text, "cookies")
			continue
		}
		t.b.jar.load(content, f, t.b.in, t.c.newSession)
	}
	if len(missing) > 0 {
		t.b.needFile(t.c.cookieFiles[0].span(), curl.CookiesNotSupplied, missing...)
	}
}

// cookieJar collects cookies; a later one replaces an earlier one of the
// same name, domain and path.
type cookieJar struct {
	cookies []cookie
	byKey   map[[3]string]int
}

// What a line of a cookie file takes: memory for the cookie and its key, and
// steps to read it and to look for another one of the same name.
const (
	sizeOfCookie  = 250
	stepsOfCookie = 150
)

// load reads a file of Set-Cookie lines and Netscape lines.
func (j *cookieJar) load(content string, file value, in *curl.Inputs, newSession bool) {
	now := in.Now
	for line := range strings.Lines(content) {
		if !in.Meter.Hold(sizeOfCookie) || !in.Meter.Work(stepsOfCookie+len(line)) {
			return
		}
		line = strings.TrimSuffix(line, "\n")
		line, _, _ = strings.Cut(line, "\x00")
		var co cookie
		var ok bool
		if ascii.HasPrefixFold(line, "Set-Cookie:") {
			co, ok = parseSetCookie(strings.TrimLeft(line[len("Set-Cookie:"):], " \t"), now)
		} else {
			co, ok = parseNetscape(line)
		}
		if !ok || !co.prefixAllowed() || newSession && co.expires == 0 || isPublicSuffix(co.domain, in.PublicSuffix) ||
			now > 0 && co.expires > 0 && co.expires < now {
			continue
		}
		co.from, co.at = file.from(), file.at()
		j.add(co)
	}
}

// prefixAllowed checks what the prefixes __Secure- and __Host- promise.
func (co *cookie) prefixAllowed() bool {
	switch {
	case strings.HasPrefix(co.name, "__Secure-"):
		return co.secure
	case strings.HasPrefix(co.name, "__Host-"):
		return co.secure && co.path == "/" && !co.tail
	}
	return true
}

// isPublicSuffix reports a domain under which anyone may register, such as
// co.uk, or one that is too long to look up: is_public_suffix() in curl 8.22
// lib/cookie.c. Without a list, suffixOf is nil, that is a domain of one label.
func isPublicSuffix(domain string, suffixOf func(domain string) string) bool {
	const most = 255
	if _, err := netip.ParseAddr(domain); err == nil || domain == "" {
		return false
	}
	domain = strings.TrimSuffix(domain, ".")
	switch {
	case len(domain) > most:
		return true
	case suffixOf == nil:
		return strings.IndexByte(domain, '.') < 0
	}
	domain = strings.ToLower(domain)
	return suffixOf(domain) == domain
}

func (j *cookieJar) add(co cookie) {
	tail := "host"
	if co.tail {
		tail = "tail"
	}
	key := [3]string{co.name, strings.ToLower(co.domain) + "\x00" + tail, co.path}
	if j.byKey == nil {
		j.byKey = make(map[[3]string]int)
	}
	if i, ok := j.byKey[key]; ok {
		co.order = j.cookies[i].order
		j.cookies[i] = co
		return
	}
	co.order = len(j.cookies)
	j.byKey[key] = len(j.cookies)
	j.cookies = append(j.cookies, co)
}

// parseNetscape reads a line of seven fields between tabs: domain, whether
// it stands for subdomains, path, secure, expiry, name, value.
func parseNetscape(line string) (co cookie, ok bool) {
	line = strings.TrimPrefix(line, "#HttpOnly_")
	if strings.HasPrefix(line, "#") {
		return co, false
	}
	line, _, _ = strings.Cut(line, "\r")
	fields := strings.Split(line, "\t")
	if len(fields) > 2 && (isPrefix(fields[2], "TRUE") || isPrefix(fields[2], "FALSE")) {
		fields = slices.Insert(fields, 2, "/") // the path may be left out
	}
	if len(fields) == 6 {
		fields = append(fields, "") // so may the value
	}
	if len(fields) != 7 {
		return co, false
	}
	expires, err := strconv.ParseInt(digitsOf(fields[4]), 10, 64)
	if err != nil || hasControl(fields[5]) || hasControl(fields[6]) {
		return co, false
	}
	return cookie{
		domain: strings.TrimPrefix(fields[0], "."), tail: isPrefixFold(fields[1], "TRUE"),
		path: cookiePath(fields[2]), hasPath: true, secure: isPrefixFold(fields[3], "TRUE"),
		expires: expires, name: fields[5], value: fields[6],
	}, true
}

// isPrefix reports whether s begins word; so compares curl's strncmp.
func isPrefix(s, word string) bool { return strings.HasPrefix(word, s) }

func isPrefixFold(s, word string) bool {
	return len(s) <= len(word) && ascii.EqualFold(s, word[:len(s)])
}

func digitsOf(s string) string {
	n := 0
	for n < len(s) && ascii.IsDigit(s[n]) {
		n++
	}
	return s[:n]
}

func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// cookiePath drops quotes around a path and the slash that ends it.
func cookiePath(s string) string {
	s = strings.TrimPrefix(s, `"`)
	s = strings.TrimSuffix(s, `"`)
	if !strings.HasPrefix(s, "/") {
		return "/"
	}
	if len(s) > 1 {
		s = strings.TrimSuffix(s, "/")
	}
	return s
}

// parseSetCookie reads what follows Set-Cookie: in a cookie file.
func parseSetCookie(line string, now int64) (co cookie, ok bool) {
	if len(line) > maxCookieLine {
		return co, false
	}
	line, _, _ = strings.Cut(line, "\r")
	for i, pair := range strings.Split(line, ";") {
		name, value, hasValue := strings.Cut(pair, "=")
		name, value = trimBlanks(name), trimBlanks(value)
		if name == "" && i > 0 {
			continue
		}
		if hasControl(name) || hasControl(value) {
			return co, false
		}
		if co.name == "" {
			if !hasValue || name == "" || len(name)+len(value) > maxCookieName {
				return co, false
			}
			co.name, co.value = name, value
			continue
		}
		co.attribute(strings.ToLower(name), value, now)
	}
	return co, co.name != ""
}

func (co *cookie) attribute(name, value string, now int64) {
	switch name {
	case "secure":
		co.secure = true
	case "path":
		co.path, co.hasPath = cookiePath(value), value != ""
	case "domain":
		if value != "" {
			co.domain = strings.TrimPrefix(value, ".")
			_, err := netip.ParseAddr(co.domain)
			co.tail = err != nil
		}
	case "max-age":
		seconds, err := strconv.ParseInt(digitsOf(strings.TrimPrefix(value, `"`)), 10, 64)
		switch {
		case err != nil || seconds == 0:
			co.expires = 1
		case now > 0 && seconds < math.MaxInt64-now:
			co.expires = now + seconds
		}
	case "expires":
		if co.expires == 0 {
			if at, ok := parseDate(value); ok {
				co.expires = max(at, 1)
			}
		}
	}
}
