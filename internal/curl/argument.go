package curl

import (
	"math"
	"strings"

	"uncoil/diag"
)

// checkArgument refuses an argument that curl refuses while it reads the
// command line. An argument with unknown parts passes.
func (p *parser) checkArgument(s Setting) bool {
	if len(s.Value.Holes) > 0 {
		return true
	}
	text := s.Value.Text
	if text == "" && s.Flags&FlagBlank == 0 && s.Arg >= ArgString {
		if s.ID == OptUrl {
			return true // addURL says it better
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
		if ipTosNames[text] {
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
		if len(ParseProtocols(text, s.ID == OptProtoRedir)) == 0 {
			return p.invalid(s, s.Name+" leaves no protocol allowed", "name at least one, such as =https")
		}
	case OptProtoDefault:
		if !KnownProtocol(strings.ToLower(text)) {
			return p.invalid(s, "curl knows no protocol of that name", "write http or https")
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
func (p *parser) invalid(s Setting, message, hint string) bool {
	p.fail(diag.CodeInvalidArgument, s.Value.Span, s.Name, message, hint)
	return false
}

func (p *parser) noFileName(s Setting) bool {
	return p.invalid(s, "no file name follows the @ of "+s.Name, "name the file, or use --data-raw if the @ is meant as it stands")
}

// numeric records what is wrong with a number, unless that is nothing.
func (p *parser) numeric(s Setting, problem string) bool {
	if problem == "" {
		return true
	}
	return p.invalid(s, "the argument of "+s.Name+" "+problem, "")
}

const notANumber = "is not a number that curl takes here"

// cutNumber reads decimal digits as curlx_str_number() does: no sign, no
// blanks, at least one digit.
func cutNumber(s string) (n int64, rest, problem string) {
	i := 0
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		d := int64(s[i] - '0')
		if n > (math.MaxInt64-d)/10 {
			return 0, "", "is too large"
		}
		n = n*10 + d
	}
	if i == 0 {
		return 0, s, notANumber
	}
	return n, s[i:], ""
}

func parseUnsigned(s string) (n int64, problem string) {
	digits, negative := strings.CutPrefix(s, "-")
	n, rest, problem := cutNumber(digits)
	switch {
	case problem != "":
		return 0, problem
	case rest != "":
		return 0, notANumber
	case negative && n > 0:
		return 0, "is negative"
	}
	return n, ""
}

// ParseSeconds reads seconds with decimals; what follows the number is not
// looked at (secs2ms() in curl 8.22 src/tool_paramhlp.c). The problem is
// empty, or continues the words "the argument".
func ParseSeconds(s string) (seconds float64, problem string) {
	whole, rest, problem := cutNumber(s)
	if problem != "" {
		return 0, problem
	}
	if whole > math.MaxInt64/1000-1 {
		return 0, "is too large"
	}
	decimals, ok := strings.CutPrefix(rest, ".")
	if !ok {
		return float64(whole), ""
	}
	n, rest, problem := cutNumber(decimals)
	if problem != "" {
		return 0, problem
	}
	scale := math.Pow10(len(decimals) - len(rest))
	return math.Floor(float64(whole)*1000+float64(n)*1000/scale) / 1000, ""
}

// ParseSize reads a number of bytes with an optional decimal part and unit,
// as GetSizeParameter() in curl 8.22 src/tool_getparam.c.
func ParseSize(s string) (bytes int64, problem string) {
	n, rest, problem := cutNumber(s)
	if problem != "" {
		return 0, problem
	}
	var part int64
	digits := 0
	if decimals, ok := strings.CutPrefix(rest, "."); ok {
		if part, rest, problem = cutNumber(decimals); problem != "" {
			return 0, problem
		}
		digits = len(decimals) - len(rest)
	}
	if len(rest) > 1 {
		return 0, "has an unknown unit"
	}
	if rest == "" || rest == "b" || rest == "B" {
		if digits > 0 {
			return 0, "is a part of a byte"
		}
		return n, ""
	}
	power := strings.IndexByte("kmgtp", rest[0]|0x20)
	if power < 0 {
		return 0, "has an unknown unit"
	}
	multiplier := int64(1) << (10 * (power + 1))
	extra := int64(float64(multiplier) * float64(part) / math.Pow10(digits))
	if n > (math.MaxInt64-extra)/multiplier {
		return 0, "is too large"
	}
	return n*multiplier + extra, ""
}

// checkRate follows set_rate() in curl 8.22 src/tool_getparam.c: N, N/s,
// N/2m, N/h, N/d.
func checkRate(s string) (problem string) {
	n, rest, problem := cutNumber(s)
	if problem != "" {
		return problem
	}
	if n < 1 {
		return "is not a rate"
	}
	period := int64(60 * 60 * 1000)
	if unit, ok := strings.CutPrefix(rest, "/"); ok {
		units, tail, problem := cutNumber(unit)
		if problem != "" {
			units, tail = 1, unit
		}
		lengths := map[byte]int64{'s': 1000, 'm': 60 * 1000, 'h': 3600 * 1000, 'd': 24 * 3600 * 1000}
		if tail == "" || lengths[tail[0]] == 0 {
			return "has an unknown unit"
		}
		period = lengths[tail[0]]
		if math.MaxInt64/period < units {
			return "is too large"
		}
		period *= units
	}
	if n > period {
		return "is too large"
	}
	return ""
}

func checkFileMode(s string) (problem string) {
	n := 0
	for _, c := range []byte(s) {
		if c < '0' || c > '7' {
			return "is not an octal number"
		}
		if n = n*8 + int(c-'0'); n > 0o777 {
			return "is more than 0777"
		}
	}
	if s == "" {
		return "is not an octal number"
	}
	return ""
}

// checkLocalPort follows parse_localport(): N, N-M, with a blank on either
// side of the dash allowed.
func checkLocalPort(s string) (problem string) {
	first, rest, problem := cutNumber(s)
	switch {
	case problem != "":
		return problem
	case first > 65535:
		return "is more than 65535"
	case rest == "":
		return ""
	}
	rest = trimBlank(rest)
	rest, ok := strings.CutPrefix(rest, "-")
	if !ok {
		return notANumber
	}
	last, problem := parseUnsigned(trimBlank(rest))
	switch {
	case problem != "":
		return problem
	case last > 65535:
		return "is more than 65535"
	case last < first:
		return "ends before it begins"
	}
	return ""
}

func trimBlank(s string) string {
	if s != "" && (s[0] == ' ' || s[0] == '\t') {
		return s[1:]
	}
	return s
}

func (p *parser) uploadFlags(s Setting) bool {
	for flag := range strings.SplitSeq(s.Value.Text, ",") {
		switch strings.TrimPrefix(flag, "-") {
		case "answered", "deleted", "draft", "flagged", "seen":
		default:
			return p.invalid(s, s.Name+" knows answered, deleted, draft, flagged and seen", "")
		}
	}
	return true
}

var ipTosNames = func() map[string]bool {
	m := make(map[string]bool)
	for name := range strings.FieldsSeq(`AF11 AF12 AF13 AF21 AF22 AF23 AF31 AF32 AF33 AF41 AF42 AF43
		CE CS0 CS1 CS2 CS3 CS4 CS5 CS6 CS7 ECT0 ECT1 EF LE LOWCOST LOWDELAY MINCOST RELIABILITY
		THROUGHPUT VOICE-ADMIT`) {
		m[name] = true
	}
	return m
}()

// warnArgument points at arguments that are probably not what was meant.
func (p *parser) warnArgument(s Setting) {
	text := s.Value.Text
	if strings.HasPrefix(text, "\u2018") || strings.HasPrefix(text, "\u201c") ||
		strings.HasPrefix(text, "\u2019") || strings.HasPrefix(text, "\u201d") {
		p.diags.Warn(diag.WarnUnicodeQuote, s.Value.Span,
			"the argument begins with a typographic quote, which the shell does not take for a quote",
			"replace it by ' or \"")
	}
	if s.Arg == ArgFile && len(text) > 1 && text[0] == '-' {
		p.diags.Warn(diag.WarnLooksLikeOption, s.Value.Span,
			"the file name after "+s.Name+" looks like an option", "is the file name missing?")
	}
	if s.ID == OptHeader || s.ID == OptProxyHeader {
		if text != "" && text[0] != '@' && !strings.Contains(text, ":") && !strings.HasSuffix(text, ";") && len(s.Value.Holes) == 0 {
			p.diags.Warn(diag.WarnNotAHeader, s.Value.Span,
				"this is no header, since it has no colon; curl leaves it out",
				"write "+s.Name+" 'Name: value'")
		}
	}
}
