package libcurl

import (
	"slices"
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
}

// furtherFlags are options of libcurl that are on or off.
var furtherFlags = []curlMember{
	{"proxyTunnel", "HTTPPROXYTUNNEL"},
	{"haproxyProtocol", "HAPROXYPROTOCOL"},
	{"certStatus", "SSL_VERIFYSTATUS"},
	{"crlf", "CRLF"},
	{"junkSessionCookies", "COOKIESESSION"},
	{"autoReferer", "AUTOREFERER"},
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
		value := r.C.TextOf(o.member)
		if o.member == "cookieJar" {
			value = r.C.CookieOutput() // of several requests only the last writes it
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

// tlsVersions returns the constants for the lowest and the highest version.
func (r *CurlOptions) tlsVersions() (names []string) {
	for _, o := range []struct{ member, prefix string }{{"tlsMin", "CURL_SSLVERSION_TLSv"}, {"tlsMax", "CURL_SSLVERSION_MAX_TLSv"}} {
		if version := r.C.TLSVersion(o.member); version != "" {
			names = append(names, o.prefix+version)
		}
	}
	return names
}
