package code_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"uncoil/code"
)

// TestResume has curl and the programs for -C - go on where a file ends, and holds that
// they ask for the same range and leave the same file.
func TestResume(t *testing.T) {
	parallel(t)
	if testing.Short() {
		t.Skip("it starts interpreters and a compiler")
	}
	whole := bytes.Repeat([]byte("0123456789"), 10)
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Header.Get("Range"))
		http.ServeContent(w, r, "f", time.Time{}, bytes.NewReader(whole))
	}))
	defer server.Close()
	command := "curl -sL -C - -o f " + server.URL + "/f"

	run := func(t *testing.T, dir, script string) (ranges []string, files [][]byte) {
		for _, begun := range []int{0, 30} {
			path := filepath.Join(dir, "f")
			if os.Remove(path); begun > 0 {
				if err := os.WriteFile(path, whole[:begun], 0o600); err != nil {
					t.Fatal(err)
				}
			}
			asked = nil
			c := exec.CommandContext(t.Context(), "bash", "-c", script)
			c.Dir, c.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}
			if out, err := c.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			file, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			ranges, files = append(ranges, asked...), append(files, file)
		}
		return ranges, files
	}
	ranges, files := run(t, t.TempDir(), command)
	for _, l := range []struct{ target, tool, file, script string }{
		{"c", "cc", "p.c", "cc p.c -o p -lcurl && ./p"},
		{"cpp", "c++", "p.cpp", "c++ -std=c++17 p.cpp -o p -lcurl && ./p"},
		{"php", "php", "p.php", "php p.php"},
		{"wget", "wget", "p.sh", "bash p.sh"},
		{"httpie", "http", "p.sh", "bash p.sh"},
	} {
		t.Run(l.target, func(t *testing.T) {
			if _, err := exec.LookPath(l.tool); err != nil {
				t.Skip(err)
			}
			target, _ := code.Lookup(l.target)
			program, diags := write(t, target, command)
			if diags != "" {
				t.Fatalf("%s\n%s", diags, program)
			}
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, l.file), []byte(program), 0o600); err != nil {
				t.Fatal(err)
			}
			gotRanges, gotFiles := run(t, dir, l.script)
			if len(gotRanges) != 2 || gotRanges[0] != ranges[0] || gotRanges[1] != ranges[1] {
				t.Errorf("asks for the ranges %q, curl for %q\n%s", gotRanges, ranges, program)
			}
			for i := range files {
				if !bytes.Equal(gotFiles[i], files[i]) {
					t.Errorf("leaves %q, curl %q", gotFiles[i], files[i])
				}
			}
		})
	}
}

// TestWgetCookies holds where Wget loads a file of cookies, and where that would send
// others than curl.
func TestWgetCookies(t *testing.T) {
	wget, _ := code.Lookup("wget")
	for command, refused := range map[string]bool{
		"curl -b jar.txt http://h.test/":                     false,
		"curl -b a.txt -b b.txt http://h.test/":              true,
		"curl -b jar.txt -H 'Cookie: a=b' http://h.test/":    true,
		"curl -b jar.txt -b 'theme=dark' -L http://h.test/x": true,
	} {
		program, diags := write(t, wget, command)
		if loads := bytes.Contains([]byte(program), []byte("--load-cookies=jar.txt")); loads == refused || diags == "" {
			t.Errorf("%s: %q\n%s", command, diags, program)
		}
	}
}
