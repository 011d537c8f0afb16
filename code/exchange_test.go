package code_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"uncoil/code"
	"uncoil/diag"
	"uncoil/internal/proof/codeproof"
	"uncoil/internal/proof/need"
)

// An exchanged is what a command or a program leaves beside the request.
type exchanged struct {
	exit   int
	fails  bool
	files  map[string]string
	stdout string
}

// exchange runs a command line in a folder with files, and returns what it leaves; a test
// that runs programs skips where their runtime is missing.
func exchange(t *testing.T, files map[string]string, argv ...string) exchanged {
	t.Helper()
	if argv[0] == "bash" {
		need.Program(t, "bash")
		need.Program(t, "curl")
	}
	return exchangeBy(t, &codeproof.Runtime{Command: argv}, files)
}

// exchangeBy is exchange by a runtime.
func exchangeBy(t *testing.T, r *codeproof.Runtime, files map[string]string) exchanged {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, r.Command[0], r.Command[1:]...)
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
	exit, err := r.End(ctx, cmd)
	if err != nil {
		t.Fatal(err)
	}
	if ctx.Err() != nil {
		t.Fatalf("%q takes too long", r.Command)
	}
	left := exchanged{fails: exit != 0, exit: exit, files: make(map[string]string), stdout: stdout.String()}
	t.Logf("exit code %d\n%s", exit, stderr.String())
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		content, _ := os.ReadFile(filepath.Join(dir, e.Name()))
		left.files[e.Name()] = string(content)
	}
	return left
}

// programs calls run for each runtime that is installed and that the flags of the proof
// want, with the program for command number i. Without -prove it takes one command in
// four for each target, and another one for the next.
func programs(t *testing.T, i int, command string, of *regexp.Regexp, run func(t *testing.T, r *codeproof.Runtime, program string)) {
	programsAs(t, i, command, code.StyleIdiomatic, of, run)
}

// programsAs is programs in a style.
func programsAs(t *testing.T, i int, command string, style code.Style, of *regexp.Regexp, run func(t *testing.T, r *codeproof.Runtime, program string)) {
	p := newProver(t)
	for k, r := range p.runtimes {
		if !of.MatchString(r.Target) || !*prove && (i+k)%4 > 0 {
			continue
		}
		t.Run(r.Name(), func(t *testing.T) {
			target, _ := code.Lookup(r.Target)
			program, diags := writeAs(t, target, command, code.Options{Style: style})
			if slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Code == diag.WarnCannotExpress }) {
				t.Skip(diags)
			}
			if !r.Runs(program) {
				t.Skip("it needs what is not installed")
			}
			run(t, r, program)
		})
	}
}

// TestKeptFile holds that with -f a program leaves the file of -o as it is where the
// response is an error, and writes it else, as curl does; it leaves no other file.
func TestKeptFile(t *testing.T) {
	parallel(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/404") {
			w.WriteHeader(http.StatusNotFound)
		}
		w.Write([]byte("content of " + r.URL.Path))
	}))
	defer server.Close()
	for i, c := range []struct {
		path   string
		before map[string]string
	}{{"/404", nil}, {"/404", map[string]string{"out.txt": "old"}}, {"/a", map[string]string{"out.txt": "old"}}, {"/a", nil}} {
		command := "curl -sf -o out.txt " + server.URL + c.path
		want := exchange(t, c.before, "bash", "-c", command)
		programs(t, i, command, regexp.MustCompile(""), func(t *testing.T, r *codeproof.Runtime, program string) {
			files := map[string]string{r.File: program}
			for name, content := range c.before {
				files[name] = content
			}
			got := exchangeBy(t, r, files)
			for name := range got.files {
				if strings.HasPrefix(name, "out.txt.") {
					t.Errorf("%s: leaves %s\n%s", command, name, program)
				}
			}
			_, kept := got.files["out.txt"]
			if _, wanted := want.files["out.txt"]; got.fails != want.fails || kept != wanted || got.files["out.txt"] != want.files["out.txt"] {
				t.Errorf("%s: fails %t and leaves %q, curl %t and %q\n%s", command, got.fails, got.files["out.txt"], want.fails, want.files["out.txt"], program)
			}
		})
	}
}

