package code_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/internal/engine"
	"uncoil/internal/engine/curl"
	"uncoil/request"
)

// optionArguments are arguments for the options whose argument cannot be 5.
var optionArguments = map[string]string{
	"cert-type": "P12", "key-type": "DER", "connect-to": "h.test:443:g.test:443", "delegation": "none", "ip-tos": "CS1", "limit-rate": "5k", "max-filesize": "5k",
	"local-port": "5000", "proto": "=http,https", "proto-redir": "=https", "proxy": "http://q:2", "preproxy": "socks5://q:2", "rate": "5/m",
	"resolve": "h.test:443:10.0.0.1", "socks5": "q:2", "tls-max": "1.2", "write-out": "%{http_code}", "retry": "2",
	"proxy-header": "A: b", "dns-ipv4-addr": "10.0.0.1", "dns-ipv6-addr": "::1", "dns-servers": "10.0.0.1", "interface": "eth0", "create-file-mode": "0600",
	"doh-url": "https://d.test/", "cookie": "a=b", "ech": "true", "form": "a=b", "form-string": "a=b", "header": "A: b", "url": "https://g.test/",
	"json": "{}", "time-cond": "1 Jan 2020", "range": "1-2", "aws-sigv4": "aws:amz", "variable": "a=b", "request-target": "/t", "user": "c:d", "proxy-user": "c:d",
	"ipfs-gateway": "http://127.0.0.1:8081", "upload-file": "f", "url-query": "a=b", "data-urlencode": "a=b c", "data": "a=b", "proto-default": "https",
}

// optionBases are commands in which an option has an effect, where most others have none.
var optionBases = map[string][]string{
	"basic":                    {"curl --digest -u a:b https://h.test/p"},
	"create-dirs":              {"curl -o d/f https://h.test/p"},
	"crlf":                     {"curl -T f https://h.test/p"},
	"disallow-username-in-url": {"curl https://a@h.test/p"},
	"fail":                     {"curl https://h.test/p"},
	"fail-with-body":           {"curl https://h.test/p"},
	"form-escape":              {`curl -F 'a"b=c' https://h.test/p`},
	"globoff":                  {"curl 'https://h.test/{a,b}'"},
	"http1.1":                  {"curl https://h.test/p"},
	"ipfs-gateway":             {"curl --ipfs-gateway http://127.0.0.1:8080 ipfs://QmTcAg1KeDYJFpTJh3rkZGLhnnVKeXWNtjwPufjVvwPTpD"},
	"junk-session-cookies":     {"curl -b jar.txt https://h.test/p"},
	"ca-native":                {"curl --cacert c.pem https://h.test/p"},
	"clobber":                  {"curl -o f https://h.test/p"},
	"remote-time":              {"curl -o f https://h.test/p"},
	"remove-on-error":          {"curl -o f https://h.test/p"},
	"skip-existing":            {"curl -o f https://h.test/p"},
	"xattr":                    {"curl -o f https://h.test/p"},
	"proxy-ca-native":          {"curl -x https://p.test:1 --proxy-cacert c.pem http://h.test/p"},
	"proxy-cert-type":          {"curl -x https://p.test:1 --proxy-cert c.pem http://h.test/p"},
	"proxy-key":                {"curl -x https://p.test:1 --proxy-cert c.pem http://h.test/p"},
	"proxy-key-type":           {"curl -x https://p.test:1 --proxy-cert c.pem --proxy-key k.pem http://h.test/p"},
	"proxy-pass":               {"curl -x https://p.test:1 --proxy-cert c.pem http://h.test/p"},
	"proxy-crlfile":            {"curl -x https://p.test:1 http://h.test/p"},
	"proxy-ciphers":            {"curl -x https://p.test:1 http://h.test/p"},
	"proxy-tls13-ciphers":      {"curl -x https://p.test:1 http://h.test/p"},
	"proxy-http2":              {"curl -x https://p.test:1 http://h.test/p"},
	"proxy-http3":              {"curl -x https://p.test:1 http://h.test/p"},
	"cert-type":                {"curl --cert c.pem https://h.test/p"},
	"key":                      {"curl --cert c.pem https://h.test/p"},
	"key-type":                 {"curl --cert c.pem --key k.pem https://h.test/p"},
	"pass":                     {"curl --cert c.pem https://h.test/p"},
	"max-redirs":               {"curl -L https://h.test/p"},
	"next":                     {"curl https://h.test/p"},
	"noproxy":                  {"curl -x http://p.test:1 http://h.test/p"},
	"output-dir":               {"curl -o f https://h.test/p"},
	"path-as-is":               {"curl https://h.test/a/../b"},
	"preproxy":                 {"curl -x http://p.test:1 http://h.test/p"},
	"proto-default":            {"curl h.test/p"},
	"proxy-cacert":             {"curl -x https://p.test:1 http://h.test/p"},
	"proxy-capath":             {"curl -x https://p.test:1 http://h.test/p"},
	"proxy-cert":               {"curl -x https://p.test:1 http://h.test/p"},
	"proxy-header":             {"curl -x http://p.test:1 http://h.test/p"},
	"proxy-insecure":           {"curl -x https://p.test:1 http://h.test/p"},
	"proxy-pinnedpubkey":       {"curl -x https://p.test:1 http://h.test/p"},
	"proxy-user":               {"curl -x http://p.test:1 http://h.test/p"},
	"proxytunnel":              {"curl -x http://p.test:1 http://h.test/p"},
	"retry-max-time":           {"curl --retry 2 https://h.test/p"},
	"retry-delay":              {"curl --retry 2 https://h.test/p"},
	"retry-connrefused":        {"curl --retry 2 https://h.test/p"},
	"retry-all-errors":         {"curl --retry 2 https://h.test/p"},
	"":                         {"curl https://h.test/p", "curl -L https://h.test/p", "curl -L -d a=1 https://h.test/p", "curl -L -u a:b https://h.test/p", "curl --cert c.pem https://h.test/p"},
}

