package files

import (
	"math"
	"strconv"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
	"uncoil/request"
)

// A playbook with tasks for the module uri of ansible-core 2.14
// (docs.ansible.com, ansible.builtin.uri). The module, measured on the wire,
// adds User-Agent, Accept-Encoding and Connection; writes methods in capitals
// and names of fields with them; sends a name once; gives all content a type;
// encodes files of a form, so that these are refused; and fails unless the
// status is one of its list; and sends credentials of ~/.netrc in place of the field
// Authorization unless told not to. Ansible reads {{, {% and {# in every string as
// Jinja: such text is marked !unsafe, or quoted in Jinja beside a variable. A
// result that looks like a list or a mapping would become one, but for the filter
// string. Bare leaves only the tasks; Indent has no effect.
var Ansible = plan.Target{
	Name: "ansible", Convention: plan.Format("yaml"), Client: "ansible.builtin.uri", Version: "2.14", Kind: plan.File, Encodes: true, Extension: "yml",
	Aliases: []string{"ansible-uri"}, Proven: true, Style: emit.YamlStyle, Write: writeAnsible,
	Facts: plan.Client{
		ModernTLS: true,
		Netrc:     true,
		Once:      func(c *plan.Call) bool { return len(c.Output()) > 0 }, // it asks for a newer file then
		Stuck:     plan.SendsFile,
		Adds:      plan.FieldNames{"User-Agent", "Accept-Encoding", "Connection"},
		Wire:      plan.Wire{Order: "?", Case: plan.Titled, Query: "é", Text: true},
		Always:    plan.FieldNames{"Host", "User-Agent", "Accept-Encoding", "Connection"},
		Fixed:     plan.FieldNames{"Connection"},
		Passes:    map[string][]string{"Connection": {"close"}},
		Rules: plan.Rules{
			plan.SendsCodings(func(value string) bool { return ascii.HasPrefixFold(value, "chunked") }),
			plan.SendsMethods(plan.Letters),
			plan.TypesContent,
			plan.ASCIIPasswords,
			plan.VisibleFields,
		},
		Digest:    true,
		Unasked:   []string{"sha-256"},
		Eager:     true,
		AnyAuth:   true,
		After:     []string{"cookies"},
		Names:     plan.PythonName,
		EmptyHost: true,
		Shares:    plan.FieldNames{"Authorization", "Cookie"},
	},
}

func writeAnsible(p *plan.Program) {
	p.Indent = emit.YamlStyle.Indent
	if !p.Options.Bare {
		p.Line("- hosts: localhost")
		p.Line("  gather_facts: false")
		p.Line("  tasks:")
		p.Level = 2
	}
	p.Join(p.Sections(p.Level, func(c *plan.Call, suffix string) {
		r := ansibleTask{p: p, c: c}
		r.write("response" + suffix)
	}))
}

// An ansibleTask writes one call.
type ansibleTask struct {
	p *plan.Program
	c *plan.Call
}

func (r *ansibleTask) write(response string) {
	needsScheme(r.p, r.c)
	data, templated := r.content()
	headers := r.c.Joined()
	if folder := r.c.Folder(); folder != nil {
		r.p.Line("- name: Make the folder")
		r.p.Line("  ansible.builtin.file:")
		r.p.Level += 2
		r.member("path", folder)
		r.p.Line("state: directory")
		r.p.Level -= 2
	}
	r.p.Line("- name: Send the request")
	r.p.Level++
	r.p.Block("ansible.builtin.uri:", func() {
		r.member("url", plan.PercentEncoded(r.c.URLText, ""))
		if r.c.Method != "GET" {
			r.p.Line("method: ", emit.YamlString(r.c.Method))
		}
		r.credentials()
		r.headers(headers)
		switch {
		case templated != "":
			r.p.Yaml("body", templated)
		case data != nil:
			r.member("body", data)
		}
		switch {
		case r.c.Content.Kind == plan.FileBody:
			r.member("src", r.c.Content.File)
		case r.c.Content.Kind == plan.MultipartBody && data == nil:
			r.form()
		}
		r.exchange()
	})
	if r.c.Retries() > 0 {
		r.p.Line("retries: ", strconv.FormatInt(r.c.Retries(), 10))
		if !r.c.Fail() {
			r.p.Line("ignore_errors: true")
		}
		r.p.Line("until: ", response, ".status not in [", plan.RetryStatuses, "]")
	}
	shown := r.c.Destination(r.p.Options)
	if r.c.Retries() > 0 || shown == plan.ContentPrinted || shown == plan.HeadersPrinted {
		r.p.Line("register: ", response)
	}
	r.p.Level--
	switch shown {
	case plan.ContentPrinted:
		response += ".content"
		fallthrough
	case plan.HeadersPrinted:
		r.p.Line("- name: Show the response")
		r.p.Line("  ansible.builtin.debug:")
		r.p.Line("    var: ", response)
	}
}

