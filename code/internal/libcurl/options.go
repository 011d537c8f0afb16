package libcurl

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"uncoil/code/internal/plan"
	"uncoil/internal/engine/reqtext"
)

// A curlMember is a member of options with its option of libcurl.
type curlMember struct{ member, option string }

// furtherTexts are options of libcurl that take a text.
var furtherTexts = []curlMember{
	{"preproxy", "PRE_PROXY"},
	{"unixSocket", "UNIX_SOCKET_PATH"},
	{"abstractUnixSocket", "ABSTRACT_UNIX_SOCKET"},
	{"interface", "INTERFACE"},
	{"cookieJar", "COOKIEJAR"},
	{"capath", "CAPATH"},
	{"crlfile", "CRLFILE"},
	{"pinnedPublicKey", "PINNEDPUBLICKEY"},
	{"certType", "SSLCERTTYPE"},
	{"keyType", "SSLKEYTYPE"},
	{"keyPassword", "KEYPASSWD"},
	{"proxyCacert", "PROXY_CAINFO"},
	{"proxyCapath", "PROXY_CAPATH"},
	{"proxyCert", "PROXY_SSLCERT"},
	{"proxyKey", "PROXY_SSLKEY"},
	{"proxyKeyPassword", "PROXY_KEYPASSWD"},
	{"proxyPinnedPublicKey", "PROXY_PINNEDPUBLICKEY"},
	{"proxyCertType", "PROXY_SSLCERTTYPE"},
	{"proxyKeyType", "PROXY_SSLKEYTYPE"},
	{"proxyCrlfile", "PROXY_CRLFILE"},
	{"ciphers", "SSL_CIPHER_LIST"},
	{"tls13Ciphers", "TLS13_CIPHERS"},
	{"proxyCiphers", "PROXY_SSL_CIPHER_LIST"},
	{"proxyTls13Ciphers", "PROXY_TLS13_CIPHERS"},
	{"dnsInterface", "DNS_INTERFACE"},
	{"dnsIpv4Addr", "DNS_LOCAL_IP4"},
	{"dnsIpv6Addr", "DNS_LOCAL_IP6"},
}

// furtherFlags are options of libcurl that are on or off.
var furtherFlags = []curlMember{
	{"proxyTunnel", "HTTPPROXYTUNNEL"},
	{"haproxyProtocol", "HAPROXYPROTOCOL"},
	{"certStatus", "SSL_VERIFYSTATUS"},
	{"crlf", "CRLF"},
	{"junkSessionCookies", "COOKIESESSION"},
	{"autoReferer", "AUTOREFERER"},
	{"http09", "HTTP09_ALLOWED"},
	{"ignoreContentLength", "IGNORE_CONTENT_LENGTH"},
}

// furtherLists are options of libcurl that take a list.
var furtherLists = []curlMember{
	{"resolve", "RESOLVE"},
	{"connectTo", "CONNECT_TO"},
	{"proxyHeaders", "PROXYHEADER"},
}

// SetFurther adds what only libcurl has options for, whatever wraps it: how to
// connect and to whom, and which files to use.
func (r *CurlOptions) SetFurther() {
	r.SetConnection(func(option string) bool { return !slices.Contains(r.Lacks, option) })
	for _, name := range r.C.CookieFiles() {
		r.set("COOKIEFILE", name)
	}
	files := len(r.C.CookieFiles()) + len(r.C.CookieOutput())
	if r.C.KeepsCookies() && files == 0 && r.C.Asked.Follow && r.C.Jar() == nil {
		r.set("COOKIEFILE", plan.Literal(""))
	}
	if !slices.Contains(r.Lacks, "PROXY_SSL_VERIFYPEER") && r.C.On("proxyInsecure") {
		r.Flag("PROXY_SSL_VERIFYPEER", "false")
		r.number("PROXY_SSL_VERIFYHOST", 0)
	}
	switch scheme, _ := r.C.Member("proxyAuth").(string); scheme {
	case "", "basic":
	case "anyauth":
		r.constant("PROXYAUTH", "CURLAUTH_ANY")
	default:
		r.constant("PROXYAUTH", curlAuth(scheme))
	}
	r.setNetrc()
	r.limitRate()
	r.setLowSpeed()
	if version, _ := r.C.Option("ipVersion").(int64); version > 0 && !slices.Contains(r.Lacks, "IPRESOLVE") {
		r.C.Does("ipVersion")
		r.constant("IPRESOLVE", "CURL_IPRESOLVE_V"+strconv.FormatInt(version, 10))
	}
	if names := r.tlsVersions(); len(names) > 0 {
		r.constant("SSLVERSION", strings.Join(names, " | "))
	}
}

