package code

import "strings"

// HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/), an archive of
// requests with their responses. No response is known: each has the status 0,
// which browsers write for a request that got none, and the times are 0. Content
// is there as text, and as params where it is a form, as browsers write it,
// although the specification wants one of the two. A param that is a file names
// it, and a reader opens it.
var har = Target{
	Name: "har", Language: "json", Client: "HAR", Version: "1.2", Kind: File, Extension: "har",
	filename: "request.har", style: style{indent: "  "}, write: writeHAR,
	client: client{
		format: true, constant: true, loose: true, percents: wellFormed,
		says: []string{"httpVersion"},
	},
}

func writeHAR(p *program) {
	requests := p.eachCall(func(c *call) value { return p.harRequest(c) })
	if p.options.Bare {
		p.json(oneOrList(requests))
		return
	}
	entries := make([]value, len(requests))
	for i, r := range requests {
		response := newObject().int("status", 0).text("statusText", "").text("httpVersion", "").
			list("cookies", nil).list("headers", nil).
			add("content", newObject().int("size", 0).text("mimeType", "").value).
			text("redirectURL", "").int("headersSize", -1).int("bodySize", -1)
		entries[i] = newObject().text("startedDateTime", "1970-01-01T00:00:00.000Z").int("time", 0).
			add("request", r).add("response", response.value).add("cache", newObject().value).
			add("timings", newObject().int("send", 0).int("wait", 0).int("receive", 0).value).value
	}
	log := newObject().text("version", "1.2").
		add("creator", newObject().text("name", "uncoil").text("version", "1").value).
		list("entries", entries)
	p.json(newObject().add("log", log.value).value)
}

func (p *program) harRequest(c *call) value {
	url := p.harURL(c)
	o := newObject().text("method", p.plainText(literal(c.Method))).text("url", url).text("httpVersion", c.harVersion())
	var cookies, headers []value
	for i := range c.fields {
		f := &c.fields[i]
		headers = append(headers, harPair(f.name, p.plainText(f.value)))
		if pairs, ok := f.cookies(); ok && f.is("Cookie") {
			for _, one := range pairs {
				cookies = append(cookies, harPair(one.name.source(), one.value.source()))
			}
		}
	}
	_, query, _ := strings.Cut(url, "?")
	o.list("cookies", cookies).list("headers", headers).list("queryString", harPairs(query))
	size := p.harContent(c, o)
	return o.int("headersSize", -1).int("bodySize", int64(size)).value
}

// harURL returns the URL, in which only characters of a URI stand: RFC 3986,
// section 2.
func (p *program) harURL(c *call) string {
	base, path, query := c.urlParts()
	if source := base.source(); c.scheme() == "" || strings.ContainsAny(source, " \"<>\\^`{|}") {
		p.refuse("needs the scheme and the host of the URL")
	}
	url := p.plainText(base) + percentEncoded(literal(path.source()), notURI).source()
	if before, _, _ := strings.Cut(c.URL, "#"); strings.Contains(before, "?") {
		url += "?" + percentEncoded(literal(query.source()), notURI).source()
	}
	return url
}

// notURI are the marks that stand nowhere after the host of a URI.
const notURI = " \"<>[\\]^`{|}#"

// harVersion returns the version of HTTP as the first line of a request has it.
func (c *call) harVersion() string {
	switch c.httpVersion {
	case "":
		return "HTTP/1.1"
	case "2", "3":
		return "HTTP/" + c.httpVersion
	}
	return "HTTP/" + strings.TrimSuffix(strings.TrimSuffix(c.httpVersion, "-prior-knowledge"), "only")
}

func harPair(name, v string) value { return newObject().text("name", name).text("value", v).value }

// harPairs returns the pairs of a query or a form, decoded where that is text.
func harPairs(s string) []value {
	var pairs []value
	for s != "" {
		var pair string
		pair, s, _ = strings.Cut(s, "&")
		name, v, _ := strings.Cut(pair, "=")
		pairs = append(pairs, harPair(decodedText(name), decodedText(v)))
	}
	return pairs
}

// harContent adds the content, and returns its size where it is known.
func (p *program) harContent(c *call, o *object) int {
	contentType := ""
	if f := c.field("Content-Type"); f != nil {
		contentType = f.value.source()
	}
	content := newObject().text("mimeType", contentType)
	size := 0
	switch c.body.kind {
	case noBody:
		return 0
	case rawBody:
		data := p.plainText(c.body.data)
		size = len(data)
		content.text("text", data)
		if c.hasType(formType) {
			content.list("params", harPairs(data))
		}
	case multipartBody:
		size = -1
		content.items[0].text = "multipart/form-data"
		var params []value
		for i := range c.body.part {
			params = append(params, p.harPart(&c.body.part[i]))
		}
		content.list("params", params)
	default:
		p.refuse("has no place for the content of a file")
	}
	o.add("postData", content.value)
	return size
}

func (p *program) harPart(part *formPart) value {
	o := newObject().text("name", p.plainText(part.name))
	switch {
	case len(part.Headers) > 0:
		p.refuse("has no place for fields of a form part")
	case part.isFile() && (part.filename == nil || *part.filename != baseName(part.File)):
		p.refuse("has one name for a file that is sent, which is its own")
	case part.isFile():
		o.text("fileName", p.plainText(part.file))
	case part.filename != nil:
		o.text("value", p.plainText(part.value)).text("fileName", p.plainText(literal(*part.filename)))
	default:
		o.text("value", p.plainText(part.value))
	}
	if part.contentType != nil {
		o.optional("contentType", p.plainText(literal(*part.contentType)))
	}
	return o.value
}
