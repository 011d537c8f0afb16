package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"uncoil/internal/engine/fault"
	"uncoil/internal/proof/need"
	"uncoil/request"
)

// login is what the curl of these scripts prints.
const login = `{"access_token":"x.y-z","id":12,"a":{"b c":["p","q"],"t":"it's"},"s":"a\\b"}`

// TestFrom checks where the value of $V comes from: bash runs the script, with a curl
// that prints a response, and the value that is picked of that must be the one of bash.
func TestFrom(t *testing.T) {
	for _, name := range []string{"bash", "jq", "python3", "sed", "grep"} {
		need.Program(t, name)
	}
	for _, script := range []string{
		`V=$(curl -s http://h.test/)`,
		`V="$(curl -s http://h.test/)"`,
		"V=`curl -s http://h.test/`",
		`export V=$(curl http://h.test/ | jq -r .access_token)`,
		`V=$(curl http://h.test/ 2>/dev/null | jq -r '.access_token')`,
		`V=$(curl http://h.test/ | jq -r ".a.t")`,
		`V=$(curl http://h.test/ | jq --raw-output '.a["b c"][1]')`,
		`V=$(curl http://h.test/ | jq -r '.a."b c"[0]')`,
		`V=$(curl http://h.test/ | jq -er '.a | .t')`,
		`V=$(curl http://h.test/ | jq .id)`,
		`V=$(curl http://h.test/ | jq -r '.access_token // empty')`,
		`V=$(curl http://h.test/ | jq -r '.a | .t//empty')`,
		`V=$(curl http://h.test/ | sed -n 's/.*"access_token":"\([^"]*\)".*/\1/p')`,
		`V=$(curl http://h.test/ | sed -nE 's/.*"access_token": *"([^"]*)".*/\1/p')`,
		`V=$(curl http://h.test/ | jq .access_token)`,
		`V=$(curl http://h.test/ | jq .access_token | tr -d '"')`,
		`V=$(curl http://h.test/ | jq .access_token | sed 's/"//g')`,
		`V=$(curl http://h.test/ | python3 -c "import sys, json; print(json.load(sys.stdin)['a']['b c'][0])")`,
		`V=$(curl http://h.test/ | python3 -c 'import json,sys;print(json.load(sys.stdin)["id"])')`,
		`V=$(curl http://h.test/ | grep -o '"access_token":"[^"]*' | cut -d'"' -f4)`,
		`V=$(curl http://h.test/ | grep -o '"access_token": *"[^"]*"' | cut -d '"' -f 4)`,
		`R=$(curl http://h.test/); V=$(echo "$R" | jq -r .access_token)`,
		`R=$(curl http://h.test/); V=$(echo $R | jq -r .access_token)`,
		`R=$(curl http://h.test/); V=$(printf '%s' "$R" | jq -r .access_token)`,
		`R=$(curl http://h.test/); V=$(jq -r .access_token <<< "$R")`,
		"R=$(curl http://h.test/); V=$(jq -r .access_token <<E\n$R\nE\n)",
		`R=$(curl http://h.test/ | jq .a); V=$(echo "$R" | jq -r .t)`,
		`R=$(curl http://h.test/ | jq -r .access_token); V=$R`,
		`R=$(curl http://h.test/ | jq -r .access_token); V="${R}"`,
		`V=$(jq -r .access_token <<< "$(curl http://h.test/)")`,
	} {
		f, err := fromOf(script)
		response, ok := f.(*request.Response)
		if err != nil || !ok || response.Request != 0 {
			t.Errorf("%s: %+v, %v", script, f, err)
			continue
		}
		want, err := exec.Command("bash", "--noprofile", "--norc", "-c", "curl() { printf '%s\\n' '"+strings.ReplaceAll(login, "'", `'\''`)+"'; }\n"+script+"\nprintf %s \"$V\"").Output()
		if err != nil {
			t.Errorf("%s: bash: %v", script, err)
			continue
		}
		if got := pick(t, response); got != string(want) {
			t.Errorf("%s: %+v is %q, and bash has %q", script, response, got, want)
		}
	}
}

