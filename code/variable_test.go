package code_test

import (
	"slices"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/diag"
	"uncoil/internal/engine"
)

// TestVariables checks that a program reads variables where they stand in the
// content: in here-documents, and as the name of a file in a form, of which
// curl sends the last part of the path.
func TestVariables(t *testing.T) {
	const file = `curl http://h.test/ -F "f=@$F"`
	for _, c := range []struct{ command, target, want string }{
		{"curl http://h.test/ --json @- <<EOF\n{\"a\":\"$A\"}\nEOF", "python-requests", `os.environ["A"]`},
		{`curl http://h.test/ --json @- <<< "{\"a\":\"$A\"}"`, "go", `os.Getenv("A")`},
		{"curl http://h.test/ -F 'f=@-;filename=a.txt' <<EOF\nx $A\nEOF", "python-requests", `("f", ("a.txt", f"x {os.environ['A']}\n".encode(), "text/plain"))`},
		{"(echo \"a=$A\"; echo -n b='$B' \"$B\") | curl http://h.test/ --data-binary @-", "go", `"a=" + os.Getenv("A") + "\nb=$B " + os.Getenv("B")`},
		{file, "go", `form.CreateFormFile("f", filepath.Base(os.Getenv("F")))`},
		{`curl http://h.test/ -F "f=@$F;type=image/png"`, "go", "`form-data; name=\"f\"; filename=\"`+filepath.Base(os.Getenv(\"F\"))+`\"`"},
		{`curl http://h.test/ -F "f=@x;filename=$F.png"`, "go", "filename=\"`+os.Getenv(\"F\")+`.png\"`"},
		{`curl http://h.test/ -F "f=@x;filename=$F"`, "java", `System.getenv("F")`},
		{`curl http://h.test/ -F "f=x;type=$T"`, "python-requests", `os.environ["T"]`},
		{file, "python-requests", `os.path.basename(os.environ["F"])`},
		{`curl http://h.test/ -F "f=@/x/$F.txt"`, "javascript-fetch", "basename(`/x/${process.env.F}.txt`)"},
		{`curl http://h.test/ -F "f=@$F/x.txt"`, "javascript-fetch", `"x.txt")`},
		{file, "php", `basename(getenv('F'))`},
		{file, "php-guzzle", `'contents' => Utils::tryFopen(getenv('F'), 'r'),`},
		{file, "ruby", `File.basename(ENV.fetch('F'))`},
		{file, "rust", `Part::file(env::var("F")?)?.mime_str`},
		{file, "java-okhttp", `new File(System.getenv("F")).getName()`},
		{file, "csharp", `Path.GetFileName(Environment.GetEnvironmentVariable("F"))`},
		{file, "perl", `[$ENV{F}, undef, `},
		{file, "go-resty", `filepath.Base(os.Getenv("F"))`},
		{`curl http://h.test/ -F "f=@x;filename=$N.pdf"`, "c", `env("N")`},
		{`curl http://h.test/ -F "f=@x;type=$T"`, "cpp", `env("T")`},
		{`curl http://h.test/ -F "$N=v"`, "hurl", "{{N}}"},
		{`curl -X "$M" http://h.test/`, "go", ""},
		{`curl -X "$M" http://h.test/`, "curl-fish", `$M`},
		{`curl -H "$N: v" http://h.test/`, "python-requests", ""},
		{`curl -F "a=b;headers=\"X: $Q\"" http://h.test/`, "ruby", ""},
		{`curl -F "$N=v" http://h.test/`, "r", `Sys.getenv("N")`},
		{`curl "$U?a=https://h.test"`, "lua", `os.getenv("U")`},
		{"curl -H 'Host;' http://h.test/", "postman", ""},
		{"curl -H 'Content-Type;' -d a=b http://h.test/", "perl", "HTTP::Request->new"},
		{"curl -F 'a=@-;b' -F 'b=@x' http://h.test/ -F $'a=1\n@x;y=z'", "http", ""},
		{"curl -H 'X-A: 1' -H 'x-a: 2' http://h.test/", "http", "X-A: 1\nX-A: 2"},
		{"curl -u a:b%20c http://h.test/", "lua", `password = "b%2520c"`},
		{"curl -x http://%41:b@p.test:1 http://h.test/", "lua", ""},
		{"curl -H 'X-A: 1' -H 'x-a: 2' http://h.test/", "python-aiohttp", `[("X-A", "1"), ("X-A", "2")]`},
		{"curl -H 'Content-Type;' -d a=b http://h.test/", "go-resty", ""},
		{file, "java", `Path.of(System.getenv("F")).getFileName().toString()`},
		{file, "kotlin", `Paths.get(System.getenv("F")).getFileName().toString()`},
		{file, "python-http", `os.path.basename(os.environ["F"]).encode()`},
		{file, "node-http", "Buffer.from(basename(process.env.F))"},
		{file, "k6", `__ENV.F.split("/").pop()`},
		{file, "lua", `os.getenv("F"):match("[^/]*$")`},
		{file, "rust-ureq", `env::var("F")?.rsplit('/').next().unwrap_or_default().to_string().into_bytes()`},
		{file, "httpie", `"$(basename -- "$F")"`},
		{file, "wget", `"$(basename -- "$F")"`},
		{file, "clojure", `(.getName (java.io.File. (System/getenv "F")))`},
		{`curl http://h.test/ -F "f=@/x/$F.txt"`, "java", "getFileName().toString()),\n            BodyPublishers.ofString(\"\"\"\n                .txt\"\\r"},
		{`curl http://h.test/ -F "f=@x-$F"`, "java", ""}, // F may hold a slash
		{`curl http://h.test/ -F "f=@$F;filename=$N" -F "$P=v"`, "powershell", "filename=`\"$env:N`\""},
		{"curl 'http://h.test/?a=%zz'", "ruby-httparty", ""},
		{"curl 'http://h.test/a%%20b'", "ruby-faraday", ""},
		{"curl 'http://h.test/?a=100%'", "ruby-httparty", "100%"},
		{"curl 'http://h.test/?a=%zz'", "python-httpx", ""},
		{"curl 'http://h.test/?a=%zz&b=%20'", "httpie", ""},
		{"curl -X=POST http://h.test/", "lua", `"=POST"`},
		{"curl -H 'User-Agent;' http://h.test/", "wget", "--header='User-Agent: '"},
		{"curl --digest -u a:b -d x http://h.test/", "ruby-httparty", "# HTTParty sends the content also before"},
		{"curl -H '--odd: x' http://h.test/", "httpie", "http://h.test/ -- --odd:x"},
		{file, "powershell", "filename=`\"$((Split-Path -Leaf $env:F))`\""},
		{file, "hurl", ""},
		{"curl http://h.test/ -H \"X: ${A:-it's}\"", "python-requests", `{"X": os.environ.get("A", "it's")}`},
		{`curl http://h.test/ -H "X: $A[1]"`, "perl", `X => $ENV{A} . '[1]'`},
		{`curl http://h.test/ -H "X: a$A"`, "elixir", `"a#{System.fetch_env!("A")}"`},
		{"curl --location-trusted --digest -u a:b -b c=d http://h.test/", "python-httpx", `auth=httpx.DigestAuth("a", "b")`},
		{"curl --location-trusted --digest -u a:b -b c=d http://h.test/", "python-httpx", `secrets = {"Cookie": "c=d"}`},
		{`curl.exe "http://h.test/${env:A'B}" -H "X: $env:C"`, "ruby", `ENV.fetch('A\'B')`},
		{`curl.exe "http://h.test/${env:A'B}" -H "X: $env:C"`, "perl", `$ENV{'A\'B'}`},
	} {
		checkProgram(t, c.command, c.target, c.want)
	}
}

