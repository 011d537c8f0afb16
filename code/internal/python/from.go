package python

import (
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/request"
)

// local returns the variable of the program that holds a value, as text: in a formatted
// literal a number is one already.
func local(v *request.Variable, formatted bool) string {
	if plan.MayBeNumber(v) && (!formatted || v.Encoding > request.EncodingNone) {
		return "str(" + v.Name + ")"
	}
	return v.Name
}

// computes writes what the program asks the machine for.
func computes(p *plan.Program, c *plan.Call) {
	for i := range c.Computes {
		name := c.Computes[i].Name + " = "
		switch f := c.Computes[i].From.(type) {
		case *request.Encoded:
			p.Node(name, encoded(p, f), "")
		case *request.Command:
			p.Use("import subprocess")
			arguments := emit.Group("", "[", []emit.Node{emit.Leaf(`"sh"`), emit.Leaf(`"-c"`), emit.Leaf(String(p, f.Text))}, "]")
			p.Node(name, emit.Group("subprocess.check_output", "(", []emit.Node{arguments, emit.Leaf("text=True")}, `).rstrip("\n")`), "")
		default:
			p.Line(name, native(p, f))
		}
	}
}

// native returns the expression for an operation of the machine.
func native(p *plan.Program, from request.From) string {
	switch f := from.(type) {
	case *request.Date:
		if before, after, ok := plan.Seconds(f); ok {
			p.Use("import time")
			if before == "" && after == "" {
				return "int(time.time())"
			}
			return pythonText(p, plan.Text{{Literal: before}, {Variable: &request.Variable{Name: "int(time.time())", Encoding: plan.Computed}}, {Literal: after}}).Line()
		}
		p.Use("from datetime import datetime")
		zone := ""
		if f.UTC {
			p.Use("from datetime import timezone")
			zone = "timezone.utc"
		}
		return "datetime.now(" + zone + ").strftime(" + String(p, plan.Strftime(f)) + ")"
	case *request.UUID:
		p.Use("import uuid")
		return "str(uuid.uuid4())"
	case *request.Hostname:
		p.Use("import socket")
		return "socket.gethostname()"
	case *request.FileContent:
		p.Use("from pathlib import Path")
		if f.Base64 {
			p.Use("import base64")
			return "base64.b64encode(Path(" + String(p, f.Name) + ").read_bytes()).decode()"
		}
		return "Path(" + String(p, f.Name) + `).read_text().rstrip("\n")`
	}
	return ""
}

// encoded returns the expression for a text in Base64, or for a hash or an HMAC.
func encoded(p *plan.Program, e *request.Encoded) emit.Node {
	text := bytesOf(p, plan.EncodedText(e))
	if e.Base64 {
		p.Use("import base64")
	}
	if e.Hash == "" {
		return pythonBase64(e, text)
	}
	p.Use("import hashlib")
	hash := emit.Group("hashlib."+e.Hash, "(", []emit.Node{text}, ")")
	if e.Key != "" {
		p.Use("import hmac")
		hash = emit.Group("hmac.new", "(", []emit.Node{bytesOf(p, plan.EncodedKey(e)), text, emit.Leaf("hashlib." + e.Hash)}, ")")
	}
	if !e.Base64 {
		return emit.Followed(hash, ".hexdigest()")
	}
	return pythonBase64(e, emit.Followed(hash, ".digest()"))
}

// pythonBase64 returns the expression for bytes in Base64.
func pythonBase64(e *request.Encoded, data emit.Node) emit.Node {
	if e.URLSafe {
		return emit.Group("base64.urlsafe_b64encode", "(", []emit.Node{data}, `).rstrip(b"=").decode()`)
	}
	return emit.Group("base64.b64encode", "(", []emit.Node{data}, ").decode()")
}

// keepFields writes the statements that keep values of fields of the response, which end the
// program where it has none of that name.
func (r *pythonRequest) keepFields(a response) {
	for _, one := range r.c.HeaderValues() {
		value := a.headers + "[" + String(r.p, one.Header) + "]"
		if a.noneLacks { // in place of a KeyError
			value = a.headers + ".get_all(" + String(r.p, one.Header) + ")[0]"
		}
		if one.Word > 0 {
			value += ".split()[" + emit.Itoa(one.Word-1) + "]"
		}
		r.p.Line(one.Name, " = ", value)
	}
}

// captures writes the statements that keep values of the response: expressions for its
// content as JSON and as text, each of which may stand there once.
func (r *pythonRequest) captures(json, text string) {
	json, text = awaited(json), awaited(text)
	whole, picked := r.c.Captured()
	for i, name := range whole {
		if i > 0 {
			r.p.Line(name, " = ", whole[0])
			continue
		}
		r.p.Line(name, " = ", text, `.rstrip("\n")`)
		json = "json.loads(" + name + ")"
	}
	if len(picked) > 0 && strings.HasPrefix(json, "json.") {
		r.p.Use("import json")
	}
	if len(picked) > 1 {
		data := r.p.Bind("data", "of "+json+r.c.Captures[0].Name)
		r.p.Line(data, " = ", json)
		json = data
	}
	for _, one := range picked {
		value := json + plan.Steps(one.Path, "[", "]", func(s string) string { return String(r.p, s) })
		if one.Quoted {
			r.p.Use("import json")
			value = "json.dumps(" + value + ")"
		}
		r.p.Line(one.Name, " = ", value)
	}
}

// awaited returns an expression of which something can be picked.
func awaited(expression string) string {
	if strings.HasPrefix(expression, "await ") {
		return "(" + expression + ")"
	}
	return expression
}
