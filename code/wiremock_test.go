package code_test

import (
	"bytes"
	"errors"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"uncoil/code"
	"uncoil/internal/engine"
)

// TestWireMock has WireMock load the stub of each command, and answer what curl sends for it,
// but not the same with another method.
func TestWireMock(t *testing.T) {
	jars, _ := filepath.Glob(filepath.Join(os.Getenv("UNCOIL_NODE_MODULES"), "wiremock", "build", "wiremock-standalone-*.jar"))
	java, err := exec.LookPath("java")
	if len(jars) == 0 || err != nil {
		t.Skip("WireMock is not installed")
	}
	server := startWireMock(t, java, jars[0])
	target, _ := code.Lookup("wiremock")
	judged := 0
	for _, style := range []code.Style{code.StyleIdiomatic, code.StyleExact} {
		for _, c := range commandFiles(t) {
			text := strings.TrimSuffix(string(c.Data), "\n")
			r, err := engine.Parse(text, engine.Input{})
			if err != nil {
				t.Fatal(c.Name, err)
			}
			if len(r.Requests) > 1 {
				continue // whose options are those of the first one
			}
			file, diags := target.Compose(nil, r.Requests, code.Options{Style: style})
			if diags.Err() != nil {
				continue
			}
			if err := loadStubs(server, file); err != nil {
				t.Errorf("%s: %v\n%s", c.Name, err, file)
				continue
			}
			judged++
			dir := t.TempDir()
			for _, name := range []string{"report.bin", "notes.txt", "form.txt", "photo.jpg"} {
				save(t, filepath.Join(dir, name), "x")
			}
			for method, want := range map[string]string{"": "200", " -X NOPE": "404"} {
				if got := askStubs(t, dir, server, text, method); strings.Trim(got, want) != "" || got == "" {
					t.Errorf("%s%s is answered with %q\n%s", text, method, got, file)
				}
			}
		}
	}
	if judged < 20 {
		t.Errorf("only %d stubs were judged", judged)
	}
}

// startWireMock starts a server, and returns its host and port.
func startWireMock(t *testing.T, java, jar string) string {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	_, port, _ := net.SplitHostPort(address)
	server := exec.Command(java, "-jar", jar, "--port", port, "--bind-address", "127.0.0.1", "--disable-banner")
	server.Dir = t.TempDir()
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Process.Kill(); server.Wait() })
	for range 200 {
		if connection, err := net.Dial("tcp", address); err == nil {
			connection.Close()
			return address
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("WireMock does not answer")
	return ""
}

// loadStubs replaces all stubs of a server.
func loadStubs(server string, file []byte) error {
	request, err := http.NewRequest(http.MethodDelete, "http://"+server+"/__admin/mappings", nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	answer.Body.Close()
	answer, err = http.Post("http://"+server+"/__admin/mappings/import", "application/json", bytes.NewReader(file))
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return errors.New(answer.Status)
	}
	return nil
}

// askStubs runs a command with curl, each URL at the server by plain HTTP, and returns the
// statuses.
func askStubs(t *testing.T, dir, server, command, method string) string {
	script := `curl() { command curl -s -o /dev/null --noproxy '*' --connect-to "::` + server + `" -w '%{http_code}' "$@"` + method + "; }\n" +
		strings.NewReplacer("https://", "http://", " --retry 2", "").Replace(command)
	run := exec.Command("bash", "-c", script)
	run.Dir = dir
	for _, name := range strings.Fields("USER PASS TOKEN API_TOKEN NOTE PASSWORD") {
		run.Env = append(run.Env, name+"=v")
	}
	run.Env = append(run.Env, "PATH="+os.Getenv("PATH"))
	out, err := run.Output()
	if err != nil {
		t.Logf("%s: %v", command, err)
	}
	return string(out)
}

// TestWireMockTemplates holds which paths are templates.
func TestWireMockTemplates(t *testing.T) {
	target, _ := code.Lookup("wiremock")
	for _, c := range []struct {
		path string
		o    code.Options
		want string
	}{
		{"/users/{user_id}/orders", code.Options{}, `"urlPathTemplate": "/users/{user_id}/orders"`},
		{"/users/{user_id}", code.Options{Style: code.StyleExact}, `"urlPath": "/users/{user_id}"`},
		{"/users/{user_id}", code.Options{Placeholders: code.PlaceholdersText}, `"urlPath": "/users/{user_id}"`},
		{"/users/{user_id}", code.Options{Placeholders: code.PlaceholdersVariables}, `"urlPathPattern": "/users/[^/]*"`},
		{"/users/a{b}", code.Options{}, `"urlPath": "/users/a{b}"`},
		{"/a**/{b}", code.Options{}, `"urlPath": "/a**/{b}"`},
	} {
		r, err := engine.Parse("curl -g 'http://h.test"+c.path+"'", engine.Input{})
		if err != nil {
			t.Fatal(err)
		}
		if file, diags := target.Compose(nil, r.Requests, c.o); diags.Err() != nil || !strings.Contains(string(file), c.want) {
			t.Errorf("%s with %+v: %v, want %s in\n%s", c.path, c.o, diags, c.want, file)
		}
	}
}