// checkProgram checks that the program for a command has a text, or that the
// target refuses the command where there is none.
func checkProgram(t *testing.T, command, target, want string) {
	t.Helper()
	r, err := engine.Parse(command, engine.Input{})
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	to, _ := code.Lookup(target)
	program, diags := to.Compose(nil, r.Requests, exactly)
	if want == "" && diags.Err() == nil || want != "" && (diags.Err() != nil || !strings.Contains(string(program), want)) {
		t.Errorf("%s for %s lacks %s: %v\n%s", target, command, want, diags.Err(), program)
	}
}

// TestExchange checks what shapes the exchange beside the request.
func TestExchange(t *testing.T) {
	for _, c := range []struct{ command, target, want, not string }{
		{"curl -x http://p.test:1 --noproxy h.test http://h.test/", "python-requests", `proxies={"no_proxy": "*"}`, "p.test"},
		{"curl -L -x http://p.test:1 --noproxy h.test http://h.test/", "perl", "p.test:1", `""`},
		{"curl --http2 http://h.test/", "go", "// --http2 is left out: net/http does not ask for HTTP/2 over plain HTTP", "Connection"},
		{"curl --http2 http://h.test/", "node-got", "// --http2 is left out", "https"},
		{"curl --http2 https://h.test/", "go", "http.NewRequest", "left out"},
		{"curl --http2 http://h.test/", "php", "CURL_HTTP_VERSION_2,", "left out"},
		{"curl -k https://h.test/ -F a=b", "javascript-fetch", `import { Agent, fetch, FormData } from "undici"; // npm install undici`, "openAsBlob"},
		{"curl -k https://h.test/ --next https://h.test/ -F a=b", "javascript-fetch", `import { Agent, fetch, FormData } from "undici";`, "openAsBlob"},
		{"curl -k https://h.test/ --next -x http://p.test http://h.test/", "javascript-fetch", `import { Agent, fetch, ProxyAgent } from "undici";`, "FormData"},
		{"curl -x http://u:@p.test:1 http://h.test/", "javascript-fetch", "token: `Basic ${Buffer.from(\"u:\").toString(\"base64\")}`", "u:@"},
		{`curl -m "$T" http://h.test/`, "go", "// -m is left out: net/http takes no variable there", "$T"},
		{`curl --resolve "h.test:80:$IP" http://h.test/`, "php", "// --resolve is left out", "RESOLVE"},
		{`curl --resolve h.test:80:1.2.3.4 -m 5 http://h.test/ -d "$A"`, "php", "CURLOPT_RESOLVE", "left out"},
		{"curl --compressed -H 'Accept-Encoding: br' http://h.test/", "php-guzzle", "'Accept-Encoding' => 'br'", "decode_content"},
		{"curl --tr-encoding -H Connection: http://h.test/", "python-requests", `"Connection": "TE"`, "None"},
	} {
		target, _ := code.Lookup(c.target)
		program, _ := write(t, target, c.command)
		if !strings.Contains(program, c.want) || strings.Contains(program, c.not) {
			t.Errorf("%s for %s lacks %s or has %s:\n%s", c.target, c.command, c.want, c.not, program)
		}
	}
}

