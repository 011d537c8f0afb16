package httpapi

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"

	"uncoil/internal/api"
)

// Tokens are the bearer tokens of which a client needs one. They can be
// replaced while the service runs.
type Tokens struct {
	sums atomic.Pointer[[][sha256.Size]byte]
}

// minToken is how many characters a token must have, so that it cannot be
// guessed.
const minToken = 16

// Load replaces the tokens by those of a text with one on each line. Empty
// lines, and lines that begin with #, do not count. After an error the tokens
// are what they were. The error holds no token.
func (t *Tokens) Load(text []byte) error {
	var sums [][sha256.Size]byte
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		token := strings.TrimSpace(lines.Text())
		if token == "" || strings.HasPrefix(token, "#") {
			continue
		}
		if len(token) < minToken {
			return fmt.Errorf("the token on line %d has less than %d characters", n, minToken)
		}
		if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return fmt.Errorf("the token on line %d holds a character that a header field cannot carry", n)
		}
		sums = append(sums, sha256.Sum256([]byte(token)))
	}
	if err := lines.Err(); err != nil {
		return err
	}
	if len(sums) == 0 {
		return fmt.Errorf("there is no token in it")
	}
	t.sums.Store(&sums)
	return nil
}

// Len returns how many tokens there are.
func (t *Tokens) Len() int { return len(*t.sums.Load()) }

// has reports whether a token is one of them, in a time that does not depend
// on how much of it is right.
func (t *Tokens) has(token string) bool {
	sum := sha256.Sum256([]byte(token))
	found := 0
	for _, s := range *t.sums.Load() {
		found |= subtle.ConstantTimeCompare(s[:], sum[:])
	}
	return found == 1
}

// wantToken lets only requests through that carry a token, if tokens are
// wanted at all.
func (s *server) wantToken(next http.Handler) http.Handler {
	if s.Tokens == nil {
		return next
	}
	return handlerFunc(func(w http.ResponseWriter, r *http.Request) error {
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		switch {
		case !strings.EqualFold(scheme, "Bearer"):
			w.Header().Set("WWW-Authenticate", `Bearer realm="uncoil"`)
			return unauthorized("The request carries no token.")
		case !s.Tokens.has(strings.TrimSpace(token)):
			w.Header().Set("WWW-Authenticate", `Bearer realm="uncoil", error="invalid_token"`)
			return unauthorized("The token of the request is none that this service knows.")
		}
		next.ServeHTTP(w, r)
		return nil
	})
}

func unauthorized(detail string) error {
	return &api.Problem{
		Code:   api.CodeUnauthorized,
		Detail: detail,
		Hint:   "send Authorization: Bearer and a token from whoever runs the service",
	}
}
