package code

import (
	"slices"
	"strings"
	"sync"

	"uncoil/diag"
	"uncoil/internal/engine/fault"
	"uncoil/internal/engine/meter"
	"uncoil/request"
)

// Targets returns all targets, by name.
func Targets() []Target { return slices.Clone(targets) }

// Append appends a program that sends the requests, in order. The list has what
// the client of the target cannot do; when it has an error, dst comes back as
// it was.
func (t *Target) Append(dst []byte, requests []request.Request, o Options) (out []byte, diags diag.List) {
	return t.AppendMetered(dst, requests, o, meterFor(requests), 0)
}

// AppendMetered is Append for package uncoil: the program pays the meter of a
// conversion, and has at most so many bytes, or any number with 0.
func (t *Target) AppendMetered(dst []byte, requests []request.Request, o Options, m *meter.Meter, most int) (out []byte, diags diag.List) {
	defer func() {
		if value := recover(); value != nil {
			out, diags = dst, diag.List{fault.New(value).Diagnostic()}
		}
	}()
	b := &budget{meter: m, most: most}
	if refused := b.within(func() { out, diags = t.appendAll(b, dst, requests, o) }); refused != nil {
		return dst, diag.List{*refused}
	}
	return out, diags
}

// appendAll is AppendMetered, which ends by a panic when a payment is refused.
func (t *Target) appendAll(b *budget, dst []byte, requests []request.Request, o Options) ([]byte, diag.List) {
	requests, moved := o.rewritten(b, requests)
	out, diags := t.append(b, dst, requests, o, false)
	diags = append(moved, diags...)
	if diags.Err() == nil {
		return out, diags
	}
	hint := noTarget
	if t.Kind == Command || !slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Hint == noTarget }) {
		hint = t.others(b, requests, o)
	}
	for i := range diags {
		if diags[i].Severity == diag.Error {
			diags[i].Hint = hint
		}
	}
	return dst, diags
}

// rewritten returns the requests as the options want them.
func (o *Options) rewritten(b *budget, requests []request.Request) ([]request.Request, diag.List) {
	if o.DropNoise || o.DropCookies || o.MoveSecrets {
		for i := range requests {
			b.hold(weigh(&requests[i]).held())
		}
	}
	var notes diag.List
	if o.DropNoise || o.DropCookies {
		requests, notes = o.withoutDropped(requests)
	}
	if o.MoveSecrets {
		moved, names := MoveSecrets(requests)
		return moved, append(notes, names...)
	}
	return requests, notes
}

// tryOther is the hint where it is not known which target can send the request.
const tryOther = "try another target"

// others returns the hint of an error: proven targets that can send the requests.
// Where it costs too much to try them all, it names those that were found.
func (t *Target) others(b *budget, requests []request.Request, o Options) string {
	var can []string
	enough := b.forHint(func(b *budget) {
		for _, other := range candidates()[t.Language] {
			if len(can) == maxNamed {
				break
			}
			if other.Name == t.Name || other.Kind != t.Kind {
				continue
			}
			if _, diags := other.append(b, nil, requests, o, false); diags.Err() == nil {
				can = append(can, other.Name)
			}
		}
	})
	switch {
	case len(can) == 0 && !enough:
		return tryOther
	case len(can) == 0:
		return noTarget
	}
	return "choose a target that can: " + strings.Join(can, ", ")
}

// candidates are the proven targets for a hint to users of each language: those
// of the same language first, and then those that most people know.
var candidates = sync.OnceValue(func() map[string][]*Target {
	of := map[string][]*Target{}
	for i := range targets {
		language := targets[i].Language
		if of[language] != nil {
			continue
		}
		order := func(other *Target) int {
			if other.Language == language {
				return -1
			}
			if i := slices.Index(wellKnown, other.Name); i >= 0 {
				return i
			}
			return len(wellKnown)
		}
		var list []*Target
		for i := range targets {
			if targets[i].Proven {
				list = append(list, &targets[i])
			}
		}
		slices.SortStableFunc(list, func(a, b *Target) int { return order(a) - order(b) })
		of[language] = list
	}
	return of
})

// wellKnown are the targets that a hint names before others.
var wellKnown = []string{"python-requests", "php", "csharp"}

// maxNamed is how many other targets a hint names.
const maxNamed = 3
