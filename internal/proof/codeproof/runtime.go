package codeproof

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"time"
)

// A Runtime runs the programs of one target.
type Runtime struct {
	Target  string
	File    string   // the name of the program's file
	Command []string // that runs it
	Version []string // prints the version of the client; fails where the runtime or the client is missing

	once    sync.Once
	version string
	missing error
}

// node returns the runtime of programs for Node. NODE_PATH does not lead to ES
// modules, so the modules lie below the directory of the run.
func node(target, client string) *Runtime {
	r := &Runtime{Target: target, File: "request.mjs", Version: []string{"node", "--version"},
		Command: []string{"bash", "-c", `[ -z "$UNCOIL_NODE_MODULES" ] || ln -s "$UNCOIL_NODE_MODULES" node_modules; exec node request.mjs`}}
	if client != "" {
		r.Version = []string{"bash", "-c", `node -p "JSON.parse(fs.readFileSync('$UNCOIL_NODE_MODULES/` + client + `/package.json')).version"`}
	}
	return r
}

// browser returns the runtime of programs for a page: Chromium, in which the page has an
// input with the files of the folder and answers what it is asked from the environment. The
// policy for other origins is off, so that a server is asked for nothing else. library is a
// script of a module that the page loads first.
func browser(target, library string) *Runtime {
	const run = `import { chromium } from "playwright-core";
		import { readFileSync, readdirSync, statSync } from "node:fs";
		const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--disable-web-security", "--no-sandbox"] });
		const page = await browser.newPage();
		page.on("dialog", (asked) => asked.accept(process.env[asked.message()] ?? ""));
		page.on("console", (said) => console.log(said.text()));
		page.on("download", (file) => file.saveAs(file.suggestedFilename()));
		page.on("pageerror", (error) => { console.error(error); process.exit(1); });
		await page.setContent("<input type=file multiple>");
		await page.setInputFiles("input", readdirSync(".", { recursive: true }).filter((f) => !f.startsWith("node_modules") && statSync(f).isFile()));
		if (process.argv[1]) await page.addScriptTag({ path: "node_modules/" + process.argv[1] });
		await page.addScriptTag({ type: "module", content: readFileSync("request.mjs", "utf8") + "\n;globalThis.ended = true;" });
		await page.waitForFunction("globalThis.ended");
		await browser.close();`
	return &Runtime{Target: target, File: "request.mjs",
		Version: []string{"bash", "-c", `[ -d "$UNCOIL_NODE_MODULES/playwright-core" ] && [ -e "$UNCOIL_NODE_MODULES/` + library + `" ] && chromium --version`},
		Command: []string{"bash", "-c", `ln -s "$UNCOIL_NODE_MODULES" node_modules; exec node --input-type=module -e '` + run + `' ` + library}}
}

// bruno returns the runtime of Bruno's files. A name between braces may stand for
// itself; what a variable of that name holds must not be sent then.
func bruno() *Runtime {
	const bru = `node "$UNCOIL_NODE_MODULES/@usebruno/cli/bin/bru.js" `
	return shell("bruno", "request.bru", `echo '{"version":"1","name":"c","type":"collection"}' > bruno.json
		for name in $(grep -o '{{[A-Za-z0-9_]*}}' request.bru | tr -d '{}'); do set -- "$@" --env-var "$name=shadowed"; done
		exec `+bru+`run request.bru "$@"`, bru+"--version")
}

// newman returns the runtime of Postman collections: its environment gives the
// variables that have no value the one of the process. A name between braces may
// stand for itself; what the environment holds for it must not be sent then.
func newman() *Runtime {
	r := node("postman", "newman")
	r.File = "collection.json"
	r.Command = []string{"bash", "-c", `node -e '
		const text = fs.readFileSync("collection.json", "utf8"), own = JSON.parse(text).variable ?? [];
		const unset = own.filter((v) => v.value === "" && v.key in process.env).map((v) => ({key: v.key, value: process.env[v.key]}));
		const literal = [...text.matchAll(/{{([^{}"\\]*)}}/g)].filter(([, key]) => !own.some((v) => v.key === key && !v.value.includes("{{")));
		console.log(JSON.stringify({values: [...unset, ...literal.map(([, key]) => ({key, value: "shadowed"}))]}));
		' > environment.json && exec "$UNCOIL_NODE_MODULES/.bin/newman" run collection.json -e environment.json`}
	return r
}

