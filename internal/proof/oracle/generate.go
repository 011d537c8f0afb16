package oracle

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A Generator makes up random commands over the part of curl's grammar that
// shapes requests, wrong ones among them. The same seed and version give the
// same cases.
//
// Cases run locally and at once: none retries, waits or limits its rate, none
// names a file: URL, which an upload would write to, and none runs transfers
// in parallel, whose order would be anybody's guess. What depends on the clock
// (--aws-sigv4, signatures) is left out as well.
type Generator struct {
	random  *rand.Rand
	version Version
}

// NewGenerator returns a generator of commands for the given version of curl:
// they use nothing that is newer.
func NewGenerator(seed uint64, version Version) *Generator {
	return &Generator{random: rand.New(rand.NewPCG(seed, 0)), version: version}
}

// Case returns the next case.
func (g *Generator) Case() Case {
	d := &draft{Generator: g}
	d.Files = map[string][]byte{}
	var args []string
	operations := 1
	if g.chance(8) {
		operations = 2 + g.random.IntN(2)
	}
	for i := range operations {
		if i > 0 {
			args = append(args, g.pick("--next", "-:"))
		}
		settings := d.operation()
		if g.chance(6) {
			settings = d.moveToConfig(settings)
		}
		args = append(args, d.spell(settings, i == operations-1)...)
	}
	if g.chance(10) {
		args = d.spoil(args)
	}
	// A system call takes no NUL.
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "\x00", "")
	}
	return Case{Args: args, Setup: d.Setup}
}

// A draft is a case in the making.
type draft struct {
	*Generator
	Setup
}

// A setting is one use of an option, or with the long name "url" of a URL,
// before it is decided how to spell it.
type setting struct {
	long     string
	short    byte
	value    string
	hasValue bool
}

// bare is a setting without a value.
func bare(long string, short byte) setting { return setting{long: long, short: short} }

// with is a setting with a value.
func with(long string, short byte, value string) setting {
	return setting{long: long, short: short, value: value, hasValue: true}
}

// operation makes up the settings of one operation: at least one URL, one
// kind of body or none, some header lines, and a few options from everywhere.
func (d *draft) operation() []setting {
	var groups [][]setting // what stays together, in order
	if d.chance(20) {
		groups = append(groups, []setting{with("request", 'X', d.method())})
	}
	groups = append(groups, d.bodies()...)
	for d.chance(35) {
		groups = append(groups, []setting{d.header()})
	}
	for d.chance(55) {
		groups = append(groups, d.extra())
	}
	groups = append(groups, []setting{d.urlSetting()})
	for d.chance(10) {
		groups = append(groups, []setting{d.urlSetting()})
	}
	d.random.Shuffle(len(groups), func(i, j int) { groups[i], groups[j] = groups[j], groups[i] })
	settings := slices.Concat(groups...)
	if d.since(8, 3) && d.chance(7) {
		settings = d.useVariables(settings)
	}
	return settings
}

// bodies makes up what the operation sends.
func (d *draft) bodies() [][]setting {
	kinds := []func() []setting{d.data, d.form, d.json, d.upload, d.head}
	var bodies [][]setting
	switch n := d.random.IntN(100); {
	case n < 40:
	case n < 62:
		bodies = append(bodies, d.data())
	case n < 78:
		bodies = append(bodies, d.form())
	case n < 85:
		bodies = append(bodies, d.json())
	case n < 92:
		bodies = append(bodies, d.upload())
	case n < 96:
		bodies = append(bodies, d.head())
	default: // curl allows some pairs, depending on their order
		for range 2 {
			bodies = append(bodies, kinds[d.random.IntN(len(kinds))]())
		}
	}
	if d.chance(8) {
		bodies = append(bodies, []setting{bare("get", 'G')})
	}
	return bodies
}

// chance returns true with a probability in percent.
func (g *Generator) chance(percent int) bool { return g.random.IntN(100) < percent }

// pick returns one of the choices.
func (g *Generator) pick(choices ...string) string { return choices[g.random.IntN(len(choices))] }

// since says whether the generator's curl is at least that release.
func (g *Generator) since(major, minor int) bool {
	return g.version.Compare(Version{major, minor, 0}) >= 0
}

// file adds a file to the setup and returns its name.
func (d *draft) file(name string, content string) string {
	if _, taken := d.Files[name]; taken {
		name = fmt.Sprintf("%s%d", name, len(d.Files))
	}
	d.Files[name] = []byte(content)
	return name
}

// anyFile puts a file with any content there, rarely only its name.
func (d *draft) anyFile() string {
	if d.chance(2) {
		return d.pick("missing", "no/such/file", "")
	}
	name := d.pick("f", "f.txt", "data.json", "page.html", "pic.PNG", "b.bin", "d/f", "a b.txt", "x,y;z", `q"q.gif`, `back\slash`, "ünï.xml")
	return d.file(name, d.content())
}

// source is a file name or the standard input.
func (d *draft) source() string {
	if d.chance(12) {
		if d.Stdin == nil {
			d.Stdin = []byte(d.content())
		}
		return "-"
	}
	return d.anyFile()
}
