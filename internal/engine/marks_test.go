package engine_test

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"uncoil/internal/engine"
)

// spellings are the ways to write one character that curl's rules read as that
// character, or that bash does.
var spellings = []func(char string) string{
	func(char string) string { return char },
	percentEncoded,
	func(char string) string { return strings.ToLower(percentEncoded(char)) },
}

func percentEncoded(s string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, "%%%02X", s[i])
	}
	return b.String()
}

// markedCommands are commands with an unknown variable, and with CHAR in each place
// that a text from outside can come from.
var markedCommands = []string{
	`curl https://h.test/CHAR -H "Authorization: Bearer $TOKEN" -d "note=CHAR ok&b=$B"`,
	`curl "https://CHAR:CHAR@h.test/?q=CHAR&r=$TOKEN#CHAR"`,
	`curl https://h.test/ --data-urlencode "q=CHAR$TOKEN" --data-urlencode CHAR -b "a=CHAR; b=$TOKEN" -A CHAR`,
	`curl https://h.test/ -F "a=CHAR$TOKEN;filename=CHAR" -F 'b=<file' -F "c=@file;headers=\"X: CHAR\""`,
	`curl https://h.test/ -K config -H "A: $TOKEN"`,
	`curl https://h.test/ -K config -K late -H "A: $TOKEN"`,
	`curl https://h.test/ -d @file -H "A: $TOKEN"`,
	`curl https://h.test/ -d @other -H "A: $TOKEN" -d @file`,
	`curl https://h.test/ -d @- -H "A: $TOKEN"`,
	`curl https://h.test/ -H "A: $KNOWN" -d "$TOKEN"; curl https://h.test/2 -d @other -d "$TOKEN"`,
	`curl https://h.test/ --variable %KNOWN --expand-data '{{KNOWN:url}}' -H "A: $TOKEN"`,
	`curl https://h.test/ --variable v=BASE64 --expand-data '{{v:64dec}}' -H "A: $TOKEN"`,
	`curl https://h.test/ --variable v=BASE64 --expand-url 'https://h.test/{{v:64dec}}' -H "A: $TOKEN" -d @other`,
	`curl https://h.test/ --variable 'v[1-99]=xCHAR' --expand-data '{{v}}' -H "A: $TOKEN"`,
	"curl https://h.test/ -d @- -H \"A: $TOKEN\" <<E\nCHAR $B\nE",
}

// parsedWith returns the texts and the variables of the requests of a command with a
// character in its places.
func parsedWith(t *testing.T, command, char string, spelled func(string) string) string {
	t.Helper()
	written := spelled(char)
	fill := strings.NewReplacer("CHAR", written, "BASE64", base64.StdEncoding.EncodeToString([]byte(written))).Replace
	late := map[string]string{
		"late":  "header = \"B: " + written + "\"\n",
		"other": "x=" + written[:len(written)/2] + "\r\n" + written[len(written)/2:],
	}
	in := engine.Input{
		Files: map[string][]byte{"file": []byte(written + "x"), "config": []byte("header = \"C: " + written + "\"\nuser = \"" + written + ":p\"\n")},
		ReadFile: func(name string) ([]byte, error) {
			if content, ok := late[name]; ok {
				return []byte(content), nil
			}
			return nil, os.ErrNotExist
		},
		Env:   map[string]string{"KNOWN": written},
		Stdin: []byte("stdin=" + written),
	}
	r, err := engine.Parse(fill(command), in)
	if err != nil {
		t.Fatalf("%s: %v", fill(command), err)
	}
	var b strings.Builder
	for _, q := range r.Requests {
		fmt.Fprintf(&b, "%s %+v ", q.URL, q.Query)
		for _, f := range q.Fields {
			if f.Name != "Authorization" || q.Auth == nil { // else it is in Base64
				b.WriteString(f.Name + ": " + f.Value + "\n")
			}
		}
		if q.Auth != nil {
			fmt.Fprintf(&b, "%+v ", *q.Auth)
		}
		if q.Body != nil {
			fmt.Fprintf(&b, "%s %+v ", q.Body.Data, q.Body.Fields)
			for _, part := range q.Body.Parts {
				fmt.Fprintf(&b, "%s %s %v ", part.Name, part.Value, part.Headers)
			}
		}
		fmt.Fprintf(&b, "\nvariables %+v\n", q.Variables)
	}
	return b.String()
}

