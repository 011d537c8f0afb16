package code_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/internal/engine"
	"uncoil/internal/proof/codeproof"
)

var (
	csharpUsing       = regexp.MustCompile(`(?m)^using [\w.]+;\n`)
	csharpDeclaration = regexp.MustCompile(`(?m)^( *)using (var \w+ = )`)

	// beyondMono matches what mono's libraries do not have.
	beyondMono = regexp.MustCompile(`UriCreationOptions|EncodingSelector|PemFile|ConnectCallback|VersionPolicy|System\.Text\.Json|HttpVersion\.Version20|DecompressionMethods\.Brotli|HttpMethod\.Connect|HttpRequestError|Convert\.ToHexString`)
)

// TestCSharpCompiles has the compiler of mono read the programs, and those for RestSharp
// with its API. It is of C# 7, which has neither statements outside of a class nor
// declarations with using; all else in the programs it has to take.
func TestCSharpCompiles(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts a compiler")
	}
	compiler, err := exec.LookPath("mcs")
	if err != nil {
		t.Skip(err)
	}
	for name, sources := range map[string][]string{"csharp": nil, "csharp-restsharp": {filepath.Join("testdata", "restsharp.cs")}} {
		t.Run(name, func(t *testing.T) {
			target, _ := code.Lookup(name)
			var b strings.Builder
			for _, name := range []string{"System", "System.Collections.Generic", "System.IO", "System.Linq", "System.Net", "System.Net.Http", "System.Net.Http.Headers", "System.Security.Authentication", "System.Text", "System.Text.RegularExpressions", "System.Threading.Tasks"} {
				b.WriteString("using " + name + ";\n")
			}
			if sources != nil {
				b.WriteString("using System.Text.Json;\nusing RestSharp;\nusing RestSharp.Authenticators;\n")
			}
			n := 0
			for i, command := range fileCommands(t) {
				r, err := engine.Parse(command, engine.Input{})
				if err != nil {
					continue
				}
				program, diags := target.Compose(nil, r.Requests, exactly)
				if diags.Err() != nil || sources == nil && beyondMono.Match(program) {
					continue
				}
				n++
				statements := csharpDeclaration.ReplaceAllString(csharpUsing.ReplaceAllString(string(program), ""), "$1$2")
				fmt.Fprintf(&b, "class P%d {\nstatic async Task M() {\n%s\n}\n}\n", i, statements)
			}
			b.WriteString("class Program { static void Main() { } }\n")
			file := filepath.Join(t.TempDir(), "programs.cs")
			if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command(compiler, append([]string{"-r:System.Net.Http.dll", "-out:" + file + ".exe", file}, sources...)...).CombinedOutput()
			if err != nil || sources != nil && strings.Contains(string(out), "never used") {
				t.Errorf("%d programs: %v\n%s", n, err, out[:min(len(out), 4000)])
			}
			t.Logf("%d programs", n)
		})
	}
}

// TestCSharp7Compiles has the compiler of mono read the programs for C# 7 as they are, each in
// a namespace of its own; those for RestSharp with its API.
func TestCSharp7Compiles(t *testing.T) {
	parallel(t)
	if testing.Short() {
		t.Skip("it starts a compiler")
	}
	if _, err := codeproof.CSharp7().Installed(); err != nil {
		t.Skip(err)
	}
	for name, sources := range map[string][]string{"csharp": nil, "csharp-restsharp": {filepath.Join("testdata", "restsharp.cs")}} {
		target, _ := code.Lookup(name)
		for _, style := range []code.Style{code.StyleExact, code.StyleIdiomatic} {
			t.Run(fmt.Sprint(name, style), func(t *testing.T) {
				var b strings.Builder
				n := 0
				for i, command := range fileCommands(t) {
					r, err := engine.Parse(command, engine.Input{})
					if err != nil {
						continue
					}
					program, diags := target.Compose(nil, r.Requests, code.Options{Style: style, Switches: []string{"csharp7"}})
					if diags.Err() != nil || strings.Contains(string(program), "System.Text.Json") && sources == nil { // which mono has not
						continue
					}
					n++
					fmt.Fprintf(&b, "namespace P%d {\n%s}\n", i, program)
				}
				file := filepath.Join(t.TempDir(), "programs.cs")
				if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
					t.Fatal(err)
				}
				out, err := exec.Command("mcs", append([]string{"-target:library", "-nowarn:28", "-r:System.Net.Http.dll", "-r:System.Web.dll", "-out:" + file + ".dll", file}, sources...)...).CombinedOutput()
				if err != nil || n < 100 {
					t.Errorf("%d programs: %v\n%s", n, err, out[:min(len(out), 4000)])
				}
				t.Logf("%d programs", n)
			})
		}
	}
}

