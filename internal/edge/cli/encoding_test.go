package cli

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestTextReader(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"", ""},
		{"curl h.test", "curl h.test"},
		{"\xef\xbb\xbfé", "é"},
		{"\xff\xfec\x00\xe9\x00\x3d\xd8\x00\xde\n\x00", "cé😀\n"},
		{"\xfe\xff\x00c\x00\xe9\xd8\x3d\xde\x00\x00\n", "cé😀\n"},
		{"\xff\xfe\x3d\xd8c\x00", "�c"},
		{"\xff\xfec\x00\x3d\xd8", "c�"},
		{"\xff\xfec\x00d", "c"},
		{"\xff\xfe", ""},
		{"\xff", "\xff"},
		{"\xff\xfe" + strings.Repeat("x\x00", 10000), strings.Repeat("x", 10000)},
	} {
		for _, r := range []io.Reader{strings.NewReader(test.in), iotest.OneByteReader(strings.NewReader(test.in))} {
			got, err := io.ReadAll(textReader(r))
			if string(got) != test.want || err != nil {
				t.Errorf("%.40q: %.40q, %v", test.in, got, err)
			}
		}
	}
}