// TestErrorPage holds that the file of -o and -O has the content of an error, as curl's has.
func TestErrorPage(t *testing.T) {
	parallel(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusNotFound)
		w.Write([]byte("this is not here"))
	}))
	defer server.Close()
	for i, options := range []string{"-o out.txt", "-O"} {
		command := "curl -s " + options + " " + server.URL + "/gone.txt"
		want := exchange(t, nil, "bash", "-c", command)
		programs(t, i, command, regexp.MustCompile(""), func(t *testing.T, r *codeproof.Runtime, program string) {
			got := exchangeBy(t, r, map[string]string{r.File: program})
			for name, content := range want.files {
				if got.files[name] != content {
					t.Errorf("%s: leaves %q in %s, curl %q\n%s", command, got.files[name], name, content, program)
				}
			}
		})
	}
}

// TestCutShort holds that a program fails, as curl does, where the response ends before its
// length, and what has come is in the file of -o.
func TestCutShort(t *testing.T) {
	parallel(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "100000")
		w.Write(bytes.Repeat([]byte("0123456789"), 1000))
	}))
	defer server.Close()
	tells := regexp.MustCompile("^(c|csharp|cpp|go|java|javascript-fetch|node-[a-z]+|perl|php|php-guzzle|php-http-request2|python-(aiohttp|http|httpx|httpx-async|requests|urllib|urllib3)|ruby)$")
	for i, options := range []string{"", "-L ", "-f "} {
		command := "curl -s " + options + "-o out.txt " + server.URL + "/short"
		want := exchange(t, nil, "bash", "-c", command)
		programs(t, i, command, tells, func(t *testing.T, r *codeproof.Runtime, program string) {
			if got := exchangeBy(t, r, map[string]string{r.File: program}); got.fails != want.fails {
				t.Errorf("%s: fails %t, curl %t\n%s", command, got.fails, want.fails, program)
			}
		})
	}
	// What is printed has no such end in idiomatic style, where the client takes an early end for the end.
	command := "curl -s " + server.URL + "/short"
	programsAs(t, 0, command, code.StyleExact, tells, func(t *testing.T, r *codeproof.Runtime, program string) {
		if got := exchangeBy(t, r, map[string]string{r.File: program}); !got.fails {
			t.Errorf("%s: does not fail\n%s", command, program)
		}
	})
}

// TestSavedHead holds that the file of -o has the head of the response where it has one by
// curl, or a warning says that it has none.
func TestSavedHead(t *testing.T) {
	parallel(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Given", "some-value")
		w.Write([]byte("the content"))
	}))
	defer server.Close()
	for i, options := range []string{"-i", "-I"} {
		command := "curl -s " + options + " -o out.txt " + server.URL
		want := exchange(t, nil, "bash", "-c", command)
		programs(t, i, command, regexp.MustCompile(""), func(t *testing.T, r *codeproof.Runtime, program string) {
			got := exchangeBy(t, r, map[string]string{r.File: program})
			for _, word := range []string{"some-value", "the content"} {
				if strings.Contains(got.files["out.txt"], word) != strings.Contains(want.files["out.txt"], word) {
					t.Errorf("%s: leaves %q, curl %q\n%s", command, got.files["out.txt"], want.files["out.txt"], program)
				}
			}
		})
	}
}

// TestPrintedResponse holds that a program prints the status and the fields where the
// command does, and ends as the command does.
func TestPrintedResponse(t *testing.T) {
	parallel(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Given", "some-value")
		if strings.HasPrefix(r.URL.Path, "/404") {
			w.WriteHeader(http.StatusNotFound)
		}
		w.Write([]byte("the content"))
	}))
	defer server.Close()
	for i, c := range []struct {
		command string
		words   []string // that a program prints where curl does, one of which the status is
	}{
		{`curl -s -o /dev/null -w '%{http_code}\n' URL/200`, []string{"200", "the content"}},
		{`curl -s -o /dev/null -w '%{response_code}' URL/404`, []string{"404", "the content"}},
		{`curl -sf -o /dev/null -w '%{http_code}' URL/404`, []string{"404"}},
		{`curl -s -w '\nstatus: %{http_code}\n' URL/404`, []string{"status: 404", "the content"}},
		{`curl -s --fail-with-body URL/404`, []string{"the content"}},
		{`curl -si URL/404`, []string{"404", "some-value", "the content"}},
		{`curl -sfi URL/404`, []string{"404", "some-value", "the content"}},
		{`curl -sI URL/200`, []string{"200", "some-value", "the content"}},
		{`curl -s -D - -o /dev/null URL/200`, []string{"200", "some-value", "the content"}},
		{`curl -sL -D - -o out.txt URL/200`, []string{"200", "some-value", "the content"}},
	} {
		command := strings.Replace(c.command, "URL", server.URL, 1)
		want := exchange(t, nil, "bash", "-c", command)
		programs(t, i, command, exchangers, func(t *testing.T, r *codeproof.Runtime, program string) {
			got := exchangeBy(t, r, map[string]string{r.File: program})
			if got.fails != want.fails && !(got.fails && r.Target == "wget") { // it ends with 8 for each error
				t.Errorf("%s: fails %t, and curl %t\n%s", command, got.fails, want.fails, program)
			}
			for _, word := range c.words {
				if strings.Contains(want.stdout, word) != strings.Contains(got.stdout, word) {
					t.Errorf("%s: prints %q, and curl %q\n%s", command, got.stdout, want.stdout, program)
				}
			}
		})
	}
}