// member writes a parameter.
func (r *ansibleTask) member(name string, t plan.Text) {
	if !t.IsText() {
		r.p.Refuse("has no place for bytes that are not UTF-8")
		return
	}
	s, plain := t.Plain()
	if plain && (strings.Contains(s, "{{") || strings.Contains(s, "{%") || strings.Contains(s, "{#")) {
		r.p.Yaml(emit.YamlString(name)+": !unsafe", s)
		return
	}
	if plain {
		r.p.Yaml(emit.YamlString(name)+":", s)
		return
	}
	r.p.Yaml(emit.YamlString(name)+":", jinja(r.terms(nil, t)))
}

// A jinjaTerm is a part of a template: text, or an expression.
type jinjaTerm struct {
	text, expression string
}

// terms appends the terms of a text.
func (r *ansibleTask) terms(terms []jinjaTerm, t plan.Text) []jinjaTerm {
	for i := range t {
		if v := t[i].Variable; v != nil {
			terms = append(terms, jinjaTerm{expression: r.variable(v)})
		} else {
			terms = append(terms, jinjaTerm{text: t[i].Literal})
		}
	}
	return terms
}

// jinja returns a template. One whose result may look like a list or a mapping
// is a single expression with the filter string: ansible_eval_concat() in
// ansible-core 2.14 lib/ansible/template/native_helpers.py.
func jinja(terms []jinjaTerm) string {
	if len(terms) == 0 {
		return ""
	}
	var b strings.Builder
	first := terms[0].text
	if len(terms) == 1 || first != "" && emit.Contains("{[", first[0]) {
		for i, t := range terms {
			if i > 0 {
				b.WriteString(" ~ ")
			}
			switch {
			case t.expression == "":
				b.WriteString(jinjaString(t.text))
			case strings.Contains(t.expression, "|") && len(terms) > 1:
				b.WriteString("(" + t.expression + ")")
			default:
				b.WriteString(t.expression)
			}
		}
		if len(terms) > 1 {
			return "{{ (" + b.String() + ") | string }}"
		}
		return "{{ " + b.String() + " | string }}"
	}
	for i, t := range terms {
		if t.expression != "" {
			b.WriteString("{{ " + t.expression + " }}")
		} else {
			b.WriteString(jinjaText(t.text, i+1 < len(terms)))
		}
	}
	return b.String()
}

