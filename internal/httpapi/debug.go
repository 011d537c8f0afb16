package httpapi

import (
	"fmt"
	"io"
	"net/http"
	"runtime/pprof"
	"runtime/trace"
	"strconv"
	"time"
)

// debugServer serves profiles and the metrics, for whoever runs the service.
// The profiles have the addresses that net/http/pprof gives them, which go tool
// pprof knows. That package itself would be 3 % of the program, and take time
// in every run, with or without a service.
func (s *server) debugServer() *http.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /debug/pprof/{$}", listProfiles)
	mux.HandleFunc("GET /debug/pprof/{name}", writeProfile)
	mux.HandleFunc("GET /debug/pprof/profile", record(30*time.Second, pprof.StartCPUProfile, pprof.StopCPUProfile))
	mux.HandleFunc("GET /debug/pprof/trace", record(time.Second, trace.Start, trace.Stop))
	mux.Handle("/metrics", s.metrics.handler())
	return &http.Server{
		Handler:           mux,
		ReadHeaderTimeout: s.ReadHeaderTimeout,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    s.MaxHeader,
	}
}

// listProfiles says what there is, a name on each line.
func listProfiles(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	fmt.Fprintln(w, "profile?seconds=30\ntrace?seconds=1")
	for _, p := range pprof.Profiles() {
		fmt.Fprintln(w, p.Name())
	}
}

// writeProfile writes a profile of what is now: as go tool pprof reads it, or
// with ?debug=1 and ?debug=2 as text.
func writeProfile(w http.ResponseWriter, r *http.Request) {
	p := pprof.Lookup(r.PathValue("name"))
	if p == nil {
		http.NotFound(w, r)
		return
	}
	debug, _ := strconv.Atoi(r.FormValue("debug"))
	if debug > 0 {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	} else {
		w.Header().Set("Content-Type", "application/octet-stream")
	}
	_ = p.WriteTo(w, debug) // the client has gone
}

// record returns a handler that writes what happens for ?seconds=N, or for a
// usual time.
func record(usual time.Duration, start func(io.Writer) error, stop func()) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		d := usual
		if seconds, err := strconv.ParseFloat(r.FormValue("seconds"), 64); err == nil && seconds > 0 {
			d = time.Duration(seconds * float64(time.Second))
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		if err := start(w); err != nil { // one of its kind is being recorded
			http.Error(w, err.Error(), http.StatusConflict)
			return
		}
		defer stop()
		select {
		case <-time.After(d):
		case <-r.Context().Done():
		}
	}
}
