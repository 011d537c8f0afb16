package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// The sandbox cannot be left, so what is tried in it runs in a process of its
// own: this test program again, with the name of the trial.
const trialEnv = "UNCOIL_SANDBOX_TRIAL"

func TestMain(m *testing.M) {
	if name := os.Getenv(trialEnv); name != "" {
		if err := trials[name](os.Getenv("UNCOIL_SANDBOX_DIR")); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// trials are run in the sandbox, with a folder that holds the file secret.
var trials = map[string]func(dir string) error{
	"nothing is left": func(dir string) error {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		before := startThreads()
		state, err := Enter()
		if err != nil {
			return err
		}
		after := startThreads()
		secret := filepath.Join(dir, "secret")
		check := func() error { return errors.Join(noFiles(dir, secret), noNetwork(state, listener)) }
		err = check()
		for _, run := range []func(func() error) error{before, after} {
			err = errors.Join(err, run(check))
		}
		return err
	},
	"folders stay": func(dir string) error {
		kept := filepath.Join(dir, "kept")
		if _, err := Enter(kept); err != nil {
			return err
		}
		text, err := os.ReadFile(filepath.Join(kept, "file"))
		if err != nil || string(text) != "kept" {
			return fmt.Errorf("the file that may be read gives %q, %v", text, err)
		}
		// A file that is put there later, as a new secret is, can be read
		// too; the process itself cannot put one there.
		denied := errors.Join(
			mustDeny(func() error { return os.WriteFile(filepath.Join(kept, "new"), nil, 0o600) }, "writing beside it"),
			mustDeny(func() error { _, err := os.ReadFile(filepath.Join(kept, "link")); return err }, "a link out of the folder"),
		)
		return errors.Join(denied, noFiles(dir, filepath.Join(dir, "secret")))
	},
	"no new privileges": func(string) error {
		abiVersion = func() (int, error) { return 0, syscall.ENOSYS }
		before := startThreads()
		if _, err := Enter(); err != ErrUnsupported {
			return fmt.Errorf("without Landlock, Enter says %v", err)
		}
		return before(func() error {
			status, err := os.ReadFile("/proc/thread-self/status")
			if err != nil || !strings.Contains(string(status), "NoNewPrivs:\t1") {
				return fmt.Errorf("a thread may gain privileges: %v", err)
			}
			return nil
		})
	},
	"not dumpable": func(string) error {
		if _, err := Enter(); err != nil {
			return err
		}
		if dumpable, err := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0); err != nil || dumpable != 0 {
			return fmt.Errorf("PR_GET_DUMPABLE is %d, %v", dumpable, err)
		}
		return nil
	},
	"an old kernel": func(string) error {
		abiVersion = func() (int, error) { return 3, nil }
		if state, err := Enter(); err != nil || !strings.Contains(state.Missing, "network") {
			return fmt.Errorf("got %+v, %v", state, err)
		}
		return nil
	},
}

// startThreads starts threads of the operating system and returns a function
// that runs a check on each.
func startThreads() func(func() error) error {
	const n = 8
	checks, results := make(chan func() error), make(chan error)
	var ready sync.WaitGroup
	for range n {
		ready.Add(1)
		go func() {
			runtime.LockOSThread()
			ready.Done()
			results <- (<-checks)()
		}()
	}
	ready.Wait()
	return func(check func() error) error {
		for range n {
			checks <- check
		}
		var err error
		for range n {
			err = errors.Join(err, <-results)
		}
		return err
	}
}

func mustDeny(try func() error, what string) error {
	if err := try(); !errors.Is(err, os.ErrPermission) {
		return fmt.Errorf("%s is not denied: %v", what, err)
	}
	return nil
}

func noFiles(dir, secret string) error {
	open := func(name string) func() error {
		return func() error {
			f, err := os.Open(name)
			if err == nil {
				f.Close()
			}
			return err
		}
	}
	return errors.Join(
		mustDeny(open(secret), "opening a file"),
		mustDeny(open("/etc/passwd"), "opening /etc/passwd"),
		mustDeny(open("/proc/self/environ"), "opening the environment"),
		mustDeny(func() error { _, err := os.ReadDir(dir); return err }, "listing a folder"),
		mustDeny(func() error { return os.WriteFile(filepath.Join(dir, "new"), nil, 0o600) }, "creating a file"),
		mustDeny(func() error { return os.Remove(secret) }, "removing a file"),
		mustDeny(func() error { return exec.Command("/bin/sh", "-c", "exit 0").Run() }, "running a program"),
	)
}

func noNetwork(s State, listener net.Listener) error {
	if s.ABI < networkABI {
		return nil
	}
	// Go listens with Multipath TCP where it can, which Landlock leaves alone.
	var plain net.ListenConfig
	plain.SetMultipathTCP(false)
	return errors.Join(
		mustDeny(func() error { _, err := net.Dial("tcp", listener.Addr().String()); return err }, "connecting"),
		mustDeny(func() error { _, err := plain.Listen(context.Background(), "tcp", "127.0.0.1:0"); return err }, "listening"),
	)
}

func TestEnter(t *testing.T) {
	abi, err := abiVersion()
	for name := range trials {
		t.Run(name, func(t *testing.T) {
			if name != "no new privileges" && (err != nil || abi < 1) {
				t.Skipf("this kernel has no Landlock: version %d, %v", abi, err)
			}
			dir := t.TempDir()
			kept := filepath.Join(dir, "kept")
			if err := errors.Join(
				os.WriteFile(filepath.Join(dir, "secret"), []byte("secret"), 0o600),
				os.Mkdir(kept, 0o700),
				os.WriteFile(filepath.Join(kept, "file"), []byte("kept"), 0o600),
				os.Symlink(filepath.Join(dir, "secret"), filepath.Join(kept, "link")),
			); err != nil {
				t.Fatal(err)
			}
			// The same calls succeed without a sandbox.
			if _, err := os.ReadFile(filepath.Join(kept, "link")); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), trialEnv+"="+name, "UNCOIL_SANDBOX_DIR="+dir)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
