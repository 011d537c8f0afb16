package files

import (
	"errors"
	"unicode/utf8"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/urlparts"
	"uncoil/request"
)

// The message itself, HTTP/1.1 as RFC 9112 writes it: the bytes that curl would
// send, to be sent over a connection as they are, by nc or openssl s_client. It
// has no place for variables, for comments, or for the content of files that
// were not supplied. Indent and Bare have no effect.
var RawHTTP = plan.Target{
	Name: "raw-http", Convention: plan.Format("http"), Client: "a raw message", Version: "1.1", Kind: plan.File, Extension: "http",
	Aliases: []string{"raw", "http-raw", "http1.1"}, Proven: true, Write: writeRawHTTP,
	Facts: plan.Client{
		Wire:    plan.Wire{Order: "*"},
		Follows: plan.NoMethod,
		Target:  true, Loose: true, Hostless: true,
		// Those of TLS are for whoever opens the connection.
		Versions: []string{"1.0"},
	},
}

func writeRawHTTP(p *plan.Program) {
	p.Note = "" // a message holds no comments
	server := ""
	for i, c := range p.Calls {
		for _, one := range []struct {
			asked  bool
			member string
			option emit.Phrase
		}{{c.Insecure(), "insecure", "-k"}, {len(c.CaFile()) > 0, "cacert", "--cacert"}, {len(c.Cert()) > 0, "cert", "--cert"}} {
			if one.asked && c.Secure() {
				p.LossAt(c.Place(one.member), one.option, "opens no connection")
			}
		}
		c.LeavesCert()
		to := c.URL[:urlparts.Of(c.URL).Path]
		if i > 0 && server != to {
			p.Refuse("goes to one server only")
		}
		server = to
		rawMessage(p, c)
		p.ReportLosses(c)
	}
}

// rawMessage writes one request.
func rawMessage(p *plan.Program, c *plan.Call) {
	if len(c.Variables) > 0 && !c.Keep {
		p.Accept(c, "has no variables: they stay as they were typed")
	}
	start := len(p.Dst)
	var err error
	p.Dst, err = c.AppendMessage(p.Dst, request.Source{Boundary: c.Boundary()})
	var missing *request.FileError
	switch {
	case errors.As(err, &missing):
		p.RefuseName(plan.Nowhere, "has no content from a file that was not supplied", missing.Name)
	case !utf8.Valid(p.Dst[start:]):
		p.Dst = p.Dst[:start]
		p.Refuse("cannot be shown as text, because it has bytes that are not UTF-8")
	}
}
