package transfer

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"uncoil/diag"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/source/word"
	"uncoil/request"
)

// unknown finds what stands for unknown variables in the arguments of these
// tests. What stands between single quotes is text.
var unknown = regexp.MustCompile(`'[^']*'|\$\{[^}]*\}|\$\([^)]*\)|\$\w+`)

// wordOf makes a word of an argument.
func wordOf(arg string) word.Word {
	var w word.Word
	at := 0
	for _, m := range unknown.FindAllStringIndex(arg, -1) {
		expr := arg[m[0]:m[1]]
		w.Text += arg[at:m[0]]
		if at = m[1]; expr[0] == '\'' {
			w.Text += strings.Trim(expr, "'")
			continue
		}
		h := word.Hole{Start: int32(len(w.Text)), Expr: expr, Name: strings.TrimLeft(expr, "$")}
		if h.Name[0] == '(' {
			h.Name = ""
		} else if h.Name[0] == '{' {
			h.Name, h.Default, h.HasDefault = strings.Cut(strings.Trim(h.Name, "{}"), ":-")
		}
		w.Text += expr
		h.End = int32(len(w.Text))
		w.Holes = append(w.Holes, h)
	}
	w.Text += arg[at:]
	w.Span.End = int32(len(w.Text))
	return w
}

// stringsOf returns the strings of a request by their names in the model.
func stringsOf(r *request.Request) map[string]string {
	all := map[string]string{"method": r.Method, "url": r.URL, "target": r.Target}
	params := func(at string, params []request.Param) {
		for i, p := range params {
			all[fmt.Sprintf("%s.%d.name", at, i)], all[fmt.Sprintf("%s.%d.value", at, i)] = p.Name, p.Value
		}
	}
	params("query", r.Query)
	for i, f := range r.Fields {
		at := fmt.Sprintf("headers.%d.", i)
		all[at+"name"], all[at+"value"], all[at+"line"] = f.Name, f.Value, f.Line
	}
	for i, name := range r.Removed {
		all[fmt.Sprintf("removed.%d", i)] = name
	}
	if b := r.Body; b != nil {
		all["body"] = b.Data
		params("body.fields", b.Fields)
		for i, p := range b.Pieces {
			at := fmt.Sprintf("body.pieces.%d.", i)
			all[at+"text"], all[at+"file"], all[at+"name"] = p.Text, p.File, p.Name
		}
		count := 0
		var parts func(list []request.Part)
		parts = func(list []request.Part) {
			for _, p := range list {
				at := fmt.Sprintf("body.parts.%d.", count)
				count++
				all[at+"name"], all[at+"value"], all[at+"file"], all[at+"encoder"] = p.Name, p.Value, p.File, p.Encoder
				for name, text := range map[string]*string{"content": p.Content, "filename": p.Filename, "contentType": p.ContentType} {
					if text != nil {
						all[at+name] = *text
					}
				}
				for j, h := range p.Headers {
					all[fmt.Sprintf("%sheaders.%d", at, j)] = h
				}
				parts(p.Parts)
			}
		}
		parts(b.Parts)
	}
	if a := r.Auth; a != nil {
		all["auth.username"], all["auth.password"], all["auth.token"] = a.Username, a.Password, a.Token
		for i, p := range a.Params {
			all[fmt.Sprintf("auth.params.%d", i)] = p.Value
		}
	}
	for _, o := range r.Options {
		switch v := o.Value.(type) {
		case string:
			all["options."+o.Name] = v
		case []string:
			for i, s := range v {
				all[request.Place{Member: request.MemberOption, Option: o.Name, Item: int32(i)}.String()] = s
			}
		}
	}
	return all
}

// variables returns the variables of all requests, one a line: where, what,
// and the encoding. Each must stand where it says.
func variables(t *testing.T, in *curl.Inputs, args ...string) []string {
	t.Helper()
	var words []word.Word
	for _, arg := range args {
		words = append(words, wordOf(arg))
	}
	operations, diags := curl.ParseArgs(words, in)
	requests, more, _ := Requests(operations, in, Room{Total: UsualRequests}, diag.Span{})
	if err := append(diags, more...).Err(); err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	var got []string
	for i := range requests {
		r := &requests[i]
		all := stringsOf(r)
		for at, s := range all {
			if _, _, ok := in.Marks.Next(s); ok {
				t.Errorf("%q: %s keeps a mark: %q", args, at, s)
			}
		}
		for _, v := range r.Variables {
			text := all[v.At.String()][v.Start:v.End]
			if text != v.Expr && v.Encoding != request.EncodingBase64 {
				t.Errorf("%q: %s is at %s, where %q stands", args, v.Expr, v.At, text)
			}
			line := v.At.String() + " " + v.Expr
			if v.In != v.At.String() {
				line += " in " + v.In
			}
			if v.Encoding != request.EncodingNone {
				line += " " + v.Encoding.String()
			}
			if v.HasDefault {
				line += " else " + v.Default
			}
			got = append(got, line)
		}
	}
	return got
}

