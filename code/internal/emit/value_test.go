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

// TestParseAround checks where JSON may have holes, which $ marks.
func TestParseAround(t *testing.T) {
	for src, want := range map[string]string{
		`{"a":"$"}`:             `{a:<0>}`,
		`{"a":"b$c$$"}`:         `{a:b<0>c<1><2>}`,
		`["$","a\n\u00e9\\$b"]`: "[<0>,a\né\\<1>b]",
		`[["$"],{"b":"$é"}]`:    `[[<0>],{b:<1>é}]`,
		`[$]`:                   "",
		`$["a"]`:                "",
		`["a"]$`:                "",
		`["a"$]`:                "",
		`[$"a"]`:                "",
		`[1$]`:                  "",
		`{"$":1}`:               "",
		`{"a$b":"$"}`:           "",
		`["\$n"]`:               "",
		`["\u00$e9"]`:           "",
		`["\ud83d$\ude00"]`:     "",
		"[\"\xc3$\xa9\"]":       "",
		`["$"`:                  "",
	} {
		var holes []int
		parts := strings.Split(src, "$")
		for i, at := 0, 0; i+1 < len(parts); i++ {
			at += len(parts[i])
			holes = append(holes, at)
		}
		got := ""
		if v, ok := new(ValueParser).ParseAround(strings.Join(parts, ""), holes); ok {
			got = shown(&v)
		}
		if got != want {
			t.Errorf("%s is %s, want %s", src, got, want)
		}
	}
	const n = maxValues/2 - 1 // a hole counts for two values
	for _, more := range []int{0, 1} {
		if _, ok := new(ValueParser).ParseAround(`[""]`, make([]int, n+more)); ok {
			t.Error("holes before the string are in it")
		}
		holes := make([]int, n+more)
		for i := range holes {
			holes[i] = len(`["`)
		}
		if _, ok := new(ValueParser).ParseAround(`[""]`, holes); ok != (more == 0) {
			t.Errorf("%d holes are taken: %t", n+more, ok)
		}
	}
}

// shown returns a value with its holes.
func shown(v *Value) string {
	var list []string
	for i := range v.Items {
		name := ""
		if v.Kind == ObjectValue {
			name = v.Names[i] + ":"
		}
		list = append(list, name+shown(&v.Items[i]))
	}
	switch {
	case v.Kind == HoleValue:
		return "<" + strconv.Itoa(int(v.Hole)) + ">"
	case v.Kind == StringValue && len(list) > 0:
		return strings.Join(list, "")
	case v.Kind == ArrayValue:
		return "[" + strings.Join(list, ",") + "]"
	case v.Kind == ObjectValue:
		return "{" + strings.Join(list, ",") + "}"
	}
	return v.Text
}

// TestHasLines checks which texts a literal shows in lines.
func TestHasLines(t *testing.T) {
	for s, want := range map[string]bool{
		"": false, "a": false, "a\n": false, "a\nb": false, "a\nb\n": false, "a\nb\nc": true, "a\n\nc": true, "\na\nb\nc": false, "a\n\n\n": false,
	} {
		if got := HasLines(s); got != want {
			t.Errorf("%q is shown in lines: %t", s, got)
		}
		if got := EscapesBreaks(s); got != (strings.Contains(s, "\n") && !want) {
			t.Errorf("the line breaks of %q are escaped: %t", s, got)
		}
	}
}

// TestAppendRune checks which characters an encoder escapes.
func TestAppendRune(t *testing.T) {
	const all = "\"\\/<>&\n\x01\x7f\u0080é\uffff😀"
	for _, c := range []struct {
		encoder Encoder
		want    string
	}{
		{Encoder{}, `\"\\/<>&\n\u0001` + "\x7f\u0080é\uffff😀"},
		{Encoder{Slash: true, html: true}, `\"\\\/\u003c\u003e\u0026\n\u0001` + "\x7f\u0080é\uffff😀"},
		{Encoder{ASCIIOnly: true}, `\"\\/<>&\n\u0001` + "\x7f" + `\u0080\u00e9\uffff\ud83d\ude00`},
	} {
		var got []byte
		for _, r := range all {
			got = c.encoder.appendRune(got, r)
		}
		if string(got) != c.want {
			t.Errorf("%+v writes %s, want %s", c.encoder, got, c.want)
		}
	}
}
