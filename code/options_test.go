package code_test

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/internal/engine/curl"
)

// local are the members of options that programs leave out: they change neither what is sent nor
// to whom nor whom it trusts nor what is left on the disk, but how fast curl is and what it reports.
var local = map[string][]string{
	"connection": {"happyEyeballsTimeoutMs", "keepalive", "keepaliveCnt", "keepaliveTime", "tcpFastopen", "tcpNodelay", "expect100Timeout", "sessionid", "sslSessions", "tlsEarlydata"},
	// Schannel looks up whether certificates are revoked, and most clients do not; only an old TLS has the rest.
	"TLS of some systems":            {"sslNoRevoke", "sslRevokeBestEffort", "sslAllowBeast", "proxySslAllowBeast", "proxySslAutoClientCert", "proxyTlsMin"},
	"of an option that is named":     {"dohCertStatus", "dohInsecure"}, // --doh-url
	"authentication that is refused": {"delegation", "loginOptions", "serviceName", "proxyServiceName", "socks5Basic", "socks5Gssapi", "socks5GssapiNec", "socks5GssapiService"},
	"report":                         {"failEarly", "suppressConnectHeaders"},
	"file":                           {"createFileMode", "remoteHeaderName", "remoteNameAll"}, // SFTP has modes, and TestNoOptionVanishes no -O
	"several transfers":              {"parallel", "parallelImmediate", "parallelMax", "parallelMaxHost", "rate"},
}

// TestNoOptionVanishes checks for each option of curl that it changes a program,
// or that a warning names it, or that it is one of those that programs leave out.
func TestNoOptionVanishes(t *testing.T) {
	known := slices.Concat(slices.Collect(maps.Values(local))...)
	for _, o := range curl.Options() {
		if o.Section < curl.InBoolOption || o.Section > curl.InDerivedOption {
			continue
		}
		t.Run(o.Long, func(t *testing.T) {
			option := optionWords(o)
			target, _ := code.Lookup("python-requests")
			kept := false
			// All that an option may need, and nothing: a proxy, a certificate, a redirect, further tries, content, a file.
			for _, base := range []string{
				"curl -x https://p.test:1 -U a:b --cert c.pem --key k.pem -L --retry 2 -d a=1 -o d/f https://h.test/p",
				"curl -x http://p.test:1 http://h.test/p",
			} {
				without, lost := write(t, target, base)
				with, lostWith := write(t, target, base+" "+option)
				kept = kept || with != without || lostWith != lost
			}
			left, claim := slices.Contains(known, o.Member), byItself[o.Long]
			if claim != nil && claim.MatchString(target.Name) || ofAnother[o.Long] != "" {
				return // TestNoOptionVanishesAnywhere has what says more of them
			}
			if kept == left {
				t.Errorf("%s (%s) changes the program or is warned of: %t, and it is among those that are left out: %t", option, o.Member, kept, left)
			}
		})
	}
}

// optionWords returns an option as a command has it that asks for something by it.
func optionWords(o curl.Option) string {
	switch {
	case o.TakesArgument():
		return "--" + o.Long + " '" + cmp.Or(optionArguments[o.Long], "5") + "'"
	case o.Flags&curl.FlagNo != 0:
		return "--no-" + o.Long
	}
	return "--" + o.Long
}

// TestNoVariableStaysTyped checks for each option of curl that a program does not
// hold the spelling of a variable in its argument.
func TestNoVariableStaysTyped(t *testing.T) {
	comment := regexp.MustCompile(`(?m)^\s*(#|//) .*$`)
	written := 0
	for _, name := range []string{"c", "php", "python-requests", "python-http", "node-http", "javascript-fetch", "go", "ruby"} {
		target, _ := code.Lookup(name)
		for _, o := range curl.Options() {
			if !o.TakesArgument() {
				continue
			}
			for _, argument := range []string{"$V", "a:$V:b", "a=$V", "@$V", "X-A: $V", "a=@$V;type=$V;filename=$V", "http://$V.test/a"} {
				command := `curl https://h.test/ -u a:b -x p.test:1 --` + o.Long + ` "` + argument + `"`
				r, err := engine.Parse(command, engine.Input{})
				if err != nil || len(r.Requests) == 0 {
					continue
				}
				program, diags := target.Compose(nil, r.Requests, exactly)
				if diags.Err() != nil {
					continue
				}
				written++
				if strings.Contains(comment.ReplaceAllString(string(program), ""), "$V") {
					t.Errorf("%s: %s\n%s", name, command, program)
				}
			}
		}
	}
	if written < 1000 {
		t.Errorf("%d programs were written", written)
	}
}

