package files

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
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
var Terraform = plan.Target{
	Name: "terraform", Convention: plan.Format("hcl"), Client: "hashicorp/http", Version: "3.5", Kind: plan.File, Encodes: true, Extension: "tf",
	Aliases: []string{"terraform-http", "hcl", "tf"}, Proven: true,
	Style: emit.Style{Indent: "  ", Comment: "# "}, Write: writeTerraform,
	Facts: plan.Client{
		Http2:     true,
		ModernTLS: true,
		Adds:      plan.FieldNames{"User-Agent", "Accept-Encoding"},
		Always:    plan.FieldNames{"Host", "User-Agent", "Accept-Encoding"},
		Rules: plan.Rules{
			plan.AsksForGzip,
			plan.SendsCodings(plan.NoCoding),
			plan.CodesContentOnly,
			plan.SendsMethods(func(method string) bool { return method == "GET" || method == "HEAD" || method == "POST" }),
			plan.ReadsURLs(plan.GoPercents),
		},
		Fixed:  plan.FieldNames{"Content-Length"},
		Counts: plan.Enclosing,
	},
}

func writeTerraform(p *plan.Program) {
	p.Indent = p.Target.Style.Indent
	before := ""
	sections := p.Sections(0, func(c *plan.Call, suffix string) {
		r := terraformSource{p: p, c: c}
		r.write(suffix, before)
		before = "request" + suffix
	})
	if p.Options.Bare {
		p.Join(sections)
		return
	}
	p.Block("terraform {", func() {
		p.Block("required_providers {", func() {
			p.Block("http = {", func() {
				p.Line(`source  = "hashicorp/http"`)
				p.Line(`version = "~> 3.5"`)
			})
			p.Line("}")
		})
		p.Line("}")
	})
	p.Line("}")
	for _, variable := range p.Helpers {
		p.Dst = append(p.Dst, variable...)
	}
	p.Line()
	p.Join(sections)
	for i, c := range p.Calls {
		suffix, shown := "", ".response_body"
		if i > 0 {
			suffix = emit.Itoa(i + 1)
		}
		switch c.Destination(p.Options) {
		case plan.Discarded:
			continue
		case plan.HeadersPrinted:
			shown = ".response_headers"
		}
		p.Line()
		p.Line(`output "response`, suffix, `" {`)
		p.Line("  value = data.http.request", suffix, shown)
		p.Line("}")
	}
}

// A terraformSource writes one call.
type terraformSource struct {
	p *plan.Program
	c *plan.Call
}

// write writes a data source, which waits for the one before.
func (r *terraformSource) write(suffix, before string) {
	if r.c.Stops() {
		r.p.Differs("follows redirects")
	}
	needsScheme(r.p, r.c)
	if r.c.Empties("User-Agent") {
		r.p.Refuse("leaves out an empty User-Agent")
	}
	content := r.content()
	lines := [][2]string{{"url", r.text(plan.PercentEncoded(r.c.URLText, ""))}}
	if r.c.Method != "GET" {
		lines = append(lines, [2]string{"method", hclString(r.c.Method)})
	}
	if content != "" {
		lines = append(lines, [2]string{"request_body", content})
	}
	lines = r.exchange(lines)
	r.p.Block(`data "http" "request`+suffix+`" {`, func() {
		r.attributes(lines)
		r.headers()
		if r.c.Retries() > 0 {
			r.p.Line()
			r.p.Block("retry {", func() { r.retry() })
			r.p.Line("}")
		}
		if before != "" {
			r.p.Line()
			r.p.Line("depends_on = [data.http.", before, "]")
		}
	})
	r.p.Line("}")
}

// retry writes how often and when the provider tries again: its schema in
// internal/provider/data_source_http.go of hashicorp/http 3.5.
func (r *terraformSource) retry() {
	lines := [][2]string{{"attempts", strconv.FormatInt(r.c.Retries(), 10)}}
	if delay, _ := r.c.Member("retryDelay").(float64); delay > 0 {
		wait := emit.Milliseconds(delay)
		lines = append(lines, [2]string{"min_delay_ms", wait}, [2]string{"max_delay_ms", wait})
	}
	r.attributes(lines)
}

// attributes writes attributes, whose values begin in the same column.
func (r *terraformSource) attributes(lines [][2]string) {
	width := 0
	for _, one := range lines {
		width = max(width, utf8.RuneCountInString(one[0]))
	}
	for _, one := range lines {
		r.p.Line(one[0], strings.Repeat(" ", width-utf8.RuneCountInString(one[0])), " = ", one[1])
	}
}

func (r *terraformSource) headers() {
	var lines [][2]string
	for _, f := range r.c.Joined() {
		value := ""
		if f.Derived() && f.Is("Authorization") && plan.HasVariable(r.c.Basic.User, r.c.Basic.Password) {
			value = `"Basic ${base64encode(` + r.text(r.c.Basic.Joined()) + `)}"`
		} else {
			value = r.text(f.Value)
		}
		name := f.Name
		if !isHCLName(name) {
			name = hclString(name)
		}
		lines = append(lines, [2]string{name, value})
	}
	if len(lines) == 0 {
		return
	}
	r.p.Line()
	r.p.Block("request_headers = {", func() { r.attributes(lines) })
	r.p.Line("}")
}

