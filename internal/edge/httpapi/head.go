package httpapi

import (
	"net/http"
	"strconv"

	"uncoil/internal/edge/api"
)

// limitHead refuses requests whose URL or header exceeds its limit. net/http
// reads more than the limit, so that most of them get an answer that explains
// it.
func (s *server) limitHead(next http.Handler) http.Handler {
	return handlerFunc(func(w http.ResponseWriter, r *http.Request) error {
		if len(r.RequestURI) > s.MaxURL {
			closeAfter(w)
			return &api.Problem{
				Code:   api.CodeURITooLong,
				Detail: "The path and query are longer than the limit of " + strconv.Itoa(s.MaxURL) + " bytes.",
				Hint:   "send the command as the content of a POST",
			}
		}
		if headerSize(r) > s.MaxHeader {
			closeAfter(w)
			return &api.Problem{
				Code:   api.CodeHeaderTooLarge,
				Detail: "The header is larger than the limit of " + strconv.Itoa(s.MaxHeader) + " bytes.",
				Hint:   "leave out cookies and other fields that this service does not read",
			}
		}
		if len(r.TransferEncoding) > 0 {
			// net/http removes a Content-Length beside it. A proxy in front may
			// have used it and seen another request (RFC 9112, section 6.1), so
			// the connection is closed after this one.
			closeAfter(w)
		}
		next.ServeHTTP(w, r)
		return nil
	})
}

// readHeaderBytes returns the bytes of a header that net/http reads.
func readHeaderBytes(limit int) int { return 2*limit + 4<<10 }

// headerSize returns the size of the header fields on the wire.
func headerSize(r *http.Request) int {
	n := len("Host: \r\n") + len(r.Host)
	for name, values := range r.Header {
		for _, v := range values {
			n += len(name) + len(": ") + len(v) + len("\r\n")
		}
	}
	return n
}
