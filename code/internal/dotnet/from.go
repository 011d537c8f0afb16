package dotnet

import (
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/request"
)

// computes writes what the program asks the machine for.
func (r *csharpRequest) computes() {
	for _, one := range r.c.Computes {
		if e, ok := one.From.(*request.Encoded); ok {
			r.p.Node("var "+one.Name+" = ", r.encoded(e), ";")
			continue
		}
		r.p.Line("var ", one.Name, " = ", r.native(one.From), ";")
	}
}

// native returns the expression for an operation of the machine.
func (r *csharpRequest) native(from request.From) string {
	switch f := from.(type) {
	case *request.Date:
		return r.date(f)
	case *request.UUID:
		return "Guid.NewGuid().ToString()"
	case *request.Hostname:
		r.p.Use("System.Net")
		return "Dns.GetHostName()"
	case *request.FileContent:
		r.p.Use("System.IO")
		if f.Base64 {
			return "Convert.ToBase64String(File.ReadAllBytes(" + CsharpString(f.Name) + "))"
		}
		return "File.ReadAllText(" + CsharpString(f.Name) + `).TrimEnd('\n')`
	}
	return ""
}

// csharpTakes reports what programs for C# take: .NET has no SHA-224.
func csharpTakes(f request.From) bool {
	e, ok := f.(*request.Encoded)
	return plan.AnyFrom(f) && (!ok || e.Hash != "sha224")
}

// encoded returns the expression for a text in Base64, or for a hash or an HMAC.
func (r *csharpRequest) encoded(e *request.Encoded) emit.Node {
	data := emit.Leaf(r.bytes(plan.EncodedText(e)))
	if e.Hash != "" {
		r.p.Use("System.Security.Cryptography")
		class, key := strings.ToUpper(e.Hash), ""
		if e.Key != "" {
			class, key = "HMAC"+class, r.bytes(plan.EncodedKey(e))
		}
		switch { // the functions without an object are of .NET 5
		case isOld(r.p) && e.Key != "":
			data = emit.Group("new "+class+"("+key+").ComputeHash", "(", []emit.Node{data}, ")")
		case isOld(r.p):
			data = emit.Group(class+".Create().ComputeHash", "(", []emit.Node{data}, ")")
		case e.Key != "":
			data = emit.Group(class+".HashData", "(", []emit.Node{emit.Leaf(key), data}, ")")
		default:
			data = emit.Group(class+".HashData", "(", []emit.Node{data}, ")")
		}
	}
	if e.URLSafe {
		return emit.Group("Convert.ToBase64String", "(", []emit.Node{data}, ").TrimEnd('=').Replace('+', '-').Replace('/', '_')")
	}
	if e.Base64 {
		return emit.Group("Convert.ToBase64String", "(", []emit.Node{data}, ")")
	}
	if isOld(r.p) {
		return emit.Group("BitConverter.ToString", "(", []emit.Node{data}, `).Replace("-", "").ToLowerInvariant()`)
	}
	return emit.Group("Convert.ToHexString", "(", []emit.Node{data}, ").ToLowerInvariant()")
}

// date returns an expression for a date.
func (r *csharpRequest) date(d *request.Date) string {
	if before, after, ok := plan.Seconds(d); ok {
		s := "DateTimeOffset.UtcNow.ToUnixTimeSeconds()"
		if before == "" && after == "" {
			return s + ".ToString()"
		}
		return plan.Around(before, s, after, " + ", CsharpString)
	}
	r.p.Use("System.Globalization")
	now := "DateTime.Now"
	if d.UTC {
		now = "DateTime.UtcNow"
	}
	verbs := map[byte]string{'Y': "yyyy", 'm': "MM", 'd': "dd", 'H': "HH", 'M': "mm", 'S': "ss"}
	format := plan.Pattern(d, verbs, func(s string) string {
		if strings.Trim(s, " -:._,") == "" {
			return s
		}
		var b strings.Builder
		for _, c := range s {
			b.WriteByte('\\') // else it may be a part of the date
			b.WriteRune(c)
		}
		return b.String()
	})
	return now + ".ToString(" + CsharpString(format) + ", CultureInfo.InvariantCulture)"
}

// ofContent reports a field that .NET has among those of the content.
func ofContent(name string) bool {
	name = strings.ToLower(name)
	return strings.HasPrefix(name, "content-") || name == "allow" || name == "expires" || name == "last-modified"
}

// captures writes the statements that keep values of the response; where it has no field of a
// name, GetValues throws.
func (r *csharpRequest) captures() {
	for _, one := range r.c.HeaderValues() {
		r.p.Use("System.Linq")
		headers := ".Headers"
		if ofContent(one.Header) {
			headers = ".Content.Headers"
		}
		value := r.name("response") + headers + ".GetValues(" + CsharpString(one.Header) + ").First()"
		if one.Word > 0 {
			value += ".Split(' ')[" + emit.Itoa(one.Word-1) + "]"
		}
		r.p.Line("var ", one.Name, " = ", value, ";")
	}
	content := "await " + r.name("response") + ".Content.ReadAsStringAsync()"
	whole, picked := r.c.Captured()
	for i, name := range whole {
		if i > 0 {
			r.p.Line("var ", name, " = ", whole[0], ";")
			continue
		}
		r.p.Line("var ", name, " = (", content, `).TrimEnd('\n');`)
		content = name
	}
	if len(picked) == 0 {
		return
	}
	r.p.Use("System.Text.Json")
	data := r.p.Bind("data", "of "+r.c.Captures[0].Name)
	r.p.Line("var ", data, " = JsonDocument.Parse(", content, ").RootElement;")
	for _, one := range picked {
		value := data
		for _, step := range one.Path {
			if step.IsIndex {
				value += "[" + emit.Itoa(step.Index) + "]"
			} else {
				value += ".GetProperty(" + CsharpString(step.Key) + ")"
			}
		}
		switch {
		case one.Quoted:
			value += ".GetRawText()"
		case one.IsText():
			value += ".GetString()"
		default:
			value += ".ToString()"
		}
		r.p.Line("var ", one.Name, " = ", value, ";")
	}
}
