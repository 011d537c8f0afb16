package httpapi

import (
	"net/http"
	"net/http/pprof"
	"time"

	"uncoil/internal/edge/api"
)

// debugServer serves profiles, metrics and probes to the operator of the service.
// Clients cannot use up its connections.
func (s *server) debugServer() *http.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	// Not pprof.Cmdline, because flags may name what is private.
	mux.Handle("/debug/pprof/cmdline", notFound())
	mux.Handle("/metrics", s.metrics.Handler())
	mux.Handle("/healthz", healthy)
	mux.Handle("/readyz", handlerFunc(s.ready))
	return &http.Server{
		Handler:           checkHost(mux),
		ReadHeaderTimeout: s.ReadHeaderTimeout,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    s.MaxHeader,
	}
}

// checkHost refuses requests for a host that is neither an IP address nor
// localhost, so that a web page whose name resolves to this machine (DNS
// rebinding) reads neither profiles nor metrics.
func checkHost(next http.Handler) http.Handler {
	return handlerFunc(func(w http.ResponseWriter, r *http.Request) error {
		if !isAddress(r.Host) {
			return &api.Problem{
				Code:   api.CodeNotFound,
				Detail: "Profiles and metrics are only for requests to an IP address or to localhost.",
			}
		}
		next.ServeHTTP(w, r)
		return nil
	})
}
