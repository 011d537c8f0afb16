package source

import (
	"uncoil/diag"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/cmd"
	"uncoil/internal/engine/source/paste"
	"uncoil/internal/engine/source/posix"
	"uncoil/internal/engine/source/powershell"
	"uncoil/internal/engine/source/word"
)

// A Reading is the result of Split.
type Reading struct {
	Dialect  Dialect
	Commands []Command
	Diags    diag.List
}

// Split reads a text in a dialect, or with Auto in the one that the text
// shows. Variables that env knows are replaced by their values. What it costs
// is paid to the meter; when that refuses, the only diagnostic says so. The
// commands are in memory, unless that is nil.
func Split(src string, d Dialect, env map[string]string, m *meter.Meter, memory *word.Memory) Reading {
	return SplitEntry(src, d, 0, env, m, memory)
}

// SplitEntry is Split for the one entry, counted from 1, of a text that has
// entries. With 0 it is Split.
func SplitEntry(src string, d Dialect, entry int, env map[string]string, m *meter.Meter, memory *word.Memory) Reading {
	if d == Auto {
		d = detectData(src, m)
	}
	steps := lookSteps * len(src)
	if d.IsData() {
		steps = len(src) / skippedBytes
	}
	if !m.Work(steps) {
		return Reading{Dialect: d, Diags: diag.List{m.Diagnostic(diag.At(0))}}
	}
	if d.IsData() {
		return readData(src, d, entry, env, m)
	}
	if entry > 0 {
		return Reading{Dialect: d, Diags: noEntries(src)}
	}
	var diags diag.List
	w := Decode(src, m, &diags)
	text := src
	if w != nil {
		text = w.Text()
	}
	if m.Over() {
		return Reading{Dialect: d, Diags: diag.List{m.Diagnostic(diag.At(0))}}
	}
	r := split(text, d, env, m, memory)
	if w == nil && mayBeFish(&r) && m.Work(lookSteps*len(src)) && isFish(src) {
		diags.Warn(diag.WarnShellAmbiguous, diag.Span{End: int32(len(src))},
			`the text was read as a command for the fish shell, because \' stands between single quotes`,
			`in other shells, write '\'' for a single quote between single quotes`)
		w = fromFish(src, m)
		text = w.Text()
		if m.Over() {
			return Reading{Dialect: d, Diags: diag.List{m.Diagnostic(diag.At(0))}}
		}
		r = split(text, POSIX, env, m, memory)
	}
	readPrograms(&r, m)
	if w != nil {
		w.Restore(r.Commands, r.Diags)
		r.Diags = append(diags, r.Diags...)
	}
	return r
}

// lookSteps is the cost per byte of finding out what the text is: escaped, and
// for which shell.
const lookSteps = 4

// skippedBytes is how many bytes of a file of requests are passed over in a step: most of a
// recording are the answers, of which nothing is kept. What a request takes is paid for when it is
// read.
const skippedBytes = 2

func split(src string, d Dialect, env map[string]string, m *meter.Meter, memory *word.Memory) Reading {
	r := Reading{Dialect: d}
	because := ""
	if d == Auto {
		if r, ok := several(src, env, m); ok {
			return r
		}
		r.Dialect, because = detect(src[paste.ProseLength(src):])
	}
	if r.Dialect == POSIX {
		if r, ok := readDiff(src, env, m); ok {
			return r
		}
		if r.Commands, r.Diags = withRewriting(ofMake)(src, nil, env, m); r.Commands != nil && r.Diags.Err() == nil {
			return r
		}
		r.Commands, r.Diags = withNested(src, env, m)(posix.Read(src, env, m, memory))
		if runsNoCurl(&r, m) && !runsOther(&r, m) {
			asMeant(&r, src, env, m)
		}
		return r
	}
	r.Commands, r.Diags = withNested(src, env, m)(foreign(src, r.Dialect, env, m))
	if because != "" && !m.Over() {
		program := "cmd.exe"
		if r.Dialect == PowerShell {
			program = "PowerShell"
		}
		r.Diags.Warn(diag.WarnShellAmbiguous, diag.Span{End: int32(len(src))},
			"the text was read as a command for "+program+", because "+because+"; a POSIX shell would read it otherwise", "name the shell if it is another")
	}
	return r
}

// foreign reads a text for cmd.exe or PowerShell.
func foreign(src string, d Dialect, env map[string]string, m *meter.Meter) ([]Command, diag.List) {
	read := cmd.Split
	if d == PowerShell {
		read = powershell.Split
	}
	var noise diag.List
	w := paste.FencedCode(src, m, &noise)
	if w == nil {
		return read(src, env, m)
	}
	commands, diags := read(w.Text(), env, m)
	w.Restore(commands, diags)
	return commands, append(noise, diags...)
}
