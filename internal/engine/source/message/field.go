package message

import (
	"slices"
	"strings"

	"uncoil/internal/engine/ascii"
)

// A fieldKind is what a header field means for the command.
type fieldKind uint8

const (
	plainField fieldKind = iota
	pseudoField
	hostField
	connectionField
	socketField // what curl sends by itself to open a WebSocket
	lengthField
	cookieField
	codingField
	typeField
	agentField
	acceptField
	expectField
	fieldKinds
)

// A fieldSet holds which kinds of fields a message has.
type fieldSet [fieldKinds]bool

var kindNames = [...]struct {
	name string
	kind fieldKind
}{
	{"host", hostField},
	{"connection", connectionField},
	{"keep-alive", connectionField},
	{"proxy-connection", connectionField},
	{"upgrade", socketField},
	{"sec-websocket-key", socketField},
	{"sec-websocket-version", socketField},
	{"sec-websocket-extensions", socketField},
	{"content-length", lengthField},
	{"cookie", cookieField},
	{"accept-encoding", codingField},
	{"content-type", typeField},
	{"user-agent", agentField},
	{"accept", acceptField},
	{"expect", expectField},
}

func kindOf(name string) fieldKind {
	if strings.HasPrefix(name, ":") {
		return pseudoField
	}
	for i := range kindNames {
		if ascii.EqualFold(kindNames[i].name, name) {
			return kindNames[i].kind
		}
	}
	return plainField
}

// isUsualConnection reports a value of Connection or Keep-Alive that is about
// the connection of the client alone.
func isUsualConnection(value string) bool { return !ascii.EqualFold(value, "close") }

// Latin1 returns the bytes of a field's value whose characters a browser shows:
// one for each, because browsers read and write fields as Latin-1. A value with
// other characters is one that no browser sends; it stays UTF-8.
func Latin1(s string) string {
	n := 0
	for _, r := range s {
		if r > 0xff {
			return s
		}
		n++
	}
	if n == len(s) {
		return s
	}
	b := make([]byte, 0, n)
	for _, r := range s {
		b = append(b, byte(r))
	}
	return string(b)
}

// Has reports whether there is a field of a name, in any case of letters.
func Has(fields []Field, name string) bool {
	return slices.ContainsFunc(fields, func(f Field) bool { return ascii.EqualFold(f.Name.Text, name) })
}
