package transfer

import "strings"

// publicSuffix returns the last label of a domain. The engine for the browser
// has no list of suffixes: its package imports net/http, which would double the
// download.
func publicSuffix(domain string) string {
	return domain[strings.LastIndexByte(domain, '.')+1:]
}
