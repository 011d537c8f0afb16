package api_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/internal/edge/api"
	"uncoil/internal/edge/httpapi"
)

// object returns the request object for a command.
func object(t *testing.T, command string) string {
	t.Helper()
	text, err := json.Marshal(map[string]string{"curl": command})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The answers, problems included, are byte for byte those of the service.
func TestAnswerIsTheServices(t *testing.T) {
	service := httpapi.New(httpapi.Config{})
	for _, text := range []string{
		object(t, "curl -d a=1 https://h.test"),
		object(t, "curl --hedaer x https://h.test"),
		object(t, "curl https://h.test/[1-3]"),
		object(t, ""),
		`{"curl": 1}`, `{"shell": "posix"}`, `{`, ``, "\xff", `{"curl":"curl h.test","shell":"tcsh"}`,
		`{"curl":"curl -d @f h.test","files":{"f":{"base64":"/w=="}}}`,
	} {
		compare(t, service, text)
	}
}

func compare(t *testing.T, service http.Handler, text string) {
	t.Helper()
	for path, as := range map[string]api.As{"/api/convert": api.AsConvert, "/api/parse": api.AsParse} {
		r := httptest.NewRequest("POST", path, strings.NewReader(text))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		service.ServeHTTP(w, r)
		body, status := api.Limits{}.AnswerObject(text, as)
		if status != w.Code || string(body) != w.Body.String() {
			t.Errorf("%q as %s\nanswers  %d %s\nservice: %d %s", text, as, status, body, w.Code, w.Body)
		}
	}
}

type shown struct {
	Problem   *struct{ Code string }
	Count     int
	Again     string
	Parsed    string
	Converted *string
	Refused   *struct {
		Code  string
		Count int
	}
	Each []struct {
		Converted *string
		Refused   *struct{ Code string }
	}
	Messages []*struct {
		Text, Base64 string
		Missing      bool
	}
	Secrets []string
}

func show(t *testing.T, text string, hide bool) shown {
	t.Helper()
	var s shown
	if err := json.Unmarshal(api.Show(text, 0, hide), &s); err != nil {
		t.Fatalf("%s is shown as %s: %v", text, api.Show(text, 0, hide), err)
	}
	return s
}

func TestShow(t *testing.T) {
	s := show(t, object(t, "curl -d a=1 https://h.test/p"), false)
	want := "POST /p HTTP/1.1\r\nHost: h.test\r\n"
	if s.Count != 1 || s.Converted == nil || !strings.Contains(*s.Converted, `"data":"a=1"`) || s.Refused != nil || !strings.HasPrefix(s.Messages[0].Text, want) {
		t.Errorf("a plain command is shown as %+v", s)
	}
	for again, text := range map[string]string{
		"curl": "curl h.test", "curl-fish": `curl -H 'A: it\'s' h.test`, "curl-cmd": "curl ^\n h.test", "curl-powershell": "curl.exe `\n h.test",
	} {
		if got := show(t, object(t, text), false).Again; got != again {
			t.Errorf("%q is written again by %q, want %q", text, got, again)
		}
	}
	if s = show(t, object(t, "curl https://h.test/[1-30]"), false); s.Count != 30 || s.Refused.Count != 30 ||
		strings.Count(s.Parsed, `"method":`) != api.MaxShown || len(s.Messages) != api.MaxShown {
		t.Errorf("30 requests are shown as %+v", s)
	}
	if s = show(t, object(t, "curl -d @f h.test"), false); !s.Messages[0].Missing || s.Refused.Code != "file-not-supplied" {
		t.Errorf("a file that was not supplied is shown as %+v", s)
	}
	s = show(t, object(t, "curl h.test/1 --next -d @f h.test/2"), false)
	if len(s.Each) != 2 || s.Each[0].Converted == nil || !strings.Contains(*s.Each[0].Converted, `"url":"http://h.test/1"`) || s.Each[1].Refused.Code != "file-not-supplied" {
		t.Errorf("two requests are shown as %+v", s)
	}
	if s = show(t, `{"curl":"curl --data-binary @f h.test","files":{"f":{"base64":"/w=="}}}`, false); s.Messages[0].Base64 == "" {
		t.Errorf("a binary body is shown as %+v", s)
	}
	if s = show(t, object(t, "curl -Q"), false); s.Problem.Code != "missing-argument" {
		t.Errorf("an error is shown as %+v", s)
	}
	if s = show(t, "{", false); s.Problem.Code != "bad-request" {
		t.Errorf("bad JSON is shown as %+v", s)
	}
}

// Each of many requests can be shown, and all of them are in the list.
func TestShowOne(t *testing.T) {
	text := object(t, "curl -u ann:hunter2 'https://h.test/[1-99]?token=s3cret' --next -d a=1 https://h.test/"+strings.Repeat("é", 1000))
	var s struct {
		Count, One int
		List       []string
		Parsed     string
		Converted  string
		Messages   []struct{ Text string }
		Each       []any
	}
	ask := func(one int) string {
		s.List, s.Each, s.Converted = nil, nil, ""
		body := api.Show(text, one, true)
		if err := json.Unmarshal(body, &s); err != nil {
			t.Fatalf("%v: %s", err, body)
		}
		return string(body)
	}
	body := ask(99)
	if s.Count != 100 || s.One != 99 || len(s.List) != 100 || s.List[98] != "GET https://h.test/99?token=•••" || s.Each != nil ||
		strings.Count(s.Parsed, `"method":`) != 1 || !strings.Contains(s.Converted, "h.test/99?") || len(s.Messages) != 1 ||
		!strings.HasPrefix(s.Messages[0].Text, "GET /99?") {
		t.Errorf("the request 99 of 100 is shown as %s", body)
	}
	if long := s.List[99]; !strings.HasPrefix(long, "POST https://h.test/") || !strings.HasSuffix(long, "…") || len(long) > 150 || strings.Contains(long, "\ufffd") {
		t.Errorf("a long URL is listed as %q", long)
	}
	for _, one := range []int{0, 101, -1} {
		if body = ask(one); s.One != 0 || len(s.Messages) != api.MaxShown || len(s.List) != 100 {
			t.Errorf("the request %d of 100 is shown as %s", one, body)
		}
	}
	if body := string(api.Show(object(t, "curl h.test"), 1, false)); !strings.Contains(body, `"one":1`) || strings.Contains(body, `"list"`) {
		t.Errorf("the only request is shown as %s", body)
	}
}

// With secrets hidden, no view holds one.
func TestShowHidden(t *testing.T) {
	text := object(t, `curl -u ann:hunter2 -b sid=abc123 -F token=t0p -F file=@f 'https://h.test/?key=s3cret'`)
	hidden := string(api.Show(text, 0, true))
	s := show(t, text, true)
	if want := []string{"s3cret", "abc123", "t0p", "hunter2"}; !slices.Equal(s.Secrets, want) {
		t.Errorf("hides %q, want %q", s.Secrets, want)
	}
	views, _, _ := strings.Cut(hidden, `"secrets":`)
	for _, secret := range append(s.Secrets, "YW5uOmh1bnRlcjI=") {
		if strings.Contains(views, secret) {
			t.Errorf("%q is still in %s", secret, views)
		}
	}
}

// The box hides what arguments hold, used or not, and messages repeat no
// secret.
func TestShowUnused(t *testing.T) {
	for _, command := range []string{
		`curl 'https://u:LEAK@x/' -H 'Authorization: Bearer t'`,
		`curl -u a:LEAK -u b:c x`,
		`curl -b sid=LEAK -H 'Cookie: a=b' x`,
		"TOKEN=LEAK\ncurl x",
		`curl -u "a:$(LEAK)" x`,
		`curl -u a:LEAK --user:LEAK x`,
		`curl --oauth2-bearerLEAK x`,
		`curl -K <(echo user=a:LEAK) x`,
		"curl --url @`LEAK`",
	} {
		body := string(api.Show(object(t, command), 0, true))
		answer, _, _ := strings.Cut(body, `"secrets":`)
		if strings.Contains(answer, "LEAK") {
			t.Errorf("%q shows %s", command, answer)
		}
		if strings.Contains(body, `"problem":`) {
			continue
		}
		var s struct{ Hidden [][2]int }
		if err := json.Unmarshal([]byte(body), &s); err != nil {
			t.Fatal(err)
		}
		box := []byte(command)
		for _, span := range s.Hidden {
			copy(box[span[0]:span[1]], bytes.Repeat([]byte("."), span[1]-span[0]))
		}
		if bytes.Contains(box, []byte("LEAK")) {
			t.Errorf("the box shows %s", box)
		}
	}
}

// A message whose content is not known shows the rest of it.
func TestShowMissing(t *testing.T) {
	for command, want := range map[string][]string{
		"curl -d a=1 -d @f.json --data-urlencode n@g h.test":      {"POST / HTTP/1.1\r\nHost: h.test\r\n", "\r\nContent-Length: [not known]\r\n", "\r\n\r\na=1&[content of f.json]&n=[content of g]"},
		"curl --data-binary @- h.test":                            {"\r\n\r\n[standard input]"},
		"curl -T f -H 'Transfer-Encoding: chunked' h.test":        {"\r\n\r\n[content of f]"},
		"curl -F note=hi -F avatar=@me.png https://h.test/upload": {"\r\n\r\nhi\r\n", `filename="me.png"`, "\r\n\r\n[content of me.png]\r\n"},
	} {
		s := show(t, object(t, command), false)
		for _, part := range want {
			if !s.Messages[0].Missing || !strings.Contains(s.Messages[0].Text, part) {
				t.Errorf("%s is shown as %+v, without %q", command, s.Messages[0], part)
			}
		}
	}
}

func TestShowCode(t *testing.T) {
	ask := func(command string, one int, hide bool) string {
		text, err := json.Marshal(map[string]string{"curl": command, "target": "python"})
		if err != nil {
			t.Fatal(err)
		}
		body := api.ShowCode(string(text), one, hide)
		if !json.Valid(body) {
			t.Fatalf("%s is no JSON", body)
		}
		return string(body)
	}
	both := "curl -u ann:hunter2 -H \"X: $TOKEN\" https://h.test/1 https://h.test/2"
	if got := ask(both, 0, false); !strings.Contains(got, "h.test/1") || !strings.Contains(got, "h.test/2") || !strings.Contains(got, "hunter2") {
		t.Errorf("both requests: %s", got)
	}
	if got := ask(both, 2, true); strings.Contains(got, "h.test/1") || !strings.Contains(got, "h.test/2") || strings.Contains(got, "hunter2") || !strings.Contains(got, "TOKEN") {
		t.Errorf("the second with secrets hidden: %s", got)
	}
	for _, got := range []string{ask(both, 3, false), ask("curl -u ann:hunter2 --hedaer x", 0, true)} {
		if !strings.HasPrefix(got, `{"problem":{`) || strings.Contains(got, "hunter2") {
			t.Errorf("what has no answer: %s", got)
		}
	}
}

// Hiding secrets puts variables in their place, because a mask would be encoded by
// some clients, and refused by others.
func TestShowCodeHidden(t *testing.T) {
	ask := func(target, command string, moved, hide bool) string {
		text, err := json.Marshal(map[string]any{"curl": command, "target": target, "moveSecrets": moved})
		if err != nil {
			t.Fatal(err)
		}
		return string(api.ShowCode(string(text), 0, hide))
	}
	command := "curl https://h.test/ -H 'Authorization: Bearer abc123' -b sid=c00kie -d a=1 -H \"X: $A\""
	for _, target := range code.Targets() {
		want, got := ask(target.Name, command, true, false), ask(target.Name, command, false, true)
		if got != want {
			t.Errorf("%s: hides secrets as\n%s\nwant\n%s", target.Name, got, want)
		}
		plain := ask(target.Name, command, false, false)
		if strings.HasPrefix(got, `{"problem"`) != strings.HasPrefix(plain, `{"problem"`) {
			t.Errorf("%s: hides secrets as\n%s\nbut shows\n%s", target.Name, got, plain)
		}
	}
	// No variable can stand for these.
	for _, data := range []string{`{"password": 13571357}`, `{"token": ["13571357"]}`, `{"token": {"a": 13571357}}`} {
		for _, target := range []string{"python", "curl", "har"} {
			if got := ask(target, "curl https://h.test/ -u ann:hunter2 --json '"+data+"'", false, true); strings.Contains(got, "13571357") || strings.Contains(got, "hunter2") {
				t.Errorf("%s, %s: shows %s", target, data, got)
			}
		}
	}
	for _, command := range []string{`curl https://h.test/ -H "Authorization: Bearer 1357$A"`, `curl https://h.test/ -H "X-Api-Key: $(echo 1357)"`, `curl https://h.test/ -u "ann:${P:-1357}"`} {
		if got := ask("python", command, false, true); strings.Contains(got, "1357") || strings.HasPrefix(got, `{"problem"`) {
			t.Errorf("%s: shows %s", command, got)
		}
	}
}

// A text whose description would be longer than an answer may be has a problem, not
// a view of any size.
func TestShowIsBounded(t *testing.T) {
	body := api.Show(object(t, "curl 'https://h.test/[1-20]' --json '{\"a\":\""+strings.Repeat("x", 1_000_000)+"\"}'"), 0, false)
	if !strings.HasPrefix(string(body), `{"problem":{`) || !strings.Contains(string(body), "expansion-too-large") || len(body) > 10_000 {
		t.Errorf("%d bytes: %.300s", len(body), body)
	}
}
