package code_test

import (
	"strings"
	"testing"

	"uncoil/code"
)

// bySources are clients that are known by their sources alone: what their programs say for
// what a command asks for, and the commands that they refuse or warn of.
var bySources = map[string]struct {
	writes map[string]string
	told   []string
}{
	"java-restclient": {
		writes: map[string]string{
			"curl https://h.test/a?b=c":                           `.uri("https://h.test/a?b=c")`,
			"curl https://h.test/a%20b":                           `.uri(URI.create("https://h.test/a%20b"))`,
			"curl https://h.test//a":                              `.uri(URI.create("https://h.test//a"))`,
			"curl -g https://h.test/{a}":                          `.uri(URI.create("https://h.test/%7Ba%7D"))`,
			"curl https://h.test/?a=1\\&b=2\\&a=3":                `.uri(URI.create("https://h.test/?a=1&b=2&a=3"))`,
			"curl \"https://h.test/$A\"":                          `.uri(URI.create("https://h.test/" + System.getenv("A")))`,
			"curl -X GET -d a https://h.test/":                    `client.method(HttpMethod.valueOf("GET"))`,
			"curl -T f https://h.test/":                           "var bytes = Files.readAllBytes(Path.of(\"f\"));",
			"curl -d é -H 'Content-Type: text/plain' https://h/":  `.body("é".getBytes(StandardCharsets.UTF_8))`,
			"curl --json é https://h.test/":                       `.body("é")`,
			"curl -u a:é https://h.test/":                         `headers.setBasicAuth("a", "é", StandardCharsets.UTF_8)`,
			"curl -u a:b https://h.test/":                         `headers.setBasicAuth("a", "b")`,
			"curl https://a%3ab:c@h.test/":                        `.header("Authorization", "Basic " + credentials)`,
			"curl -F f=@d/g.png https://h.test/":                  `form.add("f", new FileSystemResource("d/g.png"));`,
			"curl -F f=@g.zzz https://h.test/":                    `boundary=uncoil`,
			"curl -F f=@g.png -F a=b https://h.test/":             `boundary=uncoil`,
			"curl -m 3 https://h.test/":                           "factory.setReadTimeout(Duration.ofSeconds(3));",
			"curl -f https://h.test/":                             ".retrieve()\n            .body(String.class);",
			"curl https://h.test/":                                ".exchange((sent, response) -> response.bodyTo(String.class));",
			"curl -L https://h.test/":                             ".followRedirects(HttpClient.Redirect.ALWAYS)",
			"curl -H 'Host: i.test' https://h.test/":              `System.setProperty("jdk.httpclient.allowRestrictedHeaders", "host");`,
			"curl --connect-to ::i.test: http://h.test/":          `URI.create("http://i.test/")`,
			"curl -i https://h.test/":                             "System.out.println(response.getHeaders());",
			"curl -H Content-Type: -d a https://h.test/ -o f":     ".contentLength(bytes.length)\n            .body(out -> out.write(bytes))",
			"curl -d a -H 'Transfer-Encoding: chunked' https://h": `.header("Transfer-Encoding", "chunked")`,
			"curl -d a=b -H 'Content-Type: a/b;c' https://h.test": ".body(out -> out.write(bytes))",
		},
		told: []string{
			"curl --digest -u a:b https://h.test/", "curl -A '' https://h.test/", "curl -H 'A: é' https://h.test/", "curl --retry 3 https://h.test/", "curl -x socks5://p.test https://h.test/", "curl https://h_i.test/",
			"curl https://h.test/%", "curl -L -u a:b https://h.test/", "curl -d a -H 'Transfer-Encoding: gzip' https://h.test/", "curl -X CONNECT https://h.test/", "curl --cert c.pem https://h.test/",
			"curl --unix-socket s https://h.test/", "curl -c jar -L https://h.test/",
		},
	},
	"dart-dio": {
		writes: map[string]string{
			"curl --json '{\"a\": [1]}' https://h.test/":          "data: '{\"a\": [1]}',\n    options: Options(\n      contentType: Headers.jsonContentType,",
			"curl --json '{\"a\":[1]}' https://h.test/":           "data: {'a': [1]},\n    options: Options(\n      headers: {'Accept': 'application/json'},",
			"curl -d a=b https://h.test/":                         "data: {'a': 'b'},",
			"curl -d a=b -d a=c https://h.test/":                  "data: 'a=b&a=c',",
			"curl -d x -H Content-Type: https://h.test/":          "data: utf8.encode('x'),",
			"curl -T f https://h.test/":                           "data: await File('f').readAsBytes(),",
			"curl -d $'\\xff' https://h.test/":                    "data: Uint8List.fromList([255]),",
			"curl -F a=b -F f=@d/g.png https://h.test/":           "'f': await MultipartFile.fromFile('d/g.png', contentType: DioMediaType('image', 'png')),",
			"curl -F 'f=@g.png;filename=h' https://h.test/":       "filename: 'h'",
			"curl -F f=@g.png -F a=b https://h.test/":             "boundary=uncoil",
			"curl -X PURGE https://h.test/":                       "dio.request<String>(\n    'https://h.test/',\n    options: Options(method: 'PURGE',",
			"curl -o f https://h.test/":                           "await dio.download(\n    'https://h.test/',\n    'f',",
			"curl -f -o f https://h.test/":                        "validateStatus: (status) => status! < 400",
			"curl --fail-with-body https://h.test/":               "if (response.statusCode! >= 400) {",
			"curl https://h.test/":                                "validateStatus: (status) => true",
			"curl -k https://h.test/":                             "createHttpClient: () => HttpClient()..badCertificateCallback = (certificate, host, port) => true,",
			"curl --cert c.pem --key k.pem https://h.test/":       "createHttpClient: () => HttpClient(context: context),",
			"curl --connect-timeout 2 https://h.test/":            "connectTimeout: const Duration(seconds: 2)",
			"curl -m 2 https://h.test/":                           ").timeout(const Duration(seconds: 2));",
			"curl -L https://h.test/":                             "maxRedirects: 50",
			"curl -H 'A: b' https://h.test/":                      "preserveHeaderCase: true",
			"curl -i -w '%{http_code}' https://h.test/":           "print(response.headers);\n  print(response.data);\n  print(response.statusCode);",
			"curl -A '' https://h.test/":                          "HttpClient()..userAgent = null,",
			"curl -o d/f --create-dirs https://h.test/ -X DELETE": "options: Options(method: 'DELETE'",
		},
		told: []string{
			"curl -L -d a https://h.test/", "curl --path-as-is https://h.test/a/../b", "curl -X get https://h.test/", "curl --digest -u a:b https://h.test/", "curl --retry 2 https://h.test/", "curl -x socks5://p.test https://h.test/",
			"curl -b j https://h.test/", "curl -d @- https://h.test/", "curl --tlsv1.3 https://h.test/", "curl -k https://h.test/ --next https://h.test/",
		},
	},
	"java-rest-assured": {
		writes: map[string]string{
			"curl http://localhost/a":                         `.get("http://localhost:80/a")`,
			"curl http://localhost:1/a":                       `.get("http://localhost:1/a")`,
			"curl https://localhost/a":                        `.get("https://localhost/a")`,
			"curl https://h.test/a":                           `.get("https://h.test/a")`,
			"curl https://h.test/a%20b":                       ".urlEncodingEnabled(false)",
			"curl -g https://h.test/{a}":                      `.get("https://h.test/%7Ba%7D")`,
			"curl \"https://h.test/$A\"":                      ".urlEncodingEnabled(false)",
			"curl --json 1 https://h.test/":                   `.contentType(ContentType.JSON)`,
			"curl -d a=b https://h.test/":                     `.formParam("a", "b")`,
			"curl -d 'a=b c' https://h.test/":                 `.body("a=b c")`,
			"curl -d 'a=é' https://h.test/":                   `.encodeContentTypeAs("application/x-www-form-urlencoded", ContentType.TEXT)`,
			"curl -d 'a=%C3%A9' https://h.test/":              ".defaultContentCharset(StandardCharsets.UTF_8)",
			"curl -d é -H 'Content-Type: a/b' https://h.test": `.body("é".getBytes(StandardCharsets.UTF_8))`,
			"curl -u a:b https://h.test/":                     `.auth().preemptive().basic("a", "b")`,
			"curl -u a:é https://h.test/":                     `.header("Authorization", "Basic " + credentials)`,
			"curl --oauth2-bearer t https://h.test/":          `.auth().oauth2("t")`,
			"curl --digest -u a:b https://h.test/":            `.auth().digest("a", "b")`,
			"curl -F f=@d/g.png https://h.test/":              `.multiPart("f", new File("d/g.png"), "image/png")`,
			"curl -F f=@g.png -F a=b https://h.test/":         "boundary=uncoil",
			"curl -k https://h.test/":                         ".relaxedHTTPSValidation()",
			"curl -d a -H 'Content-Type: a/b' https://h.test": `.body("a".getBytes(StandardCharsets.UTF_8))`,
			"curl -m 2 --connect-timeout 1 https://h.test/":   ".setParam(\"http.connection.timeout\", 1000)\n            .setParam(\"http.socket.timeout\", 2000);",
			"curl -x p.test https://h.test/":                  `.proxy("p.test", 1080)`,
			"curl -L --max-redirs 3 https://h.test/":          ".redirects().max(3)",
			"curl -H 'Accept-Encoding: br' https://h.test/":   ".noContentDecoders()",
			"curl -X PURGE https://h.test/":                   `.request("PURGE", "https://h.test/")`,
		},
		told: []string{
			"curl -T f https://h.test/", "curl -A '' https://h.test/", "curl -H Accept: https://h.test/", "curl -X get https://h.test/", "curl -L -d a https://h.test/", "curl -L -u a:b https://h.test/", "curl https://h.test/%", "curl https://h.test/a//b", "curl -L -b '' https://h.test/",
			"curl https://h.test/?a=1\\&b=2\\&a=3", "curl -H 'A: é' https://h.test/", "curl --cacert c.pem https://h.test/", "curl --retry 2 https://h.test/", "curl -x socks5://p.test https://h.test/", "curl -x \"$P\" https://h.test/",
			"curl --tlsv1.3 https://h.test/", "curl --http2 https://h.test/", "curl https://h.9x/", "curl -x http://u:p@p.test https://h.test/", "curl -d a -H 'Transfer-Encoding: chunked' https://h.test/",
		},
	},
	"java-unirest": {
		writes: map[string]string{
			"curl https://h.test/ -m 2.5":                               ".requestTimeout(2500)",
			"curl http://h.test/":                                       ".version(HttpClient.Version.HTTP_1_1)\n",
			"curl https://h.test/":                                      ".requestCompression(false);",
			"curl -H 'Accept-Encoding: br' https://h.test/":             ".requestCompression(false);",
			"curl -k https://h.test/":                                   ".verifySsl(false)",
			"curl --cacert c.pem https://h.test/":                       ".sslContext(tls);",
			"curl --tlsv1.3 https://h.test/":                            `.protocols("TLSv1.3")`,
			"curl -x p.test https://h.test/":                            `.proxy("p.test", 1080)`,
			"curl -X GET -d a https://h.test/":                          `client.request("GET", "https://h.test/")`,
			"curl -F f=@d/g.png https://h.test/":                        `.field("f", new File("d/g.png"), "image/png")`,
			"curl -F f=@g.png -F a=b https://h.test/":                   "boundary=uncoil",
			"curl -F f=@g.png -F 'a=b;type=text/x' https://h.test/":     `.field("a", "b", "text/x")`,
			"curl -F 'a=b;type=text/x' https://h.test/":                 "boundary=uncoil",
			"curl -F f=@g.png --retry 2 https://h.test/":                "boundary=uncoil",
			"curl -o d/f --create-dirs https://h.test/":                 "Files.createDirectories(Path.of(\"d\"));",
			"curl -f -o f https://h.test/":                              "Files.write(Path.of(\"f\"), response.getBody());",
			"curl -u a:é https://h.test/":                               `.header("Authorization", "Basic " + credentials)`,
			"curl -b '' -L http://h.test/1\ncurl -b '' -L http://h/2":   "client2.config()",
			"curl -u a:b https://h.test/":                               `.basicAuth("a", "b")`,
			"curl --retry 3 https://h.test/":                            "response = request.asString();",
			"curl -d '' -H Content-Type: https://h.test/":               `client.post("https://h.test/").asString();`,
			"curl https://h.test/1 https://h.test/2":                    "var response2 = client.get(\"https://h.test/2\")",
			"curl --connect-to ::i.test: http://h.test/":                `client.get("http://i.test/")`,
			"curl -H 'Connection: x' https://h.test/ -H 'Host: i.test'": `System.setProperty("jdk.httpclient.allowRestrictedHeaders", "connection,host");`,
		},
		told: []string{
			"curl --digest -u a:b https://h.test/", "curl -T f https://h.test/", "curl -X get https://h.test/", "curl -A '' https://h.test/", "curl -L https://h.test/", "curl -H 'A: é' https://h.test/", "curl -b j https://h.test/",
			"curl -c j https://h.test/\ncurl -b j https://h.test/", "curl -x socks5://p.test https://h.test/", "curl -x \"$P\" https://h.test/", "curl --unix-socket s https://h.test/", "curl --cert c.pem https://h.test/",
		},
	},
	"kotlin-ktor": {
		writes: map[string]string{
			"curl http://h.test/ -m 2.5":                      "install(HttpTimeout) {\n            requestTimeoutMillis = 2500\n",
			"curl -L --max-redirs 3 http://h.test/":           "maxSendCount = 4\n",
			"curl -L --max-redirs -1 http://h.test/":          "maxSendCount = 2147483647\n",
			"curl http://h.test/":                             "requestTimeout = 0",
			"curl -f http://h.test/":                          "if (response.status.value >= 400) {",
			"curl -x p.test:8080 http://h.test/":              `proxy = ProxyBuilder.http("http://p.test:8080")`,
			"curl -H 'A: b' -H 'a: c' http://h.test/":         `header("A", "b, c")`,
			"curl --json '{}' http://h.test/":                 "contentType(ContentType.Application.Json)\n        setBody(\"{}\")",
			"curl -d a -H 'Content-Type: text/x' http://h/":   `setBody(ByteArrayContent("a".toByteArray(), ContentType.parse("text/x")))`,
			"curl -d a -H 'Content-Type: a/b;c' http://h/":    "header(\"Content-Type\", \"a/b;c\")\n        setBody(ByteArrayContent(\"a\".toByteArray()))",
			"curl -d a -H Content-Type: http://h.test/":       `setBody(ByteArrayContent("a".toByteArray()))`,
			"curl -X PURGE http://h.test/":                    "client.request(\"http://h.test/\") {\n        method = HttpMethod(\"PURGE\")",
			"curl --oauth2-bearer t http://h.test/":           `bearerAuth("t")`,
			"curl --cacert c.pem https://h.test/":             "trustManager = managers.trustManagers.first()",
			"curl --unix-socket /run/s http://h.test/":        `unixSocket("/run/s")`,
			"curl --compressed http://h.test/":                "install(ContentEncoding) {\n            gzip()\n            deflate()",
			"curl http://h.test/a?b=1\\&b=2\\&c=":             "/a?b=1&b=2&c=\"",
			"curl -F 'a=b' -F 'f=@d/g.png' http://h.test/":    "append(\"Content-Disposition\", \"filename=\\\"g.png\\\"\")",
			"curl -F 'a\"=b' http://h.test/":                  `name=\"a%22\"`,
			"curl --retry 3 http://h.test/":                   "retryIf(3) {",
			"curl -o d/f --create-dirs http://h.test/":        `File("d").mkdirs()`,
			"curl -x http://u:p@p.test:8080 http://h.test/":   `header("Proxy-Authorization", "Basic " + proxyCredentials)`,
			"curl -k https://h.test/1 -k https://h.test/2 -s": "client.get(\"https://h.test/2\")",
		},
		told: []string{
			"curl -k https://h.test/", "curl -L -d a http://h.test/", "curl -L --digest -u a:b http://h.test/", "curl -L -b a=b http://h.test/", "curl http://h.test/a?b=1\\&c=2\\&b=3",
			"curl http://h.test/a?b=1\\&B=2", "curl http://h.test/a?=1", "curl http://h.test/a?b\\&b=1", "curl http://h.test/%", "curl -H Accept: http://h.test/", "curl -A '' http://h.test/", "curl -H 'Content-Type: json' -d a http://h.test/",
			"curl -H 'Transfer-Encoding: chunked' -d a http://h.test/", "curl -x socks5://p.test http://h.test/", "curl -H $'A: \\xff' http://h.test/", "curl -X CONNECT http://h.test/",
			"curl -x http://u:p@p.test:8080 https://h.test/", "curl -H 'Upgrade: x' http://h.test/", "curl --tlsv1.3 https://h.test/", "curl --http2 https://h.test/",
			"curl -c j http://h.test/\ncurl -b j -b a=b http://h.test/",
		},
	},
}

// TestBySources checks what clients have functions for, and what they would send otherwise.
func TestBySources(t *testing.T) {
	for name, c := range bySources {
		t.Run(name, func(t *testing.T) {
			target, _ := code.Lookup(name)
			for command, want := range c.writes {
				if program, _ := write(t, target, command); !strings.Contains(program, want) {
					t.Errorf("%s has no %s:\n%s", command, want, program)
				}
			}
			for _, command := range c.told {
				if program, diags := write(t, target, command); !strings.Contains(diags, "cannot-express") {
					t.Errorf("%s is written without a word:\n%s", command, program)
				}
			}
		})
	}
}
