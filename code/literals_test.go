package code

import (
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"uncoil/code/internal/elixir"
	"uncoil/code/internal/haskell"
	"uncoil/code/internal/javascript"
	"uncoil/code/internal/lua"
	"uncoil/code/internal/ocaml"
	"uncoil/code/internal/perl"
	"uncoil/code/internal/php"
	"uncoil/code/internal/plan"
	"uncoil/code/internal/posix"
	"uncoil/code/internal/python"
	"uncoil/code/internal/rlang"
	"uncoil/code/internal/ruby"
)

// literalStrings are strings that a careless literal would change.
func literalStrings() []string {
	list := []string{"", "a b", "'", `"`, "`", `\`, `a\`, `\\n`, `\x41`, `\u0041`, "$a", "${a}", "$(a)", "#{a}", "#$a", "#@a", "@a", "%s%%", "!a", "~", "*",
		`{"a":"it's"}`, `it's "$5" \ back)`, "a\nb\r\n\tc", "é", "日本", "😀", "\u2028\u2029\u00a0", "\xc3(", "\xff\xfe", "é\xff", "??/", "]]", "-n",
		"a\nb", "\na\nb", "a\n\nb\n", "\n\n", "{\n  \"a\": \"it's\"\n}", "a\n\\\nb]", "x]]\n]=]\n]", "a)\nb|\n]", "#{a}\n$b @c\n", "a)\"\nb", "a)--\")\"\n)-\"b\n", "a\nb\\", ")|]/>\n\"\n", "é\n日本\n"}
	for c := 1; c < 256; c++ {
		list = append(list, string([]byte{byte(c)}), string([]byte{'a', byte(c), '1'}))
	}
	for _, s := range []string{"a\"'\\é\n)\"", `\"'`, "é\x01\"'", "\r\n\t", "a", "$a#{b}%s", "é\"", "é'"} { // as long as a line of some compilers
		list = append(list, strings.Repeat(s, 3000), "\na\n"+strings.Repeat(s, 3000))
	}
	return list
}

// literalHeads are what begins the programs of some languages.
var literalHeads = map[string]string{
	"php":    "<?php\n",
	"runghc": "{-# LANGUAGE OverloadedStrings #-}\nimport qualified Data.ByteString as B\nimport Text.Printf (printf)\nmain :: IO ()\nmain = do\n",
}

// pythonLine returns an expression of type bytes for what pythonLong writes.
func pythonLine(s string) string {
	if utf8.ValidString(s) {
		return python.Long(new(plan.Program), s, "").Line() + ".encode()"
	}
	return python.Long(new(plan.Program), s, "b").Line()
}

// TestLiterals has the languages themselves read the literals of strings with
// any bytes, and print them.
func TestLiterals(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it starts the interpreters of eleven languages")
	}
	for _, l := range []struct {
		interpreter   string
		literal       func(string) string
		before, after string // around a literal, to print it in hexadecimal
		textOnly      bool   // other strings are written otherwise
	}{
		{"bash", posix.ShellLiteral, "printf %s ", " | od -An -v -tx1 | tr -d ' \\n'; echo", false},
		{"perl", perl.String, "print unpack('H*', ", `), "\n";`, false},
		{"php", php.String, "echo bin2hex(", `), "\n";`, false},
		{"ruby", ruby.String, "puts (", ").b.unpack1('H*')", false},
		{"lua5.3", lua.String, "print(((", `):gsub(".", function(c) return ("%02x"):format(c:byte()) end)))`, false},
		{"elixir", elixir.String, "IO.puts(Base.encode16(", ", case: :lower))", false},
		{"ocaml", ocaml.String, "let () = String.iter (fun c -> Printf.printf \"%02x\" (Char.code c)) ", "; print_newline ()", false},
		{"runghc", haskell.String, `  putStrLn (concatMap (printf "%02x") (B.unpack `, "))", false},
		{"python3", pythonLine, "print((", ").hex())", false},
		{"node", func(s string) string { return javascript.Text(new(plan.Program), plan.Literal(s)).Line() }, "console.log(Buffer.from(", `).toString("hex"))`, true},
		{"Rscript", rlang.String, "cat(format(charToRaw(", `)), "\n", sep = "")`, true},
	} {
		t.Run(l.interpreter, func(t *testing.T) {
			path, err := exec.LookPath(l.interpreter)
			if err != nil {
				t.Skip(err)
			}
			var program strings.Builder
			program.WriteString(literalHeads[l.interpreter])
			var strs []string
			for _, s := range literalStrings() {
				if !l.textOnly || utf8.ValidString(s) {
					strs = append(strs, s)
					program.WriteString(l.before + l.literal(s) + l.after + "\n")
				}
			}
			file := filepath.Join(t.TempDir(), "literals.hs") // runghc asks for this ending
			if err := os.WriteFile(file, []byte(program.String()), 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command(path, file).Output()
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(string(out), "\n")
			for i, s := range strs {
				if i >= len(lines) || lines[i] != hex.EncodeToString([]byte(s)) {
					t.Fatalf("%q is %s, which is read as %v", s, l.literal(s), lines[i:min(i+1, len(lines))])
				}
			}
		})
	}
}
