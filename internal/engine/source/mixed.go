package source

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/paste"
	"uncoil/internal/engine/source/posix"
)

// A block is a request of a .http file, with the separator before it.
type block struct {
	start, end int
	curl       bool // it is a command of curl
}

// blocks returns the requests of a .http file in which some are commands of curl, as clients
// of editors allow; nil where none is, or curl begins a line within a request.
func blocks(src string, m *meter.Meter) (list []block) {
	if !m.Work(len(src) / 8) {
		return nil
	}
	list = append(list, block{})
	last, begun, found := 0, false, false
	for at := 0; at < len(src) && m.Work(16); {
		n := ascii.LineLength(src[at:])
		line := strings.TrimLeft(src[at:at+n], " \t")
		switch {
		case strings.HasPrefix(line, "###"):
			list[last].end = at
			if !meter.Append(m, &list, block{start: at}) {
				return nil
			}
			last, begun = last+1, false
		case strings.HasPrefix(line, "curl "):
			if begun && !list[last].curl {
				return nil
			}
			begun, found, list[last].curl = true, true, true
		case strings.TrimSpace(line) != "" && line[0] != '#' && line[0] != '@' && !strings.HasPrefix(line, "//"):
			begun = true
		}
		at = min(at+n+1, len(src))
	}
	if list[last].end = len(src); !found || last == 0 {
		return nil
	}
	return list
}

// isMixed reports whether a text is a .http file in which some requests are commands of curl.
func isMixed(src string, m *meter.Meter) bool {
	return strings.Contains(src, "\n###") && slices.ContainsFunc(blocks(src, m), func(b block) bool {
		return !b.curl && m.Work((b.end-b.start)/8) && forms[HTTPFile].Is(src[b.start:b.end])
	})
}

// readMixed reads a .http file in which some requests are commands of curl; ok is false for
// any other text.
func readMixed(src string, entry int, env map[string]string, m *meter.Meter) (r Reading, ok bool) {
	r.Dialect = HTTPFile
	list := blocks(src, m)
	if list == nil || forms[HTTPFile].Read == nil {
		return r, false
	}
	for _, curl := range [...]bool{false, true} {
		w := paste.NewRewriting(src, m)
		for _, b := range list {
			if b.curl != curl {
				w.Replace(b.start, b.end, "")
			} else if head := ascii.LineLength(src[b.start:b.end]); curl && strings.HasPrefix(src[b.start:b.end], "###") {
				w.Replace(b.start, b.start+head, "")
			}
		}
		text := w.Text()
		if m.Over() || strings.TrimSpace(text) == "" {
			return r, false
		}
		var commands []Command
		var diags diag.List
		if curl {
			if at := strings.Index(text, "{{"); at >= 0 {
				r.Diags.Warn(diag.WarnVariableKept, diag.Span{Start: w.Start(at), End: w.End(at + len("{{"))}, "variables of the file are kept as written in its commands of curl", "write their values")
			}
			commands, diags = withNested(text, env, m)(posix.Read(text, env, m, nil))
		} else {
			commands, diags = forms[HTTPFile].Read(text, 0, env, m)
		}
		w.Restore(commands, diags)
		r.Commands, r.Diags = append(r.Commands, commands...), append(r.Diags, diags...)
	}
	slices.SortStableFunc(r.Commands, func(a, b Command) int { return int(a.Span.Start - b.Span.Start) })
	if n := len(r.Commands); entry > n {
		r.Diags.Error(diag.CodeUnknownEntry, diag.Span{End: int32(len(src))}, "there is no entry "+strconv.Itoa(entry)+": the file has "+strconv.Itoa(n)+" requests", "requests are counted from 1")
	} else if entry > 0 {
		r.Commands = r.Commands[entry-1 : entry]
	}
	return r, true
}
