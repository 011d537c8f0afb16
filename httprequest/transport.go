package httprequest

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/fault"
	"uncoil/internal/engine/peer"
	"uncoil/internal/engine/urlparts"
	"uncoil/request"
)

// An Allowance lets New make a request that it would refuse.
type Allowance uint8

// AnyPeer lets New make a request that curl sends to a Unix socket: the client connects
// there, as one with the Transport of the request does.
const AnyPeer Allowance = 1

// An OptionError names the option of curl that net/http cannot follow.
type OptionError struct {
	Option string // its long name
	Err    error  // why, or nil where net/http has no such thing
}

// Error says so.
func (e *OptionError) Error() string {
	if e.Err != nil {
		return "httprequest: " + e.Option + ": " + e.Err.Error()
	}
	return "httprequest: net/http has nothing like " + e.Option
}

// Unwrap returns Err.
func (e *OptionError) Unwrap() error { return e.Err }

// Doubts returns the warnings that a client which sends a request to the host of its URL
// does another thing than curl: other-peer names the option by which curl connects
// elsewhere. A client with the Transport of the request follows that option.
func Doubts(r *request.Request) diag.List {
	if doubt := peer.Doubt(r, ""); doubt != nil {
		return diag.List{*doubt}
	}
	return nil
}

// Transport returns the way to the server that the command asks for: its Unix socket,
// --connect-to, --resolve and --noproxy, the proxy, or else that of the environment, the
// versions of HTTP, of IP and of TLS, --connect-timeout, and whom TLS trusts. Names of TLS
// are those of the URL, as curl's are. readFile, unless nil, supplies the files of --cacert,
// --cert and --key, in PEM; when one is missing the error is a *request.FileError. An option
// that net/http cannot follow, and without which the client would connect to another peer or
// trust another one, is an *OptionError.
//
// It follows no redirects, and keeps neither cookies nor the limits of --max-time and
// --limit-rate: those are the client's.
func Transport(r *request.Request, readFile func(name string) ([]byte, error)) (_ *http.Transport, err error) {
	defer fault.Recover(&err)
	if err := unsupported(r); err != nil {
		return nil, err
	}
	t := &http.Transport{DisableCompression: true, ForceAttemptHTTP2: true, TLSHandshakeTimeout: 5 * time.Minute}
	if err := setVersions(t, r); err != nil {
		return nil, err
	}
	if t.TLSClientConfig, err = tlsConfig(r, readFile); err != nil {
		return nil, err
	}
	d := &dialer{table: peer.Tables(r), network: "tcp"}
	d.Timeout = r.Options.Timeouts().Connect
	if version, ok := r.Options.Value("ipVersion").(int64); ok {
		d.network += fmt.Sprint(version)
	}
	t.DialContext = d.dial
	if socket := peer.Socket(r); socket != nil {
		path, _ := socket.Value.(string)
		if socket.Name == "abstractUnixSocket" {
			path = "@" + path
		}
		t.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return d.DialContext(ctx, "unix", path)
		}
		return t, nil
	}
	return t, setProxy(t, d, r)
}

// unfollowed are options that decide who the peer is or who is trusted, and that net/http
// cannot follow.
var unfollowed = []struct{ name, option string }{
	{"capath", "--capath"}, {"caNative", "--ca-native"}, {"crlfile", "--crlfile"}, {"pinnedPublicKey", "--pinnedpubkey"}, {"certStatus", "--cert-status"},
	{"ciphers", "--ciphers"}, {"tls13Ciphers", "--tls13-ciphers"}, {"curves", "--curves"}, {"engine", "--engine"}, {"dohUrl", "--doh-url"},
	{"interface", "--interface"}, {"localPort", "--local-port"}, {"haproxyProtocol", "--haproxy-protocol"}, {"haproxyClientip", "--haproxy-clientip"},
	{"preproxy", "--preproxy"}, {"proxyCacert", "--proxy-cacert"}, {"proxyCapath", "--proxy-capath"}, {"proxyCert", "--proxy-cert"},
	{"proxyInsecure", "--proxy-insecure"}, {"proxyPinnedPublicKey", "--proxy-pinnedpubkey"},
}

