package curl

import (
	"cmp"
	"strconv"
	"strings"

	"uncoil/diag"
)

// state is what curl checks between the settings of one operation while it
// reads them: getparameter() in curl 8.22 src/tool_getparam.c.
type state struct {
	urls          int
	etag          bool
	ranged        bool
	resume        bool // -C
	resumeCurrent bool // -C -
	removePartial bool
	noClobber     bool
	remoteHeader  bool // -J
	tlsMin        int
	tlsMax        int
	method        methodOption
	formDepth     int
}

// methodOption is the one kind of request that the options of an operation
// may ask for (HttpReq in curl 8.22 src/tool_sdecls.h).
type methodOption string

// The kinds that can clash while options are read.
const (
	methodUnset methodOption = ""
	methodGet   methodOption = "GET (--no-head)"
	methodHead  methodOption = "HEAD (-I, --head)"
	methodForm  methodOption = "a multipart form (-F, --form)"
)

func (p *parser) conflict(s *Setting, message string) {
	p.fail(diag.CodeConflictingOptions, s.Span, s.Name, message, "remove one of the two")
}

// wantMethod notes which kind of request a setting asks for.
func (p *parser) wantMethod(s *Setting, m methodOption) bool {
	if p.state.method != methodUnset && p.state.method != m {
		p.conflict(s, "curl can make only one kind of request: "+string(m)+" and "+string(p.state.method)+" are both asked for")
		if m != methodGet && p.state.method != methodGet { // HEAD and a form
			p.diags[len(p.diags)-1].Hint = "write -i for -I to see the header of the answer"
		}
		return false
	}
	p.state.method = m
	return true
}

// checkCombination makes the checks between options that curl makes while it
// reads them, which therefore depend on their order.
func (p *parser) checkCombination(s *Setting) bool {
	st := &p.state
	switch s.ID {
	case OptHead:
		if s.On {
			return p.wantMethod(s, methodHead)
		}
		return p.wantMethod(s, methodGet)
	case OptForm, OptFormString:
		return p.checkForm(s) && p.wantMethod(s, methodForm)
	case OptEtagSave, OptEtagCompare:
		if st.urls > 1 {
			p.conflict(s, s.Name+" works with a single URL only")
			return false
		}
		st.etag = true
	case OptRange:
		if st.resume {
			p.conflict(s, "--continue-at and --range exclude each other")
			return false
		}
		st.ranged = true
	case OptContinueAt:
		other := ""
		switch {
		case st.ranged:
			other = "--range"
		case st.removePartial:
			other = "--remove-on-error"
		case st.noClobber:
			other = "--no-clobber"
		}
		if other != "" {
			p.conflict(s, "--continue-at and "+other+" exclude each other")
			return false
		}
		st.resume, st.resumeCurrent = true, s.Value.Text == "-"
	case OptRemoveOnError, OptClobber:
		stops := s.On == (s.ID == OptRemoveOnError)
		if st.resume && stops {
			p.conflict(s, "--continue-at and "+s.Name+" exclude each other")
			return false
		}
		if s.ID == OptRemoveOnError {
			st.removePartial = s.On
		} else {
			st.noClobber = !s.On
		}
	case OptRemoteHeaderName:
		st.remoteHeader = s.On
	case OptTlsv1, OptTlsv1_0, OptTlsv1_1, OptTlsv1_2, OptTlsv1_3:
		st.tlsMin = tlsVersion(s.ID)
		if st.tlsMax != 0 && st.tlsMax < st.tlsMin {
			p.conflict(s, s.Name+" asks for a newer TLS than --tls-max allows")
			return false
		}
	case OptTlsMax:
		st.tlsMax = tlsMaxVersion(s.Value.Text)
		if st.tlsMax < st.tlsMin {
			p.conflict(s, "--tls-max is older than the oldest TLS asked for")
			return false
		}
	}
	return true
}

// checkEnd makes the check that curl makes after the last argument.
func (p *parser) checkEnd() {
	if p.state.remoteHeader && p.state.resumeCurrent {
		last := p.operations[len(p.operations)-1].Settings
		p.conflict(&last[len(last)-1], "--continue-at - and --remote-header-name cannot be combined")
	}
}

// maxPartDepth bounds how deep form parts may nest unless the caller sets
// another bound. Commands nest two or three, and readers of the answer recurse.
const maxPartDepth = 64

// checkForm makes the checks that end the command: a field needs a "=", and
// "=)" needs an open "=(" (formparse() in curl 8.22 src/tool_formparse.c).
func (p *parser) checkForm(s *Setting) bool {
	name, value, ok := strings.Cut(s.Value.Text, "=")
	if !ok {
		if len(s.Value.Holes) > 0 {
			return true
		}
		p.fail(diag.CodeInvalidArgument, s.Value.Span, s.Name, s.Name+" needs name=value, and this has no =",
			"write "+s.Name+" 'name=value', or 'name=@file' for a file")
		return false
	}
	if s.ID == OptFormString {
		return true
	}
	switch {
	case strings.HasPrefix(value, "("):
		if p.state.formDepth++; p.state.formDepth > cmp.Or(p.in.MaxPartDepth, maxPartDepth) {
			p.fail(diag.CodeNestedTooDeep, s.Value.Span, s.Name,
				"form parts nest deeper here than the limit of "+strconv.Itoa(cmp.Or(p.in.MaxPartDepth, maxPartDepth)), "nest fewer parts in each other")
			return false
		}
	case name == "" && value == ")":
		if p.state.formDepth == 0 {
			p.fail(diag.CodeInvalidArgument, s.Value.Span, s.Name, "no multipart is open here", "remove it, or start the multipart with "+s.Name+" '=('")
			return false
		}
		p.state.formDepth--
	}
	return true
}

// tlsVersion returns the version that a --tlsv1… option asks for, counted
// as curl does: 1 for 1.0 up to 4 for 1.3.
func tlsVersion(id OptionID) int {
	switch id {
	case OptTlsv1_1:
		return 2
	case OptTlsv1_2:
		return 3
	case OptTlsv1_3:
		return 4
	}
	return 1
}

// tlsMaxVersion returns the version of --tls-max, or 0 for one that curl does
// not know.
func tlsMaxVersion(text string) int {
	switch text {
	case "1.0":
		return 1
	case "1.1":
		return 2
	case "1.2":
		return 3
	case "1.3":
		return 4
	}
	return 0
}
