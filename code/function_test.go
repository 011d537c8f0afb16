package code_test

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/internal/proof/codeproof"
	"uncoil/internal/proof/oracle"
	"uncoil/request"
)

// A caller writes what calls a function: its arguments from the environment.
type caller struct {
	get, or  string // reads the variable $v; and has the default $d, or what stands for it, where that, $g, is empty
	call     string // $f is the function, $a its arguments
	async    string // call where the function is asynchronous
	asyncDef string // what the program has then
}

var callers = map[string]caller{
	"python": {`os.environ.get($v, "")`, `($g or $d)`, "\nimport os\n\nresult = $f($a)\nprint(*result) if isinstance(result, tuple) else print(result)\n",
		"\nimport asyncio\nimport os\n\nresult = asyncio.run($f($a))\nprint(*result) if isinstance(result, tuple) else print(result)\n", "async def"},
	"javascript": {`(process.env[$v] ?? "")`, `($g || $d)`, "console.log(await $f($a));\n", "", ""},
	"typescript": {`(process.env[$v] ?? "")`, `($g || $d)`, "console.log(await $f($a));\n", "", ""},
	"php":        {`(string) getenv($v)`, `(($g) ?: $d)`, "\nprint_r($f($a));\n", "", ""},
	"ruby":       {`ENV.fetch($v, '')`, `($g.empty? ? $d : $g)`, "\nputs $f($a)\n", "", ""},
	"csharp":     {`(Environment.GetEnvironmentVariable($v) ?? "")`, `(($g) == "" ? $d : $g)`, "\nConsole.WriteLine(await $f($a));\n", "", ""},
	"java":       {`System.getenv().getOrDefault($v, "")`, `System.getenv($v)`, "\n    public static void main(String[] args) throws Exception {\n        $r;\n    }\n}\n", "", ""},
	"kotlin":     {`(System.getenv($v) ?: "")`, `(System.getenv($v) ?: $d)`, "\nfun main() {\n    println($f($a))\n}\n", "", ""},
	"rust": {`&std::env::var($v).unwrap_or_default()`, `std::env::var($v).ok().as_deref()`,
		"\nfn main() -> Result<(), Box<dyn std::error::Error>> {\n    println!(\"{:?}\", $f($a)?);\n    Ok(())\n}\n",
		"\n#[tokio::main]\nasync fn main() -> Result<(), Box<dyn std::error::Error>> {\n    println!(\"{:?}\", $f($a).await?);\n    Ok(())\n}\n", "async fn"},
	"go": {`os.Getenv($v)`, "", "\nfunc main() {\n\t$r := $f(context.Background()$a)\n\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n$p}\n", "", ""},
}

// called returns a program that defines a function and calls it.
func called(language string, p code.Program) []byte {
	c := callers[language]
	var arguments []string
	for _, one := range p.Function.Parameters {
		variable := strconv.Quote(one.Variable)
		argument := strings.ReplaceAll(c.get, "$v", variable)
		if one.HasDefault && c.or != "" {
			literal := strconv.QuoteToASCII(one.Default)
			switch language { // in which "$f" and "#$f" are more than text
			case "php", "ruby":
				literal = "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(one.Default) + "'"
			case "kotlin":
				literal = strings.ReplaceAll(literal, "$", `\$`)
			}
			argument = strings.NewReplacer("$g", argument, "$v", variable, "$d", literal).Replace(c.or)
		}
		arguments = append(arguments, argument)
	}
	call, text := c.call, string(p.Code)
	if c.async != "" && strings.Contains(text, c.asyncDef) {
		call = c.async
	}
	switch language {
	case "java":
		text = strings.TrimSuffix(text, "}\n")
		call = strings.Replace(call, "$r", javaCall(p), 1)
	case "go":
		results := regexp.MustCompile(`(?m)^func ` + p.Function.Name + `\(.*?\) (.*) \{$`).FindStringSubmatch(text)
		names, shown := "", ""
		for i, class := range strings.Split(strings.Trim(results[1], "()"), ", ") {
			name := "result" + strconv.Itoa(i)
			switch class {
			case "error":
				name = "err"
			case "[]byte":
				shown += "\tlog.Print(string(" + name + "))\n"
			default:
				shown += "\tlog.Print(" + name + ")\n"
			}
			names += ", " + name
		}
		call = strings.Replace(strings.Replace(call, "$r", names[len(", "):], 1), "$p", shown, 1)
		if len(arguments) > 0 {
			arguments[0] = ", " + arguments[0]
		}
		for _, name := range []string{"log", "os"} {
			if name == "os" && len(arguments) == 0 {
				continue
			}
			if !strings.Contains(text, strconv.Quote(name)+"\n") {
				text = strings.Replace(text, "import (\n", "import (\n\t"+strconv.Quote(name)+"\n", 1)
			}
		}
	}
	if language == "csharp" {
		call = csharpCall(text, call)
	}
	call = strings.Replace(call, "$f", p.Function.Name, 1)
	return []byte(text + strings.Replace(call, "$a", strings.Join(arguments, ", "), 1))
}

