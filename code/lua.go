//go:build !nocode

package code

import (
	"slices"
	"strings"

	"uncoil/internal/ascii"
	"uncoil/request"
)

// What LuaSocket 3.1 with LuaSec 1.2 of Lua 5.3 do by themselves, measured on
// the wire: they add User-Agent, Connection and TE; write names in small
// letters and send a name once; send a source without Content-Length in chunks.
// LuaSec names the port 443 in Host, checks certificates only when told to, and
// does not compare them with the host.
var luaSocket = Target{
	Name: "lua", Language: "lua", Client: "LuaSocket", Version: "3.0", Kind: Code, Extension: "lua",
	Aliases: []string{"luasocket", "lua-socket"}, Proven: true, style: style{indent: "  ", comma: ",", comment: "-- "}, write: writeLua,
	client: client{
		adds:    []string{"User-Agent", "Connection", "TE"},
		loose:   true,
		fixed:   []string{"Transfer-Encoding"},
		always:  []string{"User-Agent"},
		says:    []string{"maxTime", "connectTimeout", "insecure", "cacert", "cert"},
		proxies: []string{"http"},
	},
}

var luaLanguage = language{literal: luaString, variable: luaVariable, plus: " .. "}

func writeLua(p *program) {
	sections := p.sections(0, func(c *call, suffix string) {
		r := luaRequest{p: p, c: c, suffix: suffix}
		r.write()
	})
	if !p.options.Bare {
		for _, name := range p.imports {
			p.line("local ", name[strings.LastIndexByte(name, '.')+1:], ` = require("`, name, `")`)
		}
		p.line()
	}
	for _, function := range p.helpers {
		for line := range strings.SplitSeq(function, "\n") {
			p.line(line)
		}
		p.line()
	}
	p.join(sections)
}

const luaRead = `local function read(name)
  local file = assert(io.open(name, "rb"))
  local content = file:read("a")
  file:close()
  return content
end`

const luaEscape = `local function escape(s)
  return (s:gsub("[^%w%-._~]", function(c) return ("%%%02X"):format(c:byte()) end))
end`

// luaString returns a literal in double quotes, or in single ones where it has
// double ones.
func luaString(s string) string {
	if strings.Contains(s, `"`) && !strings.ContainsAny(s, "'\\\n") && rPlain(s) {
		return "'" + s + "'"
	}
	return doubleQuoted(s, "")
}

func luaVariable(p *program, v *request.Variable) string {
	expr := "os.getenv(" + luaString(v.Name) + ")"
	if v.HasDefault {
		expr = "(" + expr + " or " + luaString(v.Default) + ")"
	}
	switch v.Encoding {
	case userPart:
		return expr + `:match("^[^:]*")`
	case passwordPart:
		return expr + `:match(":(.*)")`
	case lastSegment:
		return expr + `:match("[^/]*$")`
	case request.Percent:
		p.help(luaEscape)
		return "escape(" + expr + ")"
	case request.FormEncode:
		p.help(luaEscape)
		return "(escape(" + expr + `):gsub("%%20", "+"))`
	case request.JSONEscape:
		return "(" + expr + `:gsub('["\\]', "\\%0"))`
	}
	return expr
}

// A luaRequest writes one call with LuaSocket.
type luaRequest struct {
	p       *program
	c       *call
	suffix  string
	entries []node
}

func (r *luaRequest) text(t text) string { return luaLanguage.text(r.p, t) }

func (r *luaRequest) add(name string, value node) {
	r.entries = append(r.entries, named(name, " = ", value))
}

func (r *luaRequest) write() {
	client := r.module()
	body := "body" + r.suffix
	if content := r.content(); content.head+content.open != "" {
		r.p.node("local "+body+" = ", content, "")
	}
	if r.c.Method != "GET" {
		r.add("method", leaf(luaString(r.c.Method)))
	}
	r.headers(body)
	if c := r.c.basic; c != nil {
		r.add("user", leaf(r.text(c.user)))
		password := slices.Clone(c.password) // which LuaSocket decodes
		for i := range password {
			password[i].literal = strings.ReplaceAll(password[i].literal, "%", "%25")
		}
		r.add("password", leaf(r.text(password)))
	}
	if r.c.body.kind != noBody {
		r.p.use("ltn12")
		r.add("source", leaf("ltn12.source.string("+body+")"))
	}
	to := r.c.destination(r.p.options)
	chunks := "chunks" + r.suffix
	switch to {
	case toFile:
		r.p.use("ltn12")
		r.add("sink", leaf("ltn12.sink.file(assert(io.open("+r.text(r.c.output)+`, "wb")))`))
	case contentPrinted:
		r.p.use("ltn12")
		r.p.line("local ", chunks, " = {}")
		r.add("sink", leaf("ltn12.sink.table("+chunks+")"))
	}
	r.exchange()
	if limit := max(r.c.timeout, r.c.connectTimeout); limit > 0 {
		r.p.line(client, ".TIMEOUT = ", seconds(limit))
	}
	before, code, headers := "", "code"+r.suffix, "headers"+r.suffix
	switch {
	case to == headersPrinted:
		before = "local _, " + code + ", " + headers + " = "
	case r.c.fail:
		before = "local _, " + code + " = "
	}
	table := group("", "{", r.entries, "}")
	table.broken, table.width = true, tooWide
	r.p.node(before+"assert("+client+".request ", table, ")")
	if r.c.fail {
		r.p.line("assert(", code, ` < 400, "HTTP " .. `, code, ")")
	}
	switch to {
	case headersPrinted:
		r.p.block("for name, value in pairs("+headers+") do", func() { r.p.line(`print(name .. ": " .. value)`) })
		r.p.line("end")
	case contentPrinted:
		r.p.line("io.write(table.concat(", chunks, "))")
	}
}

