package commands

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/code/internal/posix"
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
var HTTPie = plan.Target{
	Name: "httpie", Convention: plan.Format("shell"), Client: "HTTPie", Version: "3.2", Kind: plan.Command, Extension: "sh",
	Aliases: []string{"shell-httpie"}, Proven: true, Style: posix.ShellStyle, Write: writeHTTPie,
	Facts: plan.Client{
		ModernTLS: true,
		Environs:  true,
		Netrc:     true,
		Adds:      plan.FieldNames{"User-Agent", "Accept-Encoding", "Accept", "Connection"},
		Wire:      plan.Wire{Order: "Connection +Authorization User-Agent Accept-Encoding Accept Content-Type *", Charset: true, Path: "\"<>[]^`{|}%?", Query: "\"<>[]^`{|}\\é%", Lowers: true},
		Rules: plan.Rules{
			plan.SendsCodings(plan.NamesNoChunks),
			plan.SendsMethods(plan.Letters),
			plan.ReadsURLs(plan.RequestsPercents),
			plan.UnicodeFields,
		},
		Always:    plan.FieldNames{"User-Agent", "Accept-Encoding"},
		Digest:    true,
		Unasked:   []string{"basic"},
		Eager:     true,
		After:     []string{"cookies", "fails"},
		Forgets:   "301 or 302",
		Names:     plan.PythonName,
		EmptyHost: true,
		Proxies:   []string{"http", "https", "socks4", "socks4a", "socks5", "socks5h"},
		Drops:     plan.FieldNames{"Cookie"},
	},
}

// httpieJSON is how HTTPie prints the JSON of items: json.dumps of Python.
var httpieJSON = emit.Encoder{Item: ", ", Name: ": ", ASCIIOnly: true, Number: plan.PlainNumber, Keeps: plan.PlainNames}

func writeHTTPie(p *plan.Program) {
	p.Join(p.Sections(0, func(c *plan.Call, _ string) {
		r := httpieRequest{ShellCommand: posix.ShellCommand{P: p, C: c}}
		r.write()
	}))
}

// An httpieRequest writes one call with HTTPie.
type httpieRequest struct {
	posix.ShellCommand
	pipe  []string // the commands that write the content
	stdin bool     // the content is read from standard input
	content
}

type content struct{ flags, items []string }

func (r *httpieRequest) write() {
	r.readContent()
	query := r.queryItems()
	r.Words = []string{"http"}
	if r.P.Exact() {
		r.Words = slices.Insert(r.Words, 0, "HTTPIE_CONFIG_DIR=/dev/null")
	}
	if r.P.Exact() && r.C.IgnoresNetrc(&r.P.Target.Facts) && r.C.Follow() {
		r.Words = slices.Insert(r.Words, 0, "NETRC=")
	}
	r.Flag(!r.P.Options.Bare && !r.stdin, "--ignore-stdin")
	r.Flag(r.C.IgnoresNetrc(&r.P.Target.Facts) && r.C.Stops(), "--ignore-netrc")
	r.session()
	r.exchange()
	r.Words = append(r.Words, r.flags...)
	r.Words = append(r.Words, r.C.Method+" "+posix.ShellWord(r.P, r.C.URLText))
	dashed := slices.ContainsFunc(r.C.Given(), func(f plan.Field) bool { return !f.Derived() && isDashed(f.Name) })
	if dashed || slices.ContainsFunc(r.C.Withheld, isDashed) || slices.ContainsFunc(r.content.items, isDashed) || slices.ContainsFunc(query, isDashed) {
		r.Words = append(r.Words, "--") // before items that look like options
	}
	r.ShellCommand.Items = append(r.ShellCommand.Items, query...)
	for _, f := range r.C.Headers() {
		if f.Derived() {
			continue
		}
		r.ShellCommand.Items = append(r.ShellCommand.Items, r.fieldItem(f))
	}
	find := r.C.Finder()
	for _, name := range r.C.Withheld {
		if find(name) == nil {
			r.ShellCommand.Items = append(r.ShellCommand.Items, posix.ShellLiteral(name+":"))
		}
	}
	if r.C.Content.Kind != plan.NoBody && r.C.Content.Kind != plan.MultipartBody && r.C.Field("Content-Type") == nil && !r.C.Removes("Content-Type") {
		r.ShellCommand.Items = append(r.ShellCommand.Items, "Content-Type:")
	}
	r.ShellCommand.Items = append(r.ShellCommand.Items, r.content.items...)
	r.Command(r.pipe)
}

