package httpapi

import (
	"math"
	"strconv"
	"time"

	"uncoil/internal/edge/api"
)

// A refusal is the problem of a request that may succeed when it is sent again.
type refusal struct {
	*api.Problem
	after time.Duration // when to send it again
	// fits: there would be room for a short content.
	fits bool
}

// Unwrap lets errors.As find the problem.
func (r *refusal) Unwrap() error { return r.Problem }

// aMoment is how long a client should wait for what is taken for a moment only.
const aMoment = time.Second

// overloaded returns the refusal above a limit that other clients use up.
func overloaded(detail string, after time.Duration) *refusal {
	return &refusal{Problem: &api.Problem{
		Code:   api.CodeOverloaded,
		Detail: detail,
		Hint:   "send the request again in a moment",
	}, after: after}
}

// tooMany returns the refusal above a limit that the client itself uses up.
func tooMany(detail string, after time.Duration) *refusal {
	return &refusal{Problem: &api.Problem{
		Code:   api.CodeRateLimited,
		Detail: detail,
		Hint:   "send fewer requests at once, or wait until the others have ended",
	}, after: after}
}

// seconds returns the value of Retry-After.
func seconds(d time.Duration) string { return strconv.Itoa(int(math.Ceil(d.Seconds()))) }
