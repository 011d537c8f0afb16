//go:build uncoil_parse

package code

import "uncoil/code/internal/plan"

// The tag uncoil_parse makes an engine that writes no programs, and has a third of the
// size.
var (
	targets          []plan.Target
	languageSwitches []*plan.Switch
)
