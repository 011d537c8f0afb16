package engine

import (
	"slices"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/source"
	"uncoil/internal/engine/source/paste"
)

// A line that begins with an option of curl belongs to the command before it, if all of it
// reads as options: for a shell it would be a command of that name, which nobody means.

// joined returns the reading of a text in which such lines belong to their commands, or nil
// where it has none.
func (r *Result) joined(reading *source.Reading, in *Input, c *conversion) *source.Reading {
	if reading.Dialect != source.POSIX || !slices.ContainsFunc(reading.Commands, func(command source.Command) bool {
		return followsOption(r.source, int(command.Span.End))
	}) {
		return nil
	}
	all := source.SplitJoined(r.source, in.Env, &c.meter, func(int) bool { return true })
	if all.Diags.Err() != nil || c.meter.Over() {
		return nil
	}
	curls, _ := source.Curls(slices.Clone(all.Commands))
	fits, others := map[int]bool{}, false
	for i := range curls {
		if !c.meter.Work(8 * len(curls[i].Args)) {
			return nil
		}
		breaks := joints(r.source, curls[i].Args)
		if len(breaks) > 0 && !areOptions(r.source, curls[i].Args, breaks[0]) {
			others = true
			continue
		}
		for _, at := range breaks {
			fits[at] = true
		}
	}
	switch {
	case len(fits) == 0:
		return nil
	case others:
		all = source.SplitJoined(r.source, in.Env, &c.meter, func(at int) bool { return fits[at] })
	}
	return &all
}

// followsOption reports whether a line that begins as an option does follows an offset,
// with nothing but blanks between.
func followsOption(src string, at int) bool {
	if at < 0 || at >= len(src) {
		return false
	}
	rest := strings.TrimLeft(src[at:], " \t\r")
	if rest == "" || rest[0] != '\n' {
		return false
	}
	rest = strings.TrimLeft(rest[1:], " \t")
	return len(rest) > 1 && rest[0] == '-' && (ascii.IsLetter(rest[1]) || rest[1] == '-')
}

// joints returns the offsets of the line breaks without a backslash between the arguments
// of a command: before them stands nothing, or what was typed for a backslash.
func joints(src string, args []source.Word) (breaks []int) {
	for i := 1; i < len(args); i++ {
		from, to := int(args[i-1].Span.End), int(args[i].Span.Start)
		if from < to && to <= len(src) {
			gap := src[from:to]
			if at := strings.IndexByte(gap, '\n'); at >= 0 {
				if n, _ := paste.LineText(gap[:at]); n == 0 {
					breaks = append(breaks, from+at)
				}
			}
		}
	}
	return breaks
}

// areOptions reports whether the arguments after an offset are options with their arguments,
// and at most the one URL that is missing before it; and whether the line after them is no
// line of a diff.
func areOptions(src string, args []source.Word, from int) bool {
	located, expected := false, false // a URL, an argument
	for i := range args {
		w := &args[i]
		raw := src[w.Span.Start:min(int(w.Span.End), len(src))]
		isNew := int(w.Span.Start) > from
		switch {
		case expected:
			if i > 0 {
				gap := src[args[i-1].Span.End:w.Span.Start]
				if _, slipped := paste.LineText(gap[:max(0, strings.IndexByte(gap, '\n'))]); slipped {
					return false // that is the argument
				}
			}
			expected = false
		case len(raw) > 1 && raw[0] == '-':
			takes, known := option(raw)
			if isNew && !known {
				return false
			}
			if expected = takes; strings.HasPrefix(raw, "--url") {
				located = true
			}
		case isNew && (located || !isAddress(w.Text)):
			return false
		default:
			located = true
		}
	}
	if len(args) == 0 || expected {
		return false
	}
	rest := strings.TrimLeft(src[min(int(args[len(args)-1].Span.End), len(src)):], " \t\r")
	return !strings.HasPrefix(rest, "\n+")
}

// option reports whether a word as spelled is one option that curl has, and whether the next
// word is its argument. Letters in a bundle, and what stands behind a letter without quotes,
// may be something else: only the method may.
func option(word string) (takesNext, known bool) {
	if name, ok := strings.CutPrefix(word, "--"); ok {
		name, _, given := strings.Cut(name, "=")
		o := curl.Lookup(name)
		if o == nil {
			o = curl.Lookup(strings.TrimPrefix(name, "no-"))
		}
		return o != nil && o.TakesArgument() && !given, o != nil
	}
	o := curl.LookupShort(word[1])
	switch {
	case o == nil || !ascii.IsLetter(word[1]):
		return false, false
	case len(word) == 2:
		return o.TakesArgument(), true
	case !o.TakesArgument():
		return false, false
	case word[1] == 'X':
		return false, strings.Trim(word[2:], "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" && len(word) > 4
	}
	return false, word[2] == '\'' || word[2] == '"'
}

// isAddress reports whether a word may be the URL that a command lacks.
func isAddress(word string) bool {
	return strings.Contains(word, "://") || strings.HasPrefix(word, "$") || strings.HasPrefix(word, "localhost") || strings.HasPrefix(word, "{{") || strings.HasPrefix(word, "<")
}