// write returns the program for a command and its diagnostics.
func write(t *testing.T, target code.Target, command string) (program, diags string) {
	t.Helper()
	program, found := writeAs(t, target, command, exactly)
	var b strings.Builder
	for _, d := range found {
		b.WriteString(string(d.Code) + " " + d.Option + "\n")
	}
	return program, b.String()
}

// writeAs returns the program of a command as the options want it.
func writeAs(t *testing.T, target code.Target, command string, o code.Options) (string, diag.List) {
	t.Helper()
	r, err := engine.Parse(command, engine.Input{})
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	program, found := target.Compose(nil, r.Requests, o)
	return string(program), found
}

// TestFurtherOptions checks what only libcurl has options for.
func TestFurtherOptions(t *testing.T) {
	for _, c := range []struct{ options, want string }{
		{"-x http://p.test -p --proxy-ntlm -U a:b --proxy-header 'A: b'", "HTTPPROXYTUNNEL => true; PROXYHEADER => ['A: b']; PROXYAUTH => CURLAUTH_NTLM"},
		{"--tlsv1.2 --tls-max 1.3", "SSLVERSION => CURL_SSLVERSION_TLSv1_2 | CURL_SSLVERSION_MAX_TLSv1_3"},
		{"--tls-max 1.2", "SSLVERSION => CURL_SSLVERSION_MAX_TLSv1_2"},
		{"--capath d --crlfile r --pinnedpubkey k --interface eth0", "INTERFACE => 'eth0'; CAPATH => 'd'; CRLFILE => 'r'; PINNEDPUBLICKEY => 'k'"},
		{"--cert c.pem --pass \"$PASS\"", "SSLCERT => 'c.pem'; KEYPASSWD => getenv('PASS')"},
		{"-x https://p.test --proxy-insecure --proxy-cacert c", "PROXY_CAINFO => 'c'; PROXY_SSL_VERIFYPEER => false; PROXY_SSL_VERIFYHOST => 0"},
		{"--resolve h.test:443:10.0.0.1", "RESOLVE => ['h.test:443:10.0.0.1']"},
	} {
		target, _ := code.Lookup("php")
		program, diags := write(t, target, "curl https://h.test/ "+c.options)
		for want := range strings.SplitSeq(c.want, "; ") {
			if !strings.Contains(program, "CURLOPT_"+want) || diags != "" {
				t.Errorf("%s has no %s, or warns (%q):\n%s", c.options, want, diags, program)
			}
		}
	}
	for _, c := range []struct{ options, want string }{
		{"--ntlm -u a:b", "CURLOPT_HTTPAUTH => CURLAUTH_NTLM"}, {"--negotiate -u :", "CURLOPT_USERPWD => ':'"}, {"--anyauth -u a:b", "CURLOPT_HTTPAUTH => CURLAUTH_ANY"},
		{"--ntlm --digest -u a:b", "CURLOPT_HTTPAUTH => CURLAUTH_DIGEST | CURLAUTH_NTLM"},
		{"-x ''", "CURLOPT_PROXY => ''"}, {"--noproxy ''", "CURLOPT_NOPROXY => ''"}, {"-L --post301 -d a=1", "CURLOPT_POSTREDIR => CURL_REDIR_POST_301"},
	} {
		target, _ := code.Lookup("php")
		if program, diags := write(t, target, "curl https://h.test/ "+c.options); !strings.Contains(program, c.want) || diags != "" {
			t.Errorf("%s has no %s, or warns (%q):\n%s", c.options, c.want, diags, program)
		}
	}
}

