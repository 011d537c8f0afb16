package lua

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/code/internal/posix"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/urlparts"
	"uncoil/request"
)

// What LuaSocket 3.1 with LuaSec 1.2 of Lua 5.3 do by themselves, measured on
// the wire: they add User-Agent, Connection and TE; write names in small
// letters and send a name once; send a source without Content-Length in chunks;
// follow redirects of GET with all fields, so that a program does that itself.
// LuaSec names the port 443 in Host, checks certificates only when told to, and
// does not compare them with the host.
var LuaSocket = plan.Target{
	Name: "lua", Convention: &convention, Client: "LuaSocket", Version: "3.0", Kind: plan.Code, Extension: "lua",
	Packages: []plan.Package{{Name: "luasocket", Version: "3.0"}, {Name: "luasec", Version: "1.0", Import: "ssl.https"}},
	Aliases:  []string{"luasocket", "lua-socket"}, Proven: true, Style: emit.Style{Indent: "  ", Comma: ",", Comment: "-- ", Wraps: "="}, Write: writeLua,
	Facts: plan.Client{
		Insists:   true,
		Adds:      plan.FieldNames{"User-Agent", "Connection", "TE"},
		Wire:      plan.Wire{Order: "?", Case: plan.Lower, Names: known, Follows: true},
		Loose:     true,
		Rules:     plan.Rules{plan.SendsCodings(plan.NamesNoChunks)},
		Always:    plan.FieldNames{"User-Agent", "Connection", "TE"},
		EmptyHost: true,
		Proxies:   []string{"http"},
	},
}

// convention is what is customary in the language.
var convention = plan.Convention{Language: "lua", Manifest: plan.Manifest{File: "*.rockspec", Line: `"$n >= $v"`}}

var language = plan.Language{Literal: String, Variable: variable, Plus: " .. "}

// known are fields of HTTP that LuaSocket spells itself: socket/headers.lua.
var known = plan.FieldNames{
	"Accept", "Accept-Charset", "Accept-Encoding", "Accept-Language", "Age", "Allow", "Authorization", "Cache-Control", "Connection", "Content-Disposition", "Content-Encoding", "Content-ID", "Content-Language", "Content-Length", "Content-Location", "Content-Range", "Content-Type",
	"Cookie", "Date", "ETag", "Expect", "Expires", "From", "Host", "If-Match", "If-Modified-Since", "If-None-Match", "If-Range", "If-Unmodified-Since", "Last-Modified", "Location", "Max-Forwards", "MIME-Version",
	"Pragma", "Proxy-Authorization", "Range", "Referer", "Retry-After", "Server", "Status", "Subject", "TE", "To", "Trailer", "Transfer-Encoding", "Upgrade", "User-Agent", "Vary", "Via", "Warning", "WWW-Authenticate",
}

func writeLua(p *plan.Program) {
	limited := false
	sections := p.Sections(0, func(c *plan.Call, suffix string) {
		r := luaRequest{p: p, c: c, suffix: suffix, limited: limited}
		r.write()
		limited = limited || c.Asked.Timeout > 0 || c.Asked.ConnectTimeout > 0
	})
	p.Head(func() {
		for _, name := range p.Imports {
			p.Line("local ", name[strings.LastIndexByte(name, '.')+1:], ` = require("`, name, `")`)
		}
		p.Line()
	})
	for _, function := range p.Helpers {
		for line := range strings.SplitSeq(function, "\n") {
			p.Line(line)
		}
		p.Line()
	}
	p.Join(sections)
}

const luaRead = `local function read(name)
  local file = assert(io.open(name, "rb"))
  local content = file:read("a")
  file:close()
  return content
end`

const escape = `local function escape(s)
  return (s:gsub("[^%w%-._~]", function(c) return ("%%%02X"):format(c:byte()) end))
end`

