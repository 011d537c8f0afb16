package powershell

import (
	"slices"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/word"
)

// A valueKind is a kind of PowerShell value. A value of another kind is text
// that is kept as typed.
type valueKind uint8

const (
	textValue       valueKind = iota
	tableValue                // @{ … } or a dictionary
	sessionValue              // a WebRequestSession
	cookieValue               // a System.Net.Cookie; its word is name=value
	fileValue                 // Get-Item or Get-Content; its word is the name
	credentialValue           // a PSCredential; its word is user:password
	arrayValue
	unknownValue
)

// A value is the value of an expression, if it can be known
// without running anything.
type value struct {
	kind     valueKind
	literal  literal
	verbatim bool // read after --%
	word     word.Word
	added    []word.Word // what += has added to the word, until it is looked at
	*object              // of a table, an array or a session; variables share it
}

// An object is a table, or a session with its header fields.
type object struct {
	entries []entry
	index   map[string]int // of entries, by name in lower case; nil while they are few
	agent   *word.Word
	cookies []word.Word
	items   []value // of an array
}

// An entry is one entry of a table.
type entry struct {
	key   word.Word
	value value
}

// fewEntries is how many entries are searched one by one.
const fewEntries = 8

// set changes the entry of that name, or adds one.
func (l *lexer) set(o *object, key word.Word, v value) {
	l.pay(mapSteps + len(key.Text))
	at, found := 0, false
	if len(o.entries) <= fewEntries {
		at = slices.IndexFunc(o.entries, func(e entry) bool { return ascii.EqualFold(e.key.Text, key.Text) })
		found = at >= 0
	} else {
		if o.index == nil {
			o.index = make(map[string]int)
			for i := range o.entries {
				l.pay(mapSteps + len(o.entries[i].key.Text))
				o.index[strings.ToLower(o.entries[i].key.Text)] = i
			}
		}
		name := strings.ToLower(key.Text)
		if at, found = o.index[name]; !found {
			l.hold(indexSize + len(name))
			o.index[name] = len(o.entries)
		}
	}
	if found {
		o.entries[at].value = v
	} else {
		add(l, &o.entries, entry{key, v})
	}
}

// maxDepth bounds how deep expressions nest, so that no input overflows the
// stack.
const maxDepth = 64

// variable reads a statement that begins with a variable: an assignment, a
// call of a method, or an expression whose value is not used.
func (l *lexer) variable() {
	name, n := VariableName(l.src[l.pos:])
	if n == 0 {
		l.pos++
		l.skipStatement()
		return
	}
	name = strings.ToLower(unscoped(name))
	l.pos += n
	var path []word.Word
	for l.pos < len(l.src) {
		key, ok := l.member()
		if !ok {
			break
		}
		l.pay(elementSteps)
		add(l, &path, key)
	}
	if len(path) > 0 && strings.HasPrefix(l.src[l.pos:], "(") {
		l.call(name, path, l.callArgs())
		l.skipStatement()
		return
	}
	l.skipSpace(false)
	rest := l.src[l.pos:]
	switch {
	case strings.HasPrefix(rest, "+="):
		l.pos += 2
		l.skipSpace(true)
		if v := l.expression(); len(path) == 0 {
			l.add(name, v)
		}
	case strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "=="):
		l.pos++
		l.skipSpace(true)
		if l.startsCommand() {
			delete(l.vars, name)
			return // script reads the command
		}
		at := l.pos
		l.assign(name, path, l.listed(l.expression(), at))
	default:
		l.skipStatement()
	}
}

// member reads .name or ["name"] after a variable.
func (l *lexer) member() (word.Word, bool) {
	start := l.pos
	switch {
	case l.src[l.pos] == '.' && l.pos+1 < len(l.src) && ascii.IsNameByte(l.src[l.pos+1]):
		for l.pos++; l.pos < len(l.src) && ascii.IsNameByte(l.src[l.pos]); l.pos++ {
		}
		return word.Word{Text: l.src[start+1 : l.pos], Span: diag.Span{Start: int32(start + 1), End: int32(l.pos)}}, true
	case l.src[l.pos] == '[':
		l.pos++
		if kind, _ := l.quote(l.pos); kind != 0 {
			mark, at := l.begin(), l.pos
			l.str()
			key := l.finish(mark, at, l.pos)
			if l.pos < len(l.src) && l.src[l.pos] == ']' {
				l.pos++
				return key, true
			}
		}
		l.pos = start
	}
	return word.Word{}, false
}

