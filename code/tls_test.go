package code_test

import (
	"slices"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/diag"
)

// TestTLSVersions checks how programs say which versions of TLS curl would speak, and
// that nothing is said of those that the client does not speak anyway.
func TestTLSVersions(t *testing.T) {
	for _, test := range []struct{ command, target, want string }{
		{"--tlsv1.2", "wget", "--secure-protocol=TLSv1_2"}, {"--tlsv1.0", "wget", "--secure-protocol=TLSv1 "},
		{"--tlsv1.2", "ruby", "min_version: :TLS1_2"}, {"--tls-max 1.2", "ruby", "max_version: :TLS1_2"}, {"--tlsv1.0", "ruby", "min_version: :TLS1)"},
		{"--tlsv1.2", "rust", ".min_tls_version(reqwest::tls::Version::TLS_1_2)"}, {"--tlsv1.3", "rust", "--tlsv1.3 is left out"},
		{"--tlsv1.2", "r", "sslversion = 6"}, {"--tlsv1.0 --tls-max 1.2", "r", "sslversion = 393220"},
		{"--tlsv1.2", "perl", "'SSLv23:!SSLv2:!SSLv3:!TLSv1:!TLSv1_1'"}, {"--tls-max 1.2", "perl", "!SSLv3:!TLSv1_3'"},
		{"--tlsv1.1", "lua", `"no_sslv3", "no_tlsv1"}`},
		{"--tlsv1.2", "powershell", "'Tls12, Tls13'"}, {"--tlsv1.0 --tls-max 1.1", "powershell", "'Tls, Tls11'"},
		{"--tlsv1.3", "go", "MinVersion: tls.VersionTLS13"}, {"--tls-max 1.2", "go", "MaxVersion: tls.VersionTLS12"}, {"--tlsv1.3", "go-resty", "MinVersion: tls.VersionTLS13"},
		{"--tlsv1.3", "python-httpx", "context.minimum_version = ssl.TLSVersion.TLSv1_3"}, {"-k --tls-max 1.1", "python-aiohttp", "context.maximum_version = ssl.TLSVersion.TLSv1_1"},
		{"--tlsv1.3", "javascript-fetch", `minVersion: "TLSv1.3"`}, {"--tls-max 1.2", "node-got", `maxVersion: "TLSv1.2"`},
		{"--tlsv1.0 --tls-max 1.1", "go", "MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11"}, {"--tlsv1.0 --tls-max 1.1", "python-http", "context.minimum_version = ssl.TLSVersion.TLSv1\n"},
		{"--tlsv1.0 --tls-max 1.0", "node-http", "minVersion: \"TLSv1\",\n  maxVersion: \"TLSv1\""}, {"--tlsv1.0 --tls-max 1.2", "go", "{MaxVersion: tls.VersionTLS12}"},
		{"--tlsv1.3", "python-requests", "context.minimum_version = ssl.TLSVersion.TLSv1_3"}, {"-k --tls-max 1.2", "python-requests", "context.check_hostname = False"},
		{"--tlsv1.3 -x http://p.test", "python-requests", "--tlsv1 is left out"},
		{"--tlsv1.3", "java", `{"TLSv1.3"}`}, {"--tls-max 1.3", "java", `{"TLSv1.2", "TLSv1.3"}`}, {"--tls-max 1.1", "java", "--tls-max is left out"},
		{"--tlsv1.3", "groovy", "['TLSv1.3'] as String[]"}, {"--tls-max 1.2", "scala", `Array[String]("TLSv1.2")`}, {"--tls-max 1.2", "kotlin", `arrayOf<String>("TLSv1.2")`},
		{"--tlsv1.3", "java-okhttp", ".tlsVersions(TlsVersion.TLS_1_3)"}, {"--cacert c", "java-okhttp", "(X509TrustManager) managers.getTrustManagers()[0])"}, {"-k --tls-max 1.2", "kotlin-okhttp", ".connectionSpecs(listOf(versions, ConnectionSpec.CLEARTEXT))"},
		{"--tls-max 1.2", "httpie", " --ssl=tls1.2 "}, {"--tlsv1.3", "httpie", "--tlsv1 is left out"},
	} {
		target, _ := code.Lookup(test.target)
		if program, _ := write(t, target, "curl https://h.test/ "+test.command); !strings.Contains(program, test.want) {
			t.Errorf("%s for %s has no %s:\n%s", test.command, test.target, test.want, program)
		}
	}
	for _, name := range []string{"python-requests", "javascript-fetch", "go", "java", "httpie", "elixir"} {
		target, _ := code.Lookup(name)
		plain, _ := write(t, target, "curl https://h.test/")
		for _, option := range []string{"--tlsv1.2", "--tlsv1.1", "-1"} {
			program, diags := write(t, target, "curl --proto '=https' "+option+" https://h.test/")
			if program != plain || diags != "" {
				t.Errorf("%s: %s: %q\n%s", name, option, diags, program)
			}
		}
		if _, diags := write(t, target, "curl -L --proto '=https' https://h.test/"); diags == "" {
			t.Errorf("%s limits the protocols of redirects", name)
		}
	}
}

