package code_test

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/internal/engine/curl"
	"uncoil/internal/proof/corpus"
	"uncoil/request"
)

// TestCurlAgain holds the law of a command that is written again: read back, it
// is the same request. The shells themselves are asked elsewhere.
func TestCurlAgain(t *testing.T) {
	written, refused := 0, 0
	for _, c := range corpus.Read(t, corpus.Commands) {
		r, err := engine.Parse(c.Command, engine.Input{Files: c.Files, Env: c.Env})
		if err != nil || len(r.Requests) == 0 || len(r.Requests) > 20 || strings.Contains(c.Command, "-C ") {
			continue // with -C, a field stands elsewhere than with -H
		}
		if slices.ContainsFunc(r.Requests, func(q request.Request) bool { return takesFrom(&q) }) {
			continue // see TestFromAgain
		}
		for _, name := range slices.Sorted(maps.Keys(shells)) {
			if curlAgain(t, c.Path, name, c.Command, r, engine.Input{Files: c.Files, Env: c.Env}) {
				written++
			} else {
				refused++
			}
		}
	}
	t.Logf("%d commands are written again, %d are refused", written, refused)
}

// TestCurlAgainVariables is the same for a variable in the argument of each option.
func TestCurlAgainVariables(t *testing.T) {
	written := 0
	for _, option := range curl.Options() {
		if !option.TakesArgument() {
			continue
		}
		for _, argument := range []string{"$V", "a:$V:b", "a=$V", "@$V", "http://$V.test/a", "${V}a;type=$W", "a $V"} {
			command := `curl http://h.test/ -u a:b -L --` + option.Long + ` "` + argument + `"`
			r, err := engine.Parse(command, engine.Input{})
			if err != nil {
				continue
			}
			if model := fmt.Sprintf("%+v", r.Requests); strings.ContainsRune(model, 0x100000) {
				t.Errorf("%s: an unknown variable is not spelled in\n%s", command, model)
			}
			if _, err := engine.Parse(command, engine.Input{Env: values(r)}); err != nil {
				continue // no value of a variable makes an argument of this
			}
			if curlAgain(t, command, "curl", command, r, engine.Input{}) {
				written++
			}
		}
	}
	if written < 300 {
		t.Errorf("%d commands are written again", written)
	}
}

// TestCurlShorter holds where options say the same shorter.
func TestCurlShorter(t *testing.T) {
	target, _ := code.Lookup("curl")
	for command, want := range map[string]string{
		`curl https://h.test/ -H 'A: b' -H 'Content-Type: application/json' -H 'Accept: application/json' -d '{"a":1}'`: `curl https://h.test/ -H 'A: b' --json '{"a":1}'`,
		// Here the fields would stand in another order.
		`curl https://h.test/ -H 'Accept: application/json' -H 'Content-Type: application/json' -d 1`:         `curl https://h.test/ \ -H 'Accept: application/json' \ -H 'Content-Type: application/json' \ -d 1`,
		`curl 'https://h.test/?x=1&q=%7B%22a%22%3A%22%C3%A4%22%2C%22b%22%3A%5B%22c%22%2C%22d%22%5D%7D&y=%25'`: `curl 'https://h.test/?x=1' \ -G \ --data-urlencode 'q={"a":"ä","b":["c","d"]}' \ --data-urlencode 'y=%'`,
		`curl 'https://h.test/?q=%7B%22a%22%3A%22%C3%A4%22%2C%22b%22%3A%5B%22c%22%2C%22d%22%5D%7D' -d a`:      `curl https://h.test/ --url-query 'q={"a":"ä","b":["c","d"]}' -d a`,
		// curl would write a plus sign, or capitals.
		`curl 'https://h.test/?q=a%20b%20c%20d%20e%20f%20g%20h%20i%20j%20k%20l'`: `curl 'https://h.test/?q=a%20b%20c%20d%20e%20f%20g%20h%20i%20j%20k%20l'`,
		`curl 'https://h.test/?q=%7b%7b%7b%7b%7b%7b%7b%7b%7b%7b%7b%7b%7b'`:       `curl 'https://h.test/?q=%7b%7b%7b%7b%7b%7b%7b%7b%7b%7b%7b%7b%7b'`,
		`curl 'https://h.test/?q=%0A%0A%0A%0A%0A%0A%0A%0A%0A%0A%0A%0A%0A'`:       `curl 'https://h.test/?q=%0A%0A%0A%0A%0A%0A%0A%0A%0A%0A%0A%0A%0A'`,
		`curl https://h.test/ -d 'a=1&b=%26&c=3'`:                                `curl https://h.test/ -d a=1 --data-urlencode 'b=&' -d c=3`,
	} {
		r, err := engine.Parse(command, engine.Input{})
		if err != nil {
			t.Fatal(err)
		}
		got, diags := target.Compose(nil, r.Requests, exactly)
		if text := strings.Join(strings.Fields(string(got)), " "); text != want || diags.Err() != nil {
			t.Errorf("%s\nis written\n%s\nwant\n%s", command, text, want)
		}
		if !curlAgain(t, "", "curl", command, r, engine.Input{}) {
			t.Errorf("%s is refused", command)
		}
	}
}

