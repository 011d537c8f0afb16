package jvm

import (
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/request"
)

var groovy = jvm{
	Language: plan.Language{Literal: groovyString, Variable: groovyVariable, Plus: " + "},
	create:   "new ", let: "def ", mutable: "String ", paths: "Path", stdin: "System.in.readAllBytes()",
	implied: true,
	array:   [2]string{"[", "] as %[]"},
	format: func(p *plan.Program, t plan.Text) string {
		return interpolated(t, func(v *request.Variable, _ byte) string { return "${" + groovyVariable(p, v) + "}" })
	},
	block: groovyBlock,
	print: [2]string{"println ", ""},
	bytes: [2]string{".getBytes(StandardCharsets.UTF_8)", ".getBytes(StandardCharsets.ISO_8859_1)"},
	erase: `.replaceAll('[\r\n\u0000]', '')`,
	each:  [2]string{"for (certificate in ", ") {"},
	list:  [2]string{"[", "]"}, shift: " << ", filter: [2]string{"{ field, value -> ", " }"},
	differs: [2]string{"field != "}, hundreds: ".intdiv(100)",
	trust: [4]string{"() {", "void check%Trusted(X509Certificate[] chain, String auth) {}", ", Socket socket",
		"X509Certificate[] getAcceptedIssuers() { [] }"},
}

var scala = jvm{
	Language: plan.Language{Literal: scalaString, Variable: scalaVariable, Plus: " + "},
	create:   "new ", let: "val ", mutable: "var ", paths: "Paths", stdin: "System.in.readAllBytes()",
	array: [2]string{"Array[%](", ")"},
	block: scalaBlock,
	open:  []string{"object Main {", "def main(args: Array[String]): Unit = {"},
	print: [2]string{"println(", ")"},
	bytes: [2]string{".getBytes(StandardCharsets.UTF_8)", ".getBytes(StandardCharsets.ISO_8859_1)"},
	erase: `.replaceAll("[\r\n\u0000]", "")`,
	each:  [2]string{"for (certificate <- ", ".toArray(Array[Certificate]())) {"},
	list:  [2]string{"Seq(", ")"}, shift: " << ", hundreds: " / 100",
	trust: [4]string{" {", "override def check%Trusted(chain: Array[X509Certificate], auth: String): Unit = {}", ", socket: Socket",
		"override def getAcceptedIssuers: Array[X509Certificate] = Array()"},
}

var kotlin = jvm{
	Language: plan.Language{Literal: kotlinString, Variable: kotlinVariable, Plus: " + "},
	let:      "val ", mutable: "var ", paths: "Paths", stdin: "System.`in`.readBytes()",
	array: [2]string{"arrayOf<%>(", ")"},
	format: func(p *plan.Program, t plan.Text) string {
		return interpolated(t, func(v *request.Variable, next byte) string { return kotlinTerm(kotlinVariable(p, v), next) })
	},
	block: kotlinBlock,
	open:  []string{"fun main() {"}, function: kotlinFunction,
	print: [2]string{"println(", ")"},
	bytes: [2]string{".toByteArray()", ".toByteArray(StandardCharsets.ISO_8859_1)"},
	erase: `.replace(Regex("[\r\n\u0000]"), "")`,
	each:  [2]string{"for (certificate in ", ") {"},
	list:  [2]string{"listOf(", ")"}, shift: " shl ", filter: [2]string{"{ field, _ -> ", " }"},
	differs: [2]string{"field != "}, hundreds: " / 100",
	trust: [4]string{"() {", "override fun check%Trusted(chain: Array<X509Certificate>?, auth: String?) {}", ", socket: Socket?",
		"override fun getAcceptedIssuers() = arrayOf<X509Certificate>()"},
}

// groovyString returns a literal in single quotes, in which $ stands for itself.
func groovyString(s string) string { return jvmQuote(s, '\'', "") }

// scalaString returns a literal: in three quotes, in which a backslash stands
// for itself, where the text has quotes.
func scalaString(s string) string {
	if isRaw(s) && !strings.Contains(s, `\u`) {
		return `"""` + s + `"""`
	}
	return jvmString(s)
}

// kotlinString returns a literal: in three quotes where the text has quotes.
func kotlinString(s string) string {
	if isRaw(s) && !strings.Contains(s, "$") {
		return `"""` + s + `"""`
	}
	return kotlinQuoted(s)
}

