package check_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"uncoil/diag"
	"uncoil/internal/engine/check"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source"
	"uncoil/internal/engine/transfer"
)

// read takes a command for sh through the stages before the checks, and returns it with
// the error of curl, if there is one.
func read(t *testing.T, text string) (*check.Command, *diag.Diagnostic) {
	t.Helper()
	m := meter.New(len(text), meter.Limits{}, nil)
	reading := source.Split(text, source.POSIX, nil, m, nil)
	if len(reading.Commands) != 1 {
		t.Fatalf("%s: %d commands", text, len(reading.Commands))
	}
	c := &reading.Commands[0]
	words := c.Args[1:] // after the word curl
	in := &curl.Inputs{Meter: m}
	operations, diags := curl.ParseArgs(words, in)
	command := &check.Command{Source: text, Words: words, Stdin: c.Stdin != nil, Operations: operations}
	if diags.Err() == nil {
		command.Requests, diags, _ = transfer.Requests(operations, in, transfer.Room{Total: 10}, c.Span)
	}
	return command, diags.Err()
}

// shown returns a warning as its code, the text that it points at, and the command that
// its fix makes.
func shown(text string, d *diag.Diagnostic) string {
	s := string(d.Code) + " at " + text[d.Span.Start:d.Span.End]
	if d.Fix != nil {
		s += " → " + text[:d.Fix.Span.Start] + d.Fix.Text + text[d.Fix.Span.End:]
	}
	return s
}

