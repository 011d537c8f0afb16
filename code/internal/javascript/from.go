package javascript

import (
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/request"
)

// computes writes what the program asks the machine for.
func (r *jsRequest) computes() {
	for _, one := range r.c.Computes {
		switch f := one.From.(type) {
		case *request.Encoded:
			r.encoded(one.Name, f)
		case *request.Command:
			r.p.Use(`import { execFileSync } from "node:child_process";`)
			arguments := []emit.Node{emit.Leaf(`"sh"`), emit.Leaf(`["-c", ` + String(f.Text) + "]"), emit.Leaf(`{ encoding: "utf8" }`)}
			r.p.Node("const "+one.Name+" = ", emit.Group("execFileSync", "(", arguments, `).replace(/\n+$/, "")`), ";")
		default:
			r.p.Line("const ", one.Name, " = ", r.native(f), ";")
		}
	}
}

// native returns the expression for an operation of the machine.
func (r *jsRequest) native(from request.From) string {
	switch f := from.(type) {
	case *request.Date:
		return r.date(f)
	case *request.UUID:
		return "crypto.randomUUID()"
	case *request.Hostname:
		r.p.Use(`import os from "node:os";`)
		return "os.hostname()"
	case *request.FileContent:
		r.p.Use(`import { readFile } from "node:fs/promises";`)
		if f.Base64 {
			return "await readFile(" + String(f.Name) + `, "base64")`
		}
		return "(await readFile(" + String(f.Name) + `, "utf8")).replace(/\n+$/, "")`
	}
	return ""
}

// encoded writes the statement for a text in Base64, or for a hash or an HMAC.
func (r *jsRequest) encoded(name string, e *request.Encoded) {
	encoding := `"hex"`
	switch {
	case e.URLSafe:
		encoding = `"base64url"`
	case e.Base64:
		encoding = `"base64"`
	}
	text := Text(r.p, plan.EncodedText(e)).Line()
	var calls []string
	switch {
	case e.Hash == "":
		calls = []string{"Buffer.from(" + text + ")", ".toString(" + encoding + ")"}
	case e.Key != "":
		r.p.Use(`import { createHmac } from "node:crypto";`)
		calls = []string{"createHmac(" + String(e.Hash) + ", " + Text(r.p, plan.EncodedKey(e)).Line() + ")", ".update(" + text + ")", ".digest(" + encoding + ")"}
	default:
		r.p.Use(`import { createHash } from "node:crypto";`)
		calls = []string{"createHash(" + String(e.Hash) + ")", ".update(" + text + ")", ".digest(" + encoding + ")"}
	}
	if one := "const " + name + " = " + strings.Join(calls, "") + ";"; r.p.Fits(emit.Columns(one)) || strings.Contains(one, "\n") {
		r.p.Line(one)
		return
	}
	r.p.Node("const "+name+" = ", emit.Lines(calls), ";")
}

// dates are the places of the parts of a date in what toISOString returns, and
// toLocaleString for Sweden.
var dates = map[byte]string{'Y': "0, 4", 'm': "5, 7", 'd': "8, 10", 'H': "11, 13", 'M': "14, 16", 'S': "17, 19"}

// date returns an expression for a date.
func (r *jsRequest) date(d *request.Date) string {
	if before, after, ok := plan.Seconds(d); ok {
		const seconds = "Math.floor(Date.now() / 1000)"
		if before == "" && after == "" {
			return "String(" + seconds + ")"
		}
		return template(before) + "${" + seconds + "}" + template(after)[1:] + "`"
	}
	now := `new Date().toLocaleString("sv-SE")` // as ISO 8601 has it
	if d.UTC {
		now = "new Date().toISOString()"
	}
	switch plan.Strftime(d) {
	case "%Y-%m-%d":
		return now + ".slice(0, 10)"
	case "%H:%M:%S":
		return now + ".slice(11, 19)"
	case "%Y-%m-%d %H:%M:%S":
		if !d.UTC {
			return now
		}
	case "%Y-%m-%dT%H:%M:%SZ":
		if d.UTC {
			return now + `.replace(/\.\d+/, "")`
		}
	}
	name := r.p.Bind("now", "date "+emit.Itoa(len(r.p.Dst)))
	r.p.Line("const ", name, " = ", now, ";")
	var b strings.Builder
	b.WriteByte('`')
	for _, part := range plan.DateParts(d) {
		if part.Verb == 0 {
			b.WriteString(template(part.Literal)[1:])
		} else {
			b.WriteString("${" + name + ".slice(" + dates[part.Verb] + ")}")
		}
	}
	b.WriteByte('`')
	return b.String()
}

// template returns the begin of a template literal.
func template(s string) string {
	quoted := delimited(s, '`', false)
	return quoted[:len(quoted)-1]
}

// keepFields writes the statements that keep values of fields of the response, and throw where
// it has none of that name.
func (r *jsRequest) keepFields(headers string) {
	for _, one := range r.c.HeaderValues() {
		name := String(strings.ToLower(one.Header))
		value := r.response() + headers + "[" + name + "]"
		switch r.p.Target.Client {
		case "fetch", "ky", "ofetch":
			value = r.response() + headers + ".get(" + name + ")"
		}
		if one.Word > 0 {
			value += `?.split(" ")[` + emit.Itoa(one.Word-1) + "]"
		}
		r.p.Line("const ", one.Name, " = ", value, ";")
		r.p.Line("if (!", one.Name, ") throw new Error(", String("the response has no "+one.Header), ");")
	}
}

// captures writes the statements that keep values of the response: expressions for its
// content as a JSON value and as text, each of which may stand there once.
func (r *jsRequest) captures(json, text string) {
	whole, picked := r.c.Captured()
	for i, name := range whole {
		if i > 0 {
			r.p.Line("const ", name, " = ", whole[0], ";")
			continue
		}
		r.p.Line("const ", name, " = (", text, `).replace(/\n+$/, "");`)
		json = "JSON.parse(" + name + ")"
	}
	var members, types []string
	for _, one := range picked {
		key := one.Path[0].Key
		if len(one.Path) > 1 || !emit.IsIdentifier(key) || one.Quoted || !one.IsText() {
			members = nil
			break
		}
		types = append(types, key+": string")
		if one.Name != key {
			key += ": " + one.Name
		}
		members = append(members, key)
	}
	if len(members) > 0 {
		if inTypeScript(r.p) {
			json = "(" + json + ") as { " + strings.Join(types, "; ") + " }"
		}
		r.p.Line("const { ", strings.Join(members, ", "), " } = ", json, ";")
		return
	}
	data := json
	if len(picked) > 1 || strings.HasPrefix(json, "await ") {
		data = r.p.Bind("data", "of "+r.response())
		r.p.Line("const ", data, r.typed("any"), " = ", json, ";")
	}
	for _, one := range picked {
		value := data + plan.Dotted(one.Path, String)
		switch {
		case one.Quoted:
			value = "JSON.stringify(" + value + ")"
		case !one.IsText():
			value = "String(" + value + ")"
		}
		r.p.Line("const ", one.Name, " = ", value, ";")
	}
}

// keepsWhole reports whether the program keeps all content of the response.
func (r *jsRequest) keepsWhole() bool {
	whole, _ := r.c.Captured()
	return len(whole) > 0
}
