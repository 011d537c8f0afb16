//go:build !js

package cli

import (
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"time"
)

// healthPatience is the longest time to wait for the answer of a service.
const healthPatience = 3 * time.Second

// health asks a service on this machine whether it is ready.
func (p *Program) health(args []string) error {
	fs := NewFlags("health")
	addr := fs.String("addr", cmp.Or(p.Env("UNCOIL_ADDR"), "127.0.0.1:8080"), "`ADDRESS`: the service, as uncoil serve takes it")
	if err := p.ParseFlags(fs, args, &healthPage); err != nil {
		return err
	}
	if fs.NArg() > 0 {
		return &UsageError{fmt.Sprintf("health takes no argument such as %q", fs.Arg(0)), "uncoil health -h"}
	}
	host, port, err := net.SplitHostPort(*addr)
	if err != nil {
		return &UsageError{"-addr: " + err.Error(), "uncoil health -h"}
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	ctx, cancel := context.WithTimeout(context.Background(), healthPatience)
	defer cancel()
	scheme := "http://"
	if p.Env("UNCOIL_TLS_CERT") != "" {
		scheme = "https://"
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, scheme+net.JoinHostPort(host, port)+"/readyz", nil)
	if err != nil {
		return err
	}
	// The certificate is for the name that others use, and nothing secret is asked.
	client := &http.Client{Transport: &http.Transport{Proxy: nil, DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the service at %s is not ready: %s", *addr, resp.Status)
	}
	_, err = fmt.Fprintln(p.Stdout, "ready")
	return err
}
