package code_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/internal/proof/codeproof"
	"uncoil/internal/proof/oracle"
)

// chained are scripts whose later requests have what a response or the machine gave. X
// stands for the address of a server.
var chained = []struct{ name, script string }{
	{"token", "TOKEN=$(curl -s -d user=ann X/login | jq -r .access_token)\ncurl -H \"Authorization: Bearer $TOKEN\" X/me"},
	{"within", `curl -H "Authorization: Bearer $(curl -s -d user=ann X/login | jq -r .access_token)" -d a=b X/me`},
	{"two values", "R=$(curl -s X/login)\nTOKEN=$(echo \"$R\" | jq -r .access_token)\nID=$(echo \"$R\" | jq -r .user.id)\ncurl -H \"X-Token: $TOKEN\" \"X/users/$ID?of=$ID\" -d \"id=$ID\""},
	{"odd name", "NAME=$(curl -s X/login | jq -r '.roles[1][\"the name\"]')\ncurl -H \"X-N: $NAME\" X/me"},
	{"in JSON", "R=$(curl -s X/login)\nTOKEN=$(echo \"$R\" | jq -r .access_token); ID=$(echo \"$R\" | jq .user.id)\ncurl --json \"{\\\"token\\\":\\\"$TOKEN\\\",\\\"id\\\":\\\"$ID\\\",\\\"all\\\":[\\\"$ID of $TOKEN.\\\"]}\" X/me"},
	{"time in JSON", "curl --json \"{\\\"at\\\":\\\"$(date +%s)\\\",\\\"who\\\":\\\"$WHO\\\"}\" X/me"},
	{"encoded", "V=$(curl -s X/login | jq -r .odd)\ncurl --data-urlencode \"v=$V\" X/me"},
	{"number", "N=$(curl -s X/login | jq .user.id)\ncurl -H \"X-N: $N\" \"X/$N\" -d \"$N\""},
	{"quoted", "V=$(curl -s X/login | jq .access_token)\ncurl -d \"{\\\"v\\\":$V}\" X/me"},
	{"content", "V=$(curl -s X/plain)\ncurl -H \"X-V: $V\" -d \"$V\" X/me"},
	{"three", "A=$(curl -s X/login | jq -r .access_token)\nB=$(curl -s -H \"X-A: $A\" X/second | jq -r .access_token)\ncurl -H \"X-A: $A\" -H \"X-B: $B\" X/me"},
	{"again", "T=$(curl -s X/login | jq -r .access_token); curl -H \"X-T: $T\" X/me; T=$(curl -s X/second | jq -r .access_token); curl -H \"X-T: $T\" X/me"},
	{"credentials", "P=$(curl -s X/login | jq -r .access_token)\ncurl -u \"ann:$P\" X/me"},
	{"names", "RESPONSE=$(curl -s X/login | jq -r .access_token); CLASS=$(curl -s X/second | jq -r .user.id)\ncurl -H \"X-R: $RESPONSE\" -H \"X-C: $CLASS\" X/me"},
	{"refused", "TOKEN=$(curl -s -f X/404/login | jq -r .access_token)\nexec curl -H \"X-T: $TOKEN\" X/me"},
	{"command", "TOKEN=$(printf abc | sha256sum | cut -c1-8)\ncurl -H \"X-T: $TOKEN\" X/me"},
	{"date", "D=$(date -u +%Y-%m-%dT%H:00:00Z)\ncurl -H \"X-D: $D\" -H \"X-P: $(date -u +%Y%%%m\\'Tz)\" \"X/me?d=$(date -u +%F)&h=$(date -u +%H)\""},
	{"local date", "D=$(date +%F)\ncurl -H \"X-D: $D\" -H \"X-E: $(date +%H.%d)\" X/me"},
	{"seconds", "T=$(date +%s)\ncurl -H \"X-A: $T\" -H \"X-B: $T\" X/me; curl -d \"t=$T\" X/me"},
	{"uuid", "U=$(cat /proc/sys/kernel/random/uuid)\ncurl -H \"X-A: $U\" -H \"X-B: $U\" X/me"},
	{"hostname", "curl -H \"X-H: $(hostname)\" X/me"},
	{"hmac", "SIG=$(printf '%s' \"$NOTE\" | openssl dgst -sha256 -hmac \"$SECRET\" -hex | sed 's/^.* //')\ncurl -H \"X-Sig: sha256=$SIG\" -H \"X-B: $(echo -n \"$NOTE\" | openssl dgst -sha512 -hmac 'a \"$key' -binary | openssl base64 -A)\" -d a=b X/me"},
	{"base64", "AUTH=$(printf '%s:%s' \"$WHO\" \"$SECRET\" | base64)\ncurl -H \"Authorization: Basic $AUTH\" -H \"X-B: $(echo \"$NOTE\" | base64 -w0)\" -H \"X-C: $(base64 <<<\"$WHO\")\" X/me"},
	{"hashes", "curl -H \"X-A: $(printf '%s' \"$NOTE\" | sha256sum | cut -d' ' -f1)\" -H \"X-B: $(echo \"$NOTE\" | md5sum | awk '{print $1}')\" -H \"X-C: $(echo -n \"$NOTE\" | shasum -a 384 | head -c 96)\" -H \"X-D: $(echo -n \"\u00e9 $WHO\" | openssl sha1 -r | cut -c1-40)\" -H \"X-E: $(echo -n abc | openssl dgst -sha512 -binary | base64 | tr -d '\\n')\" X/me"},
	{"hash of a hash", "T=$(curl -s X/login | jq -r .access_token); N=$(curl -s X/login | jq .user.id)\nH=$(printf %s \"$T\" | openssl dgst -md5 | awk '{print $NF}'); S=$(printf '%s' \"$N.$H\" | openssl dgst -sha1 -hmac \"$T\" -binary | base64)\ncurl -H \"X-H: $H\" -H \"X-S: $S\" \"X/me?s=$H\""},
	{"token of its own", "H=$(echo -n '{\"alg\":\"HS256\",\"typ\":\"JWT\"}' | base64 | tr '+/' '-_' | tr -d '='); P=$(printf '{\"sub\":\"%s\",\"x\":\"??>>\"}' \"$WHO\" | base64 -w0 | tr -d '=' | tr '/+' '_-'); S=$(printf '%s' \"$H.$P\" | openssl dgst -sha256 -hmac \"$SECRET\" -binary | openssl base64 -A | tr '+/' '-_' | tr -d '=')\ncurl -H \"Authorization: Bearer $H.$P.$S\" X/me"},
	{"signed", "BODY='{\"a\" :  [1, 2.50]}'; SIG=$(echo -n \"$BODY\" | openssl dgst -sha256 -hmac \"$SECRET\" | awk '{print $2}')\ncurl -H \"X-Sig: $SIG\" --json \"$BODY\" X/me"},
	{"file in Base64", "T=$(base64 < token.txt | tr -d '\n')\ncurl -H \"X-T: $T\" -d \"{\\\"a\\\":\\\"$(base64 -w0 note.txt)\\\"}\" X/me"},
	{"field", "T=$(curl -s -D - -o /dev/null -d user=ann X/login | grep -i x-subject-token | cut -d' ' -f2 | tr -d '\r')\ncurl -H \"X-Auth-Token: $T\" X/me"},
	{"field within", "curl -H \"X-Id: $(curl -sI X/login | awk '/^Mcp-Session-Id:/{print $2}' | tr -d '\r')\" -d a=b X/me"},
	{"word of a field", "T=$(curl -si X/login | grep -i '^x-auth:' | cut -d' ' -f3 | tr -d '\r')\ncurl -H \"Authorization: Bearer $T\" X/me"},
	{"field of a redirect", "L=$(curl -s -D - -o /dev/null X/moved | sed -n 's/^location: //ip' | tr -d '\r')\ncurl -H 'X-A: b' \"$L\""},
	{"field by -w", "T=$(curl -s -o /dev/null -w '%header{x-auth}' X/login)\ncurl -H \"X-T: $T\" X/me"},
	{"two fields", "R=$(curl -s -D - -o /dev/null X/login); T=$(echo \"$R\" | grep -i x-subject-token | cut -d' ' -f2 | tr -d '\r'); I=$(echo \"$R\" | grep -i mcp-session-id | cut -d' ' -f2 | tr -d '\r')\ncurl -H \"X-T: $T\" \"X/me/$I\""},
	{"no field", "T=$(curl -s -D - -o /dev/null X/login | grep -i x-missing-token | cut -d' ' -f2 | tr -d '\r')\ncurl -H \"X-Auth-Token: $T\" X/me"},
	{"file", "T=$(cat token.txt)\ncurl -H \"Authorization: Bearer $T\" -d \"$(<note.txt)\" X/me"},
}

