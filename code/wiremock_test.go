package code_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"uncoil/code"
	"uncoil/code/internal/plan"
	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/internal/proof/codeproof"
	"uncoil/internal/proof/oracle"
	"uncoil/request"
)

// TestWireMock has WireMock load the stubs of commands, and asks it what curl sends for each,
// which it answers, and the same with one thing changed, which it does not answer.
func TestWireMock(t *testing.T) {
	for folder, name := range map[string]string{"wiremock": "wiremock", "wiremock-oldest": "wiremock@oldest"} {
		for form, options := range map[string]code.Options{"idiomatic": {}, "exact": exactly} {
			t.Run(name+"/"+form, func(t *testing.T) { proveWireMock(t, folder, name, form, options) })
		}
	}
}

func proveWireMock(t *testing.T, folder, name, form string, options code.Options) {
	jars := strings.Split(needsJudges(t, folder), ":")
	oracle.Require(t)
	if !regexp.MustCompile(*proveTargets).MatchString(name) {
		t.Skip("another target is wanted")
	}
	server := startWireMock(t, jars[slices.IndexFunc(jars, func(jar string) bool { return strings.Contains(jar, "wiremock-standalone") })])
	bench, err := codeproof.NewBench(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer bench.Close()
	target, _ := code.Lookup("wiremock")
	wanted := regexp.MustCompile(*proveCases)
	result := provenRun{target: name, form: form}
	cases, _ := proofCases(t)
	for i, c := range cases {
		if !wanted.MatchString(c.Name) || !*prove && i%10 != 0 || *prove && i%int(*proveEvery) != 0 {
			continue
		}
		c, parsed, ok := c.At(bench.Host())
		if !ok {
			continue
		}
		run, err := bench.Curl(c.Command, c.Setup)
		if err != nil {
			t.Fatal(err)
		}
		if len(run.Requests) != len(parsed.Requests) {
			continue // it asks again, or reads the command otherwise
		}
		result.counts[0]++
		file, diags := target.Compose(nil, parsed.Requests, options)
		if diags.Err() != nil {
			result.counts[3]++
			continue
		}
		wrong := loadStubs(server, file)
		for i := range run.Requests {
			if wrong != nil {
				break
			}
			anything := slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Hint == plan.Accepted })
			wrong = stubAnswers(server, &run.Requests[i], &parsed.Requests[i], len(run.Requests) == 1, anything)
		}
		switch warned := slices.ContainsFunc(slices.Concat(parsed.Warnings, diags), admits); {
		case wrong == nil:
			result.counts[1]++
		case warned:
			result.counts[4]++
		default:
			result.counts[5]++
			t.Errorf("%s: %s\n%v\n%s", c.Name, c.Command, wrong, file)
		}
	}
	if result.counts[0]-result.counts[3] < 20 && *proveCases == "" {
		t.Errorf("only %d stubs were judged", result.counts[0]-result.counts[3])
	}
	version, err := os.ReadFile(codeproof.Judges("maven", folder, ".version"))
	if err != nil {
		t.Fatal(err)
	}
	_, result.client, _ = strings.Cut(strings.TrimSpace(string(version)), ":")
	fmt.Printf("| %s | %s | %s | %d |\n", name, result.client, form, result.counts)
	if *prove && *proveSave && *proveCases == "" {
		keepRun(t, result)
	}
}

// stubAnswers returns an error where a server does not answer a request of curl, or answers one
// that differs from it in one thing. There may be several stubs, of which another one answers
// that, and one that takes any content.
func stubAnswers(server string, sent *oracle.Request, asked *request.Request, alone, anything bool) error {
	ask := func(what string, answers bool, change func(r *oracle.Request)) error {
		other := *sent
		other.Lines = slices.Clone(sent.Lines)
		change(&other)
		got, err := askStub(server, &other)
		if err == nil && (got == http.StatusOK) != answers { // the others are 403, 404 and 500
			err = fmt.Errorf("%s is answered with %d:\n%s %s\n%s\n%s", what, got, other.Method, other.Target, strings.Join(other.Lines, "\n"), other.Body)
		}
		return err
	}
	if err := ask("what curl sends", true, func(*oracle.Request) {}); err != nil || !alone {
		return err
	}
	path, query, _ := strings.Cut(sent.Target, "?")
	errs := []error{
		ask("another method", false, func(r *oracle.Request) { r.Method = "NOPE" }),
		ask("another path", false, func(r *oracle.Request) {
			r.Target = strings.TrimSuffix(path, "/") + "/other/one" + sent.Target[len(path):]
		}),
	}
	if len(asked.Variables) > 0 {
		return errors.Join(errs...) // which are whatever there is
	}
	if query != "" {
		errs = append(errs, ask("another query", false, func(r *oracle.Request) { r.Target = path }))
	}
	for i, line := range sent.Lines {
		field, _, _ := strings.Cut(line, ":")
		set := slices.IndexFunc(asked.Fields, func(f request.Field) bool { return strings.EqualFold(f.Name, field) && f.Origin == request.OriginUser })
		if set >= 0 && !strings.EqualFold(field, "Host") && !strings.EqualFold(field, "Content-Length") && !strings.EqualFold(field, "Transfer-Encoding") {
			errs = append(errs, ask("another "+field, false, func(r *oracle.Request) { r.Lines[i] = field + ": other" }))
		}
	}
	if len(sent.Body) > 0 && !anything {
		errs = append(errs, ask("other content", false, func(r *oracle.Request) { r.Body = []byte("other") }))
	}
	return errors.Join(errs...)
}

