package engine_test

// A costSyntax is what texts of one shell are made of. %d in a piece is a
// number of its own for each repetition.
type costSyntax struct {
	shell  string
	frames [][2]string
	pieces []string
}

var costSyntaxes = []costSyntax{
	{
		shell: "posix",
		frames: [][2]string{
			{"X=abab; curl h -d ", ""}, {"X=abab; A=(a b c); curl h -d \"", "\""}, {"curl h -d @- <<E\n", "\nE\n"}, {"curl h -d \"$(", ")\""},
			{"X=", "; curl h -d \"$X\""}, {"A=(", "); curl h -d \"${A[@]}\""}, {"for i in ", "; do curl h -d $i; done"}, {"for i in 1 2 3; do ", " done; curl h"},
			{"curl h -d $((", "))"}, {"X=abab; curl h -d \"${X//", "}\""}, {"X=abab; curl h -d \"${X%%", "}\""}, {"X=abab; curl h -d ${X:-", "}"}, {"if a; then ", " fi; curl h"},
			{"case a in ", " esac; curl h"}, {"f() { ", " }; curl h"}, {"curl h -d $'", "'"}, {"curl h -d {", "}"}, {"IFS=", "; X=abab; curl h -d $X"}, {"echo ", " | curl h -d @-"}, {"printf '", "' a b | curl h -d @-"}, {"A=$(echo \"", "\" | md5sum | cut -d' ' -f1); curl h -d \"$A\""}, {"", "\ncurl h"},
		},
		pieces: []string{
			"$(echo $U%d | md5sum | cut -d' ' -f1)", "$(printf '%%s:%%s' $U $E | base64)", "A=$(echo \"$A$A\" | sha1sum | cut -d' ' -f1);", "a", " ", "a ", "\t", "\n", "\\\n", "\\", "'a'", "\"a\"", "\"", "'", "$'\\x41'", "$\"a\"", "\\x41", "\\u00e9", "$X", "$X ", "\"$X\" ", "$E", "$E ", "$V ", "$U", "$U ", "$u%d ", "${X}", "${U}", "${U:-a}", "${U:=a}", "${U%d:=a}", "${U:+a}", "${X:+a}", "${U?a}", "${X#a}", "${X##*b}",
			"${X%b}", "${X%%a*}", "${X/a/b}", "${X//a/b}", "${X//[ab]/&&}", "${X/#a/b}", "${X/%b/a}", "${X^}", "${X^^}", "${X,,}", "${X@Q}", "${X@U}", "${X:1}", "${X:1:2}", "${X: -2}", "${#X}", "${!X}", "${!X*}", "${A[0]}", "${A[@]}", "${A[*]}",
			"${A[%d]}", "${#A[@]}", "${!A[@]}", "${A[@]:1:2}", "${A[@]/a/b}", "$@", "$*", "$#", "$?", "$$", "$1", "$(a)", "$(", "`a`", "`", "$((1+2))", "$((X++))", "$((", "1+", "(1)", "-", "!", "1?2:", "x=", "x%d=1,", "~", "*", "?", "[a]", "[!a]", "[a-z]",
			"[[:alpha:]]", "[[:", "[", "]", "@(a|b)", "+(a)", "{", "}", "{a,b}", "{a,", ",", "{1..2}", "{1..", "{01..02}", "{a..c}", "|", "a|", "|a", "&", "a&", ";", "a;", "&&", "a&&", "||a", "!a;", "(a);", "{ a; };", "(", ")", "<a", ">a ", "2>&1 ",
			"<<E\n", "<<E%d\nx\nE%d\n", "<<'E'\nx\nE\n", "<<-E\n\tx\n\tE\n", "<<<a ", "A=1;", "A=1 ", "A%d=1;", "A+=1;", "A[1]=1;", "A[%d]=1;", "A+=(a);", "A=(a b);", "declare -A m;", "m[%d]=1;", "local x=1;", "export X=1;", "unset X;", "read x;", "set -- a b;", "shift;",
			"for i in a b; do a; done;", "for i in a b; do", "while a; do a; done;", "while a;do ", "until a; do a; done;", "if a; then a; fi;", "if a; then ", "elif a; then a; ", "else a; ", "case a in a) a;; esac;", "a) a;; ", "a|", "f() { a; };", "f;", "function f { a; };",
			"[ a = b ];", "[[ a == b ]];", "[[ a && ", "((1));", "((x++));", "eval a;", "echo a;", "printf '%s' a;", "true;", "false;", "cd a;", "curl h;", "curl h -d a\n", "time ", "#", "# a\n", "a#", "$ ", "$ curl h\n", "> ", "```\n", "<b>", "&amp;", "“", "’", "é", "\xff", "\r\n", "\u200b", "\x00", "\x1b[0m", "%%s", "%%d ", "%%b", "%%q", "%%%%",
		},
	},
	{
		shell: "auto",
		frames: [][2]string{
			{"", "\ncurl h"}, {"curl h ", ""}, {"curl h -H 'Content-Type: application/json' -d '", "'"}, {"```sh\n", "\n```"}, {"<p>", "</p>"}, {"curl 'h/?", "'"}, {"curl h -F '", "'"}, {"curl h -H '", "'"}, {"curl h -b '", "'"}, {"curl h -r ", ""}, {"curl h -z '", "'"},
			{"curl h --variable a=xy --expand-data '", "'"}, {"curl 'h/[1-9]' -o '", "'"}, {"curl 'http://", "'"}, {"curl -x '", "' h"}, {"curl h -u '", "'"}, {"curl --json '", "' h"}, {"curl h/ -X ", ""}, {"curl h --resolve '", "'"}, {"set x ", "\ncurl h"},
		},
		pieces: []string{
			"a", "a ", " ", "\n", "curl h\n", "curl\n", "$ curl h\n", "C:\\> curl h\n", "PS> curl h\n", "> ", ">> ", "% ", "# ", "1. ", "- ", "```\n", "```sh\n", "~~~\n", "<code>", "</code>", "<br>", "<a href=\"x\">", "&lt;", "&#x41;", "&amp;", "&", "%41", "%", "%zz", "\\u0026", "\\n", "\\\"", "\\",
			"{", "}", "[", "]", "[[", "{\"a\":1},", "{\"a\":", "[1,", "\"a\",", "'a',", "1", "1e9", "-1,", "null,", "// a\n", "/* a */", "a=b&", "a=b;", "a=b; ", "a%d=b; ", "a%d=b&", "a:b,", "a: b\n", "A: B\\r\\n", "name=a;type=b", ";headers=\"a: b\"", ";filename=\"a\"", ";encoder=base64", "@a", "<a", "@a,", "@a%d,", "=(", "\"", ";;", ",",
			"1-2,", "-5,", "1-", "2024-01-01 ", "Mon, ", "Jan ", "10:", "+0100 ", "{{a}}", "{{a:json}}", "{{a:trim:url:b64}}", "{{", "}}", "{{b%d}}", "\\{{a}}", "#1", "#2", "#", "#[1]", "[1-2]", "[a-c]", "[01-03:2]", "{a,b}", "a.", ".", "..", "/", "//", "/../", "/./a", "?", "=", "@", ":", "::1", "[::1]", "127.", "0x7f.", "é", "é.", "\xff", "xn--a.", "--", "---",
			" -d a", " -d a%d=b", " -d @a", " -d @a%d", " --data-urlencode a=b", " --json '{}'", " -F a=b", " -F a%d=@b", " -F a=(", " -H 'A: b'", " -H 'A%d: b'", " -H @a", " -H a", " -b a=b", " -b a", " -b a%d=b", " -u a:b", " -e a", " -A a", " -x a", " -T a", " -o a", " -O", " h", " h%d", " h/[1-2]", " --next h", " -K a", " --abc", " --abc%d", " -zz", " --url-query a=b", " --variable a=b", " --variable a%d=b", " --expand-data '{{a}}'", " --resolve a:1:b", " --connect-to ::a:", " --noproxy a", " --proto =http", " --rate 1/s", " -r 1-2", " -X A", " -I", " -G", " -L", " -s", " --no-s", " --compressed", " -sssss", " --interface a", " --etag-compare a", " --hsts a", " -n", " --netrc-file a", " “a”", " –H a", " -H 'Authorization: Bearer a'", " -H 'Cookie: a=b'", " -H 'Host: a'", " -H 'A;'", " -H 'A:'", " curl h",
		},
	},
	{
		shell: "har",
		frames: [][2]string{
			{`{"method":"POST","url":"http://h/","headers":[`, `{"name":"a","value":"b"}]}`}, {`{"log":{"entries":[`, `{"request":{"method":"GET","url":"h"}}]}}`}, {`{"method":"GET","url":"http://h/`, `"}`},
			{`{"method":"POST","url":"http://h/","postData":{"mimeType":"multipart/form-data","params":[`, `{"name":"a","value":"b"}]}}`}, {`{"method":"POST","url":"http://h/","postData":{"text":"`, `"}}`},
		},
		pieces: []string{
			"a", " ", "é", `\n`, `\u00e9`, `\u0000`, "%41", "&a=b", "{", "{{a}}", "[", "{},", `{"name":"a","value":"b"},`, `{"name":"a%d","value":"b"},`, `{"name":"cookie","value":"a=b"},`, `{"name":"content-length","value":"7"},`,
			`{"name":"a","fileName":"b"},`, `{"name":"a","fileName":"b","value":"\"c","contentType":"d/e"},`, `{"request":{"method":"GET","url":"h"}},`, `{"request":{"method":"POST","url":"h/%d","postData":{"text":"a=b"}}},`,
		},
	},
	{
		shell:  "posix",
		frames: [][2]string{{"http h.test ", ""}, {"http -f h.test ", ""}, {"http -f h.test f@x ", ""}, {"http h.test/", ""}, {"http h.test 'a:=[", "1]'"}},
		pieces: []string{"a", "a=b ", "a%d=b ", "a%d:=[1] ", "A:b ", "a==b ", "a%d==$U ", "$U", "é", "1,", "a@b ", "--verify=no ", "-a u:p ", "http h.test a=b\n"},
	},
	{
		shell: "postman",
		frames: [][2]string{
			{`{"info":{},"item":[`, `{"request":"h"}]}`}, {`{"info":{},"variable":[{"key":"x","value":"ab"},`, `{}],"item":[{"request":"h/{{x}}"}]}`}, {`{"name":"","request":{"url":"h","method":"PUT","header":[`, `{}]}}`},
			{`{"name":"","request":{"url":{"host":["h"],"query":[`, `{}]}}}`}, {`{"name":"","request":{"url":"h","method":"PUT","body":{"mode":"urlencoded","urlencoded":[`, `{}]}}}`}, {`{"name":"","request":{"url":"h","method":"PUT","body":{"mode":"raw","raw":"`, `"}}}`},
		},
		pieces: []string{
			"a", " ", "é", `\n`, `\u00e9`, "%41", "&a=b", "{{x}}", "{{y%d}}", "{},", `{"key":"a","value":"b"},`, `{"key":"a%d","value":"{{x}}"},`, `{"request":"h/%d"},`, `{"request":{"url":"h","method":"PUT","body":{"mode":"raw","raw":"a"}}},`, `{"item":[{"request":"h"}],"auth":{"type":"bearer","bearer":[{"key":"token","value":"t"}]}},`,
		},
	},
	{
		shell: "http-file",
		frames: [][2]string{
			{"POST http://h/\nA: b\n", ""}, {"POST http://h/\n\n", ""}, {"GET http://h/", "\n"}, {"@x = ab\nPOST http://h/\nB: {{x}}\n\n", ""}, {"POST http://h/\nContent-Type: multipart/form-data; boundary=b\n\n--b\n", "\n< f\n--b--"},
		},
		pieces: []string{
			"a", " ", "\n", "é", "%41", "&a=b", "{{x}}", "{{y}}", "{{y%d}}", "{{$guid}}", "[", "a: b\n", "a%d: b\n", "?a=b\n", "@a%d=b\n", "###\nGET http://h/{{y}}\n", "###\nPOST h/%d\n\na=b\n", "# a\n", "cookie: a=b\n", "> {%% a %%}\n", "Content-Disposition: form-data; name=\"a%d\"\n\nb\n--b\n",
		},
	},
	{
		shell:  "cmd",
		frames: [][2]string{{"curl h -d ", ""}, {"curl h -d \"", "\""}, {"set X=", "\ncurl h -d %X%"}, {"", "\ncurl h"}},
		pieces: []string{"a", "^", "^^", "^\n", "^\"", "\"\"", "\\\"", "%X%", "%u%d%", "%", "!X!", "&", "a & ", "|a", "(", ")", ">a ", "set X=a\n", "set X%d=a\n", "rem a\n", ":a\n", "if a ", "for %%i in (a) do ", "echo a\n", "C:\\>", "curl h\n"},
	},
	{
		shell:  "powershell",
		frames: [][2]string{{"$X='a'\ncurl.exe h -d ", ""}, {"$X='a'\nirm h -Body \"", "\""}, {"irm h -Headers @{", "}"}, {"$X=", "\nirm h -Body $X"}, {"", "\nirm h"}, {"$X=@'\n", "\n'@\nirm h -Body $X"}},
		pieces: []string{"a", "`", "`n", "$X", "$u%d", "${X}", "$(a)", "$($X)", "\"\"", "''", "'a',", "'a'+", "@{a=1};", "@(", "a=1;", "a%d=1;", "$X.a", "$X[0]", "[a]", "| a", ";", "\n", "# a\n", "<# a #>", "$X+='a';", "$X%d='a';", "irm h\n", "-Body a ", "-zz a ", "(", "{", "@'\n", "'@\n", "ConvertTo-Json ", "if (1) {", "-f 'a' ", "[char]65 "},
	},
}
