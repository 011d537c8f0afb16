package posix

import (
	"strconv"
	"strings"

	"uncoil/internal/engine/ascii"
)

// sum reads $((…)) or $[…], whose opening takes n bytes. It is false where
// there is none: $( (…) ) is a substitution.
func (r *reader) sum(n int, quoted bool) bool {
	start := r.i
	text, length := "", 0
	if n == 2 { // $[…]
		r.i++
		if !r.bracketed() {
			r.i = start
			return false
		}
		text, length = r.src[start+2:r.i-1], r.i-start
		r.i = start
	} else {
		r.i++
		if text, length = r.sumText(2); length > 0 {
			length++
		}
		r.i = start
	}
	if length == 0 {
		return false
	}
	r.i += length
	r.pushExpansion(substitution, expansion{computed: true, sum: text}, start, quoted)
	return true
}

// sumText returns what stands between (( and )) here, and the length of it
// all, 0 where the parentheses do not close so.
func (r *reader) sumText(n int) (text string, length int) {
	s := r.src[r.i:r.end]
	if r.noSum > 0 && r.i < r.noSum {
		return "", 0
	}
	depth := 0
	for i := n; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '\'', '"':
			closing := strings.IndexByte(s[i+1:], s[i])
			if closing < 0 {
				r.pay(i)
				return "", 0
			}
			i += closing + 1
		case '(':
			depth++
		case ')':
			if depth--; depth >= 0 {
				continue
			}
			if !r.pay(i) || i+1 >= len(s) || s[i+1] != ')' {
				return "", 0
			}
			return s[n:i], i + 2
		}
	}
	r.pay(len(s))
	r.noSum = r.end // nothing from here on closes
	return "", 0
}

// countingParts returns the three parts of for ((…; …; …)).
func countingParts(text string) (parts [3]string) {
	first, rest, _ := strings.Cut(text, ";")
	second, third, _ := strings.Cut(rest, ";")
	return [3]string{first, second, third}
}

// compute returns the value of an arithmetic expression, where all that it
// depends on is known and it assigns nothing.
func (r *reader) compute(s string) (n int64, known bool) {
	const operatorSteps = 12 // each operand is asked for each of them
	if !r.pay(operatorSteps*len(s) + 30) {
		return 0, false
	}
	a := sums{r: r, s: s, ok: true}
	n = a.binary(0)
	a.blanks()
	return n, a.ok && a.i == len(s) && !r.stopped
}

// sums reads an arithmetic expression.
type sums struct {
	r     *reader
	s     string
	i     int
	depth int
	ok    bool
}

func (a *sums) blanks() {
	for a.i < len(a.s) && isBlank(a.s[a.i]) {
		a.i++
	}
}

// operators are those of two operands by their strength, the weakest first.
var operators = [][]string{{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}}

// operator returns the operator of a strength that stands here, or "".
func (a *sums) operator(level int) string {
	a.blanks()
	rest := a.s[a.i:]
	for _, op := range operators[level] {
		if !strings.HasPrefix(rest, op) {
			continue
		}
		next := byte(0)
		if len(rest) > len(op) {
			next = rest[len(op)]
		}
		if len(op) == 1 && (next == op[0] && op != "<" && op != ">" || next == '=') || (op == "<" || op == ">") && next == op[0] || (op == "<<" || op == ">>") && next == '=' {
			continue // it is another one
		}
		return op
	}
	return ""
}

// binary reads operands joined by operators at least so strong.
func (a *sums) binary(level int) int64 {
	if level == len(operators) {
		return a.unary()
	}
	x := a.binary(level + 1)
	for a.ok {
		op := a.operator(level)
		if op == "" {
			break
		}
		a.i += len(op)
		x = a.apply(op, x, a.binary(level+1))
	}
	return x
}

func (a *sums) apply(op string, x, y int64) int64 {
	truth := func(b bool) int64 {
		if b {
			return 1
		}
		return 0
	}
	switch op {
	case "||":
		return truth(x != 0 || y != 0)
	case "&&":
		return truth(x != 0 && y != 0)
	case "|":
		return x | y
	case "^":
		return x ^ y
	case "&":
		return x & y
	case "==":
		return truth(x == y)
	case "!=":
		return truth(x != y)
	case "<=":
		return truth(x <= y)
	case ">=":
		return truth(x >= y)
	case "<":
		return truth(x < y)
	case ">":
		return truth(x > y)
	case "<<":
		return x << (uint64(y) & 63)
	case ">>":
		return x >> (uint64(y) & 63)
	case "+":
		return x + y
	case "-":
		return x - y
	case "*":
		return x * y
	}
	if y == 0 || y == -1 {
		a.ok = a.ok && y != 0
		if op == "/" {
			return -x
		}
		return 0
	}
	if op == "/" {
		return x / y
	}
	return x % y
}

