package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// SIGHUP without tokens and SIGPIPE end nothing, whenever they come.
func TestSignalsThatEndNothing(t *testing.T) {
	r := serveProcess(t)
	for _, signal := range []os.Signal{syscall.SIGHUP, syscall.SIGPIPE, syscall.SIGHUP} {
		if err := r.cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
	}
	r.logged(t, `SIGHUP is ignored`)
	if code := r.convert(t, ""); code != 200 {
		t.Errorf("it answers %d", code)
	}
}

// A log that nobody reads, that has no reader any more, or that is on a full
// disk, keeps no client waiting.
func TestLogFaults(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("/dev/full is a Linux device")
	}
	const requests = 3000
	for _, fault := range []string{"stalls", "dies", "disk full"} {
		t.Run(fault, func(t *testing.T) {
			addr := freeAddress(t)
			cmd := exec.Command("uncoil", "serve", "-addr", addr, "-log-format", "json", "-log-requests", "all")
			switch fault {
			case "disk full":
				full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
				if err != nil {
					t.Skip(err)
				}
				defer full.Close()
				cmd.Stderr = full
				start(t, cmd)
			default:
				read, write, err := os.Pipe()
				if err != nil {
					t.Fatal(err)
				}
				defer read.Close()
				cmd.Stderr = write
				start(t, cmd)
				write.Close()
				if fault == "dies" {
					read.Close()
				}
			}
			url := "http://" + addr
			waitReady(t, url)
			began := time.Now()
			var group sync.WaitGroup
			for range 8 {
				group.Go(func() {
					for range requests / 8 {
						response, err := http.Post(url+"/api/convert", "text/plain", strings.NewReader("curl h"))
						if err != nil || response.StatusCode != 200 {
							t.Errorf("%v, %v", response, err)
							return
						}
						_, _ = io.Copy(io.Discard, response.Body)
						response.Body.Close()
					}
				})
			}
			group.Wait()
			t.Logf("%d requests in %v", requests, time.Since(began))
			if fault != "stalls" && !strings.Contains(fetch(t, url+"/metrics"), "\nuncoil_log_dropped_lines_total ") {
				t.Error("the metrics do not count the lines")
			}
			_ = cmd.Process.Signal(syscall.SIGTERM)
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			select {
			case err := <-ended:
				if err != nil {
					t.Error(err)
				}
			case <-time.After(20 * time.Second):
				t.Error("it does not stop")
			}
		})
	}
}

func start(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
}

// freeAddress returns an address that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func waitReady(t *testing.T, url string) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if response, err := http.Get(url + "/readyz"); err == nil {
			response.Body.Close()
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("it does not listen")
		}
	}
}

func fetch(t *testing.T, url string) string {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var b bytes.Buffer
	_, _ = b.ReadFrom(response.Body)
	return b.String()
}

// Clients that leave in the middle of a request or an answer cost nobody
// anything.
func TestClientsThatLeave(t *testing.T) {
	r := serveProcess(t)
	addr := strings.TrimPrefix(r.url, "http://")
	whole := "POST /api/parse HTTP/1.1\r\nHost: h\r\nContent-Length: 22\r\n\r\ncurl h/[1-1000] -d abc"
	for i := range 200 {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(c, whole[:len(whole)*(i+1)/200])
		if i%2 == 0 {
			_ = c.(*net.TCPConn).SetLinger(0) // a reset
		}
		c.Close()
	}
	if code := r.convert(t, ""); code != 200 {
		t.Errorf("after them it answers %d", code)
	}
	for deadline := time.Now().Add(20 * time.Second); !strings.Contains(fetch(t, r.url+"/metrics"), "\nuncoil_conversions_in_flight 0\n"); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("conversions go on for nobody")
		}
	}
}

// Thousands of refusals leave the log room for other lines: those that a client
// causes itself have none, and those of one code have ten a second and a count.
func TestRefusalsInLog(t *testing.T) {
	const requests = 3000
	for _, test := range []struct {
		name   string
		args   []string
		path   string
		status int
	}{
		{"a limit of the client", []string{"-max-client-batches", "1"}, "/api/batch", 429},
		{"a limit of all", []string{"-max-held", "1"}, "/api/convert", 503},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := serveProcess(t, append(test.args, "-log-clients", "-drain", "1ms")...)
			stalled := dialAs(t, r, fmt.Sprintf("POST /api/batch HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n", len(oneLine), oneLine))
			_, _ = stalled.Read(make([]byte, 1))
			began := time.Now()
			var group sync.WaitGroup
			workers := 8
			if test.status == 503 { // what a client asks for at once counts as its own
				workers = 1
			}
			for range workers {
				group.Go(func() {
					l := light{url: r.url, proxy: neighbour}
					client := l.transport(true)
					defer client.CloseIdleConnections()
					for range requests / workers {
						if status := l.status(client, test.path, oneLine); status != test.status {
							t.Errorf("a request gets %d", status)
							return
						}
					}
				})
			}
			group.Wait()
			took := time.Since(began)
			lines, more := 0, 0
			count := func() int {
				lines, more = 0, 0
				for _, line := range r.seen {
					var record struct {
						Msg, Client  string
						Status, More int
					}
					if err := json.Unmarshal([]byte(line), &record); err != nil {
						t.Errorf("%s: %v", line, err)
					}
					more += record.More
					if record.Msg == "request" && record.Status == test.status {
						lines++
						if record.Client != neighbour {
							t.Errorf("the line of a client is %s", line)
						}
					}
				}
				return lines + more
			}
			for test.status == 503 && count() < requests {
				r.logged(t, `"msg":"requests without a line"`)
			}
			stalled.Close()
			if err := r.cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			r.logged(t, `"msg":"stopped"`)
			count()
			switch {
			case test.status == 429 && lines+more > 0:
				t.Errorf("%d lines for what a client causes itself", lines)
			case test.status == 503 && (lines < 10 || lines > 10*int(2+took/time.Second) || lines+more != requests):
				t.Errorf("%d lines for %d requests, and a count of %d", lines, requests, more)
			}
		})
	}
}
