package code

import (
	"slices"
	"strings"

	"uncoil/internal/engine/ascii"
)

// What HTTPie 3.2 does by itself, measured on the wire: it adds User-Agent,
// Accept-Encoding, Accept and Connection; writes methods in capitals, and takes
// only letters for one; prefers JSON; reads its standard input as content
// unless that is a terminal; percent-encodes some characters of the URL and
// decodes %7E and the like; sends credentials of ~/.netrc in place of the field
// Authorization, with --ignore-netrc only after a redirect; takes default options from
// its configuration file. Its items are NAME:VALUE for a field, NAME=VALUE
// for a string of JSON or a form, NAME:=VALUE for other JSON, NAME@FILE.
var httpie = Target{
	Name: "httpie", Language: "shell", Client: "HTTPie", Version: "3.2", Kind: Command, Extension: "sh",
	Aliases: []string{"shell-httpie"}, Proven: true, style: shellStyle, write: writeHTTPie,
	client: client{
		modernTLS: true,
		environs:  true,
		netrc:     true,
		adds:      fieldNames{"User-Agent", "Accept-Encoding", "Accept", "Connection"},
		codings:   namesNoChunks,
		always:    fieldNames{"User-Agent", "Accept-Encoding"},
		methods:   letters,
		percents:  requestsPercents,
		digest:    true,
		unasked:   []string{"basic"},
		eager:     true,
		after:     []string{"cookies", "fails"},
		names:     pythonName,
		emptyHost: true,
		unicode:   true,
		says:      []string{"createDirs", "followRedirects", "maxRedirects", "maxTime", "connectTimeout", "insecure", "cacert", "cert", "netrc", "continueAt"},
		bounds:    func(c *call) bool { return slices.Equal(c.rangeTLS(), []string{"1_2"}) },
		proxies:   []string{"http", "https", "socks4", "socks4a", "socks5", "socks5h"},
		drops:     fieldNames{"Cookie"},
	},
}

// httpieJSON is how HTTPie prints the JSON of items: json.dumps of Python.
var httpieJSON = encoder{item: ", ", name: ": ", asciiOnly: true, number: plainNumber, keeps: plainNames}

func writeHTTPie(p *program) {
	p.join(p.sections(0, func(c *call, _ string) {
		r := httpieRequest{shellCommand: shellCommand{p: p, c: c}}
		r.write()
	}))
}

// An httpieRequest writes one call with HTTPie.
type httpieRequest struct {
	shellCommand
	pipe  []string // the commands that write the content
	stdin bool     // the content is read from standard input
	content
}

type content struct{ flags, items []string }

func (r *httpieRequest) write() {
	r.readContent()
	query := r.queryItems()
	r.words = []string{"HTTPIE_CONFIG_DIR=/dev/null", "http"}
	if r.c.ignoresNetrc(&r.p.target.client) && r.c.follow {
		r.words = slices.Insert(r.words, 0, "NETRC=")
	}
	r.flag(!r.p.options.Bare && !r.stdin, "--ignore-stdin")
	r.flag(r.c.ignoresNetrc(&r.p.target.client) && !r.c.follow, "--ignore-netrc")
	r.exchange()
	r.words = append(r.words, r.flags...)
	r.words = append(r.words, r.c.Method+" "+r.p.shellWord(r.c.url))
	dashed := slices.ContainsFunc(r.c.fields, func(f field) bool { return !f.derived && isDashed(f.name) })
	if dashed || slices.ContainsFunc(r.c.removed, isDashed) || slices.ContainsFunc(r.content.items, isDashed) || slices.ContainsFunc(query, isDashed) {
		r.words = append(r.words, "--") // before items that look like options
	}
	r.shellCommand.items = append(r.shellCommand.items, query...)
	for _, f := range r.c.fields {
		if f.derived {
			continue
		}
		r.shellCommand.items = append(r.shellCommand.items, r.fieldItem(f))
	}
	find := r.c.finder()
	for _, name := range r.c.removed {
		if find(name) == nil {
			r.shellCommand.items = append(r.shellCommand.items, shellLiteral(name+":"))
		}
	}
	if r.c.body.kind != noBody && r.c.body.kind != multipartBody && r.c.field("Content-Type") == nil && !r.c.removes("Content-Type") {
		r.shellCommand.items = append(r.shellCommand.items, "Content-Type:")
	}
	r.shellCommand.items = append(r.shellCommand.items, r.content.items...)
	r.command(r.pipe)
}

