package httprequest_test

import (
	"bytes"
	"crypto/tls"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"uncoil"
	"uncoil/diag"
	"uncoil/httprequest"
	"uncoil/internal/proof/need"
	"uncoil/request"
)

// peers are servers that note which of them was asked for what.
type peers struct {
	mu    sync.Mutex
	seen  []string
	names map[string]string // what stands for them in a command
	files map[string]string
}

// start starts a plain server called a and one called b, one with TLS that asks for a
// certificate, one on a Unix socket, and a proxy that answers itself.
func start(t *testing.T) *peers {
	p := &peers{names: map[string]string{}, files: map[string]string{}}
	note := func(name string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			shown := ""
			if r.TLS != nil {
				shown = fmt.Sprintf(" sni=%q certificates=%d", r.TLS.ServerName, len(r.TLS.PeerCertificates))
			}
			p.mu.Lock()
			p.seen = append(p.seen, fmt.Sprintf("%s: %s %s host=%s proxy=%q%q body=%s%s", name, r.Method, r.RequestURI, r.Host, r.Header.Get("Proxy-Authorization"), r.Header["To-Proxy"], body, shown))
			p.mu.Unlock()
		})
	}
	for _, name := range []string{"a", "b", "proxy"} {
		server := httptest.NewServer(note(name))
		t.Cleanup(server.Close)
		_, p.names["{"+name+"}"], _ = net.SplitHostPort(server.Listener.Addr().String())
	}
	secure := httptest.NewUnstartedServer(note("secure"))
	secure.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	t.Cleanup(secure.Close)
	_, p.names["{secure}"], _ = net.SplitHostPort(secure.Listener.Addr().String())
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw})

	folder := t.TempDir()
	p.names["{socket}"] = filepath.Join(folder, "s")
	listener, err := net.Listen("unix", p.names["{socket}"])
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: note("socket")}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { server.Close() })
	p.names["{ca}"] = filepath.Join(folder, "ca.pem")
	if err := os.WriteFile(p.names["{ca}"], certificate, 0o600); err != nil {
		t.Fatal(err)
	}
	p.names["{client}"] = writeClient(t, folder)
	return p
}

// ask returns what the servers see of a function.
func (p *peers) ask(do func()) string {
	p.mu.Lock()
	p.seen = nil
	p.mu.Unlock()
	do()
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.seen, "\n")
}

// text returns a command with the places of the servers in it.
func (p *peers) text(command string) string {
	for name, place := range p.names {
		command = strings.ReplaceAll(command, name, place)
	}
	return command
}

