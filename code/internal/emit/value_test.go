package emit

import (
	"strconv"
	"strings"
	"testing"
)

// TestHolds checks which values an encoder whose numbers are doubles prints by meaning.
func TestHolds(t *testing.T) {
	double := Encoder{Item: ",", Name: ":", Keeps: Distinct, Number: func(digits string) string {
		f, err := strconv.ParseFloat(digits, 64)
		if err != nil {
			return ""
		}
		return strconv.FormatFloat(f, 'g', -1, 64)
	}}
	for src, want := range map[string]bool{
		`[1.50]`:                      true,
		`[1e2]`:                       true,
		`[1E+2]`:                      true,
		`[-0]`:                        true,
		`[-0.0]`:                      true,
		`[0e5]`:                       true,
		`[100.0]`:                     true,
		`[9007199254740992]`:          true,
		`[9007199254740993]`:          false,
		`[12345678901234567890]`:      false,
		`[9223372036854775807]`:       false,
		`[0.1234567890123456789]`:     false,
		`[1e400]`:                     false,
		`[1e-400]`:                    false,
		`[5e-324]`:                    true,
		`[1e99999999999999999999]`:    false,
		`[3.141592653589793]`:         true,
		`{"a":1,"a":2}`:               false,
		`{"a":1,"\u0061":2}`:          false,
		`[{"a":{"b":1,"b":1}}]`:       false,
		`{"a":{"b":1},"c":{"b":1}}`:   true,
		`{"":1,"0":2,"__proto__":{}}`: true,
		`{}`:                          true,
		"{ \"a\" : [ ] ,\n\"b\":{}}":  true,
		"[\"\u2028 \\u0000 \\/ \"]":   true,
	} {
		v, ok := ParseValue(src)
		if got := ok && double.Holds(&v); got != want {
			t.Errorf("%s is held: %t, want %t", src, got, want)
		}
	}
}

// TestParseValueBounds checks what is no value to be written as a literal.
func TestParseValueBounds(t *testing.T) {
	for src, want := range map[string]bool{
		strings.Repeat("[", 33) + strings.Repeat("]", 33): true,
		strings.Repeat("[", 34) + strings.Repeat("]", 34): false,
		`["\ud83d\ude00"]`: true,
		`["\ud800"]`:       false,
		`{"\udc00":1}`:     false,
		`1.50`:             false,
		`{a:1}`:            false,
		`[1,]`:             false,
		`[NaN]`:            false,
		"\ufeff[]":         false,
		`[][]`:             false,
	} {
		if _, ok := ParseValue(src); ok != want {
			t.Errorf("%s is a value: %t, want %t", src, ok, want)
		}
	}
}
