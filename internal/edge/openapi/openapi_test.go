package openapi

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"
)

// open reads a document of several files, the first of which is api.yaml.
func open(t testing.TB, files map[string]string) *Document {
	t.Helper()
	d, err := Open("api.yaml", func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// chain is a document whose parameters refer to each other: each of n to the next one,
// and the last to what is given.
func chain(n int, last string) string {
	var b strings.Builder
	b.WriteString("openapi: 3.1.0\npaths: {/a: {get: {parameters: [{$ref: '#/p/n0'}]}}}\np:\n")
	for i := range n {
		fmt.Fprintf(&b, "  n%d: {$ref: '#/p/n%d'}\n", i, i+1)
	}
	fmt.Fprintf(&b, "  n%d: %s\n", n, last)
	return b.String()
}

// TestChain holds that a row of references is as long as it likes and costs its length,
// from whichever of its links one asks, and that a circle is none.
func TestChain(t *testing.T) {
	const long = 20_000
	start := time.Now()
	d := open(t, map[string]string{"api.yaml": chain(long, "{name: page, in: query}")})
	if p := d.Paths()[0].Operations[0].Parameters; len(p) != 1 || p[0].Name != "page" || len(d.Notes) > 0 {
		t.Errorf("the parameters are %+v, and it says %q", p, d.Notes)
	}
	links := d.Root.Fields("p")
	for i := range links {
		if n := d.Resolve(links[i].Value); n.TextOf("name") != "page" {
			t.Fatalf("link %d leads to %+v", i, n)
		}
	}
	d = open(t, map[string]string{"api.yaml": chain(long, "{$ref: '#/p/n7'}")})
	if p := d.Paths()[0].Operations[0].Parameters; len(p) != 0 {
		t.Errorf("a circle is %+v", p)
	}
	links = d.Root.Fields("p")
	for i := range links {
		if n := d.Resolve(links[i].Value); n != nil {
			t.Fatalf("link %d of a circle leads to %+v", i, n)
		}
	}
	if len(d.Notes) != 1 || d.Notes[0] != "api.yaml:11: references lead in a circle" {
		t.Errorf("of a circle it says %q", d.Notes)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
}

// TestParameters holds which parameters an operation has, from which file, and that many
// paths may not have very many of them.
func TestParameters(t *testing.T) {
	d := open(t, map[string]string{
		"api.yaml":   "openapi: 3.1.0\npaths:\n  /a:\n    parameters: [{name: page, in: query, x: path}, {name: page, in: header}, {$ref: 'b/c.yaml#/1'}]\n    get: {parameters: {$ref: 'b/c.yaml'}}\n  /b: {$ref: 'b/none.yaml#/x'}\n",
		"b/c.yaml":   "- {name: page, in: query, x: own}\n- {$ref: '../d.yaml'}\n- {name: 7, in: query}\n- {in: query}\n",
		"d.yaml":     "name: id\nin: path\n",
		"b/other.md": "",
	})
	var got []string
	for _, p := range d.Paths()[0].Operations[0].Parameters {
		got = append(got, p.In+" "+p.Name+" "+p.Node.TextOf("x")+" of "+p.Node.File.Name)
	}
	if got, want := strings.Join(got, ", "), "query page own of b/c.yaml, path id  of d.yaml, query 7  of b/c.yaml, header page  of api.yaml"; got != want {
		t.Errorf("the parameters are %s\nwant %s", got, want)
	}
	if len(d.Notes) != 1 || !strings.HasPrefix(d.Notes[0], "api.yaml:6: the reference leads nowhere: ") {
		t.Errorf("it says %q", d.Notes)
	}
	var b strings.Builder
	b.WriteString("openapi: 3.1.0\np: [" + strings.Repeat("{}, ", 4<<10) + "]\npaths:\n")
	for i := range 2 << 10 {
		fmt.Fprintf(&b, "  /%d: {get: {parameters: {$ref: '#/p'}}}\n", i)
	}
	d = open(t, map[string]string{"api.yaml": b.String()})
	if paths := d.Paths(); len(paths) != 2<<10 || len(d.Notes) != 1 || !strings.Contains(d.Notes[0], "not all are read") {
		t.Errorf("%d paths, and it says %q", len(paths), d.Notes)
	}
}

// TestScalars holds what JSON has for the scalars of YAML.
func TestScalars(t *testing.T) {
	for source, want := range map[string]Node{
		"2.50": {Kind: Number, Text: "2.50"}, "0x10": {Kind: Number, Text: "16"}, ".5": {Kind: Number, Text: "0.5"}, ".0": {Kind: Number, Text: "0"},
		"1_000": {Kind: Number, Text: "1000"}, ".inf": {Kind: Text, Text: ".inf"}, "True": {Kind: Boolean, Text: "true"}, "~": {Kind: Null, Text: "~"},
		"'1'": {Kind: Text, Text: "1"}, "2026-01-31": {Kind: Text, Text: "2026-01-31"}, "123456789012345678901234567890": {Kind: Number, Text: "123456789012345678901234567890"},
	} {
		d := open(t, map[string]string{"api.yaml": "openapi: 3.1.0\nx: " + source + "\n"})
		if got := d.Root.Get("x"); got.Kind != want.Kind || got.Text != want.Text {
			t.Errorf("%s is %d %q", source, got.Kind, got.Text)
		}
	}
}

// TestAliases holds that what an alias stands for is one value with that of its anchor, and
// that none stands for a value that it is a part of.
func TestAliases(t *testing.T) {
	d := open(t, map[string]string{"api.yaml": "openapi: 3.1.0\na: &x {b: 1}\nc: *x\nd: {b: 1}\n"})
	a, c, other := d.Root.Get("a"), d.Root.Get("c"), d.Root.Get("d")
	if a == nil || a != c || a == other {
		t.Errorf("the values are %p, %p and %p", a, c, other)
	}
	_, err := Open("api.yaml", func(string) ([]byte, error) { return []byte("openapi: 3.1.0\na: &x\n  b: [*x]\n"), nil })
	if err == nil || !strings.Contains(err.Error(), "part of") {
		t.Errorf("a value within itself: %v", err)
	}
}