// TestHTTP1 checks that a program whose client would speak HTTP/2 is told not to, or
// warns, and that node-got tells of the versions that it cannot speak.
func TestHTTP1(t *testing.T) {
	for _, name := range []string{"c", "php", "go", "go-resty", "java", "java-okhttp", "kotlin", "kotlin-okhttp", "groovy", "scala", "objc", "swift", "k6", "terraform", "rust"} {
		target, _ := code.Lookup(name)
		if _, visible := vanishes(target, pairsOf(t, []string{"curl https://h.test/p"}, " --http1.1")); !visible {
			t.Errorf("%s loses --http1.1", name)
		}
		if _, diags := write(t, target, "curl --http1.1 http://h.test/p"); strings.Contains(diags, "--http1.1") {
			t.Errorf("%s warns where there is no TLS: %s", name, diags)
		}
	}
	got, _ := code.Lookup("node-got")
	for option, want := range map[string]string{"--http1.0": "cannot-express --http1.0\n", "--http3": "cannot-express --http3\n", "--http2": "", "--http1.1": ""} {
		if _, diags := write(t, got, "curl https://h.test/p "+option); diags != want {
			t.Errorf("got with %s: %q", option, diags)
		}
	}
}

// TestDartCertificates checks that a program for Dart trusts the certificates that a
// command names, and shows its own, and that its one client has one set of these.
func TestDartCertificates(t *testing.T) {
	dart, _ := code.Lookup("dart")
	for options, want := range map[string]string{
		"--cacert ca.pem":             "SecurityContext(withTrustedRoots: false)\n    ..setTrustedCertificates('ca.pem');\n",
		"--cert c.pem":                "SecurityContext(withTrustedRoots: true)\n    ..useCertificateChain('c.pem')\n    ..usePrivateKey('c.pem');\n",
		"--cert c.pem --key \"$KEY\"": "..usePrivateKey(Platform.environment['KEY'] ?? '');\n",
	} {
		if program, diags := write(t, dart, "curl https://h.test/ "+options); !strings.Contains(program, want) || !strings.Contains(program, "HttpClient(context: context)") || diags != "" {
			t.Errorf("%s: %q\n%s", options, diags, program)
		}
	}
	for _, command := range []string{"curl --cacert a https://h.test/ --next --cacert b https://h.test/", "curl -k https://h.test/ --next https://g.test/"} {
		if _, diags := write(t, dart, command); diags != "cannot-express \n" {
			t.Errorf("%s: %q", command, diags)
		}
	}
}

