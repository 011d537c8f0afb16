package oracle

// extra is an option from anywhere else, or a few that belong together.
func (d *draft) extra() []setting {
	switch n := d.random.IntN(100); {
	case n < 12:
		return d.auth()
	case n < 22:
		return d.cookie()
	case n < 30:
		return []setting{with("user-agent", 'A', d.pick("", "ua/1.0", "Mozilla/5.0 (X11; Linux)", d.line()))}
	case n < 37:
		return []setting{with("referer", 'e', d.pick("", "http://r.test/", "http://r.test/;auto", ";auto", "r", d.line()))}
	case n < 45:
		return d.condition()
	case n < 53:
		return d.route()
	case n < 60:
		return []setting{d.shape()}
	case n < 64 && d.since(7, 87):
		return []setting{with("url-query", 0, d.urlQuery())}
	case n < 82:
		return []setting{d.harmlessFlag()}
	default:
		return []setting{d.harmlessValue()}
	}
}

// route changes where the connection goes.
func (d *draft) route() []setting {
	proxy := d.pick("", "http://", "http://", "https://", "socks4://", "socks4a://", "socks5://", "socks5h://", "HTTP://") +
		d.pick("", "", "pu:pp@", "pu%40:p%3a@") + d.pick("p.test", "p.test:3128", "127.0.0.1:8080", "[::1]:3128")
	switch d.random.IntN(11) {
	case 0, 1, 2:
		return []setting{with("proxy", 'x', proxy)}
	case 3:
		return []setting{with("proxy", 'x', "p.test:3128"), bare("proxytunnel", 'p')}
	case 4:
		return []setting{with("proxy", 'x', proxy), with("proxy-user", 'U', d.pick("a:b", "a:", "a%40:b"))}
	case 5:
		return []setting{with(d.pick("socks4", "socks4a", "socks5", "socks5-hostname", "proxy1.0"), 0, d.pick("p.test", "p.test:1080"))}
	case 6:
		return []setting{with("connect-to", 0, d.pick("::c.test:81", "h.test:80:c.test:8080", "h.test::c.test:", "::", "a:b:c:d", "bad", "::[::1]:80"))}
	case 7:
		return []setting{with("resolve", 0, d.pick("h.test:80:127.0.0.1", "h.test:443:[::1]", "*:80:127.0.0.1", "-h.test:80", "+h.test:80:1.2.3.4,5.6.7.8", "bad", "h.test:80:"))}
	case 8:
		d.setEnv(d.pick("http_proxy", "https_proxy", "ALL_PROXY", "HTTP_PROXY", "NO_PROXY", "no_proxy"), d.pick("http://envp.test:3128", "p.test", "h.test", "*", ""))
		return []setting{with("noproxy", 0, d.pick("h.test", "*", ".test", "", "other"))}
	case 9:
		return []setting{bare("haproxy-protocol", 0)}
	default:
		return []setting{with("unix-socket", 0, "/no/such/socket")}
	}
}

func (d *draft) setEnv(name, value string) {
	if d.Env == nil {
		d.Env = map[string]string{}
	}
	d.Env[name] = value
}

// shape is an option that changes the form of the request.
func (d *draft) shape() setting {
	switch d.random.IntN(10) {
	case 0, 1:
		return with("request-target", 0, d.pick("*", "/x y", "http://o.test/p", "", "/a?b#c", "é", "x"))
	case 2:
		return with("proto-default", 0, d.pick("https", "http", "HTTPS", "ftp", "nope", ""))
	case 3:
		return bare("http1.0", '0')
	case 4:
		return bare("path-as-is", 0)
	case 5:
		return bare("globoff", 'g')
	case 6:
		return bare("compressed", 0)
	case 7:
		return bare("tr-encoding", 0)
	case 8:
		return bare(d.pick("http1.1", "http2", "disallow-username-in-url"), 0)
	default:
		return bare(d.pick("no-head", "no-get", "no-globoff", "no-path-as-is", "no-compressed", "no-form-escape"), 0)
	}
}

