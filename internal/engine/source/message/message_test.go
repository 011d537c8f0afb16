package message

import (
	"slices"
	"strings"
	"testing"

	"uncoil/diag"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/word"
)

// TestAdd holds the arguments of curl for messages.
func TestAdd(t *testing.T) {
	text := func(s string) word.Word { return word.Word{Text: s} }
	fields := func(pairs ...string) (list []Field) {
		for i := 0; i < len(pairs); i += 2 {
			list = append(list, Field{text(pairs[i]), text(pairs[i+1])})
		}
		return list
	}
	content := func(method, s string, list []Field) Message {
		return Message{Method: text(method), HasContent: true, Content: text(s), Fields: list}
	}
	for name, c := range map[string]struct {
		message  Message
		want     []string
		warnings string
	}{
		"get":              {Message{Method: text("GET")}, nil, ""},
		"no method":        {Message{}, nil, ""},
		"head":             {Message{Method: text("HEAD")}, []string{"--head"}, ""},
		"lower case":       {Message{Method: text("get")}, []string{"--request", "get"}, ""},
		"post":             {content("POST", "a", fields("Content-Type", "b")), []string{"--header", "Content-Type: b", "--data-raw", "a"}, ""},
		"no type":          {content("", "a", nil), []string{"--request", "GET", "--header", "Content-Type:", "--data-raw", "a"}, ""},
		"empty":            {Message{Method: text("POST"), Fields: fields("content-length", "0")}, []string{"--header", "Content-Type:", "--data-raw", ""}, ""},
		"length":           {content("POST", "é", fields("content-length", "2", "content-type", "b")), []string{"--header", "content-type: b", "--data-raw", "é"}, ""},
		"another length":   {content("POST", "é", fields("content-length", "1", "content-type", "b")), []string{"--header", "content-type: b", "--data-raw", "é"}, "incomplete-content"},
		"NUL":              {content("POST", "\x00", fields("content-type", "b")), []string{"--header", "content-type: b", "--data-binary", "@-"}, ""},
		"expect":           {content("POST", strings.Repeat("a", 1<<20+1), fields("content-type", "b")), []string{"--header", "content-type: b", "--header", "Expect:", "--data-raw", strings.Repeat("a", 1<<20+1)}, ""},
		"connection":       {Message{Fields: fields("connection", "keep-alive", "Keep-Alive", "5", ":path", "/", "host", "H.test:80", "Connection", "close")}, []string{"--header", "Connection: close"}, ""},
		"other host":       {Message{Fields: fields("Host", "g.test")}, []string{"--header", "Host: g.test"}, ""},
		"agent, no accept": {Message{Fields: fields("User-Agent", "a")}, []string{"--header", "User-Agent: a", "--header", "Accept:"}, ""},
		"cookies":          {Message{Fields: fields("cookie", "a=b", "x", "", "Cookie", "c=d")}, []string{"--header", "cookie: a=b; c=d", "--header", "x;"}, ""},
		"coding":           {Message{Fields: fields("accept-encoding", "br")}, []string{"--header", "accept-encoding: br", "--compressed"}, ""},
		"identity":         {Message{Fields: fields("accept-encoding", "identity")}, []string{"--header", "accept-encoding: identity"}, ""},
		"upgrade to h2c":   {Message{Fields: fields("Upgrade", "h2c")}, []string{"--header", "Upgrade: h2c"}, ""},
		"form": {Message{Method: text("POST"), HasContent: true, Fields: fields("content-type", "multipart/form-data; boundary=x", "content-length", "9"), Parts: []Part{
			{Name: text("a"), Value: text("@b")}, {Name: text("f"), Value: text(`x"y`), File: true, Type: text("c/d")}, {Name: text("g"), Value: text(`h\`), Filename: text("i")},
		}}, []string{"--form-string", "a=@b", "--form", `f=@"x\"y";type=c/d`, "--form", `g="h\\";filename="i"`}, ""},
	} {
		w := Writer{Meter: meter.New(0, meter.Limits{}, nil), Syntax: diag.CodeInvalidHAR}
		c.message.URL = text("http://h.test:80/a")
		if !w.Add(&c.message) {
			t.Errorf("%s: %v", name, w.Diags)
			continue
		}
		var got []string
		for _, a := range w.Commands[0].Args {
			got = append(got, a.Text)
		}
		if want := append([]string{"curl", "--url", "http://h.test:80/a"}, c.want...); !slices.Equal(got, want) {
			t.Errorf("%s:\n got %q\nwant %q", name, got, want)
		}
		var codes []string
		for _, d := range w.Diags {
			codes = append(codes, string(d.Code))
		}
		if got := strings.Join(codes, " "); got != c.warnings {
			t.Errorf("%s: the warnings are %q", name, got)
		}
	}
}
