package request

import (
	"time"

	"uncoil/diag"
)

// An Option is one that shapes the exchange: redirects, TLS, proxy, timeouts.
// Value is a bool, an int64, a float64, a string or a []string. Times are in seconds where
// the name has no other unit (happyEyeballsTimeoutMs), sizes in bytes and rates in bytes a
// second: docs/semantics.md has the names, with the option of curl for each.
type Option struct {
	Name  string // camelCase, as the description has it
	Value any
	// Span is where the command has the option, the last one of several.
	Span diag.Span
}

// Options are the options of a request, each name once. What most clients have is
// there as values of Go, too: Redirects, TLS, Proxy and Timeouts.
type Options []Option

// Value returns the value of an option by its name, or nil.
func (o Options) Value(name string) any {
	for i := range o {
		if o[i].Name == name {
			return o[i].Value
		}
	}
	return nil
}

// On reports whether an option is a flag that is set.
func (o Options) On(name string) bool {
	on, _ := o.Value(name).(bool)
	return on
}

func (o Options) text(name string) string {
	s, _ := o.Value(name).(string)
	return s
}

// usualRedirects is how many redirects curl follows unless told otherwise: curl 8.22
// docs/cmdline-opts/max-redirs.md.
const usualRedirects = 50

// Redirects say how redirects are followed.
type Redirects struct {
	Follow     bool
	Max        int64 // how many; -1: no limit
	Trusted    bool  // credentials go to other hosts, too
	KeepMethod bool  // the method of -X goes with each
}

// Redirects returns what -L, --follow, --max-redirs and --location-trusted say.
func (o Options) Redirects() Redirects {
	r := Redirects{
		Follow: o.On("followRedirects") || o.On("follow"), Max: usualRedirects,
		Trusted: o.On("locationTrusted"), KeepMethod: o.On("keepMethod"),
	}
	if most, ok := o.Value("maxRedirects").(int64); ok {
		r.Max = most
	}
	return r
}

// TLS says whom the connection trusts, and what it shows. The texts may have variables
// of the shell; those of files are names.
type TLS struct {
	Insecure bool   // any certificate will do
	CAFile   string // of the certificates that are trusted
	Cert     string // file of the certificate of the client
	Key      string // file of its key; "" where Cert has it
	Min, Max string // versions: "1.0" to "1.3", or "default" for Max
}

// TLS returns what -k, --cacert, --cert, --key, --tlsv1.x and --tls-max say.
func (o Options) TLS() TLS {
	return TLS{Insecure: o.On("insecure"), CAFile: o.text("cacert"), Cert: o.text("cert"), Key: o.text("key"), Min: o.text("tlsMin"), Max: o.text("tlsMax")}
}

// A Proxy is the one that is asked. The texts may have variables of the shell.
type Proxy struct {
	URL  string // as typed: the scheme may be missing, which means http
	Set  bool   // the command says which, if only by "" for none; else it is the environment's
	User string // name and password, joined by a colon
	Not  string // hosts that are asked without it, joined by commas
}

// Proxy returns what -x, -U and --noproxy say.
func (o Options) Proxy() Proxy {
	url, set := o.Value("proxy").(string)
	return Proxy{URL: url, Set: set, User: o.text("proxyUser"), Not: o.text("noproxy")}
}

// Timeouts are how long the exchange may take. 0 is no limit.
type Timeouts struct{ Total, Connect time.Duration }

// Timeouts returns what -m and --connect-timeout say.
func (o Options) Timeouts() Timeouts {
	seconds := func(name string) time.Duration {
		s, _ := o.Value(name).(float64)
		const most = float64(1<<63-1) / float64(time.Second)
		return time.Duration(min(max(s, 0), most-1) * float64(time.Second))
	}
	return Timeouts{Total: seconds("maxTime"), Connect: seconds("connectTimeout")}
}
