package postman

import (
	"slices"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/message"
	"uncoil/internal/engine/source/word"
)

// A draft is the request that is being read.
type draft struct {
	message.Message
	url      int // offsets of members, or 0
	body     int
	auth     int
	header   int
	proxy    int
	behavior behavior
	query    []word.Word // pairs that authentication adds
}

// A behavior is how a request is sent.
type behavior struct {
	stays, insecure, trusted, raw, unpruned bool
	redirects                               word.Word
	removed                                 []word.Word
}

// request reads a request, and keeps the command that sends it.
func (r *reader) request(it *item) bool {
	r.at(it.request)
	d := draft{}
	d.Partial = true
	start := it.request
	if r.json.Peek() == '"' { // a URL alone
		d.url = it.request
		if !r.json.Skip() {
			return false
		}
	} else if !r.json.Object(func(name string, _ int) bool { return r.member(&d, name) }) {
		return false
	}
	d.Span = r.from(start)
	if d.url == 0 {
		return r.Fail(r.Syntax, d.Span, "the request has no url", "")
	}
	if !r.behave(&d, it) || d.header > 0 && !r.headers(&d) || d.body > 0 && !r.content(&d) || !r.authenticate(&d, it) || !r.address(&d) {
		return false
	}
	return r.options(&d) && r.Add(&d.Message)
}

// member reads a member of a request, or notes where it stands.
func (r *reader) member(d *draft, name string) bool {
	kind := r.json.Peek()
	start := r.json.Pos()
	switch {
	case name == "method" && kind == '"':
		if !r.scalar(&d.Method) {
			return false
		}
		w, ok := r.expand(d.Method)
		d.Method = w
		d.Method.Text = strings.ToUpper(w.Text)
		return ok
	case name == "url" && (kind == '{' || kind == '"'):
		d.url = start
	case name == "header" && kind != 'n':
		d.header = start
	case name == "body" && kind == '{':
		d.body = start
	case name == "auth" && kind == '{':
		d.auth = start
	case name == "proxy" && kind == '{':
		d.proxy = start
	}
	return r.json.Skip()
}

// behave reads how the request is sent: what it says itself, else its folders from the
// inside.
func (r *reader) behave(d *draft, it *item) bool {
	var chain []int
	for at := &it.folder; ; at = &r.folders[at.parent] {
		if at.behavior > 0 {
			chain = append(chain, at.behavior)
		}
		if at.parent < 0 || !r.Meter.Work(elementSteps) {
			break
		}
	}
	for _, offset := range slices.Backward(chain) {
		r.at(offset)
		b := &d.behavior
		if !r.json.Object(func(name string, _ int) bool {
			kind := r.json.Peek()
			switch name {
			case "followRedirects":
				b.stays = kind == 'f'
			case "strictSSL":
				b.insecure = kind == 'f'
			case "followAuthorizationHeader":
				b.trusted = kind == 't'
			case "disableUrlEncoding":
				b.raw = kind == 't'
			case "disableBodyPruning":
				b.unpruned = kind == 't'
			case "maxRedirects":
				return r.scalar(&b.redirects)
			case "disabledSystemHeaders":
				return r.pairs(func(p *pair) bool {
					return p.value.Text != "true" || meter.Append(r.Meter, &b.removed, p.key)
				})
			}
			return r.json.Skip()
		}) {
			return false
		}
	}
	return true
}

// headers reads the header fields: a list, or lines of text.
func (r *reader) headers(d *draft) bool {
	r.at(d.header)
	if r.json.Peek() == '"' {
		var lines word.Word
		if !r.scalar(&lines) {
			return false
		}
		for line := range strings.SplitSeq(lines.Text, "\n") {
			name, value, _ := strings.Cut(line, ":")
			p := pair{key: word.Word{Text: name, Span: lines.Span}, value: word.Word{Text: value, Span: lines.Span}}
			if !r.field(d, &p) {
				return false
			}
		}
		return true
	}
	return r.pairs(func(p *pair) bool { return r.field(d, p) })
}

