package posix

import (
	"bytes"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"uncoil/internal/engine/meter"
)

// A ran is one call of curl: its arguments, and what it read from standard
// input.
type ran struct {
	args  []string
	stdin string
}

// driver runs each script that it reads, which end in NUL, in a shell of its
// own. There curl is a function that writes down its arguments and its
// standard input. A script that the shell refuses has an F at its end.
const driver = `
set -f
curl() {
	local in; IFS= read -rd '' in
	printf 'C%s\0' "$#" >&3; printf '%s\0' "$@" "$in" >&3
}
while IFS= read -rd '' script <&4; do
	( eval "$script" ) </dev/null >/dev/null 2>&1 && printf 'E\0' >&3 || printf 'F\0' >&3
done
`

// runBash has the real bash run scripts. failed tells the scripts at whose
// end the shell reported a failure.
func runBash(t testing.TB, scripts []string) (calls [][]ran, failed []bool) {
	t.Helper()
	program, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	dir := t.TempDir()
	in := dir + "/scripts"
	if err := os.WriteFile(in, []byte(strings.Join(scripts, "\x00")+"\x00"), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(in)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	out, err := os.Create(dir + "/calls")
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd := exec.Command(program, "--noprofile", "--norc", "-c", driver)
	cmd.Dir = dir
	cmd.Env = []string{"LC_ALL=C.UTF-8"}
	cmd.ExtraFiles = []*os.File{out, file}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil && stderr.Len() > 0 {
		t.Fatalf("%v: %s", err, stderr.Bytes())
	}
	text, err := os.ReadFile(dir + "/calls")
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00")
	var current []ran
	for i := 0; i < len(fields); i++ {
		if count, isCall := strings.CutPrefix(fields[i], "C"); isCall {
			n, err := strconv.Atoi(count)
			if err != nil {
				t.Fatal(err)
			}
			current = append(current, ran{args: fields[i+1 : i+1+n], stdin: fields[i+1+n]})
			i += n + 1
			continue
		}
		calls, failed = append(calls, current), append(failed, fields[i] == "F")
		current = nil
	}
	if len(calls) != len(scripts) {
		t.Fatalf("bash ran %d of %d scripts: %s", len(calls), len(scripts), stderr.Bytes())
	}
	return calls, failed
}

// curls returns the calls of curl in a script; known is false where Split
// does not know all about them.
func curls(script string, env map[string]string) (calls []ran, known bool, err string) {
	commands, diags := Read(script, env, meter.New(len(script), meter.Limits{}, nil), nil)
	if d := diags.Err(); d != nil {
		return nil, false, string(d.Code) + ": " + d.Message
	}
	known = true
	for _, c := range commands {
		if c.Args[0].Text != "curl" || c.Inside {
			continue
		}
		call := ran{args: []string{}}
		for _, w := range c.Args[1:] {
			call.args = append(call.args, w.Text)
			known = known && w.Holes == nil
		}
		if c.Stdin != nil {
			known = known && c.Stdin.Known && !c.Stdin.Kept && !strings.Contains(c.Stdin.Text, "\x00")
			call.stdin = c.Stdin.Text
		}
		calls = append(calls, call)
	}
	return calls, known, ""
}

// judge holds Split against bash for all scripts of which it knows all.
func judge(t *testing.T, scripts []string) (judged int) {
	t.Helper()
	calls, failed := runBash(t, scripts)
	wrong := 0
	for i, script := range scripts {
		got, known, err := curls(script, nil)
		switch {
		case failed[i]: // a syntax error, which the parser may overlook
		case err != "":
			wrong++
			t.Errorf("%s\n%q is refused: %s\nbash runs %q", script, script, err, calls[i])
		case !known:
		default:
			judged++
			if !slices.EqualFunc(got, calls[i], func(a, b ran) bool { return a.stdin == b.stdin && slices.Equal(a.args, b.args) }) {
				wrong++
				t.Errorf("%s\n%q\n got %q\nwant %q", script, script, got, calls[i])
			}
		}
		if wrong > 5 {
			break // the rest is likely to be the same
		}
	}
	return judged
}

// scripts are what a generator would hardly find. All of them must be known.
var scripts = []string{
	"A=1\ncurl -d @- <<E\n${A}E\n$A E\nE_\nE\ncurl b",
	"A=1\ncurl -d @- <<-E\n\t${A#x}E\n\tE\ncurl b",
	"curl", "curl a 'b c' \"d e\" f\\ g", "curl a\\\nb 'c\\\nd' \"e\\\nf\"", "curl $'a\\tb\\x41\\u00e9\\'' $\"x\"",
	"X=a; curl $X ${X} \"$X\" '$X' \\$X", "X='a  b'; curl $X \"$X\" x$X\"y\"", "X=' '; curl a$X''b \"\"$X\"\"", "X=; curl $X \"$X\" ''$X",
	"IFS=,; X=a,b,,c; curl $X", "IFS=' ,'; X='a , b,c '; curl $X", "IFS=; X='a b'; curl $X",
	"X=abc; curl ${X%c} ${X#a} ${X/b/-} ${#X} ${X:1} ${X:0:2} ${X: -1} ${X^^} ${X^}",
	"X=a/b/c; curl ${X%/*} ${X%%/*} ${X#*/} ${X##*/} ${X//\\//-} ${X/%c/d} ${X/#a/d}",
	"X=abc; curl ${X/b/[&]} ${X/b/\\&} \"${X//[ac]/&&}\"", "X='a*b'; curl ${X%'*'b} ${X%\\*b} ${X#a'*'}",
	"unset X; curl ${X:-d} ${X-d} ${X:+d} \"${X:-a b}\" ${X:-a b} ${X:-\"a b\"} ${X:-'a b'} \"${X:-'a'}\"",
	"unset X; curl ${X:=v w} $X", "X=; curl ${X:-d} ${X-d} ${X:+d} ${X+d}", "X=v; curl ${X:-d} ${X:+a b} \"${X:+a b}\"",
	"X=a; Y=$X$X; Z=\"$Y $Y\"; curl $Z \"$Z\"", "X=a; X+=b; curl $X", "X=a; X=b curl $X; curl $X",
	"export X=a Y='b c'; curl $X $Y", "X=1; export X; readonly Y=2; declare Z=3; curl $X $Y $Z", "X=1; (X=2; curl $X); curl $X", "X=1; { X=2; curl $X; }; curl $X",
	"X=1; echo a | { X=2; curl $X; }; curl $X", "curl {a,b}c x{1..3} {01..3} {a..c} {3..1} {1..10..3} {a,b}{c,d} {a} {} {a,b {,x} a{,b}",
	"curl \"{a,b}\" '{a,b}' \\{a,b} {a\\,b,c} {'a,b',c} {a,{b,c}} {1..a}", "X=a; curl {$X,b} {\"$X\",c}",
	"X=; curl -d @- <<EOF\na $X \\$X \"q\" 'r' \\\\ \\n\nEOF", "X=v; curl -d @- <<EOF\na $X ${X} \\$X \"q\" 'r' \\\\ \\\nb \\`x\\`\nEOF",
	"curl <<'EOF'\n$X \\$Y `z`\nEOF", "curl <<\"EOF\"\n$X\nEOF", "curl <<\\EOF\n$X\nEOF", "X='\ta'; curl <<-EOF\n\t\tb $X\n\tc\n\tEOF\ncurl x",
	"curl <<A; curl <<B\na\nA\nb\nB", "curl <<<abc", "X='a  b'; curl <<<$X; curl <<<\"$X\"; curl <<<'a\nb'", "curl a <<EOF b\nx\nEOF",
	"echo a | curl", "echo -n a | curl", "echo -e 'a\\tb\\x41\\0101\\\\' | curl", "echo -E 'a\\t' | curl", "echo 'a\\tb' | curl", "echo -e 'a\\cb' c | curl", "echo a b  c | curl", "echo -x | curl",
	"printf 'a%sb\\n' x y | curl", "printf '%s' 'a\\n' | curl", "printf '%b' 'a\\n' | curl", "printf 'a\\x41\\101\\\"\\n%%' | curl", "printf '%d|%s' 1 | curl", "printf x y z | curl", "printf -- '-a%s' b | curl", "printf -- -- | curl", "printf '%s\\n' a b c | curl",
	"cat <<EOF | curl\nabc\nEOF", "cat - <<<x | curl", "echo a | cat | curl", "{ echo a; echo b; } | curl", "(echo a) | curl", "echo a | (cat) | curl",
	"if true; then curl a; else curl b; fi", "if false; then curl a; else curl b; fi", "if false; then curl a; elif true; then curl b; else curl c; fi", "true && curl a; false || curl b; true || curl c; false && curl d; curl e",
	"for i in a 'b c' d; do curl $i \"$i\"; done", "for i in {1..3}; do curl $i; done; curl $i", "X='a b'; for i in $X; do curl $i; done", "for i in; do curl $i; done", "for i in 1 2; do for j in a b; do curl $i$j; done; done",
	"f() { curl no; }\ncurl yes", "function f { curl no; }; curl yes", "! curl a", "time curl a", "curl a # b\n# c\ncurl d#e", "curl a 2>/dev/null >/dev/null b", "curl a &>/dev/null b", "curl a>/dev/null",
	"A=(a 'b c' d); curl \"${A[@]}\" ${A[@]} \"${A[*]}\" $A ${A[1]} ${#A[@]} x\"${A[@]}\"y", "A=(); curl \"${A[@]}\" x", "A=(-H 'x: y'); A+=(-d z); curl \"${A[@]}\" u",
	"curl a ; curl b && curl c\ncurl d", "(curl a; (curl b))", "X='$Y'; Y=1; curl $X", "X=\\$Y; curl \"$X\"", "X='a\\b'; curl $X \"$X\"", "curl \\a \"\\a\" \"\\$\" \"\\\\\" '\\' \\\\",
	"X=äöü; curl ${#X} ${X:1:1} ${X^^} ${X%ü} ${X/ö/o}", "X=a; unset X; curl \"x${X}\" $X", "X=1; if true; then X=2; fi; curl $X", "curl \"a\nb\" 'c\nd'", "X='a\nb'; curl $X \"$X\"",
	"X='a b'; export Y=$X{1..3} Z=v{a,b}; curl \"$Y\" \"$Z\"", "X=~; curl a~b", "curl a=b --x=\"y z\" -d'a b'", "curl [1-3] a?b x*y", "X=abcabc; curl ${X//b} ${X/b} ${X//b/} ${X/[a-b]/} ${X//[!a]/-} ${X%%b*} ${X##*b}",
}

func TestSplitByBash(t *testing.T) {
	if n := judge(t, scripts); n < len(scripts)-3 {
		t.Errorf("only %d of %d scripts are known", n, len(scripts))
		for _, s := range scripts {
			if _, known, err := curls(s, nil); !known {
				t.Logf("not known: %s %s", s, err)
			}
		}
	}
}
