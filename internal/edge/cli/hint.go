package cli

import (
	"strings"

	"uncoil/diag"
)

// flagHints says with the flags of uncoil what hints say with the members of a
// request object.
var flagHints = []string{
	"pass its value in env", "pass its value with -env NAME=VALUE",
	"pass their values in env", "pass their values with -env NAME=VALUE",
	"pass it in env", "pass it with -env NAME=VALUE",
	"pass its content in files as .netrc", "pass its content with -file .netrc=PATH",
	"pass its content in files", "pass it with -files DIR or -file NAME=PATH",
	"pass it in stdin", "pass it with -stdin FILE, or put uncoil before the command as it stands, without quotes: uncoil curl …",
	"the request as JSON is the answer of /api/convert, and of uncoil convert", "uncoil convert writes the request as JSON",
	"the targets are listed under /api/targets, and by uncoil targets", "uncoil targets lists the targets",
	"use auth of the full description (/api/parse)", "use auth of the full description, which uncoil parse writes",
	"ask for the full description", "run uncoil parse for the full description",
}

var hintReplacer = strings.NewReplacer(flagHints...)

// nameFlags makes the hint of a diagnostic name flags.
func nameFlags(d *diag.Diagnostic) { d.Hint = hintReplacer.Replace(d.Hint) }
