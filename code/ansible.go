//go:build !nocode

package code

import (
	"math"
	"strconv"
	"strings"

	"uncoil/request"
)

// A playbook with tasks for the module uri of ansible-core 2.14
// (docs.ansible.com, ansible.builtin.uri). The module, measured on the wire,
// adds User-Agent, Accept-Encoding and Connection; writes methods in capitals
// and names of fields with them; sends a name once; gives all content a type;
// encodes files of a form, so that these are refused; and fails unless the
// status is one of its list. Ansible reads {{, {% and {# in every string as
// Jinja: such text is marked !unsafe, or quoted in Jinja beside a variable. A
// result that looks like a list or a mapping would become one, but for the filter
// string. Bare leaves only the tasks; Indent has no effect.
var ansibleURI = Target{
	Name: "ansible", Language: "yaml", Client: "ansible.builtin.uri", Version: "2.14", Kind: File, Extension: "yml",
	Aliases: []string{"ansible-uri"}, Proven: true, style: yamlStyle, write: writeAnsible,
	client: client{
		adds:    []string{"User-Agent", "Accept-Encoding", "Connection"},
		always:  []string{"Host", "User-Agent", "Accept-Encoding", "Connection"},
		fixed:   []string{"Connection", "Transfer-Encoding"},
		passes:  map[string][]string{"Connection": {"close"}},
		methods: letters,
		typed:   true,
		digest:  true,
		anyAuth: true,
		visible: true,
		says:    []string{"followRedirects", "maxTime", "connectTimeout", "retry", "insecure", "cacert", "cert", "unixSocket"},
		shares:  []string{"Authorization", "Cookie"},
	},
}

func writeAnsible(p *program) {
	p.indent = yamlStyle.indent
	if !p.options.Bare {
		p.line("- hosts: localhost")
		p.line("  gather_facts: false")
		p.line("  tasks:")
		p.level = 2
	}
	p.join(p.sections(p.level, func(c *call, suffix string) {
		r := ansibleTask{program: p, call: c}
		r.write("response" + suffix)
	}))
}

// An ansibleTask writes one call.
type ansibleTask struct {
	*program
	*call
}

func (r *ansibleTask) write(response string) {
	r.needsScheme(r.call)
	data, templated := r.content()
	headers := r.joined()
	r.line("- name: Send the request")
	r.level++
	r.block("ansible.builtin.uri:", func() {
		r.member("url", percentEncoded(r.url, ""))
		if r.Method != "GET" {
			r.line("method: ", yamlString(r.Method))
		}
		r.credentials()
		r.headers(headers)
		switch {
		case templated != "":
			r.yaml("body", templated)
		case data != nil:
			r.member("body", data)
		}
		if r.body.kind == fileBody {
			r.member("src", r.body.file)
		}
		r.exchange()
	})
	if r.retries > 0 {
		r.line("retries: ", strconv.FormatInt(r.retries, 10))
		r.line("until: ", response, " is succeeded")
	}
	shown := r.destination(r.program.options)
	if r.retries > 0 || shown == contentPrinted || shown == headersPrinted {
		r.line("register: ", response)
	}
	r.level--
	switch shown {
	case contentPrinted:
		response += ".content"
		fallthrough
	case headersPrinted:
		r.line("- name: Show the response")
		r.line("  ansible.builtin.debug:")
		r.line("    var: ", response)
	}
}

// member writes a parameter.
func (r *ansibleTask) member(name string, t text) {
	if !t.isText() {
		r.refuse("has no place for bytes that are not UTF-8")
		return
	}
	s, plain := t.plain()
	if plain && (strings.Contains(s, "{{") || strings.Contains(s, "{%") || strings.Contains(s, "{#")) {
		r.yaml(yamlString(name)+": !unsafe", s)
		return
	}
	if plain {
		r.yaml(yamlString(name)+":", s)
		return
	}
	r.yaml(yamlString(name)+":", jinja(r.terms(nil, t)))
}

// A jinjaTerm is a part of a template: text, or an expression.
type jinjaTerm struct {
	text, expression string
}

