package curl

import "strings"

// protocols are the URL schemes that a full build of curl 8.22 knows.
var protocols = strings.Fields(`dict file ftp ftps gopher gophers http https imap imaps ipfs ipns
	ldap ldaps mqtt mqtts pop3 pop3s rtsp scp sftp smb smbs smtp smtps telnet tftp ws wss`)

// KnownProtocol reports whether curl knows a URL scheme, given in lower case.
func KnownProtocol(name string) bool {
	for _, p := range protocols {
		if p == name {
			return true
		}
	}
	return false
}

// ParseProtocols reads the argument of --proto, or of --proto-redir, and
// returns the protocols that it allows: +name adds one, -name takes it away,
// =name starts afresh with it, and "all" stands for every one (proto2num()
// in curl 8.22 src/tool_paramhlp.c).
func ParseProtocols(list string, redirect bool) map[string]bool {
	allowed := make(map[string]bool)
	start := protocols
	if redirect {
		start = []string{"http", "https", "ftp", "ftps"}
	}
	for _, p := range start {
		allowed[p] = true
	}
	for item := range strings.SplitSeq(list, ",") {
		if item == "" {
			continue
		}
		action := byte('+')
		if strings.IndexByte("+-=", item[0]) >= 0 {
			action, item = item[0], item[1:]
		}
		item = strings.ToLower(item)
		if item != "all" && !KnownProtocol(item) {
			if action == '=' {
				clear(allowed)
			}
			continue
		}
		if action == '=' && item != "all" || action == '-' && item == "all" {
			clear(allowed)
		}
		switch {
		case item == "all" && action != '-':
			for _, p := range protocols {
				allowed[p] = true
			}
		case item != "all":
			allowed[item] = action != '-'
			if action == '-' {
				delete(allowed, item)
			}
		}
	}
	return allowed
}
