package engine

import (
	"uncoil/internal/engine/compare"
)

// Diff lists what differs between the requests of two texts. It pays with what may still be spent
// for a. The error, if any, is an *Error.
func Diff(a, b *Result) (list []compare.Difference, err error) {
	defer Recover(&err, a)
	m, failed := a.Begin()
	if failed != nil {
		return nil, failed
	}
	m.Admit(len(b.source))
	list = compare.Compare(m, a.Requests, b.Requests)
	if m.Over() {
		return nil, a.Fail(m.Diagnostic(a.curl))
	}
	return list, nil
}
