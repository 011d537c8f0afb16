package uncoil

import (
	"uncoil/internal/engine"
	"uncoil/internal/engine/compare"
)

// A Comparison says what differs between the requests of two texts.
type Comparison struct {
	// Verdict is "identical" where both send the same bytes with the same options, "equivalent"
	// where nothing but spelling differs, and else "different".
	Verdict string
	// Differences are 1,000 at most.
	Differences []Difference
}

// A Difference is one thing that differs.
type Difference struct {
	// Request is the number of the request, from 1; 0 where the number of requests differs.
	Request int
	// Kind is what differs: "requests" (how many), "method", "scheme", "user" (of the URL), "host",
	// "path", "query", "target" (of --request-target), "header", "cookie", "auth" (what curl
	// computes a field from), "json", "form", "part" (of multipart content), "content", "option"
	// (of the exchange) or "file" (that was not supplied, by what it holds).
	Kind string
	// Name is the name of a query member, field, cookie, pair, part or option, or the pointer of a
	// JSON value (RFC 6901). It is empty where the names and values are the same, and are spelled
	// otherwise or stand in another order.
	Name string
	// Member is what of a part differs: "content", "filename", "type", "encoder" or "headers".
	Member string
	// A and B are what each side has: a text, or of "json" JSON. nil means nothing.
	A, B *string
	// Spelling reports that the receiver takes both for the same, by the rules of the format.
	Spelling bool
	// At is the offset in bytes from which on content differs; A and B are its next bytes.
	At int
}

// Diff says what differs between the requests of two results. The error, if any, is an *Error: a
// comparison that takes too long.
func Diff(a, b *Result) (*Comparison, error) {
	list, err := engine.Diff(a.engine(), b.engine())
	if err != nil {
		return nil, errorOf(err)
	}
	c := Comparison{Verdict: string(compare.VerdictOf(list)), Differences: make([]Difference, len(list))}
	for i, d := range list {
		c.Differences[i] = Difference{d.Request, string(d.Kind), d.Name, d.Member, d.A, d.B, d.Spelling, d.At}
	}
	return &c, nil
}
