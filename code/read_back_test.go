package code_test

import (
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"uncoil/code"
	"uncoil/internal/engine"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/urlparts"
	"uncoil/internal/proof/oracle"
	_ "uncoil/readers"
	"uncoil/request"
)

var readBack = flag.Int("readback.n", 2500, "how many random commands to write and read back")

// readForms are the targets whose files uncoil reads, and the shell that they are of.
var readForms = map[string]string{"har": "har", "raw-http": "http", "http": "http-file", "postman": "postman", "httpie": "posix"}

// A readCommand is a command that is written and read back.
type readCommand struct {
	text  string
	input engine.Input
}

// readCommands returns those of the corpus and random ones, or a ninth of them.
func readCommands(t *testing.T) (commands []readCommand) {
	cases, _ := proofCases(t)
	for _, c := range cases {
		commands = append(commands, readCommand{c.Command, engine.Input{Env: c.Env}})
	}
	generator := oracle.NewGenerator(1, oracle.Version{Major: 8, Minor: 22})
	for range *readBack {
		c := generator.Case()
		commands = append(commands, readCommand{c.Command(), engine.Input{}})
	}
	if testing.Short() {
		n := 0
		commands = slices.DeleteFunc(commands, func(readCommand) bool { n++; return n%9 > 0 })
	}
	return commands
}

// TestReadBack holds that uncoil reads what it writes: the same method, URL, fields
// and content. What the form cannot say a target refuses or warns of.
func TestReadBack(t *testing.T) {
	commands := readCommands(t)
	read := make(map[string]int)
	for _, c := range commands {
		r, err := engine.Parse(c.text, c.input)
		if err != nil || len(r.Requests) != 1 || beyond(&r.Requests[0]) {
			continue
		}
		for name, shell := range readForms {
			if shell == "har" && len(r.Requests[0].Variables) > 0 || shell == "http" && !onWire(&r.Requests[0]) {
				continue // it has no variables
			}
			for _, style := range []code.Options{{Placeholders: code.PlaceholdersText}, exactly} {
				if readsBack(t, c.text, r, name, shell, style) {
					read[name]++
				}
			}
		}
	}
	for name := range readForms {
		if t.Logf("%s: read %d of %d files", name, read[name], 2*len(commands)); read[name] < len(commands)/4 {
			t.Errorf("%s: read %d of %d files only", name, read[name], 2*len(commands))
		}
	}
}

// readsBack writes a request for a target, and reports whether it was read back.
func readsBack(t *testing.T, text string, r *engine.Result, name, shell string, style code.Options) bool {
	target, _ := code.Lookup(name)
	file, diags := target.Compose(nil, r.Requests, style)
	written := string(file)
	// Other commands may write the content for HTTPie, and content may be for another shell.
	unread := name == "httpie" && (strings.Contains(written, "| \\\n") || strings.HasPrefix(written, "tr ") || strings.Contains(written, "\ncurl http"))
	if diags.Err() != nil || slices.ContainsFunc(diags, admits) || unread {
		return false
	}
	back, err := engine.Parse(written, engine.Input{Shell: shell})
	if err != nil {
		t.Errorf("%s: %s\n%s\n%v", name, text, written, err)
		return false
	}
	want, got := told(&r.Requests[0]), told(&back.Requests[0])
	if shell == "http" { // which does not say the scheme
		_, got.URL, _ = strings.Cut(got.URL, "://")
		_, want.URL, _ = strings.Cut(want.URL, "://")
	}
	if diff := cmp.Diff(want, got); len(back.Requests) != 1 || diff != "" {
		t.Errorf("%s: %s\n%s\n%d requests (-wrote +read):\n%s", name, text, written, len(back.Requests), diff)
	}
	if seen, err := engine.Parse(written, engine.Input{}); (err != nil || seen.Shell != shell) && !strings.Contains(written, "curl http") {
		t.Errorf("%s: %s\n%s\nis not known by its signs: %v", name, text, written, err)
	}
	return true
}

// A toldRequest is what a request tells a server, with variables by their names.
type toldRequest struct {
	Method, URL, Target string
	Fields              []string
	Content             string
}

