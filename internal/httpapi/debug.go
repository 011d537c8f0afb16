package httpapi

import (
	"net/http"
	"net/http/pprof"
	"time"
)

// debugServer serves profiles and the metrics, for whoever runs the service.
func (s *server) debugServer() *http.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.Handle("/metrics", s.metrics.handler())
	return &http.Server{
		Handler:           mux,
		ReadHeaderTimeout: s.ReadHeaderTimeout,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    s.MaxHeader,
	}
}