// TestGuesses checks that a program says so where it sends another type than curl
// may: curl guesses by the extension, which a variable holds.
func TestGuesses(t *testing.T) {
	for command, warns := range map[string]bool{
		`curl http://h.test/ -F "f=@$F"`:                               true,
		`curl http://h.test/ -F "f=<$F"`:                               true,
		`curl http://h.test/ -F "f=@$D/${X}z"`:                         true,
		`curl http://h.test/ -F "f=@x;filename=$N"`:                    true,
		`curl http://h.test/ -F "f=@$F;filename=x"`:                    true,
		`curl http://h.test/ -F "f=x;filename=$N"`:                     true,
		`curl http://h.test/ -F "f=@-;filename=$N" <<< "x"`:            true,
		`curl http://h.test/ -F "f=@$F;filename=x.png"`:                false,
		`curl http://h.test/ -F "f=@$F.tar"`:                           false,
		`curl http://h.test/ -F "f=@$D/x"`:                             false,
		`curl http://h.test/ -F "f=@$F;type=image/png"`:                false,
		`curl http://h.test/ -F "f=@$F;headers=\"Content-Type: a/b\""`: false,
		`curl http://h.test/ -F "f=$F"`:                                false,
		`curl http://h.test/ -F "$N=@x"`:                               false,
	} {
		for _, name := range []string{"python-requests", "java", "php", "curl", "cpp", "r"} {
			target, _ := code.Lookup(name)
			program, diags := write(t, target, command)
			guesses := name == "curl" || name == "cpp" || name == "r" && strings.Contains(program, "req_body_multipart")
			if got := strings.Contains(program, "curl guesses the type of a part of -F by the name of its file") && diags == "cannot-express \n"; got != (warns && !guesses) {
				t.Errorf("%s for %s: %q\n%s", name, command, diags, program)
			}
		}
	}
	cpp, _ := code.Lookup("cpp")
	if program, _ := write(t, cpp, `curl http://h.test/ -F "f=@$F" -F "g=@$F;type=a/b" -F h=@x.png`); strings.Count(program, "curl_mime_type") != 2 {
		t.Errorf("the types are not those that libcurl does not guess:\n%s", program)
	}
}

