package engine_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/internal/engine/meter"
)

// A hostile is an input that is made to cost much.
type hostile struct {
	name string
	text func(n int) string // of about n bytes
	in   engine.Input
	file string // if not empty, text makes the content of this file, for curl -n
}

// rep repeats a piece up to n bytes.
func rep(piece string, n int) string { return strings.Repeat(piece, max(1, n/len(piece))) }

// powerShell names the shell of texts that do not show it.
var powerShell = engine.Input{Shell: "powershell"}

// bombs are short texts that stand for much, and texts that made a stage work
// for long: each was once answered late, or not at all.
var bombs = []hostile{
	{name: "functions on a variable", text: func(n int) string {
		return `curl --variable 'a=\' --expand-url 'h/{{a` + rep(":json", n) + "}}'"
	}},
	{name: "Base64 on a variable", text: func(n int) string {
		return `curl --variable 'a=xxxxxxxx' --expand-url 'h/{{a` + rep(":b64", n) + "}}'"
	}},
	{name: "& in a replacement, nothing matches", text: func(n int) string {
		return `X=a; curl h -d "${X/` + rep("b", n/2) + "/" + rep("&", n/2) + `}"`
	}},
	{name: "& in a replacement, all matches", text: func(n int) string {
		return "X=" + rep("b", n/2) + `; curl h -d "${X//b/` + rep("&", n/2) + `}"`
	}},
	{name: "zeros of a sequence", text: func(n int) string { return "curl h/{" + rep("0", n) + "1..10000}" }},
	{name: "doubled credentials", text: func(n int) string {
		return "$a='xxxxxxxx'\n" + rep("$a=New-Object PSCredential($a,$a)\n", n) + "irm h"
	}, in: powerShell},
	{name: "a table of one long value", text: func(n int) string {
		return "$v='" + rep("x", n/2) + "'\nirm h -Method Post -Body @{" + rep("a=$v;", n/2) + "}"
	}, in: powerShell},
	{name: "headers of one long value", text: func(n int) string {
		return "$v='" + rep("x", n/2) + "'\nirm h -Headers @{" + rep("a=$v;", n/2) + "}"
	}, in: powerShell},
	{name: "a form of one long value", text: func(n int) string {
		return "$v='" + rep("x", n/2) + "'\nirm h -Method Post -Form @{" + rep("a=$v;", n/2) + "}"
	}, in: powerShell},
	{name: "a long glob element in -o", text: func(n int) string {
		return "curl 'h/{" + rep("a", n/2) + "}' -o '" + rep("#1", n/2) + "'"
	}},
	{name: "a long file name of -T with a range", text: func(n int) string { return "curl h -T '[1-1000]" + rep("x", n) + "'" }},
	{name: "dot segments with a range", text: func(n int) string { return "curl 'h/[1-1000]/" + rep("a/../", n) + "'" }},
	{name: "a set as the pattern of a trim", text: func(n int) string {
		return "X=" + rep("a", n/4) + `; curl h -d "${X%%*[` + rep("b", n/2) + `]}"`
	}},
	{name: "stars as the pattern of a trim", text: func(n int) string {
		return "X=" + rep("a", n/2) + `; curl h -d "${X##` + rep("*?", n/2) + `}"`
	}},
	{name: "brackets that never close", text: func(n int) string {
		return "X=" + rep("a", n/4) + `; curl h -d "${X##` + rep("[", n/2) + `}"`
	}},
	{name: "empty variables after a sequence", text: func(n int) string { return "E=; curl h -d {1..9999}" + rep("$E", n) }},
	{name: "a loop over empty words", text: func(n int) string {
		return "E=; for i in {1..1000}; do for j in {1..200}; do " + rep("$E", n) + "; done; done; curl h"
	}},
	{name: "nested loops of assignments", text: func(n int) string {
		return "(for i in {1..1000}; do for j in {1..240}; do " + rep("A=1;", n) + " done; done); curl h"
	}},
	{name: "names of --noproxy with a range", text: func(n int) string { return "curl 'h/[1-1000]' -x p --noproxy '" + rep("a,", n) + "'" }},
	{name: "warnings far from the start", text: func(n int) string { return "curl h " + rep("\\\n-H x ", n) }},
	{name: "missing files", text: func(n int) string { return "curl h" + rep(" -d @missing", n) }},
	{name: "missing files of form headers", text: func(n int) string { return "curl h -F 'a=b" + rep(";headers=@missing", n) + "'" }},
	{name: "standard input of every command", text: func(n int) string { return rep("curl h -d @-\n", n) }, in: engine.Input{Stdin: []byte(rep("x", 100_000))}},
	{name: "a long IFS", text: func(n int) string { return "IFS='" + rep("x", n/2) + "'; X=a; curl h -d " + rep("$X", n/2) }},
	{name: "nested conditions with assignments", text: func(n int) string {
		k := min(n/24, 90)
		return rep("if a; then A=1; B=2; ", k*21) + rep("C=3;", n/2) + rep(" fi;", k*4) + " curl h"
	}},
	{name: "options that do not exist", text: func(n int) string { return rep("curl h --abcdefg\n", n) }},
	{name: "a member with a long name", text: func(n int) string { return `curl "h?` + rep("x", n/2) + "=" + numbered("$a%d", n/2) + `"` }},
	{name: "macros of .netrc", text: func(n int) string { return rep("macdef a\nb\n\n", n) }, file: ".netrc", in: engine.Input{}},
}

