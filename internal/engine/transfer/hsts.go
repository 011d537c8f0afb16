package transfer

import (
	"net/netip"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/curlurl"
)

// hstsUpgrade makes https of http where the --hsts file knows the host:
// lib/hsts.c of curl 8.22.
func (t *transfer) hstsUpgrade(u *curlurl.URL) {
	if !t.c.hsts.set() || t.c.hsts.Text == "" || u.Scheme != "http" {
		return
	}
	content, ok := t.b.in.Read(t.c.hsts.Text)
	if !ok {
		t.b.needFile(t.c.hsts.span(), "the HSTS file may turn http into https, and was not supplied", t.c.hsts.Text)
		return
	}
	if _, err := netip.ParseAddr(strings.Trim(u.Host, "[]")); err == nil {
		return
	}
	if s := &t.b.hsts; !s.done || s.host != u.Host || s.content != content {
		*s = hstsSearch{content: content, host: u.Host, done: true}
		s.covers = t.b.in.Meter.Work(6*len(content)) && hstsKnows(content, u.Host, t.b.in.Now)
	}
	if t.b.hsts.covers {
		u.Upgrade()
	}
}

// An hstsSearch is the last search in an HSTS file: transfers that differ in
// their path only need no other.
type hstsSearch struct {
	content, host string
	covers, done  bool
}

func hstsKnows(content, host string, now int64) bool {
	for line := range curl.ConfigLines(content) {
		if hstsCovers(line, host, now) {
			return true
		}
	}
	return false
}

// hstsCovers reads one line: a host, with a leading dot for its subdomains
// too, and in quotes when the entry expires.
func hstsCovers(line, host string, now int64) bool {
	name, rest, ok := strings.Cut(strings.TrimLeft(line, " \t"), " ")
	rest = trimBlanks(strings.TrimRight(rest, "\r"))
	if !ok || len(rest) < 2 || rest[0] != '"' || rest[len(rest)-1] != '"' {
		return false
	}
	if expires := rest[1 : len(rest)-1]; expires != "unlimited" {
		at, ok := parseDate(expires)
		if !ok || now > 0 && at <= now {
			return false
		}
	}
	host = strings.TrimSuffix(host, ".")
	if domain, ok := strings.CutPrefix(name, "."); ok {
		return tailMatches(strings.TrimSuffix(domain, "."), host)
	}
	return ascii.EqualFold(strings.TrimSuffix(name, "."), host)
}
