package httpapi

import (
	"crypto/tls"
	"sync/atomic"
)

// A Certificate is what the service identifies itself with. It can be replaced while
// the service runs: new connections get the new one.
type Certificate struct {
	now atomic.Pointer[tls.Certificate]
}

// Load replaces the certificate with that of two texts in PEM: the chain and its key.
// After an error the certificate is the same as before.
func (c *Certificate) Load(chain, key []byte) error {
	pair, err := tls.X509KeyPair(chain, key)
	if err != nil {
		return err // which names no part of the key
	}
	c.now.Store(&pair)
	return nil
}

// config returns the configuration of TLS, or nil without a certificate. Connections
// have HTTP/1.1: their limits count one request at a time.
func (c *Certificate) config() *tls.Config {
	if c == nil {
		return nil
	}
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		NextProtos:     []string{"http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.now.Load(), nil },
	}
}