// answerRoom is room for any answer, which is no memory of the conversion.
var answerRoom = make([]byte, 0, 17<<20)

// costs returns what the answer to a text costs: steps and bytes of the meter,
// bytes that were paid for, held or not, and bytes that were allocated.
func costs(h *hostile, n int, as engine.As) (work, bytes, paid, allocated int64, text string, requests int, err error) {
	in, watch := h.in, new(meter.Watch)
	text = h.text(n)
	if h.file != "" {
		in.Files, text = map[string][]byte{h.file: []byte(text)}, "curl -n h"
	}
	in.Watch = watch
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, beside, err := engine.Append(answerRoom[:0], text, engine.Want{As: as}, in)
	runtime.ReadMemStats(&after)
	return watch.Work(), watch.Bytes(), watch.Paid(), int64(after.TotalAlloc - before.TotalAlloc), text, beside.Requests, err
}

// isTooMuch reports the error of a meter that refuses, or of another limit.
func isTooMuch(err error) bool {
	e, ok := err.(*engine.Error)
	return ok && (e.Code == diag.CodeTooMuchWork || e.Code == diag.CodeTooLarge || e.Code == diag.CodeTooManyRequests)
}

// TestBombs holds that no text costs more than the limits say, in units of the
// meter and in memory.
func TestBombs(t *testing.T) {
	for i := range bombs {
		h := &bombs[i]
		for _, n := range []int{400, 16 << 10, 60 << 10, 500_000} {
			if testing.Short() && n > 100_000 {
				continue
			}
			for _, as := range []engine.As{engine.AsConvert, engine.AsParse} {
				work, bytes, paid, allocated, text, _, err := costs(h, n, as)
				size := len(text) + len(h.in.Stdin)
				if h.file != "" {
					size += n
				}
				limits := meter.LimitsFor(size, meter.Limits{})
				if work > limits.Work+limits.Work/8 || bytes > limits.Bytes {
					t.Errorf("%s, %d bytes, %s: %d steps and %d bytes", h.name, n, as, work, bytes)
				}
				if most := 2*paid + 1<<20 + 50*int64(size); allocated > most {
					t.Errorf("%s, %d bytes, %s: allocates %d bytes, and paid for %d (%v)", h.name, n, as, allocated, paid, err)
				}
			}
		}
	}
}

// TestCostGrowsWithTheText holds for texts within the limits that one of twice
// the size costs at most about twice as much.
func TestCostGrowsWithTheText(t *testing.T) {
	for _, h := range features() {
		const n = 2 << 10
		var work, bytes, paid, allocated [3]int64
		skip := false
		for i := range work {
			var err error
			var requests int
			work[i], bytes[i], paid[i], allocated[i], _, requests, err = costs(&h, n<<i, engine.AsParse)
			// Each of at most UsualRequests requests looks at all settings.
			skip = skip || isTooMuch(err) || requests > 100
		}
		if skip {
			continue
		}
		for what, c := range map[string][3]int64{"steps": work, "bytes": bytes, "allocated bytes": allocated} {
			if more, before := c[2]-c[1], c[1]-c[0]; more > before*5/2+c[0]+400*n {
				t.Errorf("%s: %s grow from %d over %d to %d", h.name, what, c[0], c[1], c[2])
			}
		}
		if most := 2*paid[2] + 40*4*n + 1<<17; allocated[2] > most {
			t.Errorf("%s: %d bytes are allocated, and %d paid for", h.name, allocated[2], bytes[2])
		}
	}
}

// TestStop holds that a conversion ends soon after its watch says so, wherever
// it is.
func TestStop(t *testing.T) {
	for i := range bombs {
		h := bombs[i]
		if h.file != "" {
			continue
		}
		watch := new(meter.Watch)
		watch.Stop()
		in := h.in
		in.Watch = watch
		_, err := engine.Parse(h.text(60<<10), in)
		if e, ok := err.(*engine.Error); !ok || e.Code != diag.CodeTooMuchWork {
			t.Errorf("%s: stopped before its start: %v", h.name, err)
		}
		if watch.Work() > 16*64<<10 {
			t.Errorf("%s: %d steps after it was stopped", h.name, watch.Work())
		}
	}
}

// features returns texts that use one piece of syntax again and again, alone,
// in frames and nested.
func features() []hostile {
	var all []hostile
	count := 0
	for _, s := range costSyntaxes {
		in := engine.Input{Shell: s.shell, Env: map[string]string{"V": "some value", "E": ""}}
		for i, frame := range s.frames {
			for _, piece := range s.pieces {
				ends := strings.HasSuffix(frame[0], "'") && strings.Contains(piece, "'") // the quotes, and URLs follow
				if count++; ends || testing.Short() && (i+count)%9 > 0 {
					continue
				}
				all = append(all, hostile{name: fmt.Sprintf("%s %q %q", s.shell, frame, piece), in: in, text: func(n int) string {
					if strings.Contains(piece, "%d") {
						return frame[0] + numbered(piece, n) + frame[1]
					}
					return frame[0] + rep(piece, n) + frame[1]
				}})
			}
		}
	}
	return all
}
