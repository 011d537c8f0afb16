package code

import (
	"strconv"
	"strings"
)

// meaningful are the members of options that change what is sent, or to whom,
// and that no target says unless it has code for them. What is not here changes
// how curl connects, reports or stores, and a program goes without it.
var meaningful = map[string]string{
	"abstractUnixSocket": "connect to an abstract Unix socket",
	"altSvc":             "follow Alt-Svc",
	"connectTo":          "connect to another host than the URL's",
	"dohUrl":             "resolve names over HTTPS",
	"haproxyProtocol":    "send a PROXY protocol header",
	"haproxyClientip":    "send a PROXY protocol header",
	"interface":          "choose the network interface",
	"localPort":          "choose the local port",
	"pinnedPublicKey":    "pin a public key",
	"preproxy":           "go through two proxies",
	"proto":              "limit the protocols",
	"resolve":            "give a host an address of its own",
	"limitRate":          "limit the speed",
	"maxFilesize":        "limit the size of the response",
	"netrc":              "read .netrc",
	"netrcFile":          "read .netrc",
	"tlsMin":             "set the lowest version of TLS",
	"tlsMax":             "set the highest version of TLS",
}

// commonLosses warns of options that matter and that the target does not say;
// said has the members that it does say.
func (r *pythonRequest) commonLosses(said map[string]bool) { r.program.lose(r.call, said) }

func (p *program) lose(c *call, said map[string]bool) {
	for _, name := range c.others {
		if what := meaningful[name]; what != "" && !said[name] {
			p.loss(name, "cannot "+what)
		}
	}
}

// loss warns that the client lacks what a member of options asks for, and notes
// it in the program.
func (p *program) loss(member, what string) {
	p.cannot(what, "the program leaves out what options."+member+" asks for")
	p.comment(p.target.Client + " " + what + ": left out")
}

// multipartPieces returns the bytes of a multipart form as curl writes them,
// with a boundary of our own, and its content type.
func (c *call) multipartPieces() ([]piece, string) {
	boundary := c.boundary()
	var out []piece
	add := func(s string) {
		if n := len(out); n > 0 && out[n-1].isText && len(out[n-1].text) == 1 && out[n-1].text[0].variable == nil {
			out[n-1].text[0].literal += s
			return
		}
		out = append(out, piece{isText: true, text: literal(s)})
	}
	for i := range c.body.part {
		p := &c.body.part[i]
		add("--" + boundary + "\r\n" + p.head(c.Body.FormEscape) + "\r\n")
		if p.isFile() {
			out = append(out, piece{file: p.file})
		} else {
			for _, t := range p.value {
				if t.variable == nil {
					add(t.literal)
				} else {
					out = append(out, piece{isText: true, text: text{t}})
				}
			}
		}
		add("\r\n")
	}
	add("--" + boundary + "--\r\n")
	return out, "multipart/form-data; boundary=" + boundary
}

// head returns the header lines of a part.
func (p *formPart) head(formEscape bool) string {
	head := `Content-Disposition: form-data; name="` + escapeName(p.Name, formEscape) + `"`
	if p.filename != nil {
		head += `; filename="` + escapeName(*p.filename, formEscape) + `"`
	}
	head += "\r\n"
	if p.contentType != nil {
		head += "Content-Type: " + *p.contentType + "\r\n"
	}
	if p.Encoder != "" {
		head += "Content-Transfer-Encoding: " + p.Encoder + "\r\n"
	}
	for _, h := range p.Headers {
		head += h + "\r\n"
	}
	return head
}

// escapeName escapes a name as curl does: escape_string() in curl 8.22
// lib/mime.c.
func escapeName(s string, backslash bool) string {
	var b []byte
	for i := range len(s) {
		switch c := s[i]; {
		case backslash && (c == '"' || c == '\\'):
			b = append(b, '\\', c)
		case !backslash && c == '"':
			b = append(b, "%22"...)
		case !backslash && c == '\r':
			b = append(b, "%0D"...)
		case !backslash && c == '\n':
			b = append(b, "%0A"...)
		default:
			b = append(b, c)
		}
	}
	return string(b)
}

// boundary returns a boundary that no part holds, the same each time for the
// same form.
func (c *call) boundary() string {
	const stem = "uncoil"
	for n := 0; ; n++ {
		boundary := stem
		if n > 0 {
			boundary += strconv.Itoa(n)
		}
		if !c.holds(boundary) {
			return boundary
		}
	}
}

func (c *call) holds(s string) bool {
	for i := range c.body.part {
		if strings.Contains(c.body.part[i].Value, s) {
			return true
		}
	}
	return false
}