// session adds the session that holds the cookies of several requests, after the statement
// that names its file: a new one, because a session of an earlier run is another jar. What
// a command with -b and without -c gets goes into no jar.
func (r *httpieRequest) session() {
	jar := r.C.Jar()
	if jar == nil {
		return
	}
	name := jar.Named("cookie_session")
	if r.C.Opens() {
		r.P.Line(name, "=$(mktemp -u)")
	}
	option := "--session="
	if r.C.ReadsOwn() && !r.C.Has("cookieJar") {
		r.C.ForgetsCookies()
		option = "--session-read-only="
	}
	r.Words = append(r.Words, option+`"$`+name+`"`)
	if httpieAdds(r.C, jar) {
		r.P.Refuse("sends the header fields of earlier requests of a session again")
	}
}

// httpieAdds reports whether a session adds something of an earlier request to one: it keeps
// header fields, but those that begin with Content- or If-, and credentials
// (httpie/sessions.py of HTTPie 3.2).
func httpieAdds(c *plan.Call, jar *plan.Jar) bool {
	for _, before := range jar.Calls {
		if before == c {
			return false
		}
		if (before.Basic != nil || before.Digest != nil) && c.Basic == nil && c.Digest == nil {
			return true
		}
		for i := range before.Given() {
			name := before.Given()[i].Name
			if !ascii.HasPrefixFold(name, "Content-") && !ascii.HasPrefixFold(name, "If-") && !ascii.EqualFold(name, "Cookie") && c.Field(name) == nil {
				return true
			}
		}
	}
	return false
}

// isDashed reports whether a word begins with a dash, also in quotes.
func isDashed(word string) bool { return strings.HasPrefix(strings.TrimLeft(word, `'"`), "-") }

// httpieSpecial are the characters that separate the parts of an item.
const httpieSpecial = ":;=@"

// fieldItem returns the item of a header field.
func (r *httpieRequest) fieldItem(f plan.Field) string {
	name := emit.Backslashed(f.Name, httpieSpecial)
	value := f.Value.Source()
	if value == "" {
		return posix.ShellLiteral(name + ";")
	}
	if !httpieValue(f.Value.Literals()) {
		r.P.Refuse("cannot write a backslash before a separator")
	}
	separator := ":"
	if f.Value[0].Variable != nil || emit.Contains("=@", value[0]) {
		separator = ": "
	}
	return posix.ShellWord(r.P, plan.Prefixed(name+separator, f.Value))
}

// httpieValue reports whether HTTPie reads the value of an item as it is: it
// takes away a backslash before a separator.
func httpieValue(s string) bool {
	for i := 0; i+1 < len(s); i++ {
		if s[i] == '\\' && emit.Contains(httpieSpecial, s[i+1]) {
			return false
		}
	}
	return true
}

