package build

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/curlurl"
)

// rewriteIPFS turns ipfs://CID/path into the URL at the gateway:
// ipfs_url_rewrite() in curl 8.22 src/tool_ipfs.c. The gateway comes from
// --ipfs-gateway, or from the variable IPFS_GATEWAY.
func (t *transfer) rewriteIPFS() bool {
	u := t.url
	gateway := t.c.ipfsGateway.Text
	if !t.c.ipfsGateway.set {
		gateway = t.b.in.Env["IPFS_GATEWAY"]
	}
	if gateway == "" {
		t.fail(diag.CodeInvalidURL, "the gateway for "+u.Scheme+":// is not known", "give it with --ipfs-gateway")
		return false
	}
	g, err := curlurl.Parse(gateway, 0)
	if err != nil || g.Query != "" || g.Scheme == "" {
		t.fail(diag.CodeInvalidURL, "the gateway is not a URL that curl takes", "give a URL without a query")
		return false
	}
	path, _ := curlurl.Unescape(g.Path)
	if !strings.HasSuffix(path, "/") {
		path += "/"
	}
	path += u.Scheme + "/" + u.Host
	if own, _ := curlurl.Unescape(u.Path); own != "/" {
		path += own
	}
	port := g.Port
	if port == "" {
		port = curlurl.DefaultPort(g.Scheme)
	}
	g.Port = port
	g.Path = curlurl.EscapePath(path)
	g.Query, g.HasQuery = u.Query, u.HasQuery
	g.User, g.Password, g.HasUser, g.HasPassword = u.User, u.Password, u.HasUser, u.HasPassword
	t.url = g
	return true
}
