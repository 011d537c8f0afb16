package contract

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

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

// problems returns what contradicts a schema in a value. A placeholder contradicts none.
func (s *schemas) problems(c *compiled, value any) []problem {
	if err := s.validate(c, value); err != nil {
		return judge(err, value, 0)
	}
	return nil
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

// judge returns the problems that an error is about. Depth is that of the choice which
// it is a part of.
func judge(err *jsonschema.ValidationError, whole any, depth int) []problem {
	switch k := err.ErrorKind.(type) {
	case *kind.AnyOf:
		return choose(err, whole)
	case *kind.OneOf:
		// Schemas that take too much are the business of whoever writes them.
		if len(k.Subschemas) > 0 {
			return nil
		}
		return choose(err, whole)
	}
	if len(err.Causes) > 0 {
		var all []problem
		for _, cause := range err.Causes {
			if all = append(all, judge(cause, whole, depth)...); len(all) > maxProblems {
				break
			}
		}
		return all
	}
	part := partAt(whole, err.InstanceLocation)
	message := say(err.ErrorKind, part)
	if message == "" {
		return nil
	}
	p := problem{path: slices.Clone(err.InstanceLocation), message: message, weight: weighsPart}
	switch k := err.ErrorKind.(type) {
	case *kind.Type:
		p.types, p.got = k.Want, k.Got
		if len(p.path) <= depth {
			p.weight = weighsWhole
		}
	case *kind.Const:
		p.weight, p.wanted = weighsName, []any{k.Want}
	case *kind.Enum:
		p.weight, p.wanted = weighsName, k.Want
	}
	return []problem{p}
}

// choose returns the problems of the choice that is the nearest one; none where one has
// none. Choices that only name values, or types, are one list of them.
func choose(err *jsonschema.ValidationError, whole any) (best []problem) {
	if len(err.Causes) == 0 {
		return nil
	}
	least := -1
	var wanted []any
	var types []string
	for _, cause := range err.Causes {
		all := judge(cause, whole, len(err.InstanceLocation))
		if len(all) == 0 {
			return nil
		}
		if weight := weigh(all); least < 0 || weight < least {
			best, least = all, weight
		}
		if p := &all[0]; len(all) == 1 && len(p.path) == len(err.InstanceLocation) {
			wanted, types = append(wanted, p.wanted...), append(types, p.types...)
		}
	}
	p := &best[0]
	switch {
	case len(best) > 1 || len(p.path) != len(err.InstanceLocation):
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

// partAt returns the part of a value at a path.
func partAt(value any, path []string) any {
	for _, token := range path {
		switch v := value.(type) {
		case map[string]any:
			value = v[token]
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(v) {
				return nil
			}
			value = v[i]
		}
	}
	return value
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

// say returns what is wrong with a value; nothing where a placeholder may be right. It
// never shows the value, which may be a secret.
func say(what jsonschema.ErrorKind, value any) string {
	switch k := what.(type) {
	case *kind.Required:
		missing := k.Missing
		if object, ok := value.(map[string]any); ok && hasElision(object) {
			return ""
		}
		return "lacks " + list(missing)
	case *kind.AdditionalProperties:
		unknown := slices.DeleteFunc(slices.Clone(k.Properties), isPlaceholder)
		if len(unknown) == 0 {
			return ""
		}
		slices.Sort(unknown)
		for i, name := range unknown {
			unknown[i] = shown(name)
		}
		return "has " + list(unknown) + ", which its schema does not know"
	}
	_, isText := value.(string)
	if k, ok := what.(*kind.Type); ok && !isText {
		return wrongType(k.Got, k.Want)
	}
	if standsIn(value) && !isOneOfCapitals(what, value) {
		return ""
	}
	switch k := what.(type) {
	case *kind.Type:
		return wrongType(k.Got, k.Want)
	case *kind.Enum:
		return "is none of " + literals(k.Want)
	case *kind.Const:
		return "is not " + literals([]any{k.Want})
	case *kind.Pattern:
		return "does not match the pattern " + k.Want
	case *kind.MinLength:
		return fmt.Sprintf("has fewer than %d characters", k.Want)
	case *kind.MaxLength:
		return fmt.Sprintf("has more than %d characters", k.Want)
	case *kind.MinItems:
		return fmt.Sprintf("has fewer than %d items", k.Want)
	case *kind.MaxItems:
		return fmt.Sprintf("has more than %d items", k.Want)
	case *kind.Minimum:
		return "is less than " + k.Want.RatString()
	case *kind.Maximum:
		return "is more than " + k.Want.RatString()
	case *kind.ExclusiveMinimum:
		return "is not more than " + k.Want.RatString()
	case *kind.ExclusiveMaximum:
		return "is not less than " + k.Want.RatString()
	case *kind.MultipleOf:
		return "is no multiple of " + k.Want.RatString()
	case *kind.UniqueItems:
		return "has an item twice"
	case *kind.FalseSchema:
		return "may not be there"
	}
	return "does not fit its schema: " + strings.Join(what.KeywordPath(), " ")
}

// isOneOfCapitals reports whether a value in capitals is meant as one of an enum whose
// values are so too.
func isOneOfCapitals(what jsonschema.ErrorKind, value any) bool {
	inCapitals := func(value any) bool {
		s, ok := value.(string)
		return ok && placeholder.IsCapitals(s)
	}
	enum, ok := what.(*kind.Enum)
	return ok && inCapitals(value) && slices.ContainsFunc(enum.Want, inCapitals)
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
