// Constant serves the same answer to every request, under plain net/http with
// the timeouts of the service: the measure that bench/http.sh holds the
// service against. With -json it decodes what it is sent and encodes an answer.
package main

import (
	"encoding/json"
	"flag"
	"io"
	"log"
	"net/http"
	"strconv"
	"strings"

	"uncoil/bench/json/line"
	"uncoil/internal/edge/httpapi"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:18081", "listen on this `address`")
	size := flag.Int("bytes", 0, "answer with so many bytes")
	asJSON := flag.Bool("json", false, "decode requests and encode answers with encoding/json")
	flag.Parse()

	answer := []byte(strings.Repeat("x", *size))
	length := strconv.Itoa(len(answer))
	limits := httpapi.Defaults()
	server := &http.Server{
		Addr:              *addr,
		ReadHeaderTimeout: limits.ReadHeaderTimeout,
		ReadTimeout:       limits.ReadTimeout,
		WriteTimeout:      limits.WriteTimeout,
		IdleTimeout:       limits.IdleTimeout,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if *asJSON {
				var l line.Line
				if err := json.NewDecoder(r.Body).Decode(&l); err != nil {
					http.Error(w, err.Error(), http.StatusBadRequest)
					return
				}
				w.Header().Set("Content-Type", "application/json")
				_ = json.NewEncoder(w).Encode(line.Answer(&l).Result) // else the peer is gone
				return
			}
			if _, err := io.Copy(io.Discard, r.Body); err != nil {
				return
			}
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", length)
			_, _ = w.Write(answer)
		}),
	}
	log.Fatal(server.ListenAndServe())
}
