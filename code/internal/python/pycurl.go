package python

import (
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/libcurl"
	"uncoil/code/internal/plan"
)

// PycURL is libcurl, but for the options that PycURL 7.45 has no names for (src/module.c); its
// texts are ASCII or bytes.
var PycURL = plan.Target{
	Name: "python-pycurl", Convention: &convention, Client: "PycURL", Version: "7.45", Kind: plan.Code, Extension: "py",
	Packages: []plan.Package{{Name: "pycurl", Version: "7.45"}},
	Aliases:  []string{"pycurl"}, Proven: true, Style: style, Write: writePycURL, Takes: plan.AnyFrom, Runs: true,
	Functions: true, Decodes: true, Fallbacks: []*plan.Target{&Requests},
	Facts: pycurlFacts(),
}

func pycurlFacts() plan.Client {
	c := libcurl.Libcurl
	c.Mime, c.Target = false, false
	c.Stuck = libcurl.Streams
	c.Query = "é" // PycURL takes ASCII
	c.Adds = append(plan.FieldNames{"User-Agent"}, c.Adds...)
	c.Auths = []string{"ntlm", "negotiate", "any"}
	return c
}

// pycurlLacks are options of libcurl that it has no names for.
var pycurlLacks = strings.Fields("ABSTRACT_UNIX_SOCKET DNS_INTERFACE DNS_LOCAL_IP4 DNS_LOCAL_IP6 PROXY_CRLFILE PROXY_KEYPASSWD PROXY_PINNEDPUBLICKEY PROXY_SSL_CIPHER_LIST")

// pycurlConstants are constants of libcurl by the names of PycURL.
var pycurlConstants = strings.NewReplacer("CURL_NETRC_", "pycurl.NETRC_", "CURL_IPRESOLVE", "pycurl.IPRESOLVE", "CURL_HTTP_VERSION", "pycurl.CURL_HTTP_VERSION", "CURLAUTH", "pycurl.HTTPAUTH", "CURL_REDIR", "pycurl.REDIR", "CURL_SSLVERSION", "pycurl.SSLVERSION")

// A pycurlRequest writes one call with PycURL.
type pycurlRequest struct {
	*pythonRequest
	options libcurl.CurlOptions
	written int // how many settings are written
}

func writePycURL(p *plan.Program) {
	sections := writePython(p, p.Depth(0), pythonContent{data: "POSTFIELDS"}, func(r *pythonRequest) {
		r.takes.bytes = !r.c.Content.Data.IsASCII()
		one := pycurlRequest{pythonRequest: r, options: libcurl.CurlOptions{C: r.c, Lacks: pycurlLacks}}
		one.write()
	})
	p.Head(func() { imports(p, "pycurl") })
	pythonBody(p, "", sections)
}

func (r *pycurlRequest) write() {
	r.encodedQuery()
	r.p.Line("curl = pycurl.Curl()")
	r.setopt("URL", r.asciiText(r.c.URLText))
	r.options.SetMethod()
	r.settings()
	opened := r.body()
	r.options.SetFields()
	if r.c.Removes("User-Agent") {
		r.setopt("USERAGENT", emit.Leaf(`""`))
	}
	if r.c.PrintsHead(r.p.Options) || r.c.SavesHead(r.p.Options) {
		r.options.Flag("HEADER", "true")
	}
	r.options.SetExchange()
	r.settings()
	r.inside(opened, func() {
		if len(opened) > 0 {
			r.setopt("READDATA", emit.Leaf("file"))
		}
		r.perform()
	})
	if !r.p.IsFunction() {
		r.failLate()
		if len(r.c.CookieOutput()) > 0 {
			r.p.Line("curl.close()  # writes the cookies")
		}
	}
	if r.c.ReturnsOnlyStatus(r.p.Options) {
		r.failLate()
		r.returns("", "", pycurlStatus)
	}
	if t := r.c.WriteOutLine(r.p.Options, "curl.getinfo(pycurl.RESPONSE_CODE)"); len(t) > 0 {
		r.p.Node("print(", pythonText(r.p, t), ")")
	}
}

const pycurlStatus = "curl.getinfo(pycurl.RESPONSE_CODE)"

// failLate writes what ends the program for a status with --fail-with-body.
func (r *pycurlRequest) failLate() {
	if r.c.FailsLate() {
		r.p.Line("if curl.getinfo(pycurl.RESPONSE_CODE) >= 400:")
		r.p.Line(r.p.Indent, "raise ", r.exception(), `(f"HTTP {curl.getinfo(pycurl.RESPONSE_CODE)}")`)
	}
}

// perform writes the statements that send the request, and what is done with the response.
func (r *pycurlRequest) perform() {
	switch to := r.c.Destination(r.p.Options); {
	case to == plan.ToFile:
		r.save()
	case to == plan.Captured:
		r.p.Line("response = curl.perform_rs()")
		r.captures("json.loads(response)", "response")
	case to == plan.Discarded:
		r.p.Line("curl.perform_rb()")
	case r.p.IsFunction() && (r.c.FailsLate() || r.c.ReturnsStatus(r.p.Options)):
		r.p.Line("response = curl.perform_rb()")
		r.failLate()
		r.give(response{status: pycurlStatus, json: "json.loads(response)", text: `response.decode(errors="replace")`})
	default:
		r.give(response{json: "json.loads(curl.perform_rb())", text: `curl.perform_rb().decode(errors="replace")`})
	}
}