// csharpCall returns what calls a function in C#: of a class in C# 7, and without printing
// where nothing is returned.
func csharpCall(program, call string) string {
	if strings.Contains(program, "static async Task ") {
		call = "\nawait $f($a);\n"
	}
	if strings.Contains(program, "class Requests") {
		return "\npublic static class Program\n{\n    public static async Task Main()\n    {" + strings.Replace(call, "$f", "Requests.$f", 1) + "    }\n}\n"
	}
	return call
}

// javaCall writes what prints the result of a function of Java, where $f is the function and $a
// its arguments.
func javaCall(p code.Program) string {
	result := regexp.MustCompile(`(?m)^    public static (.+) ` + p.Function.Name + `\(`).FindStringSubmatch(string(p.Code))
	switch {
	case result == nil || result[1] == "void":
		return "$f($a)"
	case strings.HasPrefix(result[1], "HttpResponse<"):
		return "var result = $f($a);\n        System.out.println(result.statusCode() + \" \" + result.body())"
	case strings.Contains(string(p.Code), "record Answer(byte[]"):
		return "var result = $f($a);\n        System.out.println(result.status() + \" \" + new String(result.content()))"
	case result[1] == "byte[]":
		return "System.out.writeBytes($f($a))"
	}
	return "System.out.println($f($a))"
}

// TestFunctionProof runs programs that are functions, called with the values of the
// variables: they send what curl sends.
func TestFunctionProof(t *testing.T) {
	parallel(t)
	for _, style := range []code.Style{code.StyleIdiomatic, code.StyleExact} {
		p := newProver(t)
		p.runtimes = slices.DeleteFunc(p.runtimes, func(r *codeproof.Runtime) bool {
			target, _ := code.Lookup(r.Target)
			return !target.Functions || inPage(target) // where no environment has the arguments
		})
		cases, _ := proofCases(t)
		proveFunctions(t, p, cases, code.Options{Style: style})
	}
}

// proveFunctions runs the functions of cases.
func proveFunctions(t *testing.T, p *prover, cases []codeproof.Case, o code.Options) {
	o.RawParameters = true // as the shell inserts them
	o.Function, o.Placeholders = code.AutoFunction, code.PlaceholdersText
	p.options = o
	p.write = func(target *code.Target, requests []request.Request) ([]byte, diag.List) {
		program, diags := target.WriteAll(nil, requests, o)
		if program.Function == nil {
			return nil, diags
		}
		return called(target.Language, program), diags
	}
	if o.Style == code.StyleIdiomatic {
		cases = unredirected(cases)
	}
	proveAll(t, p, cases)
}

