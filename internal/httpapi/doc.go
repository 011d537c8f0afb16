// Package httpapi is the HTTP service around package uncoil.
//
//	POST /api/convert      the four members
//	POST /api/parse        the full description
//	POST /api/batch        NDJSON in and out, streamed
//	GET  /                 a page to try it
//	GET  /openapi.yaml     the description of all this; also /openapi.json
//	GET  /problems/{code}  a page that explains an error
//	GET  /healthz, /readyz
//
// A handler returns an error instead of writing one; writeProblem is the one
// place that turns errors into responses. Each concern that all requests
// share is a middleware in a file of its own.
//
// Commands hold passwords, tokens and cookies, so nothing of a request's
// content, query or header fields is ever logged, and no answer may be stored
// by a cache.
package httpapi
