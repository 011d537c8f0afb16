package code

import (
	"strconv"
	"strings"
	"unicode"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/redact"
	"uncoil/request"
)

// placeOf returns the place of a span, or "" where the text of the command is not known.
func (p *program) placeOf(at diag.Span) place {
	if p.options.Source == "" || at == (diag.Span{}) {
		return ""
	}
	if p.positions == nil {
		p.positions = diag.NewPositions(p.options.Source)
	}
	line, column := p.positions.At(at.Start)
	return place(" (" + itoa(line) + ":" + itoa(column) + " of the command)")
}

// clientName returns the name of the client, which is ours.
func (t *Target) clientName() phrase { return phrase(t.Client) }

// noteAt writes what the client does otherwise than curl as a comment, or keeps it for
// the documentation of a format that has no comments.
func (p *program) noteAt(at diag.Span, text ...phrase) {
	if p.note != "" {
		p.commentAt(p.placeOf(at), text...)
		return
	}
	var whole phrase
	for _, part := range text {
		whole += part
	}
	p.notes = append(p.notes, whole)
}

// cannot warns of what the client cannot do.
func (p *program) cannot(what phrase, hint string) { p.cannotAt(diag.Span{}, what, hint) }

// cannotAt is cannot with the place of the option.
func (p *program) cannotAt(at diag.Span, what phrase, hint string) {
	p.diags.Warn(diag.WarnCannotExpress, at, p.target.Client+" "+string(what), hint)
}

// differs warns of what the client does and curl does not, and notes it in the
// program.
func (p *program) differs(what phrase) { p.differsAt(diag.Span{}, what) }

// differsAt is differs with the place of the option.
func (p *program) differsAt(at diag.Span, what phrase) {
	p.cannotAt(at, what, "curl does not")
	p.noteAt(at, p.target.clientName(), " ", what, "; curl does not")
}

// loss warns that the client lacks what an option asks for, and notes it in the
// program.
func (p *program) loss(option, what phrase) { p.lossAt(diag.Span{}, option, what) }

// lossAt is loss with the place of the option.
func (p *program) lossAt(at diag.Span, option, what phrase) {
	if p.target.client.format {
		what = "has no place for " + option
	}
	whole := "the program"
	if p.target.Kind == File {
		whole = "the file"
	}
	p.cannotAt(at, what, whole+" leaves out "+string(option))
	p.diags[len(p.diags)-1].Option = string(option)
	p.noteAt(nowhere, option, " is left out: ", p.target.clientName(), " ", what)
}

// nowhere is the place of what concerns the command as a whole.
var nowhere diag.Span

// A reason is why a client cannot send a request.
type reason struct {
	what phrase
	at   diag.Span
}

// refuse makes the request an error: the client would send another one.
func (p *program) refuse(what phrase) { p.refuseAt(diag.Span{}, what) }

// refuseAt is refuse with the place of the option that asks for it.
func (p *program) refuseAt(at diag.Span, what phrase) {
	p.refused(reason{what, at}, "", "")
}

// refuseName is refuseAt for a name in the command, which only the message quotes. It
// must be none that can hold a password.
func (p *program) refuseName(at diag.Span, what phrase, name string) {
	shown := ""
	if isToken(name) && len(redact.Spans(name)) == 0 { // else it may be a value in the wrong place
		shown = ": " + shortened(name)
	}
	p.refused(reason{what, at}, shown, "")
}

// refuseMethod is refuse for a method, which the message quotes where it is a word in
// capitals: anything else may be a value that came there by mistake.
func (p *program) refuseMethod(what phrase, method string) {
	if strings.Trim(method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ-") != "" {
		p.refuse(what)
		return
	}
	p.refuseName(nowhere, what, method)
}

// refuseEverywhere is refuse for what no target writes but curl's own commands.
func (p *program) refuseEverywhere(what phrase) {
	p.refused(reason{what: what}, "", noTarget)
}

func (p *program) refused(why reason, name, hint string) {
	if p.why.what == "" {
		p.why = why
	}
	p.diags.Error(diag.CodeCannotExpress, why.at, p.target.Client+" "+string(why.what)+name+anotherRequest, hint)
}

// shown returns a variable as messages name it: without a default value, which can be a
// password, and without a command.
func shown(v *request.Variable) string {
	if !isVariableName(v.Name) {
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

// isVariableName reports whether shells look a name up without quotes: letters,
// digits and underscores.
func isVariableName(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII || !ascii.IsNameByte(byte(r)) })
}
