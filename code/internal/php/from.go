package php

import (
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/request"
)

// takes reports what programs for PHP take. PHP has a time zone of its own, so that
// only dates in UTC are those of the shell.
func takes(f request.From) bool {
	if d, ok := f.(*request.Date); ok {
		_, _, seconds := plan.Seconds(d)
		return d.UTC || seconds
	}
	return plan.AnyFrom(f)
}

// computes writes what the program asks the machine for.
func computes(p *plan.Program, c *plan.Call) {
	for _, one := range c.Computes {
		value := ""
		switch f := one.From.(type) {
		case *request.Date:
			value = date(f)
		case *request.UUID: // RFC 9562, section 5.4
			bytes := "$" + p.Bind("bytes", one.Name)
			p.Line(bytes, " = random_bytes(16);")
			p.Line(bytes, "[6] = chr(ord(", bytes, "[6]) & 0x0f | 0x40);")
			p.Line(bytes, "[8] = chr(ord(", bytes, "[8]) & 0x3f | 0x80);")
			value = "vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex(" + bytes + "), 4))"
		case *request.Encoded:
			p.Node("$"+one.Name+" = ", encoded(p, f), ";")
			continue
		case *request.Command:
			value = "rtrim(shell_exec(" + String(f.Text) + `) ?? '', "\n")`
		case *request.Hostname:
			value = "gethostname()"
		case *request.FileContent:
			if value = "base64_encode(file_get_contents(" + String(f.Name) + "))"; f.Base64 {
				break
			}
			value = "rtrim(file_get_contents(" + String(f.Name) + `), "\n")`
		}
		p.Line("$", one.Name, " = ", value, ";")
	}
}

// encoded returns an expression for a text in Base64, or for a hash or an HMAC.
func encoded(p *plan.Program, e *request.Encoded) emit.Node {
	text := emit.Leaf(language.Text(p, plan.EncodedText(e)))
	if e.Hash == "" {
		return phpBase64(e, text)
	}
	function, arguments := "hash", []emit.Node{emit.Leaf(String(e.Hash)), text}
	if e.Key != "" {
		function, arguments = "hash_hmac", append(arguments, emit.Leaf(language.Text(p, plan.EncodedKey(e))))
	}
	if !e.Base64 {
		return emit.Group(function, "(", arguments, ")")
	}
	return phpBase64(e, emit.Group(function, "(", append(arguments, emit.Leaf("true")), ")"))
}

// phpBase64 returns an expression for bytes in Base64.
func phpBase64(e *request.Encoded, data emit.Node) emit.Node {
	n := emit.Group("base64_encode", "(", []emit.Node{data}, ")")
	if e.URLSafe {
		n = emit.Group("strtr", "(", []emit.Node{emit.Group("rtrim", "(", []emit.Node{n, emit.Leaf("'='")}, ")"), emit.Leaf("'+/'"), emit.Leaf("'-_'")}, ")")
	}
	return n
}

// date returns an expression for a date.
func date(d *request.Date) string {
	if before, after, ok := plan.Seconds(d); ok {
		return plan.Around(before, "time()", after, " . ", String)
	}
	verbs := map[byte]string{'Y': "Y", 'm': "m", 'd': "d", 'H': "H", 'M': "i", 'S': "s"}
	return "gmdate(" + String(plan.Pattern(d, verbs, func(s string) string {
		var b strings.Builder
		for i := range len(s) {
			if c := s[i] | 0x20; 'a' <= c && c <= 'z' || s[i] == '\\' {
				b.WriteByte('\\') // else it is a part of the date
			}
			b.WriteByte(s[i])
		}
		return b.String()
	})) + ")"
}

// keepFields writes the statements that keep values of fields of the response, which throw where
// it has none of that name. field returns the expression for the first value of a name.
func keepFields(p *plan.Program, c *plan.Call, field func(name string) string) {
	for _, one := range c.HeaderValues() {
		thrown := emit.Group("throw new RuntimeException", "(", []emit.Node{emit.Leaf(String("the response has no " + one.Header))}, ")")
		p.Node("$"+one.Name+" = "+field(String(one.Header))+" ?? ", thrown, ";")
		if one.Word > 0 {
			p.Line("$", one.Name, " = explode(' ', $", one.Name, ")[", emit.Itoa(one.Word-1), "];")
		}
	}
}

// captures writes the statements that keep values of the response: expressions for its
// content as text, and as an array where the client has one.
func captures(p *plan.Program, c *plan.Call, text, array string) {
	whole, picked := c.Captured()
	for i, name := range whole {
		if i > 0 {
			p.Line("$", name, " = $", whole[0], ";")
			continue
		}
		p.Line("$", name, " = rtrim(", text, `, "\n");`)
	}
	if len(picked) > 0 && array == "" {
		array = "json_decode(" + text + ", true, flags: JSON_THROW_ON_ERROR)"
	}
	if len(picked) > 1 {
		data := "$" + p.Bind("data", "of "+c.Captures[0].Name)
		p.Line(data, " = ", array, ";")
		array = data
	}
	for _, one := range picked {
		value := array + plan.Steps(one.Path, "[", "]", String)
		switch {
		case one.Quoted:
			value = "json_encode(" + value + ")"
		case !one.IsText():
			value = "(string) " + value
		}
		p.Line("$", one.Name, " = ", value, ";")
	}
}
