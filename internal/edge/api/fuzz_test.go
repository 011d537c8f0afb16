package api

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/source"
)

// FuzzDecode holds the reader equal to a plain one on top of encoding/json:
// both accept the same texts and get the same out of them.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"curl":"curl x"}`,
		"\ufeff {\"curl\":\"\\ud83d\\ude00\\n\"} ", `{"curl":"\ud83d"}`, `{"curl":"\u0000"}`,
		`{"id":[1,{"a":-0.5e-3}],"as":"parse","curl":"c","shell":"cmd","stdin":{"base64":"AP8="},"files":{"a":"t","b":{"base64":"","x":1}},"env":{"A":"1"}}`,
		`{"curl":"c","files":null,"stdin":null,"env":null,"shell":null,"as":null}`,
		`{"curl":"c","warnings":true}`, `{"curl":"c","warnings":1}`, `{"curl":"c","curl":"d"}`, `{"curl":"c"} x`, `{"curl":01}`, `{"curl":"\u12g4"}`, `{"x":[[],{}],"curl":""}`,
		"{\"curl\":\"\xff\"}", `{"curl":"c","env":{"A":1}}`, `{"files":{"a":"","a":""},"curl":""}`, `[]`, ``, "{}",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		got, err := DecodeLine(src)
		want, wantErr := plainDecode(src)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("error %v, the plain reader has %v", err, wantErr)
		}
		if err != nil {
			e, ok := errors.AsType[*Error](err)
			if !ok || e.Offset < 0 || e.Offset > len(src) || e.Message == "" || !utf8.ValidString(e.Message) {
				t.Fatalf("bad error %#v", err)
			}
			return
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

// loneSurrogate reports whether a JSON string holds half of a surrogate pair,
// which encoding/json reads as U+FFFD.
func loneSurrogate(raw []byte) bool {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return false
	}
	written := strings.ToLower(strings.ReplaceAll(string(raw), `\\`, ""))
	return strings.Count(text, "\ufffd") > strings.Count(written, "\ufffd")+strings.Count(written, `\ufffd`)
}

// plainDecode does what DecodeLine documents, written for clarity.
func plainDecode(src string) (line Line, err error) {
	if !utf8.ValidString(src) {
		return line, errors.New("not UTF-8")
	}
	src = strings.TrimPrefix(src, jsontext.ByteOrderMark)
	if depthOf(src) > DefaultDepth {
		return line, errors.New("too deep")
	}
	members, err := plainObject([]byte(src))
	if err != nil {
		return line, err
	}
	isNull := func(raw json.RawMessage) bool { return string(raw) == "null" }
	if raw, ok := members["curl"]; !ok || isNull(raw) {
		return line, errors.New("no curl")
	} else if err := json.Unmarshal(raw, &line.Curl); err != nil {
		return line, err
	} else if loneSurrogate(raw) || strings.Contains(line.Curl, "\x00") {
		return line, errors.New("no text")
	}
	if raw, ok := members["files"]; ok && !isNull(raw) {
		files, err := plainObject(raw)
		if err != nil {
			return line, err
		}
		line.Files = make(map[string][]byte)
		for name, raw := range files {
			if line.Files[name], err = plainContent(raw); err != nil {
				return line, err
			}
		}
	}
	if raw, ok := members["stdin"]; ok && !isNull(raw) {
		if line.Stdin, err = plainContent(raw); err != nil {
			return line, err
		}
	}
	if raw, ok := members["env"]; ok && !isNull(raw) {
		env, err := plainObject(raw)
		if err != nil {
			return line, err
		}
		line.Env = make(map[string]string)
		for name, raw := range env {
			var value *string
			if err := json.Unmarshal(raw, &value); err != nil || value == nil || loneSurrogate(raw) || strings.Contains(*value, "\x00") {
				return line, errors.New("env")
			}
			line.Env[name] = *value
		}
	}
	line.ID = string(members["id"])
	return line, plainSettings(members, &line)
}

// plainSettings reads the members that say how the answer is written.
func plainSettings(members map[string]json.RawMessage, line *Line) error {
	isNull := func(raw json.RawMessage) bool { return string(raw) == "null" }
	if raw, ok := members["shell"]; ok && !isNull(raw) {
		if err := json.Unmarshal(raw, &line.Shell); err != nil || line.Shell != "" && !slices.Contains(source.DialectNames(), line.Shell) {
			return errors.New("shell")
		}
	}
	if raw, ok := members["warnings"]; ok && !isNull(raw) {
		if err := json.Unmarshal(raw, &line.Warnings); err != nil {
			return err
		}
	}
	if raw, ok := members["bare"]; ok && !isNull(raw) {
		if err := json.Unmarshal(raw, &line.Bare); err != nil {
			return err
		}
	}
	if raw, ok := members["indent"]; ok && !isNull(raw) {
		if err := json.Unmarshal(raw, &line.Indent); err != nil || len(line.Indent) > 8 || strings.Trim(line.Indent, " \t") != "" {
			return errors.New("indent")
		}
	}
	if raw, ok := members["as"]; ok && !isNull(raw) {
		if err := json.Unmarshal(raw, &line.As); err != nil || line.As != AsConvert && line.As != AsParse {
			return errors.New("as")
		}
	}
	return nil
}

// plainObject reads the members of an object, and no member twice.
func plainObject(src []byte) (map[string]json.RawMessage, error) {
	dec := json.NewDecoder(bytes.NewReader(src))
	if start, err := dec.Token(); err != nil || start != json.Delim('{') {
		return nil, errors.New("not an object")
	}
	members := make(map[string]json.RawMessage)
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, err
		}
		if _, again := members[name.(string)]; again {
			return nil, errors.New("twice")
		}
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return nil, err
		}
		members[name.(string)] = raw
	}
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("trailing text")
	}
	return members, nil
}

func plainContent(raw json.RawMessage) ([]byte, error) {
	var text *string
	if json.Unmarshal(raw, &text) == nil && text != nil {
		if loneSurrogate(raw) {
			return nil, errors.New("no text")
		}
		return []byte(*text), nil
	}
	members, err := plainObject(raw)
	if err != nil {
		return nil, err
	}
	var code *string
	if err := json.Unmarshal(members["base64"], &code); err != nil || code == nil {
		return nil, errors.New("base64")
	}
	return base64.StdEncoding.DecodeString(*code)
}

// depthOf returns how deeply the arrays and objects of a JSON text are
// nested.
func depthOf(src string) int {
	depth, deepest, inString := 0, 0, false
	for i := 0; i < len(src); i++ {
		switch c := src[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{', c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}', c == ']':
			depth--
		}
	}
	return deepest
}
