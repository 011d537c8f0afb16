package oracle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"
)

// runTimeout bounds a run whose context has no deadline.
const runTimeout = 10 * time.Second

// fileTime is when every file of a run was last changed: --time-cond can name
// a file to take its time from.
var fileTime = time.Date(2020, time.January, 2, 3, 4, 5, 0, time.UTC)

// A Setup is the environment of a command. The zero value is an empty
// directory and no input.
type Setup struct {
	// Files holds the files in the directory of the run, which is also
	// HOME. Names are relative to it; a directory in them is made.
	Files map[string][]byte
	// Stdin comes through a pipe; nil means /dev/null.
	Stdin []byte
	// Env is set in addition to PATH, HOME and LC_ALL.
	Env map[string]string
}

// A Result is the result of a run.
type Result struct {
	// Requests are in order of arrival, those to proxies included.
	Requests []Request
	// Exit is the exit code: that of curl, or for a script that of bash.
	Exit           int
	Stdout, Stderr string
}

// Run runs a script in bash, with the curl under test as curl. An error means
// that the script could not be run, or not in time.
func Run(ctx context.Context, script string, setup Setup) (Result, error) {
	t, err := findTools()
	if err != nil {
		return Result{}, err
	}
	return run(ctx, t, setup, t.bash, "--norc", "-c", script)
}

// RunArgs runs curl with the arguments.
func RunArgs(ctx context.Context, args []string, setup Setup) (Result, error) {
	t, err := findTools()
	if err != nil {
		return Result{}, err
	}
	return run(ctx, t, setup, t.curl, args...)
}

func run(ctx context.Context, t tools, setup Setup, program string, args ...string) (Result, error) {
	root, err := os.MkdirTemp("", "oracle-")
	if err != nil {
		return Result{}, err
	}
	defer os.RemoveAll(root)
	place := layout(root)
	if err := place.create(t.curl, setup.Files); err != nil {
		return Result{}, err
	}
	recorder, err := NewRecorder(place.socket())
	if err != nil {
		return Result{}, err
	}
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, runTimeout)
		defer cancel()
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, program, args...)
	if program == t.curl {
		cmd.Args[0] = "curl"
	}
	cmd.Dir = place.home()
	cmd.Env = place.environ(t.redirect, recorder.Port(), setup.Env)
	if setup.Stdin != nil {
		cmd.Stdin = bytes.NewReader(setup.Stdin)
	}
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	// A session of its own has no terminal on which curl could ask for a
	// password, and its background processes can be ended together.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	err = cmd.Run()
	closeErr := recorder.Close()
	result := Result{Requests: recorder.Requests(), Stdout: stdout.String(), Stderr: stderr.String()}
	if cmd.ProcessState != nil {
		result.Exit = cmd.ProcessState.ExitCode()
	}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return result, fmt.Errorf("the command did not end: %w", ctx.Err())
	case errors.As(err, &exit):
		err = nil
	}
	return result, errors.Join(err, closeErr)
}

// A layout is the directory of one run: a home, which the command finds
// itself in, and beside it what the command must not see.
type layout string

func (l layout) home() string   { return filepath.Join(string(l), "home") }
func (l layout) bin() string    { return filepath.Join(string(l), "bin") }
func (l layout) socket() string { return filepath.Join(string(l), "socket") }

func (l layout) create(curl string, files map[string][]byte) error {
	for _, dir := range []string{l.home(), l.bin()} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return err
		}
	}
	if err := os.Symlink(curl, filepath.Join(l.bin(), "curl")); err != nil {
		return err
	}
	for name, content := range files {
		if !filepath.IsLocal(name) {
			return fmt.Errorf("file %q is not inside the directory of the run", name)
		}
		path := filepath.Join(l.home(), name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
		if err := os.Chtimes(path, fileTime, fileTime); err != nil {
			return err
		}
	}
	return nil
}

func (l layout) environ(preload string, port int, extra map[string]string) []string {
	env := []string{
		"PATH=" + l.bin() + ":/usr/bin:/bin",
		"HOME=" + l.home(),
		"LC_ALL=C.UTF-8",
		"LD_PRELOAD=" + preload,
		"UNCOIL_ORACLE_PORT=" + strconv.Itoa(port),
		"UNCOIL_ORACLE_SOCKET=" + l.socket(),
	}
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		env = append(env, name+"="+extra[name])
	}
	return env
}
