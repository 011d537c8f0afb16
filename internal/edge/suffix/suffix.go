// Package suffix has the list of public suffixes, for [uncoil.Input]. It stands
// apart because golang.org/x/net/publicsuffix imports net/http, which neither
// the library nor the engine for JavaScript may take along.
package suffix

import "golang.org/x/net/publicsuffix"

// Public returns the part of a domain, in lower case, that nobody can own,
// such as co.uk.
func Public(domain string) string {
	suffix, _ := publicsuffix.PublicSuffix(domain)
	return suffix
}
