package request

import (
	"math"
	"testing"
	"time"
)

// TestOptions checks what the values of options are in Go, and what they are where the
// command says nothing.
func TestOptions(t *testing.T) {
	all := Options{
		{Name: "followRedirects", Value: true}, {Name: "locationTrusted", Value: true}, {Name: "maxRedirects", Value: int64(-1)}, {Name: "keepMethod", Value: true},
		{Name: "insecure", Value: true}, {Name: "cacert", Value: "ca"}, {Name: "cert", Value: "c"}, {Name: "key", Value: "k"}, {Name: "tlsMin", Value: "1.2"}, {Name: "tlsMax", Value: "default"},
		{Name: "proxy", Value: ""}, {Name: "proxyUser", Value: "u:p"}, {Name: "noproxy", Value: "a,b"}, {Name: "maxTime", Value: 1.5}, {Name: "connectTimeout", Value: math.Inf(1)},
	}
	if got, want := all.Redirects(), (Redirects{Follow: true, Max: -1, Trusted: true, KeepMethod: true}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got, want := all.TLS(), (TLS{Insecure: true, CAFile: "ca", Cert: "c", Key: "k", Min: "1.2", Max: "default"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got, want := all.Proxy(), (Proxy{Set: true, User: "u:p", Not: "a,b"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := all.Timeouts(); got.Total != 1500*time.Millisecond || got.Connect < 290*365*24*time.Hour {
		t.Errorf("got %+v", got)
	}
	none := Options{{Name: "follow", Value: false}, {Name: "maxTime", Value: -1.0}}
	if got, want := none.Redirects(), (Redirects{Max: 50}); got != want || none.TLS() != (TLS{}) || none.Proxy() != (Proxy{}) || none.Timeouts() != (Timeouts{}) || none.Value("proxy") != nil {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