// loginServer gives out tokens.
func loginServer(r *oracle.Request) string {
	const user = `"user":{"id":12345678901},"odd":"a b&c=é\"'\\","roles":[{},{"the name":"x\"y"}]}`
	const head = "Content-Type: application/json\r\nX-Subject-Token: gAAA-b_c\r\nMcp-Session-Id: 12-ab\r\nX-Auth: Bearer t0.ken"
	switch {
	case strings.HasPrefix(r.Target, "/moved"):
		return codeproof.Response(r, 302, "Location: http://"+hostOf(r)+"/me?from=there", "")
	case strings.HasPrefix(r.Target, "/login"):
		return codeproof.Response(r, 200, head, `{"access_token":"first.to-ken",`+user)
	case strings.HasPrefix(r.Target, "/second"):
		return codeproof.Response(r, 200, "Content-Type: application/json", `{"access_token":"second",`+user)
	case strings.HasPrefix(r.Target, "/plain"):
		return codeproof.Response(r, 200, "Content-Type: text/plain; charset=utf-8", "a plain one\n\n")
	}
	return codeproof.Server(r)
}

// changing are what two runs do not share: the time and random numbers.
var changing = regexp.MustCompile(`\b1[789]\d{8}\b|[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`)

// inForm spells alike what clients spell otherwise in a form.
var inForm = strings.NewReplacer("%20", "+", "%27", "'")

