package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestLight holds that the light build answers as the full one, and that it
// serves with the full one beside it, also when it is run by way of a link.
func TestLight(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be sent a signal here")
	}
	dir := t.TempDir()
	light, full := filepath.Join(dir, "uncoil-linux-amd64"), filepath.Join(dir, "uncoil-full-linux-amd64")
	for _, args := range [][]string{{"-tags", "light", "-o", light}, {"-o", full}} {
		if out, err := exec.Command("go", append(append([]string{"build"}, args...), ".")...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	for _, args := range [][]string{
		{"curl https://example.com -d a=1"}, {"parse", "for i in 1 2; do curl https://example.com/$i; done"},
		{"curl --nosuch"}, {"help"}, {"help", "serve"}, {"nosuch"}, {"serve", "-nosuch"}, {"serve", "-h"},
	} {
		got, want := output(t, light, args...), output(t, full, args...)
		if got != want {
			t.Errorf("uncoil %q: the light build says\n%s\nthe full one\n%s", args, got, want)
		}
	}

	link := filepath.Join(t.TempDir(), "uncoil")
	if err := os.Symlink(light, link); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(link, "serve", "-addr", "127.0.0.1:0")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill() }()
	listens := false
	for log := bufio.NewScanner(stderr); log.Scan(); {
		if strings.Contains(log.Text(), `"listening"`) {
			listens = true
			if err := cmd.Process.Signal(os.Interrupt); err != nil { // the process is the service
				t.Fatal(err)
			}
		}
	}
	if err := cmd.Wait(); err != nil || !listens {
		t.Errorf("it listens: %t; after a signal, %v", listens, err)
	}

	if err := os.Remove(full); err != nil {
		t.Fatal(err)
	}
	if got := output(t, light, "serve"); !strings.Contains(got, "serve is in uncoil-full-linux-amd64, which comes with this program and has to lie beside it") || !strings.HasSuffix(got, "exit status 1") {
		t.Errorf("alone, it says %s", got)
	}
}

// output returns what a run writes, and how it ends.
func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		return string(out) + err.Error()
	}
	return string(out)
}
