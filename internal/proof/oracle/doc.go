// Package oracle asks the real curl what it sends.
//
// It is test support: a [Recorder] is a server on the loopback interface that
// keeps every request byte for byte, and [Run] has bash and curl run a command
// in an empty directory, with all their connections led to such a recorder by
// a small preloaded library. A [Generator] makes up random commands over
// curl's whole grammar, and [Shrink] cuts one that shows a difference down to
// what matters.
//
// The environment variable UNCOIL_CURL names the curl to ask, as a path; unset,
// it is the curl found on PATH. Tests that need it call [Require], which skips
// them where it is missing unless UNCOIL_REQUIRE_CURL is 1.
package oracle
