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
	Judged  bool     // whether tools/judges/install.sh installs the client, where it can be fetched
	Client  string   // tells one of several runtimes for a target, such as its oldest client
	File    string   // the name of the program's file
	Command []string // that runs it
	Version []string // prints the version of the client; fails where the runtime or the client is missing

	// compile makes what Command runs of the program's file in the folder of the run, if set.
	compile func(dir, file string) error
	// serve runs the program in the folder of a process of Command in its stead, if set: with
	// its environment, by another process that has run others.
	serve func(ctx context.Context, cmd *exec.Cmd) (code int, err error)

	once    sync.Once
	version string
	missing error
}

// Name returns the name of the target and, of one of several runtimes, that of its client.
func (r *Runtime) Name() string {
	if r.Client == "" {
		return r.Target
	}
	return r.Target + "@" + r.Client
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

// judgedPython returns the runtime of programs for Python with a client that is a judge.
func judgedPython(target, name, folder string) *Runtime {
	python := Judges("pypi", folder, "bin", "python")
	return &Runtime{Target: target, Client: name, Judged: true, File: "request.py", Command: []string{python, "request.py"}, Version: judgeVersion("pypi", folder)}
}

// locust has Locust run the user of a program once. Its tasks are taken in turn by a user that
// stops after the last one.
func locust() *Runtime {
	const run = `
import sys
import gevent.monkey
gevent.monkey.patch_all()
from locust.env import Environment
from locust.exception import StopUser
names = {"__name__": "locustfile"}
exec(compile(open("request.py").read(), "request.py", "exec"), names)
failed = []
environment = Environment(user_classes=[names["User"]], catch_exceptions=False)
environment.events.request.add_listener(lambda exception, **_: failed.append(exception) if exception else None)
user = names["User"](environment)
user.on_start()
for task in user.tasks:
    task(user)
`
	r := judgedPython("python-locust", "", "locust")
	r.Command = []string{r.Command[0], "-c", run}
	return r
}

// judgedTool returns the runtime of what a judge that is a program runs.
func judgedTool(target, name, file, command, registry, folder string) *Runtime {
	return &Runtime{Target: target, Client: name, Judged: true, File: file, Version: judgeVersion(registry, folder),
		Command: []string{"bash", "-c", `PATH="$UNCOIL_JUDGES/` + registry + "/" + folder + `/bin:$PATH"; ` + command}}
}

// judgedJMeter returns the runtime of test plans with JMeter, whose jars become the folders that
// it starts from; arguments is what sets those of its command.
func judgedJMeter(arguments string) *Runtime {
	const jars = `"$UNCOIL_JUDGES/maven/jmeter"`
	version := judgeVersion("maven", "jmeter")
	version[2] += ` && cd ` + jars + ` && { [ -d home/lib/ext ] || { mkdir -p home/lib/ext && cd home && jar xf ../ApacheJMeter_config-*.jar bin && ln -s "$PWD"/../*.jar lib && mv lib/ApacheJMeter_*.jar lib/ext; }; } >&2`
	return &Runtime{Target: "jmeter", Client: "newest", Judged: true, File: "plan.jmx", Version: version, Command: []string{"bash", "-c", arguments +
		`home=` + jars + `/home; exec java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Djmeter.home="$home" -cp "$home/bin:$(echo "$home"/lib/ApacheJMeter-*.jar)" org.apache.jmeter.NewDriver -n -t plan.jmx -j jmeter.log "$@"`}}
}

// judgeVersion returns what prints the version of a judge.
func judgeVersion(registry, folder string) []string {
	return []string{"bash", "-c", `[ -n "$UNCOIL_JUDGES" ] && version=$(head -n 1 "$UNCOIL_JUDGES/` + registry + "/" + folder + `/.version") && echo "${version##*[: ]}"`}
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

// rust returns the runtime of programs for Rust. The client and what it needs
// are compiled once, from the crates of Debian, and each program against them.
// beside are lines of Cargo.toml for others that programs name.
func rust(target, crate, features string, beside ...string) *Runtime {
	folder, crates := `"${TMPDIR:-/tmp}"/uncoil-`+target, []string{crate}
	for _, line := range beside {
		name, _, _ := strings.Cut(line, " ")
		crates = append(crates, name)
	}
	return shell(target, "main.rs", `of=`+folder+"\n"+rustc(crates...),
		`mkdir -p `+folder+`/src && cd `+folder+` && touch src/lib.rs &&
		printf '[package]\nname = "proof"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\n%s = { version = "*", features = [%s] }\n%s\n' `+crate+` '`+features+`' '`+strings.Join(beside, "\n")+`' > Cargo.toml &&
		cargo build --quiet --offline --target-dir . --config 'source.crates-io.replace-with="debian"' --config 'source.debian.directory="/usr/share/cargo/registry"' >&2 &&
		rustc --print sysroot > sysroot &&
		grep -A 1 '^name = "`+crate+`"' Cargo.lock | tail -n 1 | cut -d '"' -f 2`)
}

// rustc compiles a program against crates that are built in the folder $of, and runs it.
func rustc(crates ...string) string {
	externs := ""
	for _, crate := range crates {
		externs += ` --extern ` + crate + `="$(ls -t "$deps"/lib` + crate + `-*.rlib | head -n 1)"`
	}
	return `deps="$of/debug/deps"
		"$(cat "$of/sysroot")"/bin/rustc --edition 2021 -D warnings -L "dependency=$deps"` + externs + ` main.rs && exec ./main`
}

// judgedRust is rust with crates that are judges: those that a program's first line asks for
// with the feature gzip, which changes what the client sends, lie in another folder.
func judgedRust(target, name, folder string, crates ...string) *Runtime {
	return &Runtime{Target: target, Client: name, Judged: true, File: "main.rs", Version: judgeVersion("cargo", folder),
		Command: []string{"bash", "-c", `of="$UNCOIL_JUDGES/cargo/` + folder + `"; ! head -n 1 main.rs | grep -q '"gzip"' || of=$of-gzip
		` + rustc(crates...)}}
}

// Runtimes returns the runtimes of all targets that can be proven here.
var Runtimes = sync.OnceValue(func() []*Runtime {
	const (
		jars        = "'/usr/share/java/*'"
		java        = "java -XX:TieredStopAtLevel=1 "
		javaVersion = "java --version"
		curlVersion = "curl --version"
		resty       = "github.com/go-resty/resty/v2@v2.17.2"
		serdeJSON   = `serde_json = { version = "*", features = ["preserve_order"] }`
		variables   = "$(compgen -e | grep -v -e ^PATH$ -e ^HOME$)"
		hurl        = "for n in " + variables + `; do set -- "$@" --secret "$n=${!n}"; done; exec hurl --no-output "$@" request.hurl`
		k6          = "k6 run --no-usage-report --quiet request.js"
	)
	return []*Runtime{
		shell("ansible", "playbook.yml", "ansible-playbook -i localhost, -c local playbook.yml", "ansible-playbook --version"),
		judgedTool("ansible", "newest", "playbook.yml", "ansible-playbook -i localhost, -c local playbook.yml", "pypi", "ansible"),
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
		jvm("groovy", "", jvmProgram{"groovy", "request.groovy", "request"}, "groovy", "groovy"),
		jvm("groovy", "4", jvmProgram{"groovy", "request.groovy", "request"}, "groovy4", "groovy4"),
		shell("haskell", "Main.hs", "runghc -Wall -Werror Main.hs", "ghc-pkg field http-client-tls version >/dev/null && ghc-pkg field http-client version --simple-output"),
		shell("http", "request.http", `node "$UNCOIL_NODE_MODULES/httpyac/bin/httpyac.js" send request.http --all --no-color`,
			`node "$UNCOIL_NODE_MODULES/httpyac/bin/httpyac.js" --version`),
		shell("hurl", "request.hurl", hurl, "hurl --version"),
		judgedTool("hurl", "newest", "request.hurl", hurl, "cargo-program", "hurl"),
		judgedTool("hurl", "oldest", "request.hurl", hurl, "cargo-program", "hurl-oldest"),
		shell("httpie", "request.sh", "bash request.sh", "http --version"),
		judgedTool("httpie", "newest", "request.sh", "bash request.sh", "pypi", "httpie"),
		shell("java", "Main.java", java+"Main.java", javaVersion),
		jvm("java-apache", "", javaProgram, "javac", "apache"),
		jvm("java-apache", "oldest", javaProgram, "javac", "apache-oldest"),
		shell("java-httpurlconnection", "Main.java", java+"Main.java", javaVersion),
		jvm("java-okhttp", "", javaProgram, "javac", "okhttp5"),
		jvm("java-okhttp", "4", javaProgram, "javac", "okhttp4"),
		jvm("java-okhttp", "3", javaProgram, "javac", "okhttp3"),
		jvm("java-okhttp", "oldest", javaProgram, "javac", "okhttp3-oldest"),
		jvm("java-rest-assured", "", javaProgram, "javac", "rest-assured"),
		jvm("java-rest-assured", "oldest", javaProgram, "javac", "rest-assured-oldest"),
		jvm("java-restclient", "", javaProgram, "javac", "restclient"),
		jvm("java-restclient", "oldest", javaProgram, "javac", "restclient-oldest"),
		jvm("java-unirest", "", javaProgram, "javac", "unirest"),
		jvm("java-unirest", "oldest", javaProgram, "javac", "unirest-oldest"),
		node("javascript-fetch", ""),
		browser("javascript-jquery", "jquery/dist/jquery.min.js"),
		browser("javascript-xhr", ""),
		shell("jmeter", "plan.jmx", "for n in "+variables+`; do set -- "$@" "-J$n=${!n}"; done; exec jmeter -n -t plan.jmx -j jmeter.log "$@"`, "jmeter --version -j /dev/null"),
		judgedJMeter("for n in " + variables + `; do set -- "$@" "-J$n=${!n}"; done; `),
		shell("k6", "request.js", k6, "k6 version"),
		judgedTool("k6", "newest", "request.js", k6, "go-program", "k6"),
		judgedTool("k6", "oldest", "request.js", k6, "go-program", "k6-oldest"),
		jvm("kotlin", "", kotlinProgram, "kotlin", "kotlin"),
		jvm("kotlin-ktor", "", kotlinProgram, "kotlin", "ktor"),
		jvm("kotlin-ktor", "oldest", kotlinProgram, "kotlin", "ktor-oldest"),
		jvm("kotlin-okhttp", "", kotlinProgram, "kotlin", "okhttp3"),
		jvm("kotlin-okhttp", "oldest", kotlinProgram, "kotlin", "okhttp3-oldest"),
		jvm("kotlin-okhttp4", "", kotlinProgram, "kotlin", "okhttp5"),
		jvm("kotlin-okhttp4", "4", kotlinProgram, "kotlin", "okhttp4"),
		jvm("kotlin-okhttp4", "oldest", kotlinProgram, "kotlin", "okhttp4-oldest"),
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
		judgedPython("python-aiohttp", "newest", "aiohttp"),
		judgedPython("python-aiohttp", "oldest", "aiohttp-oldest"),
		python("python-http", "http.client"),
		python("python-httpx", "httpx"),
		judgedPython("python-httpx", "newest", "httpx"),
		judgedPython("python-httpx", "oldest", "httpx-oldest"),
		python("python-httpx-async", "httpx"),
		judgedPython("python-httpx-async", "newest", "httpx"),
		judgedPython("python-httpx-async", "oldest", "httpx-oldest"),
		locust(),
		python("python-pycurl", "pycurl"),
		python("python-requests", "requests"),
		judgedPython("python-requests", "newest", "requests"),
		judgedPython("python-requests", "oldest", "requests-oldest"),
		python("python-urllib", "urllib.request"),
		python("python-urllib3", "urllib3"),
		judgedPython("python-urllib3", "newest", "urllib3"),
		judgedPython("python-urllib3", "oldest", "urllib3-oldest"),
		shell("r", "request.R", "Rscript request.R", `Rscript -e 'cat(as.character(packageVersion("httr2")))'`),
		shell("r-httr", "request.R", "Rscript request.R", `Rscript -e 'cat(as.character(packageVersion("httr")))'`),
		shell("r-rcurl", "request.R", "Rscript request.R", `Rscript -e 'cat(as.character(packageVersion("RCurl")))'`),
		shell("ruby", "request.rb", "ruby request.rb", "ruby -e 'print RUBY_VERSION'"),
		shell("ruby-faraday", "request.rb", "ruby request.rb", `ruby -e 'gem "faraday", "~> 2"; require "faraday"; print Faraday::VERSION'`),
		shell("ruby-httparty", "request.rb", "ruby request.rb", "ruby -rhttparty -e 'print HTTParty::VERSION'"),
		rust("rust", "reqwest", `"blocking", "json", "multipart"`, serdeJSON),
		rust("rust-reqwest-async", "reqwest", `"json", "multipart"`, serdeJSON, `tokio = { version = "*", features = ["macros", "rt-multi-thread", "time"] }`),
		rust("rust-ureq", "ureq", `"json"`, serdeJSON),
		judgedRust("rust", "newest", "reqwest", "reqwest", "serde_json"),
		judgedRust("rust", "oldest", "reqwest-oldest", "reqwest", "serde_json"),
		judgedRust("rust-reqwest-async", "newest", "reqwest", "reqwest", "serde_json", "tokio"),
		judgedRust("rust-reqwest-async", "oldest", "reqwest-oldest", "reqwest", "serde_json", "tokio"),
		judgedRust("rust-ureq", "newest", "ureq", "ureq", "serde_json"),
		jvm("scala", "", jvmProgram{"scala3", "Main.scala", "Main"}, "scala3", "scala3"),
		jvm("scala", "2", jvmProgram{"scala2", "Main.scala", "Main"}, "scala2", "scala2"),
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
	for _, name := range []string{"UNCOIL_NODE_MODULES", "TF_CLI_CONFIG_FILE", "COMPOSER_VENDOR_DIR", "GEM_PATH", "UNCOIL_JUDGES"} {
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
	if r.Client != "newest" && beyondDebian.MatchString(program) {
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
	named := &Runtime{Target: r.Target, Client: r.Client, Judged: r.Judged, File: file, Version: r.Version, compile: r.compile, serve: r.serve}
	for _, word := range r.Command {
		named.Command = append(named.Command, strings.ReplaceAll(word, r.File, file))
	}
	return named
}
