package golang

import (
	"cmp"
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// What a program writes otherwise where it is a function: how it ends, and what it returns.

// fatal writes the statement within an if that ends the program, or the function, with an
// error.
func (r *goRequest) fatal(err string) {
	if r.p.IsFunction() {
		r.p.Line("\treturn ", zeros(results(r.p, cmp.Or(r.ends, r.c))), err)
		return
	}
	if r.c.Caught() {
		r.p.Line("\treturn ", err)
		return
	}
	r.p.Use("log")
	r.p.Line("\tlog.Fatal(", err, ")")
}

// fails is fatal with a text.
func (r *goRequest) fails(text string) {
	if r.p.IsFunction() || r.c.Caught() {
		r.p.Use("errors")
		text = "errors.New(" + text + ")"
	}
	r.fatal(text)
}

// A result is what a function returns before its error: its type, and what stands for it beside
// an error.
type result struct{ class, zero string }

// results returns what the function for a call returns: what later calls take, or the response.
func results(p *plan.Program, c *plan.Call) (list []result) {
	for range c.Captures {
		list = append(list, result{"string", `""`})
	}
	switch to := c.Destination(p.Options); {
	case to == plan.HeadersPrinted:
		list = append(list, result{"http.Header", "nil"})
	case to != plan.ContentPrinted:
	case p.Options.DecodeJSON:
		list = append(list, result{"any", "nil"})
	case c.Streams(p.Options):
		list = append(list, result{"io.ReadCloser", "nil"})
	default:
		list = append(list, result{"[]byte", "nil"})
	}
	if c.ReturnsStatus(p.Options) {
		list = append(list, result{"int", "0"})
	}
	return list
}

// zeros returns what stands before an error that a function returns.
func zeros(list []result) (s string) {
	for _, one := range list {
		s += one.zero + ", "
	}
	return s
}

// classes returns the types of what a function returns, an error among them.
func classes(list []result) string {
	if len(list) == 0 {
		return "error"
	}
	s := "("
	for _, one := range list {
		s += one.class + ", "
	}
	return s + "error)"
}

// convention is what is customary in the language.
var convention = plan.Convention{Requires: requires, Language: "go", TextJSON: true, File: "main.go", Manifest: plan.Manifest{File: "go.mod", Line: "require $n v$v"}, Naming: plan.Naming{Camel: true, Initials: initialisms, Capital: true, Taken: strings.Fields(
	`adapter any jsonText jsonValue pathSegment pathSegments attempt base64 body bool break byte bytes case challenge chan client cmp const contains content contents context continue cookiejar
	credentials ctx data decoder default defer dialer digest else err error errors exec fallthrough false field fields file filepath fmt for form
	func go goto hex hmac http if import info int interface io jar json last len log mac main make map md md5 mime multipart net new newUUID
	nil os out package part path proxy query rand range regexp req request resp response return select send sha sha256 slices strconv string
	strings struct switch syscall target textproto time tls transient transport true type url values var wait x509`)}}

// functionName returns the name of the function for one of several requests.
func functionName(p *plan.Program, i int) string {
	name := "request" + emit.Itoa(i+1)
	if p.IsFunction() { // whose parameters may have any name
		return p.Bind(name, "the function "+name)
	}
	return name
}

// goFunction writes the function that the program is, and those that it calls for several
// requests.
func goFunction(p *plan.Program, sections [][]byte, calls []byte, head func(i int) string) {
	last := p.Calls[len(p.Calls)-1]
	p.Use("context")
	items := p.DeclareParameters(func(one *plan.Parameter) string { return one.Name })
	if len(items) > 0 {
		items[len(items)-1].Head += " string"
	}
	items = slices.Insert(items, 0, emit.Leaf("ctx context.Context"))
	returned := results(p, last)
	more := ""
	if slices.Contains(returned, result{"io.ReadCloser", "nil"}) {
		more = "The caller closes the content."
	}
	p.NoteFunction(&plan.DocComment{Open: "// ", Line: "// "}, p.Says(p.FunctionName()+" sends", "returns"), more)
	p.Line("func ", emit.Group(p.FunctionName(), "(", items, ")").Line(), " ", classes(returned), " {")
	checks(p, zeros(returned))
	if len(sections) == 1 {
		p.Dst = append(p.Dst, sections[0]...)
		p.Line("}")
		return
	}
	p.Dst = append(p.Dst, calls...)
	p.Line("}")
	for i, section := range sections {
		p.Line()
		p.Line(head(i))
		p.Dst = append(p.Dst, section...)
		p.Line("}")
	}
}

// give writes the statements that print the content, or return it.
func (r *goRequest) give() {
	switch {
	case r.p.Options.DecodeJSON:
		r.giveDecoded("json.NewDecoder(resp.Body).Decode(&data)")
	case r.streams():
		r.p.Use("io")
		r.returns("resp.Body")
	case !r.p.IsFunction():
		r.c.PrintsBytes(r.p.Options) // as always
		r.p.Use("os")
		r.c.Streams(r.p.Options) // io.Copy writes what has come
		r.copyTo("os.Stdout")
	case r.c.ReturnsStatus(r.p.Options):
		r.p.Use("io")
		content := r.p.Bind("content", "of the response")
		r.p.Line(content, ", err := io.ReadAll(resp.Body)")
		r.check()
		r.returns(content)
	default:
		r.p.Use("io")
		r.p.Line("return io.ReadAll(resp.Body)")
	}
}

// streams reports whether the function returns the content as it comes.
func (r *goRequest) streams() bool {
	streams := r.p.IsFunction() && r.c.Streams(r.p.Options)
	r.p.InPieces = r.p.InPieces || streams
	return streams
}

// giveDecoded writes the statements that decode the content, by a call that returns an
// error, and print it or return it.
func (r *goRequest) giveDecoded(call string) {
	r.p.Use("encoding/json")
	r.p.Line("var data any")
	r.p.Line("if err := ", call, "; err != nil {")
	r.fatal("err")
	r.p.Line("}")
	if r.p.IsFunction() {
		r.returns("data")
		return
	}
	r.p.Use("fmt")
	r.p.Line("fmt.Println(data)")
}

// returns writes the last statement of a function, with what it returns of the response, or "",
// before the status and no error.
func (r *goRequest) returns(content string) {
	if !r.p.IsFunction() {
		return
	}
	var values []string
	if content != "" {
		values = append(values, content)
	}
	if r.c.ReturnsStatus(r.p.Options) {
		values = append(values, r.status())
	}
	r.p.Line("return ", strings.Join(append(values, "nil"), ", "))
}