func init() {
	for _, name := range []string{"proxy-anyauth", "proxy-digest", "proxy-negotiate", "proxy-ntlm"} {
		optionBases[name] = []string{"curl -x http://p.test:1 -U a:b http://h.test/p"}
	}
}

// shows are the formats of tools that show the head of a response themselves.
var shows = regexp.MustCompile(`^(ansible|bruno|har|http|hurl|insomnia|jmeter|mcp-tool|openai-tool|wiremock|n8n|openapi|postman|raw-http|terraform)$`)

// byItself are the options that change nothing for some targets, and the targets, because
// the client does the same by itself. These are claims about clients: the comment at the
// head of each target's file and docs/targets.md have them.
var byItself = map[string]*regexp.Regexp{
	"compressed":        regexp.MustCompile(`.`),                      // a client asks for the codings that it decodes
	"cert-type":         regexp.MustCompile(`^(dart|dart-dio|perl)$`), // find it out
	"key-type":          regexp.MustCompile(`^perl$`),
	"create-dirs":       regexp.MustCompile(`^(dart-dio|go-resty)$`),
	"fail":              regexp.MustCompile(`^(hurl|jmeter)$`),                               // fail for every error
	"http1.1":           regexp.MustCompile(`.`),                                             // but for those with the fact http2, which TestHTTP1 names
	"form-escape":       regexp.MustCompile(`^(har|mcp-tool|openai-tool|wiremock|openapi)$`), // name parts, and write no head of one
	"http2":             regexp.MustCompile(`^(go|go-resty|groovy|java|java-okhttp|java-restclient|java-unirest|kotlin|kotlin-okhttp4?|objc|scala|swift)$`),
	"insecure":          regexp.MustCompile(`^jmeter$`),
	"out-null":          regexp.MustCompile(`^(bruno|har|http|hurl|insomnia|jmeter|mcp-tool|openai-tool|wiremock|n8n|openapi|postman|python-locust|raw-http)$`), // print nothing
	"proto-default":     regexp.MustCompile(`^(raw-http|wiremock)$`),                                                                                            // a message and a stub name no scheme
	"ipfs-gateway":      regexp.MustCompile(`^wiremock$`),                                                                                                       // a stub names no host
	"proxy-user":        regexp.MustCompile(`^(har|mcp-tool|openai-tool|wiremock|openapi)$`),                                                                    // the warning is of -x
	"proxy-basic":       regexp.MustCompile(`.`),
	"max-redirs":        regexp.MustCompile(`^(har|mcp-tool|openai-tool|wiremock|ocaml|openapi|raw-http)$`),                                                             // the warning is of -L
	"output-dir":        regexp.MustCompile(`^(bruno|har|http|insomnia|jmeter|k6|mcp-tool|openai-tool|wiremock|n8n|openapi|postman|python-locust|raw-http|terraform)$`), // of -o
	"retry-connrefused": regexp.MustCompile(`^(node-got|python-requests)$`),
	"include":           shows,
	"show-headers":      shows,
	"dump-header":       shows,
	"write-out":         shows,
	"tlsv1":             regexp.MustCompile(`.`), // none speaks an older version
	"tlsv1.0":           regexp.MustCompile(`.`),
	"tlsv1.1":           regexp.MustCompile(`.`), // few do, and TestModernTLS has them
	"tlsv1.2":           regexp.MustCompile(`.`),
	"use-ascii":         regexp.MustCompile(`.`), // has no effect over HTTP but on machines with EBCDIC
}