// sentOf returns what the requests of a run have in common, whatever the client. A time
// and a random number stand there by their place: the same one twice is seen.
func sentOf(requests []oracle.Request) (list []string) {
	numbers := map[string]string{}
	for i := range requests {
		r := &requests[i]
		one := r.Method + " " + r.Target
		var fields []string
		for _, line := range r.Lines {
			name, value, _ := strings.Cut(line, ":")
			if name = strings.ToLower(name); name == "authorization" || strings.HasPrefix(name, "x-") {
				fields = append(fields, "\n"+name+":"+value)
			}
		}
		slices.Sort(fields)
		body := bytes.NewBuffer(nil)
		if json.Compact(body, r.Body) != nil { // blanks of JSON mean nothing, and where a hash is of it, they show there
			body = bytes.NewBuffer(r.Body)
		}
		one += strings.Join(fields, "") + "\n" + inForm.Replace(body.String())
		list = append(list, changing.ReplaceAllStringFunc(one, func(s string) string {
			if numbers[s] == "" {
				numbers[s] = fmt.Sprintf("<%d of %d bytes>", len(numbers), len(s))
			}
			return numbers[s]
		}))
	}
	return list
}

// TestFromProof runs the programs that take values from a response or from the machine
// beside bash and curl, before a server that gives out tokens: they send the same.
func TestFromProof(t *testing.T) {
	parallel(t)
	setup := oracle.Setup{Files: map[string][]byte{"token.txt": []byte("to ken\n"), "note.txt": []byte("a\nb\n\n")},
		Env: map[string]string{"NOTE": "a é & \"b\"", "SECRET": "s3cr+t/=", "WHO": "ann"}}
	p := newScriptProof(t, loginServer, setup, sentOf)
	p.each(func(k int, r *codeproof.Runtime, target code.Target) {
		if !takesResponses(target) {
			return
		}
		for i, c := range chained {
			if !*prove && (testing.Short() && i > 0 || i > 1 && (i+k)%8 > 0) {
				continue
			}
			if target.Language == "java" && !javaReadsJSON() && !strings.Contains(c.name, "field") {
				continue
			}
			if (target.Kind == code.KindFile || inPage(target)) && slices.Contains([]string{"date", "local date", "time in JSON", "seconds", "uuid", "hostname", "file", "hmac", "base64", "hashes", "hash of a hash", "token of its own", "signed"}, c.name) {
				continue // which has code for responses
			}
			if strings.Contains(c.name, "field") && !takesFields(target) || target.Name == "hurl" && c.name == "word of a field" {
				continue
			}
			if target.Name == "http" && slices.Contains([]string{"in JSON", "encoded", "quoted", "content"}, c.name) {
				continue // where it is encoded, or all of the content, it stays a parameter, with a warning
			}
			if target.Language == "php" && c.name == "local date" {
				continue // PHP has a time zone of its own
			}
			if _, err := exec.LookPath("uuidgen"); err != nil && r.Target == "curl" && c.name == "uuid" {
				continue // which its script runs
			}
			for _, style := range []code.Style{code.StyleIdiomatic, code.StyleExact} {
				if style == code.StyleExact && !*prove && i > 0 {
					continue
				}
				p.run(t, scriptRun{target: target, runtime: r, name: c.name, script: c.script, style: style}, p.checkChained)
			}
		}
	})
}