// module returns the module that sends the request: one for http, one for
// https.
func (r *luaRequest) module() string {
	url := r.text(r.rooted())
	if !r.c.unknownScheme() {
		module := "socket.http"
		if r.c.secure() {
			module = "ssl.https"
		}
		r.p.use(module)
		r.add("url", leaf(url))
		return module[strings.IndexByte(module, '.')+1:]
	}
	r.p.use("socket.http")
	r.p.use("ssl.https")
	name, client := "url"+r.suffix, "client"+r.suffix
	r.p.line("local ", name, " = ", url)
	if r.c.guess {
		r.p.line("if not ", name, `:find("://", 1, true) then `, name, ` = "http://" .. `, name, " end -- as curl does")
	}
	r.p.line("local ", client, " = ", name, `:find("^https:") and https or http`)
	r.add("url", leaf(name))
	return client
}

// rooted returns the URL with a slash before its query, which LuaSocket needs.
func (r *luaRequest) rooted() text {
	source := r.c.URL
	scheme, query := schemeOf(source), strings.IndexByte(source, '?')
	if scheme == "" || query < 0 || strings.Contains(source[len(scheme)+len("://"):query], "/") {
		return r.c.url
	}
	before := append(r.c.url.cut(0, query), part{literal: "/"})
	return mergeLiterals(append(before, r.c.url.cut(query, len(source))...))
}

func (r *luaRequest) headers(body string) {
	var items []node
	if a, ok := r.c.address(); ok && r.c.field("Host") == nil {
		switch host := a.host.source(); {
		case a.secure && a.port == "":
			items = append(items, leaf("host = "+luaString(host)))
		case strings.HasPrefix(host, "[") && a.port != "":
			items = append(items, leaf("host = "+luaString(host+":"+a.port)))
		}
	}
	for _, f := range r.c.joined() {
		if !f.derived {
			items = append(items, leaf(luaKey(f.name)+" = "+r.text(f.value)))
		}
	}
	if r.c.body.kind != noBody {
		items = append(items, leaf(`["Content-Length"] = #`+body))
	}
	if len(items) > 0 {
		r.add("headers", group("", "{", items, "}"))
	}
}

// luaKey returns the left side of a member of a table.
func luaKey(name string) string {
	for i := range len(name) {
		if !ascii.IsNameByte(name[i]) || i == 0 && ascii.IsDigit(name[i]) || len(name) < 4 {
			return "[" + luaString(name) + "]"
		}
	}
	return name
}

// content returns an expression for the content.
func (r *luaRequest) content() node {
	return r.c.content(r.text, r.file, func(items []node) node { return group("table.concat", "({", items, "})") })
}

// file returns an expression for the content of a file, changed as curl
// changes it.
func (r *luaRequest) file(one piece) string {
	read := `io.read("a")`
	if one.file.source() != "-" {
		r.p.help(luaRead)
		read = "read(" + r.text(one.file) + ")"
	}
	if one.offset > 0 {
		read += ":sub(" + itoa(int(one.offset)+1) + ")"
	}
	if one.strip {
		read = "(" + read + `:gsub("[\r\n\0]", ""))`
	}
	if one.urlencode {
		r.p.help(luaEscape)
		read = "(escape(" + read + `):gsub("%%20", "+"))`
	}
	if len(one.name) > 0 {
		read = r.text(one.prefix()) + " .. " + read
	}
	return read
}

// systemCertificates is where Debian and others keep what the system trusts.
const systemCertificates = "/etc/ssl/certs/ca-certificates.crt"

// exchange adds what shapes the exchange.
func (r *luaRequest) exchange() {
	r.add("redirect", leaf("false"))
	if r.c.proxyScheme() != "" {
		if r.c.encrypts {
			r.p.refuse("asks no proxy for https")
		}
		proxy := r.c.proxyURL()
		if user, _, found := strings.Cut(proxy.source(), "@"); found && strings.Contains(user, "%") {
			r.p.refuse("decodes no credentials in the URL of a proxy")
		}
		r.add("proxy", leaf(r.text(proxy)))
		if a, ok := r.c.address(); ok && a.port == "" {
			r.add("uri", leaf(r.text(r.rooted()))) // with :80 by default
		}
	}
	if !r.c.encrypts {
		return
	}
	switch {
	case r.c.insecure:
		r.add("verify", leaf(`"none"`))
	case len(r.c.caFile) > 0:
		r.add("verify", leaf(`"peer"`))
		r.add("cafile", leaf(r.text(r.c.caFile)))
	default:
		r.add("verify", leaf(`"peer"`))
		r.add("cafile", leaf(luaString(systemCertificates)))
	}
	if len(r.c.cert) > 0 {
		r.add("certificate", leaf(r.text(r.c.cert)))
		r.add("key", leaf(r.text(r.c.certKey())))
	}
}
