package transfer

import (
	"path"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/curlurl"
)

// rewriteIPFS turns ipfs://CID/path into the URL at the gateway:
// ipfs_url_rewrite() in curl 8.22 src/tool_ipfs.c.
func (t *transfer) rewriteIPFS() bool {
	u := t.url
	gateway := t.ipfsGateway()
	if gateway == "" {
		t.fail(diag.CodeInvalidURL, "the gateway for "+u.Scheme+":// is not known", "give it with --ipfs-gateway")
		return false
	}
	g, err := curlurl.Parse(gateway, 0, t.b.in.Meter)
	if err != nil || g.Query != "" || g.Scheme == "" {
		t.fail(diag.CodeInvalidURL, "the gateway is not a URL that curl takes", "give a URL without a query")
		return false
	}
	text, _ := curlurl.Unescape(g.Path)
	if !strings.HasSuffix(text, "/") {
		text += "/"
	}
	text += u.Scheme + "/" + u.Host
	if own, _ := curlurl.Unescape(u.Path); own != "/" {
		text += own
	}
	port := g.Port
	if port == "" {
		port = curlurl.DefaultPort(g.Scheme)
	}
	g.Port = port
	g.Path = curlurl.EscapePath(text)
	g.Query, g.HasQuery = u.Query, u.HasQuery
	g.User, g.Password, g.HasUser, g.HasPassword = u.User, u.Password, u.HasUser, u.HasPassword
	t.url = g
	return true
}

// ipfsGateway returns the gateway that --ipfs-gateway gives, or the variable
// IPFS_GATEWAY, or the first line of the file where IPFS keeps it.
func (t *transfer) ipfsGateway() string {
	if t.c.ipfsGateway.set() {
		return t.c.ipfsGateway.Text
	}
	env := t.b.in.Env
	if gateway := env["IPFS_GATEWAY"]; gateway != "" {
		return gateway
	}
	folder := env["IPFS_PATH"]
	if folder == "" {
		folder = path.Join(env["HOME"], ".ipfs")
	}
	content, _ := t.b.in.Read(path.Join(folder, "gateway"))
	line, _, _ := strings.Cut(content, "\n")
	return strings.TrimRight(line, "\r")
}