// String returns a literal in double quotes, or in single ones where it has
// double ones, or in brackets where it has several lines.
func String(s string) string {
	if emit.SpansLines(s) {
		level := ""
		for strings.Contains(s+"]", "]"+level+"]") {
			level += "="
		}
		return "[" + level + "[\n" + s + "]" + level + "]"
	}
	if strings.Contains(s, `"`) && !strings.ContainsAny(s, "'\\\n") && emit.Unescaped(s) {
		return "'" + s + "'"
	}
	return emit.DoubleQuoted(s, "")
}

func variable(p *plan.Program, v *request.Variable) string {
	expr := "os.getenv(" + String(v.Name) + ")"
	if v.HasDefault {
		expr = "(" + expr + " or " + String(v.Default) + ")"
	}
	switch v.Encoding {
	case plan.UserPart:
		return expr + `:match("^[^:]*")`
	case plan.PasswordPart:
		return expr + `:match(":(.*)")`
	case plan.LastSegment:
		return expr + `:match("[^/]*$")`
	case request.EncodingPercent:
		p.Help(escape)
		return "escape(" + expr + ")"
	case request.EncodingForm:
		p.Help(escape)
		return "(escape(" + expr + `):gsub("%%20", "+"))`
	case request.EncodingJSON:
		return "(" + expr + `:gsub('["\\]', "\\%0"))`
	}
	return expr
}

// A luaRequest writes one call with LuaSocket.
type luaRequest struct {
	p       *plan.Program
	c       *plan.Call
	suffix  string
	entries []emit.Node
	limited bool   // a request before has a time limit
	hosts   bool   // the program names the host, which a redirect would not change
	own     string // the condition of what goes to the first server only, or nothing
	sends   string // that of the content, which a redirect may take away, or nothing
}

func (r *luaRequest) text(t plan.Text) string { return language.Text(r.p, t) }

// long returns an expression for a text that may be long.
func (r *luaRequest) long(t plan.Text) emit.Node { return language.Content(r.p, t) }

func (r *luaRequest) add(name string, value emit.Node) {
	r.entries = append(r.entries, emit.Named(name, " = ", value))
}

func (r *luaRequest) write() {
	if r.c.Follow() && r.c.ProxyScheme() != "" {
		r.p.Stays(r.c, "through a proxy")
	}
	if r.c.Follow() {
		r.followed()
	} else {
		client := r.module()
		r.content()
		r.request(client)
	}
	code := "code" + r.suffix
	if r.c.Fail() {
		r.fail(code)
	}
	switch r.c.Destination(r.p.Options) {
	case plan.HeadersPrinted:
		r.p.Block("for name, value in pairs(headers"+r.suffix+") do", func() { r.p.Line(`print(name .. ": " .. value)`) })
		r.p.Line("end")
	case plan.ToFile:
		if r.c.KeepsFile(r.p.Options) {
			r.p.Line("assert(os.rename(", r.text(r.c.PartOutput()), ", ", r.text(r.c.Output()), "))")
		}
	case plan.ContentPrinted:
		r.p.Line("io.write(table.concat(chunks", r.suffix, "))")
	}
}

// fail ends the program where the response is an error, and removes the file that has it.
func (r *luaRequest) fail(code string) {
	if !r.c.KeepsFile(r.p.Options) {
		r.p.Line("assert(", code, ` < 400, "HTTP " .. `, code, ")")
		return
	}
	r.p.Block("if "+code+" >= 400 then", func() {
		r.p.Line("os.remove(", r.text(r.c.PartOutput()), ")")
		r.p.Line(`error("HTTP " .. `, code, ")")
	})
	r.p.Line("end")
}