// assign carries out $name = value, $name.a.b = value or $name["a"] = value.
func (l *lexer) assign(name string, path []word.Word, v value) {
	l.hold(variableSize)
	if len(path) == 0 {
		l.vars[name] = &v
		return
	}
	target := l.vars[name]
	if target == nil {
		return
	}
	key := path[len(path)-1]
	switch {
	case target.object == nil:
	case target.kind == sessionValue && len(path) == 1 && v.kind == tableValue && ascii.EqualFold(key.Text, "Headers"):
		for _, e := range v.entries {
			l.set(target.object, e.key, e.value)
		}
	case target.kind == sessionValue && len(path) == 1 && ascii.EqualFold(key.Text, "UserAgent"):
		target.agent = &v.word
	case target.kind == tableValue && len(path) == 1, target.kind == sessionValue && len(path) == 2 && ascii.EqualFold(path[0].Text, "Headers"):
		l.set(target.object, key, v)
	}
}

// call carries out $name.a.b(args) for the methods that add header fields and
// cookies.
func (l *lexer) call(name string, path []word.Word, args []value) {
	target := l.vars[name]
	if target == nil || target.object == nil || len(args) == 0 {
		return
	}
	l.hold(word.Size)
	last := args[len(args)-1]
	switch strings.ToLower(path[len(path)-1].Text) {
	case "add":
		switch {
		case last.kind == cookieValue:
			target.cookies = append(target.cookies, last.word)
		case len(args) == 2 && (target.kind == tableValue || target.kind == sessionValue && len(path) == 2):
			l.set(target.object, args[0].word, last)
		}
	case "setcookies":
		target.cookies = append(target.cookies, last.word)
	}
}

// callArgs reads (a, b, …).
func (l *lexer) callArgs() []value {
	open := l.pos
	l.pos++
	var args []value
	for {
		l.skipSpace(true)
		if l.pos == len(l.src) {
			l.unclosed(open, "the parenthesis is never closed")
			return args
		}
		switch l.src[l.pos] {
		case ')':
			l.pos++
			return args
		case ',', ';', '}':
			l.pos++
		default:
			l.depth++
			l.pay(elementSteps)
			add(l, &args, l.expression())
			l.depth--
		}
	}
}

// startsCommand reports whether a command, not an expression, starts at the
// current place.
func (l *lexer) startsCommand() bool {
	rest := strings.TrimLeft(l.src[l.pos:min(len(l.src), l.pos+maxIndent)], "( \t")
	if rest == "" || !ascii.IsLetter(rest[0]) && rest[0] != '&' {
		return false
	}
	for i := range cmdlets {
		if name := cmdlets[i].name; ascii.HasPrefixFold(rest, name) && (len(rest) == len(name) || !ascii.IsNameByte(rest[len(name)])) {
			return false
		}
	}
	return true
}

// expression reads an expression: a value, or several with + between them.
// What it does not know it keeps as typed, up to the end of the expression.
func (l *lexer) expression() value {
	start := l.pos
	v := l.primary()
	var operands []value
	for {
		l.skipSpace(false)
		if l.pos == len(l.src) || l.src[l.pos] != '+' {
			break
		}
		l.pos++
		l.skipSpace(true)
		l.pay(elementSteps)
		add(l, &operands, l.primary())
	}
	if operands != nil {
		v = l.sum(v, operands)
	}
	if args, ok := l.pipedToJSON(); ok {
		v = l.toJSON(v, args, start)
	}
	if l.expressionEnds() {
		return v
	}
	for !l.expressionEnds() {
		l.skipItem()
	}
	return value{kind: unknownValue, word: l.typed(start, l.pos)}
}

func (l *lexer) expressionEnds() bool {
	return l.pos >= len(l.src) || strings.IndexByte("\n;)},", l.src[l.pos]) >= 0
}

// add carries out $name += v.
func (l *lexer) add(name string, v value) {
	old := l.vars[name]
	switch {
	case old == nil:
		l.assign(name, nil, v)
	case old.kind == tableValue, old.kind == arrayValue:
		sum := l.sum(*old, []value{v})
		l.vars[name] = &sum
	default:
		if old.added == nil { // it may be another variable's too
			l.hold(valueSize)
			old = &value{word: old.word}
			l.vars[name] = old
		}
		l.pay(elementSteps)
		add(l, &old.added, v.word)
	}
}

