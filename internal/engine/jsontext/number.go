package jsontext

import (
	"strconv"
	"strings"
)

// SameNumber reports whether two numbers of JSON are the same decimal.
func SameNumber(a, b string) bool {
	digitsA, exponentA, okA := Decimal(a)
	digitsB, exponentB, okB := Decimal(b)
	return okA && okB && digitsA == digitsB && exponentA == exponentB
}

// Decimal returns a number of JSON as whole digits, without zeros at their ends, and the
// power of ten that they are multiplied by. It is not ok where that is no int.
func Decimal(s string) (digits string, exponent int, ok bool) {
	mantissa, power, found := strings.Cut(strings.ToLower(s), "e")
	if found {
		n, err := strconv.Atoi(power)
		if err != nil {
			return "", 0, false
		}
		exponent = n
	}
	sign := ""
	if rest, negative := strings.CutPrefix(mantissa, "-"); negative {
		sign, mantissa = "-", rest
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits = strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return "0", 0, true
	}
	exponent -= len(fraction)
	short := strings.TrimRight(digits, "0")
	return sign + short, exponent + len(digits) - len(short), true
}
