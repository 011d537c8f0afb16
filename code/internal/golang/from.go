package golang

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
	"uncoil/request"
)

// takes reports what programs for Go take: names of members that stand in a tag, as
// isValidTag() of encoding/json has them.
func takes(f request.From) bool {
	if r, ok := f.(*request.Response); ok {
		return !slices.ContainsFunc(r.Path, func(s request.Step) bool {
			return !s.IsIndex && (s.Key == "" || s.Key == "-" || strings.ContainsAny(s.Key, "\"\\`,'") || !emit.StandsForItself(s.Key, '`', ""))
		})
	}
	return plan.AnyFrom(f)
}

// taken returns the values that earlier functions pass on to the one of a call.
func taken(c *plan.Call) (names []string) {
	for i := range c.Variables {
		if v := &c.Variables[i]; plan.IsLocal(v) && !slices.Contains(names, v.Name) {
			names = append(names, v.Name)
		}
	}
	return names
}

// goCalls returns the statements that call the function for each request. They come
// before the imports, which they may add to.
func goCalls(p *plan.Program, shares map[*plan.Call]bool, takes map[*plan.Call][]string) []byte {
	if alone(p) {
		return nil
	}
	start := len(p.Dst)
	p.Level++
	for i, c := range p.Calls {
		if !c.After() { // which stands where the one before it fails
			goCall(p, i, shares, takes)
		}
	}
	p.Level--
	calls := slices.Clone(p.Dst[start:])
	p.Budget.Hold(len(calls))
	p.Dst = p.Dst[:start]
	return calls
}

// goCall writes the call of the function for a request, with the values that it takes
// and gives.
func goCall(p *plan.Program, i int, shares map[*plan.Call]bool, takes map[*plan.Call][]string) {
	c, function, parameters := p.Calls[i], functionName(p, i), takes[p.Calls[i]]
	r := goRequest{p: p, c: c}
	r.outer()
	r.computes()
	r.openJar()
	jar := c.Jar()
	if c.Opens() && !jar.Every(func(c *plan.Call) bool { return !shares[c] }) {
		p.Line(jar.Named("client"), " := &http.Client{Jar: ", jar.Named("jar"), "}")
	}
	names := captureNames(c)
	arguments := slices.Concat(parameters, taken(c))
	switch {
	case shares[c]:
		arguments = append([]string{jar.Named("client")}, arguments...)
	case jar != nil:
		arguments = append([]string{jar.Named("jar")}, arguments...)
	}
	if p.IsFunction() {
		arguments = append([]string{"ctx"}, arguments...)
	}
	call := function + "(" + strings.Join(arguments, ", ") + ")"
	if c.Caught() {
		var otherwise func()
		if i+1 < len(p.Calls) && p.Calls[i+1].After() {
			otherwise = func() { goCall(p, i+1, shares, takes) }
		}
		caughtCall(p, c, call, otherwise)
		return
	}
	switch last := c == p.Calls[len(p.Calls)-1]; {
	case !p.IsFunction():
		before := strings.Join(names, ", ")
		if len(names) > 0 {
			before += " := "
		}
		p.Line(before, call)
	case last && len(names) == 0:
		p.Line("return ", call)
	case len(names) == 0:
		p.Line("if err := ", call, "; err != nil {")
		r.fatal("err")
		p.Line("}")
	case last:
		p.Line(strings.Repeat("_, ", len(names)), "err := ", call)
		p.Line("return err")
	default:
		p.Line(strings.Join(names, ", "), ", err := ", call)
		r.check()
	}
}

// outer has the statements end the function around those for the requests, and not that for
// the call.
func (r *goRequest) outer() {
	if r.p.IsFunction() {
		r.ends = r.p.Calls[len(r.p.Calls)-1]
	}
}

// openJar writes the statement that makes the jar of several requests, before the first.
func (r *goRequest) openJar() {
	if r.c.Opens() {
		r.p.Use("net/http/cookiejar")
		r.p.Line(r.c.Jar().Named("jar"), ", err := cookiejar.New(nil)")
		r.check()
	}
}

// signature returns the parameters and the results of the function for a request.
func signature(p *plan.Program, c *plan.Call, shares map[*plan.Call]bool, takes map[*plan.Call][]string) string {
	var parameters []string
	if p.IsFunction() {
		parameters = append(parameters, "ctx context.Context")
	}
	switch jar := c.Jar(); {
	case shares[c]:
		parameters = append(parameters, jar.Named("client")+" *http.Client")
	case jar != nil:
		parameters = append(parameters, jar.Named("jar")+" http.CookieJar")
	}
	if names := slices.Concat(takes[c], taken(c)); len(names) > 0 {
		parameters = append(parameters, strings.Join(names, ", ")+" string")
	}
	s := "(" + strings.Join(parameters, ", ") + ")"
	if p.IsFunction() {
		return s + " " + classes(results(p, c))
	}
	if c.Caught() {
		return s + " error"
	}
	switch n := len(c.Captures); n {
	case 0:
		return s
	case 1:
		return s + " string"
	default:
		return s + " (" + strings.TrimSuffix(strings.Repeat("string, ", n), ", ") + ")"
	}
}

