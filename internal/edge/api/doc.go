// Package api reads and writes what surrounds a command on its way in
// and out: the request object, the lines of a batch, the problem documents.
//
// The HTTP service and the command line's batch share it, so that a line
// means the same to both.
//
//	req, err := api.DecodeRequest(`{"curl": "curl https://example.com"}`)
//
// The reader is written by hand because it stands before every conversion:
// it makes one pass, and a string without escapes is a slice of the input.
// It is strict where a sloppy client would otherwise get a silently wrong
// answer (a member given twice, a wrong type, text after the object) and
// lenient where nothing can go wrong: unknown members are ignored, and null
// means that an optional member is absent.
package api
