package code_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/internal/engine"
	"uncoil/internal/proof/codeproof"
	"uncoil/internal/proof/oracle"
)

// pieceCallers write what calls a function, $f, and prints each piece of content as it comes, in
// programs that have a text.
var pieceCallers = []struct{ language, has, call string }{
	{"python", "async def", "\nimport asyncio\n\n\nasync def main():\n    async for piece in $f():\n        print(piece, flush=True)\n\n\nasyncio.run(main())\n"},
	{"python", "", "\nfor piece in $f():\n    print(piece, flush=True)\n"},
	{"javascript", "", "for await (const piece of await $f()) process.stdout.write(piece);\n"},
	{"typescript", "", "for await (const piece of await $f() as any) process.stdout.write(piece);\n"},
	{"php", "StreamInterface", "\n$pieces = $f();\nwhile (!$pieces->eof()) {\n    echo $pieces->read(1024);\n}\n"},
	{"php", "", "\n$f();\n"},
	{"ruby", "", "\n$f do |piece|\n  print piece\n  $stdout.flush\nend\n"},
	{"csharp", "", "\nawait foreach (var piece in $f()) Console.WriteLine(piece);\n"},
	{"java", "", "\n    public static void main(String[] args) throws Exception {\n        $f().forEach(System.out::println);\n    }\n}\n"},
	{"kotlin", "", "\nfun main() {\n    $f().forEach { println(it) }\n}\n"},
	{"rust", "async fn", "\n#[tokio::main]\nasync fn main() -> Result<(), Box<dyn std::error::Error>> {\n    let mut pieces = $f().await?;\n" +
		"    while let Some(piece) = pieces.chunk().await? {\n        print!(\"{}\", String::from_utf8_lossy(&piece));\n    }\n    Ok(())\n}\n"},
	{"rust", "", "\nfn main() -> Result<(), Box<dyn std::error::Error>> {\n    std::io::copy(&mut $f()?, &mut std::io::stdout())?;\n    Ok(())\n}\n"},
	{"go", "", "\nfunc main() {\n\tcontent, err := $f(context.Background())\n\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n\tdefer content.Close()\n\tio.Copy(os.Stdout, content)\n}\n"},
}

// piecewise returns a program that calls a function without parameters and prints the pieces.
func piecewise(language string, p code.Program) string {
	text := string(p.Code)
	for _, c := range pieceCallers {
		if c.language != language || !strings.Contains(text, c.has) {
			continue
		}
		switch language {
		case "java":
			text = strings.TrimSuffix(text, "}\n")
		case "go":
			text = strings.Replace(text, "import (\n", "import (\n\t\"log\"\n\t\"os\"\n", 1)
		}
		return text + strings.Replace(c.call, "$f", p.Function.Name, 1)
	}
	return ""
}

// wholeFunctions are targets whose functions return content when all of it is there: docs/code.md
// names them.
var wholeFunctions = regexp.MustCompile(`^(browser-.*|java-(apache|httpurlconnection|okhttp)|javascript-(jquery|xhr)|kotlin-okhttp4?|node-superagent|php-(http-request2|laravel|symfony)|playwright|python-pycurl|ruby-(faraday|httparty))$`)

// TestFunctionsInPieces holds that functions give what comes before the response ends, where the
// command has a sign that it comes in pieces.
func TestFunctionsInPieces(t *testing.T) {
	parallel(t)
	var goOn chan struct{}
	server := inTwoPieces(t, "", &goOn)
	for _, r := range newProver(t).runtimes {
		target, _ := code.Lookup(r.Target)
		if !target.Functions || wholeFunctions.MatchString(r.Target) {
			continue
		}
		t.Run(r.Target, func(t *testing.T) {
			for i, command := range []string{"curl -N " + server.URL + "/a", "curl " + server.URL + `/a -f --json '{"stream":true}'`} {
				parsed, err := engine.Parse(command, engine.Input{})
				if err != nil {
					t.Fatal(err)
				}
				p, _, err := target.Write(parsed.Requests, code.Options{Function: "send", Style: []code.Style{code.StyleIdiomatic, code.StyleExact}[i]})
				if err != nil {
					t.Fatal(err)
				}
				program := piecewise(target.Language, p)
				goOn = make(chan struct{})
				first, rest, _ := streamed(t, r, program, false, goOn)
				if first != "data: first" || !slices.Contains(rest, "data: last") {
					t.Errorf("gives %q before the response ends, and %q at last\n%s", first, rest, program)
				}
			}
		})
	}
}

// TestFunctionsInPiecesSaySo checks the functions of all targets: those that are not in the list
// of those that wait have no content in one piece, and say so.
func TestFunctionsInPiecesSaySo(t *testing.T) {
	parsed, err := engine.Parse("curl -N http://h.test/a", engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range code.Targets() {
		if !target.Functions {
			continue
		}
		p, _, err := target.Write(parsed.Requests, code.Options{Function: "send"})
		if err != nil {
			t.Fatal(target.Name, err)
		}
		if says := strings.Contains(string(p.Code), "the content as it comes"); says == wholeFunctions.MatchString(target.Name) {
			t.Errorf("%s: says it: %t\n%s", target.Name, says, p.Code)
		}
	}
}

// TestFunctionsReturnStatus runs functions for commands that print the status with -w: they
// return it, also of an error, and print nothing. Without -prove each is in one of the styles.
func TestFunctionsReturnStatus(t *testing.T) {
	parallel(t)
	for k, r := range newProver(t).runtimes {
		target, _ := code.Lookup(r.Target)
		if !target.Functions || inPage(target) || r.Target == "kotlin-okhttp" { // which says that it does not
			continue
		}
		t.Run(r.Target, func(t *testing.T) {
			b, err := codeproof.NewBench(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			b.Answer(func(r *oracle.Request) string { return codeproof.Response(r, 404, "X-Gone: away", "gone") })
			for i, options := range []string{`-o /dev/null -w "%{http_code}"`, `-w "\n%{response_code}\n"`, `-I -w "%{http_code}"`, `-o out.txt -w "status: %{http_code} %{time_total}"`} {
				command := "curl http://" + b.Host() + "/a -s " + options
				parsed, err := engine.Parse(command, engine.Input{})
				if err != nil {
					t.Fatal(err)
				}
				for n, style := range []code.Style{code.StyleIdiomatic, code.StyleExact} {
					if !*prove && (i+k+n)%2 > 0 {
						continue
					}
					p, _, err := target.Write(parsed.Requests, code.Options{Function: "send", Style: style})
					if err != nil {
						t.Fatal(err)
					}
					run, err := b.Program(r, called(target.Language, p), false, oracle.Setup{})
					if err != nil {
						t.Fatal(err)
					}
					beside := []string{"", "gone", "away", ""}[i]
					if run.Exit != 0 || !strings.Contains(run.Output, "404") || !strings.Contains(run.Output, beside) || beside == "" && strings.Contains(run.Output, "gone") || prints.Match(p.Code) {
						t.Errorf("%s: ends with %d, and returns %q\n%s", command, run.Exit, run.Output, p.Code)
					}
				}
			}
		})
	}
}
