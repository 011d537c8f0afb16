package httpapi

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"

	"uncoil/internal/edge/api"
)

// Tokens is the set of bearer tokens that clients may use. It can be replaced
// while the service runs.
type Tokens struct {
	sums atomic.Pointer[[][sha256.Size]byte]
}

// minToken is the least length of a token, so that it cannot be guessed.
const minToken = 16

// Load replaces the tokens with those of a text, one on each line. Empty lines
// and lines that begin with # are ignored. After an error the tokens are the same
// as before. The error contains no token.
func (t *Tokens) Load(text []byte) error {
	var sums [][sha256.Size]byte
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		token := strings.TrimSpace(lines.Text())
		if token == "" || strings.HasPrefix(token, "#") {
			continue
		}
		if len(token) < minToken {
			return fmt.Errorf("the token on line %d has fewer than %d characters", n, minToken)
		}
		if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return fmt.Errorf("the token on line %d has a character that a header field cannot contain", n)
		}
		sums = append(sums, sha256.Sum256([]byte(token)))
	}
	if err := lines.Err(); err != nil {
		return err
	}
	if len(sums) == 0 {
		return errors.New("the file has no token")
	}
	t.sums.Store(&sums)
	return nil
}

// Len returns the number of tokens.
func (t *Tokens) Len() int { return len(*t.sums.Load()) }

// has reports whether the set contains a token. Its time does not depend on how
// much of the token is right.
func (t *Tokens) has(token string) bool {
	sum := sha256.Sum256([]byte(token))
	found := 0
	for _, s := range *t.sums.Load() {
		found |= subtle.ConstantTimeCompare(s[:], sum[:])
	}
	return found == 1
}

// wantToken refuses requests without a valid token, if the service has tokens.
func (s *server) wantToken(next http.Handler) http.Handler {
	if s.Tokens == nil {
		return next
	}
	return handlerFunc(func(w http.ResponseWriter, r *http.Request) error {
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		switch {
		case !strings.EqualFold(scheme, "Bearer"):
			w.Header().Set("WWW-Authenticate", `Bearer realm="uncoil"`)
			return unauthorized("The request has no token.")
		case !s.Tokens.has(strings.TrimSpace(token)):
			w.Header().Set("WWW-Authenticate", `Bearer realm="uncoil", error="invalid_token"`)
			return unauthorized("The service does not know the token of the request.")
		}
		next.ServeHTTP(w, r)
		return nil
	})
}

func unauthorized(detail string) error {
	return &api.Problem{
		Code:   api.CodeUnauthorized,
		Detail: detail,
		Hint:   "send Authorization: Bearer and a token from the operator of the service",
	}
}
