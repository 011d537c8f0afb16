package codeproof

import (
	"context"
	_ "embed"
	"encoding/json"
	"io"
	"os/exec"
	"strings"
	"sync"
)

// browser returns the runtime of programs for a page, which browser.mjs describes. library is
// a script of a module that the page loads first.
func browser(target, library string) *Runtime {
	return &Runtime{Target: target, File: "request.mjs", Command: []string{"chromium"},
		Version: []string{"bash", "-c", `[ -d "$UNCOIL_NODE_MODULES/playwright-core" ] && [ -e "$UNCOIL_NODE_MODULES/` + library + `" ] && chromium --version`},
		serve:   func(ctx context.Context, cmd *exec.Cmd) (code int, err error) { return inPage(ctx, library, cmd) }}
}

//go:embed browser.mjs
var browserSource string

// browsers are the processes with a browser that run no page now: one starts in a second,
// and a page in a quarter of that.
var browsers struct {
	sync.Mutex
	idle []*answerer
}

func idleBrowser() (*answerer, error) {
	browsers.Lock()
	defer browsers.Unlock()
	if n := len(browsers.idle); n > 0 {
		b := browsers.idle[n-1]
		browsers.idle = browsers.idle[:n-1]
		return b, nil
	}
	return startAnswerer("node", "--input-type=module", "-e", browserSource)
}

// inPage runs the program in the folder of a process in a page, with its environment.
func inPage(ctx context.Context, library string, cmd *exec.Cmd) (code int, err error) {
	env := make(map[string]string)
	for _, pair := range cmd.Environ() {
		name, value, _ := strings.Cut(pair, "=")
		env[name] = value
	}
	line, err := json.Marshal(map[string]any{"dir": cmd.Dir, "env": env, "library": library})
	if err != nil {
		return 0, err
	}
	b, err := idleBrowser()
	if err != nil {
		return 0, err
	}
	answer, err := b.ask(ctx, line)
	if ctx.Err() != nil {
		return -1, nil // as of a program that had to be stopped
	}
	if err != nil {
		return 0, err
	}
	browsers.Lock()
	browsers.idle = append(browsers.idle, b)
	browsers.Unlock()
	var ended struct {
		Exit   int
		Output string
	}
	if err := json.Unmarshal([]byte(answer), &ended); err != nil {
		return 0, err
	}
	_, err = io.WriteString(cmd.Stdout, ended.Output)
	return ended.Exit, err
}