// ofTheCommand are options that act on the command alone: what they say is in the requests.
var ofTheCommand = []string{"config", "httpsig-algo", "httpsig-headers", "httpsig-key", "httpsig-keyid", "variable", "disallow-username-in-url"}

// TestNoOptionVanishesAnywhere checks for each target and each option of curl that the
// option changes the program, or that a warning or an error tells of it, in one of the
// commands in which it has an effect. With -short each option is tried for a quarter of the
// targets, and the next one for others.
func TestNoOptionVanishesAnywhere(t *testing.T) {
	parallel(t)
	known := slices.Concat(slices.Collect(maps.Values(local))...)
	all := code.Targets()
	for n, o := range curl.Options() {
		if o.Section == curl.Ignored || slices.Contains(known, o.Member) || slices.Contains(ofTheCommand, o.Long) {
			continue
		}
		option := " " + optionWords(o)
		if o.Long == "next" {
			option += " https://h.test/q"
		}
		bases := optionBases[o.Long]
		if bases == nil {
			bases = optionBases[""]
		}
		var lost []string
		taken := false
		pairs := pairsOf(t, bases, option)
		for i := range all {
			if testing.Short() && (n+i)%4 != 0 {
				continue
			}
			written, visible := vanishes(all[i], pairs)
			taken = taken || written
			if other := ofAnother[o.Long]; other != "" && !visible && leaves(all[i], pairs, other) {
				continue
			}
			if claim := byItself[strings.Replace(o.Long, "fail-with-body", "fail", 1)]; written && !visible && (claim == nil || !claim.MatchString(all[i].Name)) {
				lost = append(lost, all[i].Name)
			}
		}
		if len(lost) > 0 {
			t.Errorf("%s vanishes in %v", option, lost)
		}
		if !taken && !testing.Short() {
			t.Errorf("%s is in no command that a target writes", option)
		}
	}
}

// A pair is the requests of a command without an option and with it.
type pair struct{ without, with []request.Request }

// pairsOf returns those of commands to which curl lets the option be added.
func pairsOf(t *testing.T, bases []string, option string) (all []pair) {
	t.Helper()
	for _, base := range bases {
		without, err := engine.Parse(base, engine.Input{})
		if err != nil {
			t.Fatal(err)
		}
		if with, err := engine.Parse(base+option, engine.Input{}); err == nil {
			all = append(all, pair{without.Requests, with.Requests})
		}
	}
	return all
}

// vanishes reports whether a target writes one of some commands, and whether an option
// makes a difference there.
func vanishes(target code.Target, pairs []pair) (written, visible bool) {
	for _, p := range pairs {
		before, diags := target.Compose(nil, p.without, exactly)
		if diags.Err() != nil {
			continue
		}
		after, diagsWith := target.Compose(nil, p.with, exactly)
		written, visible = true, visible || string(before) != string(after) || len(diags) != len(diagsWith)
	}
	return written, visible
}
