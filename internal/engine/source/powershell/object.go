package powershell

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/word"
)

// A cmdlet is a command whose value is known without running
// it. The first parameters take arguments without a name, in their order.
type cmdlet struct {
	name       string
	positional int
	parameters []string
	switches   []string
}

// cmdlets lists them. What comes first where names begin alike is what a name
// that is cut short means.
var cmdlets = [...]cmdlet{
	{"new-object", 2, []string{"typename", "argumentlist", "property"}, []string{"strict"}},
	{"get-content", 1, []string{"path", "literalpath", "encoding", "delimiter", "readcount", "totalcount", "tail"}, []string{"raw", "asbytestream", "wait", "force"}},
	{"get-item", 1, []string{"path", "literalpath"}, []string{"force"}},
	{"convertto-securestring", 1, []string{"string", "key", "securekey"}, []string{"asplaintext", "force"}},
	{toJSONName, 1, []string{"inputobject", "depth"}, []string{"compress", "enumsasstrings", "asarray"}},
}

// The parameters by their index in cmdlets.
const (
	first  = 0 // the type, path or string
	second = 1 // what a new object is made of, or a literal path
	third  = 2 // the properties of a new object
)

// unknownParameter takes a value that is not used.
const unknownParameter = 1 << 8

// parameter returns the index of the parameter that a name, in full or cut
// short, means, or -1 for a switch.
func (c *cmdlet) parameter(name string) int {
	for _, s := range c.switches {
		if len(name) > 0 && ascii.HasPrefixFold(s, name) {
			return -1
		}
	}
	for i, p := range c.parameters {
		if len(name) > 0 && ascii.HasPrefixFold(p, name) {
			return i
		}
	}
	return unknownParameter
}

// cmdlet reads a command that has a value.
func (l *lexer) cmdlet() value {
	start := l.pos
	for l.pos < len(l.src) && (ascii.IsNameByte(l.src[l.pos]) || l.src[l.pos] == '-') {
		l.pos++
	}
	for i := range cmdlets {
		if c := &cmdlets[i]; ascii.EqualFold(l.src[start:l.pos], c.name) {
			args := l.cmdletArguments(c)
			return l.result(c, args, start)
		}
	}
	return value{kind: unknownValue, word: l.typed(start, l.pos)}
}

// result returns what a cmdlet that starts at an offset gives.
func (l *lexer) result(c *cmdlet, args [3][]value, start int) value {
	if len(args[first]) == 0 {
		if c.name == "get-content" || c.name == "get-item" {
			args[first] = args[second]
		}
		if len(args[first]) == 0 {
			return value{kind: unknownValue, word: l.typed(start, l.pos)}
		}
	}
	switch c.name {
	case "new-object":
		v := l.newObject(args[first][0].word.Text, args[second], start)
		if len(args[third]) == 1 {
			l.setProperties(&v, args[third][0])
		}
		return v
	case "convertto-securestring":
		return args[first][0]
	case toJSONName:
		return l.toJSON(args[first][0], args, start)
	}
	return value{kind: fileValue, word: args[first][0].word}
}

// cmdletArguments reads the arguments of a cmdlet, and returns the values of
// its first three parameters. Values with commas between them belong to the
// same parameter.
func (l *lexer) cmdletArguments(c *cmdlet) (args [3][]value) {
	const without = -1 // no name: the value goes to the next free parameter
	name, list := without, false
	at := without // of the last value
	for l.skipSpace(false); !l.expressionEnds() || l.pos < len(l.src) && l.src[l.pos] == ','; l.skipSpace(false) {
		ch := l.src[l.pos]
		switch n := dash(l.src[l.pos:]); {
		case ch == '|':
			return args // the expression is more than this
		case ch == ',':
			l.pos++
			list = at != without
			l.skipSpace(true)
			continue
		case n > 0 && l.pos+n < len(l.src) && ascii.IsLetter(l.src[l.pos+n]):
			from := l.pos + n
			for l.pos = from; l.pos < len(l.src) && ascii.IsNameByte(l.src[l.pos]); l.pos++ {
			}
			at, list = without, false
			if name = c.parameter(l.src[from:l.pos]); l.pos < len(l.src) && l.src[l.pos] == ':' {
				l.pos++
				if name == without { // -Force:$true
					l.skipItem()
					for !l.bareEnd(l.pos) {
						l.skipItem()
					}
				}
			}
			continue
		}
		values := l.cmdletValues()
		if !list {
			if at = name; at == without {
				for at = 0; at < c.positional && args[at] != nil; at++ {
				}
			}
			name = without
		}
		list = false
		if at < len(args) && at >= 0 {
			args[at] = append(args[at], values...)
		}
	}
	return args
}