// CSharp7 returns the runtime of programs for C# 7: the compiler of mono, which takes no
// asynchronous Main, and mono.
func CSharp7() *Runtime {
	return shell("csharp", "Program.cs", `echo 'class Entry { static void Main() { Program.Main().GetAwaiter().GetResult(); } }' > Entry.cs
		mcs -nowarn:28 -main:Entry -r:System.Net.Http.dll -r:System.Web.dll Program.cs Entry.cs && exec mono Program.exe`,
		`[ -e /usr/lib/mono/4.5/System.Web.dll ] && mcs --version >/dev/null && mono --version | grep -o 'version [0-9.]*'`)
}

// python returns the runtime of programs for Python with a client.
func python(target, client string) *Runtime {
	return &Runtime{
		Target: target, File: "request.py", Command: []string{pythonWith(client), "request.py"},
		Version: []string{pythonWith(client), "-c", "import " + client + " as c, sys; print(getattr(c, '__version__', sys.version.split()[0]))"},
	}
}

// locust runs the tasks of a user of Locust, once and in their order, with a session of
// requests that puts the host before a path as that of Locust does.
func locust() *Runtime {
	const run = `
import sys, types, requests
module, tasks = types.ModuleType("locust"), []
class Client(requests.Session):
    def request(self, method, url, **options):
        return super().request(method, url if "://" in url else self.host + url, **options)
class HttpUser:
    host = None
    def __init__(self):
        self.client = Client()
        self.client.host = self.host
module.HttpUser, module.task = HttpUser, lambda task: tasks.append(task) or task
sys.modules["locust"] = module
source = open("request.py").read()
names = {"__name__": "locustfile"}
exec(compile(source, "request.py", "exec"), names)
user = names["User"]()
for task in tasks:
    task(user)
`
	r := python("python-locust", "requests")
	r.Command = []string{pythonWith("requests"), "-c", run}
	return r
}

// pythonWith returns the Python that has a module: the one on PATH, or else
// the system's.
func pythonWith(module string) string {
	const own, system = "python3", "/usr/bin/python3"
	if exec.Command(own, "-c", "import "+module).Run() != nil {
		if _, err := os.Stat(system); err == nil {
			return system
		}
	}
	return own
}

// shell returns the runtime of programs that one command line of bash runs.
func shell(target, file, command, version string) *Runtime {
	return &Runtime{Target: target, File: file, Command: []string{"bash", "-c", command}, Version: []string{"bash", "-c", version}}
}

// composer returns the runtime of programs for PHP whose client is a package of
// Composer, in the folder that an expression of the shell gives.
func composer(target, folder, version string) *Runtime {
	return shell(target, "request.php",
		`mkdir vendor && echo "<?php require '`+folder+`/autoload.php';" > vendor/autoload.php && exec php request.php`, version)
}

// built returns the runtime of programs for Java whose client has a class in the class path
// of UNCOIL_CLASSPATH, to which somebody built it.
func built(target, class string) *Runtime {
	return shell(target, "Main.java", `java -XX:TieredStopAtLevel=1 -cp "$UNCOIL_CLASSPATH" Main.java`,
		`javap -cp "$UNCOIL_CLASSPATH" `+class+` >/dev/null && java --version`)
}

// rust returns the runtime of programs for Rust. The client and what it needs
// are compiled once, from the crates of Debian, and each program against them.
// beside are lines of Cargo.toml for others that programs name.
func rust(target, crate, features string, beside ...string) *Runtime {
	folder, externs := `"${TMPDIR:-/tmp}"/uncoil-`+target, ""
	for _, line := range beside {
		name, _, _ := strings.Cut(line, " ")
		externs += ` --extern ` + name + `="$(ls -t "$deps"/lib` + name + `-*.rlib | head -n 1)"`
	}
	return shell(target, "main.rs",
		`deps=`+folder+`/debug/deps; "$(cat `+folder+`/sysroot)"/bin/rustc --edition 2021 -D warnings -L "dependency=$deps" --extern `+crate+`="$(ls -t "$deps"/lib`+crate+`-*.rlib | head -n 1)"`+externs+` main.rs && exec ./main`,
		`mkdir -p `+folder+`/src && cd `+folder+` && touch src/lib.rs &&
		printf '[package]\nname = "proof"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\n%s = { version = "*", features = [%s] }\n%s\n' `+crate+` '`+features+`' '`+strings.Join(beside, "\n")+`' > Cargo.toml &&
		cargo build --quiet --offline --target-dir . --config 'source.crates-io.replace-with="debian"' --config 'source.debian.directory="/usr/share/cargo/registry"' >&2 &&
		rustc --print sysroot > sysroot &&
		grep -A 1 '^name = "`+crate+`"' Cargo.lock | tail -n 1 | cut -d '"' -f 2`)
}

