package codeproof

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/proof/oracle"
)

// Challenge answers like a server that wants Digest authentication, in the way
// that the path asks for: one below /sha-256 with that algorithm, one below
// /unqualified without a quality of protection, one below /basic with Basic
// as well; one below /open wants none.
func Challenge(r *oracle.Request) string {
	if len(r.Values("Authorization")) > 0 || strings.HasPrefix(r.Target, "/open/") {
		return Server(r)
	}
	const basic = "WWW-Authenticate: Basic realm=\"r, too\"\r\n"
	digest := `WWW-Authenticate: Digest realm="r", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c0==", qop="auth", algorithm=MD5`
	switch {
	case strings.HasPrefix(r.Target, "/sha-256/"):
		digest = strings.Replace(digest, "MD5", `SHA-256, opaque="o"`, 1)
	case strings.HasPrefix(r.Target, "/unqualified/"):
		digest = `WWW-Authenticate: digest nonce="n", realm="two words, and a comma", opaque="5ccc069c403ebaf9f0171e9517f40e41"`
	case strings.HasPrefix(r.Target, "/basic/"):
		digest = basic + strings.Replace(digest, `"auth"`, `"auth,auth-int"`, 1)
	}
	return Response(r, 401, digest, "")
}

// answers reports whether a request answers for Digest with a password: RFC 7616,
// section 3.4.1.
func answers(r *oracle.Request, password string) bool {
	values := r.Values("Authorization")
	if len(values) != 1 || !ascii.HasPrefixFold(values[0], "Digest ") {
		return false
	}
	part := digestParts(values[0])
	hash := func(texts ...string) string {
		text := []byte(strings.Join(texts, ":"))
		if strings.EqualFold(part["algorithm"], "SHA-256") {
			sum := sha256.Sum256(text)
			return hex.EncodeToString(sum[:])
		}
		sum := md5.Sum(text)
		return hex.EncodeToString(sum[:])
	}
	texts := []string{hash(part["username"], part["realm"], password), part["nonce"]}
	if part["qop"] != "" {
		texts = append(texts, part["nc"], part["cnonce"], part["qop"])
	}
	return part["uri"] == r.Target && part["response"] == hash(append(texts, hash(r.Method, part["uri"]))...)
}

// digestParts returns the parameters of an answer.
func digestParts(value string) map[string]string {
	parts := make(map[string]string)
	for _, found := range digestPart.FindAllStringSubmatch(value, -1) {
		parts[strings.ToLower(found[1])] = found[2] + found[3]
	}
	return parts
}

var digestPart = regexp.MustCompile(`(\w+)=(?:"([^"]*)"|([^\s,]+))`)

// digestUser returns the parameters of Digest that the client does not make up.
func digestUser(parameters string) string {
	var kept []string
	for name, value := range digestParts(parameters) {
		if slices.Contains([]string{"username", "realm", "nonce", "uri", "opaque"}, name) {
			kept = append(kept, name+"="+value)
		}
	}
	slices.Sort(kept)
	return strings.Join(kept, ",")
}