// save writes the statements that write the response to a file, or to another one until it
// is known to be no error.
func (r *pycurlRequest) save() {
	output, keeps := r.c.Output(), r.c.KeepsFile(r.p.Options)
	if folder := r.c.Folder(); folder != nil {
		r.p.Use("from pathlib import Path")
		r.p.Node("Path(", pythonText(r.p, folder), ").mkdir(parents=True, exist_ok=True)")
	}
	if keeps {
		output = r.c.PartOutput()
	}
	mode := `, "wb"`
	if r.c.Resumes() {
		mode = `, "ab"`
	}
	r.p.Node("with open(", pythonText(r.p, output), mode+") as output:")
	r.p.Level++
	if r.c.Resumes() {
		r.p.Line("curl.setopt(pycurl.RESUME_FROM, output.tell())")
	}
	r.p.Line("curl.setopt(pycurl.WRITEDATA, output)")
	r.p.Line("curl.perform()")
	r.p.Level--
	if keeps {
		r.p.Use("import os")
		r.p.Node("", emit.Group("os.replace", "(", []emit.Node{pythonText(r.p, output), pythonText(r.p, r.c.Output())}, ")"), "")
	}
}

func (r *pycurlRequest) setopt(option string, value emit.Node) {
	r.p.Node("", emit.Group("curl.setopt", "(", []emit.Node{emit.Leaf("pycurl." + option), value}, ")"), "")
}

// settings writes the statements that set the options which are not set yet.
func (r *pycurlRequest) settings() {
	for _, s := range r.options.Settings[r.written:] {
		value := emit.Leaf(s.Word)
		switch s.Kind {
		case libcurl.CurlFlag:
			value = emit.Leaf(strings.ToUpper(s.Word[:1]) + s.Word[1:])
		case libcurl.CurlConstant:
			value = emit.Leaf(pycurlConstants.Replace(s.Word))
		case libcurl.CurlText:
			value = r.credential(s.Value)
		case libcurl.CurlList:
			items := make([]emit.Node, len(s.List))
			for i, t := range s.List {
				items[i] = r.credential(t)
			}
			value = emit.Group("", "[", items, "]")
		}
		r.setopt(s.Option, value)
	}
	r.written = len(r.options.Settings)
}

// body writes the statements that set the content, and returns what opens the file of it.
func (r *pycurlRequest) body() []string {
	switch {
	case r.c.Content.Kind == plan.NoBody:
		return nil
	case r.options.Uploads():
		r.p.Use("import os")
		name := pythonText(r.p, r.c.Content.File).Line()
		r.setopt("UPLOAD", emit.Leaf("True"))
		r.setopt("INFILESIZE_LARGE", emit.Leaf("os.path.getsize("+name+")"))
		r.open(r.c.Content.File)
		return r.opened
	case r.c.Content.Kind == plan.MultipartBody:
		r.p.ReportTypes(r.c)
		if parts, ok := r.parts(); ok {
			r.setopt("HTTPPOST", emit.Group("", "[", parts, "]"))
			return nil
		}
	default:
		r.options.Untyped()
	}
	n := r.contentArgument()
	n.Name, n.Separator = "", ""
	r.setopt("POSTFIELDS", n)
	return nil
}

// parts returns the parts of a form, or false where the option has no place for one.
func (r *pycurlRequest) parts() ([]emit.Node, bool) {
	items := make([]emit.Node, len(r.c.Content.Part))
	for i := range items {
		part := &r.c.Content.Part[i]
		if !part.Helped() || !part.IsFile() && part.FilenameText != nil || r.c.Body.FormEscape || part.FileText.Source() == "-" || part.IsFile() && (part.FilenameText == nil || part.TypeText == nil) {
			return nil, false
		}
		value := r.credential(part.ValueText)
		if part.IsFile() {
			value = r.credential(part.FileText)
		}
		if part.IsFile() || part.TypeText != nil {
			form := "pycurl.FORM_CONTENTS"
			if part.IsFile() {
				form = "pycurl.FORM_FILE"
			}
			list := []emit.Node{emit.Leaf(form), value}
			if name := part.SentName(); name != "" {
				list = append(list, emit.Leaf("pycurl.FORM_FILENAME"), r.credential(plan.Literal(name)))
			}
			if part.TypeText != nil && !part.GuessesType() {
				list = append(list, emit.Leaf("pycurl.FORM_CONTENTTYPE"), emit.Leaf(String(r.p, *part.TypeText)))
			}
			value = emit.Group("", "(", list, ")")
		}
		items[i] = emit.Group("", "(", []emit.Node{r.credential(part.NameText), value}, ")")
	}
	return items, true
}