// TestRun holds what each check finds, where, and what its fix makes of the command.
// Beside each mistake stands what is no mistake.
func TestRun(t *testing.T) {
	for command, want := range map[string][]string{
		`curl -data a=1 h.test`:                             {"single-dash at -data → curl --data a=1 h.test"},
		`curl -d ata=1 h.test`:                              nil,
		`curl -dataset=1 h.test`:                            nil, // no option has this name
		`curl -d -H h.test`:                                 {"looks-like-option at -H"},
		`curl -d '-H' h.test`:                               nil,
		`curl -d --nothing h.test`:                          nil,
		`curl -d -1 h.test`:                                 nil,
		`curl -x PUT h.test`:                                {"looks-like-method at PUT → curl -X PUT h.test"},
		`curl --proxy GET h.test`:                           {"looks-like-method at GET → curl --request GET h.test"},
		`curl -v POST http://h.test`:                        {"looks-like-method at POST → curl -v -X POST http://h.test"},
		`curl get http://h.test`:                            {"looks-like-method at get → curl -X GET http://h.test"},
		`curl http://h.test GET`:                            nil, // text behind a command
		`curl 'POST' http://h.test`:                         nil,
		`curl post.test http://h.test`:                      nil,
		`curl -H 'A: b', http://h.test`:                     {"pasted-noise at 'A: b', → curl -H 'A: b' http://h.test"},
		`curl -H 'A: b,' -d 1, http://h.test`:               nil,
		`curl -u ann: pw http://h.test`:                     {"unquoted-argument at ann: pw"},
		`curl -u ann:pw i.test http://h.test`:               nil,
		`curl -x put h.test`:                                nil,
		`curl -sx PUT h.test`:                               {"looks-like-method at PUT → curl -sX PUT h.test"},
		`curl --proxy=PUT h.test`:                           nil,
		`curl -u a:b -H 'Authorization: Bearer x' h.test`:   {"authorization-twice at -u → curl -H 'Authorization: Bearer x' h.test"},
		`curl -u a:b -H 'Authorization:' h.test`:            nil, // takes the field away
		`curl -u a:b -H 'Proxy-Authorization: Bearer x' h`:  nil,
		`curl -H Authorization: Bearer http://h.test`:       {`unquoted-argument at Authorization: Bearer → curl -H "Authorization: Bearer" http://h.test`},
		`curl -H Accept: a/b\;q=1 http://h.test`:            {`unquoted-argument at Accept: a/b\;q=1 → curl -H "Accept: a/b;q=1" http://h.test`},
		`curl -H Accept: http://h.test`:                     nil,
		`curl -F a=b c h.test`:                              {`unquoted-argument at a=b c → curl -F "a=b c" h.test`},
		`curl -F a=b c$ d\" h.test`:                         {`unquoted-argument at a=b c$ d\" → curl -F 'a=b c$ d"' h.test`},
		`curl -F a=b c`:                                     nil, // c may be a host
		`curl -F a=b c.test h.test`:                         nil,
		`curl -F a c h.test`:                                nil,
		`curl -H A:b $X h.test`:                             {`unquoted-argument at A:b $X → curl -H "A:b $X" h.test`},
		`curl -H A:b '$X' h.test`:                           {`unquoted-argument at A:b '$X' → curl -H 'A:b $X' h.test`},
		`curl -H A:b "'$X" h.test`:                          {`unquoted-argument at A:b "'$X"`},
		`curl -H A: b`:                                      {"unquoted-argument at A: b"},
		`curl -H A: localhost/b`:                            nil,
		`curl -H 'A : b' h.test`:                            {"not-a-header at 'A : b' → curl -H 'A: b' h.test"},
		`curl -H 'A :' h.test`:                              nil, // is no field
		`curl -H 'A b: c' h.test`:                           {"not-a-header at 'A b: c'"},
		`curl -H '"A": "b"' h.test`:                         {`not-a-header at '"A": "b"' → curl -H 'A: b' h.test`},
		`curl -H '"A: b"' h.test`:                           {`not-a-header at '"A: b"' → curl -H 'A: b' h.test`},
		`curl -H '"A": b"' h.test`:                          {`not-a-header at '"A": b"'`},
		`curl -H'"A: b"' h.test`:                            {`not-a-header at -H'"A: b"'`},
		`curl -H 'Referer: a' -H 'referer: b' h.test`:       {"field-twice at 'referer: b'"},
		`curl -H 'Referer: a' -H 'referer: a' h.test`:       {"field-twice at 'referer: a' → curl -H 'Referer: a' h.test"},
		`curl -X get h.test`:                                {"misspelled-method at get → curl -X GET h.test"},
		`curl -X 'Post' h.test`:                             {"misspelled-method at 'Post' → curl -X POST h.test"},
		`curl -X"Post" h.test`:                              {`misspelled-method at -X"Post"`},
		`curl -XPSOT h.test`:                                {"misspelled-method at PSOT → curl -XPOST h.test"},
		`curl -X 'OPTION ' h.test`:                          {"misspelled-method at 'OPTION ' → curl -X OPTIONS h.test"},
		`curl -X SET h.test`:                                nil,
		`curl -X PUSH h.test`:                               nil,
		`curl -X http://a.test h.test`:                      {"looks-like-url at http://a.test"},
		`curl -H 'Accept:' a http://h.test`:                 nil,
		`curl -H "A: b" h.test/<id>`:                        nil, // of a URL there is a warning of another stage
		`curl -H 'Content-Type: application/json' -d '{' h`: {"invalid-json at '{'"},
		`curl --json '{"a":1,}' h`:                          {`invalid-json at '{"a":1,}' → curl --json '{"a":1}' h`},
		`curl --json "{'a':1}" h`:                           {`invalid-json at "{'a':1}" → curl --json '{"a":1}' h`},
		`curl --json '{"a":1}' h`:                           nil,
		`curl --json '{"a":{{n}}}' h`:                       nil,
		`curl --json '{"a":COUNT}' h`:                       nil,
		"curl --json '{}\n{}' h":                            nil, // lines of JSON
		`curl -d '{' h`:                                     nil, // a form
		`curl --json {"a":1} h`:                             {`quotes-lost at {"a":1} → curl --json '{"a":1}' h`},
		`curl -d "{"a":1}" h`:                               {`quotes-lost at "{"a":1}" → curl -d '{"a":1}' h`},
		`curl -d a[b]={"c":1} h`:                            {`quotes-lost at a[b]={"c":1} → curl -d 'a[b]={"c":1}' h`},
		`curl -d '{'a':1}' h`:                               {`quotes-lost at '{'a':1}' → curl -d '{"a":1}' h`},
		`curl -F 'b=['a']' h`:                               {`quotes-lost at 'b=['a']' → curl -F 'b=["a"]' h`},
		`curl -d '{'a':}' h`:                                nil,
		`curl -d 'b={"a":"don't,can't"}' h`:                 {`quotes-lost at 'b={"a":"don't,can't"}' → curl -d 'b={"a":"don'\''t,can'\''t"}' h`},
		`curl -F "b={"a":1};type=a/b" h`:                    {`quotes-lost at "b={"a":1};type=a/b" → curl -F 'b={"a":1};type=a/b' h`},
		`curl -d {a} h`:                                     nil,
		`curl -d '{"a":1}' h`:                               nil,
		`curl -H 'A: $TOKEN' h`:                             {`variable-in-single-quotes at 'A: $TOKEN' → curl -H "A: $TOKEN" h`},
		`curl -H 'A: "$TOKEN"' h`:                           {`variable-in-single-quotes at 'A: "$TOKEN"' → curl -H 'A: "'"$TOKEN"'"' h`},
		`curl -H 'A: $token' h`:                             nil, // in capitals are those of the environment
		`curl -H "A: $TOKEN" h`:                             nil,
		`curl http://h.test/?a=1`:                           {"unquoted-question-mark at http://h.test/?a=1 → curl 'http://h.test/?a=1'"},
		`curl 'http://h.test/?a=1'`:                         nil,
		`curl 'http://h.test/?q={a="b"}'`:                   {`url-glob at 'http://h.test/?q={a="b"}' → curl -g 'http://h.test/?q={a="b"}'`},
		`curl -g 'http://h.test/?q={a="b"}'`:                nil,
		`curl 'http://h.test/?q={a,b}'`:                     nil,
		`curl 'http://h.test/?q=a#b'`:                       {"url-fragment at 'http://h.test/?q=a#b' → curl 'http://h.test/?q=a%23b'"},
		`curl 'http://h.test/#'`:                            nil,
		`curl http://h.test/Accept:a`:                       {"header-in-url at http://h.test/Accept:a → curl http://h.test/ -H Accept:a"},
		`curl "https//$HOST/a"`:                             {`misspelled-scheme at "https//$HOST/a" → curl "https://$HOST/a"`},
		`curl --url=HTTP//h.test`:                           {`misspelled-scheme at HTTP//h.test → curl --url=HTTP://h.test`},
		`curl ht"tp//h.test"`:                               {`misspelled-scheme at ht"tp//h.test"`},
		`curl http//:h.test`:                                {`misspelled-scheme at http//:h.test → curl http://h.test`},
		`curl http.//h.test`:                                {`misspelled-scheme at http.//h.test → curl http://h.test`},
		`curl http.d//h.test`:                               nil,
		`curl http://h.test/a:b`:                            nil,
		`curl http://exa mple.test/`:                        {"unquoted-argument at http://exa mple.test/ → curl http://example.test/"},
		`curl http://h. test/a`:                             {"unquoted-argument at http://h. test/a → curl http://h.test/a"},
		`curl http://h .test/a`:                             {"unquoted-argument at http://h .test/a → curl http://h.test/a"},
		`curl http://h.test/a b -o c`:                       {"unquoted-argument at http://h.test/a b → curl 'http://h.test/a%20b' -o c"},
		`curl -O http://h.test/a.bat install`:               {"unquoted-argument at http://h.test/a.bat install"},
		`curl http://h.test/a.php?q=b c`:                    {"unquoted-question-mark at http://h.test/a.php?q=b → curl 'http://h.test/a.php?q=b' c", "unquoted-argument at http://h.test/a.php?q=b c → curl 'http://h.test/a.php?q=b%20c'"},
		`curl http://h.test/a b.pdf`:                        {"unquoted-argument at http://h.test/a b.pdf → curl 'http://h.test/a%20b.pdf'"},
		`curl http://h.test/a returns the list`:             nil, // prose
		`curl http://h.test/ «b»`:                           nil,
		`curl http://h.test/a POST`:                         nil, // -X is missing
		`curl http://h.test/v1/ users`:                      {"unquoted-argument at http://h.test/v1/ users → curl http://h.test/v1/users"},
		`curl http://localhost h.test`:                      nil,
		`curl http://h:80 h.test`:                           nil,
		`curl http://h b`:                                   nil, // two hosts of a network
		`curl http://h.test/a localhost`:                    nil,
		`curl http://h.test/a h.test/b`:                     nil,
		`curl http://h.test/a "b"`:                          nil, // somebody means this word
		`curl http://h.test/a /`:                            nil, // for a backslash
		`curl --url http://h.test/a b`:                      nil,
	} {
		c, failed := read(t, command)
		if failed != nil && want != nil {
			t.Errorf("%s: %v", command, failed)
			continue
		}
		var warnings diag.List
		check.Run(c, meter.New(len(command), meter.Limits{}, nil), &warnings)
		var got []string
		for i := range warnings {
			got = append(got, shown(command, &warnings[i]))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", command, diff)
		}
	}
}

