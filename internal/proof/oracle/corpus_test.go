package oracle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/internal/engine"
	"uncoil/internal/proof/corpus"
)

// A corpusCommand is a case of the corpus as bash and curl run it.
type corpusCommand struct {
	name, command string
	clean         string // what bash and curl run instead, where it is not the command
	setup         Setup
	since         Version
	unjudged      string // why no curl can judge it
}

// readCorpus reads the commands of a kind of cases.
func readCorpus(t *testing.T, kind corpus.Kind) []corpusCommand {
	t.Helper()
	var commands []corpusCommand
	for _, c := range corpus.Read(t, kind) {
		command := corpusCommand{
			name: c.Name, command: c.Command, clean: cmp.Or(c.Clean, c.Command),
			setup:    Setup{Files: c.Files, Stdin: c.Stdin, Env: c.Env},
			unjudged: strings.TrimPrefix(c.Fields["oracle"], "no, "),
		}
		if since := c.Fields["since"]; since != "" {
			var err error
			if command.since, err = ParseVersion(since); err != nil {
				t.Fatalf("%s: %v", c.Path, err)
			}
		}
		commands = append(commands, command)
	}
	return commands
}

// shortSample is the share of the commands that a short run judges, one in so many.
const shortSample = 8

// leftOut reports whether a short run leaves out the command of a number.
func leftOut(i int) bool { return testing.Short() && i%shortSample != 0 }

// judge runs a command by bash and curl, or skips the test.
func (c *corpusCommand) judge(t *testing.T) Result {
	t.Helper()
	c.mayBeJudged(t)
	got, err := Run(context.Background(), c.clean, c.setup)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// mayBeJudged skips the test where the curl that is installed cannot judge the
// command.
func (c *corpusCommand) mayBeJudged(t *testing.T) {
	t.Helper()
	t.Parallel()
	version, err := CurlVersion()
	if err != nil {
		t.Fatal(err)
	}
	if c.unjudged != "" {
		t.Skipf("no curl can judge it: %s", c.unjudged)
	}
	if version.Compare(c.since) < 0 {
		t.Skipf("it holds from curl %v on, and this is %v", c.since, version)
	}
}

// TestCorpus has curl judge every command of testdata/corpus.
func TestCorpus(t *testing.T) {
	Require(t)
	for i, c := range readCorpus(t, corpus.Commands) {
		if leftOut(i) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			got := c.judge(t)
			if difference := c.differs(got); difference != "" {
				t.Errorf("%s\n%s", c.command, difference)
			}
		})
	}
}

// differs returns how uncoil's reading of the command differs from what curl
// did, or "". Unlike compare it makes no allowance: a case that needs one says
// so in its file.
func (c *corpusCommand) differs(got Result) string {
	version, err := CurlVersion()
	if err != nil {
		return err.Error()
	}
	var sent []Request
	for _, r := range got.Requests {
		if !r.IsTunnel() {
			sent = append(sent, r)
		}
	}
	result, err := engine.Parse(c.command, c.setup.Input())
	if err != nil {
		if len(sent) > 0 {
			return fmt.Sprintf("curl sent %s, uncoil refuses: %v", sent[0].Line(), err)
		}
		return ""
	}
	sent = dropUnfinished(sent, got, result)
	if len(sent) != len(result.Requests) {
		return fmt.Sprintf("curl sent %d requests (exit %d: %s), uncoil says %d", len(sent), got.Exit, lastLine(got.Stderr), len(result.Requests))
	}
	for i := range sent {
		if difference := compareRequest(&sent[i], &result.Requests[i], version); difference != "" {
			return fmt.Sprintf("request %d: %s", i+1, difference)
		}
	}
	return ""
}

// TestErrors checks that curl, too, sends nothing for a command of
// testdata/errors, and says so by its exit code.
func TestErrors(t *testing.T) {
	Require(t)
	for i, c := range readCorpus(t, corpus.Errors) {
		if leftOut(i) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			got := c.judge(t)
			if len(got.Requests) > 0 {
				t.Errorf("curl sent %s\n%s", got.Requests[0].Line(), c.command)
			}
			if got.Exit == 0 {
				t.Errorf("curl is content\n%s", c.command)
			}
		})
	}
}

// uploadsStdin matches commands that upload standard input.
var uploadsStdin = regexp.MustCompile(`-T ?[-.] `)

// TestCorpusAgain has shells and curl judge what package code writes as a curl
// command for each command of the corpus: it must send what the command sends.
func TestCorpusAgain(t *testing.T) {
	Require(t)
	inShell := func(shell string) func(*corpusCommand, string) (Result, error) {
		return func(c *corpusCommand, written string) (Result, error) {
			return RunIn(context.Background(), shell, written, c.setup)
		}
	}
	version, err := CurlVersion()
	if err != nil {
		t.Fatal(err)
	}
	var lacking []string
	if version.Compare(Version{8, 3, 0}) < 0 {
		lacking = []string{"expand-"} // variables
	}
	for _, form := range []struct {
		name, target string
		lacks        []string // of the shell, or of the curl that is installed
		run          func(c *corpusCommand, written string) (Result, error)
	}{
		{"bash", "curl", nil, inShell("bash")},
		{"dash", "curl", []string{"$'"}, inShell("dash")},
		{"fish", "curl-fish", nil, inShell("fish")},
		{"config", "curl-config", lacking, runConfig},
	} {
		target, _ := code.Lookup(form.target)
		for i, c := range readCorpus(t, corpus.Commands) {
			if leftOut(i) || testing.Short() && form.name != "bash" && i%(4*shortSample) != 0 {
				continue
			}
			t.Run(form.name+"/"+c.name, func(t *testing.T) {
				result, err := engine.Parse(c.command, c.setup.Input())
				if err != nil {
					t.Skip("it has no requests: ", err)
				}
				written, _, err := target.Append(nil, result.Requests, code.Options{LongNames: form.name == "dash"})
				if err != nil {
					t.Skip("it cannot be written again: ", err)
				}
				if strings.Contains(c.command, "-C ") {
					t.Skip("the field of -C stands elsewhere when -H sets it")
				}
				if len(lacking) == 0 && uploadsStdin.MatchString(c.command) {
					t.Skip("this curl asks whether it may send what has no known length, and does not for data")
				}
				for _, lacking := range form.lacks {
					if strings.Contains(string(written), lacking) {
						t.Skip("what is installed lacks ", lacking)
					}
				}
				c.mayBeJudged(t)
				got, err := form.run(&c, string(written))
				if errors.Is(err, exec.ErrNotFound) {
					t.Skip(err)
				} else if err != nil {
					t.Fatal(err)
				}
				if difference := c.differs(got); difference != "" {
					t.Errorf("%s\nis written\n%s\n%s", c.command, written, difference)
				}
			})
		}
	}
}

// runConfig has curl read a file of options.
func runConfig(c *corpusCommand, written string) (Result, error) {
	const name = "written again.curlrc"
	setup := c.setup
	setup.Files = maps.Clone(setup.Files)
	if setup.Files == nil {
		setup.Files = make(map[string][]byte)
	}
	setup.Files[name] = []byte(written)
	return RunArgs(context.Background(), []string{"-K", name}, setup)
}
