package serve

import (
	"bufio"
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"uncoil/internal/edge/sandbox"
)

// A running service is a process of its own.
type running struct {
	cmd   *exec.Cmd
	url   string
	lines chan string // of the log
	seen  []string    // those before it listened, and since
	told  bool
}

// serveProcess starts the service and waits until it listens.
func serveProcess(t *testing.T, args ...string) *running {
	t.Helper()
	return servicePrepared(t, func(*exec.Cmd) {}, args...)
}

// servicePrepared is serveProcess with a change to the command before it is
// started.
func servicePrepared(t *testing.T, prepare func(*exec.Cmd), args ...string) *running {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be sent a signal here")
	}
	r := &running{lines: make(chan string, 1000)}
	r.cmd = exec.Command("uncoil", append([]string{"serve", "-addr", "127.0.0.1:0", "-log-format", "json"}, args...)...)
	prepare(r.cmd)
	stderr, err := r.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.cmd.Process.Kill(); _ = r.cmd.Wait() })
	go func() {
		defer close(r.lines)
		for log := bufio.NewScanner(stderr); log.Scan(); {
			r.lines <- log.Text()
		}
	}()
	r.url = "http://" + r.logged(t, `"msg":"listening","addr":"([^"]+)"`)
	return r
}

// logged waits for a line of the log and returns what the first group of the
// pattern matches.
func (r *running) logged(t *testing.T, pattern string) string {
	t.Helper()
	want := regexp.MustCompile(pattern)
	timeout := time.After(20 * time.Second)
	for {
		select {
		case line, ok := <-r.lines:
			if !ok {
				t.Fatalf("the log ends without %s", pattern)
			}
			r.seen = append(r.seen, line)
			if m := want.FindStringSubmatch(line); len(m) > 1 {
				return m[1]
			} else if m != nil {
				return line
			}
		case <-timeout:
			t.Fatalf("the log has no %s", pattern)
		}
	}
}

func (r *running) convert(t *testing.T, token string) int {
	t.Helper()
	request, err := http.NewRequest("POST", r.url+"/api/convert", strings.NewReader("curl https://example.com"))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "text/plain")
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return response.StatusCode
}

// Tokens are read again on SIGHUP, also where the sandbox is on: a new file
// in the place of the old one. A file elsewhere cannot be opened.
func TestTokensAreReadAgain(t *testing.T) {
	const first, second, outside = "first-token-0123456789", "second-token-0123456789", "outside-token-0123456789"
	dir := t.TempDir()
	folder := filepath.Join(dir, "tokens")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Mkdir(folder, 0o700))
	file := filepath.Join(folder, "tokens")
	write := func(name, text string) {
		t.Helper()
		must(os.WriteFile(name, []byte(text), 0o600))
	}
	write(file, first+"\n")
	r := serveProcess(t, "-token-file", file)
	expect := func(when, token string, status int) {
		t.Helper()
		if got := r.convert(t, token); got != status {
			t.Errorf("%s, %s gets %d, want %d", when, token, got, status)
		}
	}
	expect("at first", first, 200)
	expect("at first", second, 401)

	write(file+".new", first+"\n"+second+"\n")
	must(os.Rename(file+".new", file))
	r.hangUp(t)
	r.logged(t, `"msg":"tokens","count":2`)
	expect("with both", first, 200)
	expect("with both", second, 200)

	write(file, first+"\n"+second[:len(second)-5])
	r.hangUp(t)
	r.logged(t, `the tokens stay as they were.*in the middle of a line`)
	expect("while a file is written", second, 200)

	r.hangUpWhile(t, func(whole bool) { write(file, first+"\n"+map[bool]string{true: second + "\n"}[whole]) })
	expect("once a file is written", second, 200)

	must(os.Remove(file))
	must(syscall.Mkfifo(file, 0o600))
	r.hangUp(t)
	r.logged(t, `the tokens stay as they were.*no regular file`)
	expect("after a pipe", second, 200)
	must(os.Remove(file))

	write(file, "short\n")
	r.hangUp(t)
	r.logged(t, `the tokens stay as they were`)
	expect("after a bad file", second, 200)

	write(filepath.Join(dir, "outside"), outside)
	must(os.Remove(file))
	must(os.Symlink(filepath.Join(dir, "outside"), file))
	r.hangUp(t)
	if !strings.Contains(strings.Join(r.seen, ""), `"msg":"sandbox","landlock"`) {
		t.Skip("this kernel has no Landlock: that a file elsewhere cannot be opened is not tried")
	}
	r.logged(t, `the tokens stay as they were.*permission denied`)
	expect("after a link", outside, 401)
	expect("after a link", second, 200)
}

