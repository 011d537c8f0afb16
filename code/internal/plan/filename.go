package plan

import (
	"uncoil/internal/engine/reqtext"
	"uncoil/request"
)

// FilenamePattern is a regular expression that all languages read, to be matched without
// regard to case with the field Content-Disposition. Its group is the name that the field
// gives a file, made safe: what comes after the last slash, backslash or colon, without dots
// at its beginning, so that a server writes no file elsewhere and none that is hidden.
const FilenamePattern = `\bfilename="?(?:[^";]*[/\\:])?\.*([^".;/\\:][^";/\\:]*)`

// NamedByResponse reports whether the response names the file that -O writes: -J.
func (c *Call) NamedByResponse() bool {
	return c.Options.On("remoteHeaderName") && c.Has("remoteName") && !c.Has("output") && writesFile(nil, c)
}

// NameOutput has Output be an expression of the program: the name that the response gives.
// It returns the name that the file has where the response gives none.
func (c *Call) NameOutput(expression string) Text {
	c.take("remoteHeaderName", "remoteName")
	output := Text{{Variable: &request.Variable{Name: expression, Expr: "%{filename}", Encoding: Computed}}}
	if folder, _ := c.Option("outputDir").(string); folder != "" {
		output = MergeLiterals(append(append(c.Text(folder, reqtext.Option("outputDir", 0)), Part{Literal: "/"}), output...))
	}
	c.Asked.Output = output
	return c.remoteName()
}
