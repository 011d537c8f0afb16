package ruby

import (
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/request"
)

// computes writes what the program asks the machine for.
func (r *rubyRequest) computes() {
	for _, one := range r.c.Computes {
		switch f := one.From.(type) {
		case *request.Encoded:
			r.p.Node(one.Name+" = ", r.encoded(f), "")
		case *request.Command:
			arguments := emit.Group("", "[", []emit.Node{emit.Leaf("'sh'"), emit.Leaf("'-c'"), emit.Leaf(String(f.Text))}, "]")
			r.p.Node(one.Name+" = ", emit.Group("IO.popen", "(", []emit.Node{arguments, emit.Leaf("&:read")}, `).sub(/\n+\z/, '')`), "")
		default:
			r.p.Line(one.Name, " = ", r.native(f))
		}
	}
}

// native returns the expression for an operation of the machine.
func (r *rubyRequest) native(from request.From) string {
	switch f := from.(type) {
	case *request.Date:
		if before, after, ok := plan.Seconds(f); ok {
			return plan.Around(before, "Time.now.to_i.to_s", after, " + ", String)
		}
		now := "Time.now"
		if f.UTC {
			now += ".utc"
		}
		return now + ".strftime(" + String(plan.Strftime(f)) + ")"
	case *request.UUID:
		r.p.Use("securerandom")
		return "SecureRandom.uuid"
	case *request.Hostname:
		r.p.Use("socket")
		return "Socket.gethostname"
	case *request.FileContent:
		if f.Base64 {
			return "[File.binread(" + String(f.Name) + ")].pack('m0')"
		}
		return "File.read(" + String(f.Name) + `).sub(/\n+\z/, '')`
	}
	return ""
}

// encoded returns the expression for a text in Base64, or for a hash or an HMAC.
func (r *rubyRequest) encoded(e *request.Encoded) emit.Node {
	text := emit.Leaf(r.text(plan.EncodedText(e)))
	packed := "].pack('m0')"
	if e.URLSafe {
		packed += ".tr('+/', '-_').delete('=')"
	}
	if e.Hash == "" {
		return emit.Group("", "[", []emit.Node{text}, packed)
	}
	r.p.Use("openssl")
	function, arguments := "OpenSSL::Digest", []emit.Node{emit.Leaf(String(strings.ToUpper(e.Hash))), text}
	if e.Key != "" {
		function, arguments = "OpenSSL::HMAC", []emit.Node{arguments[0], emit.Leaf(r.text(plan.EncodedKey(e))), text}
	}
	if !e.Base64 {
		return emit.Group(function+".hexdigest", "(", arguments, ")")
	}
	return emit.Group("", "[", []emit.Node{emit.Group(function+".digest", "(", arguments, ")")}, packed)
}

// captures writes the statements that keep values of the response; headers is what has its
// fields, and raises a KeyError for one that is not there.
func (r *rubyRequest) captures(headers string) {
	for _, one := range r.c.HeaderValues() {
		value := headers + ".fetch(" + String(one.Header) + ")"
		if one.Word > 0 {
			value += ".split.fetch(" + emit.Itoa(one.Word-1) + ")"
		}
		r.p.Line(one.Name, " = ", value)
	}
	whole, picked := r.c.Captured()
	for i, name := range whole {
		if i > 0 {
			r.p.Line(name, " = ", whole[0])
			continue
		}
		r.p.Line(name, ` = response.body.sub(/\n+\z/, '')`)
	}
	data := "JSON.parse(response.body)"
	if len(picked) > 0 {
		r.p.Use("json")
	}
	if len(picked) > 1 {
		data = r.p.Bind("data", "of "+r.c.Captures[0].Name)
		r.p.Line(data, " = JSON.parse(response.body)")
	}
	for _, one := range picked {
		value := data + plan.Steps(one.Path, ".fetch(", ")", String)
		switch {
		case one.Quoted:
			value += ".to_json"
		case !one.IsText():
			value += ".to_s"
		}
		r.p.Line(one.Name, " = ", value)
	}
}
