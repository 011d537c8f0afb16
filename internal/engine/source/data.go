package source

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/fetch"
	"uncoil/internal/engine/source/har"
	"uncoil/internal/engine/source/paste"
	"uncoil/internal/engine/source/rawhttp"
)

// A Form reads the texts of a dialect that are no commands.
type Form struct {
	// Is reports whether a text shows the dialect. It decides before any shell
	// does, so each sign must be one with which no command begins.
	Is func(src string) bool
	// What names such a text: "a HAR file".
	What string
	// Read reads a text into the curl commands that send its requests: all of them,
	// or the one entry, counted from 1.
	Read func(src string, entry int, env map[string]string, m *meter.Meter) ([]Command, diag.List)
	// HasEntries says that one of the requests may be chosen.
	HasEntries bool
	// Beside says that a text is the form of a request which it also has a command
	// for, and the command is read.
	Beside bool
}

// forms are those that are part of the program. Those that few programs need are
// registered by package readers.
var forms = [dialects]Form{
	HAR: {Is: har.Is, What: "a HAR file", HasEntries: true, Read: func(src string, entry int, _ map[string]string, m *meter.Meter) ([]Command, diag.List) {
		return har.Read(src, entry, m)
	}},
	HTTP: {Is: rawhttp.Is, What: "an HTTP request", Beside: true, Read: func(src string, _ int, _ map[string]string, m *meter.Meter) ([]Command, diag.List) {
		return rawhttp.Read(src, m)
	}},
	Fetch: {Is: fetch.Is, What: "a call of fetch", Beside: true, Read: func(src string, _ int, _ map[string]string, m *meter.Meter) ([]Command, diag.List) {
		return fetch.Read(src, m)
	}},
}

// Register makes a form part of the program. It is for functions init.
func Register(d Dialect, f Form) { forms[d] = f }

// HasEntries reports a dialect whose texts are files of requests, one of which may be
// chosen.
func (d Dialect) HasEntries() bool { return forms[d].HasEntries }

// Accepted names what a text may be in place of a command of curl, for sentences: "a HAR file,
// an HTTP request or a call of fetch", and what package readers registered.
func Accepted() string {
	var names []string
	for _, f := range forms {
		if f.What != "" {
			names = append(names, f.What)
		}
	}
	for _, p := range otherPrograms {
		names = append(names, p.What)
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// order is that in which the forms are tried: one before another that its texts look
// like, too.
var order = [...]Dialect{Postman, HAR, HTTPFile, HTTP, Fetch}

// detectData returns the dialect of a text that is no command, or Auto.
func detectData(src string, m *meter.Meter) Dialect {
	if strings.HasPrefix(src, "curl ") { // as most texts begin
		return Auto
	}
	for _, d := range order {
		if f := &forms[d]; f.Is != nil && (f.Is(src) && !(f.Beside && paste.HoldsCurl(src)) || d == HTTPFile && isMixed(src, m)) {
			return d
		}
	}
	return Auto
}

// readData reads a text that is no command into the curl commands that send its
// requests.
func readData(src string, d Dialect, entry int, env map[string]string, m *meter.Meter) Reading {
	r := Reading{Dialect: d}
	f := &forms[d]
	switch {
	case f.Read == nil:
		r.Diags.Error(diag.CodeInvalidArgument, diag.At(0), "this program has no reader for the shell "+d.String(), `import _ "uncoil/readers" in it`)
	case entry > 0 && !f.HasEntries:
		r.Diags = noEntries(src)
	default:
		if d == HTTPFile && paste.HoldsCurl(src) {
			if mixed, ok := readMixed(src, entry, env, m); ok {
				return mixed
			}
		}
		r.Commands, r.Diags = f.Read(src, entry, env, m)
	}
	if m.Over() {
		r.Commands, r.Diags = nil, diag.List{m.Diagnostic(diag.At(0))}
	}
	return r
}

// noEntries returns the error of a text that has no entries to choose from.
func noEntries(src string) (diags diag.List) {
	diags.Error(diag.CodeUnknownEntry, diag.Span{End: int32(len(src))}, "the text has no entries", "only a file of several requests has entries")
	return diags
}
