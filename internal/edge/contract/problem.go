package contract

import (
	"encoding/json"
	"slices"
	"strings"

	"uncoil/internal/edge/openapi"
	"uncoil/internal/engine/placeholder"
)

// A problem is one thing about a value that contradicts its schema.
type problem struct {
	path    []string // of the part of the value that it is about
	message string
	weight  int      // how much it tells against the schema being the one that is meant
	wanted  []any    // the values that it should be one of
	types   []string // the types that it should have one of
	got     string   // the type that it has
}

// problems returns what contradicts a schema in a value that goes a way. A placeholder
// contradicts none.
func (s *schemas) problems(n *openapi.Node, to direction, value any) []problem {
	return judge(s.validate(n, to, value), 0)
}

// The weights of a problem: another choice of the schema is nearer to what is meant
// where a value is of another type, or names another kind of thing.
const (
	weighsPart  = 1
	weighsName  = 10
	weighsWhole = 100
)

// maxProblems is how many problems are kept of one value.
const maxProblems = 20

// judge returns the problems that failures are about. Depth is that of the choice which
// they are a part of.
func judge(failures []failure, depth int) (all []problem) {
	for i := range failures {
		f := &failures[i]
		if f.choices != nil {
			all = append(all, choose(f)...)
		} else if message := say(f); message != "" {
			all = append(all, problemOf(f, message, depth))
		}
		if len(all) > maxProblems {
			break
		}
	}
	return all
}

func problemOf(f *failure, message string, depth int) problem {
	p := problem{path: f.path, message: message, weight: weighsPart}
	switch f.keyword {
	case "type":
		p.types, p.got = f.names, typeOf(f.value)
		if len(p.path) <= depth {
			p.weight = weighsWhole
		}
	case "const", "enum":
		p.weight, p.wanted = weighsName, f.values
	}
	return p
}

// choose returns the problems of the choice that is the nearest one; none where one has
// none. Choices that only name values, or types, are one list of them.
func choose(f *failure) (best []problem) {
	least := -1
	var wanted []any
	var types []string
	for _, choice := range f.choices {
		all := judge(choice, len(f.path))
		if len(all) == 0 {
			return nil
		}
		if weight := weigh(all); least < 0 || weight < least {
			best, least = all, weight
		}
		if p := &all[0]; len(all) == 1 && len(p.path) == len(f.path) {
			wanted, types = append(wanted, p.wanted...), append(types, p.types...)
		}
	}
	p := &best[0]
	switch {
	case len(best) > 1 || len(p.path) != len(f.path):
	case p.wanted != nil:
		p.wanted, p.message = wanted, "is none of "+literals(wanted)
	case p.types != nil:
		slices.Sort(types)
		p.types = slices.Compact(types)
		p.message = wrongType(p.got, p.types)
	}
	return best
}

func weigh(all []problem) (sum int) {
	for i := range all {
		sum += all[i].weight
	}
	return sum
}

// standsIn reports whether a value is a placeholder, or has one in it.
func standsIn(value any) bool {
	switch v := value.(type) {
	case string:
		return isPlaceholder(v)
	case []any:
		return slices.ContainsFunc(v, standsIn)
	case map[string]any:
		for name, part := range v {
			if placeholder.Elides(name) || standsIn(part) {
				return true
			}
		}
	}
	return false
}

// say returns what is wrong with a value; nothing where a placeholder may be right, and where
// several schemas of oneOf take it: schemas that take too much are the business of whoever writes
// them. It never shows the value, which may be a secret.
func say(f *failure) string {
	switch f.keyword {
	case "oneOf":
		return ""
	case "required":
		if object, ok := f.value.(map[string]any); ok && hasElision(object) {
			return ""
		}
		return "lacks " + list(f.names)
	case "additionalProperties":
		unknown := slices.DeleteFunc(slices.Clone(f.names), isPlaceholder)
		if len(unknown) == 0 {
			return ""
		}
		for i, name := range unknown {
			unknown[i] = shown(name)
		}
		return "has " + list(unknown) + ", which its schema does not know"
	}
	if _, isText := f.value.(string); f.keyword == "type" && !isText {
		return wrongType(typeOf(f.value), f.names)
	}
	if standsIn(f.value) && !isOneOfCapitals(f) {
		return ""
	}
	switch f.keyword {
	case "type":
		return wrongType(typeOf(f.value), f.names)
	case "enum":
		return "is none of " + literals(f.values)
	case "const":
		return "is not " + literals(f.values)
	}
	if form, ok := sentences[f.keyword]; ok {
		return strings.Replace(form, "%", f.limit, 1)
	}
	return "does not fit its schema: " + f.keyword
}

// sentences say what is wrong where a keyword fails; % stands for its limit.
var sentences = map[string]string{
	"pattern": "does not match the pattern %", "false": "may not be there",
	"minLength": "has fewer than % characters", "maxLength": "has more than % characters",
	"minItems": "has fewer than % items", "maxItems": "has more than % items", "uniqueItems": "has an item twice",
	"minimum": "is less than %", "maximum": "is more than %",
	"exclusiveMinimum": "is not more than %", "exclusiveMaximum": "is not less than %", "multipleOf": "is no multiple of %",
}

// isOneOfCapitals reports whether a value in capitals is meant as one of an enum whose
// values are so too.
func isOneOfCapitals(f *failure) bool {
	inCapitals := func(value any) bool {
		s, ok := value.(string)
		return ok && placeholder.IsCapitals(s)
	}
	return f.keyword == "enum" && inCapitals(f.value) && slices.ContainsFunc(f.values, inCapitals)
}

func hasElision(object map[string]any) bool {
	for name, part := range object {
		if s, ok := part.(string); placeholder.Elides(name) || ok && placeholder.Elides(s) && len(object) == 1 {
			return true
		}
	}
	return false
}

func wrongType(got string, want []string) string {
	named := make([]string, len(want))
	for i, name := range want {
		named[i] = article(name)
	}
	return "is " + article(got) + ", and not " + strings.Join(named, " or ")
}

func article(name string) string {
	switch {
	case name == "null":
		return name
	case strings.IndexByte("aeiou", name[0]) >= 0:
		return "an " + name
	}
	return "a " + name
}

// mostNamed is how many names or values a message has.
const mostNamed = 8

// list returns names for a message.
func list(names []string) string {
	more := ""
	if len(names) > mostNamed {
		names, more = names[:mostNamed], " …"
	}
	return strings.Join(names, ", ") + more
}

// shown returns a name of a command for a message. What is long, or no name, may be a
// value that has lost its name.
func shown(name string) string {
	const longest = 40
	if len(name) > longest || strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789_-.$[]@:") != "" {
		return "…"
	}
	return name
}

// literals returns values of a document as JSON, for a message.
func literals(values []any) string {
	all := make([]string, 0, min(len(values), mostNamed+1))
	for _, value := range values[:min(len(values), mostNamed+1)] {
		written, err := json.Marshal(value)
		if err != nil {
			written = []byte("…")
		}
		const longest = 80
		if len(written) > longest {
			written = []byte("…")
		}
		all = append(all, string(written))
	}
	return list(all)
}

// pointer returns a path as messages write it: messages[0].role.
func pointer(path []string) string {
	var b strings.Builder
	for _, token := range path {
		switch isIndex := strings.Trim(token, "0123456789") == ""; {
		case isIndex:
			b.WriteString("[" + token + "]")
		case b.Len() > 0:
			b.WriteString("." + shown(token))
		default:
			b.WriteString(shown(token))
		}
	}
	return b.String()
}