func captureNames(c *plan.Call) (names []string) {
	for _, one := range c.Captures {
		names = append(names, one.Name)
	}
	return names
}

// computes writes what the program asks the machine for.
func (r *goRequest) computes() {
	for _, one := range r.c.Computes {
		r.compute(one.Name, one.From)
	}
}

func (r *goRequest) compute(name string, from request.From) {
	switch f := from.(type) {
	case *request.Date:
		r.p.Line(name, " := ", r.date(f))
	case *request.UUID:
		r.p.Use("crypto/rand")
		r.p.Use("fmt")
		if r.p.IsFunction() {
			r.p.Help(strings.Replace(goUUID, "log.Fatal(err)", "panic(err) // no system has that", 1))
		} else {
			r.p.Use("log")
			r.p.Help(goUUID)
		}
		r.p.Line(name, " := newUUID()")
	case *request.Encoded:
		r.encoded(name, f)
	case *request.Command:
		r.p.Use("os/exec")
		r.p.Use("strings")
		output := r.p.Bind("output", name)
		arguments := []emit.Node{emit.Leaf(`"sh"`), emit.Leaf(`"-c"`), emit.Leaf(goString(f.Text))}
		r.p.Node(output+", err := ", emit.Group("exec.Command", "(", arguments, ").Output()"), "")
		r.check()
		r.p.Line(name, " := strings.TrimRight(string(", output, `), "\n")`)
	case *request.Hostname:
		r.p.Use("os")
		r.p.Line(name, ", err := os.Hostname()")
		r.check()
	case *request.FileContent:
		r.p.Use("os")
		data := r.p.Bind("contents", name)
		r.p.Line(data, ", err := os.ReadFile(", goString(f.Name), ")")
		r.check()
		if f.Base64 {
			r.p.Use("encoding/base64")
			r.p.Line(name, " := base64.StdEncoding.EncodeToString(", data, ")")
			break
		}
		r.p.Use("strings")
		r.p.Line(name, " := strings.TrimRight(string(", data, `), "\n")`)
	}
}

// hashes are the packages of hashes, what makes one, and what sums at once.
var hashes = map[string]struct{ path, make, sum string }{
	"md5": {"crypto/md5", "md5.New", "md5.Sum"}, "sha1": {"crypto/sha1", "sha1.New", "sha1.Sum"},
	"sha224": {"crypto/sha256", "sha256.New224", "sha256.Sum224"}, "sha256": {"crypto/sha256", "sha256.New", "sha256.Sum256"},
	"sha384": {"crypto/sha512", "sha512.New384", "sha512.Sum384"}, "sha512": {"crypto/sha512", "sha512.New", "sha512.Sum512"},
}

// encoded writes the statements for a text in Base64, or for a hash or an HMAC.
func (r *goRequest) encoded(name string, e *request.Encoded) {
	bytes := func(t plan.Text) emit.Node { return emit.Leaf("[]byte(" + r.goText(t) + ")") }
	encode := "hex.EncodeToString"
	if e.Base64 {
		r.p.Use("encoding/base64")
		encode = "base64.StdEncoding.EncodeToString"
		if e.URLSafe {
			encode = "base64.RawURLEncoding.EncodeToString"
		}
	} else {
		r.p.Use("encoding/hex")
	}
	if e.Hash == "" {
		r.p.Node(name+" := ", emit.Group(encode, "(", []emit.Node{bytes(plan.EncodedText(e))}, ")"), "")
		return
	}
	hash := hashes[e.Hash]
	r.p.Use(hash.path)
	if e.Key == "" {
		sum := r.p.Bind("sum", name)
		r.p.Node(sum+" := ", emit.Group(hash.sum, "(", []emit.Node{bytes(plan.EncodedText(e))}, ")"), "")
		r.p.Line(name, " := ", encode, "(", sum, "[:])")
		return
	}
	r.p.Use("crypto/hmac")
	mac := r.p.Bind("mac", name)
	r.p.Node(mac+" := ", emit.Group("hmac.New", "(", []emit.Node{emit.Leaf(hash.make), bytes(plan.EncodedKey(e))}, ")"), "")
	r.p.Node("", emit.Group(mac+".Write", "(", []emit.Node{bytes(plan.EncodedText(e))}, ")"), "")
	r.p.Line(name, " := ", encode, "(", mac, ".Sum(nil))")
}