// settle puts together what += has added.
func (l *lexer) settle(v *value) {
	if v.added != nil {
		l.hold(word.Size * (1 + len(v.added)))
		v.word = l.join(diag.Join(v.word.Span, v.added[len(v.added)-1].Span), "", append([]word.Word{v.word}, v.added...)...)
		v.added = nil
	}
}

// primary reads one value.
func (l *lexer) primary() value {
	start := l.pos
	if l.pos == len(l.src) {
		return value{kind: unknownValue}
	}
	if l.depth > maxDepth {
		l.diags.Error(diag.CodeShellSyntax, diag.Span{Start: int32(start), End: int32(start + 1)}, "the expression is nested too deep", "")
		l.pos = len(l.src)
		return value{kind: unknownValue}
	}
	l.depth++
	defer func() { l.depth-- }()
	rest := l.src[l.pos:]
	kind, _ := l.quote(l.pos)
	switch {
	case kind != 0 || l.hereMark() > 0:
		mark := l.begin()
		l.str()
		return value{word: l.finish(mark, start, l.pos)}
	case strings.HasPrefix(rest, "@{"):
		return l.table()
	case strings.HasPrefix(rest, "@("), rest[0] == '(':
		if v, ok := l.parenthesized(start); ok {
			return v
		}
	case rest[0] == '$':
		mark := l.begin()
		name, n := VariableName(rest)
		if n > 0 {
			if known := l.lookup(name); known != nil {
				v := *known
				l.pos += n
				if !l.skipMembers() {
					v.word.Span = diag.Span{Start: int32(start), End: int32(l.pos)}
					return v
				}
				break
			}
		}
		l.dollar(true)
		w := l.finish(mark, start, l.pos)
		return value{kind: unknownValue, word: w}
	case rest[0] == '[':
		return l.typeLiteral()
	case ascii.IsLetter(rest[0]):
		return l.cmdlet()
	default:
		for l.pos < len(l.src) && (ascii.IsNameByte(l.src[l.pos]) || l.src[l.pos] == '.' || l.src[l.pos] == '-') {
			l.pos++
		}
		if l.pos > start {
			v := value{word: word.Word{Text: l.src[start:l.pos], Span: diag.Span{Start: int32(start), End: int32(l.pos)}}}
			if isNumber(v.word.Text) {
				v.literal = number
			}
			return v
		}
		l.skipItem()
	}
	return value{kind: unknownValue, word: l.typed(start, l.pos)}
}

// table reads @{ name = value; … }.
func (l *lexer) table() value {
	start := l.pos
	v := value{kind: tableValue, object: &object{}}
	for l.pos += len("@{"); ; {
		l.skipSpace(true)
		if l.pos == len(l.src) {
			l.unclosed(start, "the brace is never closed")
			break
		}
		at := l.pos
		var key word.Word
		switch kind, _ := l.quote(l.pos); {
		case l.src[l.pos] == '}':
			l.pos++
			v.word = l.typed(start, l.pos)
			return v
		case strings.IndexByte(";,)", l.src[l.pos]) >= 0:
			l.pos++
			continue
		case kind != 0:
			mark := l.begin()
			l.str()
			key = l.finish(mark, at, l.pos)
		default:
			for l.pos < len(l.src) && strings.IndexByte(" \t\r\n=;}", l.src[l.pos]) < 0 {
				l.pos++
			}
			key = word.Word{Text: l.src[at:l.pos], Span: diag.Span{Start: int32(at), End: int32(l.pos)}}
		}
		l.skipSpace(false)
		if l.pos == len(l.src) || l.src[l.pos] != '=' {
			l.pos = max(l.pos, at+1)
			continue
		}
		l.pos++
		l.skipSpace(true)
		l.pay(elementSteps)
		from := l.pos
		add(l, &v.entries, entry{key, l.listed(l.expression(), from)})
	}
	v.word = l.typed(start, l.pos)
	return v
}

