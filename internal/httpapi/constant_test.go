package httpapi

import (
	"flag"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

var (
	constantAddr  = flag.String("constant.addr", "", "serve constant answers on this `address` until killed, for bench/http.sh")
	constantBytes = flag.Int("constant.bytes", 0, "how large these answers are")
)

// TestConstantServer is no test but the measure of one: a server of net/http
// that reads what it gets and writes a constant, with nothing around it.
func TestConstantServer(t *testing.T) {
	if *constantAddr == "" {
		t.Skip("for bench/http.sh, which says where to listen")
	}
	answer := []byte(strings.Repeat("x", *constantBytes))
	length := []string{strconv.Itoa(len(answer))}
	c := Defaults()
	server := &http.Server{
		Addr: *constantAddr, ReadHeaderTimeout: c.ReadHeaderTimeout, ReadTimeout: c.ReadTimeout,
		WriteTimeout: c.WriteTimeout, IdleTimeout: c.IdleTimeout,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, err := io.Copy(io.Discard, r.Body); err != nil {
				return
			}
			w.Header()["Content-Type"] = headerJSON
			w.Header()["Content-Length"] = length
			_, _ = w.Write(answer)
		}),
	}
	t.Fatal(server.ListenAndServe())
}
