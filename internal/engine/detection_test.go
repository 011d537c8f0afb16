package engine_test

import (
	"flag"
	"math/rand/v2"
	"strings"
	"testing"

	"uncoil/internal/engine"
	"uncoil/internal/proof/oracle"
)

var detections = flag.Int("detections", 5000, "how many random commands to read with nothing said about the shell")

// TestDetection checks that a random command, spelled as bash reads it, gives
// the same requests with nothing said about the shell as with posix.
func TestDetection(t *testing.T) {
	commands, same := 0, 0
	g := oracle.NewGenerator(1, oracle.Version{Major: 8, Minor: 22})
	r := rand.New(rand.NewPCG(1, 1))
	for range *detections {
		ways := 3 + r.IntN(2)
		text := spellForBash(r, ways, append([]string{"curl"}, g.Case().Args...))
		want, ok := requestsOf(text, engine.Input{Shell: "posix"})
		if !ok {
			continue
		}
		commands++
		if got, _ := requestsOf(text, engine.Input{}); got == want {
			same++
		} else if testing.Verbose() {
			t.Logf("%s\n%s", text, got)
		}
	}
	t.Logf("%d of %d come out the same", same, commands)
	if commands < 1000 || same*1000 < commands*995 {
		t.Errorf("only %d of %d commands come out the same with nothing said about the shell", same, commands)
	}
}

// spellForBash returns a command that bash splits into args. Each argument is
// made of one to three pieces, each quoted in one of as many ways as said: many
// commands should have no $'…', which only bash has.
func spellForBash(r *rand.Rand, ways int, args []string) string {
	var b strings.Builder
	for i, arg := range args {
		if i > 0 {
			b.WriteString([]string{" ", " ", " ", "  ", " \\\n", " \\\n  "}[r.IntN(6)])
		}
		if arg == "" {
			b.WriteString([]string{`''`, `""`}[r.IntN(2)])
		}
		for pieces := 1 + r.IntN(3); arg != ""; pieces-- {
			n := len(arg)
			if pieces > 1 {
				n = 1 + r.IntN(len(arg))
			}
			spellPiece(&b, r.IntN(ways), arg[:n])
			arg = arg[n:]
		}
	}
	return b.String()
}

func spellPiece(b *strings.Builder, way int, s string) {
	switch way {
	case 0:
		b.WriteString("'" + strings.ReplaceAll(s, "'", `'\''`) + "'")
	case 1:
		b.WriteString(`"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(s) + `"`)
	case 2:
		for _, c := range []byte(s) {
			switch {
			case c == '\n':
				b.WriteString("'\n'")
				continue
			case strings.IndexByte(" \t\r\"'\\$`&|;<>()*?[]{}!#~", c) >= 0:
				b.WriteByte('\\')
			}
			b.WriteByte(c)
		}
	default:
		b.WriteString("$'" + strings.NewReplacer(`\`, `\\`, "'", `\'`, "\n", `\n`).Replace(s) + "'")
	}
}