// head is what the curl of these scripts prints of a response before its content.
var head = []string{"HTTP/1.1 200 OK", "Content-Type: application/json", "X-Subject-Token: gAAA-b_c", "Mcp-Session-Id: 12-ab",
	"Location: https://h.test:81/a:b", `ETag: "e:1"`, "X-Auth-Token: Bearer t0.ken", "", ""}

// TestFromHead checks where the value of $V comes from: bash runs the script, with a curl that
// prints a head, and the value that is picked of that must be the one of bash. The CR of a line
// is no part of it.
func TestFromHead(t *testing.T) {
	for _, name := range []string{"bash", "sed", "grep", "awk", "cut", "tr", "xargs"} {
		need.Program(t, name)
	}
	for _, script := range []string{
		`V=$(curl -sD - -o /dev/null http://h.test/ | grep -i x-subject-token | cut -d' ' -f2 | tr -d '\r')`,
		`V=$(curl -sS -D - -o /dev/null http://h.test/ | grep -i '^x-subject-token:' | awk '{print $2}' | tr -d '\r\n')`,
		`V=$(curl -si http://h.test/ | grep X-Subject-Token | awk '{print $2}')`,
		`V=$(curl -sI http://h.test/ | tr -d '\r' | grep -i mcp-session-id | cut -d ' ' -f 2)`,
		`V="$(curl -s -D /dev/stdout -o /dev/null http://h.test/ | grep -Fi 'Mcp-Session-Id:' | cut -d: -f2 | tr -d ' \r')"`,
		`V=$(curl -sI http://h.test/ | grep -i ^mcp-session-id | cut -d: -f2 | xargs)`,
		`V=$(curl -sI http://h.test/ | awk '/X-Subject-Token/{print $2}')`,
		`V=$(curl -sI http://h.test/ | awk '/^X-Subject-Token: / { print $2 }' | tr -d '\r')`,
		`V=$(curl -sI http://h.test/ | awk 'tolower($1) == "x-subject-token:" {print $2}')`,
		`V=$(curl -sI http://h.test/ | awk 'tolower($0) ~ /^location:/ { sub(/\r$/, ""); print $2; exit }')`,
		`V=$(curl -sI http://h.test/ | awk -F': ' '/^X-Auth-Token/{print $2}' | tr -d '\r')`,
		`V=$(curl -sI http://h.test/ | awk '/^X-Auth-Token/{print $3}' | tr -d '\r')`,
		`V=$(curl -sI http://h.test/ | grep -i x-auth-token | cut -d' ' -f3 | tr -d '\r')`,
		`V=$(curl -sI http://h.test/ | grep -i x-auth-token | cut -d' ' -f2)`,
		`V=$(curl -sI http://h.test/ | grep -i x-auth-token | cut -d' ' -f2- | tr -d '\r')`,
		`V=$(curl -sI http://h.test/ | sed -n 's/^[Ll]ocation: //p' | tr -d '\r')`,
		`V=$(curl -sI http://h.test/ | sed -n 's/^location: //ip')`,
		`V=$(curl -sI http://h.test/ | sed -nE 's/^x-auth-token: *([^\r]*)\r?$/\1/Ip')`,
		`V=$(curl -sI http://h.test/ | sed -n 's/^X-Auth-Token: \(.*\)\r$/\1/p')`,
		`V=$(curl -sI http://h.test/ | sed -n 's|^Location: \([^ ]*\).*|\1|p')`,
		`V=$(curl -sI http://h.test/ | grep -i location | sed 's/^[^:]*: //' | tr -d '\r')`,
		`V=$(curl -sI http://h.test/ | grep -i location: | sed 's/location: //i' | tr -d '\r')`,
		`V=$(curl -sI http://h.test/ | grep -i x-subject-token | sed 's/.*: //' | sed 's/\r//')`,
		`V=$(curl -sI http://h.test/ | grep -ioP '^x-subject-token: \K\S+')`,
		`V=$(curl -sI http://h.test/ | grep -oP '(?i)x-auth-token: \K[^\r]+' | head -1)`,
		`V=$(curl -sI http://h.test/ | grep -im1 etag | cut -d' ' -f2 | tr -d '\r')`,
		`R=$(curl -si http://h.test/); V=$(echo "$R" | grep -i mcp-session-id | cut -d' ' -f2 | tr -d '\r')`,
		`R=$(curl -sI http://h.test/); V=$(printf '%s\n' "$R" | awk '/^Location/{print $2}' | tr -d '\r')`,
		`V=$(grep -i location <<< "$(curl -sI http://h.test/)" | cut -d' ' -f2 | tr -d '\r')`,
	} {
		f, err := fromOf(script)
		response, ok := f.(*request.Response)
		if err != nil || !ok || response.Request != 0 || response.Header == "" {
			t.Errorf("%s: %+v, %v", script, f, err)
			continue
		}
		want, err := exec.Command("bash", "--noprofile", "--norc", "-c", "curl() { printf '%s\\r\\n' '"+strings.Join(head, "' '")+"'; }\n"+script+"\nprintf %s \"$V\"").Output()
		if err != nil {
			t.Errorf("%s: bash: %v", script, err)
			continue
		}
		if got := pickField(response); got == "" || got != strings.TrimSuffix(string(want), "\r") {
			t.Errorf("%s: %+v is %q, and bash has %q", script, response, got, want)
		}
	}
}

