package source

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/placeholder"
	"uncoil/internal/engine/source/paste"
	"uncoil/internal/engine/source/posix"
)

// runsNoCurl reports whether a POSIX shell refuses a text, or runs no curl for it.
func runsNoCurl(r *Reading, m *meter.Meter) bool {
	err := r.Diags.Err()
	return !m.Over() && (err == nil && !runsCurl(r.Commands) || err != nil && (err.Code == diag.CodeShellSyntax || err.Code == diag.CodeUnterminatedQuote))
}

// A rereading reads a text in another way than a POSIX shell does, and returns no
// commands where it does not apply.
type rereading func(src string, refused *diag.Diagnostic, env map[string]string, m *meter.Meter) ([]Command, diag.List)

// rereadings are tried one after the other for a text that runs no curl, until
// one does. Each costs about what the first reading has cost.
var rereadings = []rereading{asRoot, withRewriting(ofXonsh), withRewriting(ofMake), asPiece, withRewriting(misquoted), withRewriting(colourless), withRewriting(located)}

// asMeant reads a text for which a POSIX shell would run no curl as it is meant, if
// that can be said.
func asMeant(r *Reading, src string, env map[string]string, m *meter.Meter) {
	refused := r.Diags.Err()
	for _, reread := range rereadings {
		if !m.Work(lookSteps * len(src)) {
			r.Commands, r.Diags = nil, diag.List{m.Diagnostic(diag.At(0))}
			return
		}
		commands, diags := reread(src, refused, env, m)
		if m.Over() || diags.Err() == nil && runsCurl(commands) {
			r.Commands, r.Diags = commands, diags
			return
		}
	}
}

// asRoot reads # at the start of a line as the prompt of root.
func asRoot(src string, _ *diag.Diagnostic, env map[string]string, m *meter.Meter) ([]Command, diag.List) {
	if !paste.HasRootPrompt(src) {
		return nil, nil
	}
	return withNested(src, env, m)(posix.ReadAsRoot(src, env, m))
}

// asPiece reads a piece of a script.
func asPiece(src string, _ *diag.Diagnostic, env map[string]string, m *meter.Meter) ([]Command, diag.List) {
	commands, diags := withNested(src, env, m)(posix.ReadPiece(src, env, m))
	diags.Warn(diag.WarnPastedNoise, diag.At(0), "the text is a piece of a script; what belongs to commands around it is left out", "")
	return commands, diags
}

// withNested returns a function that reads the commands which those of a text run.
func withNested(src string, env map[string]string, m *meter.Meter) func([]Command, diag.List) ([]Command, diag.List) {
	return func(commands []Command, diags diag.List) ([]Command, diag.List) {
		if diags.Err() == nil {
			commands = nested(src, commands, env, m, &diags, 0)
		}
		return commands, diags
	}
}

// withRewriting reads the text that a function makes of another one; the
// function returns nil where it makes none.
func withRewriting(rewrite func(src string, refused *diag.Diagnostic, m *meter.Meter, diags *diag.List) *paste.Rewriting) rereading {
	return func(src string, refused *diag.Diagnostic, env map[string]string, m *meter.Meter) ([]Command, diag.List) {
		var noise diag.List
		w := rewrite(src, refused, m, &noise)
		if w == nil {
			return nil, nil
		}
		text := w.Text()
		commands, diags := withNested(text, env, m)(posix.Read(text, env, m, nil))
		w.Restore(commands, diags)
		return commands, append(noise, diags...)
	}
}

// ofXonsh reads a text in which variables are set for one command of curl as xonsh has it:
// $NAME=value curl.
func ofXonsh(src string, _ *diag.Diagnostic, m *meter.Meter, diags *diag.List) *paste.Rewriting {
	w := paste.NewRewriting(src, m)
	found := false
	for at := 0; at < len(src) && m.Work(16); at += ascii.LineLength(src[at:]) + 1 {
		i := at
		for i < len(src) && ascii.IsBlank(src[i]) {
			i++
		}
		for n := settingLength(src[i:]); n > 0 && m.Work(maxName); n = settingLength(src[i:]) {
			w.Replace(i, i+1, "")
			i += n
			found = true
		}
	}
	if !found {
		return nil
	}
	diags.Warn(diag.WarnShellAmbiguous, diag.Span{End: int32(len(src))},
		"the text was read as a command for xonsh, because it sets a variable with a dollar sign for one command", "in other shells, write no dollar sign there")
	return w
}

