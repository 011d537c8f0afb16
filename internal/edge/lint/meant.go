package lint

import (
	"path"
	"strings"

	"uncoil/diag"
	"uncoil/internal/edge/lazy"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/check"
	"uncoil/internal/engine/placeholder"
)

// templates are calls of Hugo, Jinja, GitHub, PHP and the like, and expressions of JavaScript,
// which put something into a text before it is read. A word as long stands in for each.
var templates = lazy.Regexp(`\{\{[<%][^\n]*?[>%]\}\}|\{%[^\n]*?%\}|\$\{\{[^\n]*?\}\}|\{\{[\w.-]*[^\w.\n{}-][^\n{}]*\}\}|\[\[-? ?[.$][^\n]*?\]\]|<\?[^\n]*?\?>|<%[^\n]*?%>|\$\{\w+(?:(?:\.\w+)*(?: ?\|\|| \?|\()[^\n{}]*|(?:\.\w+)+)\}`)

// interpolated is a value in a template literal of JavaScript, whatever quotes of a shell stand
// around it.
var interpolated = lazy.Regexp(`\$\{[^{}\n]*\}`)

// isJavaScript reports whether a source is one of JavaScript or TypeScript, by its name.
func isJavaScript(name string) bool {
	switch path.Ext(name) {
	case ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".vue", ".svelte", ".astro":
		return true
	}
	return false
}

// withoutTemplates returns a command of a file with words in place of calls of templates. A
// call of its own that only decides what stands between it and another one is no word.
func withoutTemplates(text, file string) string {
	find := templates()
	if isJavaScript(file) {
		find = interpolated()
	}
	places := find.FindAllStringIndex(text, -1)
	if places == nil {
		return text
	}
	b := []byte(text)
	for _, p := range places {
		with := byte('x')
		alone := (p[0] == 0 || text[p[0]-1] == ' ' || text[p[0]-1] == '\n') && (p[1] == len(text) || text[p[1]] == ' ' || text[p[1]] == '\n')
		if alone && decides().MatchString(text[p[0]:p[1]]) {
			with = ' '
		}
		joins := p[0] > 0 && b[p[0]-1] == '\\' && (p[1] == len(text) || text[p[1]] == '\n' || strings.HasPrefix(text[p[1]:], "{%")) && decides().MatchString(text[p[0]:p[1]])
		if joins { // the call leaves nothing behind the backslash
			with, b[p[0]-1] = ' ', ' '
		}
		for i := p[0]; i < p[1]; i++ {
			b[i] = with
		}
		if joins {
			b[p[1]-1] = '\\'
		}
	}
	return string(b)
}

// decides is a call of a template that puts nothing into the text itself.
var decides = lazy.Regexp(`^(?:\{\{[<%]?|\{%|<%|<\?(?:php)?)[-~]?\s*(?:if|else|elif|elsif|elseif|end|endif|endfor|for|foreach|range|with|raw|endraw|block|endblock)\b`)

// isShortened reports whether an ellipsis stands for a part of a command, an arrow for
// what comes of it, or brackets for what may be left out: text that nobody runs.
func isShortened(text string) bool {
	if without := bare(text); strings.Count(text, "{{") > strings.Count(text, "}}") || synopsis().MatchString(without) || markup().MatchString(without) {
		return true
	}
	for word := range strings.FieldsSeq(text) {
		word = strings.TrimLeft(word, "'\"")
		switch {
		case strings.HasPrefix(word, "..."), strings.HasPrefix(word, "…"), strings.HasPrefix(word, "[..."), strings.HasPrefix(word, "[…"), strings.HasPrefix(word, "[-"):
			return true
		case strings.Contains(word, "://...") || strings.Contains(word, "://…") || strings.Contains(word, "[...]") || strings.Contains(word, "[…]"), word == "===", word == "=>", word == "->", word == "→":
			return true
		}
	}
	return false
}