// hangUpWhile hangs up while a file of two tokens is written: one that ends with a line may still
// be at its beginning. A busy machine may keep the writer from going on while the service waits
// for it, so there are several tries.
func (r *running) hangUpWhile(t *testing.T, write func(whole bool)) {
	t.Helper()
	for range 20 {
		write(false)
		r.hangUp(t)
		time.Sleep(20 * time.Millisecond)
		write(true)
		if r.logged(t, `"msg":"tokens","count":(\d)|the tokens stay as they were`) == "2" {
			return
		}
	}
	t.Fatal("the service never waits for the rest of the file")
}

func (r *running) hangUp(t *testing.T) {
	t.Helper()
	if err := r.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
}

// The sandbox is on, and says so, or says why not; it can be left off.
func TestServeSandbox(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has the sandbox")
	}
	for _, mode := range []string{"on", "off"} {
		r := serveProcess(t, "-sandbox", mode)
		tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", r.cmd.Process.Pid))
		if err != nil || len(tasks) == 0 {
			t.Fatal("no threads", err)
		}
		for _, task := range tasks {
			status, err := os.ReadFile(task)
			if err == nil && strings.Contains(string(status), "NoNewPrivs:\t1") != (mode == "on") {
				t.Errorf("-sandbox=%s: %s has %s", mode, task, regexp.MustCompile(`NoNewPrivs:\s.`).Find(status))
			}
		}
		if said := strings.Contains(strings.Join(r.seen, ""), "sandbox"); said != (mode == "on") {
			t.Errorf("-sandbox=%s: the log says %q", mode, r.seen)
		}
	}
}

// Where the kernel has no Landlock, the service warns and goes on.
func TestNoSandboxIsAWarning(t *testing.T) {
	var b bytes.Buffer
	log := slog.New(slog.NewTextHandler(&b, nil))
	for _, test := range []struct {
		state sandbox.State
		err   error
		want  string
	}{
		{sandbox.State{}, sandbox.ErrUnsupported, "level=WARN msg=\"no sandbox"},
		{sandbox.State{ABI: 1, Missing: "network"}, nil, "level=WARN msg=sandbox landlock=1 missing=network"},
		{sandbox.State{ABI: 7}, nil, "level=INFO msg=sandbox landlock=7"},
	} {
		b.Reset()
		tellSandbox(log, test.state, test.err)
		if !strings.Contains(b.String(), test.want) {
			t.Errorf("%+v, %v: %s", test.state, test.err, &b)
		}
	}
}

// A second signal ends the process at once, however long the first one takes.
func TestSecondSignal(t *testing.T) {
	r := serveProcess(t, "-drain", "1m")
	for range 2 {
		if err := r.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if r.cmd.ProcessState == nil {
			r.stopping(t)
		}
	}
	ended := make(chan error, 1)
	go func() { ended <- r.cmd.Wait() }()
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		t.Error("it goes on")
	}
}

// stopping waits for the log to say so, once.
func (r *running) stopping(t *testing.T) {
	t.Helper()
	if !r.told {
		r.logged(t, `"msg":"stopping"`)
		r.told = true
		time.Sleep(50 * time.Millisecond) // the signal's usual effect comes back
	}
}