// The flags that have no bearing on a first request that is answered well.
var harmlessFlags = []setting{
	{long: "silent", short: 's'}, {long: "show-error", short: 'S'}, {long: "insecure", short: 'k'}, {long: "location", short: 'L'},
	{long: "fail", short: 'f'}, {long: "no-buffer", short: 'N'}, {long: "junk-session-cookies", short: 'j'}, {long: "remote-time", short: 'R'},
	{long: "verbose", short: 'v'}, {long: "ipv4", short: '4'}, {long: "progress-bar", short: '#'}, {long: "remote-header-name", short: 'J'},
	{long: "use-ascii", short: 'B'}, {long: "append", short: 'a'}, {long: "list-only", short: 'l'}, {long: "tlsv1", short: '1'},
	{long: "location-trusted"}, {long: "tlsv1.2"}, {long: "raw"}, {long: "tcp-nodelay"}, {long: "no-tcp-nodelay"}, {long: "post301"}, {long: "post302"}, {long: "post303"},
	{long: "no-keepalive"}, {long: "keepalive"}, {long: "no-location"}, {long: "no-silent"}, {long: "no-sessionid"}, {long: "no-alpn"}, {long: "create-dirs"},
	{long: "fail-early"}, {long: "styled-output"}, {long: "no-styled-output"}, {long: "crlf"}, {long: "ssl"}, {long: "ssl-reqd"}, {long: "ssl-no-revoke"},
	{long: "ignore-content-length"}, {long: "include", short: 'i'}, {long: "no-progress-meter"}, {long: "retry-connrefused"}, {long: "http0.9"},
	{long: "suppress-connect-headers"}, {long: "proxy-insecure"}, {long: "sasl-ir"}, {long: "disable-epsv"}, {long: "no-eprt"}, {long: "tftp-no-options"}, {long: "no-clobber"},
}

func (d *draft) harmlessFlag() setting {
	if d.since(8, 16) && d.chance(4) {
		return bare(d.pick("follow", "out-null"), 0)
	}
	return harmlessFlags[d.random.IntN(len(harmlessFlags))]
}

// harmlessValue is an option with a value that has no bearing either.
func (d *draft) harmlessValue() setting {
	options := []setting{
		with("output", 'o', d.pick("out", "/dev/null", "-", "out_#1")), with("max-time", 'm', d.pick("5", "4.5", "10", "05")), with("max-redirs", 0, d.pick("3", "-1", "0")),
		with("connect-timeout", 0, d.pick("5", "2.25")), with("retry", 0, "0"), with("retry-delay", 0, "0"), with("retry-max-time", 0, "5"),
		with("write-out", 'w', d.pick("%{http_code}", `\n`, "%{url}", "%%", d.line())), with("dump-header", 'D', d.pick("dumped", "/dev/null", "-")), with("cookie-jar", 'c', d.pick("jar-out", "-")),
		with("limit-rate", 0, d.pick("1G", "100M")), with("speed-time", 'y', "5"), with("speed-limit", 'Y', "1"), with("keepalive-time", 0, "60"), with("max-filesize", 0, d.pick("1000", "2k", "1M")),
		with("proto", 0, d.pick("=http,https", "all", "-ftp", "+http")), with("proto-redir", 0, "=https"), with("expect100-timeout", 0, "0.5"), with("happy-eyeballs-timeout-ms", 0, "100"),
		with("tls-max", 0, d.pick("1.2", "1.3", "default")), with("output-dir", 0, "."), with("create-file-mode", 0, "0644"), with("parallel-max", 0, "5"), with("stderr", 0, "errors.txt"),
		with("ftp-method", 0, "nocwd"), with("mail-from", 0, "a@b.test"), with("mail-rcpt", 0, "c@d.test"), with("quote", 'Q', "NOOP"), with("telnet-option", 't', "TTYPE=vt100"), with("ftp-port", 'P', "-"),
		with("service-name", 0, "s"), with("sasl-authzid", 0, "z"), with("login-options", 0, "AUTH=PLAIN"), with("pass", 0, "secret"), with("key-type", 0, "PEM"), with("cert-type", 0, "PEM"),
		with("rate", 0, "1000/s"), with("trace-ascii", 0, "traced"), with("trace", 0, "traced"), with("hsts", 0, "hsts.txt"), with("alt-svc", 0, "altsvc.txt"), with("etag-save", 0, "etag-saved"),
	}
	if d.since(8, 9) {
		options = append(options, with("keepalive-cnt", 0, "3"), with("ip-tos", 0, "CS1"), with("trace-config", 0, "ids"))
	}
	return options[d.random.IntN(len(options))]
}