// field keeps a header field.
func (r *reader) field(d *draft, p *pair) bool {
	p.key.Text = strings.TrimSpace(p.key.Text)
	p.value.Text = strings.TrimSpace(p.value.Text)
	if p.disabled || p.key.Text == "" || ascii.EqualFold(p.key.Text, "Content-Length") {
		return r.Meter.Work(elementSteps)
	}
	name, ok := r.expand(p.key)
	value, valueOK := r.expand(p.value)
	if !ok || !valueOK {
		return false
	}
	if value.Holes == nil { // postman-request writes each character as a byte
		if !r.Meter.Hold(len(value.Text)) {
			return false
		}
		value.Text = message.Latin1(value.Text)
	}
	return meter.Append(r.Meter, &d.Fields, message.Field{Name: name, Value: value})
}

// removes reports whether the client does not add a field.
func (d *draft) removes(name string) bool {
	return slices.ContainsFunc(d.behavior.removed, func(w word.Word) bool { return ascii.EqualFold(w.Text, name) })
}

// add adds a field that the client makes, unless the request has it.
func (r *reader) add(d *draft, name, value string, at diag.Span) bool {
	return message.Has(d.Fields, name) || d.removes(name) || meter.Append(r.Meter, &d.Fields, message.Field{
		Name: word.Word{Text: name, Span: at}, Value: word.Word{Text: value, Span: at},
	})
}

// replace sets a field that authentication makes.
func (r *reader) replace(d *draft, name, value word.Word) bool {
	d.Fields = slices.DeleteFunc(d.Fields, func(f message.Field) bool { return ascii.EqualFold(f.Name.Text, name.Text) })
	return r.Meter.Work(len(d.Fields)+1) && meter.Append(r.Meter, &d.Fields, message.Field{Name: name, Value: value})
}

// optionsSize is what the options of a request take.
const optionsSize = 8 * 64

// option adds an option of curl's.
func (d *draft) option(name string, at diag.Span, argument *word.Word) {
	d.Options = append(d.Options, message.Option{Name: name, Span: at, Argument: argument})
}

// options adds what the request says about the exchange.
func (r *reader) options(d *draft) bool {
	b := &d.behavior
	at := d.URL.Span
	switch {
	case b.stays:
	case b.trusted:
		d.option("--location-trusted", at, nil)
	default:
		d.option("--location", at, nil)
	}
	if path, _, _ := strings.Cut(d.URL.Text, "?"); strings.Contains(path, "/.") || strings.Contains(path, "/%2") {
		d.option("--path-as-is", at, nil)
	}
	if b.redirects.Text != "" && !b.stays {
		d.option("--max-redirs", b.redirects.Span, &b.redirects)
	}
	if b.insecure {
		d.option("--insecure", at, nil)
	}
	if d.proxy > 0 && !r.throughProxy(d) {
		return false
	}
	return r.Meter.Hold(optionsSize)
}

// throughProxy adds the proxy of a request.
func (r *reader) throughProxy(d *draft) bool {
	r.at(d.proxy)
	var host, port, user, password word.Word
	disabled, authenticate := false, false
	if !r.json.Object(func(name string, _ int) bool {
		kind := r.json.Peek()
		switch name {
		case "host":
			return r.scalar(&host)
		case "port":
			return r.scalar(&port)
		case "username":
			return r.scalar(&user)
		case "password":
			return r.scalar(&password)
		case "disabled":
			disabled = kind == 't'
		case "authenticate":
			authenticate = kind == 't'
		}
		return r.json.Skip()
	}) {
		return false
	}
	if disabled || host.Text == "" {
		return true
	}
	if !r.Meter.Hold(2 * (len(host.Text) + len(port.Text))) {
		return false
	}
	address := host
	if strings.Contains(host.Text, ":") && !strings.HasPrefix(host.Text, "[") {
		address.Text = "[" + host.Text + "]"
	}
	address.Text = "http://" + address.Text
	if port.Text != "" {
		address.Text += ":" + port.Text
	}
	proxy, ok := r.expand(address)
	d.option("--proxy", host.Span, &proxy)
	if !ok || !authenticate {
		return ok
	}
	who, ok := r.both(user, ":", password)
	d.option("--proxy-user", user.Span, &who)
	return ok
}

// both returns two texts with another between them.
func (r *reader) both(first word.Word, between string, second word.Word) (word.Word, bool) {
	one, ok := r.expand(first)
	other, otherOK := r.expand(second)
	var b message.Text
	if !ok || !otherOK || !b.AddWord(r.Meter, one) || !b.Add(r.Meter, between) || !b.AddWord(r.Meter, other) {
		return first, false
	}
	return b.Word(diag.Join(first.Span, second.Span)), true
}