// TestVariables holds where each unknown variable stands in the model.
func TestVariables(t *testing.T) {
	tests := []struct{ name, args, want string }{
		{"none", "http://h.test/ -d a=1", ""},
		{"single quotes", "http://h.test/'$T' -d '$T'", ""},
		{"beside single quotes", "http://h.test/'$T'$T", "url $T"},
		{"host and default", "http://${HOST:-x}/a", "url ${HOST:-x} in url else x|headers.0.value ${HOST:-x} in url else x"},
		{"query", "http://h.test/?a=1&q=$Q&$N=2", "url $Q in query.q|url $N in query.$N|query.1.value $Q in query.q|query.2.name $N in query.$N"},
		{"a substitution in a query", "http://h.test/?d=$(date|+%s)", "url $(date +%s) in query.d|query.0.value $(date +%s) in query.d"},
		{"glob", "http://h.test/[1-2]/$A", "url $A|url $A"},
		{"method", "http://h.test/ -X $M", "method $M"},
		{"target", "http://h.test/ --request-target /$P", "target $P in requestTarget"},
		{"field", "http://h.test/ -H X-Key:|$K -H $N:|v -H A:$V", "headers.3.value $K in headers.X-Key|headers.4.name $N in headers.$N|headers.5.value $V in headers.A|headers.5.line $V in headers.A"},
		{"removed field", "http://h.test/ -H $N:", "removed.0 $N in removedHeaders"},
		{"cluster", "http://h.test/ -sHX:|$K", "headers.3.value $K in headers.X"},
		{"user agent, referer", "http://h.test/ -A $A -e $E", "headers.1.value $A in headers.User-Agent|headers.3.value $E in headers.Referer"},
		{"cookies", "http://h.test/ -b a=$A -b $B", "headers.3.value $A in headers.Cookie|headers.3.value $B in headers.Cookie"},
		{"data", "http://h.test/ -d a=$A -d b=1&c=x$C", "body $A in body.a|body $C in body.c|body.fields.0.value $A in body.a|body.fields.2.value $C in body.c"},
		{"encoded data", "http://h.test/ --data-urlencode q=a|b$Q", "body $Q in body.q form|body.fields.0.value $Q in body.q form"},
		{"encoded query", "http://h.test/ -G --data-urlencode q=$Q -d r=$R", "url $Q in query.q form|url $R in query.r|query.0.value $Q in query.q form|query.1.value $R in query.r"},
		{"url-query", "http://h.test/?a=b --url-query q=$Q", "url $Q in query.q form|query.1.value $Q in query.q form"},
		{"JSON", `http://h.test/ --json {"a":"$A"}`, "body $A"},
		{"JSON that is none", `http://h.test/ --json {"a":$A}`, "body $A"},
		{"data of a file", "http://h.test/ -d @$F -d x=$X", "body.pieces.0.file $F in body|body.pieces.1.text $X in body"},
		{"encoded file", "http://h.test/ --data-urlencode $N@$F", "body.pieces.0.file $F in body|body.pieces.0.name $N in body"},
		{"CRLF", "http://h.test/ --crlf --data-binary a^b$B", "body $B in body.a^b$B|body.fields.0.name $B in body.a^b$B"},
		{"part", "http://h.test/ -F f=@$FILE;type=$T;filename=$N;headers=X:|$H;encoder=base64 -F n=$V -F m=<$G",
			"body.parts.0.file $FILE in body.f|body.parts.0.filename $N in body.f|body.parts.0.contentType $T in body.f|body.parts.0.headers.0 $H in body.f|" +
				"body.parts.1.value $V in body.n|body.parts.2.file $G in body.m"},
		{"part with a name", `http://h.test/ -F $N="a\"$V";type=t/x`, "body.parts.0.name $N in body.$N|body.parts.0.value $V in body.$N"},
		{"nested parts", "http://h.test/ -F a=(;type=multipart/x -F =$V -F =)", "body.parts.1.value $V in body."},
		{"user and password", "http://h.test/ -u $U:$P", "headers.1.value $U in auth.username base64|headers.1.value $P in auth.password base64|auth.username $U|auth.password $P"},
		{"user and password in one", "http://h.test/ -u ${UP:-a:b}", "headers.1.value ${UP:-a:b} in auth.username base64 else a:b|auth.username ${UP:-a:b} else a:b"},
		{"credentials of the URL", "http://$U:p$P@h.test/", "headers.1.value $U in auth.username base64|headers.1.value $P in auth.password base64|auth.username $U|auth.password $P"},
		{"digest", "http://h.test/ --digest -u a:$P", "auth.password $P"},
		{"token", "http://h.test/ --oauth2-bearer $T", "headers.1.value $T in auth.token|auth.token $T"},
		{"a bearer's field", "http://h.test/ -H Authorization:|Bearer|$T", "headers.3.value $T in headers.Authorization"},
		{"signature", "http://h.test/ -u a:b --aws-sigv4 aws:amz:$R:s3", "auth.params.2 $R in auth.region"},
		{"options", "http://h.test/ -x http://$P:1 -E $C -o $O --resolve $H:1:1.1.1.1 -b $J -m $M", "headers.3.value $J in headers.Cookie|" +
			"options.proxy $P|options.cert $C|options.resolve $H|options.maxTime $M|options.output $O"},
		{"output of a glob", "http://h.test/[1-2] -o #1-$O", "options.output $O|options.output $O"},
		{"upload", "http://h.test/ -T $DIR/$F", "url $F percent|body.pieces.0.file $DIR in body|body.pieces.0.file $F in body"},
		{"next", "http://h.test/$A --next http://h.test/$B -d $A", "url $A|url $B|body $A in body.$A|body.fields.0.name $A in body.$A"},
		{"curl's own variables", "http://h.test/ --variable t=$T --expand-data a={{t}}&b={{t:url}}&c={{t:json}}", "body $T in body.a|body $T in body.b percent|body $T in body.c json|" +
			"body.fields.0.value $T in body.a|body.fields.1.value $T in body.b percent|body.fields.2.value $T in body.c json"},
		{"a conditional date", "http://h.test/ -z $D", "headers.3.value $D in headers.If-Modified-Since"},
	}
	for _, test := range tests {
		var args []string
		for _, arg := range strings.Fields(test.args) {
			args = append(args, strings.NewReplacer("|", " ", "^", "\n").Replace(arg))
		}
		want := strings.Split(strings.NewReplacer("^", "\r\n").Replace(test.want), "|")
		for i, line := range want { // a place that is its own member needs no "in"
			if f := strings.SplitN(line, " ", 5); len(f) > 3 && f[2] == "in" && f[0] == f[3] {
				want[i] = strings.Replace(line, " in "+f[3], "", 1)
			}
		}
		if test.want == "" {
			want = nil
		}
		if diff := cmp.Diff(want, variables(t, inputs(), args...)); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", test.name, test.args, diff)
		}
	}
}