// jinjaText returns text that Jinja leaves as it is, also before a variable.
func jinjaText(s string, before bool) string {
	var b strings.Builder
	for i := range len(s) {
		if s[i] == '{' && (i+1 == len(s) && before || i+1 < len(s) && emit.Contains("{%#", s[i+1])) {
			b.WriteString("{{ '{' }}")
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// variable returns a look-up in the environment.
func (r *ansibleTask) variable(v *request.Variable) string {
	b := "lookup('env', " + jinjaString(v.Name) + ")"
	if v.HasDefault {
		b += " | default(" + jinjaString(v.Default) + ", true)"
	}
	switch v.Encoding {
	case request.EncodingPercent:
		b += " | urlencode | replace('/', '%2F')"
	case request.EncodingForm:
		b += " | urlencode | replace('/', '%2F') | replace('%20', '+')"
	case request.EncodingJSON:
		b = "(" + b + " | to_json)[1:-1]"
	}
	return b
}

// jinjaString returns an expression for a string. Ansible doubles the backslashes of
// a literal before Jinja reads it, so that there are no escapes, but finds where the
// literal ends as Jinja does, to which an odd one before the quote escapes that
// (_escape_backslashes() in ansible-core 2.14 lib/ansible/template/__init__.py): such a
// one is the first of two. A string may have line breaks.
func jinjaString(s string) string {
	var pieces []string
	for i, piece := range strings.Split(s, "'") {
		if i > 0 {
			pieces = append(pieces, `"'"`)
		}
		body := strings.TrimRight(piece, `\`)
		if (len(piece)-len(body))%2 == 0 {
			body = piece
		} else {
			body = piece[:len(piece)-1]
		}
		if body != "" || s == "" {
			pieces = append(pieces, "'"+body+"'")
		}
		if len(body) < len(piece) {
			pieces = append(pieces, `'\\'[0]`)
		}
	}
	switch {
	case len(pieces) == 1:
		return pieces[0]
	case !strings.ContainsAny(s, `"\`):
		return `"` + s + `"`
	}
	return "(" + strings.Join(pieces, " ~ ") + ")"
}

// credentials writes user name and password: for Basic the module sends them
// unasked only with force_basic_auth, and never without a name.
func (r *ansibleTask) credentials() {
	c := r.c.Digest
	if r.c.Basic != nil && r.c.Basic.User.Source() != "" {
		c = r.c.Basic
	}
	if c == nil {
		if r.c.IgnoresNetrc(&r.p.Target.Facts) {
			r.p.Line("use_netrc: false")
		}
		return
	}
	r.member("url_username", c.User)
	r.member("url_password", c.Password)
	if c == r.c.Basic {
		r.p.Line("force_basic_auth: true")
	}
}

func (r *ansibleTask) headers(fields []plan.Field) {
	first := true
	r.p.Level++
	for i := range fields {
		f := &fields[i]
		if f.Derived() && f.Is("Authorization") && r.c.Basic.User.Source() != "" {
			continue
		}
		if first {
			r.p.Level--
			r.p.Line("headers:")
			r.p.Level++
		}
		first = false
		r.member(f.Name, f.Value)
	}
	r.p.Level--
}

// content returns content that is known, or a template that reads files.
func (r *ansibleTask) content() (known plan.Text, template string) {
	switch r.c.Content.Kind {
	case plan.RawBody:
		return r.c.Content.Data, ""
	case plan.MultipartBody:
		if r.takesForm() {
			return nil, ""
		}
		known, ok := plan.JoinedText(r.c.RawForm())
		if !ok {
			r.p.Refuse("encodes the files of a form")
		}
		return known, ""
	case plan.FileBody:
		switch {
		case r.c.ReadsStdin():
			r.p.Refuse("has no standard input")
		case r.c.Chunked():
			r.p.Refuse("sends a file with its length, and in no chunks")
		}
	case plan.PieceBody:
		if len(r.c.Content.Part) > 0 {
			r.p.Refuse("encodes the files of a form")
		}
		return nil, r.pieces(r.c.Content.List)
	}
	return nil, ""
}

// takesForm reports whether the module makes the form, which has a file: a mapping, in
// which each name stands once. prepare_multipart() in module_utils/urls.py of ansible-core
// writes files in Base64, before 2.19 always, and sorts the names.
func (r *ansibleTask) takesForm() bool {
	names, files := make(map[string]bool), false
	for i := range r.c.Content.Part {
		part := &r.c.Content.Part[i]
		if names[part.Name] || !part.Simple() || plan.HasVariable(part.NameText) || isTemplate(part.Name) || part.FileText.Source() == "-" ||
			part.IsFile() && (part.FilenameText == nil || *part.FilenameText != emit.BaseName(part.File)) || !part.IsFile() && part.FilenameText != nil {
			return false
		}
		names[part.Name] = true
		files = files || part.IsFile()
	}
	if !files || r.p.Exact() {
		return false
	}
	r.p.Accept(r.c, "encodes the files of a form in Base64 before version 2.19, sorts its fields, and gives texts a type")
	return true
}

// form writes a form with files.
func (r *ansibleTask) form() {
	r.p.Line("body_format: form-multipart")
	r.p.Block("body:", func() {
		for i := range r.c.Content.Part {
			part := &r.c.Content.Part[i]
			switch {
			case !part.IsFile() && part.TypeText == nil:
				r.member(part.Name, part.ValueText)
				continue
			case !part.IsFile():
				r.p.Block(emit.YamlString(part.Name)+":", func() {
					r.member("content", part.ValueText)
					r.member("mime_type", plan.Literal(*part.TypeText))
				})
				continue
			}
			r.p.Block(emit.YamlString(part.Name)+":", func() {
				r.member("filename", part.FileText)
				if part.TypeText != nil {
					r.member("mime_type", plan.Literal(*part.TypeText))
				}
				r.p.Line("multipart_encoding: 7or8bit")
			})
		}
	})
}

// pieces returns a template for texts and files, joined: files as text.
func (r *ansibleTask) pieces(list []plan.Piece) string {
	var terms []jinjaTerm
	for i := range list {
		one := &list[i]
		name, plain := one.File.Plain()
		switch {
		case one.IsText && !one.Text.IsText():
			r.p.Refuse("has no place for bytes that are not UTF-8")
		case one.IsText:
			terms = r.terms(terms, one.Text)
		case one.Urlencode, one.Offset > 0, !plain, name == "-":
			r.p.Refuse("changes no such content of a file")
			return ""
		case isTemplate(name):
			r.p.Refuse("reads the name of a file as a template")
			return ""
		default:
			file := "lookup('file', " + jinjaString(name) + ", rstrip=False)"
			if one.Strip {
				file += ` | regex_replace('[\r\n\x00]', '')`
			}
			terms = append(terms, jinjaTerm{expression: file})
		}
	}
	return jinja(terms)
}

// isTemplate reports whether Jinja finds an expression, a statement or a comment in a
// text. Ansible templates the terms of a lookup once more: PluginLoader in ansible-core
// 2.14 lib/ansible/template/__init__.py, Templar._lookup.
func isTemplate(s string) bool {
	return strings.Contains(s, "{{") || strings.Contains(s, "{%") || strings.Contains(s, "{#")
}

// exchange writes what shapes the transfer.
func (r *ansibleTask) exchange() {
	follow, worst := "none", "600"
	if r.c.Follow() {
		follow = "all"
	}
	if r.c.Fail() {
		worst = "400"
	}
	r.p.Line("follow_redirects: ", follow)
	r.p.Line("status_code: '{{ range(200, ", worst, ") | list }}'")
	if limit := max(r.c.Timeout(), r.c.ConnectTimeout()); limit > 0 {
		r.p.Line("timeout: ", emit.Itoa(int(math.Ceil(limit))))
	}
	if r.c.Insecure() {
		r.p.Line("validate_certs: false")
	}
	for _, o := range []struct {
		name  string
		value plan.Text
	}{{"ca_path", r.c.CaFile()}, {"client_cert", r.c.Cert()}, {"client_key", r.c.Key()}, {"unix_socket", r.c.UnixSocket()}} {
		if len(o.value) > 0 {
			r.member(o.name, o.value)
		}
	}
	switch r.c.Destination(r.p.Options) {
	case plan.ToFile:
		r.member("dest", r.c.Output())
		if !r.c.Asked.Fail {
			r.p.CannotAt(r.c.Place("output"), "writes no file where the response is an error", "curl writes that, too")
		}
	case plan.ContentPrinted:
		r.p.Line("return_content: true")
	}
}
