//go:build !js

package transfer

import "golang.org/x/net/publicsuffix"

// publicSuffix returns the part of a domain that nobody can own.
func publicSuffix(domain string) string {
	suffix, _ := publicsuffix.PublicSuffix(domain)
	return suffix
}