// TestNames checks that variables whose names are no identifiers are looked up as
// such, or refused, and that a placeholder of a number is no syntax of the
// language.
func TestNames(t *testing.T) {
	for _, c := range []struct{ command, target, want string }{
		{"curl http://h.test/$1/${10}x", "node-axios", "`http://h.test/${process.env[\"1\"]}/${process.env[\"10\"]}x`"},
		{"curl http://h.test/$1", "k6", `__ENV["1"]`},
		{"curl http://h.test/$1/${10}x", "curl", `"http://h.test/$1/${10}x"`},
		{"curl http://h.test/$1", "wget", `"http://h.test/$1"`},
		{"curl http://h.test/$1", "curl-fish", `"$argv[1]"`},
		{"curl http://h.test/$1", "curl-batch", `/%1^"`},
		{"curl http://h.test/$1", "terraform", ""},
		{"curl http://h.test/$1", "github-actions", ""},
		{`iwr "http://h.test/${c d}"`, "node-axios", `process.env["c d"]`},
		{`iwr "http://h.test/${c d}"`, "curl", `"http://h.test/$(printenv 'c d')"`},
		{`iwr "http://h.test/${c d}"`, "curl-config", ""},
		{"curl http://<host>:<port>/", "ruby", "Net::HTTP.start('<host>', '<port>')"},
	} {
		checkProgram(t, c.command, c.target, c.want)
	}
}

// TestScheme checks that the module of Node fits a URL whose scheme only the
// variable knows.
func TestScheme(t *testing.T) {
	node, _ := code.Lookup("node-http")
	for command, want := range map[string]string{
		`curl "$U/a"`:              `(url.startsWith("https:") ? https : http).request(url)`,
		`curl "$S://h.test/a"`:     `(url.startsWith("https:") ? https : http).request(url)`,
		`curl "https://h.test/$A"`: "https.request(`",
		`curl -H 'Host;' h.test`:   "setHost: false",
		`curl -H 'Host:' h.test`:   "setHost: false",
	} {
		if program, diags := write(t, node, command); !strings.Contains(program, want) || diags != "" {
			t.Errorf("%s lacks %s (%q):\n%s", command, want, diags, program)
		}
	}
}