// TestGuzzleOptions checks the options that Guzzle has, those of curl that it
// takes, and a warning for the others.
func TestGuzzleOptions(t *testing.T) {
	target, _ := code.Lookup("php-guzzle")
	for _, c := range []struct{ options, want, lost string }{
		{"-x http://p.test -p --proxy-header 'A: b'", "CURLOPT_HTTPPROXYTUNNEL => true; CURLOPT_PROXYHEADER => ['A: b']", ""},
		{"--resolve h.test:443:10.0.0.1 --interface eth0", "CURLOPT_RESOLVE => ['h.test:443:10.0.0.1']; CURLOPT_INTERFACE => 'eth0'", ""},
		{"--tlsv1.2 --tls-max 1.3", "'crypto_method' => STREAM_CRYPTO_METHOD_TLSv1_2_CLIENT; 'crypto_method_max' => STREAM_CRYPTO_METHOD_TLSv1_3_CLIENT", ""},
		{"--cert c.pem --pass \"$PASS\"", "'cert' => ['c.pem', getenv('PASS')]", ""},
		{"--cert c.pem --key k.pem --pass p", "'cert' => 'c.pem'; 'ssl_key' => ['k.pem', 'p']", ""},
		{"--capath d", "'verify' => 'd'", ""},
		{"--capath d --cacert f", "'verify' => 'f'", "--capath"},
		{"--crlfile r --pinnedpubkey k", "", "--crlfile --pinnedpubkey"},
		{"-x http://p.test --proxy-ntlm -U a:b --preproxy socks5://q.test", "'proxy' => 'http://a:b@p.test:1080'", "--preproxy --proxy-ntlm"},
		{"-F f=@a/b.jpg", "['name' => 'f', 'contents' => Utils::tryFopen('a/b.jpg', 'r')]", ""},
		{"-F 'f=@b.jpg;filename=c'", "'filename' => 'c'; ['Content-Type' => 'image/jpeg']", ""},
		{"-F f=@b.csv", "['Content-Type' => 'application/octet-stream']", ""},
		{"-u $'a\\tb:c'", "'Authorization' => 'Basic YQliOmM='", ""},
	} {
		program, diags := write(t, target, "curl https://h.test/ "+c.options)
		for want := range strings.SplitSeq(c.want, "; ") {
			if !strings.Contains(program, want) {
				t.Errorf("%s has no %s:\n%s", c.options, want, program)
			}
		}
		for lost := range strings.FieldsSeq(c.lost) {
			if !strings.Contains(diags, lost) || !strings.Contains(program, "// "+lost+" is left out") {
				t.Errorf("%s has no warning of %s (%q):\n%s", c.options, lost, diags, program)
			}
		}
		if c.lost == "" && diags != "" {
			t.Errorf("%s warns: %s", c.options, diags)
		}
	}
}

// TestDirect checks that a program asks no proxy of its environment where curl
// asks none, and that a client that cannot do without warns of it.
func TestDirect(t *testing.T) {
	urllib, _ := code.Lookup("python-urllib")
	if program, _ := write(t, urllib, "curl -L http://h.test/ --noproxy '*'"); !strings.Contains(program, "ProxyHandler({})") {
		t.Errorf("urllib asks the proxies of its environment:\n%s", program)
	}
	writes := map[string]string{
		"python-requests": `proxies={"no_proxy": "*"}`, "python-httpx": "trust_env=False", "go": "transport.Proxy = nil", "go-resty": "client.RemoveProxy()",
		"rust": ".no_proxy()", "ruby": "uri.port, nil", "ruby-httparty": "http_proxyaddr: nil", "ruby-faraday": "Faraday.ignore_env_proxy = true", "php-guzzle": "'proxy' => ''",
		"php-laravel": "'proxy' => ''", "node-axios": "proxy: false", "wget": "--no-proxy",
		"csharp": "UseProxy = false",
		"httpie": "", "k6": "", "csharp-restsharp": "",
	}
	for options, direct := range map[string]bool{
		"": false, "--noproxy '*'": true, "--noproxy h.test": true, "--noproxy 'a.test, .TEST'": true, "-x ''": true, "--noproxy ''": false,
		"--noproxy a.h.test": false, "--noproxy est": false, "--noproxy h.test -x http://p.test:1": true,
	} {
		other := options == "--noproxy a.h.test" || options == "--noproxy est" // for other hosts
		for name, want := range writes {
			target, _ := code.Lookup(name)
			program, diags := write(t, target, "curl http://h.test/ "+options)
			switch {
			case strings.Contains(program, "p.test"):
				t.Errorf("%s, %q: asks the proxy\n%s", name, options, program)
			case other && name != "wget" != (diags == "cannot-express --noproxy\n"), name == "wget" && other != strings.Contains(program, "no_proxy="):
				t.Errorf("%s, %q: the list of hosts is lost: %q\n%s", name, options, diags, program)
			case !other && want == "" && strings.Contains(diags, "cannot-express") != direct, want != "" && (strings.Contains(program, want) != direct || !other && diags != ""):
				t.Errorf("%s, %q: want %t; warns %q\n%s", name, options, direct, diags, program)
			}
		}
	}
}

