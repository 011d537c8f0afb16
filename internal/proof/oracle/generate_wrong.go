package oracle

import (
	"slices"
	"strings"
)

// spoil makes a command wrong, in a way that people do.
func (d *draft) spoil(args []string) []string {
	at := d.random.IntN(len(args) + 1)
	insert := func(words ...string) []string { return slices.Insert(slices.Clone(args), at, words...) }
	switch d.random.IntN(12) {
	case 0: // an unknown option
		return insert(d.pick("--nope", "--datas", "--Data", "-\x01", "--data-", "---data", "-?", "--no-data", "--no-proxy", "--expand-silent", "-é"))
	case 1: // an option at the end that lacks its value
		return append(slices.Clone(args), d.pick("-d", "--header", "-H", "-sX", "--url", "-o", "-sd", "--json", "-m", "-F"))
	case 2: // numbers
		return insert(d.pick("--max-time", "-m", "--retry", "--max-redirs", "-Y", "-C", "--keepalive-time", "--connect-timeout", "--max-filesize"),
			d.pick("x", "", "-1", "1e3", "0x10", "99999999999999999999", " 5", "5 ", "1,5", "٣"))
	case 3: // no URL
		var rest []string
		for _, arg := range args {
			if !strings.Contains(arg, ".test") && !strings.Contains(arg, "://") {
				rest = append(rest, arg)
			}
		}
		return rest
	case 4: // options that exclude each other
		return insert(strings.Fields(d.pick("-d x -F a=b", "-I -d x", "-F a=b -I", "-T f -d x", "-I -T f", "--fail --fail-with-body", "-f --no-fail --fail-with-body", "--remote-name -o x -C -", "--netrc --netrc-file n", "-C 5 -r 1-2", "-G -I -d x", "--etag-save e a.test b.test"))...)
	case 5: // an argument gone
		if at == len(args) {
			return args[:at-1]
		}
		return slices.Delete(slices.Clone(args), at, at+1)
	case 6: // values that options do not take
		return insert(strings.Fields(d.pick("--proto nope", "--proto =", "--tls-max 9", "--limit-rate fast", "--limit-rate 1X", "-F noequals", "-F a=b;encoder=nope", "--create-file-mode 999", "--ftp-method x", "-T {a", "--url-query @none", "--data @none", "-K none", "-H @none", "--variable 1=2=3@", "-b", "--resolve x", "--proxy x://y", "--socks5 :::", "-x a:b:c", "--rate 0", "--delegation x", "--delegation always"))...)
	case 7: // quoting that a shell has split
		return insert(d.pick("application/json'", "'Content-Type:", "\\", "“Accept:", "x y", "{\"a\":", "1}'", "–X", "POST"))
	case 8: // options that answer for themselves
		return insert(d.pick("-V", "--version", "-h", "--help", "-M", "-hall", "--help=nope", "--dump-ca-embed"))
	case 9: // old and foreign spellings
		return insert(d.pick("--ssl-allow-beast", "--ntlm-wb", "--sslv2", "-3", "--npn", "--metalink", "--krb4", "--doh-url", "--include", "--http3", "--compressed-ssh", "--tlsuser", "--wdebug", "--test-event"))
	case 10: // joined where they may not be
		return insert(d.pick("--silent=yes", "-s=yes", "--data=", "-XPOST=", "--request=", "--no-silent=1", "--=x", "--url="))
	default: // empty and blank words
		return insert(d.pick("", " ", "-", "--", "\n", "-d", "--next", "-:", "\u00a0"))
	}
}
