package oracle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

// runTimeout bounds a run whose context has no deadline.
const runTimeout = 10 * time.Second

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

// RunIn is Run in another shell: dash or fish. The error is [exec.ErrNotFound]
// where the shell is not installed.
func RunIn(ctx context.Context, shell, script string, setup Setup) (Result, error) {
	t, err := findTools()
	if err != nil {
		return Result{}, err
	}
	program, err := lookTool(shell)
	if err != nil {
		return Result{}, err
	}
	args := []string{"-c", script}
	if shell == "fish" {
		args = append([]string{"--no-config"}, args...)
	}
	return run(ctx, t, setup, program, args...)
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
	if err := place.create(t.curl, setup); err != nil {
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
	cmd := setup.Process(ctx, place.home(), place.environ(t.redirect, recorder.Port()), program, args...)
	if program == t.curl {
		cmd.Args[0] = "curl"
	}
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
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

func (l layout) create(curl string, setup Setup) error {
	for _, dir := range []string{l.home(), l.bin()} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return err
		}
	}
	if err := os.Symlink(curl, filepath.Join(l.bin(), "curl")); err != nil {
		return err
	}
	return setup.Write(l.home())
}

func (l layout) environ(preload string, port int) []string {
	return []string{
		"PATH=" + l.bin() + ":/usr/bin:/bin",
		"LD_PRELOAD=" + preload,
		"UNCOIL_ORACLE_PORT=" + strconv.Itoa(port),
		"UNCOIL_ORACLE_SOCKET=" + l.socket(),
	}
}
