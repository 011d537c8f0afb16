package contract

import (
	"regexp"

	"uncoil/internal/edge/openapi"
	"uncoil/internal/engine/fault"
)

// A Document is an OpenAPI document that requests are held against.
type Document struct {
	*openapi.Document

	servers []*server // all that are named
	paths   []*pathItem
	tree    branch
	left    int // steps that may still be taken to find paths
	schemas *schemas
}

// Open reads a document, as [openapi.Open] does. A server in place of those that the
// document names may be given.
func Open(name string, servers []string, read func(name string) ([]byte, error)) (_ *Document, err error) {
	defer fault.Recover(&err)
	read_, err := openapi.Open(name, read)
	if err != nil {
		return nil, err
	}
	d := &Document{Document: read_, left: maxLookups}
	d.schemas = &schemas{document: d, patterns: make(map[string]*regexp.Regexp)}
	if d.serversOf(d.Root); len(servers) > 0 {
		d.servers = nil
		for _, url := range servers {
			d.servers = append(d.servers, newServer(url, nil))
		}
	}
	d.readPaths()
	return d, nil
}