// settingLength returns the length of a setting of xonsh's at the start of a line, with the
// blanks after it, or 0: $NAME=value before curl or another setting.
func settingLength(line string) int {
	if line == "" || line[0] != '$' {
		return 0
	}
	line = line[:min(len(line), maxName)]
	n := 1 + ascii.NameLength(line[1:])
	if n == 1 || n == len(line) || line[n] != '=' {
		return 0
	}
	n += wordLength(line[n:])
	rest := strings.TrimLeft(line[n:], " \t")
	another := strings.HasPrefix(rest, "$") && strings.HasPrefix(rest[1+ascii.NameLength(rest[1:]):], "=")
	if !another && !strings.HasPrefix(rest, "curl ") {
		return 0
	}
	return len(line) - len(rest)
}

// colourless reads a text without the escape sequences by which a terminal shows
// colours.
func colourless(src string, _ *diag.Diagnostic, m *meter.Meter, diags *diag.List) *paste.Rewriting {
	const begins = "\x1b["
	w := paste.NewRewriting(src, m)
	found := false
	for at := 0; m.Work(16); {
		n := strings.Index(src[at:], begins)
		if n < 0 {
			break
		}
		start := at + n
		at = start + len(begins)
		for at < len(src) && (ascii.IsDigit(src[at]) || src[at] == ';') {
			at++
		}
		if at < len(src) && ascii.IsLetter(src[at]) {
			at++
			w.Replace(start, at, "")
			found = true
		}
	}
	if !found {
		return nil
	}
	diags.Warn(diag.WarnPastedNoise, diag.At(0), "the colours of a terminal are left out", "")
	return w
}

// SplitJoined reads a text for a POSIX shell in which options of curl stand on lines of
// their own: joins reports whether the line before the line break at an offset lacks its
// backslash.
func SplitJoined(src string, env map[string]string, m *meter.Meter, joins func(at int) bool) Reading {
	r := Reading{Dialect: POSIX}
	r.Commands, r.Diags = withNested(src, env, m)(posix.ReadJoined(src, env, m, joins))
	return r
}

// SplitFixed reads a text with an edit.
func SplitFixed(src string, d Dialect, fix diag.Fix, env map[string]string, m *meter.Meter) Reading {
	w := paste.NewRewriting(src, m)
	w.Replace(int(fix.Span.Start), int(fix.Span.End), fix.Text)
	return splitRewritten(w, d, env, m)
}

// SplitMisquoted reads a text that curl refuses as if apostrophes between single
// quotes were text; ok is false where none is.
func SplitMisquoted(src string, d Dialect, env map[string]string, m *meter.Meter) (r Reading, ok bool) {
	if d != POSIX {
		return r, false
	}
	var said diag.List
	w := misquoted(src, &diag.Diagnostic{}, m, &said)
	if w == nil || m.Over() {
		return r, false
	}
	r = splitRewritten(w, d, env, m)
	r.Diags = append(said, r.Diags...)
	return r, true
}

// SplitInterpolated reads a text that curl refuses as if #{name} at the start of a word, which
// is a comment for a shell, were text, as in a string of Ruby; ok is false where there is none.
func SplitInterpolated(src string, d Dialect, env map[string]string, m *meter.Meter) (r Reading, ok bool) {
	if d != POSIX || !m.Work(lookSteps*len(src)) {
		return r, false
	}
	w := paste.NewRewriting(src, m)
	quote := byte(0)
	for i := 0; i < len(src); i++ {
		switch c := src[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '#' && i > 0 && ascii.IsBlank(src[i-1]):
			n := placeholder.Interpolated(src[i:])
			if n == 0 || strings.IndexByte(src[i:i+n], '\'') >= 0 {
				i += ascii.LineLength(src[i:])
				continue
			}
			w.Replace(i, i+n, "'"+src[i:i+n]+"'")
			if !ok {
				r.Diags = diag.List{{Code: diag.WarnPlaceholder, Severity: diag.SeverityWarning, Level: diag.LevelDoubt, Span: diag.Span{Start: int32(i), End: int32(i + n)},
					Message: "a shell takes this for a comment; it was read as a placeholder of Ruby, and is kept as typed", Hint: "replace the placeholder with its value"}}
			}
			ok = true
			i += n - 1
		}
	}
	if !ok || m.Over() {
		return r, false
	}
	said := r.Diags
	r = splitRewritten(w, d, env, m)
	r.Diags = append(said, r.Diags...)
	return r, true
}

func splitRewritten(w *paste.Rewriting, d Dialect, env map[string]string, m *meter.Meter) Reading {
	text := w.Text()
	if m.Over() {
		return Reading{Dialect: d, Diags: diag.List{m.Diagnostic(diag.At(0))}}
	}
	r := Split(text, d, env, m, nil)
	w.Restore(r.Commands, r.Diags)
	return r
}