// isDashed reports whether a word begins with a dash, also in quotes.
func isDashed(word string) bool { return strings.HasPrefix(strings.TrimLeft(word, `'"`), "-") }

// httpieSpecial are the characters that separate the parts of an item.
const httpieSpecial = ":;=@"

// fieldItem returns the item of a header field.
func (r *httpieRequest) fieldItem(f field) string {
	name := backslashed(f.name, httpieSpecial)
	value := f.value.source()
	if value == "" {
		return shellLiteral(name + ";")
	}
	if !httpieValue(f.value.literals()) {
		r.p.refuse("cannot write a backslash before a separator")
	}
	separator := ":"
	if f.value[0].variable != nil || contains("=@", value[0]) {
		separator = ": "
	}
	return r.p.shellWord(prefixed(name+separator, f.value))
}

// httpieValue reports whether HTTPie reads the value of an item as it is: it
// takes away a backslash before a separator.
func httpieValue(s string) bool {
	for i := 0; i+1 < len(s); i++ {
		if s[i] == '\\' && contains(httpieSpecial, s[i+1]) {
			return false
		}
	}
	return true
}

// dataItem returns an item of JSON or of a form, and reports whether HTTPie
// reads it as it is meant.
func dataItem(name text, separator, value string) (string, bool) {
	s, ok := name.plain()
	if !ok || s == "" || value == "" && separator == "@" || strings.ContainsAny(s, `[]\`) || !httpieValue(value) {
		return "", false
	}
	if value != "" && contains("=@", value[0]) {
		value = `\` + value
	}
	return shellLiteral(backslashed(s, httpieSpecial) + separator + value), true
}

// readContent finds how the content is given: by items, by --raw, or on
// standard input.
func (r *httpieRequest) readContent() {
	switch r.c.body.kind {
	case rawBody:
		data, plain := r.c.body.data.plain()
		switch {
		case plain && data == "" && r.c.Method == "POST" && r.c.field("Content-Type") == nil:
		case r.c.isForm(&encodeQuotePlus) && r.formItems(), r.c.body.json != nil && plain && httpieJSON.prints(r.c.body.json, data) && r.jsonItems():
		case !r.c.body.data.isText() || holdsNUL(r.c.body.data):
			r.read([]piece{{isText: true, text: r.c.body.data}})
		default:
			r.flags = append(r.flags, "--raw="+r.p.shellWord(r.c.body.data))
		}
	case multipartBody:
		if r.partItems() {
			if r.c.follow {
				r.p.reportStuck(r.c) // the other bytes can go out again
			}
			return
		}
		r.read(r.c.rawForm())
	case fileBody:
		r.stdin = true
		if r.c.body.file.source() != "-" {
			r.after = " < " + r.p.shellWord(r.c.body.file)
		}
	case pieceBody:
		r.read(r.c.body.list)
	}
}

// read has the content written to the standard input of HTTPie.
func (r *httpieRequest) read(pieces []piece) {
	r.stdin = true
	r.pipe = r.p.shellPieces(pieces)
}

// queryItems takes the query out of the URL and returns its items.
func (r *httpieRequest) queryItems() []string {
	url := r.c.url
	var items []string
	for _, p := range r.c.takeQuery(&encodeQuotePlus, nil) {
		value := p.value.literals()
		name, ok := p.name.plain()
		if !ok || name == "" || strings.ContainsAny(name, `\`) || !httpieValue(value) || p.value[0].variable != nil || value != "" && contains("=@", value[0]) {
			r.c.url = url // a value that begins with @ names a file
			return nil
		}
		items = append(items, r.p.shellWord(prefixed(backslashed(name, httpieSpecial)+"==", decoded(p.value))))
	}
	return items
}

func (r *httpieRequest) formItems() bool {
	var items, names []string
	for _, p := range r.c.body.form {
		value, ok := p.value.plain()
		item, fine := dataItem(p.name, "=", value)
		if !ok || !fine {
			return false
		}
		items, names = append(items, item), append(names, p.name.source())
	}
	if !distinct(names) {
		return false
	}
	r.flags, r.content.items = []string{"--form"}, items
	return true
}

// jsonItems writes the members of an object as items.
func (r *httpieRequest) jsonItems() bool {
	v := r.c.body.json
	if v.kind != objectValue || len(v.items) == 0 {
		return false
	}
	var items []string
	for i := range v.items {
		separator := "="
		if v.items[i].kind != stringValue {
			separator = ":="
		}
		item, ok := dataItem(literal(v.names[i]), separator, v.items[i].text)
		if !ok {
			return false
		}
		items = append(items, item)
	}
	if r.c.hasType("application/json") {
		r.c.field("Content-Type").derived = true
	}
	r.content.items = items
	return true
}

// partItems writes the parts of a form as items.
func (r *httpieRequest) partItems() bool {
	var items, names []string
	for i := range r.c.body.part {
		p := &r.c.body.part[i]
		name, plain := p.file.plain()
		value, known := p.value.plain()
		item, ok := "", false
		switch {
		case !p.simple() || !ascii.Only(p.Name) || strings.ContainsAny(p.Name, "\"\r\n"):
		case p.isFile() && p.filename != nil && p.contentType != nil && plain && name[strings.LastIndexByte(name, '/')+1:] == *p.filename &&
			name != "-" && ascii.Only(name) && !strings.ContainsAny(name, `;~"\`):
			item, ok = dataItem(p.name, "@", name+";type="+*p.contentType)
		case !p.isFile() && p.filename == nil && p.contentType == nil && known && p.value.isText():
			item, ok = dataItem(p.name, "=", value)
		}
		if !ok {
			return false
		}
		items, names = append(items, item), append(names, p.Name)
	}
	if !distinct(names) && !slices.IsSorted(names) || r.c.field("Content-Type") != nil {
		return false
	}
	r.flags, r.content.items = []string{"--multipart"}, items
	return true
}

