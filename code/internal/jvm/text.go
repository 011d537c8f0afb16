package jvm

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/request"
)

// jvmString returns a literal in double quotes, as Java, Scala and Clojure have
// it. Bytes that are no text are characters of Latin-1.
func jvmString(s string) string { return jvmQuote(s, '"', "") }

// jvmQuote returns a literal in quotes. A backslash stands before the quote and
// the characters of also.
func jvmQuote(s string, quote rune, also string) string {
	return string(quote) + jvmEscape(s, string(quote)+also) + string(quote)
}

// jvmEscape returns the inside of a literal.
func jvmEscape(s, also string) string {
	if emit.StandsForItself(s, '\\', also) {
		return s
	}
	if !utf8.ValidString(s) {
		s = latin1Text(s)
	}
	b := make([]byte, 0, len(s)+2)
	for _, r := range s {
		switch {
		case r == '\\' || strings.ContainsRune(also, r):
			b = append(b, '\\', byte(r))
		case emit.LineEscape(r) != 0:
			b = append(b, '\\', emit.LineEscape(r))
		case strconv.IsPrint(r):
			b = utf8.AppendRune(b, r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			b = emit.AppendCodeUnit(emit.AppendCodeUnit(b, high), low)
		default:
			b = emit.AppendCodeUnit(b, r)
		}
	}
	return string(b)
}

// latin1Text returns the characters of Latin-1 that have these bytes.
func latin1Text(s string) string {
	var b []byte
	for i := range len(s) {
		b = utf8.AppendRune(b, rune(s[i]))
	}
	return string(b)
}

func javaVariable(p *plan.Program, v *request.Variable) string {
	if v.Encoding == plan.Computed {
		return v.Name
	}
	name, expr := jvmString(v.Name), ""
	switch {
	case plan.IsLocal(v):
		expr = v.Name
	case p.IsFunction() && v.HasDefault:
		p.Use("java.util.Objects")
		expr = "Objects.requireNonNullElse(" + p.Parameter(v) + ", " + jvmString(v.Default) + ")"
	case p.IsFunction():
		expr = p.Parameter(v)
	case v.HasDefault:
		expr = "System.getenv().getOrDefault(" + name + ", " + jvmString(v.Default) + ")"
	default:
		expr = "System.getenv(" + name + ")"
	}
	return jvmEncoded(p, expr, v, jvmString)
}

// jvmEncoded returns the value of a variable with the encoding that its place
// asks for.
func jvmEncoded(p *plan.Program, value string, v *request.Variable, quote func(string) string) string {
	switch v.Encoding {
	case plan.UserPart:
		value += ".substring(0, " + value + ".indexOf(" + quote(":") + "))"
	case plan.PasswordPart:
		value += ".substring(" + value + ".indexOf(" + quote(":") + ") + 1)"
	case plan.LastSegment:
		class, method := "Paths", ".get("
		if p.Target.Language == "java" || p.Target.Language == "groovy" {
			class, method = "Path", ".of("
		}
		p.Use("java.nio.file." + class)
		value = class + method + value + ").getFileName().toString()"
	case request.EncodingPercent, request.EncodingForm:
		p.Use("java.net.URLEncoder")
		p.Use("java.nio.charset.StandardCharsets")
		value = "URLEncoder.encode(" + value + ", StandardCharsets.UTF_8)"
		if v.Encoding == request.EncodingPercent {
			value += ".replace(" + quote("+") + ", " + quote("%20") + ")"
		}
	case plan.Segment, plan.Segments, plan.JSONValue, plan.JSONElements, plan.FieldText:
		value = helped(p, v.Encoding, value)
	case request.EncodingJSON:
		if p.Target.Functions && p.TakesValues() {
			return helped(p, v.Encoding, value)
		}
		value += ".replace(" + quote(`\`) + ", " + quote(`\\`) + ").replace(" + quote(`"`) + ", " + quote(`\"`) + ")"
	}
	return value
}

// text returns an expression for a text on one line.
func (d *jvm) text(p *plan.Program, t plan.Text) string {
	if len(t) > 1 && d.format != nil {
		return d.format(p, t)
	}
	return d.Language.Text(p, t)
}

// inner returns the text as the receiver of a call.
func (d *jvm) inner(p *plan.Program, t plan.Text) string {
	if s := d.text(p, t); len(t) < 2 || d.format != nil {
		return s
	}
	return "(" + d.Language.Text(p, t) + ")"
}

// long returns an expression for a text, of several lines where it is long, has
// several lines, or has many quotes.
func (d *jvm) long(p *plan.Program, t plan.Text) emit.Node {
	source := t.Literals()
	if t.IsText() && (strings.Contains(source, "\n") || strings.Count(source, `"`) > 1) {
		if block := d.block(p, t); block != nil {
			return emit.Lines(block)
		}
	}
	if one := d.text(p, t); len(one) <= emit.LongLiteral {
		return emit.Leaf(one)
	}
	var out []string
	for _, part := range t {
		if part.Variable != nil {
			out = append(out, d.Variable(p, part.Variable))
			continue
		}
		for _, s := range splitLines(p, part.Literal) {
			if s != "" {
				out = append(out, d.Literal(s))
			}
		}
	}
	for i := range len(out) - 1 {
		out[i] += " +"
	}
	return emit.Lines(joinShort(out))
}

// joinShort joins lines with the next ones as long as they are short.
func joinShort(in []string) []string {
	out := in[:1]
	for _, s := range in[1:] {
		if last := out[len(out)-1]; len(last)+len(s) < emit.LongLiteral && !strings.HasSuffix(last[:len(last)-len(`" +`)], `\n`) {
			out[len(out)-1] = last + " " + s
		} else {
			out = append(out, s)
		}
	}
	return out
}

// splitLines cuts a text into lines with their ends, and in exact style long lines into parts.
func splitLines(p *plan.Program, s string) []string {
	lines := strings.SplitAfter(s, "\n")
	if !p.Exact() {
		return lines
	}
	var out []string
	for _, line := range lines {
		out = append(out, emit.SplitLong(line)...)
	}
	return out
}

// splitMembers cuts long lines of JSON between members.
func splitMembers(lines []string) []string {
	var out []string
	for _, line := range lines {
		start, end, inString := 0, 0, false
		for i := 0; i < len(line); i++ {
			switch c := line[i]; {
			case c == '\\':
				i++
			case c == '"':
				inString = !inString
			case c == ',' && !inString:
				if i-start >= emit.LongLiteral && end > start {
					out = append(out, line[start:end])
					start = end
				}
				end = i + 1
			}
		}
		if len(line)-start > emit.LongLiteral && end > start {
			out = append(out, line[start:end])
			start = end
		}
		out = append(out, line[start:])
	}
	return out
}

// javaBlock returns a text block. Variables are arguments of formatted.
func javaBlock(p *plan.Program, t plan.Text) []string {
	var b strings.Builder
	var arguments []string
	for _, part := range t {
		switch {
		case part.Variable != nil:
			b.WriteString("%s")
			arguments = append(arguments, javaVariable(p, part.Variable))
		case len(t) > 1:
			b.WriteString(strings.ReplaceAll(part.Literal, "%", "%%"))
		default:
			b.WriteString(part.Literal)
		}
	}
	parts := splitLines(p, b.String())
	if s := strings.TrimLeft(b.String(), " \n"); !p.Exact() && (strings.HasPrefix(s, "{") || strings.HasPrefix(s, "[")) {
		parts = splitMembers(parts)
	}
	indented := !slices.ContainsFunc(parts, func(s string) bool { return s != "" && s[0] != ' ' && s[0] != '\n' })
	out := []string{`"""`}
	for i, s := range parts {
		content, ended := strings.CutSuffix(s, "\n")
		line := strings.ReplaceAll(jvmEscape(content, ""), `"""`, `\"""`)
		last := i == len(parts)-1
		if (ended || last) && strings.HasSuffix(line, " ") {
			line = line[:len(line)-1] + `\s`
		}
		switch {
		case last && indented && strings.HasPrefix(line, " "):
			line = `\s` + line[1:] // the other lines keep their blanks
		case !last && !ended:
			line += `\`
		}
		if last {
			if s, ok := strings.CutSuffix(line, `"`); ok {
				line = s + `\"`
			}
			line += `"""`
			if len(arguments) > 0 {
				line += ".formatted(" + strings.Join(arguments, ", ") + ")"
			}
		}
		out = append(out, line)
	}
	return out
}
