package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A listed is a program of the answer to several targets, or the error in its place.
type listed struct {
	Target, Filename, Code string
	Error                  *struct{ Code, Detail string }
}

// setTargets takes the names of one or several targets, with commas between them.
func (q *question) setTargets(names string) error {
	for name := range strings.SplitSeq(names, ",") {
		if name == "" {
			return errors.New("must be a name of a target, or several with commas between them")
		}
		if err := checkTarget(name); err != nil {
			return err
		}
		q.want.Targets = append(q.want.Targets, name)
	}
	return nil
}

// one makes a single target what it is elsewhere.
func (q *question) one() {
	if len(q.want.Targets) == 1 {
		q.want.Target, q.want.Targets = q.want.Targets[0], nil
	}
}

// writePrograms writes the programs of an answer to several targets: each below its name, or
// as files of a folder. An error of one does not keep back the others.
func (p *Program) writePrograms(answer []byte, folder string) error {
	var all struct{ Programs []listed }
	if err := json.Unmarshal(answer, &all); err != nil {
		return err
	}
	if folder != "" {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return err
		}
	}
	failed := false
	names := make(map[string]int)
	for i := range all.Programs {
		names[all.Programs[i].Filename]++
	}
	for i := range all.Programs {
		one := &all.Programs[i]
		if one.Error != nil {
			p.complain(one.Target + ": " + one.Error.Code + ": " + one.Error.Detail)
			failed = true
			continue
		}
		name := one.Filename
		if names[name] > 1 { // as two clients of a language have it
			name = one.Target + filepath.Ext(name)
		}
		var err error
		if folder != "" {
			err = writeFile(filepath.Join(folder, name), []byte(one.Code))
		} else {
			_, err = fmt.Fprintf(p.Stdout, "%s==> %s <==\n%s", strings.Repeat("\n", min(i, 1)), name, one.Code)
		}
		if err != nil {
			return err
		}
	}
	if failed {
		return errReported
	}
	return nil
}