// TestRefusedURLs checks the URLs that a client would send otherwise, and that
// clj-http asks a proxy for its own machine too, as curl does.
func TestRefusedURLs(t *testing.T) {
	for _, c := range []struct{ target, command, want string }{
		{"clojure", "curl https://h.test/a//b", "cannot-express"}, {"clojure", "curl https://h.test/a/b?c=//d", ""},
		{"elixir", "curl -g 'http://[::1]/'", "cannot-express"}, {"elixir", "curl -g 'http://[::1]/' -H 'Host: h'", ""},
		{"elixir", "curl 'http://h.test/%?a=%%'", ""}, {"elixir", "curl 'http://h.test/?a=%zz'", "cannot-express"}, {"elixir", "curl http://h.test/%2/b", "cannot-express"},
	} {
		target, _ := code.Lookup(c.target)
		if _, diags := write(t, target, c.command); strings.HasPrefix(diags, "cannot-express") != (c.want != "") {
			t.Errorf("%s: %s gives %q", c.target, c.command, diags)
		}
	}
	for target, want := range map[string]string{"lua": `url = "http://h.test/A?b"`, "javascript-fetch": "undici"} {
		target, _ := code.Lookup(target)
		if program, _ := write(t, target, "curl HTTP://h.test:6000/A?b"); !strings.Contains(strings.Replace(program, ":6000", "", 1), want) {
			t.Errorf("%s has no %s:\n%s", target.Name, want, program)
		}
	}
	target, _ := code.Lookup("clojure")
	if program, _ := write(t, target, "curl http://localhost/ -x http://localhost:1"); !strings.Contains(program, ":proxy-ignore-hosts #{}") {
		t.Errorf("clj-http asks no proxy for localhost:\n%s", program)
	}
}

// TestLaravel checks what Laravel has a method of its own for, and what it would
// send otherwise: empty JSON with POST, and a URL with braces.
func TestLaravel(t *testing.T) {
	target, _ := code.Lookup("php-laravel")
	for command, want := range map[string]string{
		"curl -X POST https://h.test/":                              "Http::withoutRedirecting()->timeout(0)->send('POST', 'https://h.test/')",
		"curl -g 'https://h.test/{a}'":                              "->get('https://h.test/%7Ba%7D')",
		"curl -X GET https://h.test/ --json '{\"a\":1}'":            "->send('GET', 'https://h.test/', ['json' => ['a' => 1]])",
		"curl https://h.test/ --json '{}'":                          "Http::withBody('{}', 'application/json')",
		"curl https://h.test/ -F 'f=@a.jpg;filename=b.jpg'":         "attach('f', fopen('a.jpg', 'rb'), 'b.jpg')",
		"curl https://h.test/ -F 'a=1;type=text/x'":                 "attach('a', '1', headers: ['Content-Type' => 'text/x'])",
		"curl https://h.test/ -f --retry 2":                         "fn ($e) => in_array($e?->getCode(), [408, 429, 500, 502, 503, 504, 522, 524]),\n        throw: false,",
		"curl https://h.test/ -L --max-redirs -1":                   "Http::maxRedirects(PHP_INT_MAX)",
		"curl https://h.test/ --compressed -m 5":                    "->withOptions(['decode_content' => 'gzip, deflate'])",
		"curl -H 'Authorization: Bearer '\"$T\" https://h.test/ -I": "Http::withToken(getenv('T'))",
	} {
		if program, diags := write(t, target, command); !strings.Contains(program, want) || diags != "" {
			t.Errorf("%s has no %s, or warns (%q):\n%s", command, want, diags, program)
		}
	}
	guzzle, _ := code.Lookup("php-guzzle")
	if program, _ := write(t, guzzle, "curl https://h.test/ -L --max-redirs -1"); !strings.Contains(program, "['max' => PHP_INT_MAX]") {
		t.Errorf("Guzzle has a limit for redirects:\n%s", program)
	}
}

