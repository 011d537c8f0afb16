// Package line has what a handler decodes and encodes that does nothing else.
package line

// A Line is one of a batch, or the content of a request to the service.
type Line struct {
	ID   any    `json:"id,omitempty"`
	Curl string `json:"curl"`
}

// A Request has the members of convert.
type Request struct {
	Method  string            `json:"method"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
	Data    any               `json:"data"`
}

// An Answered is the answer to a line.
type Answered struct {
	ID     any     `json:"id,omitempty"`
	Result Request `json:"result"`
}

// Answer returns an answer as long as those of uncoil are: the text of the command stands for
// the content.
func Answer(l *Line) Answered {
	return Answered{ID: l.ID, Result: Request{Method: "POST", URL: "https://api.example.com/v1/users",
		Headers: map[string]string{"Content-Type": "application/json"}, Data: l.Curl}}
}