// followed writes the exchange in a loop, which ends with a response that is no
// redirect.
func (r *luaRequest) followed() {
	r.p.Use("socket.http")
	r.p.Use("ssl.https")
	r.p.Use("socket.url")
	address := "address" + r.suffix
	r.p.Line("local ", address, " = ", r.text(r.rooted()))
	r.guess(address)
	r.content()
	r.c.Does("locationTrusted") // where nothing is guarded, each host gets all
	if r.c.Guarded() {
		r.own = "own"
		r.p.Line("local origin", r.suffix, " = ", address, `:match("^%w+://[^/?#]*")`)
	}
	statuses := r.c.Emptying()
	if len(statuses) > 0 {
		r.sends = "content" + r.suffix
		r.p.Line("local ", r.sends, " = true")
	}
	code, headers := "code"+r.suffix, "headers"+r.suffix
	names := code + ", " + headers
	if r.c.Destination(r.p.Options) == plan.ContentPrinted {
		names = "chunks" + r.suffix + ", " + names
	}
	r.p.Line("local _, ", names)
	loop, limit := "while true do", strconv.FormatInt(r.c.MaxRedirects(), 10)
	if r.c.MaxRedirects() >= 0 {
		loop = "for redirects = 0, " + limit + " do"
	}
	r.p.Block(loop, func() {
		r.p.Line("local client = ", address, `:find("^https:") and https or http`)
		if r.own != "" {
			r.p.Line("local own = ", address, `:match("^%w+://[^/?#]*") == origin`, r.suffix)
		}
		r.add("url", emit.Leaf(address))
		r.request("client")
		r.p.Line("if ", code, " < 300 or ", code, " > 399 or not ", headers, ".location then")
		r.p.Line(r.p.Indent, "break")
		r.p.Line("end")
		if r.c.MaxRedirects() >= 0 {
			r.p.Line("assert(redirects < ", limit, `, "too many redirects")`)
		}
		r.p.Line(address, " = url.absolute(", address, ", ", headers, ".location)")
		if len(statuses) > 0 {
			r.p.Line(r.sends, " = ", r.sends, " and ", code, " ~= ", strings.Join(statuses, " and "+code+" ~= "))
		}
	})
	r.p.Line("end")
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
	switch method := String(r.c.Method); {
	case r.sends != "" && !r.c.KeepsMethod():
		r.add("method", emit.Leaf(r.sends+" and "+method+` or "GET"`))
	case r.c.Method != "GET":
		r.add("method", emit.Leaf(method))
	}
	r.headers(body)
	if c := r.c.Basic; c != nil {
		r.add("user", emit.Leaf(only(r.own, r.text(c.User))))
		password := slices.Clone(c.Password) // which LuaSocket decodes
		for i := range password {
			password[i].Literal = strings.ReplaceAll(password[i].Literal, "%", "%25")
		}
		r.add("password", emit.Leaf(only(r.own, r.text(password))))
	}
	if r.c.Content.Kind != plan.NoBody {
		r.p.Use("ltn12")
		r.add("source", emit.Leaf(only(r.sends, "ltn12.source.string("+body+")")))
	}
	to := r.c.Destination(r.p.Options)
	chunks, declare := "chunks"+r.suffix, "local "
	if r.c.Follow() {
		declare = ""
	}
	switch to {
	case plan.ToFile:
		r.p.Use("ltn12")
		if folder := r.c.Folder(); folder != nil { // Lua has no function for it
			r.p.Line("assert(os.execute(", String("mkdir -p -- "+posix.ShellWord(r.p, folder)), "))")
		}
		output := r.c.Output()
		if r.c.KeepsFile(r.p.Options) {
			output = r.c.PartOutput()
		}
		r.add("sink", emit.Leaf("ltn12.sink.file(assert(io.open("+r.text(output)+`, "wb")))`))
	case plan.ContentPrinted:
		r.p.Use("ltn12")
		r.p.Line(declare, chunks, " = {}")
		r.add("sink", emit.Leaf("ltn12.sink.table("+chunks+")"))
	}
	r.exchange()
	switch limit := max(r.c.Timeout(), r.c.ConnectTimeout()); {
	case limit > 0:
		r.p.Line(client, ".TIMEOUT = ", emit.Seconds(limit))
	case r.limited:
		r.p.Line(client, ".TIMEOUT = 60") // that of the module, after the limit of a request before
	}
	before := ""
	switch {
	case r.c.Follow(), to == plan.HeadersPrinted:
		before = declare + "_, code" + r.suffix + ", headers" + r.suffix + " = "
	case r.c.Fail():
		before = "local _, code" + r.suffix + " = "
	}
	table := emit.Group("", "{", r.entries, "}")
	table.Broken, table.Width = true, emit.TooWide
	r.p.Node(before+"assert("+client+".request ", table, ")")
}

