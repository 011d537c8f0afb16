package postman_test

import (
	"encoding/json"
	"testing"

	"uncoil/diag"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/postman"
	"uncoil/internal/engine/source/word"
	"uncoil/internal/proof/shelltest"
)

// TestIs holds which texts are collections.
func TestIs(t *testing.T) {
	for src, want := range map[string]bool{
		`{"info":{},"item":[`: true, "\ufeff{\"item\":[],\"info\":{": true, `{"name":"a","request":{"`: true, `{"collection":{"info":{"schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"}`: true,
		`{"info":{},"paths":{}}`: false, `{"request":{}}`: false, `{"item":[]}`: false, `{"info":[],"item":[]}`: false, `[]`: false, "": false, `{"collection":{}}`: false, "curl h": false, `{"name":1,"request":{}}`: false,
	} {
		if got := postman.Is(src); got != want {
			t.Errorf("Is(%q) is %t", src, got)
		}
	}
}

// TestRead holds the arguments of curl for requests.
func TestRead(t *testing.T) {
	request := func(members string) string { return `{"name":"","request":{"method":"PUT",` + members + `}}` }
	put := func(args ...string) []string { return append([]string{"curl", "--url"}, args...) }
	for _, c := range []shelltest.Case{
		{Src: `{"info":{},"item":[{"request":"h"},{"item":[{"request":{"url":"g","method":"get"}}]}]}`, Want: [][]string{put("h", "--location"), put("g", "--location")}},
		{Src: `{"info":{},"item":[{"request":"h/{{a}}{{b}}{{c}}"}],"variable":[{"key":"a","value":"{{d}}"},{"key":"c","value":""},{"key":"d","value":1},{"key":"b","value":"2","disabled":true}]}`, Env: map[string]string{"c": "3"}, Args: put("h/1{{b}}3", "--location"), Codes: ""},
		{Src: `{"info":{},"item":[{"request":"h/{{a}}{{e}}"}],"variable":[{"key":"a","value":"{{a}}"},{"key":"e","value":"{{f}}"},{"key":"f","value":"{{e}}"}]}`, Args: put("h/%7B%7Ba%7D%7D%7B%7Bf%7D%7D", "--location")},
		{Src: request(`"url":{"protocol":"https","auth":{"user":"a@b","password":"c"},"host":["h","test"],"port":"1","path":["x",":id","a b"],"query":[{"key":"q","value":"a&b#"},{"key":"r=","value":null},{"key":"s","disabled":true}],"hash":"f","variable":[{"key":"id","value":"7"}],"raw":"no"}`),
			Args: put("https://a%40b:c@h.test:1/x/7/a%20b?q=a%26b%23&r%3D", "--request", "PUT", "--location")},
		{Src: request(`"url":{"raw":"{{h}}/:id.json#f"}`), Args: put("{{h}}/:id.json", "--request", "PUT", "--location")},
		{Src: request(`"url":"h","header":[{"key":" A ","value":"ü"},{"key":"B","disabled":true,"value":""},{"key":"","value":"x"}]`), Args: put("h", "--request", "PUT", "--header", "A: \xfc", "--location")},
		{Src: request(`"url":"h","header":"A: b\nC: d"`), Args: put("h", "--request", "PUT", "--header", "A: b", "--header", "C: d", "--location")},
		{Src: request(`"url":"h","body":{"mode":"raw","raw":"a","options":{"raw":{"language":"json"}}}`), Args: put("h", "--request", "PUT", "--header", "Content-Type: application/json", "--data-raw", "a", "--location")},
		{Src: request(`"url":"h","body":{"mode":"raw","raw":"a","disabled":true}`), Args: put("h", "--request", "PUT", "--location")},
		{Src: request(`"url":"h","body":{"mode":"urlencoded","urlencoded":[{"key":"a","value":"b c"},{"key":"d","value":"{{e}}"},{"key":"a","value":"f"},{"key":"g","value":"h","disabled":true}]}`),
			Args: put("h", "--request", "PUT", "--header", "Content-Type: application/x-www-form-urlencoded", "--data-raw", "a=b%20c&a=f&d={{e}}", "--location")},
		{Src: request(`"url":"h","body":{"mode":"formdata","formdata":[{"key":"a","value":"b"},{"key":"c","type":"file","src":["d","e"],"contentType":"f/g"}]}`), Args: put("h", "--request", "PUT", "--form-string", "a=b", "--form", `c=@"d";type=f/g`, "--form", `c=@"e";type=f/g`, "--location")},
		{Src: request(`"url":"h","body":{"mode":"file","file":{"src":"a b"}}`), Args: put("h", "--request", "PUT", "--header", "Content-Type:", "--data-binary", "@a b", "--location")},
		{Src: request(`"url":"h","body":{"mode":"graphql","graphql":{"query":"{ a }","variables":"{\"b\": 1}"}}`), Args: put("h", "--request", "PUT", "--header", "Content-Type: application/json", "--data-raw", `{"query":"{ a }","variables":{"b": 1}}`, "--location")},
		{Src: `{"name":"","request":{"method":"GET","url":"h","body":{"mode":"raw","raw":"a"}}}`, Args: put("h", "--location"), Codes: "other-command"},
		{Src: `{"name":"","protocolProfileBehavior":{"disableBodyPruning":true,"followRedirects":false,"strictSSL":false,"disabledSystemHeaders":{"content-type":true}},"request":{"method":"GET","url":"h/../a","body":{"mode":"raw","raw":"a"}}}`,
			Args: put("h/../a", "--request", "GET", "--header", "Content-Type:", "--data-raw", "a", "--path-as-is", "--insecure")},
		{Src: `{"info":{},"auth":{"type":"bearer","bearer":[{"key":"token","value":"t"}]},"item":[{"request":"h"},{"request":{"url":"h","auth":{"type":"noauth"}}},{"item":[{"request":"h"}],"auth":{"type":"basic","basic":{"username":"u","password":"p"}}}]}`,
			Want: [][]string{put("h", "--header", "Authorization: Bearer t", "--location"), put("h", "--location"), put("h", "--user", "u:p", "--location")}},
		{Src: request(`"url":"h?a","auth":{"type":"apikey","apikey":[{"key":"key","value":"k"},{"key":"value","value":"{{v}}"},{"key":"in","value":"query"}]}`), Args: put("h?a&k={{v}}", "--request", "PUT", "--location")},
		{Src: request(`"url":"h","header":[{"key":"k","value":"old"}],"auth":{"type":"apikey","apikey":[{"key":"key","value":"K"},{"key":"value","value":"v"}]}`), Args: put("h", "--request", "PUT", "--header", "K: v", "--location")},
		{Src: request(`"url":"h","auth":{"type":"ntlm","ntlm":[{"key":"username","value":"u"},{"key":"password","value":"p"},{"key":"domain","value":"d"}]}`), Args: put("h", "--request", "PUT", "--ntlm", "--user", `d\u:p`, "--location")},
		{Src: request(`"url":"h","auth":{"type":"awsv4","awsv4":[{"key":"accessKey","value":"a"},{"key":"secretKey","value":"s"},{"key":"region","value":"r"},{"key":"service","value":"v"}]}`), Args: put("h", "--request", "PUT", "--aws-sigv4", "aws:amz:r:v", "--user", "a:s", "--location")},
		{Src: request(`"url":"h","auth":{"type":"oauth2","oauth2":[{"key":"accessToken","value":"t"},{"key":"headerPrefix","value":"X"}]}`), Args: put("h", "--request", "PUT", "--header", "Authorization: X t", "--location")},
		{Src: request(`"url":"h","auth":{"type":"hawk","hawk":[]}`), Args: put("h", "--request", "PUT", "--location"), Codes: "computed-auth"},
		{Src: request(`"url":"h","proxy":{"host":"p","port":1,"authenticate":true,"username":"u","password":"w"}`), Args: put("h", "--request", "PUT", "--location", "--proxy", "http://p:1", "--proxy-user", "u:w")},
		{Src: `{"name":"","event":[{"listen":"prerequest","script":{"exec":["pm.variables.set(\"a\", \"1\");"]}},{"listen":"test","script":{"exec":["x()"]}}],"request":"h/{{a}}"}`, Args: put("h/1", "--location"), Codes: "other-command"},
	} {
		c.Run(t, func(src string, env map[string]string) ([]word.Command, diag.List) {
			return postman.Read(src, 0, env, meter.New(len(src), meter.Limits{}, nil))
		})
	}
}

