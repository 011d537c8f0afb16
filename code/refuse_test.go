package code_test

import (
	"slices"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/diag"
	"uncoil/internal/engine"
)

// TestRefuses checks that no target leaves out in silence what makes the
// request another one.
func TestRefuses(t *testing.T) {
	libcurl := []string{"c", "cpp", "php"}
	dotnet := []string{"csharp", "csharp-restsharp", "powershell", "powershell-restmethod"}
	for _, c := range []struct {
		command string
		can     []string // the targets that can send it
	}{
		{"curl --ntlm -u a:b http://h.test/", slices.Concat([]string{"bruno", "hurl", "insomnia", "postman", "python-pycurl", "r-rcurl"}, dotnet, libcurl)},
		{"curl --negotiate -u : http://h.test/", slices.Concat([]string{"hurl", "python-pycurl", "r-rcurl"}, dotnet, libcurl)},
		{"curl --anyauth -u a:b http://h.test/", append([]string{"python-pycurl", "r-rcurl"}, libcurl...)},
		{"curl --aws-sigv4 aws:amz -u a:b http://h.test/", append([]string{"bruno", "hurl", "insomnia", "postman"}, libcurl...)},
		{"curl -F 'a=@b;encoder=base64' http://h.test/", []string{"c", "cpp", "openapi"}},
		{"curl -F a=b -H \"Content-Type: $TYPE\" http://h.test/", append([]string{"hurl", "openapi", "python-pycurl", "r-rcurl"}, libcurl...)},
		{"curl -H @fields.txt http://h.test/", nil},
	} {
		r, err := engine.Parse(c.command, engine.Input{})
		if err != nil {
			t.Fatalf("%s: %v", c.command, err)
		}
		for _, target := range code.Targets() {
			if target.CanAll() {
				continue // curl itself can do all that
			}
			program, diags := target.Compose(nil, r.Requests, exactly)
			d := diags.Err()
			if d != nil && d.Code != diag.CodeCannotExpress || (d == nil) != slices.Contains(c.can, target.Name) {
				t.Errorf("%s answers %v for %s:\n%s", target.Name, d, c.command, program)
			}
		}
	}
}

// TestCarriageReturn checks that only curl itself is told to send a field with a carriage
// return within its value, as curl 8.22 does.
func TestCarriageReturn(t *testing.T) {
	for _, target := range code.Targets() {
		program, diags := write(t, target, "curl http://h.test/ -H $'X-A: b\\rc'")
		refused := program == "" && strings.HasPrefix(diags, "cannot-express")
		isCurl := strings.HasPrefix(target.Name, "curl") || strings.Contains(program, "curl http")
		if !refused && !isCurl || refused && target.Name == "curl" {
			t.Errorf("%s: %q\n%s", target.Name, diags, program)
		}
	}
}

