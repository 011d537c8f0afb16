package codeproof

import (
	"context"
	"errors"
	"os"
	"os/exec"
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
	// Terminal gives the program a terminal as its standard input, where a
	// command line would read a body from a pipe.
	Terminal bool

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

// python returns the runtime of programs for Python with a client.
func python(target, client string) *Runtime {
	return &Runtime{
		Target: target, File: "request.py", Command: []string{pythonWith(client), "request.py"},
		Version: []string{pythonWith(client), "-c", "import " + client + " as c, sys; print(getattr(c, '__version__', sys.version.split()[0]))"},
	}
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

// Runtimes returns the runtimes of all targets that can be proven here.
var Runtimes = sync.OnceValue(func() []*Runtime {
	return []*Runtime{
		{Target: "c", File: "request.c", Command: []string{"bash", "-c", "cc -Wall -Werror -o request request.c -lcurl && exec ./request"},
			Version: []string{"curl-config", "--version"}},
		{Target: "csharp", File: "Program.cs", Command: []string{"dotnet", "run", "Program.cs"}, Version: []string{"dotnet", "--version"}},
		{Target: "elixir", File: "request.exs", Command: []string{"elixir", "request.exs"}, Version: []string{"elixir", "--short-version"}},
		{Target: "go", File: "main.go", Command: []string{"go", "run", "main.go"}, Version: []string{"go", "env", "GOVERSION"}},
		{Target: "httpie", File: "request.sh", Command: []string{"bash", "request.sh"}, Version: []string{"http", "--version"}, Terminal: true},
		{Target: "java", File: "Main.java", Command: []string{"java", "-XX:TieredStopAtLevel=1", "Main.java"}, Version: []string{"java", "--version"}},
		{Target: "java-httpurlconnection", File: "Main.java", Command: []string{"java", "-XX:TieredStopAtLevel=1", "Main.java"}, Version: []string{"java", "--version"}},
		node("javascript-fetch", ""),
		node("node-axios", "axios"),
		node("node-got", "got"),
		node("node-http", ""),
		node("node-ky", "ky"),
		node("node-superagent", "superagent"),
		node("node-undici", "undici"),
		node("playwright", "playwright-core"),
		{Target: "lua", File: "request.lua", Command: []string{"lua5.3", "request.lua"},
			Version: []string{"lua5.3", "-e", `print(require("socket")._VERSION)`}},
		{Target: "perl", File: "request.pl", Command: []string{"perl", "request.pl"}, Version: []string{"perl", "-MLWP", "-e", "print LWP->VERSION"}},
		{Target: "php", File: "request.php", Command: []string{"php", "request.php"},
			Version: []string{"php", "-r", `echo PHP_VERSION, " ", curl_version()["version"];`}},
		python("python-aiohttp", "aiohttp"),
		python("python-http", "http.client"),
		python("python-httpx", "httpx"),
		python("python-requests", "requests"),
		python("python-urllib", "urllib.request"),
		{Target: "r-httr2", File: "request.R", Command: []string{"Rscript", "request.R"},
			Version: []string{"Rscript", "-e", `cat(as.character(packageVersion("httr2")))`}},
		{Target: "ruby", File: "request.rb", Command: []string{"ruby", "request.rb"}, Version: []string{"ruby", "-e", "print RUBY_VERSION"}},
		{Target: "wget", File: "request.sh", Command: []string{"bash", "request.sh"}, Version: []string{"wget", "--version"}, Terminal: true},
	}
})

// runtimeEnv are settings that keep runtimes from doing more than they are
// asked: looking for updates, writing caches into the directory of the run.
var runtimeEnv = sync.OnceValue(func() []string {
	env := []string{"PYTHONDONTWRITEBYTECODE=1", "HTTPIE_CONFIG_DIR=httpie", "DOTNET_CLI_TELEMETRY_OPTOUT=1"}
	if v := os.Getenv("UNCOIL_NODE_MODULES"); v != "" {
		env = append(env, "UNCOIL_NODE_MODULES="+v)
	}
	if out, err := exec.Command("go", "env", "GOCACHE", "GOPATH", "GOMODCACHE").Output(); err == nil {
		lines := strings.Split(string(out), "\n")
		env = append(env, "GOCACHE="+lines[0], "GOPATH="+lines[1], "GOMODCACHE="+lines[2])
	}
	return env
})

// Runs reports whether a program can be run: one for Node may need modules
// besides its client.
func (r *Runtime) Runs(program string) bool {
	return !strings.Contains(program, "// npm install") || os.Getenv("UNCOIL_NODE_MODULES") != ""
}

// argv returns the command that runs a program.
func (r *Runtime) argv() []string {
	if r.Terminal {
		return []string{"script", "-qec", strings.Join(r.Command, " "), "/dev/null"}
	}
	return r.Command
}

// Installed returns the version of the client, or an error that says what is
// missing.
func (r *Runtime) Installed() (version string, err error) {
	r.once.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, r.Version[0], r.Version[1:]...)
		cmd.Env = append(os.Environ(), runtimeEnv()...)
		out, err := cmd.Output()
		if r.Terminal && err == nil {
			_, err = exec.LookPath("script")
		}
		if err != nil {
			r.missing = errors.New(strings.Join(r.Version, " ") + ": " + err.Error())
			return
		}
		r.version, _, _ = strings.Cut(strings.TrimSpace(string(out)), "\n")
	})
	return r.version, r.missing
}