// TestCSharp7 checks what programs for C# 7 have in place of what is newer, and what they
// cannot say.
func TestCSharp7(t *testing.T) {
	target, _ := code.Lookup("csharp")
	written := func(command string) (string, string) {
		r, err := engine.Parse(command, engine.Input{})
		if err != nil {
			t.Fatal(command, err)
		}
		program, diags := target.Compose(nil, r.Requests, code.Options{Style: code.StyleExact, Switches: []string{"csharp7"}})
		return string(program), fmt.Sprint(diags)
	}
	for command, want := range map[string]string{
		"curl https://h.test/":                                                                         "{\n        var handler = new HttpClientHandler { AllowAutoRedirect = false, UseCookies = false };\n        using (var client = new HttpClient(handler))\n        using (var request = new HttpRequestMessage(HttpMethod.Get, \"https://h.test/\"))\n        using (var response = await client.SendAsync(request))\n        {\n            Console",
		"curl https://h.test/ -X PATCH -d a":                                                           `new HttpMethod("PATCH")`,
		"curl https://h.test/ -d a":                                                                    "request.Headers.ExpectContinue = false;",
		"curl https://h.test/ -d a -H Expect:":                                                         "request.Headers.ExpectContinue = false;",
		"curl -k https://h.test/":                                                                      "(message, certificate, chain, errors) => true",
		"curl https://h.test/ --compressed -H 'Accept-Encoding: gzip'":                                 "Get, \"https://h.test/\"))\n        using (var response",
		"curl https://h.test/ -H 'Content-Type: a/b' -d '{\"a\": [\"b\"]}'":                            `"{\"a\": [\"b\"]}"`,
		"curl https://h.test/a https://h.test/b":                                                       "var client2 = new HttpClient(handler2);",
		`curl -H "X: $(printf %s "$A" | sha256sum | cut -d' ' -f1)" https://h.test/`:                   "SHA256.Create().ComputeHash(",
		`curl -H "X: $(printf %s "$A" | openssl dgst -sha1 -hmac k -binary | base64)" https://h.test/`: `new HMACSHA1(Encoding.UTF8.GetBytes("k")).ComputeHash(`,
	} {
		if program, diags := written(command); !strings.Contains(program, want) || diags != "[]" {
			t.Errorf("%s has no %s, or warns (%q):\n%s", command, want, diags, program)
		}
	}
	for _, command := range []string{
		"curl --path-as-is https://h.test/a/../b", "curl https://h.test/ -H 'X-A: é'", "curl --unix-socket s http://h.test/", "curl --resolve h.test:443:10.9.9.9 https://h.test/",
		"curl --cacert a https://h.test/", "curl --cert a https://h.test/", "curl --connect-timeout 1 https://h.test/", "curl --http2 https://h.test/", "curl -x socks5://p.test https://h.test/",
		"curl -x http://p.test http://localhost/", "curl https://h.test/ -H 'Accept;'", "curl https://h.test/ --compressed -H 'Accept-Encoding: br'", "curl --retry 2 --retry-connrefused https://h.test/",
	} {
		if program, diags := written(command); !strings.Contains(diags, "cannot-express") {
			t.Errorf("%s is written without a word:\n%s", command, program)
		}
	}
}

