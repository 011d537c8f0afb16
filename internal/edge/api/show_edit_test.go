package api_test

import (
	"encoding/json"
	"strings"
	"testing"

	"uncoil/internal/edge/api"
	"uncoil/internal/engine"
	"uncoil/internal/engine/edit"
)

// Each edit gives a command that sends it, in the shell of the text.
func TestShowEdit(t *testing.T) {
	method := func(name string) edit.Edit { return edit.Edit{Part: edit.Method, Value: name} }
	header := func(at int, name, value string) edit.Edit {
		return edit.Edit{Part: edit.Headers, At: at, Name: name, Value: value}
	}
	noHeader := func(at int) edit.Edit { return edit.Edit{Part: edit.Headers, At: at, Remove: true} }
	query := func(at int, name, value string) edit.Edit {
		return edit.Edit{Part: edit.Query, At: at, Name: name, Value: value}
	}
	noQuery := func(at int) edit.Edit { return edit.Edit{Part: edit.Query, At: at, Remove: true} }
	tests := []struct {
		name, shell, command string
		edit                 edit.Edit
		want                 string // the command, or "" for a refusal
		reads                string
	}{
		{"method", "", `curl h.test`, method("DELETE"), `curl http://h.test -X DELETE`, "auto"},
		{"implied method", "", `curl -X PUT -d a=1 http://h.test/`, method("POST"), `curl http://h.test/ -d a=1`, "auto"},
		{"no method", "", `curl h.test`, method(" "), "", ""},
		{"method of two words", "", `curl h.test`, method("A B"), `curl http://h.test -X 'A B'`, "auto"},
		{"header", "", `curl -H 'A: b' -H 'C: d' http://h.test/`, header(0, "A", "it's"), `curl http://h.test/ -H 'A: it'\''s' -H 'C: d'`, "auto"},
		{"name of a header", "", `curl -H 'A: b' http://h.test/`, header(0, "X", "b"), `curl http://h.test/ -H 'X: b'`, "auto"},
		{"new header", "", `curl http://h.test/`, header(0, "A", "b"), `curl http://h.test/ -H 'A: b'`, "auto"},
		{"empty header", "", `curl http://h.test/`, header(0, "A", ""), `curl http://h.test/ -H 'A;'`, "auto"},
		{"header without a name", "", `curl http://h.test/`, header(0, "", "b"), "", ""},
		{"header of two lines", "", `curl http://h.test/`, header(0, "A", "b\nC: d"), "", ""},
		{"name with a colon", "", `curl http://h.test/`, header(0, "A: b", "c"), "", ""},
		{"header that goes", "", `curl -H 'A: b' -H 'C: d' http://h.test/`, noHeader(0), `curl http://h.test/ -H 'C: d'`, "auto"},
		{"Accept again as curl has it", "", `curl -H 'Accept: text/xml' http://h.test/`, noHeader(0), `curl http://h.test/`, "auto"},
		{"Accept from curl's own", "", `curl http://h.test/`, header(0, "accept", "text/xml"), `curl http://h.test/ -H 'accept: text/xml'`, "auto"},
		{"header that was left out", "", `curl -H Accept: http://h.test/`, header(0, "Accept", "a/b"), `curl http://h.test/ -H 'Accept: a/b'`, "auto"},
		{"cookies", "", `curl -b a=1 http://h.test/`, header(0, "Cookie", "a=2"), `curl http://h.test/ -b a=2`, "auto"},
		{"cookies that go", "", `curl -b a=1 http://h.test/`, noHeader(0), `curl http://h.test/`, "auto"},
		{"credentials", "", `curl -u a:b http://h.test/`, header(0, "Authorization", "Bearer x"), `curl http://h.test/ -H 'Authorization: Bearer x'`, "auto"},
		{"credentials that go", "", `curl -u a:b http://h.test/`, noHeader(0), `curl http://h.test/`, "auto"},
		{"type of content", "", `curl -d a=1 http://h.test/`, header(0, "Content-Type", "text/plain"), `curl http://h.test/ -H 'Content-Type: text/plain' -d a=1`, "auto"},
		{"type of content, added", "", `curl -d a=1 http://h.test/`, header(1, "content-type", "text/plain"), `curl http://h.test/ -H 'content-type: text/plain' -d a=1`, "auto"},
		{"type of content that goes", "", `curl -d a=1 http://h.test/`, noHeader(0), `curl http://h.test/ -H Content-Type: -d a=1`, "auto"},
		{"type of JSON", "", `curl --json '{}' http://h.test/`, header(0, "Content-Type", "a/b+json"), `curl http://h.test/ -H 'Content-Type: a/b+json' --json '{}'`, "auto"},
		{"pair", "", `curl 'http://h.test/?a=1&&b=2&c=3'`, query(1, "b", "x y&z=ü+%"), `curl 'http://h.test/?a=1&&b=x%20y%26z=%C3%BC%2B%25&c=3'`, "auto"},
		{"new pair", "", `curl http://h.test/`, query(0, "a=b", "c"), `curl 'http://h.test/?a%3Db=c'`, "auto"},
		{"next pair", "", `curl 'http://h.test/?a'`, query(1, "b", ""), `curl 'http://h.test/?a&b'`, "auto"},
		{"pair that goes", "", `curl 'http://h.test/?a=1&b=2'`, noQuery(0), `curl 'http://h.test/?b=2'`, "auto"},
		{"last pair that goes", "", `curl 'http://h.test/?a=1&b=2'`, noQuery(1), `curl 'http://h.test/?a=1'`, "auto"},
		{"only pair that goes", "", `curl 'http://h.test/?a=1'`, noQuery(0), `curl http://h.test/`, "auto"},
		{"pair of -G", "", `curl -G -d a=1 http://h.test/`, query(0, "a", "2"), `curl 'http://h.test/?a=2'`, "auto"},
		{"no such pair", "", `curl http://h.test/`, query(1, "a", "2"), "", ""},
		{"variable", "", `curl -H "A: Bearer $TOKEN" -H "B: $B" http://h.test/`, header(0, "A", "Token $TOKEN!"), `curl http://h.test/ -H "A: Token $TOKEN"'!' -H "B: $B"`, "auto"},
		{"text that looks like a variable", "", `curl http://h.test/`, header(0, "A", "$TOKEN"), `curl http://h.test/ -H 'A: $TOKEN'`, "auto"},
		{"variable in another pair", "", `curl "http://h.test/?a=$A&b=$B"`, query(0, "a", "long$A"), `curl "http://h.test/?a=long$A&b=$B"`, "auto"},
		{"variable after a header that goes", "", `curl -H 'A: b' -H "B: $B" http://h.test/`, noHeader(0), `curl http://h.test/ -H "B: $B"`, "auto"},
		{"cmd.exe", "cmd", `curl "http://h.test/?a=1&b=2" -H "A: %T%"`, header(1, "B", `say "x"`), `curl ^"http://h.test/?a=1^&b=2^" -H ^"A: %T%^" -H ^"B: say \^"x\^"^"`, "cmd"},
		{"cmd.exe, no longer to be detected", "", "curl ^\n http://h.test/", method("PUT"), `curl http://h.test/ -X PUT`, "cmd"},
		{"cmd.exe, detected", "", "curl ^\n -H \"A: b\" http://h.test/", method("PUT"), `curl http://h.test/ -X PUT -H ^"A: b^"`, "auto"},
		{"PowerShell", "", "curl.exe -H 'A: b' `\n http://h.test/", header(0, "A", "it's"), `curl.exe http://h.test/ -H 'A: it''s'`, "auto"},
		{"fish", "", `curl -H 'A: it\'s' -H "B: $B" http://h.test/`, method("PUT"), `curl http://h.test/ -X PUT -H 'A: it'\''s' -H 'B: '"$B"`, "auto"},
		{"HTTP request", "http", "GET /a HTTP/1.1\nHost: h.test\nA: b\n\n", method("PUT"), `curl https://h.test/a -X PUT -H 'A: b'`, "auto"},
	}
	for _, test := range tests {
		request, err := json.Marshal(map[string]any{"curl": test.command, "shell": test.shell})
		if err != nil {
			t.Fatal(err)
		}
		if test.shell == "" {
			request = []byte(strings.Replace(string(request), `"shell":""`, `"shell":"auto"`, 1))
		}
		var answer struct {
			Curl, Shell string
			Problem     *struct{ Detail string }
		}
		body := api.ShowEdit(string(request), 1, test.edit)
		if err := json.Unmarshal(body, &answer); err != nil {
			t.Fatalf("%s: %s: %v", test.name, body, err)
		}
		if answer.Curl != test.want || answer.Shell != test.reads || (answer.Problem == nil) != (test.want != "") {
			t.Errorf("%s: %s\n\tgave %s\n\twant %s", test.name, test.command, body, test.want)
		}
	}
}

