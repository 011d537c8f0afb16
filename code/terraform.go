package code

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"uncoil/internal/engine/source/quote"
	"uncoil/request"
)

// The data source http of Terraform: hashicorp/http 3.5
// (registry.terraform.io/providers/hashicorp/http), in the native syntax of HCL
// 2 (github.com/hashicorp/hcl, hclsyntax/spec.md). By its documentation the provider,
// which uses net/http of Go, adds User-Agent and Accept-Encoding; sends GET,
// HEAD and POST only, and a name once, with capitals; and always follows
// redirects. Strings of HCL are text in Unicode's form NFC, which leaves out
// bytes and loose accents; ${ and %{ begin templates there and are doubled.
// Variables are input variables, set by TF_VAR_ in the environment. Bare leaves
// only the data sources; Indent has no effect.
var terraformHTTP = Target{
	Name: "terraform", Language: "hcl", Client: "hashicorp/http", Version: "3.5", Kind: File, Extension: "tf",
	Aliases: []string{"terraform-http", "hcl", "tf"}, Proven: true,
	style: style{indent: "  ", comment: "# "}, write: writeTerraform,
	client: client{
		http2:     true,
		modernTLS: true,
		adds:      fieldNames{"User-Agent", "Accept-Encoding"},
		always:    fieldNames{"Host", "User-Agent", "Accept-Encoding"},
		zips:      true,
		fixed:     fieldNames{"Content-Length"},
		codings:   noCoding,
		framed:    true,
		methods:   func(method string) bool { return method == "GET" || method == "HEAD" || method == "POST" },
		percents:  goPercents,
		counts:    enclosing,
		says:      []string{"followRedirects", "maxTime", "connectTimeout", "retry", "insecure", "cacert", "cert"},
	},
}

func writeTerraform(p *program) {
	p.indent = p.target.style.indent
	before := ""
	sections := p.sections(0, func(c *call, suffix string) {
		r := terraformSource{p: p, c: c}
		r.write(suffix, before)
		before = "request" + suffix
	})
	if p.options.Bare {
		p.join(sections)
		return
	}
	p.block("terraform {", func() {
		p.block("required_providers {", func() {
			p.block("http = {", func() {
				p.line(`source  = "hashicorp/http"`)
				p.line(`version = "~> 3.5"`)
			})
			p.line("}")
		})
		p.line("}")
	})
	p.line("}")
	for _, variable := range p.helpers {
		p.dst = append(p.dst, variable...)
	}
	p.line()
	p.join(sections)
	for i, c := range p.calls {
		suffix, shown := "", ".response_body"
		if i > 0 {
			suffix = itoa(i + 1)
		}
		switch c.destination(p.options) {
		case discarded:
			continue
		case headersPrinted:
			shown = ".response_headers"
		}
		p.line()
		p.line(`output "response`, suffix, `" {`)
		p.line("  value = data.http.request", suffix, shown)
		p.line("}")
	}
}

// A terraformSource writes one call.
type terraformSource struct {
	p *program
	c *call
}

// write writes a data source, which waits for the one before.
func (r *terraformSource) write(suffix, before string) {
	if !r.c.follow {
		r.p.differs("follows redirects")
	}
	if r.c.maxRedirects != curlRedirects && r.c.follow {
		r.p.lossAt(r.c.place("maxRedirects"), "--max-redirs", "has a limit of its own for redirects")
	}
	if r.c.destination(r.p.options) == toFile {
		r.p.lossAt(r.c.place("output"), "-o", "writes no files")
	}
	if r.c.fail {
		r.p.lossAt(r.c.place("fail"), "-f", "does not fail for a status")
	}
	r.p.needsScheme(r.c)
	if r.c.empties("User-Agent") {
		r.p.refuse("leaves out an empty User-Agent")
	}
	content := r.content()
	lines := [][2]string{{"url", r.text(percentEncoded(r.c.url, ""))}}
	if r.c.Method != "GET" {
		lines = append(lines, [2]string{"method", hclString(r.c.Method)})
	}
	if content != "" {
		lines = append(lines, [2]string{"request_body", content})
	}
	lines = r.exchange(lines)
	r.p.block(`data "http" "request`+suffix+`" {`, func() {
		r.attributes(lines)
		r.headers()
		if r.c.retries > 0 {
			r.p.line()
			r.p.block("retry {", func() { r.p.line("attempts = ", strconv.FormatInt(r.c.retries, 10)) })
			r.p.line("}")
		}
		if before != "" {
			r.p.line()
			r.p.line("depends_on = [data.http.", before, "]")
		}
	})
	r.p.line("}")
}

// attributes writes attributes, whose values begin in the same column.
func (r *terraformSource) attributes(lines [][2]string) {
	width := 0
	for _, one := range lines {
		width = max(width, utf8.RuneCountInString(one[0]))
	}
	for _, one := range lines {
		r.p.line(one[0], strings.Repeat(" ", width-utf8.RuneCountInString(one[0])), " = ", one[1])
	}
}

func (r *terraformSource) headers() {
	var lines [][2]string
	for _, f := range r.c.joined() {
		value := ""
		if f.derived && f.is("Authorization") && hasVariable(r.c.basic.user, r.c.basic.password) {
			value = `"Basic ${base64encode(` + r.text(r.c.basic.joined()) + `)}"`
		} else {
			value = r.text(f.value)
		}
		name := f.name
		if !isHCLName(name) {
			name = hclString(name)
		}
		lines = append(lines, [2]string{name, value})
	}
	if len(lines) == 0 {
		return
	}
	r.p.line()
	r.p.block("request_headers = {", func() { r.attributes(lines) })
	r.p.line("}")
}