// goUUID is what the standard library lacks: RFC 9562, section 5.4.
const goUUID = `// newUUID returns a random UUID.
func newUUID() string {
	b := make([]byte, 16)
	if _, err := rand.Read(b); err != nil {
		log.Fatal(err)
	}
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
`

// dates are the conversions of date in a layout of package time.
var dates = map[byte]string{'Y': "2006", 'm': "01", 'd': "02", 'H': "15", 'M': "04", 'S': "05"}

// date returns an expression for a date.
func (r *goRequest) date(d *request.Date) string {
	r.p.Use("time")
	if before, after, ok := plan.Seconds(d); ok {
		r.p.Use("strconv")
		s := "strconv.FormatInt(time.Now().Unix(), 10)"
		return plan.Around(before, s, after, " + ", goString)
	}
	now := "time.Now()"
	if d.UTC {
		now += ".UTC()"
	}
	var terms []string
	layout := ""
	end := func() {
		if layout != "" {
			terms = append(terms, now+".Format("+goString(layout)+")")
			layout = ""
		}
	}
	for _, part := range plan.DateParts(d) {
		switch {
		case part.Verb != 0:
			layout += dates[part.Verb]
		case strings.Trim(part.Literal, " -:/TZ") == "":
			layout += part.Literal
		default: // Format could take it for a part of the date
			end()
			terms = append(terms, goString(part.Literal))
		}
	}
	end()
	return strings.Join(terms, " + ")
}

// A goMember is a part of the type that JSON is decoded into.
type goMember struct {
	key     string
	leaf    string // its type; "" for an object or an array
	members []*goMember
	element *goMember // of an array
}

// add adds the path to a value, and returns the expression for it, or "" where another
// value stands in its way.
func (m *goMember) add(path []request.Step, leaf string) string {
	if len(path) == 0 {
		if m.leaf != "" && m.leaf != leaf || m.members != nil || m.element != nil {
			return ""
		}
		m.leaf = leaf
		return " "
	}
	if m.leaf != "" || path[0].IsIndex && m.members != nil || !path[0].IsIndex && m.element != nil {
		return ""
	}
	if path[0].IsIndex {
		if m.element == nil {
			m.element = new(goMember)
		}
		return joined("["+emit.Itoa(path[0].Index)+"]", m.element.add(path[1:], leaf))
	}
	i := slices.IndexFunc(m.members, func(o *goMember) bool { return o.key == path[0].Key })
	if i < 0 {
		i = len(m.members)
		m.members = append(m.members, &goMember{key: path[0].Key})
	}
	return joined("."+m.fieldName(i), m.members[i].add(path[1:], leaf))
}

func joined(step, rest string) string {
	if rest == "" {
		return ""
	}
	return step + strings.TrimSpace(rest)
}

// initialisms are words that Go writes in capitals.
var initialisms = []string{
	"acl", "api", "css", "db", "dns", "gid", "guid", "html", "http", "https", "id", "ip", "json", "jwt", "sql", "ssh", "tls", "ttl", "ui", "uid", "uri", "url", "utf8", "uuid", "vm", "xml",
}

// fieldName returns the name of a member as a field.
func (m *goMember) fieldName(i int) string {
	name := ""
	for _, w := range plan.Words(m.members[i].key) {
		if slices.Contains(initialisms, w) {
			name += strings.ToUpper(w)
		} else {
			name += strings.ToUpper(w[:1]) + w[1:]
		}
	}
	if name == "" || '0' <= name[0] && name[0] <= '9' {
		name = "Value" + name
	}
	if slices.ContainsFunc(m.members[:i], func(o *goMember) bool {
		return ascii.EqualFold(strings.Join(plan.Words(o.key), ""), strings.Join(plan.Words(m.members[i].key), ""))
	}) {
		name += emit.Itoa(i + 1)
	}
	return name
}

// write writes the type after what stands on its line, and what follows it.
func (m *goMember) write(p *plan.Program, before, after string) {
	switch {
	case m.element != nil:
		m.element.write(p, before+"[]", after)
	case m.leaf != "":
		p.Line(before, m.leaf, after)
	default:
		p.Line(before, "struct {")
		p.Level++
		for i, o := range m.members {
			name, tag := m.fieldName(i), " `json:"+strconv.Quote(o.key)+"`"
			if kind := o.line(); kind != "" {
				names, types := m.columns(i)
				name += strings.Repeat(" ", names-len(name))
				tag = strings.Repeat(" ", types-len(kind)) + tag
			}
			o.write(p, name+" ", tag)
		}
		p.Level--
		p.Line("}", after)
	}
}

// line returns the type where it stands on one line.
func (m *goMember) line() string {
	if m.element != nil {
		if s := m.element.line(); s != "" {
			return "[]" + s
		}
		return ""
	}
	return m.leaf
}

