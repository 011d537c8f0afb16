package code

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/request"
)

// What LuaSocket 3.1 with LuaSec 1.2 of Lua 5.3 do by themselves, measured on
// the wire: they add User-Agent, Connection and TE; write names in small
// letters and send a name once; send a source without Content-Length in chunks;
// follow redirects of GET with all fields, so that a program does that itself.
// LuaSec names the port 443 in Host, checks certificates only when told to, and
// does not compare them with the host.
var luaSocket = Target{
	Name: "lua", Language: "lua", Client: "LuaSocket", Version: "3.0", Kind: Code, Extension: "lua",
	Aliases: []string{"luasocket", "lua-socket"}, Proven: true, style: style{indent: "  ", comma: ",", comment: "-- ", wraps: "="}, write: writeLua,
	client: client{
		adds:      fieldNames{"User-Agent", "Connection", "TE"},
		loose:     true,
		codings:   namesNoChunks,
		always:    fieldNames{"User-Agent", "Connection", "TE"},
		emptyHost: true,
		says:      slices.Concat(ownRedirects, []string{"createDirs", "maxTime", "connectTimeout", "insecure", "cacert", "cert", "tlsMin", "tlsMax"}),
		proxies:   []string{"http"},
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
// double ones, or in brackets where it has several lines.
func luaString(s string) string {
	if spansLines(s) {
		level := ""
		for strings.Contains(s+"]", "]"+level+"]") {
			level += "="
		}
		return "[" + level + "[\n" + s + "]" + level + "]"
	}
	if strings.Contains(s, `"`) && !strings.ContainsAny(s, "'\\\n") && unescaped(s) {
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
	own     string // the condition of what goes to the first server only, or nothing
	sends   string // that of the content, which a redirect may take away, or nothing
}

func (r *luaRequest) text(t text) string { return luaLanguage.text(r.p, t) }

// long returns an expression for a text that may be long.
func (r *luaRequest) long(t text) node { return luaLanguage.content(r.p, t) }

func (r *luaRequest) add(name string, value node) {
	r.entries = append(r.entries, named(name, " = ", value))
}

func (r *luaRequest) write() {
	if r.c.follow && r.c.proxyScheme() != "" {
		r.p.stays(r.c, "through a proxy")
	}
	if r.c.follow {
		r.followed()
	} else {
		client := r.module()
		r.content()
		r.request(client)
	}
	code := "code" + r.suffix
	if r.c.fail {
		r.p.line("assert(", code, ` < 400, "HTTP " .. `, code, ")")
	}
	switch r.c.destination(r.p.options) {
	case headersPrinted:
		r.p.block("for name, value in pairs(headers"+r.suffix+") do", func() { r.p.line(`print(name .. ": " .. value)`) })
		r.p.line("end")
	case contentPrinted:
		r.p.line("io.write(table.concat(chunks", r.suffix, "))")
	}
}

// followed writes the exchange in a loop, which ends with a response that is no
// redirect.
func (r *luaRequest) followed() {
	r.p.use("socket.http")
	r.p.use("ssl.https")
	r.p.use("socket.url")
	address := "address" + r.suffix
	r.p.line("local ", address, " = ", r.text(r.rooted()))
	r.guess(address)
	r.content()
	if r.c.guarded() {
		r.own = "own"
		r.p.line("local origin", r.suffix, " = ", address, `:match("^%w+://[^/?#]*")`)
	}
	statuses := r.c.emptying()
	if len(statuses) > 0 {
		r.sends = "content" + r.suffix
		r.p.line("local ", r.sends, " = true")
	}
	code, headers := "code"+r.suffix, "headers"+r.suffix
	names := code + ", " + headers
	if r.c.destination(r.p.options) == contentPrinted {
		names = "chunks" + r.suffix + ", " + names
	}
	r.p.line("local _, ", names)
	loop, limit := "while true do", strconv.FormatInt(r.c.maxRedirects, 10)
	if r.c.maxRedirects >= 0 {
		loop = "for redirects = 0, " + limit + " do"
	}
	r.p.block(loop, func() {
		r.p.line("local client = ", address, `:find("^https:") and https or http`)
		if r.own != "" {
			r.p.line("local own = ", address, `:match("^%w+://[^/?#]*") == origin`, r.suffix)
		}
		r.add("url", leaf(address))
		r.request("client")
		r.p.line("if ", code, " < 300 or ", code, " > 399 or not ", headers, ".location then")
		r.p.line(r.p.indent, "break")
		r.p.line("end")
		if r.c.maxRedirects >= 0 {
			r.p.line("assert(redirects < ", limit, `, "too many redirects")`)
		}
		r.p.line(address, " = url.absolute(", address, ", ", headers, ".location)")
		if len(statuses) > 0 {
			r.p.line(r.sends, " = ", r.sends, " and ", code, " ~= ", strings.Join(statuses, " and "+code+" ~= "))
		}
	})
	r.p.line("end")
}

// only returns an expression for what is there on a condition, if there is one.
func only(condition, value string) string {
	if condition == "" {
		return value
	}
	return condition + " and " + value + " or nil"
}

// request writes one exchange.
func (r *luaRequest) request(client string) {
	body := "body" + r.suffix
	switch method := luaString(r.c.Method); {
	case r.sends != "" && !r.c.keepsMethod:
		r.add("method", leaf(r.sends+" and "+method+` or "GET"`))
	case r.c.Method != "GET":
		r.add("method", leaf(method))
	}
	r.headers(body)
	if c := r.c.basic; c != nil {
		r.add("user", leaf(only(r.own, r.text(c.user))))
		password := slices.Clone(c.password) // which LuaSocket decodes
		for i := range password {
			password[i].literal = strings.ReplaceAll(password[i].literal, "%", "%25")
		}
		r.add("password", leaf(only(r.own, r.text(password))))
	}
	if r.c.body.kind != noBody {
		r.p.use("ltn12")
		r.add("source", leaf(only(r.sends, "ltn12.source.string("+body+")")))
	}
	to := r.c.destination(r.p.options)
	chunks, declare := "chunks"+r.suffix, "local "
	if r.c.follow {
		declare = ""
	}
	switch to {
	case toFile:
		r.p.use("ltn12")
		if folder := r.c.folder(); folder != nil { // Lua has no function for it
			r.p.line("assert(os.execute(", luaString("mkdir -p -- "+r.p.shellWord(folder)), "))")
		}
		r.add("sink", leaf("ltn12.sink.file(assert(io.open("+r.text(r.c.output)+`, "wb")))`))
	case contentPrinted:
		r.p.use("ltn12")
		r.p.line(declare, chunks, " = {}")
		r.add("sink", leaf("ltn12.sink.table("+chunks+")"))
	}
	r.exchange()
	if limit := max(r.c.timeout, r.c.connectTimeout); limit > 0 {
		r.p.line(client, ".TIMEOUT = ", seconds(limit))
	}
	before := ""
	switch {
	case r.c.follow, to == headersPrinted:
		before = declare + "_, code" + r.suffix + ", headers" + r.suffix + " = "
	case r.c.fail:
		before = "local _, code" + r.suffix + " = "
	}
	table := group("", "{", r.entries, "}")
	table.broken, table.width = true, tooWide
	r.p.node(before+"assert("+client+".request ", table, ")")
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
	name, client := "address"+r.suffix, "client"+r.suffix
	r.p.line("local ", name, " = ", url)
	r.guess(name)
	r.p.line("local ", client, " = ", name, `:find("^https:") and https or http`)
	r.add("url", leaf(name))
	return client
}

// guess writes what gives the URL in a variable a scheme.
func (r *luaRequest) guess(name string) {
	if r.c.guess {
		r.p.line("if not ", name, `:find("://", 1, true) then `, name, ` = "http://" .. `, name, " end -- as curl does")
	}
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
	if r.c.follow && (r.c.field("Host") == nil || r.own != "") {
		items = append(items, leaf("host = "+r.hostOf("address"+r.suffix)))
	} else if a, ok := r.c.address(); ok && r.c.field("Host") == nil {
		switch host := a.host.source(); {
		case a.secure && a.port == "":
			items = append(items, leaf("host = "+luaString(host)))
		case strings.HasPrefix(host, "[") && a.port != "":
			items = append(items, leaf("host = "+luaString(host+":"+a.port)))
		}
	}
	for _, f := range r.c.joined() {
		condition := ""
		switch {
		case f.guarded():
			condition = r.own
		case f.typesContent():
			condition = r.sends
		}
		if !f.derived && !(f.is("Host") && r.own != "") {
			items = append(items, leaf(luaKey(f.name)+" = "+only(condition, r.text(f.value))))
		}
	}
	if r.c.body.kind != noBody {
		items = append(items, leaf(`["Content-Length"] = `+only(r.sends, "#"+body)))
	}
	if len(items) > 0 {
		r.add("headers", group("", "{", items, "}"))
	}
}

// hostOf returns an expression for the field Host of a request in the loop: that of
// the command for the first server.
func (r *luaRequest) hostOf(address string) string {
	host := address + `:match("^%w+://([^/?#]*)")`
	if f := r.c.field("Host"); f != nil {
		return r.own + " and " + r.text(f.value) + " or " + host
	}
	return host
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

// content writes the statement that makes the content.
func (r *luaRequest) content() {
	content := r.c.content(r.long, r.text, r.file, func(items []node) node { return group("table.concat", "({", items, "})") })
	if content.head+content.open != "" {
		r.p.node("local body"+r.suffix+" = ", content, "")
	}
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
		if a, ok := r.c.address(); ok && a.port == "" || r.c.basic != nil {
			r.add("uri", leaf(r.text(r.rooted()))) // with :80 and the credentials by default
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
	if refused := r.c.refusesTLS(); len(refused) > 0 {
		items := []node{leaf(`"all"`), leaf(`"no_sslv2"`), leaf(`"no_sslv3"`)}
		for _, version := range refused {
			items = append(items, leaf(`"no_tlsv`+strings.TrimSuffix(version, "_0")+`"`)) // tlsv1 is 1.0
		}
		r.add("options", group("", "{", items, "}"))
	}
	if len(r.c.cert) > 0 {
		r.add("certificate", leaf(r.text(r.c.cert)))
		r.add("key", leaf(r.text(r.c.certKey())))
	}
}