// terms appends the terms of a text.
func (r *ansibleTask) terms(terms []jinjaTerm, t text) []jinjaTerm {
	for i := range t {
		if v := t[i].variable; v != nil {
			terms = append(terms, jinjaTerm{expression: r.variable(v)})
		} else {
			terms = append(terms, jinjaTerm{text: t[i].literal})
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
	if len(terms) == 1 || first != "" && contains("{[", first[0]) {
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
		if s[i] == '{' && (i+1 == len(s) && before || i+1 < len(s) && contains("{%#", s[i+1])) {
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
	case request.Percent:
		b += " | urlencode | replace('/', '%2F')"
	case request.FormEncode:
		b += " | urlencode | replace('/', '%2F') | replace('%20', '+')"
	case request.JSONEscape:
		r.refuse("inserts a variable in JSON as it is")
	}
	return b
}

// jinjaString returns an expression for a string. Ansible doubles backslashes
// before Jinja reads them, so that there are no escapes; a string may have line
// breaks.
func jinjaString(s string) string {
	switch {
	case !strings.Contains(s, "'"):
		return "'" + s + "'"
	case !strings.Contains(s, `"`):
		return `"` + s + `"`
	}
	return "('" + strings.ReplaceAll(s, "'", `' ~ "'" ~ '`) + "')"
}

// credentials writes user name and password: for Basic the module sends them
// unasked only with force_basic_auth, and never without a name.
func (r *ansibleTask) credentials() {
	c := r.digest
	if r.basic != nil && r.basic.user.source() != "" {
		c = r.basic
	}
	if c == nil {
		return
	}
	r.member("url_username", c.user)
	r.member("url_password", c.password)
	if c == r.basic {
		r.line("force_basic_auth: true")
	}
}

func (r *ansibleTask) headers(fields []field) {
	first := true
	r.level++
	for i := range fields {
		f := &fields[i]
		if f.derived && f.is("Authorization") && r.basic.user.source() != "" {
			continue
		}
		if first {
			r.level--
			r.line("headers:")
			r.level++
		}
		first = false
		r.member(f.name, f.value)
	}
	r.level--
}

// content returns content that is known, or a template that reads files.
func (r *ansibleTask) content() (known text, template string) {
	switch r.body.kind {
	case rawBody:
		return r.body.data, ""
	case multipartBody:
		list := r.rawForm()
		for i := range list {
			if !list[i].isText {
				r.refuse("encodes the files of a form")
				return nil, ""
			}
			known = append(known, list[i].text...)
		}
		return mergeLiterals(known), ""
	case fileBody:
		if r.readsStdin() {
			r.refuse("has no standard input")
		}
	case pieceBody:
		return nil, r.pieces(r.body.list)
	}
	return nil, ""
}

// pieces returns a template for texts and files, joined: files as text.
func (r *ansibleTask) pieces(list []piece) string {
	var terms []jinjaTerm
	for i := range list {
		one := &list[i]
		name, plain := one.file.plain()
		switch {
		case one.isText && !one.text.isText():
			r.refuse("has no place for bytes that are not UTF-8")
		case one.isText:
			terms = r.terms(terms, one.text)
		case one.urlencode, one.offset > 0, !plain, name == "-":
			r.refuse("changes no such content of a file")
			return ""
		default:
			file := "lookup('file', " + jinjaString(name) + ", rstrip=False)"
			if one.strip {
				file += ` | regex_replace('[\r\n\x00]', '')`
			}
			terms = append(terms, jinjaTerm{expression: file})
		}
	}
	return jinja(terms)
}

// exchange writes what shapes the transfer.
func (r *ansibleTask) exchange() {
	follow, worst := "none", "600"
	if r.follow {
		follow = "all"
	}
	if r.fail {
		worst = "400"
	}
	r.line("follow_redirects: ", follow)
	r.line("status_code: '{{ range(200, ", worst, ") | list }}'")
	if limit := max(r.timeout, r.connectTimeout); limit > 0 {
		r.line("timeout: ", itoa(int(math.Ceil(limit))))
	}
	if r.insecure && r.secure() {
		r.line("validate_certs: false")
	}
	for _, o := range []struct {
		name  string
		value text
	}{{"ca_path", r.caFile}, {"client_cert", r.cert}, {"client_key", r.key}, {"unix_socket", r.unixSocket}} {
		if len(o.value) > 0 {
			r.member(o.name, o.value)
		}
	}
	switch r.destination(r.program.options) {
	case toFile:
		r.member("dest", r.output)
	case contentPrinted:
		r.line("return_content: true")
	}
}
