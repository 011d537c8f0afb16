package batch

import (
	"strings"

	"uncoil/extract"
	"uncoil/internal/edge/api"
	"uncoil/internal/edge/suffix"
	"uncoil/internal/engine/jsontext"
)

// maxLine limits the size of a line.
const maxLine = 64 << 20

// Limits are those of the requests in lines.
var Limits = api.Limits{Line: maxLine, PublicSuffix: suffix.Public}

// plainLine begins a line that is a command as it stands.
const plainLine = "curl "

// AppendAnswer answers a line; an empty one gets nothing. As is the form of
// answers to lines that name none.
func AppendAnswer(dst []byte, line string, as api.As) ([]byte, api.Outcome) {
	return Limits.AppendLine(dst, requestLines(line), as)
}

// requestLines returns lines with those that are a command as it stands made
// request objects.
func requestLines(block string) string {
	if !strings.HasPrefix(block, plainLine) && !strings.Contains(block, "\n"+plainLine) {
		return block
	}
	var b []byte
	for line := range strings.Lines(block) {
		if strings.HasPrefix(line, plainLine) {
			b = append(jsontext.AppendString(append(b, `{"curl":`...), strings.TrimRight(line, "\r\n")), "}\n"...)
		} else {
			b = append(b, line...)
		}
	}
	return string(b)
}

// AppendCommand appends the line for a command that was found in a file: its
// place is the id.
func AppendCommand(dst []byte, file string, c *extract.Command) []byte {
	o := jsontext.NewObject(dst)
	o.Key("id")
	place := jsontext.NewObject(o.Dst)
	place.String("file", file)
	place.Int("line", int64(c.Line))
	place.Int("column", int64(c.Column))
	o.Dst = place.End()
	o.String("curl", c.Text)
	o.Optional("shell", c.Shell)
	return append(o.End(), '\n')
}
