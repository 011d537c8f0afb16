package plan

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"uncoil/code/internal/emit"
	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/redact"
	"uncoil/request"
)

// placeOf returns the place of a span, or "" where the text of the command is not known.
func (p *Program) placeOf(at diag.Span) emit.Place {
	if p.Options.Source == "" || at == (diag.Span{}) {
		return ""
	}
	if p.positions == nil {
		p.positions = diag.NewPositions(p.Options.Source)
	}
	line, column := p.positions.At(at.Start)
	return emit.Place(" (" + emit.Itoa(line) + ":" + emit.Itoa(column) + " of the command)")
}

// clientName returns the name of the client, which is ours.
func (t *Target) clientName() emit.Phrase { return emit.Phrase(t.Client) }

// noteAt writes what the client does otherwise than curl as a comment, or keeps it for
// the documentation of a format that has no comments.
func (p *Program) noteAt(at diag.Span, text ...emit.Phrase) {
	if p.Note != "" {
		p.CommentAt(p.placeOf(at), text...)
		return
	}
	var whole emit.Phrase
	for _, part := range text {
		whole += part
	}
	p.Notes = append(p.Notes, whole)
}

// Cannot warns of what the client cannot do.
func (p *Program) Cannot(what emit.Phrase, hint string) { p.CannotAt(diag.Span{}, what, hint) }

// CannotAt is cannot with the place of the option.
func (p *Program) CannotAt(at diag.Span, what emit.Phrase, hint string) {
	p.Diags.Warn(diag.WarnCannotExpress, at, p.Target.Client+" "+string(what), hint)
}

// Differs warns of what the client does and curl does not, and notes it in the
// program.
func (p *Program) Differs(what emit.Phrase) { p.DiffersAt(diag.Span{}, what) }

// DiffersAt is Differs with the place of the option.
func (p *Program) DiffersAt(at diag.Span, what emit.Phrase) {
	p.CannotAt(at, what, "curl does not")
	p.noteAt(at, p.Target.clientName(), " ", what, "; curl does not")
}

// Loss warns that the client lacks what an option asks for, and notes it in the
// program.
func (p *Program) Loss(option, what emit.Phrase) { p.LossAt(diag.Span{}, option, what) }

// LossAt is loss with the place of the option. Of an application that has settings of its
// own, it says nothing but that the file leaves the option out.
func (p *Program) LossAt(at diag.Span, option, what emit.Phrase) {
	switch k := &p.Target.Facts; {
	case k.Format:
		what = "has no place for " + option
	case k.Settings:
		what = "has no place for " + option + " in this file"
	}
	p.LeavesOut(at, option, what)
}

// LeavesOut is lossAt with the words of the target, whatever it is.
func (p *Program) LeavesOut(at diag.Span, option, what emit.Phrase) {
	p.leavesOut(at, option, p.Target.clientName()+" "+what)
}

// omits is LossAt for what the program does not do, and its client may well do. Of a command
// and of a file, the client does all.
func (p *Program) omits(at diag.Span, option, what emit.Phrase) {
	if p.Target.Kind != Code {
		p.LossAt(at, option, what)
		return
	}
	p.leavesOut(at, option, p.whole()+" "+what)
}

func (p *Program) leavesOut(at diag.Span, option, sentence emit.Phrase) {
	p.Diags.Warn(diag.WarnCannotExpress, at, string(sentence), string(p.whole()+" leaves out "+option))
	p.Diags[len(p.Diags)-1].Option = string(option)
	p.noteAt(Nowhere, option, " is left out: ", sentence)
}

// whole returns what a target writes.
func (p *Program) whole() emit.Phrase {
	if p.Target.Kind == File {
		return "the file"
	}
	return "the program"
}

// Accept notes what a tool sends otherwise than curl, and a person would accept: blanks
// around content, percent-encoding that is spelled otherwise, a field that the tool adds.
// A file has a warning of it. In exact style it is an error, and so it is for a program,
// of which something else can be written.
func (p *Program) Accept(c *Call, what emit.Phrase) {
	if p.Exact() || p.Target.Kind != File {
		p.Refuse(what)
		return
	}
	if !slices.Contains(c.accepted, what) {
		c.accepted = append(c.accepted, what)
	}
}

// reportAccepted warns of what Accept noted: it is read before the file is written.
func (p *Program) reportAccepted(c *Call) {
	for _, what := range c.accepted {
		p.Cannot(what, Accepted)
		p.noteAt(Nowhere, p.Target.clientName(), " ", what, "; curl does not")
	}
}

// Accepted is the hint of a difference that exact style does not have: it writes something
// else there, or nothing.
const Accepted = "curl does not; style exact allows no such difference"

// Nowhere is the place of what concerns the command as a whole.
var Nowhere diag.Span

// A reason is why a client cannot send a request.
type reason struct {
	what emit.Phrase
	at   diag.Span
}

// Refuse makes the request an error: the client would send another one.
func (p *Program) Refuse(what emit.Phrase) { p.RefuseAt(diag.Span{}, what) }

// RefuseAt is refuse with the place of the option that asks for it.
func (p *Program) RefuseAt(at diag.Span, what emit.Phrase) {
	p.refused(reason{what, at}, "", "")
}

// RefuseName is refuseAt for a name in the command, which only the message quotes. It
// must be none that can hold a password.
func (p *Program) RefuseName(at diag.Span, what emit.Phrase, name string) {
	shown := ""
	if IsToken(name) && len(redact.Spans(name)) == 0 { // else it may be a value in the wrong place
		shown = ": " + shortened(name)
	}
	p.refused(reason{what, at}, shown, "")
}

// refuseForMethod is refuse for a method, which the message quotes where it is a word in
// capitals: anything else may be a value that came there by mistake.
func (p *Program) refuseForMethod(what emit.Phrase, method string) {
	if strings.Trim(method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ-") != "" {
		p.Refuse(what)
		return
	}
	p.RefuseName(Nowhere, what, method)
}

// refuseEverywhere is refuse for what no target writes but curl's own commands.
func (p *Program) refuseEverywhere(what emit.Phrase) {
	p.refused(reason{what: what}, "", NoTarget)
}

func (p *Program) refused(why reason, name, hint string) {
	if p.why.what == "" {
		p.why = why
	}
	p.Diags.Error(diag.CodeCannotExpress, why.at, p.Target.Client+" "+string(why.what)+name+anotherRequest, hint)
}

// shown returns a variable as messages name it: without a default value, which can be a
// password, and without a command.
func shown(v *request.Variable) string {
	if !IsVariableName(v.Name) {
		return "what the shell computes"
	}
	return "$" + v.Name
}

// shortened returns a name as messages quote it.
func shortened(name string) string {
	if len(name) > longestQuoted {
		name = name[:longestQuoted] + "..."
	}
	return strconv.QuoteToASCII(name)
}

// longestQuoted is how many bytes of a name a message quotes.
const longestQuoted = 40

// IsVariableName reports whether shells look a name up without quotes: letters,
// digits and underscores.
func IsVariableName(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII || !ascii.IsNameByte(byte(r)) })
}
