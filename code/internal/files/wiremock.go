package files

import (
	"slices"
	"strings"
	"unicode/utf8"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
)

// The stubs of WireMock 3 (https://wiremock.org/docs/request-matching/): a server that stands
// in for another answers the request that curl sends, and no other. What a variable holds is
// whatever there is; the host is that of the stub.
var WireMock = plan.Target{
	Name: "wiremock", Convention: plan.Format("json"), Client: "WireMock", Version: "3", Kind: plan.File, Extension: "json",
	Why:     "WireMock loads them; a stub answers, and sends nothing",
	Aliases: []string{"wiremock-stub"}, SavedAs: "mappings.json", Style: emit.Style{Indent: "  "}, Write: writeWireMock,
	Facts: plan.Client{Follows: plan.NoMethod, Format: true, Loose: true},
}

func writeWireMock(p *plan.Program) {
	stubs := eachCall(p, func(c *plan.Call) emit.Value {
		request := newObject().text("method", c.Method)
		wiremockURL(p, c, request)
		wiremockFields(p, c, request)
		wiremockContent(p, c, request)
		return newObject().text("name", c.Title()).add("request", request.Value).add("response", newObject().int("status", 200).Value).Value
	})
	jsonList(p, "mappings", stubs)
}

// wiremockURL adds what the path and the query are.
func wiremockURL(p *plan.Program, c *plan.Call, o *object) {
	_, path, query := c.URLParts()
	pairs := plan.QueryPairs(query)
	// WireMock 3.13 fails where it compares a value with a percent sign.
	if slices.ContainsFunc(pairs, func(one plan.Pair) bool { return strings.Contains(one.Value.Source(), "%") }) {
		whole := plan.MergeLiterals(slices.Concat(path, plan.Literal("?"), query))
		if s, ok := whole.Plain(); ok {
			o.text("url", s)
		} else {
			o.text("urlPattern", wiremockPattern(whole, "[^/?&]*"))
		}
		return
	}
	switch s, ok := path.Plain(); {
	case ok && !p.Exact() && p.Options.Placeholders != plan.PlaceholdersText && isPathTemplate(s):
		o.text("urlPathTemplate", s)
	case ok:
		o.text("urlPath", s)
	default:
		o.text("urlPathPattern", wiremockPattern(path, "[^/]*"))
	}
	if len(pairs) == 0 {
		return
	}
	values := newObject()
	wiremockPairs(p, pairs, values)
	o.add("queryParameters", values.Value)
}

// isPathTemplate reports whether a path has parameters, {name}, each of them a whole segment; it has
// no braces and no ** beside.
func isPathTemplate(path string) bool {
	found := false
	for segment := range strings.SplitSeq(path, "/") {
		name, opened := strings.CutPrefix(segment, "{")
		name, closed := strings.CutSuffix(name, "}")
		switch {
		case opened && closed && emit.IsIdentifier(name):
			found = true
		case strings.ContainsAny(segment, "{}") || strings.Contains(segment, "**"):
			return false
		}
	}
	return found
}

// wiremockPairs adds the values of each name.
func wiremockPairs(p *plan.Program, pairs []plan.Pair, o *object) {
	var names []string
	values := make(map[string][]plan.Text, len(pairs))
	for i := range pairs {
		if plan.HasVariable(pairs[i].Name) {
			p.Refuse("names no parameter by a variable")
		}
		name := pairs[i].Name.Source()
		if values[name] == nil {
			names = append(names, name)
		}
		values[name] = append(values[name], pairs[i].Value)
	}
	for _, name := range names {
		o.add(name, wiremockValues(p, values[name]))
	}
}

// wiremockValues returns what matches one value, or several.
func wiremockValues(p *plan.Program, values []plan.Text) emit.Value {
	items := make([]emit.Value, len(values))
	for i, v := range values {
		items[i] = wiremockText(p, v)
	}
	if len(items) == 1 {
		return items[0]
	}
	return newObject().list("hasExactly", items).Value
}

