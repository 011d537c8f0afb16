package code_test

import (
	"strings"
	"testing"

	"uncoil/code"
)

// TestHaskell checks what http-client is told, and what it would send otherwise.
func TestHaskell(t *testing.T) {
	target, _ := code.Lookup("haskell")
	for command, want := range map[string]string{
		"curl https://h.test/ -X purge":                             `{ method = "purge"`,
		"curl -g --path-as-is 'https://h.test:8/a[1]/../b?c=[%zz]'": "initial <- parseRequest \"https://h.test:8\"\n  let request =\n        initial\n          { path = \"/a[1]/../b\"\n          , queryString = \"?c=[%zz]\"",
		"curl 'https://h.test/a%20b?'":                              `initial <- parseRequest "https://h.test/a%20b?"`,
		"curl https://h.test/ -d 'a=b%20c'":                         `urlEncodedBody [("a", "b c")] $`,
		"curl https://h.test/ -d 'a=b+c'":                           `requestBody = RequestBodyBS "a=b+c"`,
		"curl https://h.test/ -X PUT -d 'a=b'":                      `requestBody = RequestBodyBS "a=b"`,
		"curl -H 'Authorization: Bearer '\"$T\" https://h.test/":    "applyBearerAuth envT $",
		"curl \"https://h.test/$A_B?c=${D:-e1}\"":                   "  envAB <- encodeUtf8 . pack <$> getEnv \"A_B\"\n  envD <- encodeUtf8 . pack . fromMaybe \"e1\" <$> lookupEnv \"D\"\n",
		"curl https://h.test/ -H Accept-Encoding: -L -c j":          "",
		"curl https://h.test/ -H 'Accept-Encoding: br'":             "decompress = const False",
		"curl https://h.test/ -H Accept-Encoding:":                  `("Accept-Encoding", "")`,
		"curl https://h.test/ -L --max-redirs -1":                   "redirectCount = maxBound\n          , cookieJar = Nothing",
		"curl https://h.test/ -m 1.5 -0":                            "responseTimeout = responseTimeoutMicro 1500000\n          , requestVersion = http10",
		"curl https://h.test/ -x p -U a:b":                          "managerSetProxy (useProxy (Proxy \"p\" 1080)) tlsManagerSettings",
		"curl https://h.test/ --data-binary @- --data-binary @-":    `RequestBodyBS (file <> "&" <> mempty)`,
		"curl -X =a https://h.test/":                                `method = "=a"`,
		"curl https://h.test/ -x ''":                                "managerSetProxy noProxy tlsManagerSettings",
		"curl https://h.test/a --next https://h.test/b":             "response2 <- httpLbs request2 manager\n",
		"curl https://h.test/ -T f":                                 "body <- streamFile \"f\"\n",
		"curl https://h.test/ -F a=1 -F 'f=@d/x.png;filename=y'":    `(partFileSource "f" "d/x.png") {partFilename = Just "y", partContentType = Just "image/png"}`,
		"curl https://h.test/ -X PUT -F a=1":                        `("Content-Type", "multipart/form-data; boundary=uncoil")`,
		"curl https://h.test/ -H 'X-A: é1'":                         `("X-A", "\195\169\&1")`,
		"curl https://h.test/ -d $'\\x011'":                         `RequestBodyBS "\1\&1"`,
		"curl https://h.test/ -o 'é1'":                              `L.writeFile "\233\&1"`,
	} {
		if program, diags := write(t, target, command); !strings.Contains(program, want) || diags != "" && want != "" {
			t.Errorf("%s has no %s, or warns (%q):\n%s", command, want, diags, program)
		}
	}
	for _, command := range []string{
		"curl --digest -u a:b 'https://h.test/?c=d'", "curl https://h.test/ -L -b a=b", "curl https://h.test/ -L -d a=b", "curl https://h.test/ -L -X PUT",
		"curl https://h.test/ -d a -H 'Transfer-Encoding: chunked'", "curl -x \"http://$P\" https://h.test/", "curl https://h.test/ --cacert f",
	} {
		if program, diags := write(t, target, command); !strings.Contains(diags, "cannot-express") {
			t.Errorf("%s is written without a word:\n%s", command, program)
		}
	}
}