// beyond reports a request with what only curl sends, or no form keeps: methods and names
// of fields that HTTP has not, bytes beyond ASCII in a field, of which clients make what
// they want, and parts of a form with more than a name, a type and the name of a file.
func beyond(r *request.Request) bool {
	field := func(f request.Field) bool {
		return !ascii.IsToken(f.Name) || !ascii.Visible(f.Value) || strings.Contains(f.Line, " :") || strings.HasPrefix(f.Line, " ") || strings.HasPrefix(f.Line, "\t")
	}
	part := func(p request.Part) bool {
		return p.Nested || p.Headers != nil || p.Encoder != "" || strings.ContainsFunc(p.Name, unicode.IsControl) ||
			p.Filename != nil && (*p.Filename == "" || strings.Contains(*p.Filename, `\`)) || p.ContentType != nil && *p.ContentType == ""
	}
	if slices.ContainsFunc(r.Variables, func(v request.Variable) bool { return v.HasDefault }) {
		return true // some forms have the default for the value
	}
	proxied := func(o request.Option) bool { return o.Name == "proxyUser" } // beside those in the URL of the proxy
	if slices.ContainsFunc(r.Options, proxied) {
		return true
	}
	if strings.HasPrefix(r.URL, "{{") { // of --variable, which curl has kept
		return true
	}
	if !ascii.IsToken(r.Method) || slices.ContainsFunc(r.Fields, field) || count(r, "Cookie") > 1 || r.Body != nil && slices.ContainsFunc(r.Body.Parts, part) {
		return true
	}
	return r.Body != nil && r.Body.Kind == request.KindMultipart &&
		!slices.ContainsFunc(r.Fields, func(f request.Field) bool { return f.Name == "Content-Type" && f.Value == "multipart/form-data" })
}

// count returns how many fields of a name there are.
func count(r *request.Request, name string) (n int) {
	for _, f := range r.Fields {
		if ascii.EqualFold(f.Name, name) {
			n++
		}
	}
	return n
}

// onWire reports a request whose message says all that it is known by: where it goes to
// is its field Host, and its method is one in capitals.
func onWire(r *request.Request) bool {
	parts := urlparts.Of(r.URL)
	host := r.URL[parts.Authority:parts.Path]
	own := func(f request.Field) bool {
		return f.Origin != request.OriginDefault && ascii.EqualFold(f.Name, "Host") || ascii.EqualFold(f.Name, "Transfer-Encoding")
	}
	return len(r.Variables) == 0 && r.Target == "" && strings.Trim(r.Method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ-") == "" && !strings.Contains(host, "%") &&
		!strings.HasSuffix(host, ":80") && !strings.HasSuffix(host, ":443") && !slices.ContainsFunc(r.Fields, own) && !slices.Contains(r.Removed, "Host")
}

// encoded returns a URL with what clients may percent-encode.
func encoded(url string) string {
	if parts := urlparts.Of(url); parts.Path == len(url) || url[parts.Path] == '?' {
		url = url[:parts.Path] + "/" + url[parts.Path:]
	}
	var out []byte
	for i := 0; i < len(url); i++ {
		switch c := url[i]; {
		case c == '%' && i+2 < len(url):
			out = append(out, strings.ToUpper(url[i:i+3])...)
			i += 2
		case c <= ' ' || c >= 0x7f || strings.IndexByte("\"'<>[]^`{|}\\", c) >= 0:
			out = ascii.AppendPercent(out, url[i:i+1], "%20")
		default:
			out = append(out, c)
		}
	}
	return string(out)
}

func told(r *request.Request) toldRequest {
	named := func(s string) string { return s }
	if len(r.Variables) > 0 {
		var pairs []string
		for _, v := range r.Variables {
			pairs = append(pairs, v.Expr, "<"+v.Name+">")
		}
		named = strings.NewReplacer(pairs...).Replace
	}
	a := toldRequest{Method: r.Method, URL: encoded(named(r.URL)), Target: r.Target}
	boundary := ""
	for _, f := range r.Fields {
		unasked := f.Name == "Accept" && (f.Value == "*/*" || f.Value == "application/json, */*;q=0.5") || strings.HasPrefix(f.Value, "curl/") || f.Value == "deflate, gzip, br, zstd" || f.Value == "h2c" || f.Name == "HTTP2-Settings"
		name := strings.ToLower(f.Name)
		if f.Origin == request.OriginDefault || unasked || slices.Contains([]string{"host", "connection", "keep-alive", "proxy-connection", "content-length"}, name) {
			continue
		}
		value := f.Value
		if text, ok := strings.CutPrefix(value, "Basic "); ok {
			if plain, err := base64.StdEncoding.DecodeString(text); err == nil {
				value = "credentials " + string(plain)
			}
		}
		if kind, params, err := mime.ParseMediaType(value); err == nil && kind == "multipart/form-data" {
			boundary = params["boundary"]
			value = kind
		} else if err == nil && kind == "application/x-www-form-urlencoded" && strings.EqualFold(params["charset"], "utf-8") {
			value = kind // HTTPie's own type of a form, which means the same
		}
		a.Fields = append(a.Fields, strings.TrimRight(name+": "+strings.TrimSpace(named(value)), " "))
	}
	if r.Auth != nil && r.Auth.Scheme == "digest" && r.Auth.Username != "" {
		a.Fields = append(a.Fields, "digest "+named(r.Auth.Username+":"+r.Auth.Password))
	}
	slices.Sort(a.Fields)
	if r.Body != nil {
		a.Content = named(toldContent(r.Body, boundary))
	}
	return a
}

// toldContent returns content in one form: JSON without blanks, a form as its parts.
func toldContent(b *request.Body, boundary string) string {
	switch {
	case b.Kind == request.KindMultipart:
		var parts []string
		for _, p := range b.Parts {
			one := fmt.Sprintf("%s=%s@%s %s", p.Name, p.Value, p.File, p.Headers)
			if p.Filename != nil {
				one += " filename=" + *p.Filename
			}
			if p.ContentType != nil {
				one += " type=" + *p.ContentType
			}
			parts = append(parts, one)
		}
		return strings.Join(parts, "\n")
	case !b.Kind.Known():
		return fmt.Sprint(b.Pieces)
	case b.Kind == request.KindForm && utf8.ValidString(b.Data):
		return fmt.Sprint(b.Fields) // a blank may be encoded or not
	case b.Kind == request.KindJSON:
		var tokens []string
		for d := json.NewDecoder(strings.NewReader(b.Data)); ; {
			d.UseNumber()
			token, err := d.Token()
			if err != nil {
				break
			}
			tokens = append(tokens, fmt.Sprintf("%#v", token))
		}
		return strings.Join(tokens, " ")
	case boundary != "":
		var parts []string
		for r := multipart.NewReader(strings.NewReader(b.Data), boundary); ; {
			p, err := r.NextRawPart()
			if err != nil {
				break
			}
			content, _ := io.ReadAll(p)
			one := fmt.Sprintf("%s=%s@ []", p.FormName(), content)
			if p.FileName() != "" {
				one += " filename=" + p.FileName()
			}
			if kind := p.Header.Get("Content-Type"); kind != "" {
				one += " type=" + kind
			}
			parts = append(parts, one)
		}
		if parts != nil {
			return strings.Join(parts, "\n")
		}
	}
	return b.Data
}