// TestFurtherTriesRun holds how often and how soon programs try again, as curl does: after
// statuses, where nobody listens yet, and no more after the time for all tries.
func TestFurtherTriesRun(t *testing.T) {
	parallel(t)
	var mu sync.Mutex
	var asked []time.Time
	serve := func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked = append(asked, time.Now())
		n := len(asked)
		mu.Unlock()
		if bad, _ := strconv.Atoi(r.URL.Query().Get("bad")); n <= bad {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		io.WriteString(w, "good\n")
	}
	for i, c := range []struct {
		options string
		bad     int           // answers that ask for another try
		late    time.Duration // when the server begins
		asks    int           // requests
		apart   time.Duration // at least, between two of them
		fails   bool
	}{
		{"--retry 3 --retry-delay 2", 1, 0, 2, 2 * time.Second, false},
		{"-f --retry 1 --retry-delay 1", 5, 0, 2, time.Second, true},
		{"-f --retry 9 --retry-delay 1 --retry-max-time 1", 9, 0, 2, time.Second, true},
		{"--retry 9 --retry-delay 1 --retry-connrefused", 1, 2 * time.Second, 2, time.Second, false},
		{"--retry 9 --retry-delay 1 --retry-all-errors", 1, 2 * time.Second, 2, time.Second, false},
		{"--retry 2 --retry-delay 1", 0, time.Hour, 0, 0, true},
	} {
		run := func(t *testing.T, exchange func(t *testing.T, url string) exchanged) {
			free, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			asked = nil
			server := &http.Server{Handler: http.HandlerFunc(serve)}
			defer server.Close()
			if c.late == 0 {
				go server.Serve(free)
			} else {
				free.Close()
				timer := time.AfterFunc(c.late, func() {
					if l, err := net.Listen("tcp", free.Addr().String()); err == nil {
						server.Serve(l)
					}
				})
				defer timer.Stop()
			}
			got := exchange(t, fmt.Sprintf("http://%s/?bad=%d", free.Addr(), c.bad))
			if got.fails != c.fails || len(asked) != c.asks {
				t.Errorf("%s: fails %t after %d requests", c.options, got.fails, len(asked))
			}
			for i := 1; i < len(asked); i++ {
				if apart := asked[i].Sub(asked[i-1]); apart < c.apart-100*time.Millisecond {
					t.Errorf("%s: %v between two requests", c.options, apart)
				}
			}
		}
		run(t, func(t *testing.T, url string) exchanged {
			return exchange(t, nil, "bash", "-c", "curl -s "+c.options+" '"+url+"'")
		})
		programs(t, i, "curl -s "+c.options+" 'http://127.0.0.1:1/?bad=0'", exchangers, func(t *testing.T, r *codeproof.Runtime, _ string) {
			run(t, func(t *testing.T, url string) exchanged {
				target, _ := code.Lookup(r.Target)
				program, _ := writeAs(t, target, "curl -s "+c.options+" '"+url+"'", code.Options{})
				t.Log(program)
				return exchangeBy(t, r, map[string]string{r.File: program})
			})
		})
	}
}

// inTwoPieces returns a server of event streams that sends the second of two events when goOn
// is closed. The first one of /large is large.
func inTwoPieces(t *testing.T, large string, goOn *chan struct{}) *httptest.Server {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		first := "data: first\n\n"
		if r.URL.Path == "/large" {
			first = large
		}
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, first)
		w.(http.Flusher).Flush()
		select {
		case <-*goOn:
		case <-r.Context().Done():
		case <-time.After(20 * time.Second):
		}
		io.WriteString(w, "data: last\n\n")
	}))
	t.Cleanup(server.Close)
	return server
}

