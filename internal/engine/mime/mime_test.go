package mime

import (
	"slices"
	"strings"
	"testing"
)

func TestEscapeName(t *testing.T) {
	const name = "a\"b\\c\r\n"
	if got, want := EscapeName(name, false), `a%22b\c%0D%0A`; got != want {
		t.Errorf("with percent signs %q, want %q", got, want)
	}
	if got, want := EscapeName(name, true), "a\\\"b\\\\c\r\n"; got != want {
		t.Errorf("with backslashes %q, want %q", got, want)
	}
}

func TestIsForm(t *testing.T) {
	for contentType, want := range map[string]bool{
		"multipart/form-data": true, "Multipart/Form-Data; x=y": true, "multipart/form-data x": true,
		"multipart/form-data2": false, "multipart/form": false, "multipart/mixed": false, " multipart/form-data": false, "": false,
	} {
		if got := IsForm(contentType); got != want {
			t.Errorf("%q: %t, want %t", contentType, got, want)
		}
	}
}

func TestFields(t *testing.T) {
	lines := []string{"X-A: 1", "content-type:  \ta ", "Content-Type: b", "Content-Type", "Content-Type;", "Content-Type : c", "Empty:"}
	for name, want := range map[string]string{"x-a": "1", "Content-Type": "\ta ", "EMPTY": ""} {
		if got, found := Field(lines, name); !found || got != want {
			t.Errorf("%s is %q, %t, want %q", name, got, found, want)
		}
	}
	if got, found := Field(lines, "X"); found {
		t.Errorf("X is %q", got)
	}
	if got, want := slices.Collect(WithoutType(lines)), []string{"X-A: 1", "Content-Type", "Content-Type;", "Content-Type : c", "Empty:"}; !slices.Equal(got, want) {
		t.Errorf("without the type %q, want %q", got, want)
	}
}

func TestBoundaries(t *testing.T) {
	for form, want := range map[string][]string{
		"----abc": {"----ab1", "----ab2"},
		"b-1":     {"b-2", "b-3"},
		"B":       {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"},
	} {
		b := Boundaries{Form: form}
		for _, one := range want {
			if got := b.Next(); got != one {
				t.Errorf("%q gives %q, want %q", form, got, one)
			}
		}
	}
}

func TestBase64(t *testing.T) {
	tests := map[string]string{
		"": "", "a": "YQ==",
		strings.Repeat("x", 57): strings.Repeat("eHh4", 19),
		strings.Repeat("x", 58): strings.Repeat("eHh4", 19) + "\r\neA==",
	}
	for in, want := range tests {
		if got := string(AppendEncoded(nil, in, "BASE64")); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
	for _, encoder := range []string{"", "7bit", "8bit", "binary"} {
		if Encodes(encoder) {
			t.Errorf("%q encodes", encoder)
		}
		if got := string(AppendEncoded([]byte("a"), "=é\n", encoder)); got != "a=é\n" {
			t.Errorf("%q makes %q", encoder, got)
		}
	}
}

func TestQuotedPrintable(t *testing.T) {
	tests := map[string]string{
		"": "", "abc": "abc", "a=b": "a=3Db", "é": "=C3=A9", "a \r\nb": "a=20\r\nb", "a ": "a=20", "a\tb": "a\tb", "a\nb": "a=0Ab", "\x7f": "=7F",
		strings.Repeat("x", 76):       strings.Repeat("x", 76),
		strings.Repeat("x", 77):       strings.Repeat("x", 75) + "=\r\nxx",
		strings.Repeat("x", 74) + "é": strings.Repeat("x", 74) + "=\r\n=C3=A9",
	}
	for in, want := range tests {
		if got := string(AppendEncoded(nil, in, "Quoted-Printable")); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

func TestIsJSON(t *testing.T) {
	for contentType, want := range map[string]bool{
		"application/json": true, "Application/JSON; charset=utf-8": true, "text/json": true, "application/problem+json": true, "model/gltf+JSON ;a=b": true,
		"application/x-ndjson": false, "text/plain": false, "application/jsonl": false, "": false, "application/json+xml": false, "*/*": false,
	} {
		if got := IsJSON(contentType); got != want {
			t.Errorf("%q: %v", contentType, got)
		}
	}
}