// TestTransport holds that a client with the Transport of a request asks the servers that
// the real curl asks, for the same.
func TestTransport(t *testing.T) {
	curl := need.Program(t, "curl")
	need.Program(t, "bash")
	p := start(t)
	var refused []string
	for _, command := range []string{
		"curl http://127.0.0.1:{a}/x -d secret=1",
		"curl --unix-socket {socket} http://127.0.0.1:{a}/x -d secret=1",
		"curl --unix-socket {socket} -x http://127.0.0.1:{proxy} http://h.test/x",
		"curl --connect-to ::127.0.0.1:{b} http://h.test/x",
		"curl --connect-to h.test:80:127.0.0.1:{b} http://h.test/x",
		"curl --connect-to :81:127.0.0.1:{b} http://127.0.0.1:{a}/x",
		"curl --connect-to g.test::127.0.0.1:{b} --connect-to 127.0.0.1:{a}::{b} http://127.0.0.1:{a}/x",
		"curl --connect-to 127.0.0.1:{a}: --connect-to ::127.0.0.1:{b} http://127.0.0.1:{a}/x",
		"curl --connect-to ::[127.0.0.1]:{b} http://h.test/x",
		"curl --resolve h.test:{a}:127.0.0.1 http://h.test:{a}/x",
		"curl --resolve '*:{a}:127.0.0.1' http://h.test:{a}/x",
		"curl --resolve +h.test:{a}:127.0.0.2,127.0.0.1 http://h.test:{a}/x",
		"curl --resolve h.test:{a}:127.0.0.9 --resolve h.test:{a}:127.0.0.1 http://h.test:{a}/x",
		"curl --resolve '*:{a}:127.0.0.1' --resolve h.test:{a}:127.0.0.9 --resolve -h.test:{a} http://h.test:{a}/x",
		"curl --connect-to ::g.test:{b} --resolve g.test:{b}:127.0.0.1 http://h.test/x",
		"curl http://sub.localhost:{a}/x -4",
		"curl -x 127.0.0.1:{proxy} http://h.test/x?y",
		"curl -x http://127.0.0.1:{proxy} -U 'ann:p%40w' http://h.test/x",
		"curl -x http://ann:pw@127.0.0.1:{proxy} http://h.test/x",
		"curl -x http://p.test:{proxy} --resolve p.test:{proxy}:127.0.0.1 http://h.test/x",
		"curl -x http://127.0.0.1:{proxy} --noproxy 127.0.0.0/8 http://127.0.0.1:{a}/x",
		"curl -x http://127.0.0.1:{proxy} --noproxy '*' http://127.0.0.1:{a}/x",
		"curl -x http://127.0.0.1:{proxy} --noproxy test http://h.test:{a}/x --connect-to ::127.0.0.1:",
		"curl -x http://127.0.0.1:{proxy} --noproxy est http://h.test/x",
		"curl -x http://ann:pw@127.0.0.1:{proxy} https://h.test/x",
		"curl -x 127.0.0.1:{proxy} --proxy-header 'To-Proxy: a' -k https://127.0.0.1:{secure}/x",
		"curl -x https://127.0.0.1:{proxy} http://h.test/x", // which does not speak TLS
		"curl -6 http://127.0.0.1:{a}/x",
		"curl -4 http://localhost:{a}/x",
		"curl -x '' http://127.0.0.1:{a}/x",
		"curl https://127.0.0.1:{secure}/x",
		"curl -k https://127.0.0.1:{secure}/x",
		"curl --cacert {ca} https://127.0.0.1:{secure}/x",
		"curl --cacert {ca} --connect-to ::127.0.0.1:{secure} https://example.com/x",
		"curl --cacert {ca} --connect-to ::127.0.0.1:{secure} https://h.test/x",
		"curl --http1.1 -k --resolve h.test:{secure}:127.0.0.1 https://h.test:{secure}/x",
		"curl -k --cert {client} https://127.0.0.1:{secure}/x",
		"curl -k --cert {client}:pw https://127.0.0.1:{secure}/x",
		"curl -k --tls-max 1.2 --tlsv1.2 https://127.0.0.1:{secure}/x",
	} {
		text := p.text(command)
		want := p.ask(func() {
			run := exec.Command("bash", "-c", strings.Replace(text, "curl ", "'"+curl+"' -sS -m 5 ", 1))
			run.Env = []string{"HOME=" + t.TempDir()}
			_ = run.Run() // a refused certificate is an exit code
		})
		got := p.ask(func() { send(t, text) })
		if want == "" {
			refused = append(refused, command)
		}
		if got != want {
			t.Errorf("%s\nsent\n%s\ncurl sends\n%s", command, got, want)
		}
	}
	want := []string{"curl -x https://127.0.0.1:{proxy} http://h.test/x", "curl -6 http://127.0.0.1:{a}/x", "curl https://127.0.0.1:{secure}/x", "curl --cacert {ca} --connect-to ::127.0.0.1:{secure} https://h.test/x"}
	if diff := cmp.Diff(want, refused); diff != "" {
		t.Errorf("what curl sends nothing for (-want +got):\n%s", diff)
	}
}

