package redact

import (
	"cmp"
	"slices"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/reqtext"
)

// mostNested is how deep JSON text is looked at that stands in strings of JSON
// text.
const mostNested = 3

// json hides the secrets in JSON text, and leaves the rest of it as it is: the
// values of members with secret names, of {"name": a secret name, "value": …},
// and what else is secret in strings.
func (h *hider) json(t *reqtext.Text) { h.jsonAt(t, 0) }

func (h *hider) jsonAt(t *reqtext.Text, nested int) {
	j := jsonHider{Reader: jsontext.NewReader(t.Value, jsontext.MaxDepth), hider: h, text: t.Value, nested: nested}
	if !j.value() {
		h.hideFinds(t, whole(t.Value, "")) // it is not JSON, so nothing is known of it
		return
	}
	// Nested finds come before the value that holds them.
	slices.SortStableFunc(j.found, func(a, b find) int {
		if a.start == b.start && a.end == b.end && a.shown != b.shown {
			return map[bool]int{false: -1, true: 1}[a.shown]
		}
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	var out reqtext.Builder
	copied := 0
	for _, f := range j.found {
		if f.start < copied {
			continue
		}
		if !f.shown {
			f.replacement = h.hide(f.replacement)
		}
		out.Keep(*t, copied, f.start)
		out.Replace(*t, f.start, f.end, string(jsontext.AppendString(nil, f.replacement)))
		copied = f.end
	}
	out.Keep(*t, copied, len(t.Value))
	*t = out.Text()
}

// A find is a value to replace.
type find struct {
	start, end  int
	replacement string // the secret, or what to show
	shown       bool   // replacement is shown
	name        string // that makes it a secret
}

// A jsonHider finds the secrets in one JSON text.
type jsonHider struct {
	jsontext.Reader
	*hider
	text   string
	nested int
	found  []find
}

// value reads a value that no name makes a secret.
func (j *jsonHider) value() bool {
	switch j.Peek() {
	case '{':
		return j.object()
	case '[':
		return j.Array(j.value)
	case '"':
		start := j.Pos()
		s, ok := j.String()
		if !ok {
			return false
		}
		shown := ""
		if jsontext.Container(s) && j.nested < mostNested {
			inner := reqtext.Text{Value: s}
			j.jsonAt(&inner, j.nested+1)
			shown = inner.Value
		} else {
			shown = j.plain(s)
		}
		if shown != s {
			j.found = append(j.found, find{start: start, end: j.Pos(), replacement: shown, shown: true})
		}
		return true
	}
	if !j.sweeps {
		return j.Skip()
	}
	start := j.Pos()
	ok := j.Skip()
	if text := j.text[start:j.Pos()]; ok && j.short[text] {
		j.found = append(j.found, find{start: start, end: j.Pos(), replacement: Mask, shown: true})
	}
	return ok
}

func (j *jsonHider) object() bool {
	secret := ""     // the secret name that a member "name" holds
	var value []find // the members "value"
	ok := j.Object(func(name string, _ int) bool {
		j.Peek()
		start := j.Pos()
		isSecret := Secret(name)
		if isSecret && !j.Skip() || !isSecret && !j.value() {
			return false
		}
		switch {
		case ascii.EqualFold(name, "name"), ascii.EqualFold(name, "key"), ascii.EqualFold(name, "header"):
			label, isString := jsontext.Unquote(j.text[start:j.Pos()])
			if isString && Secret(label) {
				secret = label
			}
			if secret != "" {
				return true // the label itself may be read
			}
		case ascii.EqualFold(name, "value"):
			value = append(value, j.secret(start, "")...)
		}
		if isSecret {
			j.found = append(j.found, j.secret(start, name)...)
		}
		return true
	})
	if secret != "" {
		for _, f := range value {
			f.name = secret
			j.found = append(j.found, f)
		}
	}
	return ok
}

// secret returns the value from start up to here as a secret, unless it is
// null or empty.
func (j *jsonHider) secret(start int, name string) []find {
	text := j.text[start:j.Pos()]
	if s, ok := jsontext.Unquote(text); ok {
		text = s
	}
	if text == "" || text == "null" {
		return nil
	}
	return []find{{start: start, end: j.Pos(), replacement: text, name: name}}
}
