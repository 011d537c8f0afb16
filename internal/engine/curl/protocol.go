package curl

import (
	"strings"

	"uncoil/internal/engine/ascii"
)

// protocols are the URL schemes that a full build of curl 8.22 knows.
var protocols = [...]string{
	"dict", "file", "ftp", "ftps", "gopher", "gophers", "http", "https", "imap", "imaps", "ipfs", "ipns",
	"ldap", "ldaps", "mqtt", "mqtts", "pop3", "pop3s", "rtsp", "scp", "sftp", "smb", "smbs", "smtp", "smtps", "telnet", "tftp", "ws", "wss",
}

// Protocols is a set of protocols: bit i stands for protocols[i].
type Protocols uint64

const allProtocols Protocols = 1<<len(protocols) - 1

// protocol returns the set of one protocol, in any case, or the empty set.
func protocol(name string) Protocols {
	for i, p := range protocols {
		if ascii.EqualFold(p, name) {
			return 1 << i
		}
	}
	return 0
}

// KnownProtocol reports whether curl knows a URL scheme.
func KnownProtocol(name string) bool { return protocol(name) != 0 }

// Has reports whether the set holds a protocol.
func (p Protocols) Has(name string) bool { return p&protocol(name) != 0 }

// ParseProtocols reads the argument of --proto, or of --proto-redir, and
// returns the protocols that it allows: +name adds one, -name takes it away,
// =name starts afresh with it, and "all" stands for every one (proto2num()
// in curl 8.22 src/tool_paramhlp.c).
func ParseProtocols(list string, redirect bool) Protocols {
	allowed := allProtocols
	if redirect {
		allowed = protocol("http") | protocol("https") | protocol("ftp") | protocol("ftps")
	}
	for item := range strings.SplitSeq(list, ",") {
		if item == "" {
			continue
		}
		action := byte('+')
		if strings.IndexByte("+-=", item[0]) >= 0 {
			action, item = item[0], item[1:]
		}
		named := protocol(item)
		if ascii.EqualFold(item, "all") {
			named = allProtocols
		}
		switch action {
		case '+':
			allowed |= named
		case '-':
			allowed &^= named
		case '=':
			allowed = named
		}
	}
	return allowed
}
