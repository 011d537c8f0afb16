package serve

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// neighbour is an address of this machine that is not the one of other clients.
const neighbour = "127.0.0.9"

// dialAs connects to the service from the neighbour's address and sends a text.
func dialAs(t *testing.T, r *running, text string) net.Conn {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has all of 127.0.0.0/8")
	}
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(neighbour)}}
	c, err := d.Dial("tcp", strings.TrimPrefix(r.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	_, _ = io.WriteString(c, text)
	return c
}

// metric returns the value of a metric without labels.
func metric(t *testing.T, r *running, name string) float64 {
	t.Helper()
	m := regexp.MustCompile(`(?m)^` + name + ` (\S+)$`).FindStringSubmatch(fetch(t, r.url+"/metrics"))
	if m == nil {
		t.Fatalf("there is no metric %s", name)
	}
	value, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// One address that opens thousands of connections, and leaves them idle, in the
// middle of a content or of a batch, leaves the other clients served.
func TestOneClientLeavesOthersServed(t *testing.T) {
	head := func(path, length string) string {
		return "POST /api/" + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n" + length + "\r\n\r\n"
	}
	line := `{"curl":"curl h"}` + "\n"
	for _, test := range []struct {
		name, sends string
		connections int
		metric      string
		most        float64
	}{
		{"idle", "", 2000, "uncoil_http_connections", 510},
		{"half a header", "POST /api/convert HTTP/1.1\r\nHost:", 2000, "uncoil_http_connections", 510},
		{"slow contents", head("convert", "Content-Length: 100000") + "curl ", 2000, "uncoil_http_connections", 510},
		{"large contents", head("convert", "Content-Length: 1000000") + strings.Repeat("c", 900_000), 60, "uncoil_held_bytes", 32 << 20},
		{"stalled batches", head("batch", "Transfer-Encoding: chunked") + fmt.Sprintf("%x\r\n%s\r\n", len(line), line), 100, "uncoil_batches_in_flight", 16},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := serveProcess(t)
			for range test.connections {
				dialAs(t, r, test.sends)
			}
			var slowest time.Duration
			for range 100 {
				began := time.Now()
				if code := r.convert(t, ""); code != 200 {
					t.Fatalf("another client gets %d", code)
				}
				slowest = max(slowest, time.Since(began))
			}
			body := fetchPost(t, r.url+"/api/batch", line+line)
			if strings.Count(body, `"result"`) != 2 {
				t.Errorf("a batch of another client gets %s", body)
			}
			if got := metric(t, r, test.metric); got > test.most {
				t.Errorf("%s is %v", test.metric, got)
			}
			t.Logf("another client waits %v at most; %s is %v", slowest, test.metric, metric(t, r, test.metric))
		})
	}
}

func fetchPost(t *testing.T, url, content string) string {
	t.Helper()
	response, err := http.Post(url, "application/x-ndjson", strings.NewReader(content))
	if err != nil {
		return err.Error()
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err.Error()
	}
	return string(body)
}

// The process is told to stop in the middle of a run of requests. Clients go on
// until /readyz is false, as a balancer does, and lose no request.
func TestStopInTheMiddleOfARun(t *testing.T) {
	r := serveProcess(t, "-drain", "1s")
	var answered atomic.Int64
	away, turnAway := context.WithCancel(t.Context())
	defer turnAway()
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			transport := &http.Transport{MaxIdleConnsPerHost: 1}
			defer transport.CloseIdleConnections()
			client := &http.Client{Transport: transport}
			for away.Err() == nil {
				response, err := client.Post(r.url+"/api/parse", "text/plain", strings.NewReader("curl h/[1-20]"))
				if err != nil {
					t.Errorf("after %d answers: %v", answered.Load(), err)
					return
				}
				_, err = io.Copy(io.Discard, response.Body)
				response.Body.Close()
				if err != nil || response.StatusCode != 200 {
					t.Errorf("after %d answers: %d, %v", answered.Load(), response.StatusCode, err)
					return
				}
				answered.Add(1)
			}
		})
	}
	for answered.Load() < 500 && !t.Failed() {
		runtime.Gosched()
	}
	if err := r.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	r.logged(t, `"msg":"stopping"`)
	for {
		response, err := http.Get(r.url + "/readyz")
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode == 503 {
			break
		}
	}
	turnAway()
	group.Wait()
	r.logged(t, `"msg":"stopped"`)
	t.Logf("%d requests were answered", answered.Load())
}

// A process that is suspended and goes on answers what came meanwhile.
func TestSuspended(t *testing.T) {
	r := serveProcess(t)
	signal := func(s syscall.Signal) {
		t.Helper()
		if err := r.cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
	}
	signal(syscall.SIGSTOP)
	for suspended := false; !suspended; {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", r.cmd.Process.Pid))
		if err != nil {
			t.Skip("the state of a process is read from /proc: ", err)
		}
		suspended = bytes.Contains(status, []byte("State:\tT"))
	}
	answers := make(chan string, 16) // as many batches as a client may have in flight
	for range cap(answers) {
		go func() { answers <- fetchPost(t, r.url+"/api/batch", `{"curl":"curl h"}`) }()
	}
	select {
	case answer := <-answers:
		t.Fatalf("a suspended process answers %s", answer)
	case <-time.After(200 * time.Millisecond):
	}
	signal(syscall.SIGCONT)
	for range cap(answers) {
		if answer := <-answers; !strings.Contains(answer, `"result"`) {
			t.Errorf("it answers %s", answer)
		}
	}
}

// A limit of open files that is too small for the connections lowers their number.
func TestFewFiles(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	for limit, warns := range map[int]bool{256: true, 4096: false} {
		r := servicePrepared(t, func(cmd *exec.Cmd) {
			cmd.Args = append([]string{"sh", "-c", "ulimit -n " + strconv.Itoa(limit) + ` && exec "$0" "$@"`, cmd.Path}, cmd.Args[1:]...)
			cmd.Path = sh
		})
		log := strings.Join(r.seen, "\n")
		if got := strings.Contains(log, `"level":"WARN","msg":"fewer files may be open than -max-connections needs","files":256,"wanted":2000,"connections":192`); got != warns {
			t.Errorf("with %d files the log has %s", limit, log)
		}
	}
}