// monoCases are those of the proof but for Digest, for which the HttpClient of Debian's mono
// 6.8 ends with "Invalid IL code in System.Net.Http.AuthenticationHelper:ComputeHash", and for
// redirects to 0.0.0.0, which it takes for no address.
func monoCases(t *testing.T) []codeproof.Case {
	cases, _ := proofCases(t)
	return slices.DeleteFunc(cases, func(c codeproof.Case) bool {
		return strings.Contains(c.Command, "--digest") || strings.Contains(c.Name, "-other-unspecified")
	})
}

// TestCSharp7Proof runs programs for C# 7 with mono: they send what curl sends.
func TestCSharp7Proof(t *testing.T) {
	parallel(t)
	for _, style := range []code.Style{code.StyleExact, code.StyleIdiomatic} {
		t.Run(fmt.Sprint(style), func(t *testing.T) {
			p := proverOf(t, codeproof.CSharp7())
			p.options = code.Options{Style: style, Switches: []string{"csharp7"}}
			cases := monoCases(t)
			if style == code.StyleIdiomatic {
				cases = unredirected(cases)
			}
			proveAll(t, p, cases)
		})
		t.Run(fmt.Sprint(style)+" functions", func(t *testing.T) {
			proveFunctions(t, proverOf(t, codeproof.CSharp7()), monoCases(t), code.Options{Style: style, Switches: []string{"csharp7"}})
		})
	}
}

// TestRestSharp checks what RestSharp has methods for, and what it would send
// otherwise.
func TestRestSharp(t *testing.T) {
	target, _ := code.Lookup("csharp-restsharp")
	for command, want := range map[string]string{
		"curl https://h.test/ -A x":                                              `UserAgent = "x"`,
		"curl https://h.test/ -A ''":                                             "UserAgent = null",
		"curl -u a:b https://h.test/ --compressed":                               "{\n    Authenticator = new HttpBasicAuthenticator(\"a\", \"b\"),\n    FollowRedirects = false\n}",
		"curl https://h.test/ -H 'X-A: 1' -H 'x-a: 2'":                           `request.AddHeader("X-A", "1, 2");`,
		"curl https://h.test/ -d a=b%20c":                                        `request.AddParameter("a", "b c");`,
		"curl https://h.test/ -X DELETE -d a=b":                                  `request.AddStringBody("a=b", "application/x-www-form-urlencoded");`,
		"curl https://h.test/ -d x -H 'Content-Type: a/b;c'":                     "request.AddBody(Encoding.UTF8.GetBytes(\"x\"), ContentType.Binary);\nrequest.AddHeader(\"Content-Type\", \"a/b;c\");",
		"curl https://h.test/ -F f=@a.png -F g=@d/b.jpg":                         "request.AddFile(\"f\", \"a.png\", \"image/png\");\nrequest.AddFile(\"g\", \"d/b.jpg\", \"image/jpeg\");",
		"curl https://h.test/ -F f=@a.png -F a=b":                                `request.AddBody(body.ToArray(), "multipart/form-data; boundary=uncoil");`,
		"curl https://h.test/ -d x -H 'Content-Type: text/plain; charset=utf-8'": "{\n    AutomaticDecompression = DecompressionMethods.None,\n    FollowRedirects = false\n}",
		"curl https://h.test/ -L --max-redirs -1 --http2":                        "MaxRedirects = int.MaxValue",
	} {
		if program, diags := write(t, target, command); !strings.Contains(program, want) || diags != "" {
			t.Errorf("%s has no %s, or warns (%q):\n%s", command, want, diags, program)
		}
	}
	for _, command := range []string{
		"curl https://h.test/ -X PURGE", "curl https://h.test/ -H Accept:", "curl https://h.test/ -T f", "curl --path-as-is https://h.test/a/../b", "curl https://h.test/ -H 'Content-Language: de'",
		"curl https://h.test/ -H 'X-A: é'", "curl https://h.test/ --retry 2",
	} {
		if program, diags := write(t, target, command); !strings.Contains(diags, "cannot-express") {
			t.Errorf("%s is written without a word:\n%s", command, program)
		}
	}
}