// isRaw reports whether a text has quotes or backslashes and can stand between
// three quotes, which know no escapes.
func isRaw(s string) bool {
	return strings.ContainsAny(s, `"\`) && !strings.HasSuffix(s, `"`) && !strings.HasPrefix(s, `"`) && !strings.Contains(s, `""`) &&
		jvmEscape(s, "") == strings.ReplaceAll(s, `\`, `\\`)
}

// interpolated returns a literal with variables in it: in double quotes, three
// where the text has quotes itself. variable returns what stands for one before a character
// of the literal.
func interpolated(t plan.Text, variable func(v *request.Variable, next byte) string) string {
	quote, also := `"`, `"$`
	if s := t.Literals(); isRaw(t[0].Literal+"x") && isRaw("x"+t[len(t)-1].Literal) && !strings.ContainsAny(s, `\$`) && isRaw("x"+s+"x") {
		quote, also = `"""`, ""
	}
	var b strings.Builder
	b.WriteString(quote)
	for i, part := range t {
		if part.Variable == nil {
			b.WriteString(jvmEscape(part.Literal, also))
			continue
		}
		next := quote[0]
		if i+1 < len(t) && t[i+1].Variable == nil {
			next = t[i+1].Literal[0]
		}
		b.WriteString(variable(part.Variable, next))
	}
	return b.String() + quote
}

// kotlinTerm returns an expression as it stands in a literal before a character: a name
// needs no braces where none of its own follows.
func kotlinTerm(expr string, next byte) string {
	if emit.IsIdentifier(expr) && next < 0x80 && !emit.IsIdentifier("a"+string(next)) {
		return "$" + expr
	}
	return "${" + expr + "}"
}

func groovyVariable(p *plan.Program, v *request.Variable) string {
	if v.Encoding == plan.Computed {
		return v.Name
	}
	expr := "System.getenv(" + groovyString(v.Name) + ")"
	if v.HasDefault {
		expr = "(" + expr + " ?: " + groovyString(v.Default) + ")"
	}
	return jvmEncoded(p, expr, v, groovyString)
}

func scalaVariable(p *plan.Program, v *request.Variable) string {
	if v.Encoding == plan.Computed {
		return v.Name
	}
	expr := "sys.env(" + jvmString(v.Name) + ")"
	if v.HasDefault {
		expr = "sys.env.getOrElse(" + jvmString(v.Name) + ", " + jvmString(v.Default) + ")"
	}
	return jvmEncoded(p, expr, v, jvmString)
}

func kotlinVariable(p *plan.Program, v *request.Variable) string {
	if v.Encoding == plan.Computed {
		return v.Name
	}
	expr := "System.getenv(" + kotlinQuoted(v.Name) + ")"
	switch {
	case plan.IsLocal(v):
		expr = v.Name
	case p.IsFunction():
		expr = p.Parameter(v)
	case v.HasDefault:
		expr = "(" + expr + " ?: " + kotlinQuoted(v.Default) + ")"
	}
	return jvmEncoded(p, expr, v, kotlinQuoted)
}

// kotlinQuoted returns a literal in double quotes.
func kotlinQuoted(s string) string { return jvmQuote(s, '"', "$") }

// withoutLines takes line breaks and tabs from a text.
var withoutLines = strings.NewReplacer("\n", "", "\t", "")

// rawLines returns the lines of a literal of several lines from which the
// language takes the common indentation: none of them is only blanks, and one
// has no indentation of its own.
func rawLines(t plan.Text, escaped bool) []string {
	s, ok := t.Plain()
	plain := withoutLines.Replace(s)
	if !ok || !emit.HasLines(s) || strings.Contains(s, `"""`) || jvmEscape(plain, "") != strings.ReplaceAll(plain, `\`, `\\`) {
		return nil
	}
	lines := strings.Split(s, "\n")
	flush := false
	for i, line := range lines {
		if strings.TrimSpace(line) != "" {
			flush = flush || line[0] != ' ' && line[0] != '\t'
		} else if line != "" {
			return nil
		}
		if escaped {
			lines[i] = jvmEscape(line, "'")
		}
	}
	if !flush {
		return nil
	}
	return lines
}

func groovyBlock(_ *plan.Program, t plan.Text) []string {
	lines := rawLines(t, true)
	if lines == nil {
		return nil
	}
	lines[len(lines)-1] += "'''.stripIndent()"
	return append([]string{`'''\`}, lines...)
}

func kotlinBlock(_ *plan.Program, t plan.Text) []string {
	lines := rawLines(t, false)
	if lines == nil || strings.Contains(t.Source(), "$") {
		return nil
	}
	return append(append([]string{`"""`}, lines...), `""".trimIndent()`)
}

func scalaBlock(_ *plan.Program, t plan.Text) []string {
	lines := rawLines(t, false)
	if lines == nil || strings.Contains(t.Source(), `\u`) || strings.HasSuffix(t.Source(), `"`) {
		return nil
	}
	for i := range lines[1:] {
		lines[i+1] = "|" + lines[i+1]
	}
	lines[0] = `"""|` + lines[0]
	lines[len(lines)-1] += `""".stripMargin`
	return lines
}
