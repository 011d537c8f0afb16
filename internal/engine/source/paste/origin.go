package paste

import (
	"strconv"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
)

// An Origin is what a text has shown so far about the place that it was copied
// from: a terminal, with its prompts and what commands printed, or a page in
// Markdown, with prose around its code. The reader of the POSIX shell asks it
// at the start of each command that starts a line.
type Origin struct {
	Root bool // a # at the start of a line is the prompt of root

	src      string
	meter    *meter.Meter
	diags    *diag.List
	rooted   bool // a # has been the prompt of root
	prompted bool // a prompt has been there: lines without one are output
	fenced   bool // a fence is open
	markdown bool // what stands outside fences is prose
	warned   int
	noises   []noise

	// Where the next closing typographic quote is, double and single, where the
	// next with which a word ends, and where the next blank is.
	closing, lastClosing [2]int
	blank                int
	noOdd                [len(oddQuotes)]int // from where on no word ends with the second of a pair; 0: not known
}

// New returns the Origin of a text, and where its commands begin and end. What
// it leaves out is reported to diags.
func New(src string, m *meter.Meter, diags *diag.List) (o Origin, start, end int) {
	o = Origin{src: src, meter: m, diags: diags}
	if !m.Work(len(src) / 8) {
		return o, 0, 0
	}
	start, end = 0, len(src)
	fence := firstFence(src)
	switch {
	case fence >= 0 && !holdsCommand(src[:fence]):
		o.markdown = true
		if strings.TrimSpace(src[:fence]) != "" {
			o.Warn(0, fence, "the text before the code is left out", "")
		}
		start = fence
	case fence < 0:
		text := strings.TrimSpace(src)
		n := len(text) - len(strings.TrimLeft(text, "`"))
		if n > 0 && len(text) > 2*n && strings.IndexByte(text[n:], '`') == len(text)-2*n && strings.HasSuffix(text, text[:n]) {
			open := strings.IndexByte(src, '`')
			o.Warn(open, open+n, "the text stands between backticks", "")
			start, end = open+n, open+len(text)-n
		}
	}
	return o, start, end
}

// Bare returns the Origin of a text that is one command, and of which nothing
// is to be left out.
func Bare(src string, m *meter.Meter, diags *diag.List) Origin {
	return Origin{src: src, meter: m, diags: diags}
}

// Prompted reports whether a prompt of a terminal has been there.
func (o *Origin) Prompted() bool { return o.prompted }

// Rooted reports whether a # at the start of a line has been the prompt of root.
func (o *Origin) Rooted() bool { return o.rooted }

// MaxWarnings bounds how often pasted noise is reported in one text.
const MaxWarnings = 100

// A noise is a kind of pasted noise that was reported.
type noise struct {
	message string
	warning int // index of the warning
	start   int // its place
	more    int // how many other places have the same
}

// reported reports whether the warning is still there. A reader that starts
// again may have taken it back.
func (n *noise) reported(diags diag.List) bool {
	return n.warning < len(diags) && int(diags[n.warning].Span.Start) == n.start
}

// Warn reports a piece of pasted noise. Each message is reported once, at its
// first place; Close adds how many others there are.
func (o *Origin) Warn(start, end int, message, hint string) {
	o.warn(start, end, message, hint, diag.LevelAdvice, nil)
}

// WarnFix reports a piece of pasted noise, with what to write for the text from one
// offset to another. Where several places have the same, no one edit is the fix.
func (o *Origin) WarnFix(at int, message, hint string, start, end int, text string) {
	o.warn(at, at+1, message, hint, diag.LevelAdvice, fixOf(start, end, text))
}

// DoubtFix reports as WarnFix does, as a doubt: a shell would read the text in another
// way.
func (o *Origin) DoubtFix(at int, message, hint string, start, end int, text string) {
	o.warn(at, at+1, message, hint, diag.LevelDoubt, fixOf(start, end, text))
}