var percentEscape = regexp.MustCompile(`%[0-9a-fA-F]{2}`)

// askStub sends a request as it was recorded, and returns the status of the answer.
func askStub(server string, r *oracle.Request) (int, error) {
	connection, err := net.Dial("tcp", server)
	if err != nil {
		return 0, err
	}
	defer connection.Close()
	connection.SetDeadline(time.Now().Add(10 * time.Second))
	// curl before 8.14 writes escapes in small letters.
	message := r.Method + " " + percentEscape.ReplaceAllStringFunc(r.Target, strings.ToUpper) + " HTTP/1.1\r\n"
	for _, line := range r.Lines {
		switch name, _, _ := strings.Cut(line, ":"); strings.ToLower(name) {
		case "content-length", "transfer-encoding", "expect":
		default:
			message += line + "\r\n"
		}
	}
	switch {
	case r.Chunked:
		message += fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(r.Body), r.Body)
	case len(r.Body) > 0 || len(r.Values("Content-Length")) > 0:
		message += fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(r.Body), r.Body)
	default:
		message += "\r\n"
	}
	if _, err := io.WriteString(connection, message); err != nil {
		return 0, err
	}
	answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		return 0, err
	}
	answer.Body.Close()
	return answer.StatusCode, nil
}

// startWireMock starts a server, and returns its host and port.
func startWireMock(t *testing.T, jar string) string {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	_, port, _ := net.SplitHostPort(address)
	server := exec.Command("java", "-jar", jar, "--port", port, "--bind-address", "127.0.0.1", "--disable-banner")
	server.Dir = t.TempDir()
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Process.Kill(); server.Wait() })
	for range 200 {
		if connection, err := net.Dial("tcp", address); err == nil {
			connection.Close()
			return address
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("WireMock does not answer")
	return ""
}

// loadStubs replaces all stubs of a server.
func loadStubs(server string, file []byte) error {
	request, err := http.NewRequest(http.MethodDelete, "http://"+server+"/__admin/mappings", nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	answer.Body.Close()
	answer, err = http.Post("http://"+server+"/__admin/mappings/import", "application/json", bytes.NewReader(file))
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return errors.New(answer.Status)
	}
	return nil
}

// TestWireMockTemplates holds which paths are templates.
func TestWireMockTemplates(t *testing.T) {
	target, _ := code.Lookup("wiremock")
	for _, c := range []struct {
		path string
		o    code.Options
		want string
	}{
		{"/users/{user_id}/orders", code.Options{}, `"urlPathTemplate": "/users/{user_id}/orders"`},
		{"/users/{user_id}", code.Options{Style: code.StyleExact}, `"urlPath": "/users/{user_id}"`},
		{"/users/{user_id}", code.Options{Placeholders: code.PlaceholdersText}, `"urlPath": "/users/{user_id}"`},
		{"/users/{user_id}", code.Options{Placeholders: code.PlaceholdersVariables}, `"urlPathPattern": "/users/[^/]*"`},
		{"/users/a{b}", code.Options{}, `"urlPath": "/users/a{b}"`},
		{"/a**/{b}", code.Options{}, `"urlPath": "/a**/{b}"`},
	} {
		r, err := engine.Parse("curl -g 'http://h.test"+c.path+"'", engine.Input{})
		if err != nil {
			t.Fatal(err)
		}
		if file, diags := target.Compose(nil, r.Requests, c.o); diags.Err() != nil || !strings.Contains(string(file), c.want) {
			t.Errorf("%s with %+v: %v, want %s in\n%s", c.path, c.o, diags, c.want, file)
		}
	}
}
