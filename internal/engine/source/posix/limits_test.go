package posix

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"uncoil/diag"
	"uncoil/internal/engine/meter"
)

// A short text may stand for much. Whatever it does, an answer comes soon and
// takes little memory.
func TestSplitIsBounded(t *testing.T) {
	repeat := strings.Repeat
	long := map[string]string{"L": repeat("x y ", 50_000), "T": repeat("ab", 2000)}
	for _, c := range []struct {
		name, script string
		code         diag.Code // of the error; none where there is none
	}{
		{"substitutions", repeat("$(", 100_000), diag.CodeNestedTooDeep},
		{"substitutions in quotes", repeat(`"$(`, 100_000), diag.CodeNestedTooDeep},
		{"subshells", repeat("(", 1_000_000), diag.CodeNestedTooDeep},
		{"subshells with blanks", repeat("( ", 1_000_000), diag.CodeNestedTooDeep},
		{"blocks", repeat("{ ", 1_000_000), diag.CodeNestedTooDeep},
		{"braces", repeat("{", 1_000_000), diag.CodeTooLarge},
		{"ifs", repeat("if ", 100_000), diag.CodeNestedTooDeep},
		{"elifs", "if a; then b;" + repeat("elif a; then b;", 10_000) + "fi", ""},
		{"whiles", repeat("while ", 100_000), diag.CodeNestedTooDeep},
		{"functions", repeat("a() ", 100_000), diag.CodeNestedTooDeep},
		{"expansions", repeat("${a:-", 100_000), diag.CodeNestedTooDeep},
		{"arithmetic", repeat("$((", 100_000), diag.CodeNestedTooDeep},
		{"signs", "$((" + repeat("!", 1_000_000), diag.CodeShellSyntax},
		{"commands in arithmetic", "((" + repeat("1+(", 100_000), diag.CodeShellSyntax},
		{"nesting after a quote that is none", "cat <<E'\n'\n" + repeat("$(", 100_000), ""},
		{"nesting in a here-document", "cat <<E\n" + repeat("$(", 100_000), diag.CodeNestedTooDeep},
		{"here-documents", repeat("<<A ", 30_000), ""},
		{"times", repeat("time ", 100_000), ""},
		{"a pipeline", "curl" + repeat("|a", 50_000), ""},
		{"a list", "curl" + repeat("&&a", 1_000_000), diag.CodeTooLarge},
		{"many braces", "curl " + repeat("{1..9}", 20), diag.CodeTooLarge},
		{"a long sequence", "curl {1..1000000000}", diag.CodeTooLarge},
		{"braces in a loop", "for i in {1..9999}; do curl {1..9999}; done", diag.CodeTooLarge},
		{"loops in loops", "for i in {1..9999}; do for j in {1..9999}; do A=1; done; done", diag.CodeTooLarge},
		{"doubling a name", repeat("A=$A$A\n", 60) + "curl $A", diag.CodeTooLarge},
		{"doubling a text", "A=x\n" + repeat("A=$A$A\n", 60) + "curl $A", diag.CodeTooLarge},
		{"doubling a list", "A=(x)\n" + repeat("A=(\"${A[@]}\" \"${A[@]}\")\n", 60) + "curl", diag.CodeTooLarge},
		{"doubling by an operator", "A=xx\n" + repeat("A=${A//x/xx}\n", 60) + "curl", diag.CodeTooLarge},
		{"a long value used often", "curl " + repeat("\"$L\" ", 20_000), diag.CodeTooLarge},
		{"a long value split often", "curl " + repeat("$L", 20_000), diag.CodeTooLarge},
		{"a long value printed often", "echo " + repeat("\"$L\" ", 20_000) + "| curl -d @-", diag.CodeTooLarge},
		{"a format used again", "printf '%s" + repeat("y", 100_000) + "' " + repeat("x ", 100_000) + "| curl -d @-", diag.CodeTooLarge},
		{"replacing in a long value", "curl \"${L//x/yy}\" \"${L//[x]/yy}\" \"${L%%*x*x*x*}\" \"${L#*y*z}\"", ""},
		{"replacing again and again", "curl " + repeat("\"${T//a*a*a*c/yy}\" ", 1000), diag.CodeTooLarge},
		{"many unknown variables", "curl <x " + repeat("$a$b some text ", 30_000), ""},
		{"many lines", repeat("curl x | jq .\n", 9000)[:9000], ""},
		{"comments", repeat("#\n", 1_000_000) + "curl <x", ""},
		{"backslashes", "curl <x " + repeat("\\", 1_000_000) + "\n", ""},
		{"escaped line breaks", "curl <x " + repeat("\\\n", 1_000_000) + "\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			_, diags := Read(c.script, long, meter.New(len(c.script), meter.Limits{}, nil), nil)
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			var code diag.Code
			if d := diags.Err(); d != nil {
				code = d.Code
			}
			if code == diag.CodeTooMuchWork && c.code != "" {
				code = diag.CodeTooLarge // whichever limit comes first
			}
			if code != c.code {
				t.Errorf("the error is %q, want %q", code, c.code)
			}
			if allocated := (after.TotalAlloc - before.TotalAlloc) >> 20; allocated > 700 || took > time.Minute {
				t.Errorf("it took %v and %d MiB", took, allocated)
			}
			t.Logf("%v, %d MiB", took.Round(time.Millisecond), (after.TotalAlloc-before.TotalAlloc)>>20)
		})
	}
}