// pickField returns the value of a field of the head.
func pickField(f *request.Response) string {
	for _, line := range head {
		name, value, _ := strings.Cut(line, ": ")
		if strings.EqualFold(name, f.Header) {
			if f.Word > 0 {
				return strings.Split(value, " ")[f.Word-1]
			}
			return value
		}
	}
	return ""
}

// TestFromHeaderFormat checks -w '%header{name}', with which curl prints one field.
func TestFromHeaderFormat(t *testing.T) {
	for options, want := range map[string]request.From{
		`-s -o /dev/null -w '%header{x-token}'`:     &request.Response{Header: "x-token"},
		`-sL -o /dev/null -w '%header{Location}\n'`: &request.Response{Header: "Location"},
	} {
		got, err := fromOf("V=$(curl " + options + " http://h.test/)")
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", options, err, diff)
		}
	}
}

// pick returns the value of a response.
func pick(t *testing.T, f *request.Response) string {
	t.Helper()
	if len(f.Path) == 0 {
		return login
	}
	d := json.NewDecoder(strings.NewReader(login))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	for _, step := range f.Path {
		if step.IsIndex {
			v = v.([]any)[step.Index]
		} else {
			v = v.(map[string]any)[step.Key]
		}
	}
	if !f.Quoted {
		return fmt.Sprint(v)
	}
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// fromOf returns where the value of $V comes from after a script.
func fromOf(script string) (request.From, error) {
	r, err := Parse(script+"\ncurl http://h.test/v -H \"X: $V\"", Input{})
	if err != nil {
		return nil, err
	}
	last := &r.Requests[len(r.Requests)-1]
	if len(last.Variables) == 0 {
		return nil, fmt.Errorf("no variable: %v", last.Fields)
	}
	return last.Variables[0].From, nil
}

// TestFromCommand checks what is left to the command: where it is not certain what the
// shell takes of a response.
func TestFromCommand(t *testing.T) {
	for _, commands := range []string{
		`curl -i http://h.test/`, `curl -I http://h.test/`, `curl -w '%{http_code}' http://h.test/`, `curl -o x http://h.test/`, `curl -O http://h.test/x`,
		`curl -D - http://h.test/`, `curl -sI http://h.test/ | grep -i set-cookie | cut -d' ' -f2`, `curl -sI http://h.test/ | grep -i token | cut -d' ' -f2`, `curl -sIL http://h.test/ | grep -i location | cut -d' ' -f2`, `curl -s http://h.test/ | grep -i x-token | cut -d' ' -f2`, `curl -sI -o x http://h.test/ | grep -i x-token | cut -d' ' -f2`, `curl -sI http://h.test/ | grep -i x-token`, `curl -sI http://h.test/ | grep -i location | cut -d: -f2 | xargs`, `curl -sI http://h.test/ | grep -i x-token | cut -d: -f2`, `curl -sI http://h.test/ | grep -iv x-token | cut -d' ' -f2`, `curl -sI http://h.test/ | awk '/x-token/{print $9}'`, `curl -s -w '%header{a}%header{b}' -o /dev/null http://h.test/`, `curl -s -w '%header{a}' http://h.test/`, `curl -sI http://h.test/ | jq .a`, `curl --trace - http://h.test/`, `curl -v http://h.test/ 2>&1`, `curl http://h.test/ http://h.test/2`, `curl 'http://h.test/{a,b}'`,
		`curl http://h.test/ || true`, `curl http://h.test/; echo x`, `sudo curl http://h.test/`,
		`curl http://h.test/ | jq`, `curl http://h.test/ | jq .`, `curl http://h.test/ | jq -r '.a[]'`, `curl http://h.test/ | jq -r '.a?'`, `curl http://h.test/ | jq -r .a-b`, `curl http://h.test/ | jq -r '.a // "x"'`,
		`curl http://h.test/ | jq -r '.a | length'`, `curl http://h.test/ | jq -r '.["\(1)"]'`, `curl http://h.test/ | jq -r '.[01]'`, `curl http://h.test/ | jq -r '.a[-1]'`, `curl http://h.test/ | jq -r .a x.json`, `curl http://h.test/ | jq -r .a .b`,
		`curl http://h.test/ | jq -R .a`, `curl http://h.test/ | jq -s .a`, `curl http://h.test/ | jq -r ".$KEY"`, `curl http://h.test/ | jq -r .a | tr -d '"'`, `curl http://h.test/ | jq -r .a | jq -r .b`, `curl http://h.test/ | jq -r .a | cut -c1-5`, `curl http://h.test/ | jq -r '.a empty'`, `curl http://h.test/ | jq -r '.empty empty // empty'`,
		`curl http://h.test/ | jq -r .a | sed -n 's/.*"a":"\([^"]*\)".*/\1/p'`, `curl http://h.test/ | sed 's/.*"a":"\([^"]*\)".*/\1/'`, `curl http://h.test/ | sed -n 's/.*"a.":"\([^"]*\)".*/\1/p'`,
		`curl http://h.test/ | grep -o '"a":"[^"]*'`, `curl http://h.test/ | grep -o '"a.*":"[^"]*' | cut -d'"' -f4`, `curl http://h.test/ | grep -o '"a":"[^"]*' | cut -d'"' -f3`, `curl http://h.test/ | cut -d'"' -f4`,
		`curl http://h.test/ | python3 -c "import sys, json; print(json.load(sys.stdin))"`, `curl http://h.test/ | python3 -c "import sys, json; print(json.load(sys.stdin)['a'].upper())"`, `curl http://h.test/ | python3 x.py`,
		`gcloud auth print-access-token`, `printf %s "$A" | openssl dgst -sha256`, `printf %s "$A" | openssl dgst -sha256 -hmac "$K"`, `printf %s "$A" | openssl dgst -hmac "$K" | sed 's/.* //'`, `printf %s "$A" | sha256sum`, `printf %s "$A" | sha256sum | cut -c1-8`,
		`printf %s "$A" | openssl dgst -sha512 -binary | base64`, `printf %s "$A" | openssl dgst -sha256 -binary | xxd -p`, `printf %s "$A" | openssl dgst -sha256 -binary`, `printf %s "$A" | openssl dgst -sha256 -hmac "" | sed 's/.* //'`, `printf %s "${A^^}" | base64`, `printf %s "$A" | openssl dgst -sha256 -hmac "${K#x}" | sed 's/.* //'`,
		`printf %5s "$A" | base64`, `printf %b "$A" | base64`, `printf %s "$A" | base64 | tr '+/' '-_'`, `printf %s "$A" | base64 | tr -d =`, `printf %s "$A" | base64 | tr a-z A-Z`, `base64 file`, `sha256sum file | cut -d' ' -f1`, `printf %s "$A" | base64 -d`, `printf %s "$A" | base64 | base64`, `printf %s "$A" | openssl dgst -$ALG | awk '{print $2}'`, `printf %s "$A" | openssl dgst -sha256 -mac HMAC -macopt hexkey:"$K" | awk '{print $2}'`, `printf %s "$A" | openssl dgst -sha256 -sign key.pem | base64`, `date`, `date +%A`, `date -d tomorrow +%s`, `TZ=UTC date +%H`, `cat "$F"`, `cat a b`, `hostname -f`, `uuidgen -t`, `cat <x | wc -c`,
	} {
		f, err := fromOf("V=$(" + commands + ")")
		if _, ok := f.(*request.Command); !ok || err != nil {
			t.Errorf("%s: %+v, %v", commands, f, err)
		}
	}
	for _, script := range []string{
		`V=x$(curl http://h.test/ | jq -r .a)`, `V=$(curl http://h.test/)$(curl http://h.test/)`,
	} {
		if f, err := fromOf(script); err == nil {
			if _, ok := f.(*request.Response); ok {
				t.Errorf("%s: %+v", script, f)
			}
		}
	}
	for _, script := range []string{
		`V=$(curl http://h.test/); if test x; then V=$(date +%s); fi`, `for i in a b; do V=$(date +%s); done; read V`, `(V=$(date +%s))`, `V=$(date +%s); unset W; V+=x`, `V=$((N+1))`,
	} {
		if f, err := fromOf(script); f != nil || err != nil {
			t.Errorf("%s: %+v, %v", script, f, err)
		}
	}
}

// TestFromNative checks the operations that every language has.
func TestFromNative(t *testing.T) {
	for commands, want := range map[string]request.From{
		"date +%s":                             &request.Date{Format: "%s"},
		`date -u "+%Y-%m-%dT%H:%M:%SZ"`:        &request.Date{Format: "%Y-%m-%dT%H:%M:%SZ", UTC: true},
		"date --utc +%F%%":                     &request.Date{Format: "%F%%", UTC: true},
		"uuidgen":                              &request.UUID{},
		"uuidgen | tr '[:upper:]' '[:lower:]'": &request.UUID{},
		"cat /proc/sys/kernel/random/uuid":     &request.UUID{},
		"hostname":                             &request.Hostname{},
		"cat 'a b.txt'":                        &request.FileContent{Name: "a b.txt"},
		"< token.txt":                          &request.FileContent{Name: "token.txt"},
		"base64 -w0 'a b.bin'":                 &request.FileContent{Name: "a b.bin", Base64: true},
		"base64 a.bin --wrap=0":                &request.FileContent{Name: "a.bin", Base64: true},
		"base64 -w 0 < a.bin":                  &request.FileContent{Name: "a.bin", Base64: true},
		"base64 < a.bin | tr -d '\\n'":         &request.FileContent{Name: "a.bin", Base64: true},
		"base64 -i a.bin | tr -d '\\n'":        &request.FileContent{Name: "a.bin", Base64: true},
		"cat a.bin | base64 | tr -d '\\r\\n'":  &request.FileContent{Name: "a.bin", Base64: true},
	} {
		got, err := fromOf("V=$(" + commands + ")")
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", commands, err, diff)
		}
	}
}