// send sends a request as the package says.
func send(t *testing.T, text string) {
	t.Helper()
	result, err := uncoil.Parse(text, uncoil.Input{})
	if err != nil {
		t.Fatal(err)
	}
	r := &result.Requests[0]
	out, err := httprequest.New(t.Context(), r, os.ReadFile, httprequest.AnyPeer)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	transport, err := httprequest.Transport(r, os.ReadFile)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	defer transport.CloseIdleConnections()
	response, err := (&http.Client{Transport: transport}).Do(out)
	if err == nil {
		response.Body.Close()
	}
}

// TestOtherPeer holds that New refuses a Unix socket unless it may, and that Doubts names
// the option of every other peer.
func TestOtherPeer(t *testing.T) {
	for _, c := range []struct {
		options string
		refused bool
		doubt   string
	}{
		{"-k --max-time 3", false, ""},
		{"--unix-socket /s", true, "--unix-socket"},
		{"--abstract-unix-socket s", true, "--abstract-unix-socket"},
		{"-x p.test", false, "--proxy"},
		{"--connect-to ::x:", false, "--connect-to"},
	} {
		result, err := uncoil.Parse("curl "+c.options+" http://h.test/", uncoil.Input{})
		if err != nil {
			t.Fatal(err)
		}
		r := &result.Requests[0]
		if _, err := httprequest.New(t.Context(), r, nil); errors.Is(err, httprequest.ErrPeer) != c.refused || (err != nil) != c.refused {
			t.Errorf("%s: %v", c.options, err)
		}
		if _, err := httprequest.New(t.Context(), r, nil, httprequest.AnyPeer); err != nil {
			t.Errorf("%s, allowed: %v", c.options, err)
		}
		doubt := ""
		for _, d := range httprequest.Doubts(r) {
			if d.Code == diag.WarnOtherPeer {
				doubt = d.Option
			}
		}
		if doubt != c.doubt {
			t.Errorf("%s: the doubt names %q, want %q", c.options, doubt, c.doubt)
		}
	}
}

// TestTransportRefuses holds that an option without which the client would ask or trust
// another peer is an error that names it.
func TestTransportRefuses(t *testing.T) {
	for options, want := range map[string]string{
		"--preproxy p.test": "--preproxy", "-x socks4://p.test": "--proxy", "-x p.test --connect-to ::x:": "--connect-to",
		"-x socks5://p.test --resolve h.test:80:1.2.3.4": "--resolve", "-x p.test -p": "--proxytunnel", "-x https://p.test -k": "--insecure", "-x https://p.test --cert f": "--cert", "-x p.test --proxy-header A:b": "--proxy-header",
		"-x p.test -U a:b --proxy-digest": "--proxy-digest", "--pinnedpubkey sha256//x": "--pinnedpubkey", "--cert c.p12 --cert-type P12": "--cert-type",
		"--interface eth0": "--interface", "-0": "--http1.0", "--http3-only": "--http3-only", "--cacert f": "--cacert", "--cert f": "--cert",
	} {
		result, err := uncoil.Parse("curl "+options+" http://h.test/", uncoil.Input{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = httprequest.Transport(&result.Requests[0], func(string) ([]byte, error) { return []byte("nothing"), nil })
		e, ok := errors.AsType[*httprequest.OptionError](err)
		if !ok || e.Option != want || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error that names %s", options, err, want)
		}
	}
	r := &request.Request{URL: "https://h.test/", Options: request.Options{{Name: "cacert", Value: "ca.pem"}}}
	_, err := httprequest.Transport(r, nil)
	if e, ok := errors.AsType[*request.FileError](err); !ok || e.Name != "ca.pem" || !strings.Contains(err.Error(), "ca.pem") {
		t.Errorf("without the file: %v", err)
	}
}

// writeClient writes a certificate for a client with its key into one file.
func writeClient(t *testing.T, folder string) string {
	t.Helper()
	certificate, key := newCertificate(t)
	name := filepath.Join(folder, "client.pem")
	if err := os.WriteFile(name, bytes.Join([][]byte{certificate, key}, nil), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}
