package code

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"uncoil/code/internal/javascript"
	"uncoil/code/internal/plan"
	"uncoil/code/internal/python"
)

// oddTexts are texts that are hard to quote.
var oddTexts = []string{
	"", "plain", `it's`, `say "hi"`, `it's "both"`, "`tick` ${x} $y #{z} %s {a} {{b}}", `back\slash\n`, "a\nb\rc\td\x00e\x7f",
	"\u2028\u2029\u0085\u00a0\u200b\ufeff", "Zürich 日本 😀", "\U000e0001", "</script>", "\\u0041 \\x41",
}

// TestScriptLiterals compares literals of JavaScript and Python with what the
// languages read as the same text.
func TestScriptLiterals(t *testing.T) {
	for _, c := range []struct{ text, javascript, python string }{
		{`it's`, `"it's"`, `"it's"`},
		{`say "hi"`, `'say "hi"'`, `'say "hi"'`},
		{`it's "both"`, `'it\'s "both"'`, `'it\'s "both"'`},
		{`it's 'one' "`, `"it's 'one' \""`, `"it's 'one' \""`},
		{"a\nb\rc\td\x00\x7f", `"a\nb\rc\td\x00\x7f"`, `"a\nb\rc\td\x00\x7f"`},
		{`\n`, `"\\n"`, `"\\n"`},
		{"\u2028\ufeff", `"\u2028\ufeff"`, `"\u2028\ufeff"`},
		{"\U000e0001", `"\u{e0001}"`, `"\U000e0001"`},
		{"ü😀", `"ü😀"`, `"ü😀"`},
	} {
		if got := javascript.String(c.text); got != c.javascript {
			t.Errorf("JavaScript: %q is %s, want %s", c.text, got, c.javascript)
		}
		if got := python.String(new(plan.Program), c.text); got != c.python {
			t.Errorf("Python: %q is %s, want %s", c.text, got, c.python)
		}
	}
	if got, want := javascript.Quote("`a` ${b} $c", '`'), "`\\`a\\` \\${b} $c`"; got != want {
		t.Errorf("template: %s, want %s", got, want)
	}
	if got, want := python.Bytes(new(plan.Program), "ü\xff'\""), `b"\xc3\xbc\xff'\""`; got != want {
		t.Errorf("bytes: %s, want %s", got, want)
	}
}

// TestWriteScriptLiterals writes programs that compare literals with what they
// stand for: LITERALS names a folder. They print what differs.
func TestWriteScriptLiterals(t *testing.T) {
	folder := os.Getenv("LITERALS")
	if folder == "" {
		t.Skip("LITERALS names no folder")
	}
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	scripts, modules := "", ""
	for _, text := range append(oddTexts, strings.Join(oddTexts, "")) {
		want, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		quoted := javascript.String(text)
		scripts += "if (JSON.parse(" + javascript.String(string(want)) + ") !== " + quoted + ") console.log(" + quoted + ");\n"
		scripts += "if (JSON.parse(" + javascript.String(string(want)) + ") !== " + javascript.Quote(text, '`') + ") console.log(" + quoted + ");\n"
		modules += "if json.loads(" + python.String(new(plan.Program), string(want)) + ") != " + python.String(new(plan.Program), text) + ": print(" + python.String(new(plan.Program), text) + ")\n"
	}
	scripts += "const b = " + javascript.Bytes(new(plan.Program), plan.Literal(string(all))).Head + ";\nfor (let i = 0; i < 256; i++) if (b[i] !== i) console.log(i);\n"
	modules = "import json\n" + modules + "if " + python.Bytes(new(plan.Program), string(all)) + " != bytes(range(256)): print('bytes')\n"
	for name, source := range map[string]string{"literals.mjs": scripts, "literals.py": modules} {
		if err := os.WriteFile(folder+"/"+name, []byte(source), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