// TestFromWithin checks a command within a word of another: the request stands before
// the other one, which is the answer of a text for one. Where it is not certain what
// is taken of it, it stays a part of the word.
func TestFromWithin(t *testing.T) {
	for command, requests := range map[string]int{
		`curl http://h.test/b -H "A: Bearer $(curl -s http://h.test/a | jq -r .t)"`:   2,
		`curl http://h.test/b -d "$(curl -s http://h.test/a)"`:                        2,
		`curl http://h.test/b -H "A: $(curl -i http://h.test/a)"`:                     1,
		`curl http://h.test/b -H "A: $(curl -s http://h.test/a | wc -c)"`:             1,
		`curl http://h.test/b -H "A: $(curl -d @missing http://h.test/a | jq -r .t)"`: 1,
		`curl http://h.test/b -H "A: $(curl --nonsense http://h.test/a | jq -r .t)"`:  1,
		`curl http://h.test/b -H "A: $(curl ftp://h.test/a | jq -r .t)"`:              1,
	} {
		r, err := Parse(command, Input{})
		if err != nil || len(r.Requests) != requests || r.Requests[requests-1].URL != "http://h.test/b" {
			t.Errorf("%s: %v, %+v", command, err, r)
			continue
		}
		m, err := r.Members()
		if err != nil || m.URL != "http://h.test/b" {
			t.Errorf("%s: %v, %+v", command, err, m)
		}
		from := r.Requests[requests-1].Variables[0].From
		if response, ok := from.(*request.Response); ok != (requests == 2) || ok && response.Request != 0 {
			t.Errorf("%s: from %+v", command, from)
		}
	}
}