// synopsis is what only a text about the form of a command has: [headers] among its
// words, [host] in a URL, a choice such as [ true | false ] or <a | b>.
var synopsis = lazy.Regexp(`(?:^|\s)\[[A-Za-z][\w -]*\](?:\s|$|:)|://\[[A-Za-z][\w.-]*\]|\s[\w.]+=\[ ?<?[A-Za-z][\w -]*(?:[\]>|]|$)|[\[<] ?\w+ \||=[<\[] \w+$|=\[\S+$|[?&]\[\w+=`)

// markup is what a page that is quoted in another text has within a command.
var markup = lazy.Regexp(`<(?:a href|em|strong|br)\b[^<>]*>`)

// bare returns a command without what stands between quotes.
func bare(text string) string { return between().ReplaceAllString(text, "") }

var between = lazy.Regexp(`'[^']*'|"(?:[^"\\]|\\.)*"`)

// isCustom reports a code that is doubtful in a command which somebody runs, and
// a custom of texts that are read: a placeholder without quotes, a GET request
// with a body where the service asks for one, the name of a file for -z, what only
// the shell would know, a password to be typed, quotes for cmd.exe.
func isCustom(code diag.Code) bool {
	switch code {
	case diag.WarnPlaceholder, diag.WarnBodyWithGet, diag.WarnInvalidDate, diag.WarnVariableKept, diag.WarnPasswordPrompt, diag.WarnShellAmbiguous:
		return true
	}
	return false
}

// isMeant reports whether a diagnostic is about what a text may well mean: files
// and variables that it cannot have, requests other than HTTP, an option that is
// shown alone, and what stands in for a value.
func isMeant(d *diag.Diagnostic, text string) bool {
	start := min(max(int(d.Span.Start), 0), len(text))
	end := min(max(int(d.Span.End), start), len(text))
	switch d.Code {
	case diag.CodeTooManyRequests, diag.CodeFileNotSupplied, diag.CodeStdinNotSupplied:
		return true
	case diag.CodeUnsupportedScheme:
		// htp:// is a slip, and hxxp:// keeps readers from following it.
		return d.Fix == nil || strings.HasPrefix(strings.ToLower(text[d.Fix.Span.Start:]), "hxx")
	case diag.CodeVariable:
		return d.Variable != "" // others know its value
	case diag.WarnNotAHeader:
		return d.Count > 0 || standsIn(text[start:end])
	case diag.CodeNoURL:
		if angled().MatchString(bare(text)) {
			return true // a synopsis: its URL stands on a line of its own, or a shell would take <FILE> for a redirection
		}
		if argument := strings.TrimLeft(text[start:end], "'\""); strings.HasPrefix(strings.ToLower(argument), "http") {
			return false // an option has taken this URL
		}
		// With an option such as --version curl sends nothing, and some are shown alone.
		return d.Option != "" || strings.IndexByte(text, '&') < 0 && !strings.Contains(text, "\n") && (strings.Count(text, " -") == 1 || !asks().MatchString(text))
	case diag.WarnUnquotedArgument:
		return strings.Contains(text[start:], "$(") // the blanks are within it
	case diag.WarnLooksLikeFile:
		return quotedPath().MatchString(text[start:end]) // the path on a server, as the value of a setting
	case diag.WarnFragment:
		url, part, _ := strings.Cut(text[start:end], "#")
		return strings.HasPrefix(part, "[") || !strings.ContainsAny(url+part, "?&=") // a glob there repeats the request
	case diag.WarnQuotedVariable:
		return reference().MatchString(text[start:min(end+len("}://"), len(text))]) || isTemplate(check.QuotedVariable(text[start:end]), text[start:end])
	case diag.CodeInvalidArgument:
		return text[start:end] == `""` || angled().MatchString(text[start:end]) || standsIn(text[start:end]) || isNested(text) || portName().MatchString(argumentAt(text[start:]))
	case diag.CodeShellSyntax:
		return strings.HasPrefix(text[start:], "(s)://") || aside().MatchString(text[start:]) || doubled().MatchString(text)
	case diag.CodeMissingArgument:
		return angled().MatchString(text[end:])
	case diag.CodeInvalidURL:
		return standsForURL(text[start:]) || isNested(text) || schemeAlone().MatchString(text[start:])
	case diag.WarnFormSyntax:
		return strings.HasPrefix(strings.TrimLeft(text[start:end], "\"'"), "$") // the shell knows the field
	case diag.WarnContentLength:
		return !sendsContent().MatchString(text) // the server is to wait for it
	case diag.CodeInvalidGlob:
		// {} is of find, xargs and parallel; a name between brackets is no range, and
		// words between braces are no set.
		return bracketed().MatchString(text)
	case diag.WarnInvalidJSON:
		return standsIn(text[start:end]) || check.HasComments(text[start:end]) || notedJSON().MatchString(text)
	case diag.WarnPastedNoise:
		// Lines of a synopsis, none of which has a backslash.
		return strings.Contains(text[:start], "\n") && angled().MatchString(bare(text)) && !continued().MatchString(text)
	}
	return false
}

