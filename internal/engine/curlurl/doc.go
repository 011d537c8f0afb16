// Package curlurl parses URLs and globs as curl does: lib/urlapi.c and
// src/tool_urlglob.c of curl 8.22.
//
// It differs from WHATWG and RFC 3986 in many rules (schemes are guessed
// from host names, the first @ ends the credentials, up to three slashes may
// follow the scheme), so net/url cannot parse it.
//
// A URL in documentation often holds placeholders: $HOST, {{host}}, {id},
// <id>. [Mask] replaces them with marks that the parser accepts everywhere,
// and [Masked.Restore] puts them back, so that they stay as typed.
package curlurl