// dataItem returns an item of JSON or of a form, and reports whether HTTPie
// reads it as it is meant.
func dataItem(name plan.Text, separator, value string) (string, bool) {
	s, ok := name.Plain()
	if !ok || s == "" || value == "" && separator == "@" || strings.ContainsAny(s, `[]\`) || !httpieValue(value) ||
		strings.IndexByte(s, 0) >= 0 || strings.IndexByte(value, 0) >= 0 { // no word of the shell has NUL
		return "", false
	}
	if value != "" && emit.Contains("=@", value[0]) {
		value = `\` + value
	}
	return posix.ShellLiteral(emit.Backslashed(s, httpieSpecial) + separator + value), true
}

// readContent finds how the content is given: by items, by --raw, or on
// standard input.
func (r *httpieRequest) readContent() {
	switch r.C.Content.Kind {
	case plan.RawBody:
		data, plain := r.C.Content.Data.Plain()
		switch {
		case plain && data == "" && r.C.Method == "POST" && r.C.Field("Content-Type") == nil:
		case r.C.IsForm(&plan.EncodeQuotePlus) && r.formItems(), plain && r.P.Encodes(&httpieJSON, r.C) && r.jsonItems():
		case !r.C.Content.Data.IsText() || posix.HoldsNUL(r.C.Content.Data):
			r.C.AsWritten()
			r.read([]plan.Piece{{IsText: true, Text: r.C.Content.Data}})
		default:
			r.C.AsWritten()
			r.flags = append(r.flags, "--raw="+posix.ShellWord(r.P, r.C.Content.Data))
		}
	case plan.MultipartBody:
		if r.partItems() {
			if r.C.Follow() {
				r.P.ReportStuck(r.C) // the other bytes can go out again
			}
			return
		}
		r.read(r.C.RawForm())
	case plan.FileBody:
		r.stdin = true
		if r.C.Content.File.Source() != "-" {
			r.After = " < " + posix.ShellWord(r.P, r.C.Content.File)
		}
	case plan.PieceBody:
		r.read(r.C.Content.List)
	}
}

// read has the content written to the standard input of HTTPie.
func (r *httpieRequest) read(pieces []plan.Piece) {
	r.stdin = true
	r.pipe = posix.ShellPieces(r.P, pieces)
}

// queryItems takes the query out of the URL and returns its items.
func (r *httpieRequest) queryItems() []string {
	url := r.C.URLText
	var items []string
	for _, p := range r.C.TakeQuery(&plan.EncodeQuotePlus, nil) {
		value := p.Value.Literals()
		name, ok := p.Name.Plain()
		if !ok || name == "" || strings.ContainsAny(name, `\`) || !httpieValue(value) || p.Value[0].Variable != nil || value != "" && emit.Contains("=@", value[0]) {
			r.C.URLText = url // a value that begins with @ names a file
			return nil
		}
		items = append(items, posix.ShellWord(r.P, plan.Prefixed(emit.Backslashed(name, httpieSpecial)+"==", plan.Decoded(p.Value))))
	}
	return items
}

func (r *httpieRequest) formItems() bool {
	var items, names []string
	for _, p := range r.C.Content.Form {
		value, ok := p.Value.Plain()
		item, fine := dataItem(p.Name, "=", value)
		if !ok || !fine {
			return false
		}
		items, names = append(items, item), append(names, p.Name.Source())
	}
	if !emit.Distinct(names) {
		return false
	}
	r.flags, r.content.items = []string{"--form"}, items
	r.C.LeavesType()
	return true
}

// jsonItems writes the members of an object as items.
func (r *httpieRequest) jsonItems() bool {
	v := r.C.Content.JSON
	if v.Kind != emit.ObjectValue || len(v.Items) == 0 {
		return false
	}
	var items []string
	for i := range v.Items {
		separator := "="
		if v.Items[i].Kind != emit.StringValue {
			separator = ":="
		}
		item, ok := dataItem(plan.Literal(v.Names[i]), separator, v.Items[i].Text)
		if !ok {
			return false
		}
		items = append(items, item)
	}
	if r.C.HasType("application/json") {
		r.C.Imply(r.C.Field("Content-Type"))
	}
	r.content.items = items
	return true
}

// partItems writes the parts of a form as items.
func (r *httpieRequest) partItems() bool {
	var items, names []string
	for i := range r.C.Content.Part {
		p := &r.C.Content.Part[i]
		name, plain := p.FileText.Plain()
		value, known := p.ValueText.Plain()
		item, ok := "", false
		switch {
		case !p.Simple() || !ascii.Only(p.Name) || strings.ContainsAny(p.Name, "\"\r\n"):
		case p.IsFile() && p.FilenameText != nil && p.TypeText != nil && plain && name[strings.LastIndexByte(name, '/')+1:] == *p.FilenameText &&
			name != "-" && ascii.Only(name) && !strings.ContainsAny(name, `;~"\`):
			item, ok = dataItem(p.NameText, "@", name+";type="+*p.TypeText)
		case !p.IsFile() && p.FilenameText == nil && p.TypeText == nil && known && p.ValueText.IsText():
			item, ok = dataItem(p.NameText, "=", value)
		}
		if !ok {
			return false
		}
		items, names = append(items, item), append(names, p.Name)
	}
	if !emit.Distinct(names) && !slices.IsSorted(names) || r.C.Field("Content-Type") != nil {
		return false
	}
	r.flags, r.content.items = []string{"--multipart"}, items
	return true
}