// TestStreams holds that programs print what comes before the response ends, where the
// command has a sign that it comes in pieces, and write the file of -o as it comes.
func TestStreams(t *testing.T) {
	parallel(t)
	large := strings.Repeat("0123456789abcdef", 1<<18)
	var goOn chan struct{}
	server := inTwoPieces(t, large, &goOn)
	for i, options := range []string{"-N URL/a", "URL/a -H 'Accept: text/event-stream'", `URL/a --json '{"stream":true}'`, "URL/large -o out.txt"} {
		command := "curl -s " + strings.Replace(options, "URL", server.URL, 1)
		of := exchangers
		if !strings.Contains(options, "-o") {
			of = streamers
		}
		programs(t, i, command, of, func(t *testing.T, r *codeproof.Runtime, program string) {
			goOn = make(chan struct{})
			first, rest, out := streamed(t, r, program, strings.Contains(options, "-o"), goOn)
			switch whole := large + "data: last\n\n"; {
			case first != "data: first":
				t.Errorf("%s: writes %q before the response ends\n%s", command, first, program)
			case strings.Contains(options, "-o") && out != whole:
				t.Errorf("%s: writes %d bytes of %d\n%s", command, len(out), len(whole), program)
			case !strings.Contains(options, "-o") && !slices.Contains(rest, "data: last"):
				t.Errorf("%s: prints %q at last\n%s", command, rest, program)
			}
		})
	}
}

// streamed runs a program, and returns the first line that it prints while the response
// goes on, or stands for what it writes to out.txt; after goOn is closed, the other lines,
// and what out.txt has.
func streamed(t *testing.T, r *codeproof.Runtime, program string, file bool, goOn chan struct{}) (first string, rest []string, out string) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.txt")
	if err := os.WriteFile(filepath.Join(dir, r.File), []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), r.Command[0], r.Command[1:]...)
	cmd.Dir = dir
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	came, lines := make(chan string, 1), bufio.NewScanner(stdout)
	go func() {
		for file {
			if info, err := os.Stat(path); err == nil && info.Size() > 0 {
				came <- "data: first"
				return
			}
			time.Sleep(10 * time.Millisecond)
			if t.Context().Err() != nil {
				return
			}
		}
		if lines.Scan() {
			came <- lines.Text()
		}
	}()
	select {
	case first = <-came:
	case <-time.After(time.Minute): // compilers take long beside other tests
	}
	close(goOn)
	for first != "" && lines.Scan() {
		rest = append(rest, lines.Text())
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, program)
	}
	content, _ := os.ReadFile(path)
	return first, rest, string(content)
}

// exchangers are those whose programs do all that is proven here, such as to write a
// response as it comes; the others warn of it (docs/targets.md).
var exchangers = regexp.MustCompile(`^(c|cpp|csharp|go|httpie|java|javascript-fetch|kotlin|node-(axios|got|http|undici)|php|php-guzzle|python-(aiohttp|http|httpx|httpx-async|requests|urllib)|ruby|wget)$`)

// streamers are exchangers and those that print a response as it comes.
var streamers = regexp.MustCompile(exchangers.String() + "|^(go-resty|rust|rust-reqwest-async)$")

// TestFurtherTries checks that options that say more of --retry are warned of at their
// places where --retry is given and they ask for something, and only there.
func TestFurtherTries(t *testing.T) {
	all := "--retry-connrefused --retry-all-errors --retry-delay 3 --retry-max-time 9"
	for command, want := range map[string][]string{
		"curl https://h.test/ --retry 2 " + all: {"--retry-connrefused", "--retry-all-errors", "--retry-delay", "--retry-max-time"},
		"curl https://h.test/ " + all:           nil,
		"curl https://h.test/ --retry 0 " + all: nil,
		"curl https://h.test/ --retry 2 --retry-delay 0 --retry-max-time 0 --no-retry-connrefused --no-retry-all-errors": nil,
	} {
		for name, want := range map[string][]string{"perl": want, "go": nil, "curl": nil} {
			target, _ := code.Lookup(name)
			program, diags := writeAs(t, target, command, code.Options{})
			var got []string
			for _, d := range diags {
				if d.Code != diag.WarnCannotExpress || !strings.HasPrefix(command[d.Span.Start:], d.Option) || !strings.Contains(program, "# "+d.Option+" is left out: ") {
					t.Errorf("%s: %+v\n%s", command, d, program)
				}
				got = append(got, d.Option)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s, %s: got %q, want %q", name, command, got, want)
			}
		}
	}
}
