package lint

import (
	"fmt"
	"slices"

	"uncoil/diag"
	"uncoil/internal/edge/api"
	"uncoil/internal/edge/contract"
)

// Off is the level of a rule whose findings are not told.
const Off = "off"

// Levels are those that the findings of a rule have, where not their own: Off, advice,
// doubt or error, by code.
type Levels map[diag.Code]string

// Set sets the level of a rule, both as somebody writes them.
func (l Levels) Set(rule, level string) error {
	if err := IsRule(rule); err != nil {
		return err
	}
	if level != Off && level != diag.LevelAdvice.String() && !isTold(level) {
		return fmt.Errorf("the level of %s is off, advice, doubt or error", rule)
	}
	l[diag.Code(rule)] = level
	return nil
}

// IsRule returns an error where no rule has a name.
func IsRule(name string) error {
	codes := Codes()
	if slices.Contains(codes, diag.Code(name)) {
		return nil
	}
	names := make([]string, len(codes))
	for i, code := range codes {
		names[i] = string(code)
	}
	if near := api.Near(name, names); near != "" {
		return fmt.Errorf("there is no rule %q%s", name, api.Meant(near))
	}
	return fmt.Errorf("there is no rule %q; docs/semantics.md has their names", name)
}

// isTold reports whether findings of a level are told without being asked for.
func isTold(level string) bool {
	return level == "error" || level == diag.LevelDoubt.String()
}

// of returns the level of a finding of a rule that has one of its own.
func (l Levels) of(code diag.Code, own string) string {
	if level, ok := l[code]; ok {
		return level
	}
	return own
}

// Codes returns the codes that findings may have, in order.
func Codes() []diag.Code {
	codes := slices.Concat(diag.ErrorCodes(), diag.WarningCodes(), contract.Codes())
	slices.Sort(codes)
	return slices.Compact(codes)
}

// Shown returns findings with the levels of their rules, without those that are off and,
// unless it is asked for, advice.
func (l Levels) Shown(findings []Finding, advice bool) (shown []Finding) {
	for _, f := range findings {
		if f.Severity = l.of(f.Code, f.Severity); isTold(f.Severity) || advice && f.Severity != Off {
			shown = append(shown, f)
		}
	}
	return shown
}
