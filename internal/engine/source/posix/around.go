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

// warnConditional warns of a command of curl that runs only if the one before it fails.
func (r *reader) warnConditional(list []stmt, after operator) {
	if after == or && r.runsCurlIn(list) {
		r.diags.Warn(diag.WarnConditional, list[0].span, "this command runs only if the one before || fails", "")
	}
}

// warnRepeated warns of a loop that runs curl until its condition changes.
func (r *reader) warnRepeated(lists [][]stmt) {
	for _, list := range lists {
		for i := range list {
			if r.runsCurlIn(list[i : i+1]) {
				r.diags.Warn(diag.WarnConditional, list[i].span, "the loop runs this command again and again; here it runs once", "")
				return
			}
		}
	}
}

// runsCurlIn reports whether one of the simple commands at the top of a list runs curl.
func (r *reader) runsCurlIn(list []stmt) bool {
	return r.inside == 0 && r.pay(warnSteps*len(list)) && slices.ContainsFunc(list, func(s stmt) bool { return s.compound == nil && runsCurl(s.words) })
}