// columns returns how wide the names and the types are of the fields on one line around
// one of them, which gofmt aligns.
func (m *goMember) columns(i int) (names, types int) {
	first, last := i, i
	for first > 0 && m.members[first-1].line() != "" {
		first--
	}
	for last+1 < len(m.members) && m.members[last+1].line() != "" {
		last++
	}
	for k := first; k <= last; k++ {
		names, types = max(names, len(m.fieldName(k))), max(types, len(m.members[k].line()))
	}
	return names, types
}

// keepFields writes the statements that keep values of fields of the response, and end the
// program where it has none of that name.
func (r *goRequest) keepFields() {
	for _, one := range r.c.HeaderValues() {
		value, lacks := "resp.Header.Get("+goString(one.Header)+")", one.Name+` == ""`
		if one.Word > 0 {
			r.p.Use("strings")
			words := r.p.Bind("words", "of "+one.Name)
			r.p.Line(words, " := strings.Fields(", value, ")")
			value, lacks = words+"["+emit.Itoa(one.Word-1)+"]", "len("+words+") < "+emit.Itoa(one.Word)
		} else {
			r.p.Line(one.Name, " := ", value)
		}
		r.p.Line("if ", lacks, " {")
		r.fails(goString("the response has no " + one.Header))
		r.p.Line("}")
		if one.Word > 0 {
			r.p.Line(one.Name, " := ", value)
		}
	}
}

// captures writes the statements that keep values of the response.
func (r *goRequest) captures() {
	r.keepFields()
	whole := ""
	for _, one := range r.c.Captures {
		if len(one.Path) > 0 || one.Header != "" {
			continue
		}
		if whole == "" {
			whole = one.Name
			r.p.Use("io")
			r.p.Use("strings")
			body := r.p.Bind("contents", "of "+whole)
			r.p.Line(body, ", err := io.ReadAll(resp.Body)")
			r.check()
			r.p.Line(whole, " := strings.TrimRight(string(", body, `), "\n")`)
		} else {
			r.p.Line(one.Name, " := ", whole)
		}
	}
	values := r.decode(whole)
	for i, one := range r.c.Captures {
		if len(one.Path) > 0 && (r.p.Options.Bare || len(r.p.Calls) == 1) {
			r.p.Line(one.Name, " := ", values[i])
		}
	}
	if r.p.Options.Bare {
		return
	}
	for i, one := range r.c.Captures {
		if len(one.Path) == 0 {
			values[i] = one.Name
		}
	}
	if r.p.IsFunction() {
		values = append(values, "nil")
	}
	r.p.Line("return ", strings.Join(values, ", "))
}

// decode writes what decodes the content, of the response or of a variable, and returns
// an expression for each value.
func (r *goRequest) decode(whole string) []string {
	values := make([]string, len(r.c.Captures))
	left := len(values)
	for i, one := range r.c.Captures {
		if len(one.Path) == 0 {
			values[i], left = one.Name, left-1
		}
	}
	again := false
	for left > 0 {
		var root goMember
		numbers := false
		data := r.p.Bind("data", "of "+emit.Itoa(len(r.p.Dst)))
		for i, one := range r.c.Captures {
			if values[i] != "" {
				continue
			}
			leaf := "string"
			switch {
			case one.Quoted:
				leaf = "json.RawMessage"
			case !one.IsText():
				leaf = "any"
			}
			path := root.add(one.Path, leaf)
			if path == "" {
				continue // for the next type
			}
			left--
			switch values[i] = data + path; leaf {
			case "json.RawMessage":
				values[i] = "string(" + values[i] + ")"
			case "any":
				r.p.Use("fmt")
				values[i], numbers = "fmt.Sprint("+values[i]+")", true
			}
		}
		if left > 0 && whole == "" && !again { // another type follows, for the same content
			r.p.Use("io")
			r.p.Use("strings")
			body := r.p.Bind("contents", "for "+data)
			r.p.Line(body, ", err := io.ReadAll(resp.Body)")
			r.check()
			whole = "string(" + body + ")"
		}
		again = true
		r.decodeInto(&root, data, whole, numbers)
	}
	return values
}

// decodeInto writes the type of data, and the statement that decodes into it.
func (r *goRequest) decodeInto(root *goMember, data, whole string, numbers bool) {
	r.p.Use("encoding/json")
	reader := "resp.Body"
	if whole != "" {
		r.p.Use("strings")
		reader = "strings.NewReader(" + whole + ")"
	}
	root.write(r.p, "var "+data+" ", "")
	decoder := "json.NewDecoder(" + reader + ")"
	if numbers {
		name := r.p.Bind("decoder", "of "+data)
		r.p.Line(name, " := ", decoder)
		r.p.Line(name, ".UseNumber() // keeps their digits")
		decoder = name
	}
	r.p.Line("if err := ", decoder, ".Decode(&", data, "); err != nil {")
	r.fatal("err")
	r.p.Line("}")
}
