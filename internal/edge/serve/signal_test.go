package serve

import (
	"bufio"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"syscall"
	"testing"
)

// The service says where it listens, and a signal ends it with exit code 0.
func TestServeStopsOnSignal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be sent a signal here")
	}
	for _, signal := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		cmd := exec.Command("uncoil", "serve", "-log-format", "json")
		cmd.Env = append(os.Environ(), "UNCOIL_ADDR=127.0.0.1:0")
		stderr, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		log := bufio.NewScanner(stderr)
		var listening []string
		for listening == nil && log.Scan() {
			listening = regexp.MustCompile(`"msg":"listening","addr":"([^"]+)"`).FindStringSubmatch(log.Text())
		}
		if listening == nil {
			_ = cmd.Process.Kill()
			t.Fatalf("it does not listen: %q", log.Text())
		}
		response, err := http.Get("http://" + listening[1] + "/readyz")
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != 200 {
			t.Errorf("/readyz answers %d", response.StatusCode)
		}
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		for log.Scan() { // until the process ends
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("after %v: %v", signal, err)
		}
	}
}
