package engine_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"uncoil/internal/engine"
	"uncoil/internal/engine/source/quote"
)

// oddities are texts that pages, terminals and word processors leave in
// commands. Between quotes they are data.
var oddities = []string{
	"&amp;", "&lt;id&gt;", "&quot;", "\u2013", "\u2014", " \u2013X", "\u201cq\u201d", "\u2018q\u2019", "<id>", "< a >", "</b>", "{{ x }}", "${{ a.b }}",
	`\"`, `\n`, "\n", "\n$ ", "\n> ", "\n# curl h", "\ncurl h", "```", "$ curl", "PS C:\\> ", "#", "& ", "\u00a0", "\\ -H", `\`, "1 ", "+ curl", "%2", "''", `""`, "=", " a", "b",
}

// legalArgs returns the arguments of a random command that curl takes.
func legalArgs(r *rand.Rand) []string {
	odd := func() string {
		var b strings.Builder
		for range 1 + r.IntN(4) {
			b.WriteString(oddities[r.IntN(len(oddities))])
		}
		return b.String()
	}
	line := func() string { return strings.NewReplacer("\n", " ", "\u00a0", "_").Replace(odd()) }
	args := []string{"curl"}
	for range 1 + r.IntN(4) {
		switch r.IntN(6) {
		case 0:
			args = append(args, "-H", "A: x"+line()+"y")
		case 1:
			args = append(args, "--data-raw", "x"+odd())
		case 2:
			args = append(args, "--data-urlencode", "x="+odd())
		case 3:
			args = append(args, "-A", "x"+line())
		case 4:
			args = append(args, "-b", "x="+line())
		default:
			args = append(args, "--json", `{"a":"`+strings.NewReplacer(`\`, "", `"`, "'", "\n", " ").Replace(odd())+`"}`)
		}
	}
	return append(args, []string{"http://h.test/", "http://h.test/a?b=c&amp;d=\u2013", "http://h.test/\u201ca\u201d"}[r.IntN(3)])
}

// TestLegalCommandsStay holds that a command which bash and curl take sends what
// its arguments send, whatever its quotes hold that resembles a trace of
// pasting: the reading of the text is compared with the pure one of its words.
func TestLegalCommandsStay(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	commands := 0
	for range 4000 {
		args := legalArgs(r)
		result, err := engine.ParseArgs(args, engine.Input{})
		if err != nil {
			continue
		}
		var want struct{ Requests json.RawMessage }
		if err := json.Unmarshal(result.AppendJSON(nil), &want); err != nil {
			t.Fatal(err)
		}
		commands++
		text := "curl " + spellForBash(r, 2+2*r.IntN(2), args[1:])
		if strings.Contains(strings.Join(args, ""), "\u00a0") || r.IntN(4) == 0 {
			text = quote.Command(args, quote.POSIX) // bare, it is a blank between words
		}
		if got, _ := requestsOf(text, engine.Input{Shell: "posix"}); got != string(want.Requests) {
			t.Errorf("%s\n%q\n got %s\nwant %s", text, args, got, want.Requests)
		}
		if t.Failed() {
			return
		}
	}
	if commands < 3500 {
		t.Errorf("only %d of the commands are legal", commands)
	}
}