func unsupported(r *request.Request) error {
	for _, o := range unfollowed {
		if v := r.Options.Value(o.name); v != nil && v != false && v != "" {
			return &OptionError{Option: o.option}
		}
	}
	for _, o := range [...]struct{ name, option string }{{"certType", "--cert-type"}, {"keyType", "--key-type"}} {
		if kind, ok := r.Options.Value(o.name).(string); ok && !ascii.EqualFold(kind, "PEM") {
			return &OptionError{Option: o.option}
		}
	}
	return nil
}

// setVersions sets which versions of HTTP the client speaks.
func setVersions(t *http.Transport, r *request.Request) error {
	t.Protocols = new(http.Protocols)
	version, _ := r.Options.Value("httpVersion").(string)
	switch version {
	case "", "2":
		t.Protocols.SetHTTP1(true)
		t.Protocols.SetHTTP2(true)
	case "1.1":
		t.Protocols.SetHTTP1(true)
	case "2-prior-knowledge":
		t.Protocols.SetHTTP2(true)
		t.Protocols.SetUnencryptedHTTP2(true)
	case "1.0":
		return &OptionError{Option: "--http1.0"}
	default:
		return &OptionError{Option: "--http" + version}
	}
	return nil
}

// tlsVersions are the versions of TLS by the names that the options have for them.
var tlsVersions = map[string]uint16{"1.0": tls.VersionTLS10, "1.1": tls.VersionTLS11, "1.2": tls.VersionTLS12, "1.3": tls.VersionTLS13, "default": 0, "": 0}

// tlsConfig returns whom the client trusts, and what it shows.
func tlsConfig(r *request.Request, readFile func(name string) ([]byte, error)) (*tls.Config, error) {
	o := r.Options.TLS()
	c := &tls.Config{InsecureSkipVerify: o.Insecure, MinVersion: tlsVersions[o.Min], MaxVersion: tlsVersions[o.Max]}
	if o.CAFile != "" {
		pem, err := read(o.CAFile, readFile)
		if err != nil {
			return nil, err
		}
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(pem) {
			return nil, &OptionError{Option: "--cacert", Err: errors.New("the file has no certificate in PEM")}
		}
	}
	if o.Cert == "" {
		return c, nil
	}
	name, _ := certificate(o.Cert)
	cert, err := read(name, readFile)
	if err != nil {
		return nil, err
	}
	key := cert
	if o.Key != "" {
		if key, err = read(o.Key, readFile); err != nil {
			return nil, err
		}
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return nil, &OptionError{Option: "--cert", Err: errors.New("certificate and key are no pair in PEM without a password")}
	}
	c.Certificates = []tls.Certificate{pair}
	return c, nil
}