// locals finds the names that a program gives to what is in it.
var locals = map[string]*regexp.Regexp{
	"python":     regexp.MustCompile(`(?m)^ +(?:async )?(?:for |with .* as )?(\w+)(?: = | in |:$)|^(?:import|from) (\w+)|import (\w+)$|as (\w+)[,:]`),
	"javascript": regexp.MustCompile(`(?:const|let|function) \[?(\w+)|^import (\w+)|(?:const|import) \{ (\w+)|\((\w+)(?:, \w+)*\) =>`),
	"php":        regexp.MustCompile(`\$(\w+) = |as \$(\w+)`),
	"ruby":       regexp.MustCompile(`(?m)^ +(\w+) = |\|(\w+)\||^def (\w+)`),
	"csharp":     regexp.MustCompile(`(?:var|HttpResponseMessage|is string) (\w+)|catch \(\w+ (\w+)\)|\((\w+)(?:, \w+)*\) =>|(\w+) => `),
	"java": regexp.MustCompile(`(?:var|String|final) (\w+)(?: = |;)|for \(var (\w+) :|[({ ](\w+)(?:, \w+\))? ->|instanceof \w+ (\w+)|` +
		`catch \(\w+ (\w+)\)|(?m)^(?:private |public )?static .*?(\w+)\(|\(X509Certificate\[\] (\w+)`),
	"kotlin": regexp.MustCompile(`(?:val|var) (\w+)|for \((\w+) in|[{] (\w+)(?:, \w+)? ->|catch \((\w+):|(?m)^fun (?:<T> )?(\w+)`),
	"rust":   regexp.MustCompile(`let (?:mut )?(\w+)|for (\w+) in|\|(\w+)\||Some\((\w+)\) if|(?m)^fn (\w+)|^use .*?(\w+);$`),
	"go":     regexp.MustCompile(`(\w+)(?:, \w+)* :=|var (\w+)|(?m)^\t"(?:\w+/)*(\w+)"$`),
}

// TestParametersAreFree checks that no name that programs use in a function can be that of
// a parameter. With -short it is a quarter of the commands for each target.
func TestParametersAreFree(t *testing.T) {
	parallel(t)
	var commands [][]request.Request
	for _, command := range functionCommands(t) {
		r, err := engine.Parse(command, engine.Input{})
		if err != nil {
			t.Fatal(command, err)
		}
		commands = append(commands, r.Requests)
	}
	for n, target := range code.Targets() {
		if !target.Functions {
			continue
		}
		language := target.Language
		if language == "typescript" {
			language = "javascript"
		}
		found, parameters := 0, map[string]bool{}
		for i, requests := range commands {
			if testing.Short() && (n+i)%4 != 0 {
				continue
			}
			for _, style := range []code.Style{code.StyleIdiomatic, code.StyleExact} {
				p, _, err := target.Write(requests, code.Options{Style: style, Function: "the_function", Placeholders: code.PlaceholdersText})
				if err != nil {
					continue
				}
				clear(parameters)
				for _, one := range p.Function.Parameters {
					parameters[one.Name] = true
				}
				for _, m := range locals[language].FindAllStringSubmatch(scopeOf(string(p.Code)), -1) {
					name := strings.TrimRight(strings.Join(m[1:], ""), "0123456789") // Bind numbers names
					if name == "" || parameters[name] || name[0] == '_' || 'A' <= name[0] && name[0] <= 'Z' {
						continue // no parameter begins so
					}
					if name != "the_function" && !slices.Contains(target.Taken(), name) {
						t.Errorf("%s: %s is not among the names that are taken:\n%s", target.Name, name, p.Code)
					}
					found++
				}
			}
		}
		if found < 20 {
			t.Errorf("%s: only %d names were found", target.Name, found)
		}
	}
}