// asks is an option that says what a request is.
var asks = lazy.Regexp(`\s-(?:[A-Za-z]*[XHdFTuIG]|-request|-header|-data|-form|-json|-upload|-user|-head|-get)`)

// sendsContent is an option for the content of a request.
var sendsContent = lazy.Regexp(`\s-(?:[A-Za-z]*[dFT]|-data|-form|-json|-upload)`)

// isToReplace reports whether a text says that its readers put a value in place of a
// variable.
func isToReplace(name, text string) bool {
	for found := name != ""; found; {
		var before string
		if before, text, found = strings.Cut(text, name); found && (text == "" || !ascii.IsNameByte(text[0])) && replaces().MatchString(before[max(0, len(before)-longestVerb):]) {
			return true
		}
	}
	return false
}

// replaces is what stands before a name that readers are to replace, after the markup of
// the name.
var replaces = lazy.Regexp(`(?i)\b(?:replac(?:e|ing)|substitut(?:e|ing)) ` + "[`*_\"']*$")

// longestVerb is how much of a text before a name is searched for that.
const longestVerb = 32

// reference is a value that the service looks up, not the shell.
var reference = lazy.Regexp(`\$\{?\w+\}?://`)

// isTemplate reports whether a variable is only a part of strings in JSON: "v${COUNT}" is
// for the service to fill in, and so is one whose name stands there too. Where it is all of
// a string, the shell is to put a value there.
func isTemplate(name, argument string) bool {
	if !member().MatchString(argument) {
		return false
	}
	return strings.HasPrefix(name, "${") && !strings.Contains(argument, `"`+name+`"`) || strings.Contains(argument, `"`+strings.Trim(name, "${}")+`"`)
}

// member is where the value of a member of JSON begins.
var member = lazy.Regexp(`"\s*:`)

// angled is a placeholder that is no link, no address and no tag with attributes.
var angled = lazy.Regexp(`<[A-Za-z][A-Za-z0-9 _.-]*>`)

// continued is a line that goes on behind a backslash, as the others are meant to.
var continued = lazy.Regexp(`[ \t]\\[ \t]*\n`)

// notedJSON has names in place of values, several values one after the other, or escapes of
// the markup that it stands in.
var notedJSON = lazy.Regexp(`\\[:_*]|\}\s*\{|:\s*[A-Za-z]\w*(?: [A-Za-z][\w']*)+\s*[,}\]\n]|:\s*[{<][A-Za-z][\w -]*[}>]\s*[,}\]\n]`)

