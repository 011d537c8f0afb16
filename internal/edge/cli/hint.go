package cli

import (
	"os"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
)

// flagHints says with the flags of uncoil what hints say with the members of a
// request object.
var flagHints = []string{
	"pass its value in env", "pass its value with -env NAME=VALUE",
	"pass their values in env", "pass their values with -env NAME=VALUE",
	"pass it in env", "pass it with -env NAME=VALUE",
	"pass its content in files as .netrc, empty if there is none", "pass its content with -file .netrc=PATH, or -file .netrc=" + os.DevNull + " if there is none",
	"pass its content in files, empty if there is none", "pass it with -files DIR or -file NAME=PATH, or -file NAME=" + os.DevNull + " if there is none",
	"pass its content in files", "pass it with -files DIR or -file NAME=PATH",
	"name one with entry", "name one with -entry N",
	"pass it in stdin", "pass it with -stdin FILE, or put uncoil before the command as it stands, without quotes: uncoil curl …",
	"the request as JSON is the answer of /api/convert, and of uncoil convert", "uncoil convert writes the request as JSON",
	"the targets are listed under /api/targets, and by uncoil targets", "uncoil targets lists the targets",
	"use auth of the full description (/api/parse)", "use auth of the full description, which uncoil parse writes",
	"of the full description (/api/parse) says where", "of the full description, which uncoil parse writes, says where",
	"ask for the full description (/api/parse)", "run uncoil parse for the full description",
}

var hintReplacer = strings.NewReplacer(flagHints...)

// nameFlags makes the hint of a diagnostic name flags.
func nameFlags(d *diag.Diagnostic) {
	d.Hint = hintReplacer.Replace(d.Hint)
	if len(d.Files) == 1 && isPlain(d.Files[0]) {
		d.Hint = strings.ReplaceAll(d.Hint, "-file NAME=", "-file "+d.Files[0]+"=")
	}
}

// isPlain reports whether a name is one word of every shell, and no sign of another one.
func isPlain(name string) bool {
	for i := range len(name) {
		if c := name[i]; !ascii.IsNameByte(c) && strings.IndexByte("./-", c) < 0 {
			return false
		}
	}
	return name != ""
}
