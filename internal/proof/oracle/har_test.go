package oracle

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"uncoil/diag"
	"uncoil/internal/edge/api"
	"uncoil/internal/engine"
)

//go:embed testdata/browser.js
var browserScript string

// TestHAR has Chromium send requests of all kinds to a recorder, writes a HAR
// file of what its DevTools protocol tells about them, and has the real curl
// send what package code writes for the file as curl commands. The two must be
// the same bytes, but for what is the connection's own:
//
//   - Connection is not compared, because HTTP/1.1 connections stay open anyway;
//   - Content-Length is compared by its value, because curl writes it elsewhere;
//   - the blank after the colon of a field without a value, which is no part of it;
//   - the hexadecimal digits of percent-encodings in the path, which curl writes
//     in upper case.
func TestHAR(t *testing.T) {
	if testing.Short() {
		t.Skip("Chromium sends 200 requests, and curl sends them again")
	}
	Require(t)
	recorder, err := NewRecorder("")
	if err != nil {
		t.Fatal(err)
	}
	defer recorder.Close()
	recorder.Answer(func(r *Request) string {
		origin := "*"
		if values := r.Values("Origin"); len(values) > 0 {
			origin = values[0]
		}
		return "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 0\r\nAccess-Control-Allow-Origin: " + origin + "\r\nAccess-Control-Allow-Credentials: true\r\n" +
			"Access-Control-Allow-Methods: GET, POST, PUT, PATCH, DELETE\r\nAccess-Control-Allow-Headers: content-type, x-a\r\n\r\n"
	})
	browser := startChromium(t, recorder)
	browser.call("Network.enable", map[string]any{"maxPostDataSize": 1 << 20}, nil)
	browser.call("Page.enable", nil, nil)
	for _, page := range []string{"http://h.test/page", "https://secure.test:8443/page"} {
		browser.load(page)
		browser.run(browserScript)
	}
	file, sent := harFile(t, browser.events, recorder.Requests())
	if len(sent) < 200 {
		t.Errorf("Chromium sent %d requests, want 200", len(sent))
	}

	// Once the whole file, and some entries alone.
	all := commandsOf(t, file, 0)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Second)
	defer cancel()
	got, err := Run(ctx, ". ./commands.sh", Setup{Files: map[string][]byte{"commands.sh": []byte(all)}})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Requests) != len(sent) {
		t.Fatalf("curl sent %d requests, and Chromium %d (exit %d: %s)", len(got.Requests), len(sent), got.Exit, lastLine(got.Stderr))
	}
	differ := 0
	for i := range sent {
		if want, got := onTheWire(&sent[i]), onTheWire(&got.Requests[i]); want != got {
			if differ++; differ <= 5 {
				t.Errorf("request %d:\nChromium %.2000q\ncurl     %.2000q", i+1, want, got)
			}
		}
	}
	t.Logf("%d requests, of which %d differ", len(sent), differ)
	for i := 0; i < len(sent); i += 20 {
		if one := commandsOf(t, file, i+1); !strings.Contains(all, strings.TrimSpace(one)) {
			t.Errorf("entry %d alone is another command: %.500s", i+1, one)
		}
	}
}

// commandsOf returns the curl commands for one entry of a HAR file, or for all.
func commandsOf(t *testing.T, file string, entry int) string {
	t.Helper()
	in := engine.Input{Entry: entry}
	result, err := engine.Parse(file, in)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range result.Warnings {
		if w.Code == diag.WarnInvalidJSON {
			continue // the script sends some
		}
		t.Errorf("entry %d: %s: %s", entry, w.Code, w.Message)
	}
	want := api.Want{As: api.AsCode, Target: "curl", Plain: true}
	commands, _, err := api.Append(nil, result, &want)
	if err != nil {
		t.Fatal(err)
	}
	return string(commands)
}

