package curl

import (
	"errors"
	"strings"
	"testing"

	"uncoil/internal/engine/meter"
)

// TestReadFile checks that a file is asked for once, whatever its spellings,
// and that Files wins.
func TestReadFile(t *testing.T) {
	asked := make(map[string]int)
	in := &Inputs{
		Meter: meter.New(0, meter.Limits{}, nil),
		Files: map[string][]byte{"a": []byte("mapped")},
		ReadFile: func(name string) ([]byte, error) {
			asked[name]++
			if name == "missing" {
				return nil, errors.New("no such file")
			}
			return []byte("read " + name), nil
		},
	}
	for range 3 {
		for name, want := range map[string]string{
			"a": "mapped", "b": "read b", "./b": "read b", "x/../b": "read b", "././/b": "read b", "/b": "read /b", "missing": "", "./missing": "",
		} {
			if got, ok := in.Read(name); got != want || ok != (want != "") {
				t.Errorf("Read(%q) = %q, %t, want %q", name, got, ok, want)
			}
		}
	}
	for name, times := range asked {
		if times != 1 {
			t.Errorf("%s is asked for %d times", name, times)
		}
	}
	if len(asked) != 3 {
		t.Errorf("asked for %v", asked)
	}
}

// TestReadIsPaidOnce checks that a file counts once in bytes, and each time in
// steps.
func TestReadIsPaidOnce(t *testing.T) {
	const size = 1 << 20
	in := &Inputs{Meter: meter.New(0, meter.Limits{}, nil), Files: map[string][]byte{"f": []byte(strings.Repeat("x", size))}}
	for range 10 {
		if _, ok := in.Read("f"); !ok {
			t.Fatal("there is no f")
		}
	}
	if work, bytes := in.Meter.Spent(); bytes != size || work < 10*size/8 {
		t.Errorf("a file of %d bytes that is read ten times counts %d bytes and %d steps", size, bytes, work)
	}
	for range 1000 {
		in.Read("f")
	}
	if content, ok := in.Read("f"); ok || in.Meter.Reason() != meter.Work {
		t.Errorf("after many readings there are %d bytes, %t", len(content), ok)
	}
}

// TestStdin checks that standard input is read once, and anew by each command.
func TestStdin(t *testing.T) {
	in := &Inputs{Meter: meter.New(0, meter.Limits{}, nil)}
	if _, ok := in.Read("-"); ok {
		t.Error("there is standard input")
	}
	text := "x"
	for range 2 {
		in.SetStdin(&text)
		for _, want := range []string{"x", "", ""} {
			if got, ok := in.Read("-"); got != want || !ok {
				t.Errorf("standard input is %q, %t, want %q", got, ok, want)
			}
		}
	}
}
