// Package httpapi is the HTTP service around package uncoil.
//
//	POST /api/convert      the four members
//	POST /api/parse        the full description
//	POST /api/code         a program
//	POST /api/explain      what each option does, and did
//	POST /api/diff         what differs between the requests of two texts
//	POST /api/batch        NDJSON in and out, streamed
//	GET  /                 a page to try it
//	GET  /openapi.yaml     the description of the service; also /openapi.json
//	GET  /problems/{code}  a page that explains an error
//	GET  /healthz, /readyz
//
// Handlers return errors, and only writeProblem writes them as responses. What
// all requests share is middleware, each in a file of its own.
//
// Commands contain passwords, tokens and cookies. Therefore contents, queries
// and header fields are never logged, and answers are never cached.
package httpapi
