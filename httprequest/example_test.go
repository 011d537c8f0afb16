package httprequest_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

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
