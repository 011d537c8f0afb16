//go:build unix

package cli_test

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"uncoil/internal/edge/cli"
	"uncoil/internal/proof/need"
)

// A messyScript has so many commands that it takes a while to write.
func messyScript(commands int) (messy, neat []byte) {
	return []byte(strings.Repeat("curl h.test \\\n-s\n", commands)), []byte(strings.Repeat("curl h.test \\\n  -s\n", commands))
}

// longScript is a script of one command that takes a while to write.
func longScript() (messy, neat []byte) {
	messy, neat = messyScript(1)
	comment := []byte(strings.Repeat("# "+strings.Repeat("x", 97)+"\n", 100_000))
	return append(messy, comment...), append(neat, comment...)
}

// formatted runs uncoil fmt -w on a file with some content, and returns its exit
// code, what it says, and what is in the folder of the file then.
func formatted(t *testing.T, name string) (said string, files map[string]string) {
	t.Helper()
	out, _ := exec.Command("uncoil", "fmt", "-w", name).CombinedOutput()
	return string(out), contents(t, filepath.Dir(name))
}

// contents returns the files of a folder.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		files[filepath.Base(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func write(t *testing.T, name string, content []byte, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(name, content, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(name, mode); err != nil {
		t.Fatal(err)
	}
}

// TestFormatKeepsFile holds what stays of a file that is formatted: its mode, its
// owner, and the symbolic link that leads to it.
func TestFormatKeepsFile(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	name, link := filepath.Join(other, "a.sh"), filepath.Join(dir, "link.sh")
	messy, neat := messyScript(2)
	write(t, name, messy, 0o751)
	const nobody = 65534
	isRoot := os.Geteuid() == 0
	if isRoot {
		if err := os.Chown(name, nobody, nobody); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(name, link); err != nil {
		t.Fatal(err)
	}
	said, files := formatted(t, link)
	if said != "" || files["link.sh"] != string(neat) || len(files) != 1 {
		t.Errorf("%s%q", said, files)
	}
	if to, err := os.Readlink(link); to != name || err != nil {
		t.Errorf("the link leads to %s, %v", to, err)
	}
	info, err := os.Stat(name)
	if err != nil || info.Mode() != 0o751 {
		t.Errorf("mode %s, %v", info.Mode(), err)
	}
	if stat := info.Sys().(*syscall.Stat_t); isRoot && (stat.Uid != nobody || stat.Gid != nobody) {
		t.Errorf("owner %d:%d", stat.Uid, stat.Gid)
	}
	if left := contents(t, other); len(left) != 1 {
		t.Errorf("beside the file is left %q", left)
	}
}

// TestFormatRefuses holds which files are left as they are.
func TestFormatRefuses(t *testing.T) {
	messy, _ := messyScript(2)
	for want, prepare := range map[string]func(name string) error{
		"hard links":       func(name string) error { return os.Link(name, name+".old") },
		"not a regular":    func(name string) error { return first(os.Remove(name), syscall.Mkfifo(name, 0o600)) },
		"is not a regular": func(name string) error { return first(os.Remove(name), os.Mkdir(name, 0o700)) },
		"no such file":     os.Remove,
	} {
		name := filepath.Join(t.TempDir(), "a.sh")
		write(t, name, messy, 0o600)
		if err := prepare(name); err != nil {
			t.Fatal(err)
		}
		out, _ := exec.Command("uncoil", "fmt", "-w", name).CombinedOutput()
		if !strings.Contains(string(out), want) {
			t.Errorf("%s: it says %s", want, out)
		}
		if want != "hard links" {
			continue // nothing is left to look at
		}
		if text, err := os.ReadFile(name); err != nil || !bytes.Equal(text, messy) {
			t.Errorf("%s: %s, %v", want, text, err)
		}
	}
	if out, _ := exec.Command("uncoil", "fmt", "/dev/zero").CombinedOutput(); !strings.Contains(string(out), "not a regular file") {
		t.Errorf("/dev/zero: it says %s", out)
	}
}

// first returns the first error.
func first(all ...error) error {
	for _, err := range all {
		if err != nil {
			return err
		}
	}
	return nil
}

// TestFormatWithoutRights holds that a file that may not be written, or that
// stands in a folder that may not, stays as it is.
func TestFormatWithoutRights(t *testing.T) {
	messy, _ := messyScript(2)
	for _, test := range []struct{ file, folder os.FileMode }{{0o444, 0o777}, {0o666, 0o555}} {
		dir := t.TempDir()
		uncoil, name := filepath.Join(dir, "uncoil"), filepath.Join(dir, "scripts", "a.sh")
		if err := os.Mkdir(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, name, messy, test.file)
		command := exec.Command("uncoil", "fmt", "-w", name)
		if os.Geteuid() == 0 { // who may do anything: another user runs a copy
			program, err := os.ReadFile(command.Path)
			if err != nil {
				t.Fatal(err)
			}
			write(t, uncoil, program, 0o755)
			for _, above := range []string{dir, filepath.Dir(dir)} {
				if err := os.Chmod(above, 0o711); err != nil {
					t.Fatal(err)
				}
			}
			command.Path = uncoil
			command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		if err := os.Chmod(filepath.Dir(name), test.folder); err != nil {
			t.Fatal(err)
		}
		out, err := command.CombinedOutput()
		_ = os.Chmod(filepath.Dir(name), 0o700)
		if err == nil || !strings.Contains(string(out), "permission denied") {
			t.Errorf("a file of mode %s in a folder of mode %s: %s, %v", test.file, test.folder, out, err)
		}
		if files := contents(t, filepath.Dir(name)); len(files) != 1 || files["a.sh"] != string(messy) {
			t.Errorf("a file of mode %s in a folder of mode %s is %q", test.file, test.folder, files)
		}
	}
}

// TestFormatFullDisk holds that a write error leaves the file as it was, and
// nothing beside it. The limit of the size of a file stands for a full disk.
func TestFormatFullDisk(t *testing.T) {
	need.Program(t, "sh")
	name := filepath.Join(t.TempDir(), "a.sh")
	messy, _ := messyScript(2000)
	write(t, name, messy, 0o600)
	out, err := exec.Command("sh", "-c", `ulimit -f 8; exec uncoil fmt -w "$1"`, "sh", name).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "file too large") {
		t.Errorf("%s, %v", out, err)
	}
	if files := contents(t, filepath.Dir(name)); len(files) != 1 || files["a.sh"] != string(messy) {
		t.Errorf("%d files, %d bytes of %d", len(files), len(files["a.sh"]), len(messy))
	}
}

// TestOutputFullDisk holds that -o leaves a file as it is, or none, where there is no room
// for the answer.
func TestOutputFullDisk(t *testing.T) {
	need.Program(t, "sh")
	name := filepath.Join(t.TempDir(), "out.json")
	command := "curl h.test -d " + strings.Repeat("x", 100_000)
	for _, before := range []string{"old", ""} {
		want := map[string]string{}
		if before != "" {
			write(t, name, []byte(before), 0o600)
			want["out.json"] = before
		}
		out, err := exec.Command("sh", "-c", `ulimit -f 8; exec uncoil -o "$1" "$2"`, "sh", name, command).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "file too large") {
			t.Errorf("%s, %v", out, err)
		}
		if files := contents(t, filepath.Dir(name)); !maps.Equal(files, want) {
			t.Errorf("left %d files, want %v", len(files), want)
		}
		_ = os.Remove(name)
	}
}