func fixOf(start, end int, text string) *diag.Fix {
	return &diag.Fix{Span: diag.Span{Start: int32(start), End: int32(end)}, Text: text}
}

func (o *Origin) warn(start, end int, message, hint string, level diag.Level, fix *diag.Fix) {
	for i := range o.noises {
		if n := &o.noises[i]; n.message == message && n.reported(*o.diags) {
			n.more++
			(*o.diags)[n.warning].Fix = nil
			return
		}
	}
	if o.warned++; o.warned <= MaxWarnings {
		o.noises = append(o.noises, noise{message: message, warning: len(*o.diags), start: start})
		o.diags.Warn(diag.WarnPastedNoise, diag.Span{Start: int32(start), End: int32(end)}, message, hint)
		last := &(*o.diags)[len(*o.diags)-1]
		last.Level, last.Fix = level, fix
	}
}

// Close completes the warnings.
func (o *Origin) Close() {
	for i := range o.noises {
		n := &o.noises[i]
		if n.more > 0 && n.reported(*o.diags) {
			(*o.diags)[n.warning].Message += Elsewhere(n.more)
		}
	}
}

// Elsewhere returns what a message adds that holds for n more places.
func Elsewhere(n int) string {
	if n == 1 {
		return " (here and at 1 more place)"
	}
	return " (here and at " + strconv.Itoa(n) + " more places)"
}

// Skip returns where a command begins, from the start of a line on and not after
// the offset end. It steps over indentation, a fence and prose, the output of a
// command, and a prompt.
func (o *Origin) Skip(line, end int) int {
	i := line
	for i < end {
		if !o.meter.Work(1) {
			return end
		}
		s := o.src[i:end]
		indent := len(s) - len(strings.TrimLeft(s, " \t"))
		rest := s[indent:]
		switch prompt := PromptLength(rest); {
		case strings.HasPrefix(rest, "```"):
			i = o.skipFence(i+indent, end)
			continue
		case o.markdown && !o.fenced:
			return end
		case isUpperPrompt(rest):
			o.prompted = true
			o.Warn(i+indent, i+indent+ascii.LineLength(rest), "a prompt stands above the command", "remove it")
			i = min(i+indent+ascii.LineLength(rest)+1, end)
			continue
		case isVersion(rest):
			n := ascii.LineLength(rest)
			o.Warn(i+indent, i+indent+n, "a line that curl --version prints is left out", "")
			i = min(i+indent+n+1, end)
			continue
		case prompt > 0:
			o.prompted = true
			if isWrapped(rest[prompt:]) && IsPrompt(strings.TrimSpace(rest[:prompt])) {
				return i // Curls leaves out both, with one warning
			}
			return o.skipPrompt(i+indent, prompt)
		case rest != "" && rest[0] == '>' && strings.HasPrefix(strings.TrimLeft(rest, " \t>"), "curl"):
			return o.skipPrompt(i+indent, len(rest)-len(strings.TrimLeft(rest, " \t>")))
		case rest != "" && rest[0] == '#':
			if !o.Root {
				return i
			}
			o.rooted, o.prompted = true, true
			return o.skipPrompt(i+indent, len(rest)-len(strings.TrimLeft(rest[1:], " \t")))
		case o.prompted && !isBlankLine(rest) && !startsCommand(rest):
			i = o.skipOutput(i, end)
			continue
		}
		break
	}
	return i
}

// isVersion reports whether a line is one that curl prints for --version:
// curl 8.5.0 (x86_64-pc-linux-gnu) libcurl/8.5.0.
func isVersion(line string) bool {
	rest, ok := strings.CutPrefix(line, "curl ")
	if !ok || rest == "" || !ascii.IsDigit(rest[0]) {
		return false
	}
	n := 0
	for n < len(rest) && (ascii.IsNameByte(rest[n]) || rest[n] == '.' || rest[n] == '-') {
		n++
	}
	return strings.HasPrefix(rest[n:], " (")
}