// certificate takes the argument of --cert apart: parse_cert_parameter() in curl 8.22
// src/tool_getparam.c. A backslash keeps a colon, or another backslash, in the name.
func certificate(argument string) (name, password string) {
	if ascii.HasPrefixFold(argument, "pkcs11:") {
		return argument, ""
	}
	var b strings.Builder
	for i := 0; i < len(argument); i++ {
		switch c := argument[i]; {
		case c == '\\' && i+1 < len(argument) && (argument[i+1] == ':' || argument[i+1] == '\\'):
			i++
			b.WriteByte(argument[i])
		case c == ':':
			return b.String(), argument[i+1:]
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), ""
}

// read returns the content of a file that the command names.
func read(name string, readFile func(name string) ([]byte, error)) ([]byte, error) {
	if readFile == nil {
		return nil, &request.FileError{Name: name, Err: request.ErrNotSupplied}
	}
	content, err := readFile(name)
	if err != nil {
		return nil, &request.FileError{Name: name, Err: err}
	}
	return content, nil
}

// A dialer connects as --connect-to and --resolve say.
type dialer struct {
	net.Dialer
	table   peer.Table
	network string // tcp, tcp4 or tcp6
	proxy   string // its host and port: --connect-to is about those of URLs
}

// dial connects to one of the addresses of a host, in their order.
func (d *dialer) dial(ctx context.Context, _, address string) (c net.Conn, err error) {
	name, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	table := d.table
	if address == d.proxy {
		table.ConnectTo = nil
	}
	to, addresses, _ := table.Connect(peer.Host{Name: name, Port: port})
	switch {
	case len(addresses) > 0:
	case peer.IsLocal(to.Name):
		addresses = []string{"127.0.0.1", "::1"}
	default:
		addresses = []string{to.Name}
	}
	for _, a := range addresses {
		if c, err = d.DialContext(ctx, d.network, net.JoinHostPort(a, to.Port)); err == nil {
			return c, nil
		}
	}
	return nil, err
}

// setProxy sets the proxy that is asked.
func setProxy(t *http.Transport, d *dialer, r *request.Request) error {
	t.Proxy = http.ProxyFromEnvironment
	p := r.Options.Proxy()
	if p.Set && p.URL == "" {
		t.Proxy = nil
		return nil
	}
	not := peer.ParseNoProxy(p.Not)
	ask := t.Proxy
	if p.Set {
		address, err := proxyURL(r, p)
		if err != nil {
			return err
		}
		ask, d.proxy = http.ProxyURL(address), net.JoinHostPort(address.Hostname(), address.Port())
		if h, _ := peer.HostOf(r); !not.Names(h.Name) {
			if err := fitsProxy(t, d, r, h, address.Scheme); err != nil {
				return err
			}
		}
	}
	t.Proxy = func(out *http.Request) (*url.URL, error) {
		if not.Names(out.URL.Hostname()) {
			return nil, nil
		}
		return ask(out)
	}
	return nil
}

// proxySchemes are those of the proxies that net/http asks, and the ports that curl takes
// for them: parse_proxy() in curl 8.22 lib/url.c.
var proxySchemes = map[string]string{"http": "1080", "https": "443", "socks5": "1080", "socks5h": "1080"}

// proxyURL returns the address of the proxy, with the credentials for it.
func proxyURL(r *request.Request, p request.Proxy) (*url.URL, error) {
	source := p.URL
	if urlparts.Scheme(source) == "" {
		source = "http://" + source
	}
	scheme := strings.ToLower(urlparts.Scheme(source))
	if _, ok := proxySchemes[scheme]; !ok {
		return nil, &OptionError{Option: "--proxy", Err: errors.New("net/http asks no proxy of " + scheme)}
	}
	parts := urlparts.Of(source)
	authority := source[parts.Authority:parts.Path]
	user := p.User
	if at := strings.LastIndexByte(authority, '@'); at >= 0 {
		user, authority = authority[:at], authority[at+1:]
	}
	host, port := urlparts.CutHost(authority)
	if port == "" {
		port = proxySchemes[scheme]
	}
	u := &url.URL{Scheme: scheme, Host: host + ":" + port}
	if user != "" {
		name, password, _ := strings.Cut(user, ":")
		u.User = url.UserPassword(ascii.Decoded(name, false), ascii.Decoded(password, false))
		if kind, ok := r.Options.Value("proxyAuth").(string); ok && kind != "basic" {
			return nil, &OptionError{Option: "--proxy-" + kind}
		}
	}
	return u, nil
}

// fitsProxy refuses what net/http cannot do at a proxy, and says what it sends there.
func fitsProxy(t *http.Transport, d *dialer, r *request.Request, h peer.Host, scheme string) error {
	to, addresses, _ := d.table.Connect(h)
	isHTTP, encrypts := strings.HasPrefix(scheme, "http"), ascii.HasPrefixFold(r.URL, "https:")
	switch {
	case to != h:
		return &OptionError{Option: "--connect-to", Err: errors.New("net/http cannot name another host to a proxy")}
	case scheme == "socks5" && len(addresses) > 0:
		return &OptionError{Option: "--resolve", Err: errors.New("net/http has the proxy look up names")}
	case isHTTP && !encrypts && r.Options.On("proxyTunnel"):
		return &OptionError{Option: "--proxytunnel"}
	}
	if scheme == "https" { // net/http has one configuration for the proxy and the server
		for _, o := range [...]string{"insecure", "cacert", "cert"} {
			if v := r.Options.Value(o); v != nil && v != false {
				return &OptionError{Option: "--" + o, Err: errors.New("net/http would do the same with the proxy")}
			}
		}
	}
	lines, _ := r.Options.Value("proxyHeaders").([]string)
	if len(lines) == 0 || !isHTTP {
		return nil
	}
	if !encrypts {
		return &OptionError{Option: "--proxy-header"}
	}
	t.ProxyConnectHeader = make(http.Header)
	for _, line := range lines {
		name, value, ok := strings.Cut(line, ":")
		if ok && strings.TrimSpace(value) != "" {
			t.ProxyConnectHeader.Add(name, strings.TrimSpace(value))
		}
	}
	return nil
}