// module returns the module that sends the request: one for http, one for
// https.
func (r *luaRequest) module() string {
	url := r.text(r.rooted())
	if !r.c.UnknownScheme() {
		module := "socket.http"
		if r.c.Secure() {
			module = "ssl.https"
		}
		r.p.Use(module)
		r.add("url", emit.Leaf(url))
		return module[strings.IndexByte(module, '.')+1:]
	}
	r.p.Use("socket.http")
	r.p.Use("ssl.https")
	name, client := "address"+r.suffix, "client"+r.suffix
	r.p.Line("local ", name, " = ", url)
	r.guess(name)
	r.p.Line("local ", client, " = ", name, `:find("^https:") and https or http`)
	r.add("url", emit.Leaf(name))
	return client
}

// guess writes what gives the URL in a variable a scheme.
func (r *luaRequest) guess(name string) {
	if r.c.Guess {
		r.p.Line("if not ", name, `:find("://", 1, true) then `, name, ` = "http://" .. `, name, " end -- as curl does")
	}
}

// rooted returns the URL with its scheme in small letters, and a slash before its query,
// which LuaSocket needs.
func (r *luaRequest) rooted() plan.Text {
	source, url := r.c.URL, r.c.URLText
	scheme, parts := r.c.Scheme(), urlparts.Of(source)
	if lower := strings.ToLower(scheme); lower != scheme && len(scheme) <= len(url[0].Literal) {
		url = plan.MergeLiterals(append(plan.Literal(lower), url.Cut(len(scheme), len(source))...))
	}
	if scheme == "" || parts.Query == len(source) || parts.Query > parts.Path {
		return url
	}
	before := append(url.Cut(0, parts.Query), plan.Part{Literal: "/"})
	return plan.MergeLiterals(append(before, url.Cut(parts.Query, len(source))...))
}

func (r *luaRequest) headers(body string) {
	var items []emit.Node
	if r.c.Follow() && (r.c.Field("Host") == nil || r.own != "") {
		items = append(items, emit.Leaf("host = "+r.hostOf("address"+r.suffix)))
	} else if a, ok := r.c.Address(); ok && r.c.Field("Host") == nil {
		switch host := a.Host.Source(); {
		case a.Secure && a.Port == "":
			items = append(items, emit.Leaf("host = "+String(host)))
		case strings.HasPrefix(host, "[") && a.Port != "":
			items = append(items, emit.Leaf("host = "+String(host+":"+a.Port)))
		}
		r.hosts = len(items) > 0
	}
	for _, f := range r.c.Joined() {
		condition := ""
		switch {
		case f.Guarded():
			condition = r.own
		case f.TypesContent():
			condition = r.sends
		}
		if !f.Derived() && !(f.Is("Host") && r.own != "") {
			items = append(items, emit.Leaf(key(f.Name)+" = "+only(condition, r.text(f.Value))))
		}
	}
	if r.c.Content.Kind != plan.NoBody {
		items = append(items, emit.Leaf(`["Content-Length"] = `+only(r.sends, "#"+body)))
	}
	if len(items) > 0 {
		r.add("headers", emit.Group("", "{", items, "}"))
	}
}

// hostOf returns an expression for the field Host of a request in the loop: that of
// the command for the first server.
func (r *luaRequest) hostOf(address string) string {
	host := address + `:match("^%w+://([^/?#]*)")`
	if f := r.c.Field("Host"); f != nil {
		return r.own + " and " + r.text(f.Value) + " or " + host
	}
	return host
}

