package httprequest_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	"uncoil"
	"uncoil/httprequest"
)

// A pasted command becomes a request, with a file from wherever it is kept.
func ExampleNew() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseMultipartForm(1 << 20)
		file, header, _ := r.FormFile("avatar")
		content, _ := io.ReadAll(file)
		fmt.Fprintf(w, "%s %s: %s is %q", r.Method, r.Header.Get("Authorization"), header.Filename, content)
	}))
	defer server.Close()

	result, err := uncoil.Parse("curl -F avatar=@me.png --oauth2-bearer t "+server.URL+"/me", uncoil.Input{})
	if err != nil {
		fmt.Println(err)
		return
	}
	files := func(name string) ([]byte, error) { return []byte("the image " + name), nil }
	r, err := httprequest.New(context.Background(), &result.Requests[0], files)
	if err != nil {
		fmt.Println(err)
		return
	}
	client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	response, err := client.Do(r)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer response.Body.Close()
	answer, _ := io.ReadAll(response.Body)
	fmt.Println(string(answer))
	// Output:
	// POST Bearer t: me.png is "the image me.png"
}

// A command for a Unix socket is answered there, and not by the host of its URL.
func ExampleTransport() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	listener, err := net.Listen("unix", filepath.Join(dir, "s"))
	if err != nil {
		fmt.Println(err)
		return
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s of %s", r.URL.Path, r.Host)
	})}
	defer server.Close()
	go func() { _ = server.Serve(listener) }()

	result, err := uncoil.Parse("curl --unix-socket "+listener.Addr().String()+" http://localhost/v1/info", uncoil.Input{})
	if err != nil {
		fmt.Println(err)
		return
	}
	one := &result.Requests[0]
	for _, doubt := range httprequest.Doubts(one) {
		fmt.Println(doubt.Code, doubt.Option)
	}
	r, err := httprequest.New(context.Background(), one, os.ReadFile, httprequest.AnyPeer)
	if err != nil {
		fmt.Println(err)
		return
	}
	transport, err := httprequest.Transport(one, os.ReadFile)
	if err != nil {
		fmt.Println(err)
		return
	}
	response, err := (&http.Client{Transport: transport}).Do(r)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer response.Body.Close()
	answer, _ := io.ReadAll(response.Body)
	fmt.Println(string(answer))
	// Output:
	// other-peer --unix-socket
	// /v1/info of localhost
}
