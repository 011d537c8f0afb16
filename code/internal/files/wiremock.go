package files

import (
	"slices"
	"strings"
	"unicode/utf8"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
	"uncoil/request"
)

// The stubs of WireMock 3 (https://wiremock.org/docs/request-matching/): a server that stands
// in for another answers the request that curl sends, and no other. What a variable holds is
// whatever there is; the host is that of the stub. Measured with 3.0 and 3.13: it fails where
// what is called a form has a malformed percent-encoding, reads methods in small letters as
// others, writes some types with a charset otherwise, and takes no codings but chunks.
var WireMock = plan.Target{
	Name: "wiremock", Convention: plan.Format("json"), Client: "WireMock", Version: "3", Kind: plan.File, Extension: "json",
	Aliases: []string{"wiremock-stub"}, Proven: true, SavedAs: "mappings.json", Style: emit.Style{Indent: "  "}, Write: writeWireMock,
	Facts: plan.Client{Follows: plan.NoMethod, Format: true, Loose: true},
}

func writeWireMock(p *plan.Program) {
	stubs := eachCall(p, func(c *plan.Call) emit.Value {
		wiremockTakes(p, c)
		request := newObject().text("method", c.Method)
		wiremockURL(p, c, request)
		wiremockFields(p, c, request)
		wiremockContent(p, c, request)
		return newObject().text("name", c.Title()).add("request", request.Value).add("response", newObject().int("status", 200).Value).Value
	})
	jsonList(p, "mappings", stubs)
}

// wiremockTakes refuses what the server reads otherwise or not at all, whatever its stubs say.
func wiremockTakes(p *plan.Program, c *plan.Call) {
	switch {
	case !plan.IsToken(c.Method):
		p.Refuse("takes no method that is no token")
	case c.Method != strings.ToUpper(c.Method):
		p.Refuse("reads a method in small letters as another")
	}
	for _, same := range c.ByName() {
		switch value := same[0].Value.Source(); {
		case same[0].Is("Host") && !plan.HasVariable(same[0].Value) && strings.ContainsAny(value, " ,;/?#@\"<>\\^`{|}%"):
			p.Refuse("takes no such Host")
		case same[0].Is("Transfer-Encoding") && !ascii.EqualFold(value, "chunked"):
			p.Refuse("takes no such Transfer-Encoding")
		}
		for i := range same[1:] {
			if same[i].Value.Source() == same[i+1].Value.Source() {
				p.Accept(c, "takes a field that comes twice with one value also where one of them differs")
			}
		}
	}
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
		if len(values) == 1 && same[0].Is("Content-Type") && strings.Contains(strings.ToLower(values[0].Source()), "charset=") && !plan.HasVariable(values[0]) {
			fields.add(same[0].Name, newObject().text("matches", wiremockType(values[0].Source())).Value)
		} else if len(values) > 0 {
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

// wiremockType returns a pattern for a type with a charset: Jetty, on which WireMock stands, writes
// those that it knows in small letters and without a blank.
func wiremockType(s string) string {
	pattern := wiremockPattern(plan.Literal(s), "")
	return "(?i)" + strings.ReplaceAll(strings.ReplaceAll(pattern, "; ", ";"), ";", "; *")
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
	switch {
	case c.Body != nil && c.Body.Kind == request.KindMultipart && c.Content.Kind != plan.MultipartBody:
		p.Refuse("finds no such part of a form")
	case c.HasType(plan.FormType) && !plan.WellFormed("/?"+data.Source()):
		p.Refuse("fails at content that is called a form and has a malformed percent-encoding")
	}
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
		case len(data.Source()) == 0:
			pattern(newObject().bool("absent", true).Value)
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
	if part.NameText.Source() == "" {
		p.Refuse("finds no part without a name")
	}
	o := newObject().text("name", plainText(p, part.NameText))
	if part.TypeText != nil {
		o.add("headers", newObject().add("Content-Type", newObject().text("equalTo", *part.TypeText).Value).Value)
	}
	if !part.IsFile() {
		o.list("bodyPatterns", []emit.Value{wiremockText(p, part.ValueText)})
	}
	return o.Value
}