// key returns the left side of a member of a table.
func key(name string) string {
	for i := range len(name) {
		if !ascii.IsNameByte(name[i]) || i == 0 && ascii.IsDigit(name[i]) || len(name) < 4 {
			return "[" + String(name) + "]"
		}
	}
	return name
}

// content writes the statement that makes the content.
func (r *luaRequest) content() {
	content := r.c.ContentNode(r.long, r.text, r.file, func(items []emit.Node) emit.Node { return emit.Group("table.concat", "({", items, "})") })
	if content.Head+content.Open != "" {
		r.p.Node("local body"+r.suffix+" = ", content, "")
	}
}

// file returns an expression for the content of a file, changed as curl
// changes it.
func (r *luaRequest) file(one plan.Piece) string {
	read := `io.read("a")`
	if one.File.Source() != "-" {
		r.p.Help(luaRead)
		read = "read(" + r.text(one.File) + ")"
	}
	if one.Offset > 0 {
		read += ":sub(" + emit.Itoa(int(one.Offset)+1) + ")"
	}
	if one.Strip {
		read = "(" + read + `:gsub("[\r\n\0]", ""))`
	}
	if one.Urlencode {
		r.p.Help(escape)
		read = "(escape(" + read + `):gsub("%%20", "+"))`
	}
	if len(one.Name) > 0 {
		read = r.text(one.Prefix()) + " .. " + read
	}
	return read
}

// systemCertificates is where Debian and others keep what the system trusts.
const systemCertificates = "/etc/ssl/certs/ca-certificates.crt"

// exchange adds what shapes the exchange.
func (r *luaRequest) exchange() {
	if r.c.Follow() || r.c.StopsOrGuards() || r.hosts {
		r.add("redirect", emit.Leaf("false"))
	}
	if r.c.ProxyScheme() != "" {
		if r.c.Encrypts {
			r.p.Refuse("asks no proxy for https")
		}
		proxy := r.c.ProxyURL()
		if user, _, found := strings.Cut(proxy.Source(), "@"); found && strings.Contains(user, "%") {
			r.p.Refuse("decodes no credentials in the URL of a proxy")
		}
		r.add("proxy", emit.Leaf(r.text(proxy)))
		if a, ok := r.c.Address(); ok && a.Port == "" || r.c.Basic != nil {
			r.add("uri", emit.Leaf(r.text(r.rooted()))) // with :80 and the credentials by default
		}
	}
	if !r.c.Encrypts {
		return
	}
	switch {
	case r.c.Insecure():
		r.add("verify", emit.Leaf(`"none"`))
	case len(r.c.CaFile()) > 0:
		r.add("verify", emit.Leaf(`"peer"`))
		r.add("cafile", emit.Leaf(r.text(r.c.CaFile())))
	default:
		r.add("verify", emit.Leaf(`"peer"`))
		r.add("cafile", emit.Leaf(String(systemCertificates)))
	}
	if refused := r.c.RefusesTLS(); len(refused) > 0 {
		items := []emit.Node{emit.Leaf(`"all"`), emit.Leaf(`"no_sslv2"`), emit.Leaf(`"no_sslv3"`)}
		for _, version := range refused {
			items = append(items, emit.Leaf(`"no_tlsv`+strings.TrimSuffix(version, "_0")+`"`)) // tlsv1 is 1.0
		}
		r.add("options", emit.Group("", "{", items, "}"))
	}
	if len(r.c.Cert()) > 0 {
		r.add("certificate", emit.Leaf(r.text(r.c.Cert())))
		r.add("key", emit.Leaf(r.text(r.c.CertKey())))
		if phrase := r.c.KeyPassword(); len(phrase) > 0 {
			r.add("password", emit.Leaf(r.text(phrase)))
		}
	}
}
