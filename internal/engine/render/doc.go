// Package render writes requests as bytes: the four-member JSON, the full
// JSON description, problem documents, and raw HTTP/1.1. All of it appends
// to a slice and allocates nothing of its own on the plain paths.
package render
