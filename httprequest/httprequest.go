// Package httprequest makes requests of net/http that send what curl would
// send.
//
//	result, err := uncoil.Parse(command, uncoil.Input{})
//	…
//	one := &result.Requests[0]
//	r, err := httprequest.New(ctx, one, os.ReadFile, httprequest.AnyPeer)
//	…
//	transport, err := httprequest.Transport(one, os.ReadFile)
//	…
//	client := &http.Client{Transport: transport}
//	response, err := client.Do(r)
//
// The order of header fields is net/http's; it speaks no HTTP/1.0 and sends no
// empty User-Agent; and a Transport of net/http without DisableCompression asks
// for gzip by itself. Transport connects as the command asks: its Unix socket,
// proxy, --connect-to, --resolve and TLS. Redirects, cookies and the limit of the
// whole exchange stand in request.Request.Options, and are for the client to set.
package httprequest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/fault"
	"uncoil/internal/engine/peer"
	"uncoil/internal/engine/urlparts"
	"uncoil/request"
)

// ErrTarget is the error for a request target that net/http cannot send: one
// that begins with two slashes and is not a valid path.
var ErrTarget = errors.New("httprequest: net/http cannot send this request target")

// ErrField is the error for a field whose name net/http does not send.
var ErrField = errors.New("httprequest: net/http cannot send a field of this name")

// ErrAuth is the error for credentials that curl computes when it sends the
// request, by AWS signatures, HTTP message signatures, NTLM or Negotiate.
// request.Request.Auth has what they are computed from. Digest is no error,
// because curl sends its first request without credentials.
var ErrAuth = errors.New("httprequest: curl computes the credentials of this request; Auth of the request has what it needs")

// ErrPeer is the error for a request that curl sends to a Unix socket: a client that knows
// the URL alone would send it to another server.
var ErrPeer = errors.New("httprequest: curl sends this request to a Unix socket, and not to the host of its URL; Transport connects there, and AnyPeer allows the request")

// New returns the request for a client. One for a Unix socket is ErrPeer unless AnyPeer
// allows it; where curl connects to another peer in another way, Doubts says so. readFile, unless nil, supplies the
// files of the content that were not supplied when the command was read; "-" is
// standard input. When one is missing the error is a *request.FileError.
func New(ctx context.Context, r *request.Request, readFile func(name string) ([]byte, error), allowed ...Allowance) (_ *http.Request, err error) {
	defer fault.Recover(&err)
	if !slices.Contains(allowed, AnyPeer) && peer.Socket(r) != nil {
		return nil, ErrPeer
	}
	if r.Auth != nil && r.Auth.Computed() {
		return nil, ErrAuth
	}
	target, err := targetURL(r)
	if err != nil {
		return nil, err
	}
	boundary := newBoundary()
	body, err := r.AppendBody(nil, request.Source{Boundary: boundary, ReadFile: readFile})
	if err != nil {
		return nil, err
	}
	out := (&http.Request{
		Method: r.Method, URL: target, Host: target.Host, Header: make(http.Header),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}).WithContext(ctx)
	setBody(out, r, body)
	if err := setHeader(out, r, boundary); err != nil {
		return nil, err
	}
	return out, nil
}

// targetURL returns a URL whose request target, as net/http writes it, is that
// of the request, byte for byte.
func targetURL(r *request.Request) (*url.URL, error) {
	scheme, parts := urlparts.Scheme(r.URL), urlparts.Of(r.URL)
	if scheme == "" {
		return nil, errors.New("httprequest: the URL has no scheme")
	}
	authority := r.URL[parts.Authority:parts.Path]
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		authority = authority[i+1:]
	}
	u := &url.URL{Scheme: strings.ToLower(scheme), Host: authority}
	target := r.RequestTarget()
	path, query, hasQuery := strings.Cut(target, "?")
	if !strings.HasPrefix(target, "/") {
		path, query, hasQuery = target, "", false // of --request-target: "*", a URL
	}
	u.RawQuery, u.ForceQuery = query, hasQuery && query == ""
	if unescaped, err := url.PathUnescape(path); err == nil {
		u.Path, u.RawPath = unescaped, path
	}
	if u.EscapedPath() != path || !strings.HasPrefix(path, "/") {
		u.Path, u.RawPath, u.Opaque = "", "", path
	}
	if u.RequestURI() != target {
		return nil, ErrTarget
	}
	return u, nil
}

// setBody gives the request its content, which can be sent again after a
// redirect.
func setBody(out *http.Request, r *request.Request, body []byte) {
	if r.Body == nil {
		return
	}
	out.ContentLength = int64(len(body))
	out.GetBody = func() (io.ReadCloser, error) {
		if len(body) == 0 {
			return http.NoBody, nil
		}
		return io.NopCloser(bytes.NewReader(body)), nil
	}
	out.Body, _ = out.GetBody()
}

// setHeader gives the request its fields, with names as typed. net/http writes
// Host, the length and the coding of the content itself.
func setHeader(out *http.Request, r *request.Request, boundary string) error {
	agent := false
	for i := range r.Fields {
		f := &r.Fields[i]
		if strings.ContainsFunc(f.Name, notInToken) {
			return ErrField // which net/http would leave out
		}
		if name, _, _ := strings.Cut(f.Line, ":"); name != strings.Trim(name, " \t") {
			return ErrField // net/http sends no blank beside a name
		}
		value := f.Value
		switch http.CanonicalHeaderKey(f.Name) {
		case "Host":
			out.Host = value
			continue
		case "Content-Length":
			continue
		case "Transfer-Encoding":
			if ascii.EqualFold(strings.TrimSpace(value), "chunked") {
				out.TransferEncoding, out.ContentLength = []string{"chunked"}, -1
				continue
			}
		case "User-Agent": // net/http looks for this spelling only
			agent = true
			out.Header["User-Agent"] = append(out.Header["User-Agent"], value)
			continue
		case "Content-Type":
			if r.Body != nil && r.Body.Kind == request.KindMultipart {
				value += "; boundary=" + boundary
			}
		}
		out.Header[f.Name] = append(out.Header[f.Name], value)
	}
	if !agent {
		out.Header["User-Agent"] = []string{""} // keeps net/http from adding its own
	}
	return nil
}

// notInToken reports a character that no field name may have (RFC 9110, 5.6.2).
func notInToken(r rune) bool {
	return r <= ' ' || r > '~' || strings.ContainsRune("\"(),/:;<=>?@[\\]{}", r)
}

// newBoundary returns a boundary of the form that curl's have.
func newBoundary() string {
	const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	b := []byte("------------------------")
	for range 22 {
		b = append(b, letters[rand.IntN(len(letters))])
	}
	return string(b)
}
