package curl

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/meter"
)

// apply checks a setting, acts on those that this package resolves, and adds
// the others to the operation.
func (p *parser) apply(s *Setting) {
	if !p.work(len(s.Value.Text)/4 + 16) {
		return
	}
	p.record(s)
	if s.Flags&FlagDeprecated != 0 {
		p.warn(diag.WarnDeprecated, s.Span, "--"+s.Long+" is deprecated and has no function any more", "remove it")
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
	case OptVersion:
		if s.On {
			p.noRequest(s.Span, s.Name, "curl prints its version")
		}
	case OptManual:
		if s.On {
			p.noRequest(s.Span, s.Name, "curl prints its manual")
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

// append adds a setting to the last operation.
func (p *parser) append(s *Setting) {
	op := &p.operations[len(p.operations)-1]
	if !p.work(settingSteps) || !meter.Append(p.in.Meter, &op.Settings, *s) {
		p.overLimit()
	}
}

// next begins a new operation.
func (p *parser) next(s *Setting) {
	if p.state.urls == 0 {
		if p.depth == 0 { // in a configuration file curl lets it pass
			p.fail(diag.CodeNoURL, s.Span, s.Name, "no URL stands before "+s.Name, "put the URL of the first request before it")
		}
		return
	}
	p.state = state{}
	if !p.work(settingSteps) || !meter.Append(p.in.Meter, &p.operations, Operation{}) {
		p.overLimit()
	}
}

// add adds a URL, or with @name the URLs in a file.
func (p *parser) add(s *Setting) {
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
	for line, rest, ok := cutLine(content); ok; line, rest, ok = cutLine(rest) {
		s.Value = p.word(line, s.Value.Span)
		s.On = false // one from a file is not globbed (remote_noglob)
		if p.addURL(s); p.failed {
			return
		}
	}
}

func (p *parser) addURL(s *Setting) {
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
	if p.in.Meter.Over() {
		p.overLimit()
		return
	}
	p.failed = true
	p.diags = append(p.diags, NotSupplied(span, why, name))
}

// The messages for a file that the body is in, or cookies may be in.
const (
	BodyNotSupplied    = "the body is in a file that was not supplied"
	CookiesNotSupplied = "cookies may be in a file that was not supplied, and are missing here"
)

// EmptyIfNone is what hints add where curl goes on without the file.
const EmptyIfNone = ", empty if there is none"

// NotSupplied returns the error for files (or, as "-", standard input) that
// the answer depends on and that the caller did not pass.
func NotSupplied(span diag.Span, message string, names ...string) diag.Diagnostic {
	d := diag.Diagnostic{
		Code: diag.CodeFileNotSupplied, Severity: diag.SeverityError, Span: span, Message: message,
		Hint: "pass its content in files", Files: names,
	}
	if message == CookiesNotSupplied {
		d.Hint += EmptyIfNone
	}
	if len(names) == 1 && names[0] == "-" {
		d.Code, d.Files = diag.CodeStdinNotSupplied, nil
		d.Hint = "pass it in stdin"
		if message == BodyNotSupplied {
			d.Message = "the body is standard input, which was not supplied"
		}
	}
	return d
}
