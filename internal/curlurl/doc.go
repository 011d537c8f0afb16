// Package curlurl is curl's idea of a URL: lib/urlapi.c and
// src/tool_urlglob.c of curl 8.22.
//
// It differs from WHATWG and RFC 3986 in many places (schemes are guessed
// from host names, the first @ ends the credentials, up to three slashes may
// follow the scheme), which is why net/url is of no use here.
//
// A URL in documentation often holds placeholders: $HOST, {{host}}, {id},
// <id>. [Mask] hides them behind marks that the parser lets pass everywhere,
// and [Masked.Restore] puts them back, so that they stay as typed.
package curlurl
