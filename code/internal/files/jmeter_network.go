package files

import (
	"net/netip"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/urlparts"
)

// exchange writes the options of the transfer.
func (r *jmeterRequest) exchange() {
	if r.c.Timeout() > 0 {
		r.string("HTTPSampler.response_timeout", emit.Milliseconds(r.c.Timeout()))
		r.P.CannotAt(r.c.Place("maxTime"), "limits each wait for the response, and not the whole time", "-m is the response timeout")
	}
	if r.c.ConnectTimeout() > 0 {
		r.string("HTTPSampler.connect_timeout", emit.Milliseconds(r.c.ConnectTimeout()))
	}
	r.source()
	// CustomX509TrustManager.java trusts every certificate, and HTTPHC4Impl.java of JMeter 5.6 has a
	// sample fail unless its status is below 400.
	r.c.Does("insecure", "fail", "failWithBody")
	if len(r.c.Cert()) > 0 { // KeystoreConfig.java of JMeter 5.6 chooses among those of a keystore
		const keystore = "takes client certificates and keys from a keystore of Java only, which -Djavax.net.ssl.keyStore names when it starts"
		r.P.LeavesOut(r.c.Place("cert"), "--cert", keystore)
		r.c.LeavesCert()
	}
	if len(r.c.CaFile()) > 0 {
		r.P.LeavesOut(r.c.Place("cacert"), "--cacert", "trusts every certificate")
	}
	if r.c.ProxyScheme() == "" {
		return
	}
	address, user, password := r.c.ProxyParts()
	host := address.Cut(urlparts.Of(address.Source()).Authority, len(address.Source()))
	colon := strings.LastIndexByte(host.Source(), ':')
	r.string("HTTPSampler.proxyHost", r.Evaluated(host.Cut(0, colon)))
	r.string("HTTPSampler.proxyPort", r.Evaluated(host.Cut(colon+1, len(host.Source()))))
	if len(user) > 0 {
		r.P.Differs("sends the credentials for the proxy when the proxy asks for them")
		r.P.Diags[len(r.P.Diags)-1].Option = "--proxy-user"
		r.string("HTTPSampler.proxyUser", r.Evaluated(user))
		r.string("HTTPSampler.proxyPass", r.Evaluated(password))
	}
}

// source writes where the connection comes from: SourceType in HTTPSamplerBase.java of
// JMeter 5.6. curl takes a name for that of an interface first: lib/cf-socket.c in curl
// 8.22, Curl_parse_interface().
func (r *jmeterRequest) source() {
	from := r.c.TextOf("interface")
	if len(from) == 0 {
		return
	}
	const hostname, device = "0", "1"
	kind := device
	switch source, _ := from.Plain(); {
	case strings.HasPrefix(source, "if!"):
		from = from.Cut(len("if!"), len(source))
	case strings.HasPrefix(source, "host!"):
		kind, from = hostname, from.Cut(len("host!"), len(source))
	default:
		if _, err := netip.ParseAddr(source); err == nil {
			kind = hostname
		}
	}
	r.string("HTTPSampler.ipSource", r.Evaluated(from))
	r.P.Line(`<intProp name="HTTPSampler.ipSourceType">`, kind, "</intProp>")
}

// resolver writes the servers that resolve names, and the address of the host where the
// command names one: DNSCacheManager.java and StaticHost.java of JMeter 5.6, which look
// at no port.
func (r *jmeterRequest) resolver() {
	servers := r.c.TextOf("dnsServers")
	host, port := r.c.Connection()
	url, known := r.c.Address()
	fixed := known && host != "" && port == url.PortOr()
	if fixed {
		r.c.Does("resolve", "connectTo")
	}
	if len(servers) == 0 && !fixed {
		return
	}
	r.component("DNSCacheManager", "DNSCachePanel", "DNS Cache Manager", func() {
		r.list("DNSCacheManager.servers", func() {
			if len(servers) == 0 {
				return
			}
			for _, server := range servers.Split(',') {
				r.string("", r.Evaluated(server))
			}
		})
		r.list("DNSCacheManager.hosts", func() {
			if fixed {
				r.element(url.Host.Source(), "StaticHost", func() {
					r.string("StaticHost.Name", r.Evaluated(url.Host))
					r.string("StaticHost.Address", r.Evaluated(plan.Literal(host)))
				})
			}
		})
		r.bool("DNSCacheManager.isCustomResolver", true)
	})
	r.P.Line("<hashTree/>")
}