// typeLiteral reads what begins with [Type]: a cast, a call of ::new, or of a
// method such as [Text.Encoding]::UTF8.GetBytes.
func (l *lexer) typeLiteral() value {
	start, nested := l.pos, 0
	for ; l.pos < len(l.src); l.pos++ {
		switch l.src[l.pos] {
		case '[':
			nested++
		case ']':
			nested--
		case '\n':
			nested = 0
		}
		if nested == 0 {
			break
		}
	}
	l.pos = min(l.pos+1, len(l.src))
	name := strings.Trim(l.src[start:l.pos], "[]")
	if !strings.HasPrefix(l.src[l.pos:], "::") {
		l.skipSpace(false)
		if l.expressionEnds() {
			return value{kind: unknownValue, word: l.typed(start, l.pos)}
		}
		return l.primary()
	}
	l.pos += len("::")
	at := l.pos
	for l.pos < len(l.src) && (ascii.IsNameByte(l.src[l.pos]) || l.src[l.pos] == '.') {
		l.pos++
	}
	method := strings.ToLower(l.src[at:l.pos])
	if strings.HasPrefix(l.src[l.pos:], "(") {
		args := l.callArgs()
		switch {
		case method == "new":
			return l.newObject(name, args, start)
		case strings.HasSuffix(method, "getbytes") && len(args) == 1:
			return args[0]
		}
	}
	l.skipMembers()
	return value{kind: unknownValue, word: l.typed(start, l.pos)}
}

// join returns words with a separator between them as one.
func (l *lexer) join(span diag.Span, separator string, words ...word.Word) word.Word {
	w := word.Word{Span: span}
	size, holes := 0, 0
	l.pay(len(words))
	for i := range words {
		size += len(words[i].Text) + len(separator)
		holes += len(words[i].Holes)
	}
	l.hold(size + word.HoleSize*holes)
	var text strings.Builder
	text.Grow(size)
	if holes > 0 {
		w.Holes = make([]word.Hole, 0, holes)
	}
	for i := range words {
		if i > 0 {
			text.WriteString(separator)
		}
		w.Holes = word.AppendHoles(w.Holes, text.Len(), words[i].Holes)
		text.WriteString(words[i].Text)
	}
	w.Text = text.String()
	return w
}

// skipMembers steps over .name, [index] and (arguments) after a value, and
// reports whether there were any.
func (l *lexer) skipMembers() bool {
	start := l.pos
	for l.pos < len(l.src) {
		switch c := l.src[l.pos]; {
		case c == '.' && l.pos+1 < len(l.src) && ascii.IsLetter(l.src[l.pos+1]):
			for l.pos++; l.pos < len(l.src) && ascii.IsNameByte(l.src[l.pos]); l.pos++ {
			}
		case c == '(' && l.pos > start:
			l.skipItem()
		case c == '[':
			n := strings.IndexByte(l.src[l.pos:l.pos+min(maxName, len(l.src)-l.pos)], ']')
			if n < 0 {
				return l.pos > start
			}
			l.pos += n + 1
		default:
			return l.pos > start
		}
	}
	return l.pos > start
}

// skipItem steps over a string, a group or one byte.
func (l *lexer) skipItem() {
	if l.pos == len(l.src) {
		return
	}
	c := l.src[l.pos]
	if kind, _ := l.quote(l.pos); kind != 0 || l.hereMark() > 0 {
		mark, start := l.begin(), l.pos
		l.str()
		l.finish(mark, start, l.pos)
	} else if c == '(' || c == '{' {
		end := l.group(l.pos)
		if end < 0 {
			l.unclosed(l.pos, "the group is never closed")
			return
		}
		l.pos = end
	} else if c == '`' && l.pos+1 < len(l.src) {
		l.pos += 2
	} else {
		l.pos++
	}
}

// skipStatement steps to the end of the statement, or to a pipe in it.
func (l *lexer) skipStatement() { l.skipTo("\n;|}") }

// skipTo steps to the next of the bytes in stops outside strings and groups.
func (l *lexer) skipTo(stops string) {
	for l.pos < len(l.src) && strings.IndexByte(stops, l.src[l.pos]) < 0 {
		switch c := l.src[l.pos]; {
		case c == ')' && l.groups > 0:
			return
		case c == '#' && (l.pos == 0 || ascii.IsBlank(l.src[l.pos-1])):
			l.pos += ascii.LineLength(l.src[l.pos:])
		default:
			l.skipItem()
		}
	}
}
