package code

import (
	"math"
	"strconv"
	"strings"

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
var ansibleURI = Target{
	Name: "ansible", Language: "yaml", Client: "ansible.builtin.uri", Version: "2.14", Kind: File, Extension: "yml",
	Aliases: []string{"ansible-uri"}, Proven: true, style: yamlStyle, write: writeAnsible,
	client: client{
		modernTLS: true,
		netrc:     true,
		once:      func(c *call) bool { return len(c.output) > 0 }, // it asks for a newer file then
		stuck:     sendsFile,
		adds:      fieldNames{"User-Agent", "Accept-Encoding", "Connection"},
		always:    fieldNames{"Host", "User-Agent", "Accept-Encoding", "Connection"},
		fixed:     fieldNames{"Connection"},
		passes:    map[string][]string{"Connection": {"close"}},
		codings:   func(value string) bool { return ascii.HasPrefixFold(value, "chunked") },
		methods:   letters,
		typed:     true,
		digest:    true,
		latin:     true,
		unasked:   []string{"sha-256"},
		eager:     true,
		anyAuth:   true,
		visible:   true,
		after:     []string{"cookies"},
		names:     pythonName,
		emptyHost: true,
		says:      []string{"createDirs", "followRedirects", "maxTime", "connectTimeout", "retry", "insecure", "cacert", "cert", "unixSocket", "netrc"},
		shares:    fieldNames{"Authorization", "Cookie"},
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
		r := ansibleTask{p: p, c: c}
		r.write("response" + suffix)
	}))
}

// An ansibleTask writes one call.
type ansibleTask struct {
	p *program
	c *call
}

func (r *ansibleTask) write(response string) {
	r.p.needsScheme(r.c)
	data, templated := r.content()
	headers := r.c.joined()
	if folder := r.c.folder(); folder != nil {
		r.p.line("- name: Make the folder")
		r.p.line("  ansible.builtin.file:")
		r.p.level += 2
		r.member("path", folder)
		r.p.line("state: directory")
		r.p.level -= 2
	}
	r.p.line("- name: Send the request")
	r.p.level++
	r.p.block("ansible.builtin.uri:", func() {
		r.member("url", percentEncoded(r.c.url, ""))
		if r.c.Method != "GET" {
			r.p.line("method: ", yamlString(r.c.Method))
		}
		r.credentials()
		r.headers(headers)
		switch {
		case templated != "":
			r.p.yaml("body", templated)
		case data != nil:
			r.member("body", data)
		}
		if r.c.body.kind == fileBody {
			r.member("src", r.c.body.file)
		}
		r.exchange()
	})
	if r.c.retries > 0 {
		r.p.line("retries: ", strconv.FormatInt(r.c.retries, 10))
		if !r.c.fail {
			r.p.line("ignore_errors: true")
		}
		r.p.line("until: ", response, ".status not in [", retryStatuses, "]")
	}
	shown := r.c.destination(r.p.options)
	if r.c.retries > 0 || shown == contentPrinted || shown == headersPrinted {
		r.p.line("register: ", response)
	}
	r.p.level--
	switch shown {
	case contentPrinted:
		response += ".content"
		fallthrough
	case headersPrinted:
		r.p.line("- name: Show the response")
		r.p.line("  ansible.builtin.debug:")
		r.p.line("    var: ", response)
	}
}

// member writes a parameter.
func (r *ansibleTask) member(name string, t text) {
	if !t.isText() {
		r.p.refuse("has no place for bytes that are not UTF-8")
		return
	}
	s, plain := t.plain()
	if plain && (strings.Contains(s, "{{") || strings.Contains(s, "{%") || strings.Contains(s, "{#")) {
		r.p.yaml(yamlString(name)+": !unsafe", s)
		return
	}
	if plain {
		r.p.yaml(yamlString(name)+":", s)
		return
	}
	r.p.yaml(yamlString(name)+":", jinja(r.terms(nil, t)))
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
		r.p.refuse("inserts a variable in JSON as it is")
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
	c := r.c.digest
	if r.c.basic != nil && r.c.basic.user.source() != "" {
		c = r.c.basic
	}
	if c == nil {
		if r.c.ignoresNetrc(&r.p.target.client) {
			r.p.line("use_netrc: false")
		}
		return
	}
	r.member("url_username", c.user)
	r.member("url_password", c.password)
	if c == r.c.basic {
		r.p.line("force_basic_auth: true")
	}
}

func (r *ansibleTask) headers(fields []field) {
	first := true
	r.p.level++
	for i := range fields {
		f := &fields[i]
		if f.derived && f.is("Authorization") && r.c.basic.user.source() != "" {
			continue
		}
		if first {
			r.p.level--
			r.p.line("headers:")
			r.p.level++
		}
		first = false
		r.member(f.name, f.value)
	}
	r.p.level--
}

// content returns content that is known, or a template that reads files.
func (r *ansibleTask) content() (known text, template string) {
	switch r.c.body.kind {
	case rawBody:
		return r.c.body.data, ""
	case multipartBody:
		known, ok := joinedText(r.c.rawForm())
		if !ok {
			r.p.refuse("encodes the files of a form")
		}
		return known, ""
	case fileBody:
		switch {
		case r.c.readsStdin():
			r.p.refuse("has no standard input")
		case r.c.chunked():
			r.p.refuse("sends a file with its length, and in no chunks")
		}
	case pieceBody:
		if len(r.c.body.part) > 0 {
			r.p.refuse("encodes the files of a form")
		}
		return nil, r.pieces(r.c.body.list)
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
			r.p.refuse("has no place for bytes that are not UTF-8")
		case one.isText:
			terms = r.terms(terms, one.text)
		case one.urlencode, one.offset > 0, !plain, name == "-":
			r.p.refuse("changes no such content of a file")
			return ""
		case isTemplate(name):
			r.p.refuse("reads the name of a file as a template")
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

// isTemplate reports whether Jinja finds an expression, a statement or a comment in a
// text. Ansible templates the terms of a lookup once more: PluginLoader in ansible-core
// 2.14 lib/ansible/template/__init__.py, Templar._lookup.
func isTemplate(s string) bool {
	return strings.Contains(s, "{{") || strings.Contains(s, "{%") || strings.Contains(s, "{#")
}

// exchange writes what shapes the transfer.
func (r *ansibleTask) exchange() {
	follow, worst := "none", "600"
	if r.c.follow {
		follow = "all"
	}
	if r.c.fail {
		worst = "400"
	}
	r.p.line("follow_redirects: ", follow)
	r.p.line("status_code: '{{ range(200, ", worst, ") | list }}'")
	if limit := max(r.c.timeout, r.c.connectTimeout); limit > 0 {
		r.p.line("timeout: ", itoa(int(math.Ceil(limit))))
	}
	if r.c.insecure {
		r.p.line("validate_certs: false")
	}
	for _, o := range []struct {
		name  string
		value text
	}{{"ca_path", r.c.caFile}, {"client_cert", r.c.cert}, {"client_key", r.c.key}, {"unix_socket", r.c.unixSocket}} {
		if len(o.value) > 0 {
			r.member(o.name, o.value)
		}
	}
	switch r.c.destination(r.p.options) {
	case toFile:
		r.member("dest", r.c.output)
	case contentPrinted:
		r.p.line("return_content: true")
	}
}