// TestClientCertificates checks that a program says in which form the files of a client
// certificate are, and the password of the key, as its client takes them, or warns.
func TestClientCertificates(t *testing.T) {
	const archive, locked, binary = "--cert c.p12 --cert-type p12 --pass pw", "--cert c.pem:pw --key k.pem", "--cert c.der --cert-type DER --key k.der --key-type DER"
	for _, test := range []struct{ options, target, want, warns string }{
		{archive, "php", "CURLOPT_SSLCERTTYPE => 'p12',\n    CURLOPT_KEYPASSWD => 'pw'", ""}, {archive, "c", `CURLOPT_SSLCERTTYPE, "p12"`, ""}, {archive, "php-guzzle", "[CURLOPT_SSLCERTTYPE => 'p12']", ""},
		{archive, "node-http", `pfx: await readFile("c.p12"),`, ""}, {archive, "node-superagent", `.pfx({ pfx: await readFile("c.p12"), passphrase: "pw" });`, ""},
		{archive, "playwright", `pfxPath: "c.p12"`, ""}, {archive, "ruby", "archive = OpenSSL::PKCS12.new(File.binread('c.p12'), 'pw')", ""}, {archive, "ruby-httparty", "p12: File.binread('c.p12'),\n  p12_password: 'pw'", ""},
		{archive, "csharp", `new X509Certificate2("c.p12", "pw")`, ""}, {archive, "powershell", "::new('c.p12', 'pw')", ""}, {archive, "perl", "SSL_passwd_cb => sub { 'pw' }", ""},
		{archive, "dart", "..useCertificateChain('c.p12', password: 'pw')", ""}, {archive, "python-requests", "--cert-type is left out: the program reads the certificate as PEM", "--cert-type"},
		{archive, "wget", "--certificate=c.p12", "--cert-type --pass"}, {archive, "go", `tls.LoadX509KeyPair("c.p12"`, "--cert-type --pass"}, {archive, "java", "", "--cert"}, {archive, "rust", "", "--cert"}, {archive, "jmeter", "", "--cert"},
		{locked, "php", "CURLOPT_SSLCERT => 'c.pem',\n    CURLOPT_SSLKEY => 'k.pem',\n    CURLOPT_KEYPASSWD => 'pw'", ""}, {locked, "node-http", `passphrase: "pw"`, ""},
		{locked, "ruby", "OpenSSL::PKey.read(File.read('k.pem'), 'pw')", ""}, {locked, "python-requests", `context.load_cert_chain("c.pem", "k.pem", password="pw")`, ""}, {locked, "python-urllib3", `key_password="pw"`, ""},
		{locked, "csharp", `CreateFromEncryptedPemFile("c.pem", "pw", "k.pem")`, ""}, {locked, "powershell", "CreateFromEncryptedPemFile('c.pem', 'pw', 'k.pem')", ""}, {locked, "httpie", "--cert-key-pass=pw", ""}, {locked, "go", `LoadX509KeyPair("c.pem", "k.pem")`, "--cert"},
		{binary, "wget", "--certificate=c.der --private-key=k.der --certificate-type=DER --private-key-type=DER", ""}, {binary, "ruby", "OpenSSL::X509::Certificate.new(File.binread('c.der'))", ""}, {binary, "perl", "SSL_key_file => 'k.der'", ""},
		{binary, "node-http", "", "--cert-type --key-type"}, {binary, "r", `sslkeytype = "DER"`, ""},
		{`--cert "$C:pw"`, "go", `"C"`, "--cert"}, {`--cert 'pkcs11:a'`, "php", "CURLOPT_SSLCERT => 'pkcs11:a'", ""},
	} {
		target, _ := code.Lookup(test.target)
		program, warnings := write(t, target, "curl https://h.test/ "+test.options)
		var warned []string
		for line := range strings.Lines(warnings) {
			warned = append(warned, strings.TrimSpace(strings.TrimPrefix(line, "cannot-express ")))
		}
		if !strings.Contains(program, test.want) || strings.Join(warned, " ") != test.warns {
			t.Errorf("%s for %s: no %s, or warns %q:\n%s", test.options, test.target, test.want, warned, program)
		}
	}
}

// TestTrustManager checks that programs give OkHttp the one trust manager that it takes, for
// the certificates of --cacert, and that others do not import its class.
func TestTrustManager(t *testing.T) {
	for name, want := range map[string]string{
		"java-okhttp":            "(X509TrustManager) managers.getTrustManagers()[0])",
		"kotlin-okhttp":          "managers.getTrustManagers()[0] as X509TrustManager)",
		"java-httpurlconnection": "",
		"java-apache":            "",
	} {
		target, _ := code.Lookup(name)
		program, _ := write(t, target, "curl --cacert ca.pem https://h.test/")
		if !strings.Contains(program, "getTrustManagers()") || !strings.Contains(program, want) || want == "" && strings.Contains(program, "X509TrustManager") {
			t.Errorf("%s: no %q in\n%s", name, want, program)
		}
	}
	connection, _ := code.Lookup("java-httpurlconnection")
	program, _ := write(t, connection, `curl -x "$PROXY" http://h.test/`)
	if strings.Count(program, "var proxy =") != 1 {
		t.Errorf("a variable is declared twice:\n%s", program)
	}
}

// ofAnother are options that say more of another one: a program that leaves that out says so once.
var ofAnother = map[string]string{
	"cert-type": "--cert", "key": "--cert", "key-type": "--cert", "pass": "--cert", "ca-native": "--cacert",
	"proxy-cert-type": "--proxy-cert", "proxy-key": "--proxy-cert", "proxy-key-type": "--proxy-cert", "proxy-pass": "--proxy-cert", "proxy-ca-native": "--proxy-cacert",
}

// leaves reports whether a target says of a command that it leaves out an option, or the proxy.
func leaves(target code.Target, pairs []pair, option string) bool {
	_, diags := target.Compose(nil, pairs[0].with, exactly)
	return slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Option == option || d.Option == "-x" })
}