// TestVariablesOfStdin holds that what standard input holds is known too, as
// a body and as a configuration file, and that Content-Length counts what is
// answered.
func TestVariablesOfStdin(t *testing.T) {
	in := inputs()
	body := wordOf("{\"a\":\n\"$A\"}")
	in.SetStdin(&body.Text)
	in.StdinHoles = body.Holes
	if diff := cmp.Diff([]string{"body $A"}, variables(t, in, "http://h.test/", "--json", "@-")); diff != "" {
		t.Errorf("a body (-want +got):\n%s", diff)
	}
	config := wordOf("header = \"A: \\\"$A\"\nuser = u:$P\nmax-time = $M\n")
	in.SetStdin(&config.Text)
	in.StdinHoles = config.Holes
	want := []string{"headers.1.value $P in auth.password base64", "headers.4.value $A in headers.A", "auth.password $P", "options.maxTime $M"}
	if diff := cmp.Diff(want, variables(t, in, "http://h.test/", "-K", "-")); diff != "" {
		t.Errorf("a configuration file (-want +got):\n%s", diff)
	}
}

// TestVariablesChangeNothing holds that a request has the bytes that the
// spelling has.
func TestVariablesChangeNothing(t *testing.T) {
	in := inputs("$F", "content of the file $F names")
	w := []word.Word{wordOf("http://h.test/"), wordOf("--data-binary"), wordOf("@$F"), wordOf("-d"), wordOf("$LONG_NAME")}
	operations, _ := curl.ParseArgs(w, in)
	got, diags, _ := Requests(operations, in, Room{Total: UsualRequests}, diag.Span{})
	if err := diags.Err(); err != nil || len(got) != 1 {
		t.Fatal(err)
	}
	const want = "content of the file $F names&$LONG_NAME"
	if got[0].Body.Data != want || field(&got[0], "Content-Length") != fmt.Sprint(len(want)) {
		t.Errorf("body %q, length %s", got[0].Body.Data, field(&got[0], "Content-Length"))
	}
}

// TestVariablesCollide holds that text with the characters of marks keeps them, and
// the command its variables.
func TestVariablesCollide(t *testing.T) {
	in := inputs("f", "\U00100000")
	for _, in := range []*curl.Inputs{in, inputs()} {
		if got := variables(t, in, "http://h.test/$A", "-d", "@f", "-d", "\U00100000"); len(got) != 1 {
			t.Errorf("got %q", got)
		}
	}
	if got := variables(t, inputs(), "http://h.test/$A", "-d", "\U00100009\xf4\xf4"); len(got) != 1 {
		t.Errorf("got %q", got)
	}
}
