package httpie

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/message"
	"uncoil/internal/engine/source/word"
)

// An item is an argument with a separator: NAME=VALUE, NAME:VALUE and the like.
type item struct {
	separator  string
	key, value word.Word
}

// separators are those of items, longer ones first.
var separators = [...]string{":=@", ":=", ":@", "==@", "==", "=@", "=", "@", ":", ";"}

// item takes an argument apart at its first separator: the longest of those that begin
// where the first one does. A backslash escapes what is part of one.
func (r *reader) item(w word.Word) (it item, ok bool) {
	var key, value message.Text
	into := &key
	hole, from := 0, 0
	flush := func(end int) bool {
		part := message.Cut(word.Word{Text: w.Text, Holes: w.Holes}, from, end)
		return into.AddWord(r.Meter, part)
	}
	if !message.HoldCuts(r.Meter, w, 3) {
		return it, false
	}
	for i := 0; i < len(w.Text); i++ {
		if hole < len(w.Holes) && i == int(w.Holes[hole].Start) {
			i = int(w.Holes[hole].End) - 1
			hole++
			continue
		}
		if w.Text[i] == '\\' && i+1 < len(w.Text) && (hole == len(w.Holes) || i+1 < int(w.Holes[hole].Start)) {
			if strings.IndexByte(":;=@", w.Text[i+1]) >= 0 {
				if !flush(i) {
					return it, false
				}
				from = i + 1
			}
			i++ // another one stays, with the backslash
			continue
		}
		if it.separator == "" {
			if it.separator = separatorAt(w.Text[i:]); it.separator != "" {
				if !flush(i) {
					return it, false
				}
				into = &value
				from = i + len(it.separator)
				i = from - 1
			}
		}
	}
	if !flush(len(w.Text)) {
		return it, false
	}
	if it.separator == "" {
		return it, r.Fail(r.Syntax, w.Span, "this is no item of HTTPie", "an item is a name, one of : = == := @ and a value")
	}
	it.key, it.value = key.Word(w.Span), value.Word(w.Span)
	return it, r.Meter.Work(wordSteps)
}

func separatorAt(s string) string {
	for _, one := range separators {
		if strings.HasPrefix(s, one) {
			return one
		}
	}
	return ""
}

// isData reports whether an item is content.
func (it *item) isData() bool {
	switch it.separator {
	case "=", ":=", "@", "=@", ":=@":
		return true
	}
	return false
}

// place finds the method and the URL among the words that are no options.
func (r *reader) place() bool {
	words := r.positional
	if len(words) == 0 {
		return r.Fail(diag.CodeNoURL, r.command.Span, "the command has no URL", "")
	}
	input := r.raw != nil || r.input()
	if len(words) > 1 && isWord(words[0].Text) {
		r.msg.Method = words[0]
		r.msg.Method.Text = strings.ToUpper(words[0].Text)
		words = words[1:]
	}
	r.msg.URL = words[0]
	for _, w := range words[1:] {
		it, ok := r.item(w)
		if !ok || !r.Meter.Hold(itemSize) || !meter.Append(r.Meter, &r.list, it) {
			return false
		}
		r.data = r.data || it.isData()
	}
	if r.msg.Method.Text == "" && (r.data || input) {
		r.msg.Method = word.Word{Text: "POST", Span: r.msg.URL.Span}
	}
	return r.url()
}

// isWord reports whether a word has letters only, as a method.
func isWord(s string) bool {
	for i := range len(s) {
		if !ascii.IsLetter(s[i]) {
			return false
		}
	}
	return s != ""
}

// input reports whether the text leads something to the standard input.
func (r *reader) input() bool { return r.command.Stdin != nil && !r.ignored }

// url makes the URL whole: its scheme, and localhost for :3000/path.
func (r *reader) url() bool {
	u := r.msg.URL
	var b message.Text
	u.Text = strings.TrimPrefix(u.Text, "://")
	scheme, _, has := strings.Cut(u.Text, "://")
	if has && !ascii.IsToken(scheme) || u.StartsWithHole() {
		has = u.StartsWithHole()
	}
	if !has {
		if !b.Add(r.Meter, r.scheme+"://") {
			return false
		}
		if strings.HasPrefix(u.Text, ":") && !strings.HasPrefix(u.Text, "::") {
			digits := 1
			for digits < len(u.Text) && ascii.IsDigit(u.Text[digits]) {
				digits++
			}
			if !b.Add(r.Meter, "localhost") || digits > 1 && !b.Add(r.Meter, u.Text[:digits]) {
				return false
			}
			var ok bool
			if u, ok = r.cut(u, digits); !ok {
				return false
			}
		}
	}
	if i := message.IndexByte(u, '#'); i >= 0 {
		u = message.Cut(u, 0, i)
	}
	if !r.Meter.Work(len(u.Text)/2) || !r.Meter.Hold(3*len(u.Text)) || !b.AddEach(r.Meter, u, requoted) {
		return false
	}
	sign := "?"
	if strings.Contains(u.Text, "?") {
		sign = "&"
	}
	for i := range r.list {
		it := &r.list[i]
		if it.separator == "==@" {
			return r.Fail(r.Syntax, it.key.Span, "curl adds no content of a file to a query as HTTPie does", "write the value")
		}
		if it.separator != "==" {
			continue
		}
		if !b.Add(r.Meter, sign) || !r.pair(&b, it) {
			return false
		}
		sign = "&"
	}
	r.msg.URL = b.Word(r.msg.URL.Span)
	return true
}

// requoted returns a URL with what no URL can have percent-encoded, which is more than
// curl encodes: requote_uri() of requests.
func requoted(known string, _ int) string {
	const unsafe = " \"<>\\^`{|}"
	if !strings.ContainsAny(known, unsafe) {
		return known
	}
	out := make([]byte, 0, len(known)+16)
	for i := range len(known) {
		if strings.IndexByte(unsafe, known[i]) >= 0 {
			out = ascii.AppendPercent(out, known[i:i+1], "%20")
		} else {
			out = append(out, known[i])
		}
	}
	return string(out)
}

// pair appends a name and a value, encoded as urlencode of Python does.
func (r *reader) pair(b *message.Text, it *item) bool {
	encode := func(known string, _ int) string { return string(ascii.AppendPercent(nil, known, "+")) }
	return r.Meter.Hold(4*(len(it.key.Text)+len(it.value.Text))) && b.AddEach(r.Meter, it.key, encode) && b.Add(r.Meter, "=") && b.AddEach(r.Meter, it.value, encode)
}

// items keeps what the items say beside the query.
func (r *reader) items() bool {
	for i := range r.list {
		it := &r.list[i]
		switch it.separator {
		case ":@":
			return r.Fail(r.Syntax, it.key.Span, "curl takes no value of a header field from a file as HTTPie does", "write the value")
		case ":", ";":
			if it.separator == ":" && it.value.Text == "" {
				if !meter.Append(r.Meter, &r.removed, it.key) {
					return false
				}
				continue
			}
			it.value.Text = strings.TrimRight(it.value.Text, " \t")
			if ascii.EqualFold(it.key.Text, "Content-Length") {
				continue
			}
			if !meter.Append(r.Meter, &r.msg.Fields, message.Field{Name: it.key, Value: it.value}) {
				return false
			}
		}
	}
	return true
}