// standsForURL reports whether the URL that a text starts with only says what stands
// there: a path without its server, a port that is a word, words between braces.
func standsForURL(text string) bool {
	word := argumentAt(text)
	return queryAlone().MatchString(word) || pathAlone().MatchString(word) || portName().MatchString(word) || inWords().MatchString(word) || hidden().MatchString(word) || strings.HasPrefix(word, "http(s)") || strings.HasPrefix(word, "http[s]")
}

// isNested reports a command that runs curl in an argument, with variables there: within
// double quotes single ones do not keep them as they are.
func isNested(text string) bool {
	return !strings.HasPrefix(text, "curl") && strings.Contains(text, "$")
}

// argumentAt returns the argument that a text starts with, without quotes around it.
func argumentAt(text string) string {
	if text != "" && (text[0] == '\'' || text[0] == '"') {
		argument, _, _ := strings.Cut(text[1:], text[:1])
		return argument
	}
	if i := strings.IndexAny(text, " \t\n"); i >= 0 {
		return text[:i]
	}
	return text
}

var (
	// aside is a remark in brackets at the end of a line; doubled are brackets of a
	// placeholder, or around the number of a remark.
	aside     = lazy.Regexp(`^\(\w[^()]*\)[ \t]*(?:\n|$)`)
	doubled   = lazy.Regexp(`<<\w[\w -]*>>|\s<\d>[ \t]*(?:\n|$)`)
	bracketed = lazy.Regexp(`\[[A-Z][A-Z/_ -]+\]|[/.]\{\w+(?: \w+)+\}|(?:[/\s]|\s'|\s")\[ ?<?[A-Za-z]{2}[\w -]*>?\]|\s\{\}(?:\s|$)|\s\{[A-Z]\w* [\w ]+\}|\[[?&/]|[?&]\[[\w.]+=|[/.]\[[a-z]+(?:,[a-z]+)+\]`)
	inWords   = lazy.Regexp(`[{<\[][A-Za-z][\w'-]*(?: [\w'-]+)+[}>\]]`)
	// schemeAlone is a URL of which only the scheme is left, where a pipe, or a
	// substitution of reStructuredText, ends the command.
	schemeAlone = lazy.Regexp(`^['"]?https?://['"]?$`)
	quotedPath  = lazy.Regexp(`^(?:-\S+ *)?['"]/`)
	// hidden is a host that is masked, a substitution of reStructuredText, a verb of a
	// program's format, all a placeholder, one with the name of no variable or of a site's
	// own templates, as ^{name}, or the link of a page.
	hidden    = lazy.Regexp(`^(?:(?:\w+://)?(?:[^\s/]*\*{2,}|\|[A-Za-z][\w-]*\||[^\s/]*%[svd]|\$\{\w+(?:-\w+)+\}|[^\s/]*[\^@#!]\{[A-Za-z][\w.-]*\}|<[A-Za-z][\w.-]*>)\S*$|<a )`)
	pathAlone = lazy.Regexp(`^/\w`)
	// queryAlone is a variable for a URL with a query, and the rest of that.
	queryAlone = lazy.Regexp(`^\$(?:\w+|\{\w+\})&`)
	portName   = lazy.Regexp(`(?i)^(?:\w+://)?(?:[^\s/@]+@)?[^\s/:]+:(?:[\w-]*(?:port|<|\{\{)|[a-z_-]+(?:[/?'"]|$)|\d+x+\b)`)
)

// standsIn reports whether an argument only says what belongs there, in words, as in
// '{json}' and [32 hex chars].
func standsIn(argument string) bool {
	argument = strings.Trim(argument, "'\"")
	n := len(argument)
	if placeholder.IsCapitals(argument) {
		return true
	}
	if n < 3 || strings.IndexByte("<[{", argument[0]) < 0 || strings.IndexByte(">]}", argument[n-1]) < 0 {
		return false
	}
	return strings.Trim(strings.ToLower(argument[1:n-1]), "abcdefghijklmnopqrstuvwxyz0123456789 _-.<>[]{}") == ""
}