// Runtimes returns the runtimes of all targets that can be proven here.
var Runtimes = sync.OnceValue(func() []*Runtime {
	const (
		jars        = "'/usr/share/java/*'"
		java        = "java -XX:TieredStopAtLevel=1 "
		javaVersion = "java --version"
		curlVersion = "curl --version"
		resty       = "github.com/go-resty/resty/v2@v2.17.2"
		serdeJSON   = `serde_json = "*"`
		variables   = "$(compgen -e | grep -v -e ^PATH$ -e ^HOME$)"
	)
	return []*Runtime{
		shell("ansible", "playbook.yml", "ansible-playbook -i localhost, -c local playbook.yml", "ansible-playbook --version"),
		browser("browser-fetch", ""),
		bruno(),
		shell("c", "request.c", "cc -Wall -Werror -o request request.c -lcurl && exec ./request", "curl-config --version"),
		shell("clojure", "request.clj", java+"-cp "+jars+" clojure.main request.clj", "ls /usr/share/java/clj-http.jar && "+javaVersion),
		shell("cpp", "request.cpp", "c++ -Wall -Werror -o request request.cpp -lcurl && exec ./request", "c++ --version >/dev/null && curl-config --version"),
		shell("crystal", "request.cr", "crystal run --no-color request.cr", "crystal --version"),
		shell("csharp", "Program.cs", "dotnet run Program.cs", "dotnet --version"),
		shell("curl", "request.sh", "bash request.sh", curlVersion),
		shell("curl-config", "request.conf", "curl -K request.conf", curlVersion),
		shell("curl-fish", "request.fish", "fish request.fish", "fish --version >/dev/null && "+curlVersion),
		shell("elixir", "request.exs", "elixir request.exs", "elixir --short-version"),
		shell("go", "main.go", "go run main.go", "go env GOVERSION"),
		shell("go-resty", "main.go", "export GOPROXY=off GOSUMDB=off GOFLAGS=-mod=mod; go mod init request && go get "+resty+" && exec go run main.go",
			`cd "$(mktemp -d)" && go mod init request && go get `+resty+` && go list -m -f {{.Version}} `+strings.TrimSuffix(resty, "@v2.17.2")),
		shell("groovy", "request.groovy", "groovy request.groovy", "groovy --version"),
		shell("haskell", "Main.hs", "runghc -Wall -Werror Main.hs", "ghc-pkg field http-client-tls version >/dev/null && ghc-pkg field http-client version --simple-output"),
		shell("http", "request.http", `node "$UNCOIL_NODE_MODULES/httpyac/bin/httpyac.js" send request.http --all --no-color`,
			`node "$UNCOIL_NODE_MODULES/httpyac/bin/httpyac.js" --version`),
		shell("hurl", "request.hurl", "for n in "+variables+`; do set -- "$@" --secret "$n=${!n}"; done; exec hurl --no-output "$@" request.hurl`, "hurl --version"),
		shell("httpie", "request.sh", "bash request.sh", "http --version"),
		shell("java", "Main.java", java+"Main.java", javaVersion),
		shell("java-apache", "Main.java", java+"-cp "+jars+" Main.java", "ls /usr/share/java/httpclient5.jar && "+javaVersion),
		shell("java-httpurlconnection", "Main.java", java+"Main.java", javaVersion),
		shell("java-okhttp", "Main.java", java+"-cp "+jars+" Main.java", "ls /usr/share/java/okhttp.jar && "+javaVersion),
		built("java-restclient", "org.springframework.web.client.RestClient"),
		built("java-unirest", "kong.unirest.core.Unirest"),
		node("javascript-fetch", ""),
		browser("javascript-jquery", "jquery/dist/jquery.min.js"),
		browser("javascript-xhr", ""),
		shell("jmeter", "plan.jmx", "for n in "+variables+`; do set -- "$@" "-J$n=${!n}"; done; exec jmeter -n -t plan.jmx -j jmeter.log "$@"`, "jmeter --version -j /dev/null"),
		shell("k6", "request.js", "k6 run --no-usage-report --quiet request.js", "k6 version"),
		shell("kotlin", "Main.kt", "kotlinc Main.kt -include-runtime -d main.jar 2>/dev/null && exec "+java+"-jar main.jar", "kotlinc -version"),
		shell("kotlin-okhttp", "Main.kt", "kotlinc -cp /usr/share/java/okhttp.jar:/usr/share/java/okio.jar Main.kt -d main.jar 2>/dev/null && exec "+java+"-cp main.jar:"+jars+" MainKt",
			"ls /usr/share/java/okhttp.jar && kotlinc -version"),
		shell("lua", "request.lua", "lua5.3 request.lua", `lua5.3 -e 'print(require("socket")._VERSION)'`),
		node("node-axios", "axios"),
		node("node-got", "got"),
		node("node-http", ""),
		node("node-ky", "ky"),
		node("node-ofetch", "ofetch"),
		node("node-superagent", "superagent"),
		node("node-undici", "undici"),
		shell("ocaml", "request.ml", "ocamlfind ocamlc -w +a-4-9-40-41-42-44-45-70 -thread -package cohttp-lwt-unix -linkpkg request.ml -o request && exec ./request",
			"ocamlfind query -format %v cohttp-lwt-unix"),
		shell("perl", "request.pl", "perl request.pl", "perl -MLWP -e 'print LWP->VERSION'"),
		shell("php", "request.php", "php request.php", `php -r 'echo PHP_VERSION, " ", curl_version()["version"];'`),
		composer("php-guzzle", "$COMPOSER_VENDOR_DIR", `php -r 'require getenv("COMPOSER_VENDOR_DIR") . "/autoload.php"; $v = GuzzleHttp\ClientInterface::MAJOR_VERSION; echo $v; exit($v < 8 ? 1 : 0);'`),
		composer("php-http-request2", "$COMPOSER_VENDOR_DIR", `php -r 'require getenv("COMPOSER_VENDOR_DIR") . "/autoload.php"; echo strtok((new HTTP_Request2())->getHeaders()["user-agent"], " ");'`),
		composer("php-symfony", "/usr/share/php/Symfony/Component/HttpClient", "dpkg-query --show --showformat '${Version}' php-symfony-http-client"),
		node("playwright", "playwright-core"),
		shell("playwright-test", "request.spec.mjs", `ln -s "$UNCOIL_NODE_MODULES" node_modules; exec node node_modules/@playwright/test/cli.js test --reporter=line --workers=1`,
			`node -p "JSON.parse(fs.readFileSync('$UNCOIL_NODE_MODULES/@playwright/test/package.json')).version"`),
		newman(),
		python("python-aiohttp", "aiohttp"),
		python("python-http", "http.client"),
		python("python-httpx", "httpx"),
		python("python-httpx-async", "httpx"),
		locust(),
		python("python-pycurl", "pycurl"),
		python("python-requests", "requests"),
		python("python-urllib", "urllib.request"),
		python("python-urllib3", "urllib3"),
		shell("r", "request.R", "Rscript request.R", `Rscript -e 'cat(as.character(packageVersion("httr2")))'`),
		shell("r-httr", "request.R", "Rscript request.R", `Rscript -e 'cat(as.character(packageVersion("httr")))'`),
		shell("r-rcurl", "request.R", "Rscript request.R", `Rscript -e 'cat(as.character(packageVersion("RCurl")))'`),
		shell("ruby", "request.rb", "ruby request.rb", "ruby -e 'print RUBY_VERSION'"),
		shell("ruby-faraday", "request.rb", "ruby request.rb", `ruby -e 'gem "faraday", "~> 2"; require "faraday"; print Faraday::VERSION'`),
		shell("ruby-httparty", "request.rb", "ruby request.rb", "ruby -rhttparty -e 'print HTTParty::VERSION'"),
		rust("rust", "reqwest", `"blocking", "json", "multipart"`, serdeJSON),
		rust("rust-reqwest-async", "reqwest", `"json", "multipart"`, serdeJSON, `tokio = { version = "*", features = ["macros", "rt-multi-thread", "time"] }`),
		rust("rust-ureq", "ureq", `"json"`, serdeJSON),
		shell("scala", "Main.scala", "scalac -d . Main.scala && exec "+java+"-cp .:/usr/share/java/scala-library.jar Main", "scala -version 2>&1"),
		shell("terraform", "main.tf", "for n in "+variables+`; do export "TF_VAR_$n=${!n}"; done; exec terraform plan -no-color -input=false -lock=false`,
			`[ -n "$TF_CLI_CONFIG_FILE" ] && terraform version`), // the file says where the provider is
		shell("typescript", "request.ts", `ln -s "$UNCOIL_NODE_MODULES" node_modules; node -e '
			const { ModuleKind, ScriptTarget, transpile } = require("typescript");
			const options = { module: ModuleKind.ESNext, target: ScriptTarget.ES2022 };
			fs.writeFileSync("request.mjs", transpile(fs.readFileSync("request.ts", "utf8"), options))' && exec node request.mjs`,
			`node -p "JSON.parse(fs.readFileSync('$UNCOIL_NODE_MODULES/typescript/package.json')).version"`),
		shell("wget", "request.sh", "bash request.sh", "wget --version"),
	}
})

