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
		"main.go": client,
		"go.sum":  string(sums),
		"go.mod":  "module example.com/client\n\ngo 1.26\n\nrequire uncoil v0.0.0\n\nreplace uncoil => " + root + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "run", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if diff := cmp.Diff(clientPrints, string(out)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
