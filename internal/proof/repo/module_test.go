package repo

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// client is a program of another module: it pastes a command, sends the
// request that the command stands for, and prints its members.
const client = `package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"

	"uncoil"
	"uncoil/httprequest"
)

func main() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s %s %s", r.Method, r.URL.Path, r.Header.Get("Content-Type"), body)
	}))
	defer server.Close()
	result, err := uncoil.Parse("$ curl --json '{\"n\": 1.10}' "+server.URL+"/items", uncoil.Input{})
	check(err)
	r, err := httprequest.New(context.Background(), &result.Requests[0], nil)
	check(err)
	response, err := http.DefaultClient.Do(r)
	check(err)
	defer response.Body.Close()
	_, err = io.Copy(os.Stdout, response.Body)
	check(err)
	m, err := uncoil.Convert("curl -X PUT -d a=1 https://example.com/x", uncoil.Input{})
	check(err)
	fmt.Printf("\n%s %s %v %s\n", m.Method, m.URL, m.Headers, m.Data)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
`

const clientPrints = `POST /items application/json {"n": 1.10}
PUT https://example.com/x [{Content-Type application/x-www-form-urlencoded}] "a=1"
`

// TestOtherModule builds and runs that program, with no network.
func TestOtherModule(t *testing.T) {
	out := goIn(t, client, "run", ".")
	if diff := cmp.Diff(clientPrints, out); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// small is a program of another module that converts and does nothing else.
const small = `package main

import "uncoil"

func main() {
	m, err := uncoil.Convert("curl https://example.com/", uncoil.Input{})
	println(m.URL, err)
}
`

// maxSmall is how many bytes such a program may have without symbols. It had 4.55 MB
// when the limit was set, of which a program that does nothing has 1.1; all targets would
// add 4.
const maxSmall = 4_580_000

// TestLibraryIsSmall holds that who converts does not link the targets of code. The names of
// the folders above are no part of the program.
func TestLibraryIsSmall(t *testing.T) {
	name := filepath.Join(t.TempDir(), "small")
	goIn(t, small, "build", "-trimpath", "-ldflags", "-s -w", "-o", name)
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes", info.Size())
	if info.Size() > maxSmall {
		t.Errorf("a program that calls Convert has %d bytes, more than %d: find what it links with  go tool nm -size", info.Size(), maxSmall)
	}
}

// goIn runs the go command in a module of its own with this main.go, and returns
// what it prints.
func goIn(t *testing.T, main string, args ...string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("links a program")
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, content := range map[string]string{
		"main.go": main,
		"go.sum":  string(sums),
		"go.mod":  "module example.com/client\n\ngo 1.26\n\nrequire uncoil v0.0.0\n\nreplace uncoil => " + root + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}