// TestWhole checks that a variable that may hold a user name and a password goes
// out as curl would split it.
func TestWhole(t *testing.T) {
	const command = `curl -u "$CRED" http://h.test/`
	for _, c := range []struct{ command, target, want string }{
		{command, "curl", `-u "$CRED"`},
		{`curl -u "$CRED:" http://h.test/`, "curl", `-u "$CRED:"`},
		{`curl -u "a$CRED" http://h.test/`, "curl", `-u "a$CRED"`},
		{command, "c", `CURLOPT_USERPWD, env("CRED")`},
		{command, "python-requests", `auth=(os.environ["CRED"].partition(":")[0], os.environ["CRED"].partition(":")[2])`},
		{command, "python-http", `base64.b64encode(os.environ["CRED"].encode())`},
		{command, "javascript-fetch", "`Basic ${Buffer.from(process.env.CRED).toString(\"base64\")}`"},
		{command, "go", `strings.SplitN(os.Getenv("CRED"), ":", 2)[1]`},
		{command, "wget", `--password="$(printf %s "$CRED" | cut -d: -f2-)"`},
		{`curl --digest -u "$CRED" http://h.test/`, "python-requests", `os.environ["CRED"].partition(":")[2]),`},
		{`curl -x http://p.test:1 -U "$CRED" http://h.test/`, "node-axios", `process.env.CRED.replace(/^[^:]*:?/, "")`},
		{`curl -x http://p.test:1 -U "${U:-me}:$P" http://h.test/`, "node-http", "${(process.env.U || \"me\")}:${process.env.P}"},
		{`curl -u "${U:-me}:$P" http://h.test/`, "httpie", `--auth="${U:-me}:$P"`},
		{`curl -u "a$CRED" http://h.test/`, "ruby", "# Net::HTTP does not split the variable of -u into a user name and a password"},
		{command, "hurl", ""},
		{command, "postman", ""},
	} {
		checkProgram(t, c.command, c.target, c.want)
	}
}

// TestRead checks that a program says so where curl reads the value of a variable,
// and that a command that is written again has it as it was.
func TestRead(t *testing.T) {
	for _, c := range []struct{ command, target, want string }{
		{`curl -z "$D" http://h.test/`, "go", "// net/http sends the variable of -z as it is, and not as a date; curl does not"},
		{`curl --data-urlencode "$X" http://h.test/`, "ruby", "# Net::HTTP encodes all that the variable of --data-urlencode holds, also a name before =; curl does not"},
		{`curl -G -d a=b --data-urlencode "$X" http://h.test/`, "ruby", "# Net::HTTP encodes all that the variable of --data-urlencode holds"},
		{`curl -T "$F" http://h.test/d/`, "php", "// curl sends the whole name of the file of -T in the URL"},
		{`curl --data-urlencode "$X" http://h.test/`, "curl", `--data-urlencode "$X"`},
		{`curl --data-urlencode "$K=$V" http://h.test/`, "curl", `--data-urlencode "$K=$V"`},
		{`curl -H "X-$K: $V" http://h.test/`, "curl", `-H "X-$K: $V"`},
		{`curl -H "$K: " -H "$L;" http://h.test/`, "curl", `-H "$L;"`},
		{`curl -F "$F" http://h.test/`, "curl", `-F "$F"`},
		{`curl -F "$F=x" http://h.test/`, "curl", `-F "$F=x"`},
		{`curl -C "$N" http://h.test/`, "curl", `-r "$N-"`},
		{`curl -C "$N" http://h.test/`, "go", `"Range", "bytes="+os.Getenv("N")+"-"`},
	} {
		checkProgram(t, c.command, c.target, c.want)
	}
	r, err := engine.Parse(`curl -F "$F" -F "$G=x" http://h.test/`, engine.Input{})
	if err != nil || !slices.ContainsFunc(r.Warnings, func(d diag.Diagnostic) bool { return d.Code == diag.WarnFormSyntax }) {
		t.Errorf("%v, %v: no warning of a form field that a variable holds", r.Warnings, err)
	}
}