// TestHttpClient checks what HttpClient needs to send curl's bytes, as it does with
// .NET 9, and what it would send otherwise.
func TestHttpClient(t *testing.T) {
	target, _ := code.Lookup("csharp")
	const keep = "DangerousDisablePathAndQueryCanonicalization"
	for command, want := range map[string]string{
		"curl --path-as-is https://h.test/a/../b":                                         keep,
		"curl https://h.test/%7ea":                                                        `"https://h.test/%7Ea"`,
		"curl https://h.test/a?b=%c3%a9":                                                  `"https://h.test/a?b=%c3%a9"`,
		"curl https://h.test/100%":                                                        keep,
		"curl -g 'https://h.test/a?b={c}'":                                                `"https://h.test/a?b={c}"`,
		"curl -g 'https://h.test/a\\b?c={d}'":                                             keep,
		"curl -g \"https://h.test/%?a=$B\"":                                               `new Uri(`,
		"curl -x http://p.test:1 http://localhost/":                                       `Proxy = new WebProxy("http://p.test:1")`,
		"curl -x socks5h://p.test:1 -U a:b http://h.test/":                                `new WebProxy("socks5://p.test:1") { Credentials`,
		"curl https://h.test/ -H 'X-A: é'":                                                "Encoding.UTF8",
		"curl https://h.test/ -H $'X-A: \\xe9'":                                           `"X-A", "é"`,
		"curl https://h.test/ -H 'Accept: a/b;q=.5'":                                      `TryAddWithoutValidation("Accept", "a/b;q=.5")`,
		"curl https://h.test/ -H 'If-None-Match: a'":                                      `TryAddWithoutValidation("If-None-Match", "a")`,
		"curl https://h.test/ -e https://a.test":                                          `TryAddWithoutValidation("Referer", "https://a.test")`,
		"curl https://h.test/ -H 'Origin: https://a.test'":                                `Add("Origin", "https://a.test")`,
		"curl https://h.test/ -H 'Transfer-Encoding: chunked' -d x":                       "TransferEncodingChunked = true",
		"curl https://h.test/ --compressed":                                               "AutomaticDecompression = DecompressionMethods.GZip | DecompressionMethods.Deflate",
		"curl https://h.test/ --compressed -H 'Accept-Encoding: gzip, deflate'":           "= new HttpRequestMessage(HttpMethod.Get, \"https://h.test/\");\n\nusing",
		"curl https://h.test/ --compressed -H 'Accept-Encoding: br, zstd'":                "AutomaticDecompression = DecompressionMethods.Brotli",
		"curl --unix-socket /var/run/docker.sock http://h/info":                           `new UnixDomainSocketEndPoint("/var/run/docker.sock")`,
		"curl --resolve h.test:443:10.9.9.9 https://h.test/":                              `socket.ConnectAsync("10.9.9.9", 443, cancellation)`,
		"curl -L --connect-to H.test:443:i.test:8443 https://h.test/":                     `context.DnsEndPoint.Host == "h.test" ? new DnsEndPoint("i.test", 8443)`,
		"curl --connect-timeout 5 -k https://h.test/":                                     "ConnectTimeout = TimeSpan.FromSeconds(5),\n    SslOptions = { RemoteCertificateValidationCallback",
		"curl --cacert ca.pem https://h.test/":                                            `policy.CustomTrustStore.ImportFromPemFile("ca.pem");`,
		"curl --cert c.pem --key k.pem https://h.test/":                                   `ClientCertificates = { X509Certificate2.CreateFromPemFile("c.pem", "k.pem") }`,
		"curl --cert c.pem --pass x --cacert ca.pem https://h.test/":                      `new X509CertificateCollection { X509Certificate2.CreateFromEncryptedPemFile("c.pem", "x") }`,
		"curl --tlsv1.2 https://h.test/":                                                  "SslProtocols = SslProtocols.Tls12 | SslProtocols.Tls13",
		"curl --tlsv1.3 --connect-timeout 1 https://h.test/":                              "SslOptions = { EnabledSslProtocols = SslProtocols.Tls13 }",
		"curl -o f https://h.test/":                                                       "HttpCompletionOption.ResponseHeadersRead",
		"curl -x http://p.test http://h.test/ -U a:b":                                     `ProxyAuthorization = new AuthenticationHeaderValue("Basic", proxyCredentials);`,
		"curl --digest -u a:b 'http://h.test/a;b'":                                        `new Uri("http://h.test/a;b"), "Digest"`,
		"curl https://h.test/ -X PATCH":                                                   "HttpMethod.Patch",
		"curl -L https://h.test/ -H 'Authorization: a'":                                   `if (uri.Scheme + "://" + uri.Authority == origin)`,
		"curl --location-trusted https://h.test/ -H 'Authorization: a'":                   "redirects == 50",
		"curl -L https://h.test/ -d a -u b:c":                                             "new HttpRequestMessage(content ? HttpMethod.Post : HttpMethod.Get, uri)",
		"curl -L https://h.test/ -H 'X-A: b'":                                             "var handler = new HttpClientHandler { UseCookies = false };",
		"curl https://h.test/ --http2-prior-knowledge":                                    "HttpVersionPolicy.RequestVersionExact",
		"curl https://h.test/ -H 'Content-Type: application/json' -d '{\"a\":1}'":         "new StringContent(\"{\\\"a\\\":1}\");\nrequest.Content.Headers.ContentType = new MediaTypeHeaderValue(\"application/json\");",
		"curl https://h.test/ -H 'Content-Type: text/plain; charset=utf-8' -d x":          `new StringContent("x", Encoding.UTF8, "text/plain")`,
		"curl https://h.test/ -H 'Content-Type: a/b' -d \"{\\\"t\\\":\\\"$T\\\"}\"":       `"{\"t\":\"" + Environment.GetEnvironmentVariable("T") + "\"}"`,
		"curl https://h.test/ -H 'Content-Type: a/b' -d \"{\n \\\"t\\\": \\\"$T\\\"\n}\"": "$@\"{{\n \"\"t\"\": \"\"{Environment.GetEnvironmentVariable(\"T\")}\"\"\n}}\"",
		"curl https://h.test/ -F 'n=v;headers=\"X-A: b\"'":                                `part.Headers.TryAddWithoutValidation("X-A", "b");`,
		"curl https://h.test/ -F 'n=v;headers=\"Accept: b\"'":                             "new List<byte>()",
		"curl https://h.test/ -F 'n=v;headers=\"Content-Type:\"'":                         `ContentType = MediaTypeHeaderValue.Parse("multipart/form-data; boundary=uncoil")`,
		"curl \"https://h.test/$A\"":                                                      `$"https://h.test/{Environment.GetEnvironmentVariable("A")}"`,
	} {
		if program, diags := write(t, target, command); !strings.Contains(program, want) || diags != "" {
			t.Errorf("%s has no %s, or warns (%q):\n%s", command, want, diags, program)
		}
	}
	for _, command := range []string{
		"curl https://h.test/ -X post", "curl https://h.test/ -X query", "curl https://h.test/ -X CONNECT", "curl https://h.test/ -H 'Host: a/b'",
		"curl https://h.test/ -H 'Transfer-Encoding: chunked'",
		"curl --path-as-is \"$H/a/../b\"", "curl https://h.test/ --digest -u a:b -d x", "curl -x http://p.test https://h.test/ -U a:b", "curl -x http://p.test http://h.test/ -U a:b --proxy-ntlm",
		"curl --resolve h.test:443:10.9.9.9 -x http://p.test https://h.test/", "curl --connect-to ::i.test: \"$U/\"",
	} {
		if program, diags := write(t, target, command); !strings.Contains(diags, "cannot-express") {
			t.Errorf("%s is written without a word:\n%s", command, program)
		}
	}
}
