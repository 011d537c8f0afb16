package jvm

import (
	"slices"
	"strings"
	"unicode/utf8"

	"uncoil/code/internal/plan"
)

// What clients of the JVM make of queries, types and forms: rules that several share.

// groupsQuery is the rule of a client that reads a query as parameters, and writes those of
// one name together.
func groupsQuery(p *plan.Program, c *plan.Call) {
	if _, query, _ := strings.Cut(c.URL, "?"); query != "" && !grouped(query) {
		p.Refuse("writes the parameters of this query in another order, or leaves some out")
	}
}

// grouped reports whether each parameter has a name, and those of one name, whatever the
// case of its letters, stand together and have values.
func grouped(query string) bool {
	seen, before := make(map[string]bool), ""
	for pair := range strings.SplitSeq(query, "&") {
		name, _, valued := strings.Cut(pair, "=")
		key := strings.ToLower(name)
		if name == "" || seen[key] && (name != before || !valued) {
			return false
		}
		if seen[key], before = true, name; !valued {
			before = ""
		}
	}
	return true
}

// groupedParts is grouped for the parts of a form.
func groupedParts(parts []plan.FormPart) bool {
	seen, before := make(map[string]bool), ""
	for i := range parts {
		name := parts[i].Name
		if seen[name] && name != before {
			return false
		}
		seen[name], before = true, name
	}
	return true
}

// plainText reports a text in a form, to which a client may give a type in idiomatic style.
func (r *jvmCall) plainText(p *plan.FormPart) bool {
	return !r.p.Exact() && !p.IsFile() && p.TypeText == nil && p.FilenameText == nil
}

// readsType is the rule of a client that takes apart a Content-Type.
func readsType(p *plan.Program, c *plan.Call) {
	f := c.Field("Content-Type")
	if f == nil || plan.HasVariable(f.Value) || c.Empties("Content-Type") {
		return
	}
	name, _, _ := strings.Cut(f.Value.Source(), ";")
	kind, sub, found := strings.Cut(strings.TrimSpace(name), "/")
	if !found || kind == "" || sub == "" || strings.ContainsAny(sub, "/ ") || strings.Contains(kind, " ") {
		p.RefuseAt(f.At, "reads no such Content-Type")
	}
}

// simpleForm reports whether a client with a form of its own writes it as curl does, but
// for the length of each part.
func (r *jvmCall) simpleForm() bool {
	if r.c.Body.FormEscape {
		return false
	}
	for i := range r.c.Content.Part {
		p := &r.c.Content.Part[i]
		odd := !p.Helped() || !p.ValueText.IsText() || !p.NameText.IsText() || strings.ContainsAny(p.Name, "\r\n") ||
			p.FilenameText != nil && (strings.ContainsAny(*p.FilenameText, "\r\n") || !utf8.ValidString(*p.FilenameText)) || p.TypeText != nil && !plan.IsMediaType(*p.TypeText)
		if odd {
			return false
		}
	}
	return true
}

// plainForm is simpleForm for a client that escapes names otherwise than curl.
func (r *jvmCall) plainForm() bool {
	return r.simpleForm() && !slices.ContainsFunc(r.c.Content.Part, func(p plan.FormPart) bool {
		return strings.ContainsAny(p.Name, `"\`) || p.FilenameText != nil && strings.ContainsAny(*p.FilenameText, `"\`)
	})
}
