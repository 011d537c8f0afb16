package httpapi

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// selfSigned returns a certificate for a loopback address and its key, in PEM.
func selfSigned(t *testing.T, serial int64) (chain, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(serial), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})
}

// The service answers by TLS, with the limits of connections, and a certificate that is
// replaced is that of the next connection.
func TestTLS(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	certificate := new(Certificate)
	chain, key := selfSigned(t, 1)
	if err := certificate.Load(chain, key); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- Serve(ctx, l, Config{TLS: certificate, MaxConnections: 4, Grace: time.Second}) }()
	serial := func() int64 {
		roots := x509.NewCertPool()
		roots.AppendCertsFromPEM(chain)
		client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, DisableKeepAlives: true}, Timeout: 10 * time.Second}
		resp, err := client.Post("https://"+l.Addr().String()+"/api/convert", typeText, strings.NewReader("curl https://example.com"))
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if body, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != 200 || !strings.Contains(string(body), `"method":"GET"`) || resp.Proto != "HTTP/1.1" {
			t.Fatal(resp.Status, resp.Proto, string(body), err)
		}
		return resp.TLS.PeerCertificates[0].SerialNumber.Int64()
	}
	for range 8 { // more than the connections that may be open
		if n := serial(); n != 1 {
			t.Fatal("certificate", n)
		}
	}
	other, otherKey := selfSigned(t, 2)
	if err := certificate.Load(other, key); err == nil || strings.Contains(err.Error(), "PRIVATE") {
		t.Error("a certificate with the key of another:", err)
	}
	if n := serial(); n != 1 {
		t.Error("after an error the certificate is", n)
	}
	if err := certificate.Load(other, otherKey); err != nil {
		t.Fatal(err)
	}
	chain = other
	if n := serial(); n != 2 {
		t.Error("the new certificate is", n)
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