// unary reads an operand with the signs before it.
func (a *sums) unary() int64 {
	if a.depth++; a.depth > 100 || !a.ok {
		a.ok = false
		return 0
	}
	defer func() { a.depth-- }()
	a.blanks()
	if a.i == len(a.s) {
		a.ok = false
		return 0
	}
	c := a.s[a.i]
	if (c == '+' || c == '-') && a.i+1 < len(a.s) && a.s[a.i+1] == c {
		a.ok = false // it assigns
		return 0
	}
	switch c {
	case '-':
		a.i++
		return -a.unary()
	case '+':
		a.i++
		return a.unary()
	case '~':
		a.i++
		return ^a.unary()
	case '!':
		a.i++
		if a.unary() == 0 {
			return 1
		}
		return 0
	case '(':
		a.i++
		x := a.binary(0)
		a.blanks()
		if a.i == len(a.s) || a.s[a.i] != ')' {
			a.ok = false
			return 0
		}
		a.i++
		return x
	}
	return a.operand()
}

// operand reads a number or a variable.
func (a *sums) operand() int64 {
	rest := a.s[a.i:]
	if ascii.IsDigit(rest[0]) {
		n := 0
		for n < len(rest) && (ascii.IsNameByte(rest[n]) || rest[n] == '#') {
			n++
		}
		a.i += n
		return a.number(rest[:n])
	}
	braced := strings.HasPrefix(rest, "${")
	switch {
	case braced:
		a.i += 2
	case rest[0] == '$':
		a.i++
	}
	n := ascii.NameLength(a.s[a.i:])
	if n == 0 {
		a.ok = false
		return 0
	}
	name := a.s[a.i : a.i+n]
	a.i += n
	if braced {
		if a.i == len(a.s) || a.s[a.i] != '}' {
			a.ok = false
			return 0
		}
		a.i++
	}
	if after := strings.TrimLeft(a.s[a.i:], " \t\n"); strings.HasPrefix(after, "++") || strings.HasPrefix(after, "--") || strings.HasPrefix(after, "[") {
		a.ok = false
		return 0
	}
	v, known := a.r.lookup(name)
	if v = v.scalar(); !known || len(v.holes) > 0 {
		a.ok = false
		return 0
	}
	if text := strings.TrimSpace(v.text); text != "" {
		sign := int64(1)
		if text[0] == '-' {
			sign, text = -1, text[1:]
		}
		return sign * a.number(text)
	}
	return 0
}

// number returns the value of a number: decimal, octal after 0, hexadecimal
// after 0x.
func (a *sums) number(s string) int64 {
	base := 10
	switch {
	case len(s) > 2 && (s[:2] == "0x" || s[:2] == "0X"):
		s, base = s[2:], 16
	case len(s) > 1 && s[0] == '0':
		base = 8
	}
	n, err := strconv.ParseInt(s, base, 64)
	if err != nil || strings.ContainsAny(s, "+_") {
		a.ok = false
	}
	return n
}

// execute runs an expression that may assign; known is false where its value
// is not. What it assigns to is unknown then.
func (r *reader) execute(s string) (n int64, known bool) {
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part == "" {
			n, known = 1, true
			continue
		}
		if n, known = r.executeOne(part); !known {
			r.forgetAssigned(s)
			return 0, false
		}
	}
	return n, known
}

func (r *reader) executeOne(s string) (n int64, known bool) {
	name := s[:ascii.NameLength(s)]
	rest := strings.TrimLeft(s[len(name):], " \t")
	switch {
	case strings.HasPrefix(s, "++") || strings.HasPrefix(s, "--"):
		if name = strings.TrimLeft(s[2:], " \t"); ascii.NameLength(name) != len(name) {
			return 0, false
		}
		rest = s[:2]
	case name == "":
		return r.compute(s)
	}
	switch {
	case rest == "++" || rest == "--":
		if n, known = r.compute(name); !known {
			return 0, false
		}
		after := n + 1
		if rest == "--" {
			after = n - 1
		}
		return n, r.set(name, value{text: formatInt(after)})
	case strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "=="):
		n, known = r.compute(rest[1:])
	case len(rest) > 1 && rest[1] == '=' && strings.IndexByte("+-*/%", rest[0]) >= 0:
		n, known = r.compute(name + rest[:1] + "(" + rest[2:] + ")")
	default:
		return r.compute(s)
	}
	return n, known && r.set(name, value{text: formatInt(n)})
}

// forgetAssigned makes unknown what an expression may assign to.
func (r *reader) forgetAssigned(s string) {
	if !strings.Contains(s, "=") && !strings.Contains(s, "++") && !strings.Contains(s, "--") || !r.pay(len(s)) {
		return
	}
	for i := 0; i < len(s); {
		if n := ascii.NameLength(s[i:]); n > 0 {
			r.forget(s[i : i+n])
			i += n
			continue
		}
		i++
	}
}
