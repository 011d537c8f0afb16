package posix

import (
	"path"
	"slices"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/source/paste"
)

// What a shell does around a command of curl is no part of a request, and a program that sends
// the request does not do it: that its output goes on to another program, that it runs only if
// another one fails, that it runs again and again.

// showsOutput reports whether a stage of a pipeline only shows what it reads.
func showsOutput(s *stmt) bool {
	if leadsOutput(s) {
		return false
	}
	for i := range s.words {
		switch name := path.Base(s.words[i].text); {
		case name == "sudo" || name == "env" || name == "command":
		case strings.HasPrefix(name, "python"):
			return i+2 < len(s.words) && s.words[i+1].text == "-m" && s.words[i+2].text == "json.tool"
		default:
			return paste.Views(name, len(s.words)-i-1)
		}
	}
	return false
}

// warnPiped warns where what a command of curl prints goes on to a program that does more than
// to show it, and reports that.
func (r *reader) warnPiped(s, next *stmt) bool {
	if r.inside > 0 || r.taken > 0 || s.compound != nil || !runsCurl(s.words) || leadsOutput(s) || runsCurl(next.words) || !r.pay(warnSteps) || showsOutput(next) {
		return false
	}
	name := "other commands"
	if len(next.words) > 0 && next.words[0].parts == nil {
		name = paste.ShownName(next.words[0].text)
	}
	r.diags.Warn(diag.WarnPipedOutput, next.span, "what curl prints goes to "+name+", which is no part of the request", "")
	return true
}

// warnConditional warns of a pipeline that runs only if what stands before || fails, where curl
// runs in one of them. understood says that it is known what runs then.
func (r *reader) warnConditional(list []stmt, afterCurl, understood bool) {
	if r.runsCurlIn(list) {
		r.diags.Warn(diag.WarnConditional, list[0].span, "this command runs only if the one before || fails", "")
		return
	}
	succeeds, known := status(list) // with true the failure is ignored
	if afterCurl && !understood && !(known && succeeds) {
		r.warnUnlike(list)
	}
}

// again is what a warning says of a loop.
const again = "the loop runs this command again and again; here it runs once"

// warnRepeated warns of a loop that runs curl until its condition changes, and reports that.
func (r *reader) warnRepeated(lists [][]stmt) bool {
	for _, list := range lists {
		for i := range list {
			if r.runsCurlIn(list[i : i+1]) {
				r.diags.Warn(diag.WarnConditional, list[i].span, again, "")
				return true
			}
		}
	}
	return false
}

// warnRepeatedWithin warns of a loop whose condition runs curl in a word, as [ "$(curl …)" ] does:
// its commands are those from an index on.
func (r *reader) warnRepeatedWithin(before int) {
	for i := range r.commands[min(before, len(r.commands)):] {
		c := &r.commands[before+i]
		if r.inside == 0 && c.Inside && len(c.Args) > 0 && paste.IsCurl(c.Args[0].Text) {
			r.diags.Warn(diag.WarnConditional, c.Span, again, "")
			return
		}
	}
}

// runsCurlIn reports whether one of the simple commands at the top of a list runs curl.
func (r *reader) runsCurlIn(list []stmt) bool {
	return r.inside == 0 && r.pay(warnSteps*len(list)) && slices.ContainsFunc(list, func(s stmt) bool { return s.compound == nil && runsCurl(s.words) })
}