// TestRunOnData holds that only the content of data is checked, and that nothing is
// quoted for a shell there.
func TestRunOnData(t *testing.T) {
	const command = `curl -x PUT --json '{"a":1,}' http://h.test/?a=1`
	c, _ := read(t, command)
	c.Data = true
	var warnings diag.List
	check.Run(c, meter.New(len(command), meter.Limits{}, nil), &warnings)
	if len(warnings) != 1 || warnings[0].Code != diag.WarnInvalidJSON || warnings[0].Fix != nil {
		t.Errorf("%v", warnings)
	}
}

// TestRunPays holds that a check which cannot pay finds nothing.
func TestRunPays(t *testing.T) {
	const command = `curl -x PUT http://h.test/?a=1`
	c, _ := read(t, command)
	m := meter.New(1, meter.Limits{}, nil)
	for m.Work(1 << 20) {
	}
	var warnings diag.List
	check.Run(c, m, &warnings)
	if len(warnings) > 0 {
		t.Errorf("%v", warnings)
	}
}

// TestExplain holds the hint and the fix that an error of curl gets.
func TestExplain(t *testing.T) {
	for _, test := range []struct{ command, hint, fixed string }{
		{`curl -insecured http://h.test -Q`, "", ""},
		{`curl -H A: 'h .test'`, "this header is not quoted", ""},
		{`curl --json {"a":1} -Q 'http://h .test'`, "the shell takes the quotes", `curl --json '{"a":1}' -Q 'http://h .test'`},
		{`curl 'http://$HOST .test'`, "$HOST stands between single quotes", `curl "http://$HOST .test"`},
		{`curl -d a=1&b=2`, "the & ends the command", `curl -d 'a=1&b=2'`},
		{`curl http://h.test -d <<E` + "\nx\nE\n", "write @-", `curl http://h.test -d @- <<E` + "\nx\nE\n"},
		{`curl http://h.test -H <<E` + "\nx\nE\n", "", ""}, // -H reads no standard input by a name
		{`curl -s -H https://h.test`, "write its argument before it, or remove -H", ""},
		{`curl -X https://h.test`, "write the name of the method before it, or remove -X", ""},
		{`curl -x https://h.test`, "", ""},
		{`curl -ohttps://h.test`, "", ""},
		{`curl Accept:a/b`, "this looks like a header", `curl -H Accept:a/b`},
		{`curl 'http://h.test -H A:b'`, "the URL holds options", ""},
	} {
		c, failed := read(t, test.command)
		if failed == nil {
			t.Errorf("%s: curl takes it", test.command)
			continue
		}
		hint := failed.Hint
		check.Explain(c, meter.New(len(test.command), meter.Limits{}, nil), failed)
		fixed := ""
		if failed.Fix != nil {
			fixed = test.command[:failed.Fix.Span.Start] + failed.Fix.Text + test.command[failed.Fix.Span.End:]
		}
		if test.hint == "" && failed.Hint != hint || !strings.HasPrefix(failed.Hint, test.hint) || fixed != test.fixed {
			t.Errorf("%s: %q, %s", test.command, failed.Hint, fixed)
		}
	}
}

