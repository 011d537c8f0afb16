package curl

import (
	"math"
	"strings"

	"uncoil/internal/engine/ascii"
)

// The readers of numbers return what is wrong with an argument as the words
// that follow "the argument of --option", or "".

const notANumber = "is not a number that curl takes here"

// cutNumber reads decimal digits as curlx_str_number() does in curl 8.22
// lib/curlx/strparse.c: no sign, no blanks, at least one digit.
func cutNumber(s string) (n int64, rest, problem string) {
	i := 0
	for ; i < len(s) && ascii.IsDigit(s[i]); i++ {
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

// parseUnsigned reads a whole number that is not negative: str2unum() in curl
// 8.22 src/tool_paramhlp.c.
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

// ParseSeconds reads seconds with decimals and ignores what follows the
// number: secs2ms() in curl 8.22 src/tool_paramhlp.c.
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

// ParseSize reads a number of bytes with an optional decimal part and unit:
// GetSizeParameter() in curl 8.22 src/tool_getparam.c.
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
			return 0, "is a fraction of a byte"
		}
		return n, ""
	}
	power := strings.IndexByte("kmgtp", ascii.Lower(rest[0]))
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

// checkRate reads N, N/s, N/2m, N/h or N/d: set_rate() in curl 8.22
// src/tool_getparam.c.
func checkRate(s string) (problem string) {
	n, rest, problem := cutNumber(s)
	if problem != "" {
		return problem
	}
	if n < 1 {
		return "is not a rate"
	}
	const second = 1000 // milliseconds
	period := int64(3600 * second)
	if unit, ok := strings.CutPrefix(rest, "/"); ok {
		units, tail, problem := cutNumber(unit)
		if problem != "" {
			units, tail = 1, unit
		}
		if tail == "" {
			return "has an unknown unit"
		}
		switch tail[0] {
		case 's':
			period = second
		case 'm':
			period = 60 * second
		case 'h':
			period = 3600 * second
		case 'd':
			period = 24 * 3600 * second
		default:
			return "has an unknown unit"
		}
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

// checkFileMode reads an octal number up to 0777.
func checkFileMode(s string) (problem string) {
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '7' {
			return "is not an octal number"
		}
		if n = n*8 + int(s[i]-'0'); n > 0o777 {
			return "is more than 0777"
		}
	}
	if s == "" {
		return "is not an octal number"
	}
	return ""
}

// checkLocalPort reads N or N-M, with a blank on either side of the dash
// allowed: parse_localport() in curl 8.22 src/tool_getparam.c.
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
	rest, ok := strings.CutPrefix(cutBlank(rest), "-")
	if !ok {
		return notANumber
	}
	last, problem := parseUnsigned(cutBlank(rest))
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

// cutBlank removes one blank.
func cutBlank(s string) string {
	if s != "" && ascii.IsBlank(s[0]) {
		return s[1:]
	}
	return s
}