// TestFromSameSpelling checks that one spelling that stands for two values keeps them
// apart, and that the request is the one before.
func TestFromSameSpelling(t *testing.T) {
	const script = `V=$(curl http://h.test/1 | jq -r .a); A=$V; curl http://h.test/2 -H "X: $V"; V=$(curl http://h.test/3 | jq -r .a); curl http://h.test/4 -H "X: $V" -H "Y: $A" -H "Z: $V"`
	r, err := Parse(script, Input{})
	if err != nil {
		t.Fatal(err)
	}
	var got []int
	for i := range r.Requests {
		for _, v := range r.Requests[i].Variables {
			got = append(got, v.From.(*request.Response).Request)
		}
	}
	if diff := cmp.Diff([]int{0, 2, 0, 2}, got); diff != "" {
		t.Errorf("the requests (-want +got):\n%s", diff)
	}
}

// TestFromPlace checks the place of a command in texts that are rewritten before they
// are read.
func TestFromPlace(t *testing.T) {
	for _, text := range []string{
		"curl http://h.test/ -H \"A: $(gcloud auth x)\" -H \"B: $(gcloud auth x)\"",
		"$ curl http://h.test/ \\\r\n  -H \"A: $(gcloud auth x)\"\r\n",
		"```\ncurl http://h.test/ -H \"A: $(gcloud auth x)\"\n```",
		"bash -c 'curl http://h.test/ -H \"A: $(gcloud auth x)\"'",
	} {
		r, err := Parse(text, Input{})
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		for _, v := range r.Requests[0].Variables {
			f, ok := v.From.(*request.Command)
			if !ok || text[f.Span.Start:f.Span.End] != "$(gcloud auth x)" {
				t.Errorf("%q: %+v", text, v.From)
			}
		}
	}
}

// FuzzFrom checks that no text makes a variable that comes from a request after its own.
func FuzzFrom(f *testing.F) {
	f.Add("V=$(curl a | jq -r .b); curl $V")
	f.Add("for i in 1 2; do V=$(curl a | grep -o '\"a\":\"[^\"]*' | cut -d'\"' -f4); curl $V -d \"`curl b | jq .c | tr -d '\"'`\"; done")
	f.Add("curl a$(date -u +%s) -d \"$(printf %s \"$(curl b)\" | python3 -c \"import sys,json;print(json.load(sys.stdin)['a'][0])\")\"")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := Parse(text, Input{})
		if err != nil {
			if f := fault.Of(err); f != nil {
				t.Fatal(f)
			}
			return
		}
		for i := range r.Requests {
			for _, v := range r.Requests[i].Variables {
				switch from := v.From.(type) {
				case *request.Response:
					if from.Request >= i {
						t.Errorf("request %d takes from %d", i, from.Request)
					}
				case *request.Command:
					if s := from.Span; s.Start < 0 || s.End < s.Start || int(s.End) > len(text) {
						t.Errorf("place %v of %d bytes", s, len(text))
					}
				}
			}
		}
	})
}