// exchange adds the options that shape the exchange.
func (r *httpieRequest) exchange() {
	switch r.c.destination(r.p.options) {
	case toFile:
		r.p.makeShellFolder(r.c)
		if r.c.resumes() && r.c.follow {
			r.flag(true, "--download")
			r.flag(true, "--continue")
		} else if r.c.resumes() { // --download follows redirects: HTTPie 3.2, httpie/core.py
			r.p.lossAt(r.c.place("continueAt"), "-C", "goes on where a file ends only where it follows redirects")
		}
		r.option("--output", r.c.output)
	case headersPrinted:
		r.flag(true, "--headers")
	case contentPrinted:
		r.flag(true, "--body")
	case discarded:
		if len(r.c.output) > 0 {
			r.option("--output", r.c.output)
		}
	}
	r.flag(r.c.fail, "--check-status")
	if r.c.follow {
		r.flag(true, "--follow")
		r.number("--max-redirects", float64(max(r.c.maxRedirects+1, 0))) // it ends at this one; 0: at none
	}
	if dotSegments(r.c.URL) && r.c.proxyScheme() != "" && !r.c.secure() {
		r.p.refuse("asks a proxy for a URL without dot segments")
	}
	r.flag(dotSegments(r.c.URL), "--path-as-is")
	if limit := max(r.c.timeout, r.c.connectTimeout); limit > 0 {
		r.number("--timeout", limit)
	}
	r.flag(r.p.target.client.boundsTLS(r.c), "--ssl=tls1.2")
	r.flag(r.c.insecure, "--verify=no")
	for _, o := range []struct {
		name  string
		value text
	}{{"--verify", r.c.caFile}, {"--cert", r.c.cert}, {"--cert-key", r.c.key}} {
		if len(o.value) > 0 && !(r.c.insecure && o.name == "--verify") {
			r.option(o.name, o.value)
		}
	}
	if r.c.proxyScheme() != "" {
		r.option("--proxy", prefixed("http:", r.c.proxyURL()))
		r.option("--proxy", prefixed("https:", r.c.proxyURL()))
	}
	if c := r.c.basic; c != nil {
		r.credentials(c)
	}
	if r.c.digest != nil {
		r.flag(true, "--auth-type=digest")
		r.credentials(r.c.digest)
	}
}

func (r *httpieRequest) credentials(c *credentials) {
	if c.colon() && c != r.c.basic { // Basic sends both as one
		r.p.refuse("takes no user name with a colon")
	}
	if strings.Contains(c.user.literals(), `\`) || !httpieValue(c.password.literals()) {
		r.p.refuse("cannot write a backslash before a separator")
	}
	r.option("--auth", c.joined())
}