// TestEncrypts checks that no option of TLS is lost where only a variable or a
// redirect leads to https: the program has it, or a comment.
func TestEncrypts(t *testing.T) {
	for _, url := range []string{`"$U/a"`, `"$S://h.test/a"`, "-L http://h.test/"} {
		for _, option := range []string{"-k", "--cacert c.pem", "--cert c.pem", "--tlsv1.3"} {
			for _, target := range code.Targets() {
				without, diags := write(t, target, "curl "+url)
				if target.CanAll() || target.Name == "jmeter" || // trusts every certificate
					strings.Contains(without, "-L is left out") || diags != "" && without == "" {
					continue
				}
				if program, diags := write(t, target, "curl "+option+" "+url); program == without && diags == "" {
					t.Errorf("%s loses %s for %s:\n%s", target.Name, option, url, program)
				}
			}
		}
	}
}

// TestHandlers checks what a program does by the scheme that it finds.
func TestHandlers(t *testing.T) {
	for _, c := range []struct{ command, target, want string }{
		{`curl -k "$U"`, "python-http", "    connection = http.client.HTTPConnection(url.netloc)\n"},
		{`curl -k "$U"`, "python-urllib", "HTTPHandler())\nopener.add_handler(urllib.request.HTTPSHandler(context=context))"},
		{`curl "$S://h.test/"`, "python-urllib", "HTTPSHandler())"},
		{`curl "$S://h.test/"`, "lua", `local client = address:find("^https:") and https or http`},
		{`curl -k "$U"`, "java-httpurlconnection", "instanceof HttpsURLConnection secure"},
		{`curl -k https://h.test/`, "java-httpurlconnection", "(HttpsURLConnection) url.openConnection()"},
		{`curl -d @- http://h.test/`, "elixir", ":io.setopts(:standard_io, encoding: :latin1)"},
		{`curl -u "$U:$P" http://h.test/`, "http", "# httpYac splits"},
	} {
		checkProgram(t, c.command, c.target, c.want)
	}
}

// TestSecrets checks that a step of a workflow has all variables of its script.
func TestSecrets(t *testing.T) {
	workflow, _ := code.Lookup("github-actions")
	for command, want := range map[string]string{
		`curl http://h.test/ -d "${A:-$B}${C:+${D}}"`:                         "A B C D",
		`curl http://h.test/ -d "$(date -d "$A" | awk '{print $B $1}')${#C}"`: "A C",
		`curl http://h.test/ -d "${A:-it's $B}$HOME$CI"`:                      "A B",
		"curl http://h.test/ -d \"`cat $A`\"":                                 "A",
	} {
		program, _ := write(t, workflow, command)
		var names []string
		for line := range strings.Lines(program) {
			if name, _, found := strings.Cut(line, ": ${{ secrets."); found {
				names = append(names, strings.TrimSpace(name))
			}
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s has %s, not %s:\n%s", command, got, want, program)
		}
	}
}

// TestComputed checks that no target takes the value of a variable for what the
// shell makes of it: the expression stays as it was typed, with a warning, or is
// refused.
func TestComputed(t *testing.T) {
	for _, expr := range []string{"${A^^}", "${A,}", "${A/x/y}", "${A:0:3}", "${A%.*}", "${A##*/}", "${A:+x}", "${A[0]}", "${#A}", "${A:-$B}", "${A:-$(date)}", "${!A}", "$-"} {
		r, err := engine.Parse(`curl http://h.test/ -d "`+expr+`"`, engine.Input{})
		if err != nil {
			t.Fatalf("%s: %v", expr, err)
		}
		for _, target := range code.Targets() {
			program, diags := target.Compose(nil, r.Requests, exactly)
			if target.CanAll() && diags.Err() == nil && strings.Contains(string(program), expr) {
				continue // the shell computes it again
			}
			if len(diags) == 0 {
				t.Errorf("%s for %s: no warning\n%s", target.Name, expr, program)
			}
		}
	}
}