// TestKnownMethods holds that no method which is registered, or which an API is known to
// have, is taken for a slip of another one. The register is
// https://www.iana.org/assignments/http-methods.
func TestKnownMethods(t *testing.T) {
	for method := range strings.FieldsSeq(`ACL BASELINE-CONTROL BIND CHECKIN CHECKOUT CONNECT COPY DELETE GET HEAD LABEL
		LINK LOCK MERGE MKACTIVITY MKCALENDAR MKCOL MKREDIRECTREF MKWORKSPACE MOVE OPTIONS ORDERPATCH PATCH POST PRI
		PROPFIND PROPPATCH PUT QUERY REBIND REPORT SEARCH TRACE UNBIND UNCHECKOUT UNLINK UNLOCK UPDATE UPDATEREDIRECTREF
		VERSION-CONTROL LIST PUSH PURGE PURGEKEY BAN REFRESH VIEW SUBSCRIBE UNSUBSCRIBE NOTIFY POLL M-SEARCH SOURCE SET
		READ WATCH MATCH BATCH PUB SUB FETCH DESCRIBE ANNOUNCE SETUP PLAY INVOKE CALL RUN ADD FOO X * INDEX`) {
		c, failed := read(t, "curl -X '"+method+"' http://h.test/")
		if failed != nil {
			t.Fatal(failed)
		}
		var warnings diag.List
		check.Run(c, meter.New(100, meter.Limits{}, nil), &warnings)
		if len(warnings) > 0 {
			t.Errorf("%s: %s", method, warnings[0].Message)
		}
	}
}
