package plan

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/redact"
	"uncoil/request"
)

// A Style says how close a program keeps to curl.
type Style uint8

// The styles.
const (
	// Idiomatic is what a person would write: the client's own helpers and its usual
	// behaviour, for a request that is the same by meaning.
	Idiomatic Style = iota
	// Exact keeps curl's bytes, and curl's behaviour in the exchange, as far as the
	// client can.
	Exact
)

// Exact reports whether the program keeps curl's bytes.
func (p *Program) Exact() bool { return p.Options.Style == Exact }

// Exact reports whether the program keeps curl's bytes.
func (c *Call) Exact() bool { return c.exact }

// Parts returns the parts in which the program writes a literal: in the idiomatic style
// the lines of a text that has several, because nobody cuts a URL or a token, and in the
// exact one also parts of a long line.
func (p *Program) Parts(s string) []string {
	if p.Exact() {
		return emit.SplitLong(s)
	}
	return emit.SplitLines(s)
}

// IsLong reports whether the program writes a literal in parts.
func (p *Program) IsLong(s string) bool {
	if p.Exact() {
		return emit.IsLong(s)
	}
	return strings.Count(s, "\n") > 1
}

// Stops reports whether the program keeps its client from following redirects, which
// curl does without -L. In the idiomatic style it does so only where the command looks at
// the head of the response, and where the client would take a credential to another host.
func (c *Call) Stops() bool { return !c.Follow() && (c.exact || c.LooksAtHead() || c.exposes != "") }

// Strips reports whether the program has to keep the credentials of the request from other
// hosts, for a client that goes to any of them, with all fields, unless it is told not to.
func (c *Call) Strips() bool { return !c.Stops() && c.hasSecret() }

// StopsOrGuards is Stops for a client that sends all fields wherever it is redirected to: it
// follows none either where the request has something for the server of the URL only.
func (c *Call) StopsOrGuards() bool {
	c.stays = c.Stops() || !c.Follow() && c.Guarded()
	return c.stays
}

// Catches reports whether the program catches what its client throws, because that would show
// a secret. A function throws as its client does.
func (p *Program) Catches() bool {
	return p.Target.Facts.Tells && !p.IsFunction() && !p.Options.Bare && slices.ContainsFunc(p.Calls, func(c *Call) bool { return redact.Sends(c.Request) })
}

// FailsOnly reports whether each status but one of success is a failure, for the help that a client
// has: redirects are followed, and the request asks for nothing on a condition (304).
func (c *Call) FailsOnly() bool {
	return !c.Stops() && !slices.ContainsFunc(c.Request.Fields, func(f request.Field) bool { return ascii.HasPrefixFold(f.Name, "if-") })
}

// LeavesRedirects reports whether the program leaves it to its client what to do with a
// redirect.
func (c *Call) LeavesRedirects() bool { return !c.Asked.Follow && !c.Stops() }

// LimitsRedirects reports whether the program says how many redirects are followed: in the
// idiomatic style only where the command does, and a client has a limit of its own.
func (c *Call) LimitsRedirects() bool { return c.exact || c.Has("maxRedirects") }

// LooksAtHead reports a command that looks at the head of the response.
func (c *Call) LooksAtHead() bool {
	return c.Method == "HEAD" || slices.ContainsFunc(c.Options, func(o request.Option) bool {
		return o.Name == "showHeaders" || o.Name == "dumpHeader" || o.Name == "writeOut"
	})
}
