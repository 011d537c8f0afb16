// Package uncoil turns a curl command into the HTTP request that curl would
// send.
//
//	result, err := uncoil.Parse(`curl -d a=1 https://example.com`, uncoil.Input{})
//
// [Parse] gives the full description of all requests, [Convert] the four members
// that most applications want of one: method, url, headers and data. Both are
// pure functions of their arguments: nothing is read, run or connected to,
// and they may be called from many goroutines at once.
//
// What the command takes from elsewhere (files, standard input, variables)
// is passed in an [Input]. A command that curl would refuse gives an [*Error]
// with a code, a span of the text and a hint.
//
// This is version 0: the Go API may change until version 1. The codes of
// diagnostics and the JSON of [Members] and [Result], which are those of the
// service, do not.
//
// Package uncoil/code writes the requests as programs, and package uncoil/readers reads
// requests as other programs have them; only who imports them links them.
package uncoil