// TestMarksOfText holds that a text with characters of plane 16, which stand for
// unknown variables within the engine, has the variables that it has with other
// characters, and keeps those characters.
func TestMarksOfText(t *testing.T) {
	const plain = "\U0001F600"
	random := rand.New(rand.NewPCG(1, 2))
	chars := []rune{0x100000, 0x100001, 0x100004, 0x100005, 0x10fffd}
	for range 20 {
		chars = append(chars, 0x100000+random.Int32N(40), 0x100000+random.Int32N(0xfffe))
	}
	for _, command := range markedCommands {
		for i, spelled := range spellings {
			want := parsedWith(t, command, plain, spelled)
			if !strings.Contains(want, "Name:TOKEN") {
				t.Fatalf("%s has no variables: %s", command, want)
			}
			for _, char := range chars {
				if got := withCharacter(parsedWith(t, command, string(char), spelled), string(char), plain); got != want {
					t.Fatalf("%s with %U, spelling %d:\n%s\nwant\n%s", command, char, i, got, want)
				}
			}
		}
	}
}

// withCharacter returns a text with a character replaced by another one, in each
// spelling.
func withCharacter(text, char, other string) string {
	for _, spelled := range spellings {
		from, to := spelled(char), spelled(other)
		text = strings.ReplaceAll(text, from, to)
		text = strings.ReplaceAll(text, strings.ReplaceAll(from, "%", "%25"), strings.ReplaceAll(to, "%", "%25"))
	}
	return text
}

// TestMarksOfPieces holds that bytes which make a character only once curl has put
// them together are not taken for a variable.
func TestMarksOfPieces(t *testing.T) {
	for _, command := range []string{
		`curl https://h.test/ -H "A: $TOKEN" --json $'\xf4\x80' --json $'\x80\x80'`,
		`curl https://h.test/ -H "A: $TOKEN" --json $'\xf4' --json $'\x80' --json $'\x80\x80'`,
		`curl -H "A: $TOKEN" $'https://h.test/\xf4\x80{\x80\x80,x}'`,
		`curl -H "A: $TOKEN" 'https://h.test/?a=%F4%80{%80%80,x}'`,
		`curl -H "A: $TOKEN" $'https://h.test/?a=\xf4%80\x80%80'`,
		`curl https://h.test/ -H "A: $TOKEN" -d @file`,
		`curl https://h.test/ -H "A: $TOKEN" --json $'\xf4\x80' --json @tail`,
	} {
		r, err := engine.Parse(command, engine.Input{Files: map[string][]byte{"file": []byte("\xf4\x80\r\n\x80\n\x80"), "tail": []byte("\n\x80\x80")}})
		if err != nil {
			t.Fatal(command, err)
		}
		for _, request := range r.Requests {
			if v := request.Variables; len(v) != 1 || v[0].At.String() != "headers.1.value" && v[0].In != "headers.A" {
				t.Errorf("%s has the variables %+v", command, v)
			}
		}
	}
}

// TestMarksOfArguments holds the same for arguments that no shell has read.
func TestMarksOfArguments(t *testing.T) {
	r, err := engine.ParseArgs([]string{"curl", "https://h.test/", "-d", "\U00100000$TOKEN", "-d", "%F4%80%80%80=1"}, engine.Input{})
	if err != nil || len(r.Requests) != 1 {
		t.Fatal(err)
	}
	if r.Requests[0].Body.Data != "\U00100000$TOKEN&%F4%80%80%80=1" || len(r.Requests[0].Variables) != 0 {
		t.Errorf("%+v", r.Requests[0])
	}
}

// TestMarksUsedUp holds that a text which leaves no character for its variables is
// an error, because they would be lost.
func TestMarksUsedUp(t *testing.T) {
	var all strings.Builder
	for char := rune(0x100000); char < 0x10fffe; char += 4 {
		all.WriteRune(char)
	}
	_, err := engine.Parse(`curl https://h.test/ -H "A: $TOKEN" -d @-`, engine.Input{Stdin: []byte(all.String())})
	if err == nil || !strings.Contains(err.Error(), "unknown variables") {
		t.Errorf("the error is %v", err)
	}
	r, err := engine.Parse(`curl https://h.test/ -H "A: $TOKEN" -d @-`, engine.Input{Stdin: []byte(all.String()[4:])})
	if err != nil || len(r.Requests[0].Variables) != 1 {
		t.Errorf("with one character left: %v", err)
	}
}
