package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"uncoil/diag"
	"uncoil/internal/edge/api"
	"uncoil/internal/engine"
	"uncoil/internal/engine/compare"
	"uncoil/internal/engine/redact"
	"uncoil/request"
)

// errTrouble is an error of diff that standard error has already: 1 means there that the requests
// differ.
var errTrouble = errors.New("reported as trouble")

// diff says what differs between the requests of two texts.
func (p *Program) diff(args []string) error {
	fs := NewFlags("diff")
	q := newQuestion("")
	entries := [2]int{}
	q.inputFlags(p, fs)
	fs.BoolVar(&p.hide, "hide-secrets", false, "show ••• for passwords, tokens and cookies")
	fs.BoolVar(&q.json, "json", false, "write JSON, as POST /api/diff answers")
	fs.Func("entry-a", "`N`: take request N of the first text, of a recording or a collection", numberOf(&entries[0]))
	fs.Func("entry-b", "`N`: take request N of the second text", numberOf(&entries[1]))
	if err := p.ParseFlags(fs, args, &diffPage); err != nil {
		return err
	}
	if fs.NArg() != 2 {
		return &UsageError{"diff compares two texts: commands in quotes, names of files, or - for standard input", "uncoil diff -h"}
	}
	closeFiles, err := q.readFiles(p)
	if err != nil {
		return err
	}
	defer closeFiles()
	var pair api.Pair
	for i, r := range []*api.Request{&pair.A, &pair.B} {
		r.Input = q.input
		if entries[i] > 0 {
			r.Input.Entry = entries[i]
		}
		if r.Curl, err = p.commandText("diff", fs.Args()[i:i+1]); err != nil {
			p.complain(err.Error())
			return errTrouble
		}
	}
	return p.compare(&pair, &q)
}

// numberOf sets a number that counts from 1.
func numberOf(n *int) func(string) error {
	return func(text string) (err error) {
		if *n, err = strconv.Atoi(text); err != nil || *n < 1 {
			return errors.New("must be a number from 1 on")
		}
		return nil
	}
}

// compare writes what differs, and returns errReported where something does.
func (p *Program) compare(pair *api.Pair, q *question) error {
	c, err := pair.Compare()
	if err != nil {
		return p.trouble(pair, err)
	}
	if p.hide {
		p.hideIn(pair, c)
	}
	doubts := false
	for i, r := range []*engine.Result{c.A, c.B} {
		for k := range r.Warnings {
			if d := &r.Warnings[k]; d.Level == diag.LevelDoubt {
				doubts = true
				if !q.quiet {
					p.complain("in the " + []string{"first", "second"}[i] + " text:")
					p.writeDiagnostic(d, r.Source())
				}
			}
		}
	}
	if q.json {
		answer, err := c.Append(nil)
		if err != nil {
			return p.trouble(pair, err)
		}
		err = p.writeAnswer(answer, &api.Want{}, "")
		if err != nil {
			return err
		}
	} else if err := p.writeDifferences(c.Differences); err != nil {
		return err
	}
	if doubts && q.failOnDoubt || compare.VerdictOf(c.Differences) == compare.Different {
		return errReported
	}
	return nil
}

// hideIn hides the secrets of both sides.
func (p *Program) hideIn(pair *api.Pair, c *api.Comparison) {
	secrets := append(secretsOf(c.A.Requests), secretsOf(c.B.Requests)...)
	for _, source := range []string{pair.A.Curl, pair.B.Curl} {
		p.masker = redact.NewMasker(source, secrets)
		for i := range c.Differences {
			for _, side := range []**string{&c.Differences[i].A, &c.Differences[i].B} {
				if *side != nil {
					masked := p.masker.Mask(**side)
					*side = &masked
				}
			}
		}
		api.MaskAll(c.A.Warnings, p.masker)
		api.MaskAll(c.B.Warnings, p.masker)
	}
}

// secretsOf returns the secrets of requests, and what fields spell of them, such as Basic: it
// hides them in the requests, which are compared by now.
func secretsOf(requests []request.Request) (secrets []string) {
	var fields [][]request.Field
	for i := range requests {
		fields = append(fields, slices.Clone(requests[i].Fields))
	}
	secrets = redact.Requests(requests)
	for i, list := range fields {
		for k, hidden := range requests[i].Fields {
			if k < len(list) && hidden.Value != list[k].Value {
				_, credentials, _ := strings.Cut(list[k].Value, " ")
				secrets = append(secrets, credentials)
			}
		}
	}
	return secrets
}

// trouble writes the error of a side.
func (p *Program) trouble(pair *api.Pair, err error) error {
	if side, ok := errors.AsType[*api.SideError](err); ok {
		p.complain("in the " + map[string]string{"a": "first", "b": "second"}[side.Side] + " text:")
	}
	e, ok := errors.AsType[*engine.Error](err)
	if !ok {
		p.complain(err.Error())
		return errTrouble
	}
	if p.hide {
		p.masker = redact.NewMasker(pair.A.Curl+"\n"+pair.B.Curl, nil)
	}
	nameFlags(&e.Diagnostic)
	p.writeDiagnostic(&e.Diagnostic, e.Source)
	return errTrouble
}

// writeDifferences writes the verdict and a line for each difference.
func (p *Program) writeDifferences(list []compare.Difference) error {
	var b strings.Builder
	switch compare.VerdictOf(list) {
	case compare.Identical:
		b.WriteString("identical: both send the same request\n")
	case compare.Equivalent:
		b.WriteString("equivalent: both mean the same request, and spell it otherwise\n")
	default:
		b.WriteString("different\n")
	}
	for i := range list {
		d := &list[i]
		b.WriteString("  ")
		if d.Request > 1 {
			fmt.Fprintf(&b, "request %d, ", d.Request)
		}
		what := string(d.Kind)
		for _, name := range []string{d.Name, d.Member} {
			if name != "" {
				what += " " + shownText(name)
			}
		}
		fmt.Fprintf(&b, "%s: %s → %s\n", what, shownSide(d.A), shownSide(d.B))
	}
	_, err := p.Stdout.Write([]byte(b.String()))
	return err
}

// shownSide returns what a side has, for people.
func shownSide(side *string) string {
	if side == nil {
		return "(nothing)"
	}
	return shownText(*side)
}

// shownText returns a text in one line, in quotes where its ends would not be seen.
func shownText(s string) string {
	const most = 500
	cut := ""
	if len(s) > most {
		s, cut = strings.ToValidUTF8(s[:most], ""), " …"
	}
	if s == "" || s != strings.TrimSpace(s) || strings.ContainsAny(s, "\r\n\t") {
		s = strconv.Quote(s)
	}
	return s + cut
}

// readFiles opens the folder of -files, and returns what closes it.
func (q *question) readFiles(p *Program) (closeFiles func(), err error) {
	if q.dir == "" {
		return func() {}, nil
	}
	root, err := os.OpenRoot(q.dir)
	if err != nil {
		return nil, &UsageError{"-files: " + err.Error(), ""}
	}
	files := fileReader{root: root, left: maxFiles, warn: p.complain}
	q.input.ReadFile = files.ReadFile
	return func() { root.Close() }, nil
}
