package curlurl

import (
	"net/netip"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// invalidHostBytes may not stand in a host name (HOSTNAME_INVALID_CHARS in
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
	if host == "" || !isDigit(host[0]) {
		return "", false
	}
	trimmed := strings.TrimSuffix(host, ".") // one dot may end it
	parts := strings.Split(trimmed, ".")
	if len(parts) > 4 {
		return "", false
	}
	var address uint64
	for i, part := range parts {
		n, ok := parseIPv4Part(part)
		last := i == len(parts)-1
		limit := uint64(0xff)
		if last {
			limit = 1<<(8*(5-len(parts))) - 1
		}
		if !ok || n > limit {
			return "", false
		}
		if last {
			address = address<<(8*(5-len(parts))) | n
		} else {
			address = address<<8 | n
		}
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

// ToASCII converts an international host name to its ASCII form. A host with
// a placeholder stays as it is.
func (u *URL) ToASCII() error {
	if isASCII(u.Host) || strings.IndexByte(u.Host, markOpen) >= 0 {
		return nil
	}
	ascii, err := lookup.ToASCII(u.Host)
	if err != nil {
		ascii, err = lookupLoosely.ToASCII(u.Host)
	}
	if err != nil || ascii == "" || !utf8.ValidString(u.Host) {
		return &Error{"its host name is not valid as an international domain name"}
	}
	// Characters that stand for a slash or a blank come out as one. curl
	// asks for such a host; a URL cannot name it.
	if checkHostname(ascii) != nil {
		return &Error{"its international host name stands for characters that no URL can have in a host"}
	}
	u.Host = ascii
	return nil
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