// skipPrompt steps over a prompt of n bytes, with the blanks after it.
func (o *Origin) skipPrompt(start, n int) int {
	shown := strings.TrimRight(o.src[start:start+n], " \t")
	o.Warn(start, start+len(shown), "a prompt stands before the command", "remove it")
	return start + n
}

// HasRootPrompt reports whether a line of the text is # curl with arguments.
func HasRootPrompt(src string) bool {
	for rest := src; ; {
		i := strings.Index(rest, "curl ")
		if i < 0 {
			return false
		}
		before := strings.TrimRight(rest[:i], " \t")
		if strings.HasSuffix(before, "#") {
			if before = strings.TrimRight(before[:len(before)-1], " \t"); before == "" || before[len(before)-1] == '\n' {
				return true
			}
		}
		rest = rest[i+len("curl "):]
	}
}

// skipFence steps over a fence. Behind a closing one there is prose up to the
// next, and the code of another language is left out.
func (o *Origin) skipFence(fence, end int) int {
	line := fence + ascii.LineLength(o.src[fence:end])
	language := strings.TrimSpace(strings.TrimLeft(o.src[fence:line], "`"))
	next := min(line+1, end)
	o.prompted = false
	o.fenced = !o.fenced || language != ""
	if o.fenced {
		o.Warn(fence, fence+len("```"), "the text has a Markdown fence", "")
		closing := end
		if o.markdown {
			closing = nextFence(o.src, next, end)
		}
		if !o.markdown || IsShellLanguage(language) || HoldsCurl(o.src[next:closing]) {
			return next
		}
		o.fenced = false
		if closing == end {
			return end
		}
		next = min(closing+ascii.LineLength(o.src[closing:end])+1, end)
	}
	if o.markdown {
		return nextFence(o.src, next, end)
	}
	return next
}

// SkipLines returns where the next line starts that begins with a prompt, a
// command or a fence.
func (o *Origin) SkipLines(line, end int) int {
	for i := line; i < end; {
		i = min(i+ascii.LineLength(o.src[i:end])+1, end)
		rest := strings.TrimLeft(o.src[i:end], " \t")
		if i == end || PromptLength(rest) > 0 || isUpperPrompt(rest) || startsCommand(rest) || strings.HasPrefix(rest, "```") || !o.meter.Work(32) {
			return i
		}
	}
	return end
}

// StartsCurl reports whether a line starts with curl, or with what runs it.
func StartsCurl(line string) bool {
	line = strings.TrimLeft(line[:min(len(line), maxLine)], " \t")
	word, _, _ := strings.Cut(line[PromptLength(line):], " ")
	return IsCurl(strings.TrimRight(word, "\r\n")) || WrapperOptions(word) != ""
}

// skipOutput steps over the lines up to the next prompt, command or fence.
func (o *Origin) skipOutput(start, end int) int {
	i := start
	for i < end {
		rest := strings.TrimLeft(o.src[i:end], " \t")
		if PromptLength(rest) > 0 || isUpperPrompt(rest) || startsCommand(rest) && !isVersion(rest) || strings.HasPrefix(rest, "```") {
			break
		}
		next := min(i+ascii.LineLength(o.src[i:end])+1, end)
		if !o.meter.Work(next - i) {
			return end
		}
		i = next
	}
	o.Warn(start, i, "a line without a prompt was read as output, and left out", "")
	return i
}

// ProseLength returns how much prose stands before the first fence of a text
// in Markdown.
func ProseLength(src string) int {
	if fence := firstFence(src); fence > 0 && !holdsCommand(src[:fence]) {
		return fence
	}
	return 0
}