// TestFormNUL checks that C sends all of a part that holds a NUL.
func TestFormNUL(t *testing.T) {
	r, err := engine.Parse(`printf 'a\0b' | curl http://h.test/ -F f=@-`, engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	target, _ := code.Lookup("c")
	program, diags := target.Compose(nil, r.Requests, exactly)
	if want := `curl_mime_data(part, "a\000b", 3);`; diags.Err() != nil || !strings.Contains(string(program), want) {
		t.Errorf("%v, want %s in\n%s", diags, want, program)
	}
}

// TestMissingCookies checks that a cookie file that was not supplied is read by
// the program, or refused, also where -b gives cookies as well.
func TestMissingCookies(t *testing.T) {
	for _, command := range []string{
		"curl -b jar.txt http://h.test/",
		"curl -b a=1 -b jar.txt http://h.test/",
		"curl -b jar.txt --cookie a=1 http://h.test/",
	} {
		r, err := engine.Parse(command, engine.Input{})
		if err != nil {
			t.Fatalf("%s: %v", command, err)
		}
		for _, target := range code.Targets() {
			program, diags := target.Compose(nil, r.Requests, exactly)
			if diags.Err() == nil && !strings.Contains(string(program), "jar.txt") {
				t.Errorf("%s leaves out the file of %s:\n%s", target.Name, command, program)
			}
		}
		supplied := engine.Input{Files: map[string][]byte{"jar.txt": []byte("h.test\tFALSE\t/\tFALSE\t0\tx\ty\n")}}
		r, err = engine.Parse(command, supplied)
		if err != nil {
			t.Fatalf("%s: %v", command, err)
		}
		for _, target := range code.Targets() {
			program, diags := target.Compose(nil, r.Requests, exactly)
			secret := strings.HasSuffix(target.Name, "-tool") && strings.Contains(string(program), `{"secret": "`)
			sends := secret || strings.Contains(string(program), "x=y") || strings.Contains(string(program), `"name": "x", "in": "cookie"`)
			if inPage(target) {
				continue // no page sets Cookie
			}
			if diags.Err() != nil || strings.Contains(string(program), "jar.txt") || !sends {
				t.Errorf("%s reads the file of %s, which was supplied: %v\n%s", target.Name, command, diags, program)
			}
		}
	}
}

// TestPlace checks that what a client lacks is shown at the option that asks
// for it.
func TestPlace(t *testing.T) {
	for _, c := range []struct{ command, target, place string }{
		{"curl http://h.test/ -L", "ocaml", "-L"},
		{"curl --no-location http://h.test/ --location", "ocaml", "--location"},
		{"curl http://h.test/ --resolve h.test:80:10.0.0.1 -s", "python-requests", "--resolve"},
		{"curl http://h.test/ --retry 1 -H 'Transfer-Encoding: chunked' -d a", "python-requests", "--retry"},
		{"curl http://h.test/ -L -H 'Transfer-Encoding: chunked' -d a", "python-requests", "-L"},
		{"curl http://h.test/ --location -T a.txt", "php", "--location"},
		{"curl http://h.test/ -L -H 'Content-Type: a/b' --data-binary a --data-binary @a.txt", "javascript-fetch", "-L"},
		{"curl http://h.test/ --max-time 3 -b jar", "go", "-b"},
	} {
		r, err := engine.Parse(c.command, engine.Input{})
		if err != nil {
			t.Fatal(c.command, err)
		}
		target, _ := code.Lookup(c.target)
		_, diags := target.Compose(nil, r.Requests, exactly)
		if len(diags) != 1 || c.command[diags[0].Span.Start:diags[0].Span.End] != c.place {
			t.Errorf("%s: %+v, want it at %s", c.command, diags, c.place)
		}
	}
}

// TestFormType checks that a form whose type the command names once more is the
// same program: curl adds its boundary to the field, as every client does to its
// own. A type with parameters is refused.
func TestFormType(t *testing.T) {
	const form = "curl -F a=b -F 'f=@x.txt' http://h.test/"
	write := func(target code.Target, command string) (string, bool) {
		r, err := engine.Parse(command, engine.Input{})
		if err != nil {
			t.Fatal(err)
		}
		program, diags := target.Compose(nil, r.Requests, exactly)
		return string(program), diags.Err() == nil
	}
	for _, target := range code.Targets() {
		if target.CanAll() {
			continue // it names the field as the command does
		}
		want, ok := write(target, form)
		got, okToo := write(target, form+" -H 'content-type: multipart/form-data'")
		if got != want || ok != okToo {
			t.Errorf("%s writes\n%s\nwant\n%s", target.Name, got, want)
		}
		if program, ok := write(target, form+" -H 'Content-Type: multipart/form-data; charset=utf-8'"); ok && !strings.Contains(program, "charset") {
			t.Errorf("%s leaves out the parameter of the type that the command names:\n%s", target.Name, program)
		}
	}
}

// TestLower checks that a program is written for another client of the platform
// where the client of the target would send another request, and that nothing
// else is.
func TestLower(t *testing.T) {
	for _, c := range []struct{ target, command, first string }{
		{"javascript-fetch", "curl http://h.test/ -X GET -d a=1", "// undici is used, because fetch sends no content with this method"},
		{"javascript-fetch", "curl http://h.test/ -H 'Connection: TE'", "// node:http is used, because fetch sets the field Connection itself"},
		{"javascript-fetch", "curl http://h.test/ -X post -d a=1", "// undici is used, because fetch does not send this method as it is"},
		{"javascript-fetch", "curl http://h.test/ -d a=1", `const response = await fetch("http://h.test/", {`},
		{"javascript-fetch", "curl --digest -u 'a\"b:c' http://h.test/", ""},
		{"java", "curl http://my_host.test/", "import java.net.InetAddress;"},
		{"java", "curl -L http://my_host.test/", "// HttpURLConnection is used, because HttpClient takes no such host"},
		{"java", "curl http://h.test/", "import java.net.URI;"},
	} {
		r, err := engine.Parse(c.command, engine.Input{})
		if err != nil {
			t.Fatalf("%s: %v", c.command, err)
		}
		target, _ := code.Lookup(c.target)
		program, diags := target.Compose(nil, r.Requests, exactly)
		if first, _, _ := strings.Cut(string(program), "\n"); first != c.first || (c.first == "") != (diags.Err() != nil) {
			t.Errorf("%s for %s begins with %q, want %q; %v", c.command, c.target, first, c.first, diags)
		}
	}
}

// TestRemovedAgent checks that -A ” is refused where the client always names
// itself.
func TestRemovedAgent(t *testing.T) {
	r, err := engine.Parse("curl -A '' http://h.test/", engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"java", "lua", "powershell"} {
		target, _ := code.Lookup(name)
		if program, diags := target.Compose(nil, r.Requests, exactly); diags.Err() == nil {
			t.Errorf("%s sends its User-Agent:\n%s", name, program)
		}
	}
}

// TestWebSocket checks that only curl, and formats that describe a request, have
// a URL that opens a WebSocket.
func TestWebSocket(t *testing.T) {
	r, err := engine.Parse("curl ws://h.test/socket", engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	describe := []string{"har", "mcp-tool", "openai-tool", "openapi", "wiremock"}
	for _, target := range code.Targets() {
		_, diags := target.Compose(nil, r.Requests, exactly)
		if can := target.CanAll() || slices.Contains(describe, target.Name); can != (diags.Err() == nil) {
			t.Errorf("%s: %v", target.Name, diags)
		}
	}
}

// TestHttpClientAddress checks that the program connects to another host than
// that of the URL, and names that in a field, where HttpClient does not take the
// host and where an option leads it elsewhere; and where it cannot.
func TestHttpClientAddress(t *testing.T) {
	target, _ := code.Lookup("java")
	const byAddress = `var address = InetAddress.getByName("my_host").getHostAddress();`
	for _, c := range []struct {
		command string
		want    []string // "" for an error or a warning
	}{
		{"curl http://my_host/a", []string{byAddress, `URI.create("http://" + address + "/a")`, `.header("Host", "my_host")`}},
		{"curl http://my_host", []string{byAddress, `URI.create("http://" + address))`}},
		{"curl http://my_host:80/", []string{byAddress, `"http://" + address + "/"`, `.header("Host", "my_host")`}},
		{"curl http://my_host:8080?q=$Q", []string{byAddress, `"http://" + address + ":8080?q=" + System.getenv("Q")`, `.header("Host", "my_host:8080")`}},
		{"curl http://my_host/ -H 'Host: h.test'", []string{byAddress, `.header("Host", "h.test")`}},
		{"curl http://h.test/a --resolve h.test:80:10.0.0.1", []string{`URI.create("http://10.0.0.1/a")`, `.header("Host", "h.test")`}},
		{"curl http://h.test/a --resolve 'h.test:80:[::1]'", []string{`URI.create("http://[::1]/a")`}},
		{"curl http://h.test:81/a --connect-to ::other.test:82", []string{`URI.create("http://other.test:82/a")`, `.header("Host", "h.test:81")`}},
		{"curl http://h.test/a --resolve i.test:80:10.0.0.1", []string{`URI.create("http://h.test/a")`}},
		{"curl https://h.test/a --resolve h.test:443:10.0.0.1", []string{"", `URI.create("https://h.test/a")`}},
		{"curl -L http://h.test/a --resolve h.test:80:10.0.0.1", []string{""}},
		{"curl -x http://proxy.test http://h.test/a --connect-to ::other.test:82", []string{""}},
		{"curl https://my_host/a", []string{""}},
	} {
		r, err := engine.Parse(c.command, engine.Input{})
		if err != nil {
			t.Fatalf("%s: %v", c.command, err)
		}
		program, diags := target.Compose(nil, r.Requests, exactly)
		if (c.want[0] == "") != (len(diags) > 0) {
			t.Errorf("%s: %v", c.command, diags)
		}
		for _, want := range c.want {
			if !strings.Contains(string(program), want) {
				t.Errorf("%s gives no %s:\n%s", c.command, want, program)
			}
		}
	}
}

// TestGoAddress checks that the program connects where --resolve and --connect-to
// say, for the host of the URL only, and warns where a proxy connects for it.
func TestGoAddress(t *testing.T) {
	target, _ := code.Lookup("go")
	for _, c := range []struct{ command, from, to string }{ // "" for a warning
		{"curl https://h.test/ --resolve h.test:443:10.0.0.1", "h.test:443", "10.0.0.1:443"},
		{"curl -L http://h.test:81/ --resolve 'h.test:81:[::1]'", "h.test:81", "[::1]:81"},
		{"curl 'http://[::1]/' --connect-to ::other.test:82 --connect-timeout 2", "[::1]:80", "other.test:82"},
		{"curl http://h.test/ --connect-to ::other.test:82 -x http://proxy.test", "", ""},
		{`curl "$U/" --connect-to ::other.test:82`, "", ""},
	} {
		r, err := engine.Parse(c.command, engine.Input{})
		if err != nil {
			t.Fatalf("%s: %v", c.command, err)
		}
		program, diags := target.Compose(nil, r.Requests, exactly)
		leads := strings.Contains(string(program), `if address == "`+c.from+`" {`) && strings.Contains(string(program), `address = "`+c.to+`"`)
		if (c.from == "") != (len(diags) == 1) || (c.from != "") != leads {
			t.Errorf("%s: %v\n%s", c.command, diags, program)
		}
	}
}

// TestControls holds that clients which end with an error at a control in a field are
// given none.
func TestControls(t *testing.T) {
	r, err := engine.Parse("curl -b $'a=x\\x01b' http://h.test/", engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"go", "go-resty", "javascript-fetch", "node-axios", "node-got", "node-http", "node-undici", "k6", "playwright", "postman", "rust", "rust-ureq"} {
		target, _ := code.Lookup(name)
		if program, diags := target.Compose(nil, r.Requests, exactly); diags.Err() == nil {
			t.Errorf("%s:\n%s", name, program)
		}
	}
	lua, _ := code.Lookup("lua")
	if _, diags := lua.Compose(nil, r.Requests, exactly); diags.Err() != nil {
		t.Error(diags)
	}
}

// TestRefusedHosts checks hosts that clients take for something else. The proof leads
// every name to its own address, so it shows none of these.
func TestRefusedHosts(t *testing.T) {
	for _, c := range []struct {
		command, target string
		refused         bool
	}{
		{"curl http://a.1214/", "javascript-fetch", true},
		{"curl http://a.1214/", "node-axios", true},
		{"curl http://a.1214./", "rust", true},
		{"curl http://1.2.3.256/", "node-http", true},
		{`curl "$S://a.1214/"`, "javascript-fetch", true},
		{`curl "http$S://a.1214/"`, "javascript-fetch", true},
		{"curl -x http://p.test:1 http://a.1214/", "node-http", false},
		{"curl -x http://p.test:1 http://a.1214/", "node-undici", true},
		{"curl http://1.2.3.4/", "javascript-fetch", false},
		{"curl http://1.2/", "javascript-fetch", false}, // curl writes 1.0.0.2 for it
		{"curl http://a.1b/", "javascript-fetch", false},
		{"curl http://a.1214/", "python-requests", false},
		{"curl -x http://p.test:1 http://127.0.0.1/", "elixir", true},
		{"curl -x http://p.test:1 http://localhost/", "elixir", false},
		{"curl http://127.0.0.1/", "elixir", false},
	} {
		r, err := engine.Parse(c.command, engine.Input{})
		if err != nil {
			t.Fatalf("%s: %v", c.command, err)
		}
		target, _ := code.Lookup(c.target)
		if _, diags := target.Compose(nil, r.Requests, exactly); (diags.Err() != nil) != c.refused {
			t.Errorf("%s: %s answers %v", c.command, c.target, diags.Err())
		}
	}
}
