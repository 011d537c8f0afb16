package engine_test

import (
	"encoding/json"
	"strings"
	"testing"

	"uncoil/internal/engine"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source"
	"uncoil/internal/engine/source/quote"
	"uncoil/internal/proof/corpus"
)

// TestPasted reads each text of testdata/pasted with nothing said about its
// shell.
func TestPasted(t *testing.T) {
	for _, c := range corpus.Read(t, corpus.Pasted) {
		t.Run(c.Name, func(t *testing.T) {
			got := answers(t, c.Command, engine.Input{Now: corpus.Now})
			if got["requests.json"] == "" {
				t.Fatalf("%s in\n%s", got["error"], c.Command)
			}
			if *update {
				rewrite(t, c, got)
				return
			}
			if c.Expected["convert.json"]+c.Expected["requests.json"] == "" {
				t.Errorf("%s expects nothing: run  go test . -run Pasted -update  and check what it writes", c.Path)
			}
			checkAnswers(t, c, got, "shell", "convert.json", "requests.json")
		})
	}
}

// TestRespelled checks that the spelling of a command does not change what it
// sends: each command of the corpus that is one plain command, written for
// each shell, is read as the original is.
func TestRespelled(t *testing.T) {
	dialects := []source.Dialect{source.POSIX, source.Cmd, source.PowerShell}
	styles := []quote.Style{quote.POSIX, quote.Cmd, quote.PowerShell}
	commands, detected := 0, make(map[source.Dialect]int)
	for _, c := range corpus.Read(t, corpus.Commands) {
		args, ok := plainArgs(c.Command)
		if !ok {
			continue
		}
		in := inputOf(c)
		if _, err := engine.ParseArgs(args, in); err != nil {
			continue // what curl refuses is read as it is meant, which the quoting decides
		}
		in.Shell = "posix"
		want, ok := requestsOf(quote.Command(args, quote.POSIX), in)
		if !ok {
			continue
		}
		commands++
		for i, d := range dialects {
			text := quote.Command(args, styles[i])
			if d == source.Cmd && strings.ContainsAny(strings.Join(args, ""), "\r\n") {
				detected[d]++ // a line break has no spelling
				continue
			}
			in.Shell = d.String()
			if got, _ := requestsOf(text, in); got != want {
				t.Errorf("%s in %v:\n%s\n got %s\nwant %s", c.Name, d, text, got, want)
			}
			in.Shell = ""
			if got, _ := requestsOf(text, in); got == want {
				detected[d]++
			}
		}
	}
	for _, d := range dialects {
		t.Logf("%v: %d of %d come out the same with nothing said about the shell", d, detected[d], commands)
		if commands < 100 || detected[d]*100 < commands*97 {
			t.Errorf("%v: only %d of %d are detected", d, detected[d], commands)
		}
	}
}

// plainArgs returns the words of a text that is one POSIX command without
// anything unknown in it.
func plainArgs(text string) (args []string, ok bool) {
	reading := source.Split(text, source.POSIX, nil, meter.New(len(text), meter.Limits{}, nil), nil)
	if len(reading.Diags) > 0 || len(reading.Commands) != 1 || reading.Commands[0].Stdin != nil {
		return nil, false
	}
	for _, w := range reading.Commands[0].Args {
		if len(w.Holes) > 0 {
			return nil, false
		}
		args = append(args, w.Text)
	}
	return args, true
}

// requestsOf returns the requests of a text.
func requestsOf(text string, in engine.Input) (requests string, ok bool) {
	result, err := engine.Parse(text, in)
	if err != nil {
		return err.Error(), false
	}
	var description struct{ Requests json.RawMessage }
	if err := json.Unmarshal(result.AppendJSON(nil), &description); err != nil {
		return err.Error(), false
	}
	return unpiped.Replace(string(description.Requests)), true
}

// unpiped leaves out that the output goes on to another program: what a text means is its
// requests, and its clean form has no pipe. TestAround holds the option.
var unpiped = strings.NewReplacer(`,"piped":true`, "", `"piped":true,`, "", `"piped":true`, "")
