package serve

import (
	"net/http"
	"os/exec"
	"strings"
	"testing"
)

// TestHosts holds which hosts a service at a loopback address answers for: by
// itself only for the machine, because a page can have its name resolve to it.
func TestHosts(t *testing.T) {
	for _, test := range []struct {
		args, env []string
		evil      int
	}{
		{nil, nil, 421},
		{[]string{"-hosts", "localhost,EVIL.test"}, nil, 200},
		{[]string{"-hosts", "*"}, nil, 200},
		{nil, []string{"UNCOIL_HOSTS=evil.test"}, 200},
		{[]string{"-trusted-proxies", "127.0.0.1"}, nil, 200},
		{[]string{"-trusted-proxies", "127.0.0.1", "-hosts", "a.test"}, nil, 421},
	} {
		r := servicePrepared(t, func(cmd *exec.Cmd) { cmd.Env = append(cmd.Environ(), test.env...) }, test.args...)
		for _, path := range []string{"/api/convert", "/mcp"} {
			request, err := http.NewRequest("POST", r.url+path, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping","curl":"curl h"}`))
			if err != nil {
				t.Fatal(err)
			}
			request.Host = "evil.test"
			request.Header.Set("Origin", "http://evil.test")
			request.Header.Set("Content-Type", "application/json")
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			if response.StatusCode != test.evil {
				t.Errorf("%q %q: %s answers %s", test.args, test.env, path, response.Status)
			}
		}
		if out, err := exec.Command("uncoil", "health", "-addr", strings.TrimPrefix(r.url, "http://")).CombinedOutput(); err != nil {
			t.Errorf("%q %q: health says %s", test.args, test.env, out)
		}
	}
}