// TestCurlInput holds that content with a NUL comes from a pipe, where the shell
// has one and nothing else is read from it.
func TestCurlInput(t *testing.T) {
	target, _ := code.Lookup("curl")
	in := engine.Input{Files: map[string][]byte{"nul": {0}}}
	for command, want := range map[string]string{
		`printf -- '-a\0%%\n\377' | curl http://h.test/ --data-binary @-`: `printf '\055a\000%%\n\377' | curl http://h.test/ --data-binary @-`,
		`printf 'a\0' | curl http://h.test/ --json @-`:                    `printf 'a\000' | curl http://h.test/ --json @-`,
		`printf 'a\0' | curl http://h.test/ --data-binary @- -d @f`:       `printf 'a\000' | curl http://h.test/ --data-binary @- -d @f`,
		`curl http://h.test/ -d 'a=%00&b=%26&c=%26'`:                      `curl http://h.test/ -d 'a=%00' --data-urlencode 'b=&' --data-urlencode 'c=&'`,
		`printf 'a\0' | curl http://h.test/ --data-binary @- -d "$A"`:     "",
		`curl http://h.test/ --data-binary @nul -d @-`:                    "",
	} {
		r, err := engine.Parse(command, in)
		if err != nil {
			t.Fatal(err)
		}
		got, diags := target.Compose(nil, r.Requests, exactly)
		if refused := diags.Err() != nil; refused != (want == "") || !refused && strings.TrimSuffix(string(got), "\n") != want {
			t.Errorf("%s\nis written\n%s\nwant\n%s", command, got, want)
		} else if !refused {
			curlAgain(t, command, "curl", command, r, in)
		}
	}
}

var shells = map[string]string{"curl": "posix", "curl-fish": "posix", "curl-cmd": "cmd", "curl-batch": "cmd", "curl-powershell": "powershell", "curl-config": "posix"}

// curlAgain writes the requests of a command, with a value for each variable
// that they have, and reads them back.
func curlAgain(t *testing.T, path, name, command string, r *engine.Result, in engine.Input) bool {
	t.Helper()
	target, _ := code.Lookup(name)
	text, diags := target.Compose(nil, r.Requests, exactly)
	if diags.Err() != nil {
		return false
	}
	if env := values(r); len(env) > 0 {
		maps.Copy(env, in.Env)
		in.Env = env
		known, err := engine.Parse(command, in)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return true
		}
		if len(values(known)) > 0 {
			return false // the text gives it a value that is not known, and nobody else can
		}
		r = known
	}
	if again := readAgain(t, path, name, text, in); again != nil {
		compareAgain(t, path, name, text, r, again)
	}
	return true
}

// readAgain reads what was written.
func readAgain(t *testing.T, path, name string, text []byte, in engine.Input) *engine.Result {
	t.Helper()
	in.Shell = shells[name]
	source := string(text)
	if name == "curl-config" {
		in.Files = maps.Clone(in.Files)
		if in.Files == nil {
			in.Files = make(map[string][]byte)
		}
		in.Files["again.curlrc"] = text
		source = "curl -K again.curlrc"
	}
	again, err := engine.Parse(source, in)
	if err != nil {
		t.Errorf("%s: %s cannot be read back: %v\n%s", path, name, err, text)
		return nil
	}
	return again
}

// compareAgain checks that two results have the same requests.
func compareAgain(t *testing.T, path, name string, text []byte, r, again *engine.Result) {
	t.Helper()
	if len(again.Requests) != len(r.Requests) {
		t.Errorf("%s: %s has %d requests, want %d\n%s", path, name, len(again.Requests), len(r.Requests), text)
		return
	}
	for i := range r.Requests {
		before, after := r.Requests[i], again.Requests[i]
		if r.Shell == "powershell" || r.Shell == "fetch" { // their calls change the method when they are redirected, and -X does not
			before, after = without(before, "keepMethod"), without(after, "keepMethod")
		}
		if name != "curl" { // only POSIX shells get what runs after a failure, and loops; the others say what is left out
			for _, ending := range []string{"orElse", "orElseStatus", "orElsePrints", "orElseWarns", "ifFails", "repeat", "repeatTimes", "repeatDelay", "repeatPrints"} {
				before = without(before, ending)
			}
		}
		want, got := essence(t, &before), essence(t, &after)
		if want != got {
			t.Errorf("%s: %s\n%s\nwant %s\ngot  %s", path, name, text, want, got)
			break
		}
	}
}

