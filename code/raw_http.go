package code

import (
	"errors"
	"strings"
	"unicode/utf8"

	"uncoil/request"
)

// The message itself, HTTP/1.1 as RFC 9112 writes it: the bytes that curl would
// send, to be sent over a connection as they are, by nc or openssl s_client. It
// has no place for variables, for comments, or for the content of files that
// were not supplied. Indent and Bare have no effect.
var rawHTTP = Target{
	Name: "raw-http", Language: "http", Client: "a raw message", Version: "1.1", Kind: File, Extension: "http",
	Aliases: []string{"raw", "http-raw", "http1.1"}, Proven: true, write: writeRawHTTP,
	client: client{
		target: true, loose: true, hostless: true,
		// Those of TLS are for whoever opens the connection.
		says:     []string{"insecure", "cacert", "cert"},
		versions: []string{"1.0"},
	},
}

func writeRawHTTP(p *program) {
	p.note = "" // a message holds no comments
	server := ""
	for i, c := range p.calls {
		p.fileLosses(c)
		for _, one := range []struct {
			asked  bool
			member string
			option phrase
		}{{c.insecure, "insecure", "-k"}, {len(c.caFile) > 0, "cacert", "--cacert"}, {len(c.cert) > 0, "cert", "--cert"}, {len(c.cert) > 0 && len(c.key) > 0, "cert", "--key"}} {
			if one.asked && c.secure() {
				p.lossAt(c.place(one.member), one.option, "opens no connection")
			}
		}
		scheme, rest, _ := strings.Cut(c.URL, "://")
		host, _, _ := strings.Cut(rest, "/")
		if i > 0 && server != scheme+host {
			p.refuse("goes to one server only")
		}
		server = scheme + host
		p.rawMessage(c)
	}
}

// rawMessage writes one request.
func (p *program) rawMessage(c *call) {
	if len(c.Variables) > 0 && !c.keep {
		p.refuse("has no variables, unless they stay as they were typed")
	}
	start := len(p.dst)
	var err error
	p.dst, err = c.AppendMessage(p.dst, request.Source{Boundary: c.boundary()})
	var missing *request.FileError
	switch {
	case errors.As(err, &missing):
		p.refuseName(nowhere, "has no content from a file that was not supplied", missing.Name)
	case !utf8.Valid(p.dst[start:]):
		p.dst = p.dst[:start]
		p.refuse("cannot be shown as text, because it has bytes that are not UTF-8")
	}
}