// FencedCode returns a text in Markdown without its prose, its fences and the
// code in languages other than those of shells, or nil where it is no Markdown. It
// serves the dialects whose readers know nothing of an Origin.
func FencedCode(src string, m *meter.Meter, diags *diag.List) *Rewriting {
	if !m.Work(len(src) / 8) {
		return nil
	}
	fence := firstFence(src)
	if fence < 0 || holdsCommand(src[:fence]) {
		return nil
	}
	w := NewRewriting(src, m)
	o := Origin{src: src, meter: m, diags: diags}
	for kept := 0; ; {
		code := min(fence+ascii.LineLength(src[fence:])+1, len(src))
		closing := nextFence(src, code, len(src))
		if IsShellLanguage(strings.TrimSpace(strings.TrimLeft(src[fence:code], "`"))) || HoldsCurl(src[code:closing]) {
			o.Warn(fence, min(fence+len("```"), len(src)), "the text has a Markdown fence", "")
			w.Replace(kept, code, "")
			kept = closing
		}
		fence = nextFence(src, min(closing+ascii.LineLength(src[closing:])+1, len(src)), len(src))
		if fence == len(src) {
			w.Replace(kept, len(src), "")
			return w
		}
	}
}

// IsShellLanguage reports whether a fence with that language holds commands.
func IsShellLanguage(language string) bool {
	language, _, _ = strings.Cut(strings.ToLower(language), " ")
	switch language {
	case "", "bash", "sh", "shell", "zsh", "ksh", "fish", "console", "terminal", "curl", "shell-session", "shellsession",
		"sh-session", "bash-session", "text", "txt", "plaintext", "powershell", "pwsh", "ps1", "cmd", "bat", "batch", "dos":
		return true
	}
	return false
}

// firstFence returns where the first line that is a fence starts, after its
// indentation, or -1.
func firstFence(src string) int {
	if strings.IndexByte(src, '`') < 0 || !strings.Contains(src, "```") {
		return -1
	}
	if i := nextFence(src, 0, len(src)); i < len(src) {
		return i
	}
	return -1
}

// nextFence returns where the first fence starts in the lines from an offset
// on, or end.
func nextFence(src string, line, end int) int {
	for line < end {
		s := src[line:end]
		indent := len(s) - len(strings.TrimLeft(s, " \t"))
		n := ascii.LineLength(s)
		if strings.HasPrefix(s[indent:], "```") && (indent+3 >= n || !strings.Contains(s[indent+3:n], "```")) {
			return line + indent
		}
		line += n + 1
	}
	return end
}

// holdsCommand reports whether a line of the text begins with a command.
func holdsCommand(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(line, " \t")
		if startsCommand(line) || startsCommand(line[PromptLength(line):]) {
			return true
		}
	}
	return false
}

// HoldsCurl reports whether a line of the text begins with curl. The language
// that a fence names is often wrong.
func HoldsCurl(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(line, " \t")
		if strings.HasPrefix(line, "curl ") || strings.HasPrefix(line[PromptLength(line):], "curl ") {
			return true
		}
	}
	return false
}

// startsCommand reports whether a line starts as curl commands do: with curl,
// an assignment, or what runs another command.
func startsCommand(line string) bool {
	word := line[:min(len(line), maxLine)]
	if i := strings.IndexAny(word, " \t\r\n"); i >= 0 {
		word = word[:i]
	}
	if IsAssignment(word) {
		return true
	}
	switch word {
	case "curl", "CURL", "sudo", "export", "&": // the last is PowerShell's
		return len(word) < len(line)
	}
	return strings.HasSuffix(word, "/curl") || ascii.EqualFold(word, "curl.exe")
}

// isWrapped reports whether a line starts with a command that runs another.
func isWrapped(line string) bool {
	word, _, _ := strings.Cut(line[:min(len(line), maxLine)], " ")
	return WrapperOptions(word) != ""
}

func isBlankLine(s string) bool {
	s = strings.TrimLeft(s, " \t\r")
	return s == "" || s[0] == '\n'
}
