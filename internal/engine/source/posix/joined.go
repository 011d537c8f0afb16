package posix

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/paste"
)

// A line that goes on with the arguments of the curl command before it, though no backslash
// joins the two: it is missing, or a slash or two backslashes stand in its place.

// optionsFollow reports whether the line after this line break goes on with
// arguments of the curl command whose words are on the stack from mark on:
// somebody has forgotten the backslash. It skips to them where the command
// cannot be meant as it stands, because it has no URL yet or a word processor
// has been at its quotes, or because the line before it has been joined so. A
// command that is complete keeps its meaning.
func (r *reader) optionsFollow(mark int) bool {
	i := r.i + 1
	for i < r.end && ascii.IsBlank(r.src[i]) {
		i++
	}
	rest := r.src[i:r.end]
	if len(rest) < 2 || len(r.docs) > 0 || r.script != nil || !r.pay(i-r.i) {
		return false
	}
	option := beginsOption(rest)
	if !option && !startsArgument(rest) || !r.pay(8*(len(r.stack)-mark)) {
		return false
	}
	runs, located, curly, argument := false, false, false, false
	for _, w := range r.stack[mark:] {
		source := r.src[w.span.Start:w.span.End]
		runs = runs || paste.IsCurl(w.text)
		located = located || !argument && (strings.Contains(source, "://") ||
			runs && source[0] != '-' && strings.IndexByte(source, '/') > 0 && strings.IndexByte(source, ' ') < 0)
		argument = runs && awaitsArgument(source)
		curly = curly || strings.HasPrefix(source, "“") || strings.HasPrefix(source, "‘")
	}
	if !runs || !option && located {
		return false
	}
	joined := option && r.joins != nil && r.joins(r.i)
	if located && !curly && !joined && !r.emptied() && (r.unbroken == 0 || r.unbroken != r.stack[mark].span.Start+1) {
		if !r.paste.Prompted() {
			r.doubt(diag.WarnPastedNoise, i, i+ascii.LineLength(rest),
				"this line is not part of the command before it, because that command does not end in a backslash", "end the line before with a backslash")
			r.fixDoubt()
		}
		return false
	}
	slip, slipped := r.dropSlip(mark)
	if r.unbroken != r.stack[mark].span.Start+1 || !joined && !slipped {
		if remark := r.remark(); remark > 0 {
			r.doubt(diag.WarnPastedNoise, remark, r.i, "a remark follows the backslash, which joins the lines only at the end of its line", "put the remark on a line above the command")
			r.unbroken, r.i = r.stack[mark].span.Start+1, i
			return true
		}
		if slipped {
			r.doubt(diag.WarnPastedNoise, int(slip.Start), int(slip.End), "this stands where a backslash is meant; the shell would end the command here", "end the line with a backslash")
		} else {
			r.doubt(diag.WarnPastedNoise, i, i+1, "the line before this one lacks its backslash; the shell would end the command there", "end that line with a backslash")
		}
		// Two backslashes are right in a string of another language, which a file may have.
		if slipped && slip.End-slip.Start == 1 || joined && !slipped {
			r.fixDoubt()
		}
	}
	r.unbroken = r.stack[mark].span.Start + 1
	r.i = i
	return true
}

// remark returns where the remark starts that follows the backslash at the end of the line
// that ends here; 0 where none does.
func (r *reader) remark() int {
	line := r.src[strings.LastIndexByte(r.src[:r.i], '\n')+1 : r.i]
	for _, mark := range [...]string{`\ #`, "\\\t#", `\  #`} {
		if n := strings.LastIndex(line, mark); n >= 0 {
			return r.i - len(line) + n + len(mark) - 1
		}
	}
	return 0
}

// fixDoubt gives the doubt that was said last the edit that joins the lines.
func (r *reader) fixDoubt() {
	if d := r.diags.Last(diag.WarnPastedNoise); d != nil && d.Level == diag.LevelDoubt {
		d.Fix = r.joining()
	}
}

// dropSlip drops the last word of the command whose words are on the stack from mark on
// where it ends its line in place of a backslash. As a URL curl refuses it: it has no host.
func (r *reader) dropSlip(mark int) (at diag.Span, ok bool) {
	n := len(r.stack) - 1
	if n <= mark {
		return at, false
	}
	at = r.stack[n].span
	if !paste.StandsForBackslash(r.src[at.Start:at.End]) || strings.TrimRight(r.src[at.End:r.i], " \t\r") != "" ||
		awaitsArgument(r.src[r.stack[n-1].span.Start:r.stack[n-1].span.End]) {
		return at, false
	}
	r.stack = r.stack[:n]
	return at, true
}

// awaitsArgument reports whether a word is an option whose argument, which may look like a
// URL, is the next word.
func awaitsArgument(word string) bool {
	if len(word) == 2 {
		return word[0] == '-' && strings.IndexByte("AbcDdEeFHKoTuxX", word[1]) >= 0
	}
	switch word {
	case "--header", "--data", "--data-raw", "--data-binary", "--data-urlencode", "--json", "--form", "--output", "--user", "--cookie",
		"--referer", "--proxy", "--cacert", "--cert", "--key":
		return true
	}
	return false
}

// joining returns the edit that ends the line before this line break with a backslash, and
// so each line after it on which the next one goes on with an option.
func (r *reader) joining() *diag.Fix {
	start, _ := paste.LineText(r.src[:r.i])
	var text strings.Builder
	for at, end := start, r.i; ; {
		stop, _ := paste.LineText(r.src[:end])
		text.WriteString(r.src[at:stop] + " \\")
		at = end
		line := r.src[end+1 : r.end]
		n := ascii.LineLength(line)
		next := end + 1 + n
		if !r.pay(n+4) || !r.hold(n+4) {
			return nil
		}
		keeps, slipped := paste.LineText(line[:n])
		goesOn := next+1 < r.end && !strings.HasSuffix(strings.TrimRight(line[:keeps], " \t\r"), `\`)
		if goesOn {
			after := strings.TrimLeft(r.src[next+1:r.end], " \t")
			goesOn = beginsOption(after) || slipped && startsArgument(after)
		}
		if goesOn {
			end = next
			continue
		}
		if slipped {
			text.WriteString(r.src[at : end+1+keeps])
			at = next
		}
		return &diag.Fix{Span: diag.Span{Start: int32(start), End: int32(at)}, Text: text.String()}
	}
}

// emptied reports whether the line that ends here is empty, though a backslash joins
// it to the command above: blank lines have got between the lines of that.
func (r *reader) emptied() bool {
	above := strings.TrimRight(r.src[:r.i], " \t\r")
	return strings.HasSuffix(above, "\\\n") || strings.HasSuffix(above, "\\\r\n")
}

// beginsOption reports whether a line begins with an option.
func beginsOption(s string) bool {
	n := 1
	if strings.HasPrefix(s, "--") {
		n = 2
	}
	letters := n
	for n < len(s) && (ascii.IsLetter(s[n]) || letters == 2 && n > 2 && (s[n] == '-' || ascii.IsDigit(s[n]) || s[n] == '.')) {
		n++
	}
	if s == "" || s[0] != '-' || n == letters {
		return false
	}
	return n == len(s) || strings.IndexByte(" \t\r\n'\"=", s[n]) >= 0 || strings.HasPrefix(s[n:], "“")
}
