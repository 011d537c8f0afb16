package curlurl

import (
	"net/netip"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"uncoil/internal/engine/ascii"
)

// invalidHostBytes are not allowed in a host name (HOSTNAME_INVALID_CHARS in
// curl 8.22 lib/urlapi.c).
const invalidHostBytes = " \r\n\t/:#?!@{}[]\\$'\"^`*<>=;,+&()%|"

func checkHostname(host string) error {
	switch {
	case strings.ContainsAny(host, invalidHostBytes):
		return &Error{"its host name holds a character that no host name can"}
	case strings.HasSuffix(host, "..") || host == ".":
		return &Error{"its host name ends in more than one dot"}
	}
	return nil
}

// maxZone bounds the zone of an IPv6 address (MAX_ZONEID_LEN).
const maxZone = 15

// parseIPv6 reads [address] or [address%25zone].
func (u *URL) parseIPv6(host string) error {
	bad := &Error{"its IPv6 address is malformed"}
	if len(host) < len("[::]") || host[len(host)-1] != ']' {
		return bad
	}
	address, zone, hasZone := strings.Cut(host[1:len(host)-1], "%")
	if hasZone {
		if strings.HasPrefix(zone, "25") && len(zone) > 2 {
			zone = zone[2:]
		}
		if zone == "" || len(zone) > maxZone {
			return bad
		}
	}
	ip, err := netip.ParseAddr(address)
	if err != nil || !ip.Is6() {
		return bad
	}
	u.Host, u.Zone = "["+ip.String()+"]", zone
	return nil
}

// normalizeIPv4 turns the odd spellings of an IPv4 address (0x7f.1,
// 2130706433, 0177.0.0.1) into four decimal numbers: ipv4_normalize() in
// curl 8.22 lib/urlapi.c. ok is false when host is not an address.
func normalizeIPv4(host string) (quad string, ok bool) {
	if host == "" || !ascii.IsDigit(host[0]) {
		return "", false
	}
	rest := strings.TrimSuffix(host, ".") // one dot may end it
	parts := strings.Count(rest, ".") + 1
	if parts > 4 {
		return "", false
	}
	var address uint64
	for i := range parts {
		part, after, _ := strings.Cut(rest, ".")
		rest = after
		bits := 8
		if i == parts-1 {
			bits = 8 * (5 - parts)
		}
		n, ok := parseIPv4Part(part)
		if !ok || n >= 1<<bits {
			return "", false
		}
		address = address<<bits | n
	}
	b := make([]byte, 0, len("255.255.255.255"))
	for shift := 24; shift >= 0; shift -= 8 {
		if shift < 24 {
			b = append(b, '.')
		}
		b = strconv.AppendUint(b, address>>shift&0xff, 10)
	}
	return string(b), true
}

// parseIPv4Part reads a number in decimal, octal (0…) or hexadecimal (0x…).
func parseIPv4Part(s string) (n uint64, ok bool) {
	base := 10
	switch {
	case len(s) > 1 && s[0] == '0' && s[1]|0x20 == 'x':
		s, base = s[2:], 16
	case len(s) > 1 && s[0] == '0':
		base = 8
	}
	if s == "" || s[0] == '+' || s[0] == '-' || strings.IndexByte(s, '_') >= 0 {
		return 0, false
	}
	n, err := strconv.ParseUint(s, base, 32)
	return n, err == nil
}

// lookup converts as libidn2 does for curl: non-transitional processing of
// UTS 46.
var lookup = idna.New(
	idna.MapForLookup(),
	idna.Transitional(false),
	idna.StrictDomainName(false),
	idna.BidiRule(),
)

// lookupLoosely is what curl tries next: transitional processing, which also
// takes what the first refuses for its direction.
var lookupLoosely = idna.New(
	idna.MapForLookup(),
	idna.Transitional(true),
	idna.StrictDomainName(false),
	idna.CheckHyphens(true),
)

// Limits of an international host name: what libidn2 takes for its ASCII form
// (version 2.3.3, tried), and how many bytes are
// converted at all, which allows for characters that the conversion drops.
const (
	maxDomain = 253
	maxLabel  = 63
	maxIDN    = 4 << 10
)

// ToASCII converts an international host name to its ASCII form: idn_decode()
// in curl 8.22 lib/idn.c. A host with a placeholder stays as it is.
func (u *URL) ToASCII() error {
	if ascii.Only(u.Host) || strings.IndexByte(u.Host, markOpen) >= 0 {
		return nil
	}
	bad := &Error{"its host name is not valid as an international domain name"}
	// Punycode takes a time that grows with the square of a label.
	if len(u.Host) > maxIDN || !utf8.ValidString(u.Host) || !u.meter.Work(len(u.Host)*len(u.Host)/8+64*len(u.Host)) {
		return bad
	}
	host, err := lookup.ToASCII(u.Host)
	if err != nil || !fitsDNS(host) {
		host, err = lookupLoosely.ToASCII(u.Host)
	}
	if err != nil || host == "" || !fitsDNS(host) {
		return bad
	}
	// Compatibility characters of a slash or a blank become one. curl
	// asks for such a host; a URL cannot name it.
	if checkHostname(host) != nil {
		return ErrInternationalHost
	}
	u.Host = host
	return nil
}

// fitsDNS reports whether a converted name and its labels are short enough.
func fitsDNS(host string) bool {
	if len(host) > maxDomain {
		return false
	}
	for label := range strings.SplitSeq(host, ".") {
		if len(label) > maxLabel {
			return false
		}
	}
	return true
}
