package jvm

import (
	"slices"
	"strings"
	"testing"

	"uncoil/code/internal/plan"
)

// TestJVMStrings holds the rules of the literals of the languages of the Java
// virtual machine: bytes that are no text are characters of Latin-1, and
// nothing begins an interpolation.
func TestJVMStrings(t *testing.T) {
	for _, c := range []struct{ text, java, groovy, scala, kotlin string }{
		{"", `""`, `''`, `""`, `""`},
		{"a'b", `"a'b"`, `'a\'b'`, `"a'b"`, `"a'b"`},
		{`say "x" $y`, `"say \"x\" $y"`, `'say "x" $y'`, `"""say "x" $y"""`, `"say \"x\" \$y"`},
		{`a\b`, `"a\\b"`, `'a\\b'`, `"""a\b"""`, `"""a\b"""`},
		{`a\u0041`, `"a\\u0041"`, `'a\\u0041'`, `"a\\u0041"`, `"""a\u0041"""`},
		{"\x00\r\n\t\x7f", `"\u0000\r\n\t\u007f"`, `'\u0000\r\n\t\u007f'`, `"\u0000\r\n\t\u007f"`, `"\u0000\r\n\t\u007f"`},
		{"ü\u2028😀\U000e0001", `"ü\u2028😀\udb40\udc01"`, `'ü\u2028😀\udb40\udc01'`, `"ü\u2028😀\udb40\udc01"`, `"ü\u2028😀\udb40\udc01"`},
		{"\xff\xc3", `"ÿÃ"`, `'ÿÃ'`, `"ÿÃ"`, `"ÿÃ"`},
		{`"`, `"\""`, `'"'`, `"\""`, `"\""`},
	} {
		for i, got := range []string{jvmString(c.text), groovyString(c.text), scalaString(c.text), kotlinString(c.text)} {
			if want := []string{c.java, c.groovy, c.scala, c.kotlin}[i]; got != want {
				t.Errorf("literal %d of %q is %s, want %s", i, c.text, got, want)
			}
		}
	}
}

// TestJavaBlock holds what a text block escapes: blanks at the end of a line,
// blanks before each line, and three quotes.
func TestJavaBlock(t *testing.T) {
	for text, want := range map[string][]string{
		"a\nb\n":  {`"""`, `a`, `b`, `"""`},
		"a \n  b": {`"""`, `a\s`, `  b"""`},
		`{"a":"` + strings.Repeat("x, ", 30) + `","b":1,"c":2}`: {`"""`, `{"a":"` + strings.Repeat("x, ", 30) + `",\`, `"b":1,"c":2}"""`},
		" a\n b":            {`"""`, ` a`, `\sb"""`},
		`{"a":"b"}` + "\"":  {`"""`, `{"a":"b"}\""""`},
		`x"""y` + "\n\tz\r": {`"""`, `x\"""y`, `\tz\r"""`},
		"a\n\n\x01":         {`"""`, `a`, ``, `\u0001"""`},
	} {
		if got := javaBlock(&plan.Program{}, plan.Literal(text)); !slices.Equal(got, want) {
			t.Errorf("the block of %q is\n%s\nwant\n%s", text, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
