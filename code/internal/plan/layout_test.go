package plan

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// TestJSONLayout checks how JSON is laid out, whose text means the same then.
func TestJSONLayout(t *testing.T) {
	long := strings.Repeat("word ", 20)
	for text, want := range map[string]string{
		"{\"a\":1,\n\"b\":[ ]}":                       `{"a": 1, "b": []}`,
		"[\n  {}\n]":                                  `[{}]`,
		"{ \"a, b:\" : \"c ,d:\\\"[{\" \n}":           `{"a, b:": "c ,d:\"[{"}`,
		`{"a":"` + long + `","b":{"c":1e2}}`:          "{\n  \"a\": \"" + long + "\",\n  \"b\": {\"c\": 1e2}\n}",
		`[{"a":"` + long + `"}]`:                      "[\n  {\n    \"a\": \"" + long + "\"\n  }\n]",
		"[" + strings.Repeat("1234567890,", 9) + "1]": "[\n  1234567890, 1234567890, 1234567890, 1234567890, 1234567890, 1234567890,\n  1234567890, 1234567890, 1234567890, 1\n]",
		`{"a":"\\","` + long + `\\":[]}`:              "{\n  \"a\": \"\\\\\",\n  \"" + long + "\\\\\": []\n}",
	} {
		l := jsonLayout{text: spaced(text)}
		l.value(0, len(l.text), 0, 0)
		got := l.out.String()
		if got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", text, got, want)
		}
		var before, after bytes.Buffer
		if json.Compact(&before, []byte(text)) != nil || json.Compact(&after, []byte(got)) != nil || before.String() != after.String() {
			t.Errorf("%s is %s, and was %s", text, after.String(), before.String())
		}
	}
}
