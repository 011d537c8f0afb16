package code_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/internal/engine"
)

// csharpSerializer is what mono lacks: JsonSerializer for objects of classes without a name,
// dictionaries and arrays.
const csharpSerializer = `
namespace System.Text.Json {
static class JsonSerializer {
	static string Text(string s) {
		var b = new StringBuilder("\"");
		foreach (var c in s) b.Append(c < ' ' || c > '~' || c == '"' || c == '\\' ? "\\u" + ((int)c).ToString("x4") : c.ToString());
		return b.Append('"').ToString();
	}
	public static string Serialize(object o) {
		if (o == null) return "null";
		if (o is string) return Text((string)o);
		if (o is bool) return (bool)o ? "true" : "false";
		if (o is IDictionary<string, object>) return "{" + string.Join(",", ((IDictionary<string, object>)o).Select(p => Text(p.Key) + ":" + Serialize(p.Value))) + "}";
		if (o is System.Collections.IEnumerable) return "[" + string.Join(",", ((System.Collections.IEnumerable)o).Cast<object>().Select(Serialize)) + "]";
		if (o is IFormattable) return ((IFormattable)o).ToString(null, System.Globalization.CultureInfo.InvariantCulture);
		return "{" + string.Join(",", o.GetType().GetProperties().Select(p => Text(p.Name) + ":" + Serialize(p.GetValue(o)))) + "}";
	}
}
}
`

// TestCSharpObjects has mono run what programs serialize as JSON, and compares the value with
// what bash gives curl.
func TestCSharpObjects(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts a compiler")
	}
	for _, tool := range []string{"mcs", "mono", "bash"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	target, _ := code.Lookup("csharp")
	for i, command := range []string{
		`curl h.test -H 'Content-Type: application/json' -d "{\"model\":\"$A\",\"messages\":[{\"role\":\"system\",\"content\":\"hello ü\"},{\"role\":\"user\",\"content\":\"in $B\"}],\"temperature\":0.7,\"n\":3}"`,
		`curl h.test --json "[\"$A\",null,1,0.5,true,{\"ref\":\"$B\",\"a-b\":[],\"\$c\":{}},[1,2,3],[1,0.5],[true,false],[\"x\",\"$A\"]]"`,
		`curl h.test --json "{\"class\":\"$A\",\"none\":null,\"lists\":[[1],[\"a\"]],\"mixed\":[{\"a\":1},{\"a\":\"1\"},{\"b\":1}],\"e\":[{},{}],\"big\":[1,12345678901]}"`,
		`curl h.test --json "{\"a very long name that fills its line, and more\":{\"deep\":{\"deeper\":[{\"the deepest of them all\":\"$A and $B\",\"and\":\"another\"}]}}}"`,
	} {
		r, err := engine.Parse(command, engine.Input{})
		if err != nil {
			t.Fatal(err)
		}
		program, diags := target.Compose(nil, r.Requests, code.Options{Style: code.StyleIdiomatic})
		statement, _, found := strings.Cut(string(program), "request.Content = ")
		_, statement, declared := strings.Cut(statement, "var body = ")
		if diags.Err() != nil || !found || !declared {
			t.Fatalf("%v\n%s", diags, program)
		}
		source := "using System;\nusing System.Collections.Generic;\nusing System.Linq;\nusing System.Text;\nusing System.Text.Json;\n" +
			"class Program { static void Main() {\nvar body = " + strings.ReplaceAll(statement, "object?", "object") +
			"Console.Write(JsonSerializer.Serialize(body));\n} }\n" + csharpSerializer
		file := filepath.Join(t.TempDir(), "program.cs")
		if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.CommandContext(t.Context(), "mcs", "-out:"+file+".exe", file).CombinedOutput(); err != nil {
			t.Fatalf("command %d: %s\n%s", i, out, program)
		}
		run := func(argv ...string) (value any) {
			c := exec.CommandContext(t.Context(), argv[0], argv[1:]...)
			c.Env = append(os.Environ(), "A=one", "B=two words")
			out, err := c.Output()
			if err == nil {
				err = json.Unmarshal(out, &value)
			}
			if err != nil {
				t.Fatalf("%v: %s\n%s", err, out, program)
			}
			return value
		}
		want := run("bash", "-c", `curl() { printf %s "${@: -1}"; }; `+command)
		if got := run("mono", file+".exe"); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, not %v\n%s", command, got, want, program)
		}
	}
}
