package oracle

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"
)

// A chromium is a browser that is driven by its DevTools protocol, over a pipe
// (chromium --remote-debugging-pipe). It sends all requests to one recorder.
type chromium struct {
	t        *testing.T
	write    io.Writer
	messages chan devtoolsMessage
	last     int
	session  string
	events   []devtoolsMessage
}

type devtoolsMessage struct {
	ID             int
	Method         string
	Params, Result json.RawMessage
	Error          *struct{ Message string }
}

// startChromium starts the browser, or skips the test where there is none. With
// UNCOIL_REQUIRE_CURL=1 the test fails.
func startChromium(t *testing.T, recorder *Recorder) *chromium {
	t.Helper()
	path := os.Getenv("CHROMIUM")
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path == "" {
			path, _ = exec.LookPath(name)
		}
	}
	if path == "" {
		const message = "Chromium is not installed: apt-get install chromium, or name it in CHROMIUM"
		if os.Getenv("UNCOIL_REQUIRE_CURL") == "1" {
			t.Fatal(message)
		}
		t.Skip(message)
	}
	fromTest, toBrowser, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	fromBrowser, toTest, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--ignore-certificate-errors", "--disable-features=HttpsUpgrades",
		"--user-data-dir="+t.TempDir(), fmt.Sprintf("--host-resolver-rules=MAP * 127.0.0.1:%d", recorder.Port()), "--remote-debugging-pipe", "about:blank")
	cmd.ExtraFiles = []*os.File{fromTest, toTest}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	fromTest.Close()
	toTest.Close()
	c := &chromium{t: t, write: toBrowser, messages: make(chan devtoolsMessage)}
	t.Cleanup(func() {
		c.call("Browser.close", nil, nil)
		toBrowser.Close()
		ended := time.AfterFunc(10*time.Second, func() { cmd.Process.Kill() })
		for range c.messages {
		}
		cmd.Wait()
		ended.Stop()
		fromBrowser.Close()
	})
	go func() {
		defer close(c.messages)
		for r := bufio.NewReader(fromBrowser); ; {
			text, err := r.ReadBytes(0)
			if err != nil {
				return
			}
			var m devtoolsMessage
			if err := json.Unmarshal(text[:len(text)-1], &m); err == nil {
				c.messages <- m
			}
		}
	}()
	var target struct{ TargetID string }
	c.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	c.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	c.session = attached.SessionID
	return c
}

// call sends a command and waits for its result. Events are kept.
func (c *chromium) call(method string, params map[string]any, result any) {
	c.t.Helper()
	c.last++
	message := map[string]any{"id": c.last, "method": method}
	if params != nil {
		message["params"] = params
	}
	if c.session != "" && method != "Browser.close" {
		message["sessionId"] = c.session
	}
	text, err := json.Marshal(message)
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := c.write.Write(append(text, 0)); err != nil {
		c.t.Fatal(err)
	}
	for timeout := time.After(60 * time.Second); ; {
		select {
		case m, ok := <-c.messages:
			switch {
			case !ok:
				c.t.Fatalf("Chromium ended during %s", method)
			case m.ID == 0:
				c.events = append(c.events, m)
			case m.ID == c.last && m.Error != nil:
				c.t.Fatalf("%s: %s", method, m.Error.Message)
			case m.ID == c.last:
				if result != nil {
					if err := json.Unmarshal(m.Result, result); err != nil {
						c.t.Fatal(err)
					}
				}
				return
			}
		case <-timeout:
			c.t.Fatalf("Chromium does not answer %s", method)
		}
	}
}

// run runs a script that returns a promise, and waits for it.
func (c *chromium) run(script string) {
	c.t.Helper()
	var outcome struct {
		ExceptionDetails json.RawMessage
	}
	c.call("Runtime.evaluate", map[string]any{"expression": script, "awaitPromise": true}, &outcome)
	if outcome.ExceptionDetails != nil {
		c.t.Fatalf("the script fails: %s", outcome.ExceptionDetails)
	}
}

// load opens a page and waits for it.
func (c *chromium) load(url string) {
	c.t.Helper()
	c.call("Page.navigate", map[string]any{"url": url}, nil)
	for range 100 {
		var state struct{ Result struct{ Value string } }
		c.call("Runtime.evaluate", map[string]any{"expression": "document.readyState + ' ' + location.href"}, &state)
		if state.Result.Value == "complete "+url {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	c.t.Fatalf("%s does not load", url)
}