// without returns a request without a member of its options.
func without(r request.Request, name string) request.Request {
	r.Options = slices.DeleteFunc(slices.Clone(r.Options), func(o request.Option) bool { return o.Name == name })
	return r
}

// values returns a value for each variable of a result.
func values(r *engine.Result) map[string]string {
	env := make(map[string]string) // numbers stand in any place
	for i := range r.Requests {
		for _, v := range r.Requests[i].Variables {
			if v.Name != "" {
				env[v.Name] = strconv.Itoa(80 + len(env))
			}
		}
	}
	return env
}

// essence is what of a request must stay.
func essence(t *testing.T, r *request.Request) string {
	message, err := r.AppendMessage(nil, request.Source{Boundary: "b", ReadFile: func(name string) ([]byte, error) { return []byte("<" + name + ">"), nil }})
	if err != nil {
		t.Fatal(err)
	}
	// What these files hold is in the request, unless they were not supplied.
	missing := func(role string) bool {
		return slices.ContainsFunc(r.Missing, func(f request.MissingFile) bool { return f.Role == role })
	}
	kept := slices.DeleteFunc(slices.Clone(r.Options), func(o request.Option) bool {
		return strings.HasPrefix(o.Name, "netrc") && !missing("credentials") || o.Name == "cookieFiles" && !missing("cookies") ||
			o.Name == "piped" // what the shell does, and no option
	})
	names := func(option string) bool {
		return slices.ContainsFunc(kept, func(o request.Option) bool { return o.Name == option })
	}
	led := !names("output") && !names("remoteName") && !names("discardOutput")
	for i := range kept {
		kept[i].Span = diag.Span{}
		if led && kept[i].Name == "stdout" {
			kept[i].Name = "output" // -o writes what the shell would
		}
	}
	slices.SortStableFunc(kept, func(a, b request.Option) int { return cmp.Compare(a.Name, b.Name) })
	options, _ := json.Marshal(append([]request.Option{}, kept...))
	if r.Auth != nil {
		placeless := *r.Auth
		placeless.Span = diag.Span{}
		r.Auth = &placeless
	}
	auth, _ := json.Marshal(r.Auth)
	files, _ := json.Marshal(r.Missing)
	return strings.Join([]string{r.URL, string(message), string(options), string(auth), string(files)}, "\n")
}

// TestCurlAgainCases is the same for the cases of a file: CODE_CASES.
func TestCurlAgainCases(t *testing.T) {
	in := os.Getenv("CODE_CASES")
	if in == "" {
		t.Skip("CODE_CASES names no file")
	}
	data, err := os.ReadFile(in)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<26)
	written, refused := 0, 0
	for lines.Scan() {
		var c struct {
			ID, Curl, Shell string
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		r, err := engine.Parse(c.Curl, engine.Input{})
		if err != nil || len(r.Requests) == 0 || len(r.Requests) > 20 {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(shells)) {
			if curlAgain(t, c.ID+" "+c.Curl, name, c.Curl, r, engine.Input{}) {
				written++
			} else {
				refused++
			}
		}
	}
	t.Logf("%d commands are written again, %d are refused", written, refused)
}

// TestCurlLongest checks that a command is refused which the shells of Windows
// would not take, and only such a one.
func TestCurlLongest(t *testing.T) {
	for name, longest := range map[string]int{"curl-cmd": 8191, "curl-batch": 8191, "curl-powershell": 32766} {
		target, _ := code.Lookup(name)
		refusals := 0
		for n := longest - 60; n <= longest; n++ {
			r, err := engine.Parse("curl http://h.test/ -H A: -d '"+strings.Repeat("a", n)+"'", engine.Input{})
			if err != nil {
				t.Fatal(err)
			}
			program, diags := target.Compose(nil, r.Requests, code.Options{Style: code.StyleExact, Bare: true})
			text := strings.NewReplacer(" ^\n", " ", " `\n", " ", "\n", "").Replace(string(program))
			switch refused := diags.Err() != nil; {
			case refused:
				refusals++
			case len(text) > longest || len(text) == longest-1 && refusals > 0:
				t.Errorf("%s writes a command of %d characters, after %d refusals", name, len(text), refusals)
			}
		}
		if refusals == 0 || refusals > 60 {
			t.Errorf("%s refuses %d of the commands", name, refusals)
		}
	}
	target, _ := code.Lookup("curl")
	r, err := engine.Parse("curl http://h.test/ -d '"+strings.Repeat("a", 100000)+"'", engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	if _, diags := target.Compose(nil, r.Requests, exactly); diags.Err() != nil {
		t.Error(diags.Err())
	}
}
