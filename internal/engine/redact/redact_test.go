package redact_test

import (
	"slices"
	"strings"
	"testing"

	"uncoil/internal/engine"
	"uncoil/internal/engine/fault"
	"uncoil/internal/engine/redact"
)

// After hiding, no answer holds a secret, and everything else is still there.
func TestRequests(t *testing.T) {
	tests := []struct {
		name, command string
		secrets       []string // in this order
		kept          []string
	}{
		{"bearer", `curl -H 'Authorization: Bearer s3cret' https://h.test/a`, []string{"s3cret"}, []string{"Bearer •••", "/a"}},
		{"oauth2", `curl --oauth2-bearer s3cret https://h.test`, []string{"s3cret"}, []string{"Bearer •••"}},
		{"basic", `curl -u ann:hunter2 https://h.test`, []string{"hunter2"}, []string{"Basic •••", `"username":"ann"`}},
		{"basic by hand", `curl -H 'authorization: Basic YW5uOmh1bnRlcjI=' https://h.test`, []string{"hunter2", "YW5uOmh1bnRlcjI="}, []string{"Basic •••"}},
		{"credentials without a scheme", `curl -H 'Authorization: s3cret' https://h.test`, []string{"s3cret"}, []string{`"Authorization"`}},
		{"cookies", `curl -b 'sid=abc123; theme=d4rk' https://h.test`, []string{"abc123", "d4rk"}, []string{"sid=•••; theme=•••"}},
		{"header by name", `curl -H 'X-Api-Key: s3cret' -H 'X-Trace: plain' https://h.test`, []string{"s3cret"}, []string{"plain"}},
		{"query", `curl 'https://h.test/p?api_key=s3cret&q=plain&access%5Ftoken=t0p#f'`, []string{"s3cret", "t0p"}, []string{"q=plain", "api_key=•••"}},
		{"form", `curl -d 'user=ann&password=hunter2' https://h.test`, []string{"hunter2"}, []string{"user=ann&password=•••"}},
		{"form, escaped", `curl --data-urlencode 'password=hun ter2' https://h.test`, []string{"hun+ter2", "hun ter2"}, nil},
		{"json", `curl --json '{"user":"ann","password":"hunter2","n":12345678901234567890,"deep":[{"clientSecret":{"a":"x9y"}}],"token":null,"s\u0065cret":7001}' https://h.test`,
			[]string{"hunter2", `{"a":"x9y"}`, "7001"}, []string{"12345678901234567890", `"token":null`, `"password":"•••"`}},
		{"json, escaped", `curl --json '{"password":"hun\"ter2"}' https://h.test`, []string{`hun"ter2`}, nil},
		{"multipart", `curl -F 'user=ann' -F 'secret=hunter2' -F 'doc={"token":"t0p"};type=application/json' https://h.test`, []string{"hunter2", "t0p"}, []string{"ann"}},
		{"proxy", `curl -x http://pu:pp@p.test:1 --proxy-header 'Proxy-Authorization: Bearer s3cret' https://h.test`, []string{"pp", "s3cret"}, []string{"pu:•••@p.test:1"}},
		{"proxy user", `curl -x p.test:1 -U pu:hunter2 https://h.test`, []string{"hunter2"}, []string{"pu:•••"}},
		{"certificate", `curl -E c.pem:hunter2 --key k.pem --pass pa55 https://h.test`, []string{"hunter2", "pa55"}, []string{"c.pem", "k.pem"}},
		{"referer", `curl -e 'https://r.test/?token=s3cret' https://h.test`, []string{"s3cret"}, []string{"r.test"}},
		{"concat", `curl -d password=hunter2 -d @body https://h.test`, []string{"hunter2"}, []string{"body"}},
		{"escaped name", `curl --json '{"p\u0061ssword\ud83d\ude00":"hunter2"}' https://h.test`, []string{"hunter2"}, nil},
		{"plain text", `curl -H 'Content-Type: text/plain' -d 'password=hunter2' https://h.test`, []string{"hunter2"}, []string{"password=•••"}},
		{"json in json", `curl --json '{"body":"{\"password\":\"hunter2\",\"n\":[1]}"}' https://h.test`, []string{"hunter2"}, []string{`[1]`}},
		{"names of a query and of a form", `curl 'https://h.test/?<apikey>z9y</apikey>' -d '<password>hunter2</password>'`, []string{"z9y", "hunter2"}, []string{"<password>•••"}},
		{"text in json", `curl --json '{"note":"token=hunter2 and more"}' https://h.test`, []string{"hunter2"}, []string{"and more"}},
		{"name and value", `curl --json '[{"name":"password","value":"hunter2"},{"value":"t0p","key":"apiKey"},{"name":"a","value":"shown"}]' https://h.test`,
			[]string{"hunter2", "t0p"}, []string{`"name":"password"`, "shown"}},
		{"known shapes", `curl 'https://api.telegram.org/bot12345:AAF-x_y/send' -H 'X-A: ghp_abcdefABCDEF0123456789abcdefABCDEF0123' -d 'a=sk_live_51Habc&b=https://hooks.slack.com/services/T000/B000/XXXX'`,
			[]string{"12345:AAF-x_y", "ghp_abcdefABCDEF0123456789abcdefABCDEF0123", "sk_live_51Habc", "T000/B000/XXXX"}, []string{"/send", "services/•••"}},
		{"more shapes", `curl https://h.test/xoxb-123456-abcdef/AKIAIOSFODNN7EXAMPLE -A 'a eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc_-d'`,
			[]string{"xoxb-123456-abcdef", "AKIAIOSFODNN7EXAMPLE", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc_-d"}, []string{"h.test"}},
		{"key of an HMAC", `S=$(echo -n "p4yload $A" | openssl dgst -sha256 -hmac "t0psecret" | awk '{print $2}'); curl -H "X-S: $S" -H "X-T: $(echo -n "ann:hunter2:$B" | base64)" https://h.test/a`,
			[]string{"hunter2:", "t0psecret"}, []string{`"•••$A"`, `"•••$B"`}},
		{"in the path, too", `curl https://h.test/a/Zq7Xw9Lk2V/b -u ann:Zq7Xw9Lk2V -H 'X-A: see Zq7Xw9Lk2V.'`, []string{"Zq7Xw9Lk2V"}, []string{"/a/•••/b", "see •••."}},
		{"in JSON, too", `curl -u ann:7182818284 --json '{"a":7182818284,"b":["x 7182818284"],"n":12}' https://h.test`, []string{"7182818284"}, []string{`{\"a\":\"•••\",\"b\":[\"x •••\"],\"n\":12}`}},
		{"short, as a whole value", `curl -u ann:t0ps 'https://h.test/p?a=t0ps' -d b=t0ps -d c=t0p`, []string{"t0ps"}, []string{"/p?a=•••", "b=•••&c=t0p"}},
		{"encoded in a pair", `curl https://h.test/ -d n=1 --data-urlencode 'u=https://ann:hunter2@x.test/a' --data-urlencode 'subject_token_type=urn:ietf:params:oauth:token-type:jwt'`, []string{"https%3A%2F%2Fann%3Ahunter2%40x.test%2Fa", "hunter2"}, []string{"https://ann:•••@x.test/a", "token-type:jwt"}},
		{"default", `curl -H "X-Api-Key: ${P:-Zq7Xw9Lk2V}" https://h.test/Zq7Xw9Lk2V`, []string{"Zq7Xw9Lk2V", "${P:-Zq7Xw9Lk2V}"}, []string{"/•••", `"name":"P"`}},
		{"other text for a variable", `curl "https://h.test/?token=${T:+Zq7Xw9Lk2V}"`, []string{"Zq7Xw9Lk2V", "${T:+Zq7Xw9Lk2V}"}, nil},
		{"key in a command", `curl -H "X: $(cut -c 1 f | openssl dgst -sha1 -hmac 'k3y' | rev)" https://h.test/a`, []string{"k3y"}, []string{"openssl dgst -sha1 -hmac '•••' | rev"}},
		{"option of a command", `curl -H "X: $(jwt encode --secret=t0ps --id "$A" --token-file f)" -H "Y: $(date -u +%H:%M)" https://h.test/a`, []string{"t0ps"}, []string{"--token-file f", "date -u +%H:%M"}},
		{"names that are not of secrets", `curl -H 'X-Author: ann' -d 'max_tokens=5&monkey=1&keyboard=2' 'https://h.test/?author=bob'`, nil,
			[]string{"ann", "bob", "max_tokens=5", "monkey=1", "keyboard=2"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r, err := engine.Parse(test.command, engine.Input{})
			if err != nil {
				t.Fatal(err)
			}
			got := redact.Requests(r.Requests)
			if !slices.Equal(got, test.secrets) {
				t.Errorf("hides %q, want %q", got, test.secrets)
			}
			shown := r.AppendJSON(nil)
			if converted, _, err := r.Append(nil, engine.Want{}); err == nil {
				shown = append(shown, converted...)
			}
			for _, secret := range append(test.secrets, "YW5uOmh1bnRlcjI=") {
				if strings.Contains(string(shown), secret) {
					t.Errorf("%q is still in %s", secret, shown)
				}
			}
			for _, text := range test.kept {
				if !strings.Contains(string(shown), text) {
					t.Errorf("%q is gone from %s", text, shown)
				}
			}
		})
	}
}

func TestSecret(t *testing.T) {
	for _, name := range strings.Fields("Authorization X-Api-Key api_key apiKey access_token accessKey AWSAccessKey client-secret PASSWORD passwd _csrf sid code X-Amz-Signature sessionId") {
		if !redact.Secret(name) {
			t.Errorf("%s is not taken for a secret", name)
		}
	}
	for _, name := range strings.Fields("Accept Content-Type author max_tokens monkey keyword encode zipcode side token_type q id name") {
		if redact.Secret(name) {
			t.Errorf("%s is taken for a secret", name)
		}
	}
}

// TestTokensOfParts holds what tokens with dots, and keys in PEM, look like, at both sides of their
// lengths.
func TestTokensOfParts(t *testing.T) {
	n := func(s string, times int) string { return strings.Repeat(s, times) }
	for text, secret := range map[string]string{
		"wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY":                     "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
		"Zq7Xw9Lk2Vb4Nm6/Tp8Rs1Yd3Zq7+Xw9Lk2Vb4Nm":                     "Zq7Xw9Lk2Vb4Nm6/Tp8Rs1Yd3Zq7+Xw9Lk2Vb4Nm",
		"a Zq7Xw9Lk2Vb4Nm6/Tp8Rs1Yd3Zq7+Xw9Lk2Vb4Nm5 b":                "",
		"Zq7Xw9Lk2Vb4Nm67Tp8Rs1Yd3Zq7yXw9Lk2Vb4Nm":                     "",
		"/v1/projects/MyProject12/locations/eu1/Ab":                    "",
		"pat" + n("aB3", 4) + "xy." + n("0a", 32):                      "pat" + n("aB3", 4) + "xy." + n("0a", 32),
		"pat" + n("aB3", 4) + "x." + n("0a", 32):                       "",
		"pat" + n("aB3", 4) + "xy." + n("0a", 31):                      "",
		n("aB", 7) + ".atlasv1." + n("aB3", 20):                        n("aB", 7) + ".atlasv1." + n("aB3", 20),
		n("aB", 7) + ".atlasv2." + n("aB3", 20):                        "",
		n("aB", 7) + ".atlasv1." + n("aB3", 19):                        "",
		"M" + n("T", 23) + ".G-Hh1x." + n("z_", 14):                    "M" + n("T", 23) + ".G-Hh1x." + n("z_", 14),
		"M" + n("T", 22) + ".G-Hh1x." + n("z_", 14):                    "",
		"MyPackageWithALongName.inner.method":                          "",
		"EAA" + n("aB3", 30):                                           "EAA" + n("aB3", 30),
		"EAAx":                                                         "",
		"EAAA" + n("a_-B", 15):                                         "EAAA" + n("a_-B", 15),
		"-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----": "\nMIIE\n",
		"x=-----BEGIN EC PRIVATE KEY-----\\nMIIE":                      "\\nMIIE",
		"-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----": "",
	} {
		got := ""
		for _, s := range redact.Spans(text) {
			got += text[s.Start:s.End]
		}
		if got != secret {
			t.Errorf("%q hides %q, want %q", text, got, secret)
		}
	}
}

// TestOrdinaryWords holds that what only looks a little like a token stays.
func TestOrdinaryWords(t *testing.T) {
	for _, text := range []string{
		"key-value", "key-value-store", "primary-key-0123456789abcdef0123456789abcdef0", "SK", "SKU-1234", "SKIPPED", "SKYWALKER", "SK0123456789", "SK0123456789abcdef0123456789abcdef0123",
		"xai-grok", "xai-org/grok-2-image-1212", "dapi", "dapi/v1/items", "dapiversion", "lin_api_", "lin_api_key", "ntn_page", "figd_file", "sbp_project", "sbp_1234", "dckr_pat_name",
		"v1.0-beta", "v1.0-rc.1", "v1.0-0a1b2c3d", "AGE-SECRET-KEY-1", "AGE-GROUP-18", "12345678:30", "1700000000:1700003600", "12345678:abc", "bot12345678", "10:30:00", "2026-11-26T01:02:03Z",
		"urn:ietf:params:oauth:grant-type:token-exchange", "550e8400-e29b-41d4-a716-446655440000", "/webhook/status", "authentication=basic", "<id>5</id>", "<name>ann</name>", "skip", "sky", "task-1", "hf", "eyJ",
		"pul-request", "r8_model", "glsa_", "tskey-auth", "nvapi-docs", "pplx-api", "pplx-70b-online", "sntrys_", "fm2_radio", "dp.pt.", "HRKU-", "AKCp8", "NRAK-", "sk_buff", "bkua_", "rubygems_version",
		"d41d8cd98f00b204e9800998ecf8427e", "da39a3ee5e6b4b0d3255bfef95601890afd80709", "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
	} {
		if spans := redact.Spans(text); len(spans) > 0 {
			t.Errorf("%q hides %v", text, spans)
		}
	}
	// What stands for a value is no value.
	for _, text := range []string{"<token>", "Bearer <token> and more", "<password/>", "<password></password>", "<token>\n<id>5</id>"} {
		if spans := redact.Spans(text); len(spans) > 0 {
			t.Errorf("%q hides %v", text, spans)
		}
	}
}

// Hiding works on copies: what two requests share is hidden in both.
func TestShared(t *testing.T) {
	r, err := engine.Parse(`curl -u ann:hunter2 -d token=t0p 'https://h.test/[1-3]'`, engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	redact.Requests(r.Requests)
	shown := string(r.AppendJSON(nil))
	for _, secret := range []string{"hunter2", "t0p"} {
		if strings.Contains(shown, secret) {
			t.Errorf("%q is still in %s", secret, shown)
		}
	}
}

// Whatever the command, hiding leaves JSON bodies JSON, and hides nothing on
// a second go.
func FuzzRequests(f *testing.F) {
	f.Add(`curl --json '{"password":"a\"b","k":[{"token":1}]}' -u a:b -b c=d 'https://h.test/?key=1'`)
	f.Fuzz(func(t *testing.T, command string) {
		r, err := engine.Parse(command, engine.Input{})
		if f := fault.Of(err); f != nil {
			t.Fatalf("a panic: %s\n%s", f.What, f.Stack)
		}
		if err != nil {
			return
		}
		redact.Requests(r.Requests)
		before := string(r.AppendJSON(nil))
		if more := redact.Requests(r.Requests); len(more) > 0 {
			t.Errorf("a second go hides %q", more)
		}
		if after := string(r.AppendJSON(nil)); after != before {
			t.Errorf("a second go changes %s to %s", before, after)
		}
		if before == "null" {
			t.Error("a fault: there is no description")
		}
	})
}

// TestRequestsKeepsOthers holds that a copy of requests is hidden alone.
func TestRequestsKeepsOthers(t *testing.T) {
	r, err := engine.Parse(`curl "https://h.test/${U:-s3cret}"`, engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	shown := slices.Clone(r.Requests)
	redact.Requests(shown)
	if v := shown[0].Variables; len(v) != 1 || v[0].Expr != redact.Mask || v[0].Default != redact.Mask {
		t.Errorf("shows %+v", v)
	}
	if v := r.Requests[0].Variables; len(v) != 1 || v[0].Expr != "${U:-s3cret}" || v[0].Default != "s3cret" {
		t.Errorf("the original has %+v", v)
	}
}
