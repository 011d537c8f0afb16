package fmt_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	lean "uncoil/cmd/uncoil-wasm/lean/fmt"
)

type place struct{ line int }

func (p place) String() string { return fmt.Sprint("line ", p.line) }

// token formats itself as the tokens of the bash parser do.
type token string

func (t token) Format(f fmt.State, verb rune) {
	fmt.Fprintf(f, fmt.FormatString(f, verb), string(t))
}

type leanToken string

func (t leanToken) Format(f lean.State, verb rune) {
	lean.Fprintf(f, lean.FormatString(f, verb), string(t))
}

// Whatever the package takes at all, it formats as the whole fmt does.
func TestSprintf(t *testing.T) {
	operands := map[string][]any{
		"%s":  {"text", "ü\xff", "", errors.New("bad"), place{3}},
		"%v":  {"text", errors.New("bad"), place{3}, 0, -12, int64(1) << 62, 'ü'},
		"%d":  {0, -12, 'ü', int64(1) << 62},
		"%q":  {"text", "it's `\"\n\xff", 'ü', '\'', errors.New("bad"), place{3}},
		"%U":  {'a', 'ü', '\u1234', '\U0010ffff', rune(0)},
		"%#q": {[]byte("by`tes"), []byte("EOF"), "text", "back`quote", "line\nbreak", "", "ü\xff"},
	}
	for verb, list := range operands {
		for _, operand := range list {
			format := "a " + verb + ", 100%%"
			if got, want := lean.Sprintf(format, operand), fmt.Sprintf(format, operand); got != want {
				t.Errorf("Sprintf(%q, %#v) = %q, want %q", format, operand, got, want)
			}
		}
	}
	for _, text := range []string{"if", "a`b", "{"} {
		for _, verb := range []string{"%s", "%q", "%#q"} {
			if got, want := lean.Sprintf(verb, leanToken(text)), fmt.Sprintf(verb, token(text)); got != want {
				t.Errorf("Sprintf(%q) of a Formatter = %q, want %q", verb, got, want)
			}
		}
	}
	format := "%#q must be followed by %s at %d"
	if got, want := lean.Errorf(format, "x", "y", 7).Error(), fmt.Errorf(format, "x", "y", 7).Error(); got != want {
		t.Errorf("Errorf gives %q, want %q", got, want)
	}
}

func TestFprint(t *testing.T) {
	var got, want bytes.Buffer
	n, err := lean.Fprint(&got, "a", "b")
	fmt.Fprint(&want, "a", "b")
	if n != 2 || err != nil || got.String() != want.String() {
		t.Errorf("Fprint writes %q, %d, %v", got.String(), n, err)
	}
}

// What is left out must be noticed.
func TestLeftOut(t *testing.T) {
	for _, got := range []string{
		lean.Sprintf("%x", 1),
		lean.Sprintf("%5d", 1),
		lean.Sprintf("%v", []int{1}),
		lean.Sprintf("%d", []byte{1}),
		lean.Sprintf("%+v", 1),
		lean.Sprintf("%#v", "a"),
		lean.Sprintf("%d"),
		lean.Sprintf("", 1),
		lean.Sprintf("%"),
	} {
		if !strings.Contains(got, "%!") {
			t.Errorf("a call outside of the package's part gives %q", got)
		}
	}
}
