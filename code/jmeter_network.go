package code

import (
	"net/netip"
	"strings"
)

// exchange writes the options of the transfer.
func (r *jmeterRequest) exchange() {
	if r.c.timeout > 0 {
		r.string("HTTPSampler.response_timeout", milliseconds(r.c.timeout))
		r.p.cannotAt(r.c.place("maxTime"), "limits each wait for the response, and not the whole time", "-m is the response timeout")
	}
	if r.c.connectTimeout > 0 {
		r.string("HTTPSampler.connect_timeout", milliseconds(r.c.connectTimeout))
	}
	r.source()
	if len(r.c.cert) > 0 { // KeystoreConfig.java of JMeter 5.6 chooses among those of a keystore
		const keystore = "takes client certificates and keys from a keystore of Java only, which -Djavax.net.ssl.keyStore names when it starts"
		r.p.lossAt(r.c.place("cert"), "--cert", keystore)
		if len(r.c.key) > 0 {
			r.p.lossAt(r.c.place("key"), "--key", keystore)
		}
	}
	if r.c.proxyScheme() == "" {
		return
	}
	address, user, password := r.c.proxyParts()
	host := address.cut(strings.Index(address.source(), "://")+len("://"), len(address.source()))
	colon := strings.LastIndexByte(host.source(), ':')
	r.string("HTTPSampler.proxyHost", r.evaluated(host.cut(0, colon)))
	r.string("HTTPSampler.proxyPort", r.evaluated(host.cut(colon+1, len(host.source()))))
	if len(user) > 0 {
		r.p.differs("sends the credentials for the proxy when the proxy asks for them")
		r.p.diags[len(r.p.diags)-1].Option = "--proxy-user"
		r.string("HTTPSampler.proxyUser", r.evaluated(user))
		r.string("HTTPSampler.proxyPass", r.evaluated(password))
	}
}

// source writes where the connection comes from: SourceType in HTTPSamplerBase.java of
// JMeter 5.6. curl takes a name for that of an interface first: lib/cf-socket.c in curl
// 8.22, Curl_parse_interface().
func (r *jmeterRequest) source() {
	from := r.c.textOf("interface")
	if len(from) == 0 {
		return
	}
	const hostname, device = "0", "1"
	kind := device
	switch source, _ := from.plain(); {
	case strings.HasPrefix(source, "if!"):
		from = from.cut(len("if!"), len(source))
	case strings.HasPrefix(source, "host!"):
		kind, from = hostname, from.cut(len("host!"), len(source))
	default:
		if _, err := netip.ParseAddr(source); err == nil {
			kind = hostname
		}
	}
	r.string("HTTPSampler.ipSource", r.evaluated(from))
	r.p.line(`<intProp name="HTTPSampler.ipSourceType">`, kind, "</intProp>")
}

// resolver writes the servers that resolve names, and the address of the host where the
// command names one: DNSCacheManager.java and StaticHost.java of JMeter 5.6, which look
// at no port.
func (r *jmeterRequest) resolver() {
	servers := r.c.textOf("dnsServers")
	host, port := r.c.connection()
	url, known := r.c.address()
	fixed := known && host != "" && port == url.portOr()
	if !fixed {
		r.p.loseAddress(r.c)
	}
	if len(servers) == 0 && !fixed {
		return
	}
	r.component("DNSCacheManager", "DNSCachePanel", "DNS Cache Manager", func() {
		r.list("DNSCacheManager.servers", func() {
			if len(servers) == 0 {
				return
			}
			for _, server := range servers.split(',') {
				r.string("", r.evaluated(server))
			}
		})
		r.list("DNSCacheManager.hosts", func() {
			if fixed {
				r.element(url.host.source(), "StaticHost", func() {
					r.string("StaticHost.Name", r.evaluated(url.host))
					r.string("StaticHost.Address", r.evaluated(literal(host)))
				})
			}
		})
		r.bool("DNSCacheManager.isCustomResolver", true)
	})
	r.p.line("<hashTree/>")
}