// FuzzRead checks that any text is read within its limits, that an error leaves a place,
// and that a text which is no JSON has one.
func FuzzRead(f *testing.F) {
	for _, src := range []string{
		`{"info":{},"variable":[{"key":"a","value":"{{b}}"}],"auth":{"type":"basic","basic":[{"key":"username","value":"u"}]},"item":[{"name":"x","item":[{"request":{"method":"POST","url":{"host":["h"],"path":["a",":b"],"query":[{"key":"c","value":"{{a}}"}],"variable":[{"key":"b","value":"d"}]},"header":[{"key":"e","value":"\u00e9"}],"body":{"mode":"raw","raw":"{\"f\":\"{{g}}\"}"}}}]}]}`,
		`{"name":"","request":{"url":"h","method":"PUT","body":{"mode":"formdata","formdata":[{"key":"a","type":"file","src":["b"]},{"key":"c","value":1,"contentType":"d"}]},"proxy":{"host":"::1","port":"1"}}}`,
		`{"name":"","protocolProfileBehavior":{"disableUrlEncoding":true,"maxRedirects":3},"request":{"url":"h/ a","method":"PUT","body":{"mode":"graphql","graphql":{"query":"{a}","operationName":"b","variables":{"c":1}}},"auth":{"type":"apikey","apikey":{"key":"k","value":"v","in":"query"}}}}`,
		`{"collection":{"info":{},"item":[{"request":{"url":"h","method":"PUT","body":{"mode":"urlencoded","urlencoded":[{"key":"a","value":"b"},{"key":"a"}]}},"event":[{"listen":"prerequest","script":{"exec":"pm.globals.set(\"a\",\"b\")"}}]}]}}`,
		`{"item":`, `{"info":{},"item":[]}`, "\ufeff{}",
	} {
		f.Add(src, 0)
		f.Add(src, 2)
	}
	f.Fuzz(func(t *testing.T, src string, entry int) {
		postman.Is(src)
		m := meter.New(len(src), meter.Limits{}, nil)
		commands, diags := postman.Read(src, max(entry, 0), map[string]string{"g": "x{{y}}"}, m)
		shelltest.CheckBounds(t, src, commands, diags)
		d := diags.Err()
		if d == nil && (len(commands) == 0 || !json.Valid([]byte(src)) && len(src) < 10_000) && !m.Over() {
			t.Errorf("%d commands, and no error", len(commands))
		}
		if d != nil && d.Code != diag.CodeInvalidPostman && d.Code != diag.CodeUnknownEntry && d.Code != diag.CodeNoURL && d.Code != diag.CodeNestedTooDeep {
			t.Errorf("the error is %v", d)
		}
	})
}
