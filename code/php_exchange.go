package code

import (
	"strconv"
	"strings"
)

// exchangeSettings adds what shapes the exchange.
func (r *phpRequest) exchangeSettings() {
	if dotSegments(r.url.source()) {
		r.set("PATH_AS_IS", "true")
	}
	if r.Target != "" {
		r.set("REQUEST_TARGET", phpString(r.Target))
	}
	if r.follow {
		r.set("FOLLOWLOCATION", "true")
		if r.maxRedirects != curlRedirects {
			r.set("MAXREDIRS", strconv.FormatInt(r.maxRedirects, 10))
		}
	}
	if r.trusted {
		r.set("UNRESTRICTED_AUTH", "true")
	}
	r.setTime("TIMEOUT", r.timeout)
	r.setTime("CONNECTTIMEOUT", r.connectTimeout)
	if r.insecure {
		r.set("SSL_VERIFYPEER", "false")
		r.set("SSL_VERIFYHOST", "0")
	}
	if r.fail {
		r.set("FAILONERROR", "true")
	}
	if r.compressed {
		r.set("ENCODING", "''")
	}
	for _, o := range []struct {
		option string
		value  text
	}{
		{"CAINFO", r.caFile}, {"SSLCERT", r.cert}, {"SSLKEY", r.key}, {"PROXY", r.proxy}, {"PROXYUSERPWD", r.proxyUser},
		{"NOPROXY", literal(r.noProxy)}, {"UNIX_SOCKET_PATH", r.unixSocket}, {"COOKIEJAR", r.cookieJar},
	} {
		if len(o.value) > 0 && o.value.source() != "" {
			r.set(o.option, r.text(o.value))
		}
	}
	for _, name := range r.cookieFiles {
		r.set("COOKIEFILE", r.text(name))
	}
	switch r.httpVersion {
	case "1.0", "1.1", "2":
		r.set("HTTP_VERSION", "CURL_HTTP_VERSION_"+strings.ReplaceAll(r.httpVersion, ".", "_"))
	}
	for _, o := range r.Options {
		if list, ok := o.Value.([]string); ok && (o.Name == "resolve" || o.Name == "connectTo") {
			items := make([]node, len(list))
			for i, s := range list {
				items[i] = leaf(phpString(s))
			}
			r.setNode(map[string]string{"resolve": "RESOLVE", "connectTo": "CONNECT_TO"}[o.Name], group("", "[", items, "]"))
		}
	}
	if len(r.output) > 0 && r.output.source() != "-" {
		r.set("FILE", "fopen("+r.text(r.output)+", 'wb')")
	} else {
		r.set("RETURNTRANSFER", "true")
	}
}

// setTime sets a time limit, in milliseconds where it is not whole.
func (r *phpRequest) setTime(option string, seconds float64) {
	switch {
	case seconds <= 0:
	case seconds == float64(int64(seconds)):
		r.set(option, strconv.FormatInt(int64(seconds), 10))
	default:
		r.set(option+"_MS", milliseconds(seconds))
	}
}