// isHCLName reports whether a key is an identifier: hclsyntax/spec.md.
func isHCLName(s string) bool {
	return isToken(s) && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") == "" && !contains("0123456789-", s[0])
}

// text returns an expression for a string.
func (r *terraformSource) text(t text) string {
	r.normal(t)
	if s, ok := t.plain(); ok {
		return hclString(s)
	}
	if len(t) == 1 {
		return r.variable(t[0].variable)
	}
	b := []byte{'"'}
	for i := range t {
		if v := t[i].variable; v != nil {
			b = append(append(append(b, "${"...), r.variable(v)...), '}')
			continue
		}
		s := hclString(t[i].literal)
		b = append(b, s[1:len(s)-1]...)
		if n := len(t[i].literal); i+1 < len(t) && contains("$%", t[i].literal[n-1]) {
			r.p.refuse("reads a sign before a variable as part of it")
		}
	}
	return string(append(b, '"'))
}

// normal refuses text that strings of HCL change: what is not UTF-8, and
// characters that form NFC composes.
func (r *terraformSource) normal(t text) {
	for i := range t {
		for _, c := range t[i].literal {
			if 0x300 <= c && c <= 0x36f || 0x1100 <= c && c <= 0x11ff || c == 0x2126 || c == 0x212a || c == 0x212b || 0x3099 <= c && c <= 0x309a || c == utf8.RuneError || 0xf900 <= c && c <= 0xfaff {
				r.p.refuse("has no place for bytes or characters that are not in Unicode's form NFC")
				return
			}
		}
	}
}

// hclString returns a quoted template of this string.
func hclString(s string) string {
	b := []byte{'"'}
	for i, c := range s {
		switch {
		case lineEscape(c) != 0:
			b = append(b, '\\', lineEscape(c))
		case c == '"' || c == '\\':
			b = append(b, '\\', byte(c))
		case c < ' ' || c == 0x7f || quote.Turns(c):
			b = appendCodeUnit(b, c)
		case (c == '$' || c == '%') && i+1 < len(s) && s[i+1] == '{':
			b = append(b, byte(c), byte(c))
		default:
			b = append(b, string(c)...)
		}
	}
	return string(append(b, '"'))
}

// variable returns a reference to an input variable, and declares it.
func (r *terraformSource) variable(v *request.Variable) string {
	reserved := []string{"source", "version", "providers", "count", "for_each", "lifecycle", "depends_on", "locals"}
	if !isIdentifier(v.Name) || slices.Contains(reserved, v.Name) {
		r.p.refuseName(nowhere, "has no variable with such a name", v.Name)
	}
	declared := "\nvariable \"" + v.Name + "\" {\n  type      = string\n  sensitive = true\n"
	if v.HasDefault {
		declared += "  default   = " + hclString(v.Default) + "\n"
	}
	r.p.help(declared + "}\n")
	name := "var." + v.Name
	switch v.Encoding {
	case request.Percent:
		return `replace(urlencode(` + name + `), "+", "%20")`
	case request.FormEncode:
		return "urlencode(" + name + ")"
	case request.JSONEscape:
		r.p.refuse("inserts a variable in JSON as it is")
	}
	return name
}

// content returns an expression for the content, or nothing.
func (r *terraformSource) content() string {
	switch r.c.body.kind {
	case rawBody:
		if len(r.c.body.data.source()) > 0 {
			return r.text(r.c.body.data)
		}
	case multipartBody:
		return r.pieces(r.c.rawForm())
	case fileBody, pieceBody:
		return r.pieces(r.c.body.list)
	}
	return ""
}

// pieces returns texts and files, joined. Terraform reads files as text.
func (r *terraformSource) pieces(list []piece) string {
	terms := make([]string, 0, len(list))
	for i := range list {
		one := &list[i]
		if one.isText {
			terms = append(terms, r.text(one.text))
			continue
		}
		if one.offset > 0 || one.file.source() == "-" {
			r.p.refuse("reads files only, and whole")
		}
		r.p.cannot("reads files as text", "the file must be UTF-8")
		read := "file(" + r.text(one.file) + ")"
		if one.strip {
			read = `replace(` + read + `, "/[\\r\\n\\x00]/", "")`
		}
		if one.urlencode {
			read = "urlencode(" + read + ")"
		}
		if len(one.name) > 0 {
			terms = append(terms, r.text(one.prefix()))
		}
		terms = append(terms, read)
	}
	if len(terms) == 1 {
		return terms[0]
	}
	return `join("", [` + strings.Join(terms, ", ") + "])"
}

// exchange adds what shapes the transfer.
func (r *terraformSource) exchange(lines [][2]string) [][2]string {
	if limit := max(r.c.timeout, r.c.connectTimeout); limit > 0 {
		lines = append(lines, [2]string{"request_timeout_ms", milliseconds(limit)})
	}
	if !r.c.encrypts {
		return lines
	}
	if r.c.insecure {
		lines = append(lines, [2]string{"insecure", "true"})
	}
	if len(r.c.caFile) > 0 && !r.c.insecure {
		lines = append(lines, [2]string{"ca_cert_pem", "file(" + r.text(r.c.caFile) + ")"})
	}
	if len(r.c.cert) > 0 {
		lines = append(lines, [2]string{"client_cert_pem", "file(" + r.text(r.c.cert) + ")"}, [2]string{"client_key_pem", "file(" + r.text(r.c.certKey()) + ")"})
	}
	return lines
}
