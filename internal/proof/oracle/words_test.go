package oracle

import (
	"context"
	"reflect"
	"slices"
	"testing"
)

func TestWords(t *testing.T) {
	Require(t)
	script := "curl -d \"$V 'x'\" $'a\\tb' '' \\\n  c; curl; echo x | curl {1,2}"
	got, err := Words(context.Background(), script, Setup{Env: map[string]string{"V": "v  w"}})
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{{"-d", "v  w 'x'", "a\tb", "", "c"}, {}, {"1", "2"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestCommand holds the quoting of reports to what bash reads.
func TestCommand(t *testing.T) {
	Require(t)
	c := Case{Args: []string{"", "a b", "it's", `\`, "\xff\n'\\0", "\x011", "é", "é'", "$x`y`", "!", "~", "{a,b}", "#", "--x=y"}}
	got, err := Words(context.Background(), c.Command(), Setup{})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || !slices.Equal(got[0], c.Args) {
		t.Errorf("%s is read as %q", c.Command(), got)
	}
}
