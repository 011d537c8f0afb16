package posix

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

var (
	scriptCount = flag.Int("scripts", 1000, "how many random scripts bash judges")
	scriptSeed  = flag.Uint64("seed", 1, "where the random scripts start")
)

var joinedNames = regexp.MustCompile(`\$([ABC])((?:\\\n)*[{,}\w"])`)

// A generator writes random scripts.
type generator struct{ *rand.Rand }

func (g generator) pick(list ...string) string { return list[g.IntN(len(list))] }

// join returns between low and high texts of one kind, in one piece.
func (g generator) join(low, high int, separator string, kind func() string) string {
	list := make([]string, low+g.IntN(high-low+1))
	for i := range list {
		list[i] = kind()
	}
	return strings.Join(list, separator)
}

func (g generator) name() string { return g.pick("A", "B", "C") }

func (g generator) plain() string {
	return g.pick("a", "b", "c", "ab", "abc", "1", "x=", "-", "/", ".", "@", ":", "é", "你", "%", "^", "+", "~x", "!")
}

// word returns a word as it stands outside quotes.
func (g generator) word() string { return g.join(1, 4, "", g.piece) }

func (g generator) piece() string {
	switch g.IntN(12) {
	case 0, 1, 2:
		return g.plain()
	case 3:
		return "'" + g.join(0, 3, "", func() string { return g.pick("a", " ", "$A", `\`, `"`, "\n", "`", "*", "é") }) + "'"
	case 4, 5:
		return `"` + g.join(0, 3, "", g.quoted) + `"`
	case 6:
		return g.pick(`\ `, `\$`, `\"`, `\'`, `\\`, `\a`, "\\\n", `\{`, `\,`, `\*`)
	case 7:
		return "$'" + g.join(0, 3, "", func() string { return g.pick("a", `\n`, `\t`, `\'`, `\x41`, `\101`, `\u00e9`, `"`, "$A", `\\`) }) + "'"
	case 8:
		return g.brace()
	default:
		return g.expansion(false)
	}
}

// quoted returns what may stand between double quotes.
func (g generator) quoted() string {
	if g.IntN(3) == 0 {
		return g.expansion(true)
	}
	return g.pick("a", "b", " ", "  ", "'", `\"`, `\$`, `\\`, `\a`, "\n", "\\\n", "{a,b}", "*", "é", "\t", "%", "#")
}

func (g generator) brace() string {
	return g.pick("{a,b}", "{a,}", "{1..3}", "{c..a}", "{01..03}", "{1..5..2}", "{a}", "{}", "{a,{b,c}}", "{$A,b}", `{"$B",c}`, "{a,b", "a}", "{1..x}", "{-1..1}", "{a..c..2}")
}

// expansion returns a parameter expansion.
func (g generator) expansion(quoted bool) string {
	n := g.name()
	switch g.IntN(12) {
	case 0, 1, 2, 3:
		return g.pick("$"+n, "${"+n+"}")
	case 4, 5, 6:
		word := g.join(0, 2, g.pick("", " "), func() string { return g.operand(quoted) })
		return "${" + n + g.pick(":-", "-", ":+", "+", ":=", "=") + word + "}"
	case 7, 8:
		return "${" + n + g.pick("#", "##", "%", "%%") + g.join(1, 2, "", g.pattern) + "}"
	case 9:
		with := g.join(0, 2, "", func() string { return g.pick("x", "y", "&", `\&`, `"&"`, "$B", `\/`, "'z'") })
		return "${" + n + g.pick("/", "//", "/#", "/%") + g.join(1, 2, "", g.pattern) + g.pick("", "/"+with) + "}"
	case 10:
		return "${#" + n + "}"
	default:
		return "${" + n + g.pick(":1", ":1:2", ": -1", ":0:1", ":2", "^^", ",,", "^", ",", ": -2:1", ":0:-1") + "}"
	}
}

// operand returns a part of the word of an operator.
func (g generator) operand(quoted bool) string {
	if quoted {
		return g.pick("a", "b c", "$B", `\"`, `\$`, `"d e"`, "é")
	}
	return g.pick("a", "b", "$B", `"c d"`, `'e f'`, `\ `, `"$C"`, "${C:-g h}")
}

func (g generator) pattern() string {
	return g.pick("a", "b", "c", "*", "?", "[ab]", "[!a]", `\*`, `"*"`, "'?'", "é", "ab", "$B", `"$C"`, "[a-c]")
}

// statement returns one command or more; depth bounds how they nest.
func (g generator) statement(depth int) string {
	if depth > 0 && g.IntN(3) == 0 {
		return g.compound(depth - 1)
	}
	switch g.IntN(14) {
	case 0, 1:
		return g.name() + g.pick("=", "=", "+=") + g.pick(g.word(), "'a b'", `"$A"`, "", "$B", "abcabc", "$'a\\tb'")
	case 2:
		return g.pick("export ", "declare ", "readonly Z; export ") + g.name() + "=" + g.word()
	case 3:
		return "unset " + g.name()
	case 4:
		return g.name() + "=" + g.word() + " " + g.curl()
	case 5:
		return g.printer() + " | " + g.curl()
	case 6:
		return g.curl() + " <<<" + g.word()
	case 7, 8:
		return g.document()
	case 9:
		return g.pick("true && ", "false || ", "! false && ", "false && ", "true || ") + g.curl()
	default:
		return g.curl()
	}
}

func (g generator) curl() string {
	call := "curl " + g.join(1, 4, g.pick(" ", " ", "  ", " \\\n"), g.word)
	return call + g.pick("", "", "", "", " >/dev/null", " 2>&1 x", " # c'c")
}

// printer returns a command whose output is known.
func (g generator) printer() string {
	escaped := func() string {
		return g.pick("a", `\n`, `\t`, `\x41`, `\101`, `\0101`, `\\`, `\"`, "b c", `\u00e9`, `\q`, `\'`, "é")
	}
	switch g.IntN(6) {
	case 0, 1:
		return "echo " + g.pick("", "-n ", "-e ", "-ne ", "-E ") + g.join(0, 3, " ", g.word)
	case 2:
		return "echo " + g.pick("-e ", "") + `"` + strings.ReplaceAll(g.join(0, 4, "", escaped), `"`, "") + `"`
	case 3:
		return `printf "` + g.join(0, 4, "", func() string { return g.pick("a", `\\n`, "%s", "%%", `\\x41`, "%b", `\\t`, "-") }) + `" ` + g.join(0, 3, " ", g.word)
	case 4:
		return "{ echo a; printf b; echo c; }"
	default:
		return "echo a | cat"
	}
}

// document returns curl with a here-document.
func (g generator) document() string {
	operator, tab := "<<", ""
	if g.IntN(3) == 0 {
		operator, tab = "<<-", "\t"
	}
	end := g.pick("EOF", "'EOF'", `"EOF"`, `\EOF`)
	line := func() string {
		return g.pick("", tab) + g.join(0, 4, "", func() string {
			if end == "EOF" && g.IntN(3) == 0 {
				return g.expansion(true)
			}
			return g.pick("a", " ", `"`, "'", `\\`, `\$`, `\n`, `\"`, "{a,b}", "é", "#")
		}) + "\n"
	}
	text := "curl -d @- " + operator + end + g.pick("", " x", " | cat") + "\n" + g.join(0, 3, "", line) + g.pick("", tab) + "EOF"
	return text + "\n:"
}

func (g generator) compound(depth int) string {
	body := func() string { return g.join(1, 2, "\n", func() string { return g.statement(depth) }) }
	switch g.IntN(6) {
	case 0:
		return "(" + body() + "\n)"
	case 1:
		return "{ " + body() + "\n}"
	case 2:
		return "if " + g.pick("true", "false", ":") + "; then\n" + body() + "\nelse\n" + body() + "\nfi"
	case 3:
		return "for " + g.name() + " in " + g.join(0, 3, " ", g.word) + "; do\n" + body() + "\ndone"
	case 4:
		return "f() {\n" + body() + "\n}"
	default:
		return "{ " + body() + "\n} | cat"
	}
}

// TestRandomScriptsByBash holds Split against the real bash for random
// scripts. A failure names its seed: go test -run RandomScripts -seed N
// -scripts 1.
func TestRandomScriptsByBash(t *testing.T) {
	count := *scriptCount
	if testing.Short() {
		count /= 10
	}
	list := make([]string, count)
	for i := range list {
		seed := *scriptSeed + uint64(i)
		g := generator{rand.New(rand.NewPCG(seed, seed))}
		script := g.join(1, 5, "\n", func() string { return g.statement(2) })
		// More text behind a name would make another one, which is not known.
		script = joinedNames.ReplaceAllString(script, "$${$1}$2")
		list[i] = fmt.Sprintf("unset A B C # %d\n%s\n:", seed, script)
		// A blank escaped at the end of a line is read as it is meant.
		list[i] = strings.ReplaceAll(list[i], "\\ \n", "\\ x\n")
	}
	judged := judge(t, list)
	t.Logf("%d of %d scripts are known", judged, len(list))
	if judged < len(list)*3/4 && len(list) > 100 {
		t.Errorf("only %d of %d scripts are known", judged, len(list))
	}
}
