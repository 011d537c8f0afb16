package files

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/javascript"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
	"uncoil/request"
)

// hurlTakes reports what captures of Hurl take: a value that JSONPath finds, by names
// that need no escapes, and a field of the head. A string has no quotes there.
func hurlTakes(f request.From) bool {
	r, ok := f.(*request.Response)
	if ok && r.Header != "" {
		return r.Word == 0
	}
	return ok && len(r.Path) > 0 && !r.Quoted && !slices.ContainsFunc(r.Path, func(s request.Step) bool { return !s.IsIndex && !isPathName(s.Key) })
}

// isPathName reports a name that stands between quotes in every JSONPath.
func isPathName(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r >= 0x80 || !ascii.IsNameByte(byte(r)) && r != '-' && r != ' ' && r != '.'
	})
}

// jsonPath returns the path to a value as JSONPath has it: RFC 9535.
func jsonPath(path []request.Step) string {
	return "$" + plan.Dotted(path, func(key string) string { return "'" + key + "'" })
}

// captures writes the section that keeps values of the response.
func (r *hurlRequest) captures() {
	if len(r.c.Captures) == 0 {
		return
	}
	r.p.Line("[Captures]")
	for _, one := range r.c.Captures {
		if one.Header != "" {
			r.p.Line(one.Name, `: header "`, one.Header, `"`)
			continue
		}
		r.p.Line(one.Name, `: jsonpath "`, jsonPath(one.Path), `"`)
	}
}

// httpFileTakes reports what a handler of a response takes: a value of its JSON content, or a
// field.
func httpFileTakes(f request.From) bool {
	r, ok := f.(*request.Response)
	return ok && r.Header != "" || hurlTakes(f)
}

// fieldOf returns an expression of a script for a field, of which field has the value.
func fieldOf(one *plan.Capture, field string) string {
	if one.Word > 0 {
		field += `.split(" ")[` + emit.Itoa(one.Word-1) + "]"
	}
	return field
}

// captures writes the handler that keeps values of the response in variables of the client, as
// JetBrains and httpYac read it; REST Client has none.
func (r *httpFileRequest) captures() {
	if len(r.c.Captures) == 0 {
		return
	}
	r.p.Line()
	r.p.Line("> {%")
	r.p.Line(`  if (response.status >= 400) throw new Error("HTTP " + response.status);`)
	for _, one := range r.c.Captures {
		value := "response.body" + plan.Dotted(one.Path, javascript.String)
		if one.Header != "" {
			field := "response.headers.valueOf(" + javascript.String(one.Header) + ")"
			r.p.Line("  if (!", field, ") throw new Error(", javascript.String("the response has no "+one.Header), ");")
			value = fieldOf(&one, field)
		}
		r.p.Line("  client.global.set(", javascript.String(one.Name), ", ", value, ");")
	}
	r.p.Line("%}")
}

// captures returns the lines of the script that keeps values of the response in variables
// of the collection.
func captures(c *plan.Call) (lines []emit.Value) {
	if len(c.Captures) > 0 {
		lines = append(lines, textValue("if (pm.response.code >= 400) pm.execution.setNextRequest(null);")) // ends the run
	}
	for _, one := range c.Captures {
		value := "pm.response.json()" + plan.Dotted(one.Path, javascript.String)
		switch {
		case one.Header != "":
			name := javascript.String(one.Header)
			lines = append(lines, textValue("if (!pm.response.headers.has("+name+")) pm.execution.setNextRequest(null);"),
				textValue("pm.test("+javascript.String("the response has "+one.Header)+", () => pm.response.to.have.header("+name+"));"))
			value = fieldOf(&one, "pm.response.headers.get("+name+")")
		case len(one.Path) == 0:
			value = `pm.response.text().replace(/\n+$/, "")`
		case one.Quoted:
			value = "JSON.stringify(" + value + ")"
		}
		lines = append(lines, textValue("pm.collectionVariables.set("+javascript.String(one.Name)+", "+value+");"))
	}
	return lines
}