// cmdletValues reads one argument of a cmdlet, which may be a group of values.
func (l *lexer) cmdletValues() []value {
	at, rest := l.pos, l.src[l.pos:]
	switch {
	case rest[0] == '(', strings.HasPrefix(rest, "@("):
		l.pos += strings.IndexByte(rest, '(')
		return l.callArgs()
	case ascii.IsLetter(rest[0]):
		for l.pos < len(l.src) && strings.IndexByte(" \t\r\n(),;}|", l.src[l.pos]) < 0 {
			l.pos++
		}
		l.hold(valueSize)
		return []value{{word: word.Word{Text: l.src[at:l.pos], Span: diag.Span{Start: int32(at), End: int32(l.pos)}}}}
	}
	v := l.primary()
	l.pos = max(l.pos, at+1) // never stand still
	l.hold(valueSize)
	return []value{v}
}

// newObject returns a new object of the named type, made from args; the
// expression starts at the given offset.
func (l *lexer) newObject(name string, args []value, start int) value {
	v := value{kind: unknownValue, word: l.typed(start, l.pos)}
	l.pay(len(name))
	name = strings.ToLower(name)
	short := name[strings.LastIndexByte(name, '.')+1:]
	switch {
	case strings.Contains(name, "dictionary"), short == "hashtable":
		v.kind, v.object = tableValue, &object{}
	case short == "webrequestsession":
		v.kind, v.object = sessionValue, &object{}
	case short == "uri" && len(args) > 0:
		v = args[0]
	case short == "cookie":
		if v.object = (&object{}); len(args) >= 2 {
			v.kind = cookieValue
			v.word = l.join(v.word.Span, "=", args[0].word, args[1].word)
		}
	case (short == "pscredential" || short == "networkcredential") && len(args) >= 2:
		v.kind = credentialValue
		v.word = l.join(v.word.Span, ":", args[0].word, args[1].word)
	}
	return v
}

// setProperties sets the properties of a new object from a table.
func (l *lexer) setProperties(v *value, properties value) {
	if v.object == nil || properties.kind != tableValue {
		return
	}
	var name, text word.Word
	l.pay(len(properties.entries))
	for i := range properties.entries {
		e := &properties.entries[i]
		switch {
		case ascii.EqualFold(e.key.Text, "UserAgent"):
			v.agent = &e.value.word
		case ascii.EqualFold(e.key.Text, "Name"):
			name = e.value.word
		case ascii.EqualFold(e.key.Text, "Value"):
			text = e.value.word
		}
	}
	if v.kind == unknownValue && name.Text != "" { // a cookie
		v.kind = cookieValue
		v.word = l.join(v.word.Span, "=", name, text)
	}
}

// splatted returns the table of the variable @name at the start of s, and the
// length of the name. Without such a table, as in -d @body.json, the writer
// means the text.
func (l *lexer) splatted(s string) (*value, int) {
	n := 1
	for n < len(s) && ascii.IsNameByte(s[n]) {
		n++
	}
	v := l.vars[strings.ToLower(s[1:n])]
	if v == nil || v.kind != tableValue || !l.bareEnd(l.pos+n) {
		return nil, 0
	}
	return v, n
}