// What the command takes from outside does not get into its text.
func TestShowEditKeepsInputs(t *testing.T) {
	const request = `{"curl":"curl -H \"A: $TOKEN\" -d @f http://h.test/","env":{"TOKEN":"s3cret"},"files":{"f":"content"}}`
	body := string(api.ShowEdit(request, 1, edit.Edit{Part: edit.Headers, At: 2, Name: "B", Value: "c"}))
	if strings.Contains(body, "s3cret") || strings.Contains(body, "content") || !strings.Contains(body, "$TOKEN") || !strings.Contains(body, "@f") {
		t.Error(body)
	}
}

// An edit of one of several requests leaves the others as they are.
func TestShowEditOfSeveral(t *testing.T) {
	body := api.ShowEdit(`{"curl":"curl http://h.test/[1-3] -H 'A: b'"}`, 2, edit.Edit{Part: edit.Method, Value: "PUT"})
	var answer struct{ Curl string }
	if err := json.Unmarshal(body, &answer); err != nil {
		t.Fatal(err)
	}
	r, err := engine.Parse(answer.Curl, engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range r.Requests {
		got = append(got, r.Requests[i].Method+" "+r.Requests[i].URL)
	}
	if got := strings.Join(got, ", "); got != "GET http://h.test/1, PUT http://h.test/2, GET http://h.test/3" {
		t.Error(got)
	}
}
