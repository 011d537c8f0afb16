package httpapi

import (
	"bufio"
	"flag"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
)

var (
	constantAddr  = flag.String("constant.addr", "", "serve constant answers on this `address` until killed, for bench/http.sh")
	constantBytes = flag.Int("constant.bytes", 0, "how large these answers are")
	constantBare  = flag.Bool("constant.bare", false, "serve them with nothing of the service around")
)

// BenchmarkConstantServer is what the service is measured against: a handler that reads
// what it gets and writes a constant. It stands in the service in place of
// those of the API, or alone in a server of net/http.
func BenchmarkConstantServer(b *testing.B) {
	if *constantAddr == "" {
		b.Skip("for bench/http.sh, which says where to listen")
	}
	answer := []byte(strings.Repeat("x", *constantBytes))
	length := []string{strconv.Itoa(len(answer))}
	constant := handlerFunc(func(w http.ResponseWriter, r *http.Request) error {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return readProblem(err)
		}
		w.Header()["Content-Type"] = headerJSON
		w.Header()["Content-Length"] = length
		_, _ = w.Write(answer)
		return nil
	})
	c := Defaults()
	c.Log = slog.New(slog.NewJSONHandler(bufio.NewWriterSize(os.Stderr, 64<<10), nil)) // gathered, as serve does
	server := &http.Server{
		Addr: *constantAddr, ReadHeaderTimeout: c.ReadHeaderTimeout, ReadTimeout: c.ReadTimeout,
		WriteTimeout: c.WriteTimeout, IdleTimeout: c.IdleTimeout, Handler: constant,
	}
	if !*constantBare {
		s := newServer(c.withDefaults())
		server.Handler = s.around(map[string]http.Handler{"/api/convert": s.route()(constant), noRoute: handlerFunc(notFound)})
	}
	b.Fatal(server.ListenAndServe())
}