// isHCLName reports whether a key is an identifier: hclsyntax/spec.md.
func isHCLName(s string) bool {
	return plan.IsToken(s) && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") == "" && !emit.Contains("0123456789-", s[0])
}

// text returns an expression for a string.
func (r *terraformSource) text(t plan.Text) string {
	r.normal(t)
	if s, ok := t.Plain(); ok {
		return hclString(s)
	}
	if len(t) == 1 {
		return r.variable(t[0].Variable)
	}
	b := []byte{'"'}
	for i := range t {
		if v := t[i].Variable; v != nil {
			b = append(append(append(b, "${"...), r.variable(v)...), '}')
			continue
		}
		s := hclString(t[i].Literal)
		b = append(b, s[1:len(s)-1]...)
		if n := len(t[i].Literal); i+1 < len(t) && emit.Contains("$%", t[i].Literal[n-1]) {
			r.p.Refuse("reads a sign before a variable as part of it")
		}
	}
	return string(append(b, '"'))
}

// normal refuses text that strings of HCL change: what is not UTF-8, and
// characters that form NFC composes.
func (r *terraformSource) normal(t plan.Text) {
	for i := range t {
		for _, c := range t[i].Literal {
			if 0x300 <= c && c <= 0x36f || 0x1100 <= c && c <= 0x11ff || c == 0x2126 || c == 0x212a || c == 0x212b || 0x3099 <= c && c <= 0x309a || c == utf8.RuneError || 0xf900 <= c && c <= 0xfaff {
				r.p.Refuse("has no place for bytes or characters that are not in Unicode's form NFC")
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
		case emit.LineEscape(c) != 0:
			b = append(b, '\\', emit.LineEscape(c))
		case c == '"' || c == '\\':
			b = append(b, '\\', byte(c))
		case c < ' ' || c == 0x7f || quote.Turns(c):
			b = emit.AppendCodeUnit(b, c)
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
	if !emit.IsIdentifier(v.Name) || slices.Contains(reserved, v.Name) {
		r.p.RefuseName(plan.Nowhere, "has no variable with such a name", v.Name)
	}
	declared := "\nvariable \"" + v.Name + "\" {\n  type      = string\n  sensitive = true\n"
	if v.HasDefault {
		declared += "  default   = " + hclString(v.Default) + "\n"
	}
	r.p.Help(declared + "}\n")
	name := "var." + v.Name
	switch v.Encoding {
	case request.EncodingPercent:
		return `replace(urlencode(` + name + `), "+", "%20")`
	case request.EncodingForm:
		return "urlencode(" + name + ")"
	case request.EncodingJSON:
		return `trimsuffix(trimprefix(jsonencode(` + name + `), "\""), "\"")`
	}
	return name
}

// content returns an expression for the content, or nothing.
func (r *terraformSource) content() string {
	switch r.c.Content.Kind {
	case plan.RawBody:
		if len(r.c.Content.Data.Source()) > 0 {
			return r.text(r.c.Content.Data)
		}
	case plan.MultipartBody:
		return r.pieces(r.c.RawForm())
	case plan.FileBody, plan.PieceBody:
		return r.pieces(r.c.Content.List)
	}
	return ""
}

// pieces returns texts and files, joined. Terraform reads files as text.
func (r *terraformSource) pieces(list []plan.Piece) string {
	terms := make([]string, 0, len(list))
	for i := range list {
		one := &list[i]
		if one.IsText {
			terms = append(terms, r.text(one.Text))
			continue
		}
		if one.Offset > 0 || one.File.Source() == "-" {
			r.p.Refuse("can only send a whole file")
		}
		r.p.Cannot("reads files as text", "the file must be UTF-8")
		read := "file(" + r.text(one.File) + ")"
		if one.Strip {
			read = `replace(` + read + `, "/[\\r\\n\\x00]/", "")`
		}
		if one.Urlencode {
			read = "urlencode(" + read + ")"
		}
		if len(one.Name) > 0 {
			terms = append(terms, r.text(one.Prefix()))
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
	if limit := max(r.c.Timeout(), r.c.ConnectTimeout()); limit > 0 {
		lines = append(lines, [2]string{"request_timeout_ms", emit.Milliseconds(limit)})
	}
	if !r.c.Encrypts {
		return lines
	}
	if r.c.Insecure() {
		lines = append(lines, [2]string{"insecure", "true"})
	}
	if len(r.c.CaFile()) > 0 && !r.c.Insecure() {
		lines = append(lines, [2]string{"ca_cert_pem", "file(" + r.text(r.c.CaFile()) + ")"})
	}
	if len(r.c.Cert()) > 0 {
		lines = append(lines, [2]string{"client_cert_pem", "file(" + r.text(r.c.Cert()) + ")"}, [2]string{"client_key_pem", "file(" + r.text(r.c.CertKey()) + ")"})
	}
	return lines
}
