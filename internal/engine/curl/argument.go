package curl

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
)

// checkArgument refuses an argument that curl refuses while it reads the
// command line. An argument with unknown parts passes.
func (p *parser) checkArgument(s *Setting) bool {
	if len(s.Value.Holes) > 0 {
		return true
	}
	text := s.Value.Text
	if text == "" && s.Flags&FlagBlank == 0 && s.Arg >= ArgString {
		if s.ID == OptUrl {
			return true // addURL has the better message
		}
		return p.invalid(s, "the argument of "+s.Name+" is empty", "give it a value, or remove "+s.Name)
	}
	switch s.Arg {
	case ArgUnsigned:
		n, problem := parseUnsigned(text)
		if problem == "" && s.ID == OptVlanPriority && n > 7 {
			problem = "is more than 7"
		}
		return p.numeric(s, problem)
	case ArgSeconds:
		_, problem := ParseSeconds(text)
		return p.numeric(s, problem)
	}
	switch s.ID {
	case OptLimitRate, OptMaxFilesize:
		_, problem := ParseSize(text)
		return p.numeric(s, problem)
	case OptRate:
		return p.numeric(s, checkRate(text))
	case OptCreateFileMode:
		return p.numeric(s, checkFileMode(text))
	case OptMaxRedirs:
		digits, negative := strings.CutPrefix(text, "-")
		n, problem := parseUnsigned(digits)
		if problem == "" && negative && n > 1 {
			problem = "is below -1"
		}
		return p.numeric(s, problem)
	case OptIpTos:
		if isTypeOfService(text) {
			return true
		}
		n, problem := parseUnsigned(text)
		if problem == "" && n > 255 {
			problem = "is more than 255"
		}
		return p.numeric(s, problem)
	case OptContinueAt:
		if text == "-" {
			return true
		}
		_, problem := parseUnsigned(text)
		return p.numeric(s, problem)
	case OptLocalPort:
		return p.numeric(s, checkLocalPort(text))
	case OptTlsMax:
		if text == "default" || tlsMaxVersion(text) != 0 {
			return true
		}
		return p.invalid(s, s.Name+" takes default, 1.0, 1.1, 1.2 or 1.3", "")
	case OptProto, OptProtoRedir:
		if ParseProtocols(text, s.ID == OptProtoRedir) == 0 {
			return p.invalid(s, s.Name+" leaves no protocol allowed", "name at least one, such as =https")
		}
	case OptProtoDefault:
		if !KnownProtocol(text) {
			return p.invalid(s, "curl does not know this protocol", "write http or https")
		}
	case OptData, OptDataAscii, OptDataBinary, OptJson, OptHeader, OptProxyHeader, OptUrl, OptWriteOut:
		if text == "@" {
			return p.noFileName(s)
		}
	case OptDataUrlencode:
		if strings.HasSuffix(text, "@") && strings.IndexByte(text, '=') < 0 && strings.IndexByte(text, '@') == len(text)-1 {
			return p.noFileName(s)
		}
	case OptUploadFlags:
		return p.uploadFlags(s)
	case OptHostpubmd5:
		if len(text) != 32 {
			return p.invalid(s, s.Name+" needs 32 hexadecimal digits", "")
		}
	}
	return true
}

// invalid records an argument that curl refuses. Its message must not quote
// the argument of an option that may hold a secret.
func (p *parser) invalid(s *Setting, message, hint string) bool {
	p.fail(diag.CodeInvalidArgument, s.Value.Span, s.Name, message, hint)
	return false
}

func (p *parser) noFileName(s *Setting) bool {
	return p.invalid(s, "no file name follows the @ of "+s.Name, "name the file, or use --data-raw if the @ is part of the data")
}

// numeric records what is wrong with a number, if anything is.
func (p *parser) numeric(s *Setting, problem string) bool {
	if problem == "" {
		return true
	}
	return p.invalid(s, "the argument of "+s.Name+" "+problem, "")
}

// uploadFlags checks a list of flags: parse_upload_flags() in curl 8.22
// src/tool_getparam.c.
func (p *parser) uploadFlags(s *Setting) bool {
	for flag := range strings.SplitSeq(s.Value.Text, ",") {
		switch strings.TrimPrefix(flag, "-") {
		case "answered", "deleted", "draft", "flagged", "seen":
		default:
			return p.invalid(s, s.Name+" knows answered, deleted, draft, flagged and seen", "")
		}
	}
	return true
}

// isTypeOfService reports whether --ip-tos knows a name (tos_entries[] in curl
// 8.22 src/tool_getparam.c).
func isTypeOfService(name string) bool {
	switch name {
	case "AF11", "AF12", "AF13", "AF21", "AF22", "AF23", "AF31", "AF32", "AF33", "AF41", "AF42", "AF43",
		"CE", "CS0", "CS1", "CS2", "CS3", "CS4", "CS5", "CS6", "CS7", "ECT0", "ECT1", "EF", "LE",
		"LOWCOST", "LOWDELAY", "MINCOST", "RELIABILITY", "THROUGHPUT", "VOICE-ADMIT":
		return true
	}
	return false
}

// warnArgument points at arguments that are probably not what was meant.
func (p *parser) warnArgument(s *Setting) {
	text := s.Value.Text
	if text == "" {
		return
	}
	if startsWithTypographicQuote(text) {
		p.warn(diag.WarnUnicodeQuote, s.Value.Span,
			"the argument begins with a typographic quote, which is not a quote for the shell",
			"replace it with ' or \"")
	}
	if s.Arg == ArgFile && len(text) > 1 && text[0] == '-' {
		p.warn(diag.WarnLooksLikeOption, s.Value.Span,
			"the file name after "+s.Name+" looks like an option", "is the file name missing?")
	}
	if s.ID != OptHeader && s.ID != OptProxyHeader || text[0] == '@' {
		return
	}
	if strings.IndexByte(text, ':') < 0 && text[len(text)-1] != ';' {
		message, hint := "not a header: it has no colon, and curl leaves it out", "write "+s.Name+" 'Name: value'"
		if len(s.Value.Holes) > 0 {
			message, hint = "a header that only the shell knows is left out", "pass it in env"
		}
		before := len(p.diags)
		p.warn(diag.WarnNotAHeader, s.Value.Span, message, hint)
		if len(s.Value.Holes) > 0 && len(p.diags) > before {
			p.diags[before].Variable, p.diags[before].Count = s.Value.Holes[0].Name, len(s.Value.Holes)
		}
	} else if breaksWithoutColon(text) {
		p.warn(diag.WarnNotAHeader, s.Value.Span, "a line of the header has no colon: curl sends it, and servers refuse such a request", "write the header on one line")
	}
}

// breaksWithoutColon reports a text with a line behind a line break that is no header: it
// has no colon, and does not begin with a blank, by which it would be the rest of the one
// before.
func breaksWithoutColon(text string) bool {
	_, rest, ok := strings.Cut(text, "\n")
	for ok {
		var line string
		line, rest, ok = strings.Cut(rest, "\n")
		line = strings.TrimSuffix(line, "\r")
		if line != "" && !ascii.IsBlank(line[0]) && strings.IndexByte(line, ':') < 0 {
			return true
		}
	}
	return false
}

// startsWithTypographicQuote reports ‘ ’ “ or ” at the beginning.
func startsWithTypographicQuote(s string) bool {
	if len(s) < 3 || s[:2] != "\u2018"[:2] {
		return false
	}
	switch s[:3] {
	case "\u2018", "\u2019", "\u201c", "\u201d":
		return true
	}
	return false
}
