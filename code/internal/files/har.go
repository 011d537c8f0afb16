package files

import (
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/), an archive of
// requests with their responses. No response is known: each has the status 0,
// which browsers write for a request that got none, and the times are 0. Content
// is there as text, and as params where it is a form, as browsers write it,
// although the specification wants one of the two. A param that is a file names
// it, and a reader opens it.
var HAR = plan.Target{
	Name: "har", Convention: plan.Format("json"), Client: "HAR", Version: "1.2", Kind: plan.File, Extension: "har",
	Why:     "a schema and har-validator read them; a HAR is a record, which nothing sends",
	SavedAs: "request.har", Style: emit.Style{Indent: "  "}, Write: writeHAR,
	Facts: plan.Client{
		Follows: plan.NoMethod,
		Format:  true, Constant: true, Loose: true, Rules: plan.Rules{plan.ReadsURLs(plan.WellFormed)},
	},
}

func writeHAR(p *plan.Program) {
	requests := eachCall(p, func(c *plan.Call) emit.Value { return harRequest(p, c) })
	if p.Options.Bare {
		json(p, oneOrList(requests))
		return
	}
	entries := make([]emit.Value, len(requests))
	for i, r := range requests {
		response := newObject().int("status", 0).text("statusText", "").text("httpVersion", "").
			list("cookies", nil).list("headers", nil).
			add("content", newObject().int("size", 0).text("mimeType", "").Value).
			text("redirectURL", "").int("headersSize", -1).int("bodySize", -1)
		entries[i] = newObject().text("startedDateTime", "1970-01-01T00:00:00.000Z").int("time", 0).
			add("request", r).add("response", response.Value).add("cache", newObject().Value).
			add("timings", newObject().int("send", 0).int("wait", 0).int("receive", 0).Value).Value
	}
	log := newObject().text("version", "1.2").
		add("creator", newObject().text("name", "uncoil").text("version", "1").Value).
		list("entries", entries)
	json(p, newObject().add("log", log.Value).Value)
}

func harRequest(p *plan.Program, c *plan.Call) emit.Value {
	url := harURL(p, c)
	o := newObject().text("method", plainText(p, plan.Literal(c.Method))).text("url", url).text("httpVersion", harVersion(c))
	var cookies, headers []emit.Value
	for i := range c.Headers() {
		f := &c.Headers()[i]
		headers = append(headers, harPair(f.Name, plainText(p, f.Value)))
		if pairs, ok := f.Cookies(); ok && f.Is("Cookie") {
			for _, one := range pairs {
				cookies = append(cookies, harPair(one.Name.Source(), one.Value.Source()))
			}
		}
	}
	_, query, _ := strings.Cut(url, "?")
	o.list("cookies", cookies).list("headers", headers).list("queryString", harPairs(query))
	size := harContent(p, c, o)
	return o.int("headersSize", -1).int("bodySize", int64(size)).Value
}

// harURL returns the URL, in which only characters of a URI stand: RFC 3986,
// section 2.
func harURL(p *plan.Program, c *plan.Call) string {
	base, path, query := c.URLParts()
	switch source := base.Source(); {
	case c.Scheme() == "":
		p.Accept(c, "wants a URL that begins with its scheme")
	case strings.ContainsAny(source, " \"<>\\^`{|}"):
		p.Accept(c, "wants a host in the URL, where a placeholder stands")
	}
	url := plainText(p, base) + plan.PercentEncoded(plan.Literal(path.Source()), notURI).Source()
	if before, _, _ := strings.Cut(c.URL, "#"); strings.Contains(before, "?") {
		url += "?" + plan.PercentEncoded(plan.Literal(query.Source()), notURI).Source()
	}
	return url
}

// notURI are the marks that stand nowhere after the host of a URI.
const notURI = " \"<>[\\]^`{|}#"

// harVersion returns the version of HTTP as the first line of a request has it.
func harVersion(c *plan.Call) string {
	switch c.HTTPVersion() {
	case "":
		return "HTTP/1.1"
	case "2", "3":
		return "HTTP/" + c.HTTPVersion()
	}
	return "HTTP/" + strings.TrimSuffix(strings.TrimSuffix(c.HTTPVersion(), "-prior-knowledge"), "only")
}

func harPair(name, v string) emit.Value { return newObject().text("name", name).text("value", v).Value }

// harPairs returns the pairs of a query or a form, decoded where that is text.
func harPairs(s string) []emit.Value {
	var pairs []emit.Value
	for s != "" {
		var pair string
		pair, s, _ = strings.Cut(s, "&")
		name, v, _ := strings.Cut(pair, "=")
		pairs = append(pairs, harPair(decodedText(name), decodedText(v)))
	}
	return pairs
}

// harContent adds the content, and returns its size where it is known.
func harContent(p *plan.Program, c *plan.Call, o *object) int {
	contentType := ""
	if f := c.Field("Content-Type"); f != nil {
		contentType = f.Value.Source()
	}
	content := newObject().text("mimeType", contentType)
	size := 0
	switch c.Content.Kind {
	case plan.NoBody:
		return 0
	case plan.RawBody:
		data := plainText(p, c.Content.Data)
		size = len(data)
		content.text("text", data)
		if c.HasType(plan.FormType) {
			content.list("params", harPairs(data))
		}
	case plan.MultipartBody:
		size = -1
		content.Items[0].Text = "multipart/form-data"
		var params []emit.Value
		for i := range c.Content.Part {
			params = append(params, harPart(p, &c.Content.Part[i]))
		}
		content.list("params", params)
	default:
		size = -1
		content.list("params", []emit.Value{harFile(p, c)})
	}
	o.add("postData", content.Value)
	return size
}

// harFile returns a param without a name for content that is a file, which the format has
// no place for.
func harFile(p *plan.Program, c *plan.Call) emit.Value {
	name, ok := wholeFile(p, c)
	if !ok || name.Source() == "-" {
		p.Refuse("has no place for the content of a file")
	} else {
		p.Accept(c, "has no place for the content of a file: a param names it")
	}
	return newObject().text("name", "").text("fileName", plainText(p, name)).Value
}

func harPart(p *plan.Program, part *plan.FormPart) emit.Value {
	o := newObject().text("name", plainText(p, part.NameText))
	switch {
	case len(part.Headers) > 0:
		p.Refuse("has no place for fields of a form part")
	case part.IsFile() && (part.FilenameText == nil || *part.FilenameText != emit.BaseName(part.File)):
		p.Refuse("has one name for a file that is sent, which is its own")
	case part.IsFile():
		o.text("fileName", plainText(p, part.FileText))
	case part.FilenameText != nil:
		o.text("value", plainText(p, part.ValueText)).text("fileName", plainText(p, plan.Literal(*part.FilenameText)))
	default:
		o.text("value", plainText(p, part.ValueText))
	}
	if part.TypeText != nil {
		o.optional("contentType", plainText(p, plan.Literal(*part.TypeText)))
	}
	return o.Value
}
