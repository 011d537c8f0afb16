package golang

import (
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// What a program writes otherwise where it is a function: how it ends, and what it returns.

// fatal writes the statement within an if that ends the program, or the function, with an
// error.
func (r *goRequest) fatal(err string) {
	if r.p.IsFunction() {
		r.p.Line("\treturn ", r.with(err))
		return
	}
	r.p.Use("log")
	r.p.Line("\tlog.Fatal(", err, ")")
}

// fails is fatal with a text.
func (r *goRequest) fails(text string) {
	if r.p.IsFunction() {
		r.p.Use("errors")
		text = "errors.New(" + text + ")"
	}
	r.fatal(text)
}

// goResult returns the type of what the function returns beside an error, or "".
func goResult(p *plan.Program, c *plan.Call) string {
	switch to := c.Destination(p.Options); {
	case to == plan.HeadersPrinted:
		return "http.Header"
	case to != plan.ContentPrinted:
		return ""
	case p.Options.DecodeJSON:
		return "any"
	}
	return "[]byte"
}

// with returns what the function returns with an error.
func (r *goRequest) with(err string) string {
	if goResult(r.p, r.c) == "" {
		return err
	}
	return "nil, " + err
}

// convention is what is customary in the language.
var convention = plan.Convention{Requires: requires, Language: "go", File: "main.go", Manifest: plan.Manifest{File: "go.mod", Line: "require $n v$v"}, Naming: plan.Naming{Camel: true, Initials: []string{"id", "url", "uuid"}, Single: true, Taken: strings.Fields(
	`adapter any jsonText jsonValue pathSegment pathSegments attempt base64 body bool break byte bytes case challenge chan client cmp const contains contents context continue cookiejar
	credentials data decoder default defer dialer digest else err error errors exec fallthrough false field fields file filepath fmt for form
	func go goto hex hmac http if import info int interface io jar json last len log mac main make map md md5 mime multipart net new newUUID
	nil os out package part path proxy query rand range regexp req request resp response return select send sha sha256 slices strconv string
	strings struct switch syscall target textproto time tls transient transport true type url values var wait x509`)}}

// goFunction writes the function that the program is.
func goFunction(p *plan.Program, body []byte) {
	items := p.DeclareParameters(func(one *plan.Parameter) string { return one.Name })
	if len(items) > 0 {
		items[len(items)-1].Head += " string"
	}
	result, before := goResult(p, p.Calls[0]), ""
	if result != "" {
		result, before = "("+result+", error)", "nil, "
	} else {
		result = "error"
	}
	p.NoteParameters("// "+p.FunctionName()+" sends the request.\n//", "// ", "")
	p.Line("func ", emit.Group(p.FunctionName(), "(", items, ")").Line(), " ", result, " {")
	checks(p, before)
	p.Dst = append(p.Dst, body...)
	p.Line("}")
}

// give writes the statements that print the content, or return it.
func (r *goRequest) give() {
	switch {
	case r.p.Options.DecodeJSON:
		r.giveDecoded("json.NewDecoder(resp.Body).Decode(&data)")
	case r.p.IsFunction():
		r.p.Use("io")
		r.p.Line("return io.ReadAll(resp.Body)")
	default:
		r.p.Use("os")
		r.copyTo("os.Stdout")
	}
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

// returns writes the last statement of a function, with what it returns beside no error.
func (r *goRequest) returns(result string) {
	switch {
	case !r.p.IsFunction():
	case result == "":
		r.p.Line("return nil")
	default:
		r.p.Line("return ", result, ", nil")
	}
}