// TestCommandOutput checks that what a command prints is a variable of the environment,
// with a warning, once.
func TestCommandOutput(t *testing.T) {
	python, _ := code.Lookup("python-requests")
	program, diags := write(t, python, `curl -H "X: $(date)" -d "$(date)" -d "$A" http://h.test/`)
	if strings.Count(program, "$(date)") != 0 || strings.Count(program, "os.environ['DATE']")+strings.Count(program, `os.environ["DATE"]`) != 2 || strings.Count(diags, "cannot-express") != 1 {
		t.Errorf("got %q\n%s", diags, program)
	}
	if again, diags := write(t, python, `curl -o "$(date).txt" -w "$(date)" http://h.test/`); diags != "cannot-express \ncannot-express -w\n" || !strings.Contains(again, `open(f"{os.environ['DATE']}.txt", "wb")`) {
		t.Errorf("got %q\n%s", diags, again)
	}
}

// TestLongNames checks that a name, a password or a value that is too long for a
// line is in the program as often as one that is short.
func TestLongNames(t *testing.T) {
	short, long := "zq", strings.Repeat("zq", 80)
	for _, format := range []string{
		"curl -u @:@ http://h.test/", "curl --digest -u @:@ http://h.test/", "curl -T /@ http://h.test/", "curl -F a=\\@/@ -F @=@ http://h.test/",
		"curl -o @ -b /@ -c @ http://h.test/", "curl --cert @ --key @ --cacert @ https://h.test/", "curl -x http://u:@\\@p.test:1 http://h.test/",
		"curl -d x\\@@ --data-urlencode a\\@@ http://h.test/", "curl -d \\@@ -d @=@ http://h.test/", "curl --data-binary \\@@ -H 'X: @' http://h.test/",
		"curl --unix-socket /@ -A @ http://h.test/@?@=@", "curl --oauth2-bearer @ -e @ -b @=@ http://h.test/", "curl -O http://h.test/@",
	} {
		command := func(name string) string {
			return strings.NewReplacer(`\\@`, "@", `\@`, "@", "@", name).Replace(format)
		}
		for _, target := range code.Targets() {
			if target.Kind != code.KindCode || target.Name == "python-locust" {
				continue // a task is named by a short word of the path
			}
			want, _ := write(t, target, command(short))
			got, _ := write(t, target, command(long))
			// A long literal is in parts, which stand on a line each or are added.
			if n := strings.Count(want, short); strings.Count(got, short) < n*80-4*n {
				t.Errorf("%s for %s has the name %d times, and the long one\n%s", target.Name, command(short), n, got)
			}
		}
	}
}

// TestLongForm checks that a form of more than 32 pairs compiles with Serde.
func TestLongForm(t *testing.T) {
	rust, _ := code.Lookup("rust")
	for n, end := range map[int]string{32: "\n        ])", 33: "\n        ][..])"} {
		if program, _ := write(t, rust, "curl http://h.test/ -d '"+strings.Repeat("a=0123456789&", n-1)+"b=c'"); !strings.Contains(program, end) {
			t.Errorf("%d pairs lack %q:\n%s", n, end, program)
		}
	}
}

// TestNoJSON checks that what only looks like JSON is sent as it is, and is no
// value of the language.
func TestNoJSON(t *testing.T) {
	for _, content := range []string{"[007]", "[-]", "[1.]", "[+1]", "[.5]", "[1,]", "[01,2]"} {
		for _, target := range code.Targets() {
			program, diags := write(t, target, "curl http://h.test/ --json '"+content+"'")
			if !strings.Contains(diags, "cannot-express") && !strings.Contains(program, content) {
				t.Errorf("%s for %s:\n%s", target.Name, content, program)
			}
		}
	}
}
