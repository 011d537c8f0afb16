package batch

import (
	"uncoil/extract"
	"uncoil/internal/edge/api"
	"uncoil/internal/edge/suffix"
	"uncoil/internal/engine/jsontext"
)

// maxLine limits the size of a line.
const maxLine = 64 << 20

// Limits are those of the requests in lines.
var Limits = api.Limits{Line: maxLine, PublicSuffix: suffix.Public}

// AppendAnswer answers a line; an empty one gets nothing. As is the form of
// answers to lines that name none.
func AppendAnswer(dst []byte, line string, as api.As) ([]byte, api.Outcome) {
	return Limits.AppendLine(dst, line, as)
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
