package oracle

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"uncoil/internal/edge/suffix"
	"uncoil/internal/engine"
)

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
	// Shell is how uncoil reads the command; "" is posix.
	Shell string
}

// now is the time that cookies are judged by, on both sides.
var now = time.Now()

// Input passes the setup on to uncoil.
func (s Setup) Input() engine.Input {
	stdin := s.Stdin
	if stdin == nil {
		stdin = []byte{} // curl reads from /dev/null
	}
	shell := s.Shell
	if shell == "" {
		shell = "posix"
	}
	return engine.Input{Shell: shell, Files: s.Files, Stdin: stdin, Env: s.Env, Now: now, PublicSuffix: suffix.Public}
}

// Write writes the files into a directory.
func (s Setup) Write(dir string) error {
	for name, content := range s.Files {
		if !filepath.IsLocal(name) {
			return fmt.Errorf("file %q is not inside the directory of the run", name)
		}
		path := filepath.Join(dir, name)
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

// Process returns a command that runs in a directory, with an environment to
// which the setup's is added. What it starts ends with it.
func (s Setup) Process(ctx context.Context, dir string, env []string, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir
	cmd.Env = append(env, "HOME="+dir, "LC_ALL=C.UTF-8")
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		cmd.Env = append(cmd.Env, name+"="+s.Env[name])
	}
	if s.Stdin != nil {
		cmd.Stdin = bytes.NewReader(s.Stdin)
	}
	// A session of its own has no terminal on which curl could ask for a
	// password, and its background processes can be ended together.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	return cmd
}

// Curl returns the path of the curl under test: the one on PATH, or the one
// that UNCOIL_CURL names.
func Curl() (string, error) {
	if name := os.Getenv("UNCOIL_CURL"); name != "" {
		return lookTool(name)
	}
	return lookTool("curl")
}