// substituted are scripts with commands that only running them tells.
var substituted = []struct{ name, script string }{
	{"run", "TOKEN=$(printf abc | sha256sum | cut -c1-8)\ncurl -H \"X-T: $TOKEN\" X/me"},
	{"run within", "curl -H \"X-T: a $(echo \"it's $WHO\" | tr a-z A-Z | awk '{print $2}')\" -d \"$(printf '%s\\n\\n' '\"x\\y' | rev)\" X/me"},
	{"run lines", "V=$(rev <<EOF\nab $WHO\nEOF\n)\ncurl -H \"X-V: $V\" X/me; curl -H \"X-V: $V\" -H \"X-W: $(cat note.txt | wc -l) # x\" X/me"},
}

// TestRunProof runs the programs that run commands, as they are asked to, beside bash and
// curl: without -prove one of the scripts for each target.
func TestRunProof(t *testing.T) {
	parallel(t)
	setup := oracle.Setup{Files: map[string][]byte{"note.txt": []byte("a\nb\n")}, Env: map[string]string{"WHO": "ann"}}
	p := newScriptProof(t, loginServer, setup, sentOf)
	p.each(func(k int, r *codeproof.Runtime, target code.Target) {
		for i, c := range substituted {
			if !*prove && (i+k)%len(substituted) > 0 {
				continue
			}
			s := scriptRun{target: target, runtime: r, name: c.name, script: c.script, runs: true}
			if _, diags := s.program(t); diags.Err() != nil {
				continue // it runs none
			}
			p.run(t, s, p.checkChained)
		}
	})
}

// inPage reports whether the programs of a target are scripts of a page.
func inPage(target code.Target) bool {
	return slices.Contains([]string{"browser-fetch", "javascript-jquery", "javascript-xhr"}, target.Name)
}

// takesResponses reports whether the programs of a target take values from a response.
func takesResponses(target code.Target) bool {
	r, err := engine.Parse(chained[0].script, engine.Input{})
	if err != nil {
		panic(err)
	}
	_, diags := target.Compose(nil, r.Requests, code.Options{})
	return len(diags) == 0
}

// takesFields reports whether the programs of a target take values of fields of a response.
func takesFields(target code.Target) bool {
	r, err := engine.Parse("T=$(curl -sI h.test/a | grep -i x-token | cut -d' ' -f2-); curl h.test/b -H \"A: $T\"", engine.Input{})
	if err != nil {
		panic(err)
	}
	_, diags := target.Compose(nil, r.Requests, code.Options{})
	return len(diags) == 0
}

// hostOf returns the host that a request names.
func hostOf(r *oracle.Request) string {
	for _, line := range r.Lines {
		if name, value, _ := strings.Cut(line, ":"); strings.EqualFold(name, "Host") {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// javaReadsJSON reports whether the class path has what reads JSON.
func javaReadsJSON() bool { return strings.Contains(os.Getenv("CLASSPATH"), "jackson-databind") }

func (p *scriptProof) checkChained(t *testing.T, s scriptRun) {
	program, diags := s.program(t)
	if diags.Err() != nil {
		t.Fatalf("%v", diags.Err())
	}
	parameter := slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return strings.Contains(d.Message, "does not run the command") })
	if parameter && slices.Contains(browsers, s.target.Name) {
		return // a page reads no file, and runs nothing
	}
	if parameter != (s.name == "command") {
		t.Errorf("it has parameters: %v\n%s", diags, program)
	}
	setup, want := p.setup, s.want
	if s.name == "command" {
		setup.Env = map[string]string{"TOKEN": "ba7816bf", "CLASSPATH": os.Getenv("CLASSPATH")}
	}
	run, err := p.Program(s.runtime, program, false, setup)
	if err != nil {
		t.Fatal(err)
	}
	got := sentOf(run.Requests)
	fails := s.name == "refused" || s.name == "no field"
	if fails && !strings.HasPrefix(s.target.Name, "curl") { // curl goes on with nothing
		want = want[:1]
		if run.Exit == 0 {
			t.Errorf("the program goes on without a token:\n%s", program)
		}
	}
	if !slices.Equal(got, want) || run.Exit != 0 && !fails {
		t.Errorf("exit %d, it sends\n%s\nwant\n%s\n%s\n%s", run.Exit, strings.Join(got, "\n"), strings.Join(want, "\n"), program, run.Output)
	}
}
