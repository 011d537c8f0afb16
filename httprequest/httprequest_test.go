package httprequest_test

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"uncoil"
	"uncoil/httprequest"
	"uncoil/internal/edge/suffix"
	"uncoil/internal/engine/fault"
	"uncoil/internal/proof/corpus"
	"uncoil/request"
)

// TestPanicBecomesError holds that a panic in the caller's function is an error.
func TestPanicBecomesError(t *testing.T) {
	r := request.Request{URL: "http://h.test/", Body: &request.Body{Kind: request.KindFile, Pieces: []request.Piece{{Kind: request.KindFile, File: "f"}}}}
	out, err := httprequest.New(t.Context(), &r, func(string) ([]byte, error) { panic("s3cr3t") })
	if fault.Of(err) == nil || out != nil {
		t.Errorf("%v, %v", out, err)
	}
}

// TestCorpus checks that net/http writes the request line, fields and content
// of the model for each request of the corpus with known content. The oracle
// compares the model with curl.
func TestCorpus(t *testing.T) {
	compared, skipped := 0, make(map[string]int)
	for _, c := range corpus.Read(t, corpus.Commands) {
		result, err := uncoil.Parse(c.Command, uncoil.Input{Shell: uncoil.Shell(c.Shell), Files: c.Files, Stdin: c.Stdin, Env: c.Env, Now: corpus.Now, PublicSuffix: suffix.Public})
		if err != nil {
			continue
		}
		for i := range result.Requests {
			why := compare(t, c.Name, &result.Requests[i])
			if why == "" {
				compared++
			} else {
				skipped[why]++
			}
		}
	}
	t.Logf("%d requests compared; not comparable: %v", compared, skipped)
	if compared < 300 {
		t.Errorf("only %d requests were compared", compared)
	}
}

// compare compares a request, or returns why it cannot.
func compare(t *testing.T, name string, r *request.Request) (why string) {
	t.Helper()
	made, err := httprequest.New(t.Context(), r, nil)
	if fileErr := (*request.FileError)(nil); errors.As(err, &fileErr) {
		return "a file is missing"
	}
	if err != nil {
		return err.Error()
	}
	var sent bytes.Buffer
	if err := made.Write(&sent); err != nil {
		return "net/http refuses it"
	}
	message := slices.Clone(sent.Bytes())
	boundary := ""
	if _, b, ok := strings.Cut(made.Header.Get("Content-Type"), "boundary="); ok {
		boundary = b
	}
	source := request.Source{Boundary: boundary}
	want, err := r.AppendMessage(nil, source)
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
	body, err := r.AppendBody(nil, source)
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
	read, err := http.ReadRequest(bufio.NewReader(&sent))
	if err != nil {
		return "net/http does not read it"
	}
	if content, _ := io.ReadAll(read.Body); !bytes.Equal(content, body) {
		t.Errorf("%s: net/http sends the content %q, curl %q", name, content, body)
	}
	if diff := cmp.Diff(head(want), head(message)); diff != "" {
		t.Errorf("%s (-curl +net/http):\n%s", name, diff)
	}
	return ""
}

// head returns the lines of a message before its content, the fields sorted,
// without what net/http cannot say: HTTP/1.0 and an empty User-Agent.
func head(message []byte) []string {
	text, _, _ := strings.Cut(string(message), "\r\n\r\n")
	lines := strings.Split(text, "\r\n")
	lines[0] = strings.TrimSuffix(strings.TrimSuffix(lines[0], "1.0"), "1.1")
	var fields []string
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ":")
		name, value = http.CanonicalHeaderKey(name), strings.TrimSpace(value)
		switch name {
		case "Host", "Content-Length", "Transfer-Encoding": // how the content is framed
			continue
		case "User-Agent":
			if value == "" {
				continue
			}
		}
		fields = append(fields, name+": "+value)
	}
	slices.Sort(fields)
	return append(lines[:1], fields...)
}

func TestTarget(t *testing.T) {
	for command, want := range map[string]string{
		"curl 'http://h.test/a%2Fb//c?x=1&y'":                 "GET /a%2Fb//c?x=1&y HTTP/1.1",
		"curl 'http://h.test//x?'":                            "GET //x? HTTP/1.1",
		`curl --globoff 'http://h.test/a|b"c[1]{d}'`:          `GET /a|b"c[1]{d} HTTP/1.1`,
		"curl --request-target '*' -X OPTIONS h.test":         "OPTIONS * HTTP/1.1",
		"curl --request-target http://o.test/x http://h.test": "GET http://o.test/x HTTP/1.1",
	} {
		result, err := uncoil.Parse(command, uncoil.Input{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := httprequest.New(t.Context(), &result.Requests[0], nil)
		if err != nil {
			t.Errorf("%s: %v", command, err)
			continue
		}
		var sent bytes.Buffer
		if err := r.Write(&sent); err != nil {
			t.Errorf("%s: %v", command, err)
		}
		if line, _, _ := strings.Cut(sent.String(), "\r\n"); line != want {
			t.Errorf("%s sends %q, want %q", command, line, want)
		}
	}
}

// TestComputedAuth holds that no request goes out without the credentials that
// curl would compute.
func TestComputedAuth(t *testing.T) {
	for command, want := range map[string]error{
		"curl --aws-sigv4 aws:amz -u a:b http://h.test/":                       httprequest.ErrAuth,
		"curl --ntlm -u a:b http://h.test/":                                    httprequest.ErrAuth,
		"curl --ntlm -u a:b -H Authorization: http://h.test/":                  httprequest.ErrAuth,
		"curl --negotiate -u : http://h.test/":                                 httprequest.ErrAuth,
		"curl --negotiate -u : -H 'Authorization: x' http://h.test/":           nil,
		"curl --aws-sigv4 aws:amz -u a:b -H 'Authorization: x' http://h.test/": nil,
		"curl --digest -u a:b http://h.test/":                                  nil,
		"curl --anyauth -u a:b http://h.test/":                                 nil,
	} {
		result, err := uncoil.Parse(command, uncoil.Input{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := httprequest.New(t.Context(), &result.Requests[0], nil); !errors.Is(err, want) {
			t.Errorf("%s: the error is %v, want %v", command, err, want)
		}
	}
}
