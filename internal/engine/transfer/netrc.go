package transfer

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/curlurl"
)

// netrcCredentials completes credentials from the netrc file:
// url_set_data_creds_netrc() in curl 8.22 lib/url.c.
func (t *transfer) netrcCredentials(u *curlurl.URL, cr credentials) (credentials, bool) {
	c := t.c
	if !c.netrc && !c.netrcOptional && !c.netrcFile.set() || cr.user != "" && cr.from != "url" {
		return cr, true
	}
	if c.netrcOptional && cr.user != "" && cr.password != "" {
		return cr, true // the URL has both
	}
	name := ".netrc"
	if c.netrcFile.set() {
		name = c.netrcFile.Text
	}
	content, ok := t.b.in.Read(name)
	if !ok {
		c.lack(name, "credentials")
		if c.netrcFile.set() {
			t.b.needFile(c.netrcFile.span(), "credentials may be in the netrc file, which was not supplied", name)
		} else {
			d := curl.NotSupplied(t.b.command, "curl would look for credentials in ~/.netrc", name)
			d.Hint += " as " + name + curl.EmptyIfNone // which the command does not say
			t.b.lacks(d)
		}
		return cr, true
	}
	user, password, found, valid := t.b.netrc(content, u.Host, cr.user)
	if !valid && !c.netrcOptional {
		t.fail(diag.CodeInvalidArgument, "the netrc file is malformed", "")
		return cr, false
	}
	if found {
		from := c.netrcFile.from()
		if from == "" {
			from = "--netrc"
		}
		return credentials{user: user, password: password, known: true, from: from, at: c.netrcFile.at()}, true
	}
	return cr, true
}

// A netrcSearch is the last search in a netrc file: transfers that differ in
// their path only need no other.
type netrcSearch struct {
	content, host, wantUser string
	user, password          string
	found, valid, done      bool
}

// netrc is scanNetrc, which it spares a transfer that asks for the same.
func (b *builder) netrc(content, host, wantUser string) (user, password string, found, valid bool) {
	s := &b.netrcSearch
	if !s.done || s.host != host || s.wantUser != wantUser || s.content != content {
		*s = netrcSearch{content: content, host: host, wantUser: wantUser, done: true}
		if b.in.Meter.Work(6 * len(content)) {
			s.user, s.password, s.found, s.valid = scanNetrc(content, host, wantUser)
		}
	}
	return s.user, s.password, s.found, s.valid
}

// scanNetrc looks for the credentials of a host, and of a user if one is
// named: netrc_scan() in curl 8.22 lib/netrc.c.
func scanNetrc(content, host, wantUser string) (user, password string, found, valid bool) {
	lex := netrcLexer{rest: dropComments(content)}
	var entry netrcEntry
	for {
		token, quoted, ok := lex.next()
		if !ok {
			return "", "", false, false
		}
		keyword := ""
		if !quoted {
			keyword = strings.ToLower(token)
		}
		switch {
		case token == "" && !quoted, keyword == "machine", keyword == "default", keyword == "macdef":
			if entry.matches(wantUser) {
				if wantUser == "" {
					wantUser = entry.login
				}
				return wantUser, entry.password, true, true
			}
			entry = netrcEntry{}
		}
		switch {
		case token == "" && !quoted:
			return "", "", false, true
		case keyword == "machine":
			name, _, ok := lex.next()
			if !ok {
				return "", "", false, false
			}
			entry.host = ascii.EqualFold(name, host)
		case keyword == "default":
			entry.host = true
		case keyword == "macdef":
			lex.skipMacro()
		case keyword == "login", keyword == "password", keyword == "account":
			value, _, ok := lex.next()
			if !ok {
				return "", "", false, false
			}
			entry.set(keyword, value)
		}
	}
}

// dropComments removes the lines that begin with #.
func dropComments(content string) string {
	if strings.IndexByte(content, '#') < 0 {
		return content
	}
	var b strings.Builder
	for line := range strings.Lines(content) {
		if line = strings.TrimLeft(line, " \t"); !strings.HasPrefix(line, "#") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// netrcEntry is what has been read of one machine.
type netrcEntry struct {
	host                  bool // it is the one looked for
	login, password       string
	hasLogin, hasPassword bool
}

func (e *netrcEntry) set(keyword, value string) {
	switch {
	case !e.host:
	case keyword == "login":
		e.login, e.hasLogin = value, true
	case keyword == "password":
		e.password, e.hasPassword = value, true
	}
}

func (e *netrcEntry) matches(wantUser string) bool {
	switch {
	case !e.host:
		return false
	case e.hasLogin && wantUser != "":
		return e.login == wantUser && e.hasPassword
	}
	return e.hasLogin || e.hasPassword
}

// netrcLexer cuts a netrc file into words.
type netrcLexer struct {
	rest string
	unix bool // the carriage returns are gone
}

// next returns the next word; the empty unquoted word is the end. ok is
// false when a quote is not closed.
func (l *netrcLexer) next() (word string, quoted, ok bool) {
	l.rest = strings.TrimLeft(l.rest, " \t\r\n")
	if !strings.HasPrefix(l.rest, `"`) {
		end := strings.IndexAny(l.rest, " \t\r\n")
		if end < 0 {
			end = len(l.rest)
		}
		word, l.rest = l.rest[:end], l.rest[end:]
		return word, false, true
	}
	var b strings.Builder
	for i := 1; i < len(l.rest); i++ {
		c := l.rest[i]
		switch c {
		case '"':
			l.rest = l.rest[i+1:]
			return b.String(), true, true
		case '\\':
			if i++; i == len(l.rest) {
				return "", true, false
			}
			if c = l.rest[i]; strings.IndexByte("nrt", c) >= 0 {
				c = map[byte]byte{'n': '\n', 'r': '\r', 't': '\t'}[c]
			}
		}
		b.WriteByte(c)
	}
	return "", true, false
}

// skipMacro drops what follows macdef up to an empty line.
func (l *netrcLexer) skipMacro() {
	if !l.unix {
		l.rest, l.unix = strings.ReplaceAll(l.rest, "\r", ""), true
	}
	_, l.rest, _ = strings.Cut(l.rest, "\n\n")
}
