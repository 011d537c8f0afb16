package curl

import (
	"cmp"
	"strconv"
	"strings"

	"uncoil/diag"
)

// state is what curl checks between the settings of one operation while it
// reads them.
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
// may ask for (HttpReq in src/tool_sdecls.h).
type methodOption string

// The kinds that can clash while options are read.
const (
	methodUnset methodOption = ""
	methodGet   methodOption = "GET (--no-head)"
	methodHead  methodOption = "HEAD (-I, --head)"
	methodForm  methodOption = "a multipart form (-F, --form)"
)

// apply checks a setting, acts on those that this package resolves, and adds
// the others to the operation.
func (p *parser) apply(s Setting) {
	if s.Flags&FlagDeprecated != 0 {
		p.diags.Warn(diag.WarnDeprecated, s.Span, "--"+s.Long+" is deprecated and has no function any more", "remove it")
		p.append(s)
		return
	}
	if s.TakesArgument() {
		p.warnArgument(s)
		if !p.checkArgument(s) {
			return
		}
	}
	switch s.ID {
	case OptConfig:
		p.config(s)
	case OptVariable:
		p.setVariable(s)
	case OptNext:
		p.next(s)
	case OptUrl:
		p.add(s)
	case OptVersion, OptManual:
		if s.On {
			p.noRequest(s.Span, s.Name, map[OptionID]string{
				OptVersion: "curl prints its version",
				OptManual:  "curl prints its manual",
			}[s.ID])
		}
	case OptDumpCaEmbed:
		p.noRequest(s.Span, s.Name, "curl prints its CA certificates")
	case OptHelp: // glued to its argument (-hall) it does nothing
		p.append(s)
	case OptEngine:
		if s.Value.Text == "list" {
			p.noRequest(s.Span, s.Name, "curl lists its engines")
			return
		}
		p.append(s)
	default:
		if p.checkCombination(s) {
			p.append(s)
		}
	}
}

// maxSettings bounds how many settings configuration files may add up to.
const maxSettings = 1 << 20

func (p *parser) append(s Setting) {
	if p.settings++; p.settings > maxSettings || !p.in.Meter.Work(1) {
		p.failed = true
		p.diags = append(p.diags, p.in.Meter.Diagnostic(s.Span))
		return
	}
	op := &p.operations[len(p.operations)-1]
	op.Settings = append(op.Settings, s)
}

// next begins a new operation.
func (p *parser) next(s Setting) {
	if p.state.urls == 0 {
		if p.depth == 0 { // in a configuration file curl lets it pass
			p.fail(diag.CodeNoURL, s.Span, s.Name, "there is no URL before "+s.Name, "put the URL of the first request before it")
		}
		return
	}
	p.state = state{}
	p.operations = append(p.operations, Operation{})
}

// add adds a URL, or with @name the URLs in a file.
func (p *parser) add(s Setting) {
	if p.failed {
		return
	}
	name, isFile := strings.CutPrefix(s.Value.Text, "@")
	if !isFile {
		p.addURL(s)
		return
	}
	content, ok := p.in.Read(name)
	if !ok {
		p.notSupplied(name, s.Value.Span, "the URLs are in the file "+printable(name))
		return
	}
	for line := range ConfigLines(content) {
		s.Value = p.in.word(line, s.Value.Span)
		s.On = false // one from a file is not globbed (remote_noglob)
		if p.addURL(s); p.failed {
			return
		}
	}
}

func (p *parser) addURL(s Setting) {
	if s.Value.Text == "" {
		p.fail(diag.CodeInvalidArgument, s.Span, s.Name, "the URL is empty", "give the URL, or remove the empty argument")
		return
	}
	p.state.urls++
	p.operations[len(p.operations)-1].URLs++
	if p.state.urls > 1 && p.state.etag {
		p.conflict(s, "--etag-save and --etag-compare work with a single URL only")
		return
	}
	p.append(s)
}

// notSupplied records that a file decides what the command is, and that the
// caller did not pass it.
func (p *parser) notSupplied(name string, span diag.Span, why string) {
	p.failed = true
	p.diags = append(p.diags, NotSupplied(span, why, name))
}

// The messages for a file that the body is in, or cookies may be in.
const (
	BodyNotSupplied    = "the body is in a file that was not supplied"
	CookiesNotSupplied = "cookies may be in a file that was not supplied, and are missing here"
)

// NotSupplied returns the error for files (or, as "-", standard input) that
// the answer depends on and that the caller did not pass.
func NotSupplied(span diag.Span, message string, names ...string) diag.Diagnostic {
	d := diag.Diagnostic{
		Code: diag.CodeFileNotSupplied, Severity: diag.Error, Span: span, Message: message,
		Hint: "pass its content in files", Files: names,
	}
	if len(names) == 1 && names[0] == "-" {
		d.Code, d.Files = diag.CodeStdinNotSupplied, nil
		d.Hint = "pass it in stdin"
	}
	return d
}

func (p *parser) conflict(s Setting, message string) {
	p.fail(diag.CodeConflictingOptions, s.Span, s.Name, message, "remove one of the two")
}

// wantMethod notes which kind of request a setting asks for.
func (p *parser) wantMethod(s Setting, m methodOption) bool {
	if p.state.method != methodUnset && p.state.method != m {
		p.conflict(s, "curl can make only one kind of request: "+string(m)+" and "+string(p.state.method)+" are both asked for")
		return false
	}
	p.state.method = m
	return true
}

// checkCombination makes the checks between options that curl makes while it
// reads them, which therefore depend on their order.
func (p *parser) checkCombination(s Setting) bool {
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
		p.conflict(last[len(last)-1], "--continue-at - and --remote-header-name cannot be combined")
	}
}

// maxPartDepth bounds how deep form parts may nest. Nobody nests more than
// two or three, and who reads the answer may do so with a stack.
const maxPartDepth = 64

// checkForm makes the checks of formparse() that end the command: a field
// needs a "=", and "=)" needs an open "=(".
func (p *parser) checkForm(s Setting) bool {
	name, value, ok := strings.Cut(s.Value.Text, "=")
	if !ok {
		if len(s.Value.Holes) > 0 {
			return true
		}
		p.fail(diag.CodeInvalidArgument, s.Value.Span, s.Name, s.Name+" needs name=value, and there is no =",
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
				"form parts nest deeper here than is answered: "+strconv.Itoa(cmp.Or(p.in.MaxPartDepth, maxPartDepth)), "nest fewer parts in each other")
			return false
		}
	case name == "" && value == ")":
		if p.state.formDepth == 0 {
			p.fail(diag.CodeInvalidArgument, s.Value.Span, s.Name, "there is no multipart to end here", "remove it, or begin the multipart with "+s.Name+" '=('")
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

func tlsMaxVersion(text string) int {
	return map[string]int{"1.0": 1, "1.1": 2, "1.2": 3, "1.3": 4}[text]
}