// scopeOf returns the lines of a program in which a parameter is seen, and those that name
// what all of it sees: imports and the first lines of functions.
func scopeOf(program string) string {
	if imports, members, found := strings.Cut(program, "\npublic class Main {\n"); found {
		program = imports + "\n" + strings.ReplaceAll(strings.TrimPrefix(members, "    "), "\n    ", "\n")
	}
	var b strings.Builder
	inside := false
	for line := range strings.Lines(program) {
		margin := !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "\t") && line != "\n" && line != "{\n"
		if margin {
			inside = strings.Contains(line, "the_function")
		}
		if margin || inside || strings.HasPrefix(line, "\t\"") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// functionCommands are commands with all that programs do.
func functionCommands(t *testing.T) (list []string) {
	cases, _ := proofCases(t)
	for _, c := range cases {
		if _, err := engine.Parse(c.Command, engine.Input{}); err == nil {
			list = append(list, c.Command)
		}
	}
	for _, c := range commandFiles(t) {
		list = append(list, strings.TrimSuffix(string(c.Data), "\n"))
	}
	if len(list) < 200 {
		t.Fatalf("only %d commands", len(list))
	}
	return list
}

func TestFunctionNames(t *testing.T) {
	for _, c := range []struct{ target, command, name, want string }{
		{"python", `curl https://h.test/v1/items/{id} -H "A: $TOKEN"`, "auto", "get_items(id: str, token: str) -> str:"},
		{"javascript", `curl https://h.test/v1/user-groups -d "n=$GROUP_NAME"`, "auto", "postUserGroups(groupName)"},
		{"python", `curl https://h.test/?q=a`, "auto", "get_request()"},
		{"python", `curl https://h.test/ñ/7`, "auto", "get_request()"},
		{"python", `curl https://api.example.co.uk/v1`, "auto", "get_example()"},
		{"python", `curl https://h.test/v1/models/{id}:embedContent -d a`, "auto", "post_embed_content(id: str)"},
		{"python", `curl https://discord.com/api/webhooks/12/aBcDeF -d a`, "auto", "post_webhooks()"},
		{"python", `curl https://h.test/files/disk.iso -d a`, "auto", "post_disk()"},
		{"ruby", `curl -X DELETE https://h.test/items/$ID`, "auto", "delete_items(id)"},
		{"go", `curl "https://$HOST/a/status?x=${X:-y}"`, "auto", "GetStatus(ctx context.Context, host, x string) ([]byte, error) {"},
		{"go", `curl "https://h.test/v1/items/{userId}?u=$API_URL"`, "auto", "GetItems(ctx context.Context, userID, apiURL string) ([]byte, error) {"},
		{"go", `curl https://h.test/ -o f -H "A: $CTX"`, "saveIt", "saveIt(ctx context.Context, ctx_ string) error {"},
		{"go", `T=$(curl https://h.test/t -H "A: $REQUEST2"); curl https://h.test/a -H "B: $T" -H "A: $REQUEST1"`, "auto", "GetRequest(ctx context.Context, request22, request12 string) ([]byte, error) {"},
		{"java", `curl https://h.test/v1/items/{id}`, "auto", "String getItems(String id) throws IOException, InterruptedException {"},
		{"java-okhttp", `curl -k https://h.test/ -o "$CLASS"`, "auto", "void getRequest(String class_) throws IOException, GeneralSecurityException {"},
		{"kotlin", `curl https://h.test/ -H "A: ${CLASS:-\$x}"`, "f", `f(class_: String = "\$x"): String {`},
		{"rust", `curl https://h.test/ -H "A: $TYPE" -H "B: ${B2:-c}"`, "auto", "get_request(type_: &str, b2: Option<&str>) -> Result<String, Box<dyn std::error::Error>> {"},
		{"php", `curl https://h.test/ -H "A: $RESPONSE" -H "B: $response"`, "sendIt", "sendIt(string $response_, string $response_2)"},
		{"python", `curl https://h.test/ -H "A: ${class:-x}" -H "B: $IMPORT"`, "f", `f(import_: str, class_: str = "x")`},
		{"python", `curl https://h.test/ -H "A: $f"`, "f", "f(f2: str) -> str:"},
		{"javascript", `curl https://h.test/ -H "A: $A" -H "B: $A"`, "class", "class_(a)"},
		{"csharp", `curl https://h.test/v1/user-groups -d "n=$GROUP_NAME"`, "auto", "PostUserGroupsAsync(string groupName)"},
		{"csharp", `curl https://h.test/ -H "A: ${CLASS:-x}" -H "B: $REQUEST"`, "send", `send(string request_, string class_ = "x")`},
	} {
		target, _ := code.Lookup(c.target)
		r, err := engine.Parse(c.command, engine.Input{})
		if err != nil {
			t.Fatal(err)
		}
		p, _, err := target.Write(r.Requests, code.Options{Function: c.name})
		if err != nil {
			t.Errorf("%s: %v", c.command, err)
		} else if !strings.Contains(string(p.Code), " "+c.want) && !strings.Contains(string(p.Code), " "+strings.TrimSuffix(c.want, "()")+"\n") {
			t.Errorf("%s: want %s in\n%s", c.command, c.want, p.Code)
		}
	}
}

// TestDocumentedFunction holds the function in docs/code.md to what is written.
func TestDocumentedFunction(t *testing.T) {
	_, text, _ := strings.Cut(page(t, "code"), "`function` makes the program a function")
	m := regexp.MustCompile("(?s)```sh\n(.*?)\n```\n\n```python\n(.*?)```\n").FindStringSubmatch(text)
	target, _ := code.Lookup("python")
	r, err := engine.Parse(m[1], engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := target.Write(r.Requests, code.Options{Function: code.AutoFunction, CheckStatus: true, DecodeJSON: true})
	if err != nil || string(p.Code) != m[2] {
		t.Errorf("%v: docs/code.md has\n%s\nwant\n%s", err, m[2], p.Code)
	}
}

// prints finds what writes to the standard output.
var prints = regexp.MustCompile(`\b(?:echo|puts|print|print_r|println|System\.out|console\.log|fmt\.Print\w*|Stdout)\b`)

// TestFunctionOfHead checks that a function for -I returns the fields, and prints nothing, also
// where a status ends it.
func TestFunctionOfHead(t *testing.T) {
	for _, target := range code.Targets() {
		if !target.Functions {
			continue
		}
		for _, command := range []string{"curl -I http://h.test/", "curl -I -f http://h.test/", "curl -I --fail-with-body http://h.test/"} {
			for _, style := range []code.Style{code.StyleIdiomatic, code.StyleExact} {
				r, err := engine.Parse(command, engine.Input{})
				if err != nil {
					t.Fatal(err)
				}
				p, _, err := target.Write(r.Requests, code.Options{Style: style, Function: "head"})
				if err != nil {
					continue
				}
				lines := strings.FieldsFunc(string(p.Code), func(r rune) bool { return r == '\n' })
				ends := func(line string) bool { return strings.Trim(line, " });") == "" || line == "end" }
				for ends(lines[len(lines)-1]) {
					lines = lines[:len(lines)-1]
				}
				last := lines[len(lines)-1]
				returns := strings.Contains(last, "return ") || strings.HasPrefix(last, "    Ok(") && last != "    Ok(())"
				switch target.Language {
				case "ruby":
					returns = returns || !strings.Contains(last, " if ")
				case "kotlin": // in which a call returns what the function that it calls ends with
					returns = returns || strings.Contains(last, "response.headers") && strings.Contains(string(p.Code), "    return client.")
				}
				if prints.Match(p.Code) || !returns {
					t.Errorf("%s: %s:\n%s", target.Name, command, p.Code)
				}
			}
		}
	}
}

// TestFunctionsSayTheHeadIsLeftOut checks that a function which neither returns nor saves the
// head that the command prints says so, in every target.
func TestFunctionsSayTheHeadIsLeftOut(t *testing.T) {
	for _, target := range code.Targets() {
		if !target.Functions {
			continue
		}
		for options, left := range map[string]string{"-i": "-i", "-D -": "-D", "-D head.txt": "-D", "-D /dev/null": "", "-I": ""} {
			r, err := engine.Parse("curl "+options+" http://h.test/", engine.Input{})
			if err != nil {
				t.Fatal(err)
			}
			_, warnings, err := target.Write(r.Requests, code.Options{Function: "send"})
			if err != nil {
				t.Fatal(target.Name, err)
			}
			said := slices.ContainsFunc(warnings, func(w diag.Diagnostic) bool {
				return w.Code == diag.WarnCannotExpress && strings.Contains(w.Message, "header fields") && strings.HasSuffix(w.Hint, left)
			})
			if said != (left != "") {
				t.Errorf("%s: %s: %v", target.Name, options, warnings)
			}
		}
	}
}

// TestOptionsRefused checks that an option for which a target has no code is an error.
func TestOptionsRefused(t *testing.T) {
	for _, c := range []struct {
		target  string
		options code.Options
		message string
	}{
		{"haskell", code.Options{Function: "auto"}, "no function"},
		{"postman", code.Options{Function: "auto"}, "no function"},
		{"python", code.Options{Function: "a-b"}, "no such name"},
		{"python", code.Options{Function: "f():\n  x"}, "no such name"},
		{"haskell", code.Options{DecodeJSON: true}, "decodes no JSON"},
		{"curl", code.Options{CheckStatus: true}, "no check of the status"},
		{"node-got", code.Options{Switches: []string{"commonJs"}}, "CommonJS"},
		{"python", code.Options{Switches: []string{"commonJs"}}, "CommonJS"},
		{"python", code.Options{Switches: []string{"csharp7"}}, "C#"},
	} {
		target, _ := code.Lookup(c.target)
		_, _, err := target.Write([]request.Request{{Method: "GET", URL: "http://h.test/"}}, c.options)
		if err == nil || !strings.Contains(err.Error(), c.message) || !strings.HasPrefix(err.Error(), string(diag.CodeCannotExpress)) {
			t.Errorf("%s with %+v: %v, want %q", c.target, c.options, err, c.message)
		}
	}
}

// TestResponseOptions runs programs that check the status and that decode the response,
// as scripts, as functions and as modules of CommonJS.
func TestResponseOptions(t *testing.T) {
	parallel(t)
	newProver(t)
	b, err := codeproof.NewBench(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	b.Answer(func(r *oracle.Request) string {
		status := 200
		if strings.HasPrefix(r.Target, "/404") {
			status = 404
		}
		return codeproof.Response(r, status, "Content-Type: application/json", `{"alpha": {"beta": "g\u0061mma"}}`)
	})
	for _, r := range codeproof.Runtimes() {
		target, ok := code.Lookup(r.Target)
		if !ok || target.Kind != code.KindCode || !*prove && (r.Judged || !quick.MatchString(r.Target)) ||
			*proveTargets != "" && !regexp.MustCompile(*proveTargets).MatchString(r.Target) {
			continue
		}
		if inPage(target) && r.Target != "browser-fetch" && !*prove {
			continue // one client of a page has the same lines as the others
		}
		if _, err := r.Installed(); err != nil {
			continue // which newProver says
		}
		t.Run(r.Name(), func(t *testing.T) { testResponseOptions(t, b, r, target) })
	}
}

func testResponseOptions(t *testing.T, b *codeproof.Bench, r *codeproof.Runtime, target code.Target) {
	for _, o := range []code.Options{
		{CheckStatus: true}, {CheckStatus: true, Style: code.StyleExact}, {DecodeJSON: true}, {DecodeJSON: true, Style: code.StyleExact},
		{CheckStatus: true, DecodeJSON: true, Function: "send"}, {Function: "send"}, {Switches: []string{"commonJs"}}, {Switches: []string{"commonJs"}, CheckStatus: true, DecodeJSON: true},
	} {
		if o.DecodeJSON && (target.Language == "java" && !javaReadsJSON() || target.Language == "kotlin") {
			t.Log("what reads JSON is not on the class path")
			continue
		}
		for _, path := range []string{"/a", "/404"} {
			parsed, err := engine.Parse("curl http://"+b.Host()+path, engine.Input{})
			if err != nil {
				t.Fatal(err)
			}
			p, _, err := target.Write(parsed.Requests, o)
			if err != nil {
				continue // TestOptionsRefused
			}
			text := p.Code
			if o.Function != "" {
				text = called(target.Language, p)
			}
			runtime := r
			if slices.Contains(o.Switches, "commonJs") {
				runtime = r.Named(p.Filename)
			}
			run, err := b.Program(runtime, text, false, oracle.Setup{Env: map[string]string{"CLASSPATH": os.Getenv("CLASSPATH")}})
			if err != nil {
				t.Fatal(err)
			}
			fails, decoded := path == "/404" && (o.CheckStatus || o.Style == code.StyleIdiomatic && failsAnyway.MatchString(target.Name)), strings.Contains(run.Output, "gamma")
			switch {
			case len(run.Requests) != 1:
				t.Errorf("%+v: %d requests, %s\n%s", o, len(run.Requests), run.Output, text)
			case (run.Exit != 0) != fails:
				t.Errorf("%+v: %s ends with %d: %s\n%s", o, path, run.Exit, run.Output, text)
			case !fails && !inPage(target) && (o.DecodeJSON && !decoded || !strings.Contains(run.Output, "alpha")):
				t.Errorf("%+v: prints %q\n%s", o, run.Output, text)
			}
		}
	}
}

// failsAnyway are clients that end with an error from 400 on, in idiomatic style.
var failsAnyway = regexp.MustCompile("^(javascript-jquery|node-axios|node-got|node-ky|node-ofetch|php-guzzle|python-urllib)$")