// runtimeEnv are settings that keep runtimes from doing more than they are
// asked: looking for updates, writing caches into the directory of the run.
var runtimeEnv = sync.OnceValue(func() []string {
	env := []string{"PYTHONDONTWRITEBYTECODE=1", "DOTNET_CLI_TELEMETRY_OPTOUT=1"}
	for _, name := range []string{"UNCOIL_NODE_MODULES", "TF_CLI_CONFIG_FILE", "COMPOSER_VENDOR_DIR", "GEM_PATH", "UNCOIL_CLASSPATH"} {
		if v := os.Getenv(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	if out, err := exec.Command("go", "env", "GOCACHE", "GOPATH", "GOMODCACHE").Output(); err == nil {
		lines := strings.Split(string(out), "\n")
		env = append(env, "GOCACHE="+lines[0], "GOPATH="+lines[1], "GOMODCACHE="+lines[2])
	}
	return env
})

// withoutVariables matches the versions of curl whose -K knows no variables.
var withoutVariables = regexp.MustCompile(`^curl ([0-7]|8\.[0-2])\.`)

// beyondDebian matches the first line of programs for Rust that ask for what
// Debian's package of reqwest leaves out.
var beyondDebian = regexp.MustCompile(`^// Cargo.toml: reqwest .*"(gzip|socks)"`)

// Runs reports whether a program can be run: one for Node may need modules
// besides the runtime, one for curl -K a curl that has variables, and one for
// Rust features of a client.
func (r *Runtime) Runs(program string) bool {
	if beyondDebian.MatchString(program) {
		return false
	}
	if r.Target == "curl-config" && strings.Contains(program, "\nexpand-") {
		version, err := r.Installed()
		return err == nil && !withoutVariables.MatchString(version)
	}
	return !strings.Contains(program, `from "undici"`) || os.Getenv("UNCOIL_NODE_MODULES") != ""
}

// Installed returns the version of the client, or an error that says what is
// missing.
func (r *Runtime) Installed() (version string, err error) {
	r.once.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute) // clients for Rust are compiled
		defer cancel()
		cmd := exec.CommandContext(ctx, r.Version[0], r.Version[1:]...)
		cmd.Env = append(os.Environ(), runtimeEnv()...)
		out, err := cmd.Output()
		if err != nil {
			r.missing = errors.New(strings.Join(r.Version, " ") + ": " + err.Error())
			return
		}
		r.version, _, _ = strings.Cut(strings.TrimSpace(string(out)), "\n")
	})
	return r.version, r.missing
}

// Named returns the runtime for programs in a file of another name.
func (r *Runtime) Named(file string) *Runtime {
	named := &Runtime{Target: r.Target, File: file, Version: r.Version}
	for _, word := range r.Command {
		named.Command = append(named.Command, strings.ReplaceAll(word, r.File, file))
	}
	return named
}