// SetConnection adds those options of the tables that the wrapper takes.
func (r *CurlOptions) SetConnection(takes func(option string) bool) {
	for _, o := range furtherTexts {
		if !takes(o.option) {
			continue
		}
		var value plan.Text
		switch o.member {
		case "cookieJar":
			value = r.C.CookieOutput() // of several requests only the last writes it
		case "keyPassword":
			value = r.C.KeyPassword() // which may stand in --cert
		default:
			value = r.C.TextOf(o.member)
		}
		if len(value) > 0 {
			r.set(o.option, value)
		}
	}
	for _, o := range furtherFlags {
		if takes(o.option) && r.C.On(o.member) {
			r.Flag(o.option, "true")
		}
	}
	for _, o := range furtherLists {
		if !takes(o.option) {
			continue
		}
		list, _ := r.C.Member(o.member).([]string)
		if len(list) == 0 {
			continue
		}
		s := CurlSetting{Option: o.option, Kind: CurlList}
		for i, item := range list {
			s.List = append(s.List, r.C.Text(item, reqtext.Option(o.member, i)))
		}
		r.Settings = append(r.Settings, s)
	}
}

// setNetrc has libcurl look for credentials where the text of the file was not supplied.
func (r *CurlOptions) setNetrc() {
	if slices.Contains(r.Lacks, "NETRC") || !r.C.Has("netrc") && !r.C.Has("netrcFile") || !r.C.Misses("credentials") {
		return
	}
	netrc := "CURL_NETRC_REQUIRED"
	if r.C.Member("netrc") == "optional" {
		netrc = "CURL_NETRC_OPTIONAL"
	}
	r.constant("NETRC", netrc)
	if name := r.C.TextOf("netrcFile"); len(name) > 0 {
		r.set("NETRC_FILE", name)
	}
}

// limitRate sets the speed of both directions, as curl does.
func (r *CurlOptions) limitRate() {
	if rate, _ := r.C.Member("limitRate").(int64); rate > 0 {
		r.number("MAX_SEND_SPEED_LARGE", rate)
		r.number("MAX_RECV_SPEED_LARGE", rate)
	}
}

// setLowSpeed ends a transfer that is too slow. What of the two the command does not say is
// curl's: curl 8.22 src/tool_getparam.c.
func (r *CurlOptions) setLowSpeed() {
	limit, _ := r.C.Member("speedLimit").(int64)
	seconds, _ := r.C.Member("speedTime").(int64)
	if limit > 0 || seconds > 0 {
		r.number("LOW_SPEED_LIMIT", cmp.Or(limit, 1))
		r.number("LOW_SPEED_TIME", cmp.Or(seconds, 30))
	}
}

// tlsVersions returns the constants for the lowest and the highest version.
func (r *CurlOptions) tlsVersions() (names []string) {
	for _, o := range []struct{ member, prefix string }{{"tlsMin", "CURL_SSLVERSION_TLSv"}, {"tlsMax", "CURL_SSLVERSION_MAX_TLSv"}} {
		if version := r.C.TLSVersion(o.member); version != "" {
			names = append(names, o.prefix+version)
		}
	}
	return names
}
