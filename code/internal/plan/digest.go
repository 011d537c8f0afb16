package plan

import "embed"

// digestFiles are the functions of programs that answer for Digest themselves,
// because their clients do not: RFC 7616, with MD5 and SHA-256, and with the
// quality of protection auth or none. Like curl, they send the content only once
// the server has seen an answer, or needs none (authneg in curl 8.22 lib/http.c),
// and answer the server of the URL only. Other than curl, they ask anew after a
// redirect.
//
//go:embed digest
var digestFiles embed.FS

// AnswerDigest adds functions of digestFiles.
func (p *Program) AnswerDigest(names ...string) {
	for _, name := range names {
		p.Help(DigestFunction(name))
	}
}

// DigestFunction returns a function that answers for Digest, by the name of its file.
func DigestFunction(name string) string {
	function, err := digestFiles.ReadFile("digest/" + name)
	if err != nil {
		panic(err) // the name is not that of a file
	}
	return string(function)
}

// AnswersFirst warns that the program answers the first server only.
func (p *Program) AnswersFirst(c *Call) {
	p.LossAt(c.Place("followRedirects"), "--digest", "answers no server that asks after a redirect")
}

// KeepsDigest warns that the program answers no other host, where curl does.
func (p *Program) KeepsDigest(c *Call) {
	if c.Asked.Follow && c.Asked.Trusted {
		p.LossAt(c.Place("locationTrusted"), "--location-trusted", "answers no other host for Digest")
	}
}
