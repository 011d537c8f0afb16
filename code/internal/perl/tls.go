package perl

import (
	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// certificates returns the options for the files of certificates.
func (r *perlRequest) certificates() (items []emit.Node) {
	for _, o := range []struct {
		name  string
		value plan.Text
	}{{"SSL_ca_file", r.c.CaFile()}, {"SSL_cert_file", r.c.Cert()}, {"SSL_key_file", r.c.Key()}} {
		if len(o.value) > 0 {
			items = append(items, emit.Leaf(o.name+" => "+r.text(o.value)))
		}
	}
	if len(r.c.Cert()) > 0 { // IO::Socket::SSL finds out the form of a file
		r.c.Does("certType", "keyType")
		if phrase := r.c.KeyPassword(); len(phrase) > 0 {
			items = append(items, emit.Leaf("SSL_passwd_cb => sub { "+r.text(phrase)+" }"))
		}
	}
	return items
}