// exchange adds the options that shape the exchange.
func (r *httpieRequest) exchange() {
	switch r.C.Destination(r.P.Options) {
	case plan.ToFile:
		posix.MakeShellFolder(r.P, r.C)
		if r.C.Resumes() && r.C.Follow() {
			r.Flag(true, "--download")
			r.Flag(true, "--continue")
		} else if r.C.Resumes() { // --download follows redirects: HTTPie 3.2, httpie/core.py
			r.P.LossAt(r.C.Place("continueAt"), "-C", "goes on where a file ends only where it follows redirects")
		}
		output := r.C.Output()
		if r.C.KeepsFile(r.P.Options) { // HTTPie empties the file before it sends the request
			output = r.C.PartOutput()
			r.After += posix.MovePart(r.P, r.C)
		}
		r.Option("--output", output)
		r.Flag(r.C.SavesHead(r.P.Options), "--print=hb")
	case plan.HeadersPrinted:
		r.Flag(true, "--headers")
	case plan.ContentPrinted:
		if !r.C.Asked.Fail && r.C.PrintsHead(r.P.Options) {
			r.Flag(true, "--print=hb")
		} else {
			r.Flag(true, "--body")
		}
		r.Flag(r.C.Streams(r.P.Options), "--stream")
	case plan.Discarded:
		switch {
		case r.C.PrintsHead(r.P.Options):
			r.Flag(true, "--headers")
		case r.C.PrintsStatusOnly(r.P.Options):
			r.Flag(true, "--headers")
			r.After += ` | awk 'NR == 1 { print $2 }'`
		case len(r.C.Output()) > 0:
			r.Option("--output", r.C.Output())
		}
	}
	r.fail()
	if r.C.Follow() {
		r.Flag(true, "--follow")
		if r.C.LimitsRedirects() {
			r.Number("--max-redirects", float64(max(r.C.MaxRedirects()+1, 0))) // it ends at this one; 0: at none
		}
	}
	if plan.DotSegments(r.C.URL) && r.C.ProxyScheme() != "" && !r.C.Secure() {
		r.P.Refuse("asks a proxy for a URL without dot segments")
	}
	r.Flag(plan.DotSegments(r.C.URL), "--path-as-is")
	if limit := max(r.C.Timeout(), r.C.ConnectTimeout()); limit > 0 {
		r.Number("--timeout", limit)
	}
	r.Flag(r.C.OnlyTLS("1_2"), "--ssl=tls1.2")
	r.Flag(r.C.Insecure(), "--verify=no")
	for _, o := range []struct {
		name  string
		value plan.Text
	}{{"--verify", r.C.CaFile()}, {"--cert", r.C.Cert()}, {"--cert-key", r.C.Key()}, {"--cert-key-pass", r.C.KeyPassword()}} {
		if len(o.value) > 0 && !(r.C.Insecure() && o.name == "--verify") {
			r.Option(o.name, o.value)
		}
	}
	if r.C.ProxyScheme() != "" {
		r.Option("--proxy", plan.Prefixed("http:", r.C.ProxyURL()))
		r.Option("--proxy", plan.Prefixed("https:", r.C.ProxyURL()))
	}
	if c := r.C.Basic; c != nil {
		r.credentials(c)
	}
	if r.C.Digest != nil {
		r.Flag(true, "--auth-type=digest")
		r.credentials(r.C.Digest)
	}
}

// fail has a status of 400 and more end the command with an error.
func (r *httpieRequest) fail() {
	r.Flag(r.C.Fail(), "--check-status")
	if r.C.Asked.Fail && !r.C.FailsLate() && r.C.Destination(r.P.Options) == plan.ContentPrinted {
		r.P.DiffersAt(r.C.Place("fail"), "prints the content of an error")
	}
}

func (r *httpieRequest) credentials(c *plan.Credentials) {
	if c.Colon() && c != r.C.Basic { // Basic sends both as one
		r.P.Refuse("takes no user name with a colon")
	}
	if strings.Contains(c.User.Literals(), `\`) || !httpieValue(c.Password.Literals()) {
		r.P.Refuse("cannot write a backslash before a separator")
	}
	r.Option("--auth", c.Joined())
}
