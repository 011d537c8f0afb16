package codeproof

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
)

// An answerer is a process that answers each line with a line. It ends with this process,
// since its input ends then.
type answerer struct {
	cmd     *exec.Cmd
	input   io.Writer
	answers *bufio.Reader
}

func startAnswerer(argv ...string) (*answerer, error) {
	a := &answerer{cmd: exec.Command(argv[0], argv[1:]...)}
	input, err := a.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := a.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	a.input, a.answers = input, bufio.NewReader(output)
	return a, a.cmd.Start()
}

// ask returns the answer to a line, one line at a time. The process ends where it does not
// answer as long as the context holds, and answers nothing after that.
func (a *answerer) ask(ctx context.Context, line []byte) (string, error) {
	defer context.AfterFunc(ctx, func() { a.cmd.Process.Kill() })()
	if _, err := fmt.Fprintf(a.input, "%s\n", line); err != nil {
		return "", err
	}
	return a.answers.ReadString('\n')
}