// onTheWire returns what is compared of a request.
func onTheWire(r *Request) string {
	path, query, found := strings.Cut(r.Target, "?")
	if found {
		query = "?" + query
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s%s %s\n", r.Method, upperPercent(path), query, r.Proto)
	lengths := r.Values("Content-Length")
	for _, line := range r.Lines {
		if name, _, _ := strings.Cut(strings.ToLower(line), ":"); name != "connection" && name != "content-length" {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	}
	fmt.Fprintf(&b, "length %v\n%s", lengths, r.Body)
	return b.String()
}

func upperPercent(s string) string {
	b := []byte(s)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:i+3], bytes.ToUpper(b[i+1:i+3]))
			i += 2
		}
	}
	return string(b)
}

// A harPair is a header field as HAR has it.
type harPair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// harFile returns a HAR file with an entry for each request that the protocol
// tells about, as the Network panel writes one, and the requests as they
// arrived, in the same order. The protocol sorts the fields by name; here they
// have the order of the wire, as other browsers and proxies write them, so that
// the order is compared, too.
func harFile(t *testing.T, events []devtoolsMessage, arrived []Request) (file string, sent []Request) {
	t.Helper()
	fields := make(map[string][]json.RawMessage) // of each request, one for each hop
	for _, e := range events {
		if e.Method == "Network.requestWillBeSentExtraInfo" {
			var p struct {
				RequestID string
				Headers   json.RawMessage
			}
			if err := json.Unmarshal(e.Params, &p); err != nil {
				t.Fatal(err)
			}
			fields[p.RequestID] = append(fields[p.RequestID], p.Headers)
		}
	}
	var entries []any
	without := 0
	for _, e := range events {
		if e.Method != "Network.requestWillBeSent" {
			continue
		}
		var p struct {
			RequestID string
			Request   struct {
				Method, URL     string
				PostData        string
				HasPostData     bool
				PostDataEntries []struct{ Bytes string }
			}
		}
		if err := json.Unmarshal(e.Params, &p); err != nil {
			t.Fatal(err)
		}
		q := &p.Request
		i := slices.IndexFunc(arrived, func(r Request) bool {
			_, target, _ := strings.Cut(q.URL, "://")
			target, _, _ = strings.Cut(target[max(strings.IndexByte(target, '/'), 0):], "#")
			return r.Method == q.Method && r.Target == target
		})
		if i < 0 || len(fields[p.RequestID]) == 0 {
			without++
			continue
		}
		request := map[string]any{"method": q.Method, "url": q.URL, "httpVersion": "HTTP/1.1", "headers": pairsOf(t, fields[p.RequestID][0], &arrived[i]),
			"queryString": []any{}, "cookies": []any{}, "headersSize": -1, "bodySize": 0}
		if q.HasPostData {
			var content []byte
			for _, part := range q.PostDataEntries {
				data, err := base64.StdEncoding.DecodeString(part.Bytes)
				if err != nil {
					t.Fatal(err)
				}
				content = append(content, data...)
			}
			post := map[string]any{"mimeType": "", "text": string(content)}
			if !utf8.Valid(content) {
				post["text"], post["encoding"] = base64.StdEncoding.EncodeToString(content), "base64"
			}
			request["postData"] = post
		}
		entries = append(entries, map[string]any{"startedDateTime": "2026-01-01T00:00:00Z", "request": request, "response": map[string]any{}})
		sent = append(sent, arrived[i])
		arrived = slices.Delete(slices.Clone(arrived), i, i+1)
	}
	t.Logf("%d events without a request that arrived, %d requests without events", without, len(arrived))
	text, err := json.Marshal(map[string]any{"log": map[string]any{"version": "1.2", "entries": entries}})
	if err != nil {
		t.Fatal(err)
	}
	return string(text), sent
}

// pairsOf returns the members of an object, in the order in which the request
// that arrived has fields of their names.
func pairsOf(t *testing.T, object json.RawMessage, arrived *Request) (pairs []harPair) {
	t.Helper()
	var values map[string]string
	if err := json.Unmarshal(object, &values); err != nil {
		t.Fatal(err)
	}
	for name, value := range values {
		pairs = append(pairs, harPair{name, value})
	}
	place := func(name string) int {
		return slices.IndexFunc(arrived.Lines, func(line string) bool { return strings.HasPrefix(line, name+":") })
	}
	slices.SortFunc(pairs, func(a, b harPair) int { return place(a.Name) - place(b.Name) })
	return pairs
}
