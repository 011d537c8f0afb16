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
	"uncoil/internal/engine/ascii"
)

// Tokens is the set of bearer tokens that clients may use. It can be replaced
// while the service runs.
type Tokens struct {
	all atomic.Pointer[[]namedToken]
}

// A namedToken is known by its sum, and its operator may give it a name.
type namedToken struct {
	sum  [sha256.Size]byte
	name string
}

// unnamed stands for a token without a name, in the log and in metrics.
const unnamed = "unnamed"

// maxTokenName is how long a name may be.
const maxTokenName = 40

// minToken is the least length of a token, so that it cannot be guessed.
const minToken = 16

// Load replaces the tokens with those of a text, one on each line, with a name before
// it where it has one: the log and the metrics then say whose request it was. Empty lines
// and lines that begin with # are ignored. After an error the tokens are the same
// as before. The error contains no token.
func (t *Tokens) Load(text []byte) error {
	var all []namedToken
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, secret := unnamed, line
		if words := strings.Fields(line); len(words) == 2 {
			name, secret = words[0], words[1]
		}
		if len(name) > maxTokenName || strings.Trim(name, idAlphabet) != "" {
			return fmt.Errorf("the name of the token on line %d must be up to %d letters, digits, dots, dashes and underscores", n, maxTokenName)
		}
		if len(secret) < minToken {
			return fmt.Errorf("the token on line %d has fewer than %d characters", n, minToken)
		}
		if strings.ContainsFunc(secret, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return fmt.Errorf("the token on line %d has a character that a header field cannot contain", n)
		}
		all = append(all, namedToken{sha256.Sum256([]byte(secret)), name})
	}
	if err := lines.Err(); err != nil {
		return err
	}
	if len(all) == 0 {
		return errors.New("the file has no token")
	}
	t.all.Store(&all)
	return nil
}

// Len returns the number of tokens.
func (t *Tokens) Len() int { return len(*t.all.Load()) }

// nameOf returns the name of a token, and false for one that the set does not have. Its
// time does not depend on how much of the token is right.
func (t *Tokens) nameOf(secret string) (name string, ok bool) {
	sum := sha256.Sum256([]byte(secret))
	for _, known := range *t.all.Load() {
		if subtle.ConstantTimeCompare(known.sum[:], sum[:]) == 1 {
			name, ok = known.name, true
		}
	}
	return name, ok
}

// wantToken refuses requests without a valid token, if the service has tokens.
func (s *server) wantToken(next http.Handler) http.Handler {
	if s.Tokens == nil {
		return next
	}
	return handlerFunc(func(w http.ResponseWriter, r *http.Request) error {
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		name, known := s.Tokens.nameOf(strings.TrimSpace(token))
		switch {
		case !ascii.EqualFold(scheme, "Bearer"):
			w.Header().Set("WWW-Authenticate", `Bearer realm="uncoil"`)
			return unauthorized("The request has no token.")
		case !known:
			w.Header().Set("WWW-Authenticate", `Bearer realm="uncoil", error="invalid_token"`)
			return unauthorized("The service does not know the token of the request.")
		}
		exchangeOf(w).token = name
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
