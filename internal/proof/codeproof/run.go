// Package codeproof runs programs that package code writes, and compares what
// they send with what curl sends for the same command.
//
// It is test support beside package oracle, and needs neither root nor a
// network: a command is rewritten so that its requests go to a recorder on the
// loopback interface over plain HTTP, the real curl runs it, and each program
// is written for the rewritten command and runs in a directory with the same
// files.
package codeproof

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"uncoil/internal/proof/oracle"
)

// timeLimit is how long a program may run, and patience how long the recorder
// waits for the rest of what a program sends.
const (
	timeLimit = time.Minute
	patience  = 10 * time.Second
)

// A Bench runs commands and programs, one at a time, against a recorder of its
// own.
type Bench struct {
	recorder *oracle.Recorder
	root     string
	bin      string // a directory with the curl under test
	runs     int
}

// NewBench returns a bench whose directories are below root.
func NewBench(root string) (*Bench, error) {
	path, err := oracle.Curl()
	if err != nil {
		return nil, err
	}
	b := &Bench{root: root, bin: filepath.Join(root, "bin")}
	if err := os.MkdirAll(b.bin, 0o755); err != nil {
		return nil, err
	}
	if err := os.Symlink(path, filepath.Join(b.bin, "curl")); err != nil {
		return nil, err
	}
	if b.recorder, err = oracle.NewRecorder(""); err != nil {
		return nil, err
	}
	b.recorder.Wait(patience)
	b.Answer(nil)
	return b, nil
}

// Close stops the recorder.
func (b *Bench) Close() error { return b.recorder.Close() }

// Host returns the host and port of the recorder.
func (b *Bench) Host() string { return "127.0.0.1:" + strconv.Itoa(b.recorder.Port()) }

// Answer sets what the recorder answers; nil stands for [Server].
func (b *Bench) Answer(answer func(*oracle.Request) string) {
	if answer == nil {
		answer = Server
	}
	b.recorder.Answer(answer)
}

// Response returns a response with field lines, or none, and content.
func Response(r *oracle.Request, status int, field, content string) string {
	// Without keep-alive no client meets a connection that the recorder has
	// just closed.
	head := fmt.Sprintf("HTTP/1.1 %d Recorded\r\nContent-Length: %d\r\nConnection: close\r\n", status, len(content))
	if field != "" {
		head += field + "\r\n"
	}
	if r.Method == "HEAD" {
		content = ""
	}
	return head + "\r\n" + content
}

// A Run is what came of a command or a program.
type Run struct {
	Requests []oracle.Request
	Exit     int // -1 for one that had to be stopped
	Output   string
	Time     time.Duration
}

// Curl runs a command in bash, with the curl under test.
func (b *Bench) Curl(command string, setup oracle.Setup) (Run, error) {
	return b.run(&Runtime{Command: []string{"bash", "--norc", "-c", command}}, nil, ambient(false), setup)
}

// Program runs a program, at home among the settings that clients read unasked, or where
// there are none.
func (b *Bench) Program(r *Runtime, program []byte, settings bool, setup oracle.Setup) (Run, error) {
	var home map[string]string
	if settings {
		home = ambient(!strings.HasPrefix(r.Target, "curl"))
	}
	return b.run(r, program, home, setup)
}

func (b *Bench) run(r *Runtime, program []byte, home map[string]string, setup oracle.Setup) (Run, error) {
	b.runs++
	dir := filepath.Join(b.root, strconv.Itoa(b.runs))
	defer os.RemoveAll(dir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return Run{}, err
	}
	if err := writeHome(dir, home); err != nil {
		return Run{}, err
	}
	if err := setup.Write(dir); err != nil { // which may replace some of it
		return Run{}, err
	}
	if r.File != "" {
		if err := os.WriteFile(filepath.Join(dir, r.File), program, 0o644); err != nil {
			return Run{}, err
		}
	}
	if r.compile != nil {
		if err := r.compile(dir, r.File); err != nil {
			return Run{Exit: 1, Output: err.Error()}, nil
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeLimit)
	defer cancel()
	env := append([]string{"PATH=" + b.bin + ":" + os.Getenv("PATH"), "TERM=dumb", "NO_COLOR=1"}, runtimeEnv()...)
	cmd := setup.Process(ctx, dir, env, r.Command[0], r.Command[1:]...)
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	start, seen := time.Now(), len(b.recorder.Requests()) // one that broke off may have come late
	exit, err := r.End(ctx, cmd)
	run := Run{Time: time.Since(start), Output: output.String(), Exit: exit}
	if err == nil {
		run.Requests = b.recorder.Requests()[seen:]
	}
	return run, err
}

// End runs a process of the command of r to its end, or what stands for one, and returns its
// exit code: -1 for one that had to be stopped.
func (r *Runtime) End(ctx context.Context, cmd *exec.Cmd) (code int, err error) {
	if r.serve != nil {
		return r.serve(ctx, cmd)
	}
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) || ctx.Err() != nil {
		err = nil
	}
	if ctx.Err() != nil || cmd.ProcessState == nil {
		return -1, err
	}
	return cmd.ProcessState.ExitCode(), err
}