// TestFormatKilled kills uncoil while it writes, at many points. The file must
// have the old content or the new one.
func TestFormatKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	name := filepath.Join(t.TempDir(), "a.sh")
	messy, neat := longScript()
	writes := func() bool {
		entries, err := os.ReadDir(filepath.Dir(name))
		info, statErr := os.Stat(name)
		return err != nil || statErr != nil || len(entries) > 1 || info.Size() != int64(len(messy))
	}
	write(t, name, messy, 0o600)
	seen := make(map[string]int)
	end := time.Now().Add(2 * time.Second)
	for i := 0; i < 40 && time.Now().Before(end); i++ {
		command := exec.Command("uncoil", "fmt", "-w", name)
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- command.Wait() }()
		for len(done) == 0 && !writes() {
			time.Sleep(50 * time.Microsecond)
		}
		time.Sleep(time.Duration(i) * 200 * time.Microsecond)
		_ = command.Process.Kill()
		<-done
		switch text, err := os.ReadFile(name); {
		case err != nil:
			t.Fatal(err)
		case bytes.Equal(text, messy):
			seen["old"]++
		case bytes.Equal(text, neat):
			seen["new"]++
		default:
			t.Fatalf("after run %d the file has %d bytes, neither the old %d nor the new %d", i, len(text), len(messy), len(neat))
		}
		for left := range contents(t, filepath.Dir(name)) {
			if err := os.Remove(filepath.Join(filepath.Dir(name), left)); err != nil {
				t.Fatal(err)
			}
		}
		write(t, name, messy, 0o600)
	}
	if seen["old"] == 0 {
		t.Errorf("no run was killed in time: %v", seen)
	}
	t.Log(seen)
}

// TestFormatInterrupted interrupts uncoil while it writes, at many points. The file must
// have the old content or the new one, and nothing may be left beside it.
func TestFormatInterrupted(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	name := filepath.Join(t.TempDir(), "a.sh")
	messy, neat := longScript()
	stopped := 0
	for i := range 30 {
		write(t, name, messy, 0o600)
		command := exec.Command("uncoil", "fmt", "-w", name)
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- command.Wait() }()
		beside := func() bool { entries, err := os.ReadDir(filepath.Dir(name)); return err == nil && len(entries) > 1 }
		for len(done) == 0 && !beside() {
			time.Sleep(50 * time.Microsecond)
		}
		time.Sleep(time.Duration(i) * 100 * time.Microsecond)
		_ = command.Process.Signal([]os.Signal{os.Interrupt, syscall.SIGTERM}[i%2])
		if <-done != nil {
			stopped++
		}
		files := contents(t, filepath.Dir(name))
		if text := files["a.sh"]; len(files) != 1 || text != string(messy) && text != string(neat) {
			t.Fatalf("after run %d there are %d files, and the file has %d bytes", i, len(files), len(text))
		}
	}
	if stopped == 0 {
		t.Error("no run was stopped in time")
	}
}

// TestReplaceChanged holds that a file which has changed since it was read stays as it is.
func TestReplaceChanged(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.sh")
	write(t, name, []byte("saved meanwhile"), 0o600)
	err := cli.ReplaceFile(name, []byte("read"), []byte("new"))
	if err == nil || !strings.Contains(err.Error(), "changed in the meantime") {
		t.Error(err)
	}
	if files := contents(t, filepath.Dir(name)); !maps.Equal(files, map[string]string{"a.sh": "saved meanwhile"}) {
		t.Errorf("%q", files)
	}
}
