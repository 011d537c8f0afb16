package powershell

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/source/word"
)

// parenthesized reads (…) or @(…), and returns its value if it has one.
func (l *lexer) parenthesized(start int) (v value, ok bool) {
	rest := l.src[start:]
	l.pos += strings.IndexByte(rest, '(')
	args := l.callArgs()
	one := len(args) == 1 && args[0].kind != unknownValue
	switch {
	case l.skipMembers():
		return v, false
	case rest[0] == '@':
		v = value{kind: arrayValue, word: l.typed(start, l.pos), object: &object{items: args}}
		if one { // text of one element is that of the element
			v.word = args[0].word
		}
		return v, true
	case one:
		return args[0], true
	}
	return v, false
}

// listed reads the rest of a list whose first value has been read: 1, 2, 3.
func (l *lexer) listed(first value, start int) value {
	var items []value
	for {
		at := l.pos
		l.skipSpace(false)
		if l.pos == len(l.src) || l.src[l.pos] != ',' {
			l.pos = at
			break
		}
		l.pos++
		l.skipSpace(true)
		if items == nil {
			add(l, &items, first)
		}
		l.pay(elementSteps)
		before := l.pos
		add(l, &items, l.expression())
		l.pos = max(l.pos, min(before, len(l.src)))
	}
	if items == nil {
		return first
	}
	return value{kind: arrayValue, word: l.typed(start, l.pos), object: &object{items: items}}
}

// sum returns the sum of values: of tables a table, of an array and others an array, else
// their text.
func (l *lexer) sum(v value, operands []value) value {
	if v.kind == arrayValue {
		array := value{kind: arrayValue, word: v.word, object: &object{}}
		for _, one := range append([]value{v}, operands...) {
			if one.kind != arrayValue {
				l.pay(elementSteps)
				add(l, &array.items, one)
				continue
			}
			for i := range one.items {
				l.pay(elementSteps)
				add(l, &array.items, one.items[i])
			}
		}
		return array
	}
	if v.kind == tableValue {
		table := value{kind: tableValue, word: v.word, object: &object{}}
		l.addEntries(table.object, &v)
		for i := range operands {
			l.addEntries(table.object, &operands[i])
		}
		return table
	}
	l.hold(word.Size * (1 + len(operands)))
	words := make([]word.Word, 0, 1+len(operands))
	words = append(words, v.word)
	for i := range operands {
		words = append(words, operands[i].word)
	}
	return value{word: l.join(diag.Join(v.word.Span, words[len(words)-1].Span), "", words...)}
}

func (l *lexer) addEntries(o *object, v *value) {
	if v.kind != tableValue {
		return
	}
	for _, e := range v.entries {
		l.set(o, e.key, e.value)
	}
}