// wiremockText returns what matches a text.
func wiremockText(p *plan.Program, t plan.Text) emit.Value {
	switch s, ok := t.Plain(); {
	case !t.IsText() && !plan.HasVariable(t):
		p.Refuse("has no place for bytes that are not UTF-8")
		return newObject().Value
	case ok:
		return newObject().text("equalTo", s).Value
	}
	return newObject().text("matches", wiremockPattern(t, ".*")).Value
}

// wiremockPattern returns a regular expression of Java, in which variables are something.
func wiremockPattern(t plan.Text, something string) string {
	var b strings.Builder
	if something == ".*" && strings.Contains(t.Source(), "\n") {
		b.WriteString("(?s)")
	}
	for i := range t {
		if t[i].Variable != nil {
			b.WriteString(something)
			continue
		}
		for _, c := range []byte(t[i].Literal) {
			if strings.IndexByte(`\.[]{}()*+-?^$|`, c) >= 0 {
				b.WriteByte('\\')
			}
			b.WriteByte(c)
		}
	}
	return b.String()
}

func wiremockFields(p *plan.Program, c *plan.Call, o *object) {
	fields := newObject()
	for _, same := range c.ByName() {
		var values []plan.Text
		for _, f := range same {
			if !f.Skipped() && !(f.Derived() && c.Basic != nil) {
				values = append(values, latin1(f.Value))
			}
		}
		if len(values) > 0 {
			fields.add(same[0].Name, wiremockValues(p, values))
		}
	}
	if c.Basic != nil {
		user, plain := c.Basic.User.Plain()
		password, known := c.Basic.Password.Plain()
		if plain && known {
			o.add("basicAuthCredentials", newObject().text("username", user).text("password", password).Value)
		} else {
			fields.add("Authorization", newObject().text("matches", "Basic .*").Value)
		}
	}
	if len(fields.Names) > 0 {
		o.add("headers", fields.Value)
	}
}

// latin1 returns a text as WireMock reads a field: a byte is a character of ISO 8859-1.
func latin1(t plan.Text) plan.Text {
	out := slices.Clone(t)
	for i := range out {
		if s := out[i].Literal; !ascii.Only(s) {
			b := make([]byte, 0, 2*len(s))
			for j := range len(s) {
				b = utf8.AppendRune(b, rune(s[j]))
			}
			out[i].Literal = string(b)
		}
	}
	return out
}

// wiremockContent adds what the content is: JSON and forms by their meaning, unless the style is
// exact.
func wiremockContent(p *plan.Program, c *plan.Call, o *object) {
	data := c.Content.Data
	pattern := func(v emit.Value) { o.list("bodyPatterns", []emit.Value{v}) }
	switch c.Content.Kind {
	case plan.NoBody:
	case plan.RawBody:
		// The text ${json-unit. begins a placeholder of the comparison.
		isJSON := !p.Exact() && c.Content.JSON != nil && !plan.HasVariable(data) && data.IsText() && !strings.Contains(data.Source(), "${json-unit")
		switch {
		case isJSON && distinctMembers(c.Content.JSON):
			pattern(newObject().add("equalToJson", *c.Content.JSON).Value)
		case !p.Exact() && c.HasType(plan.FormType) && c.IsForm(&plan.EncodeWHATWG):
			values := newObject()
			wiremockPairs(p, c.Content.Form, values)
			o.add("formParameters", values.Value)
		default:
			pattern(wiremockText(p, data))
		}
	case plan.MultipartBody:
		var parts []emit.Value
		for i := range c.Content.Part {
			parts = append(parts, wiremockPart(p, &c.Content.Part[i]))
		}
		o.list("multipartPatterns", parts)
	default:
		p.Accept(c, "takes whatever the content of a file is")
	}
}

func wiremockPart(p *plan.Program, part *plan.FormPart) emit.Value {
	o := newObject().text("name", plainText(p, part.NameText))
	if part.TypeText != nil {
		o.add("headers", newObject().add("Content-Type", newObject().text("equalTo", *part.TypeText).Value).Value)
	}
	if !part.IsFile() {
		o.list("bodyPatterns", []emit.Value{wiremockText(p, part.ValueText)})
	}
	return o.Value
}
