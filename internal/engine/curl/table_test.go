package curl

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTableIsInOrder(t *testing.T) {
	letters := make(map[byte]string)
	members := make(map[string]Section)
	for i := range table {
		o := &table[i]
		if int(o.ID) != i {
			t.Errorf("--%s has row %d and id %d: the constants and the rows are not in the same order", o.Long, i, o.ID)
		}
		if i > 0 && table[i-1].Long >= o.Long {
			t.Errorf("--%s stands after --%s, out of alphabetical order", o.Long, table[i-1].Long)
		}
		if Lookup(o.Long) != o {
			t.Errorf("Lookup does not find --%s", o.Long)
		}
		if o.Short != 0 {
			if other := letters[o.Short]; other != "" {
				t.Errorf("-%c is both --%s and --%s", o.Short, other, o.Long)
			}
			letters[o.Short] = o.Long
			if LookupShort(o.Short) != o {
				t.Errorf("LookupShort does not find -%c", o.Short)
			}
		}
		if len(o.Long) > maxLongName {
			t.Errorf("--%s is longer than maxLongName", o.Long)
		}
		checkSection(t, o, members)
	}
	for c := range 256 {
		if o := LookupShort(byte(c)); o != nil && o.Short != byte(c) {
			t.Errorf("LookupShort(%#x) is --%s", c, o.Long)
		}
	}
	for _, name := range []string{"", "a", "headers", "zzz", "no-buffer", "HEADER"} {
		if o := Lookup(name); o != nil {
			t.Errorf("Lookup(%q) is --%s", name, o.Long)
		}
	}
}

// checkSection checks that every option has a section of the answer.
func checkSection(t *testing.T, o *Option, members map[string]Section) {
	t.Helper()
	isMember := o.Section != InRequest && o.Section != Ignored
	if isMember != (o.Member != "") {
		t.Errorf("--%s has the section %d and the member %q", o.Long, o.Section, o.Member)
	}
	if !isMember && o.Note == "" {
		t.Errorf("--%s has no note about what it sets, or why it is ignored", o.Long)
	}
	if !isMember {
		return
	}
	if section, ok := members[o.Member]; ok && section != o.Section {
		t.Errorf("the member %s is of several types, with --%s", o.Member, o.Long)
	}
	members[o.Member] = o.Section
	takesArgument := o.Section != InBoolOption
	if o.Section != InDerivedOption && o.TakesArgument() != takesArgument {
		t.Errorf("--%s takes an argument: %t, which does not fit its section", o.Long, o.TakesArgument())
	}
}

// TestIdentifiers checks that ids follow the long names mechanically.
func TestIdentifiers(t *testing.T) {
	source, err := os.ReadFile("table.go")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(source)) {
		row, ok := strings.CutPrefix(strings.TrimSpace(line), "{Opt")
		if !ok {
			continue
		}
		fields := strings.SplitN(row, ", ", 3)
		long := strings.Trim(fields[1], `"`)
		if want := identifier(long); fields[0] != want {
			t.Errorf("--%s has the id Opt%s, want Opt%s", long, fields[0], want)
		}
		rows++
	}
	if rows != len(table) {
		t.Errorf("table.go has %d rows of the usual form, and the table %d", rows, len(table))
	}
}

func identifier(long string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(long, "-") {
		b.WriteString(strings.ToUpper(word[:1]) + strings.ReplaceAll(word[1:], ".", "_"))
	}
	return b.String()
}

// listing is curl's own table of options: name, letter, kind of argument and flags, as
// in src/tool_getparam.c of curl 8.22.
const listing = "testdata/options.tsv"

// TestListing holds the listing against the source of curl, where UNCOIL_CURL_SOURCE
// names its folder.
func TestListing(t *testing.T) {
	folder := os.Getenv("UNCOIL_CURL_SOURCE")
	if folder == "" {
		t.Skip("UNCOIL_CURL_SOURCE names no folder with the source of curl 8.22")
	}
	source, err := os.ReadFile(filepath.Join(folder, "src", "tool_getparam.c"))
	if err != nil {
		t.Fatal(err)
	}
	have, err := os.ReadFile(listing)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	row := regexp.MustCompile(`\{\s*"([^"]+)",\s*([A-Z_|\s]+?),\s*'(.)',\s*C_\w+\s*\}`)
	for _, m := range row.FindAllStringSubmatch(string(source), -1) {
		kind, flags, _ := strings.Cut(strings.ToLower(strings.NewReplacer("ARG_", "", " ", "", "\n", "").Replace(m[2])), "|")
		want = append(want, strings.Join([]string{m[1], strings.TrimSpace(m[3]), kind, strings.ReplaceAll(flags, "|", ",")}, "\t"))
	}
	slices.Sort(want)
	lines := strings.Split(strings.TrimSuffix(string(have), "\n"), "\n")[1:]
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("%s (-curl +listing):\n%s", listing, diff)
	}
}

// TestTableIsCurls holds the table against the listing of curl's options.
func TestTableIsCurls(t *testing.T) {
	text, err := os.ReadFile(listing)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]ArgKind{
		"none": ArgNone, "bool": ArgBool, "unum": ArgUnsigned, "secs": ArgSeconds, "strg": ArgString, "file": ArgFile,
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")[1:]
	for _, line := range lines {
		fields := strings.Split(line, "\t")
		o := Lookup(fields[0])
		if o == nil {
			t.Errorf("the table lacks --%s", fields[0])
			continue
		}
		short := ""
		if o.Short != 0 {
			short = string(o.Short)
		}
		if short != fields[1] {
			t.Errorf("--%s has the letter %q, want %q", o.Long, short, fields[1])
		}
		if kind, ok := kinds[fields[2]]; !ok || o.Arg != kind {
			t.Errorf("--%s takes an argument of the kind %d, want %s", o.Long, o.Arg, fields[2])
		}
		flags := strings.Split(fields[3], ",")
		for name, flag := range map[string]Flags{"no": FlagNo, "clear": FlagSecret, "depr": FlagDeprecated} {
			if want := slices.Contains(flags, name); (o.Flags&flag != 0) != want {
				t.Errorf("--%s has the flag %s: %t, want %t", o.Long, name, !want, want)
			}
		}
	}
	if len(lines) != len(table) {
		t.Errorf("the table has %d options, and curl %d", len(table), len(lines))
	}
}

func TestExpecting(t *testing.T) {
	for word, want := range map[string]string{
		"--data": "data", "--expand-data": "data", "--url": "url", "-d": "data", "-sd": "data", "-sSX": "request",
		"--json=x": "", "--get": "", "--expand-get": "", "-s": "", "-dx": "", "-sXPOST": "", "-": "", "--": "", "": "", "data": "", "-€": "",
	} {
		got := ""
		if o := Expecting(word); o != nil {
			got = o.Long
		}
		if got != want {
			t.Errorf("%q expects the argument of %q, want %q", word, got, want)
		}
	}
}
