// Package mcp lets agents call uncoil by the Model Context Protocol: a server
// whose tools convert, describe and check a curl command, and write it as code.
//
// The arguments of a tool are the request object of the service, and its
// structured content is the service's answer. What cannot be converted is a
// tool error whose text is the problem document, so that the agent sees the
// hint.
package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"uncoil/internal/edge/api"
)

// MaxAnswer is how many bytes the answer of a tool may have: agents read it
// whole.
const MaxAnswer = 1 << 20

// An Answer answers a request object, as api.Request.Answer does, with its
// warnings in any case: an agent would not ask for them. Several calls may run at
// once.
type Answer func(ctx context.Context, arguments string, as api.As) ([]byte, error)

// New returns a server of a version of uncoil.
func New(version string, answer Answer) *sdk.Server {
	s := sdk.NewServer(
		&sdk.Implementation{Name: "uncoil", Title: "uncoil", Version: version},
		&sdk.ServerOptions{
			Instructions: instructions,
			Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
			PageSize:     len(tools()),
		})
	for _, t := range tools() {
		s.AddTool(t.described, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			body, err := t.call(ctx, string(r.Params.Arguments), answer)
			return result(body, err), nil
		})
	}
	return s
}

// Serve answers an agent on two streams, one message on each line, until the
// first one ends.
func Serve(ctx context.Context, version string, in io.Reader, out io.Writer, answer Answer) error {
	err := New(version, answer).Run(ctx, draining{&sdk.IOTransport{Reader: io.NopCloser(in), Writer: writeCloser{out}}})
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// ServeHTTP answers one request of the streamable HTTP transport, as JSON and
// without a session, so that nothing is kept between two requests. Its content
// must hold one message: the caller has checked origin, size and rights.
func ServeHTTP(w http.ResponseWriter, r *http.Request, version string, answer Answer) {
	sdk.NewStreamableHTTPHandler(
		func(*http.Request) *sdk.Server { return New(version, answer) },
		&sdk.StreamableHTTPOptions{
			Stateless: true, JSONResponse: true,
			DisableLocalhostProtection: true,
			MaxRequestBodyBytes:        -1,
		},
	).ServeHTTP(w, r)
}

// writeCloser is a stream that stays open.
type writeCloser struct{ io.Writer }

func (writeCloser) Close() error { return nil }

// result returns an answer or an error as agents read it. The text is the JSON
// of the answer, because not all clients read structured content.
func result(body []byte, err error) *sdk.CallToolResult {
	if err == nil && len(body) > MaxAnswer {
		err = &api.Problem{
			Code:   api.CodeTooLarge,
			Detail: "The answer has more than " + strconv.Itoa(MaxAnswer) + " bytes.",
			Hint:   "send the commands in parts, or smaller files",
		}
	}
	if err != nil {
		body, _, _ = api.AppendProblem(nil, err)
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: string(body)}}, IsError: true}
	}
	return &sdk.CallToolResult{
		Content:           []sdk.Content{&sdk.TextContent{Text: string(body)}},
		StructuredContent: json.RawMessage(body),
	}
}
