// Package transfer turns the operations of a curl command into the requests that
// curl would send.
//
// It alone knows which option wins over which, and in what order curl writes
// header fields. One file holds one of curl's nouns: url.go, header.go,
// data.go, form.go, cookie.go, netrc.go, auth.go, date.go, range.go. The
// rules are those of src/config2setopts.c, src/tool_operate.c and
// lib/http.c of curl 8.22.
package transfer