// TestFaradayQuery checks that a query goes out as it is where Faraday would
// write it otherwise, and only there.
func TestFaradayQuery(t *testing.T) {
	target, _ := code.Lookup("ruby-faraday")
	for url, verbatim := range map[string]bool{
		"https://h.test/p": false, "https://h.test/p?a=1&b=x+y&c": false, "https://h.test/p?a=%2F~": false, "https://h.test/items/$ID": false, "$HOST/p": false,
		"https://h.test/p?": true, "https://h.test/p?b=1&a=2": true, "https://h.test/p?a=1&a=2": true, "https://h.test/p?a=x%20y": true, "https://h.test/p?a=%2f": true,
		"https://h.test/p?a[]=1": true, "https://h.test/p?a=$A": true, "$URL": true, "https://h.test/p?=1": true, "https://h.test/p?a=1&&b=2": true,
	} {
		program, diags := write(t, target, "curl -g \""+url+"\"")
		if strings.Contains(program, "Verbatim") != verbatim || diags != "" {
			t.Errorf("%s goes out as it is by a helper: %t, want %t (%s)\n%s", url, !verbatim, verbatim, diags, program)
		}
	}
	if program, _ := write(t, target, "curl -g 'https://[::1]/a[1]/b?c=[1]'"); !strings.Contains(program, "'https://[::1]/a%5B1%5D/b?c=[1]'") {
		t.Errorf("the brackets of a path stay: %s", program)
	}
}

// TestOutputDir checks that --output-dir is before the name of the file, also
// before one that -O takes from the URL, and before a path from the root.
func TestOutputDir(t *testing.T) {
	for options, want := range map[string]string{
		"-o f --output-dir d": `"d/f"`, "--output-dir d -O": `"d/p"`, "-o /f --output-dir d": `"d//f"`, "-o f": `"f"`, "-o /dev/null --output-dir d": "",
	} {
		target, _ := code.Lookup("python-requests")
		program, _ := write(t, target, "curl https://h.test/p "+options)
		if _, path, _ := strings.Cut(program, "open("); !strings.HasPrefix(path, want) || want == "" && path != "" {
			t.Errorf("%s writes to %.20q, want %s", options, path, want)
		}
	}
}

// TestFolderMode holds that a program that names the mode of the folders it makes names
// curl's: create_dir_hierarchy() in curl 8.22 src/tool_dirhie.c.
func TestFolderMode(t *testing.T) {
	mode := regexp.MustCompile(`\b0o?([0-7]{3})\b`)
	naming := 0
	for _, target := range code.Targets() {
		program, _ := write(t, target, "curl --create-dirs -o a/b/f https://h.test/")
		for _, found := range mode.FindAllStringSubmatch(program, -1) {
			naming++
			if found[1] != "750" {
				t.Errorf("%s makes folders with the mode %s:\n%s", target.Name, found[0], program)
			}
		}
	}
	if naming < 2 {
		t.Errorf("%d programs name a mode, those for Go and C at least", naming)
	}
}

// TestLineEnds holds that --crlf is not lost where a program reads the file: the
// line feeds of a file that was supplied are in the content already.
func TestLineEnds(t *testing.T) {
	for _, c := range []struct{ command, target, want string }{
		{"curl --crlf -T f http://h.test/x", "curl", "--crlf"},
		{"curl -B -d @f http://h.test/x", "curl-config", "crlf"},
		{"curl --crlf -F a=@f http://h.test/x", "php", "CURLOPT_CRLF => true"},
		{"curl --crlf -T f http://h.test/x", "go", ""},
		{"curl --crlf -F a=b http://h.test/x", "go", "http.NewRequest"},
	} {
		r, err := engine.Parse(c.command, engine.Input{})
		if err != nil {
			t.Fatal(err)
		}
		target, _ := code.Lookup(c.target)
		program, diags := target.Compose(nil, r.Requests, exactly)
		if refused := diags.Err() != nil; refused != (c.want == "") || !strings.Contains(string(program), c.want) {
			t.Errorf("%s: %s writes\n%s%v", c.command, c.target, program, diags)
		}
	}
}

// TestK6Shared checks what k6 has once for all requests of a test: all names that
// lead elsewhere are in it, and requests that differ are warned of or refused.
func TestK6Shared(t *testing.T) {
	target, _ := code.Lookup("k6")
	for _, c := range []struct{ command, program, diags string }{
		{"curl --resolve a.test:80:127.0.0.1 --resolve b.test:80:127.0.0.2 http://a.test/ http://b.test/ http://A.test/",
			`hosts: { "a.test:80": "127.0.0.1:80", "b.test:80": "127.0.0.2:80" }`, ""},
		{"curl --resolve a.test:80:127.0.0.1 http://a.test/ --next http://a.test/", "", "cannot-express"},
		{"curl -k https://a.test/ --next -k https://b.test/", "insecureSkipTLSVerify: true", ""},
		{"curl -k https://a.test/ --next https://b.test/", "checks the certificates of no request", "cannot-express"},
		{"curl -k https://a.test/ --next http://b.test/", "insecureSkipTLSVerify: true", ""},
		{"curl -E a.pem https://a.test/ --next -E a.pem https://b.test/", `tlsAuth: [{ cert: open("a.pem")`, ""},
		{"curl -E a.pem https://a.test/ --next -E b.pem https://b.test/", "", "cannot-express"},
	} {
		program, diags := write(t, target, c.command)
		if !strings.Contains(program, c.program) || (diags == "") != (c.diags == "") || !strings.HasPrefix(diags, c.diags) {
			t.Errorf("%s: want %q with %q, not %q with\n%s", c.command, c.program, c.diags, diags, program)
		}
	}
}

// A name below localhost is the machine itself for curl, and a name like others for
// most clients.
func TestBelowLocalhost(t *testing.T) {
	for _, test := range []struct {
		command, target string
		warned          bool
	}{
		{"curl http://App.LocalHost:81/", "python-requests", true},
		{"curl https://a.b.localhost./", "go", true},
		{"curl http://app.localhost/", "php", false},
		{"curl http://app.localhost/", "postman", false},
		{"curl http://app.localhost/", "har", false},
		{"curl http://localhost/", "go", false},
		{"curl http://applocalhost/", "go", false},
		{"curl http://localhost.test/", "go", false},
		{"curl http://app.localhost/ -x http://p.test", "go", false},
		{"curl http://app.localhost/ --resolve app.localhost:80:10.0.0.1", "go", false},
	} {
		target, _ := code.Lookup(test.target)
		program, warnings := write(t, target, test.command)
		warned := strings.HasPrefix(warnings, "cannot-express")
		if warned != test.warned || warned != strings.Contains(program, "must resolve to this machine") {
			t.Errorf("%s for %s: %q\n%s", test.command, test.target, warnings, program)
		}
	}
}

// TestUsualPort checks that clients which name the port of the URL in Host are given none
// where curl names none: lib/http.c of curl 8.22 leaves out the one of the scheme.
func TestUsualPort(t *testing.T) {
	for _, test := range []struct{ command, want string }{
		{"curl http://h.test:80/a?b=:80", `http://h.test/a?b=:80"`},
		{"curl https://h.test:443", `https://h.test"`},
		{"curl http://[::1]:80/", `http://[::1]/"`},
		{"curl http://h.test:443/", `http://h.test:443/"`},
		{"curl http://h.test:8080/:80", `http://h.test:8080/:80"`},
		{"curl -x http://p.test http://h.test:80/", `http://h.test:80/"`},
	} {
		target, _ := code.Lookup("go")
		if program, _ := write(t, target, test.command); !strings.Contains(program, test.want) {
			t.Errorf("%s has no %s:\n%s", test.command, test.want, program)
		}
	}
}
