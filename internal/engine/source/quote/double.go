package quote

import "strings"

// DoubleQuoted returns an argument in the double quotes of cmd.exe, without carets where
// nothing needs them.
func DoubleQuoted(arg string) string {
	acts := "%!\r\n"
	if strings.Contains(arg, `"`) {
		acts += "^&|<>" // for cmd.exe a quote ends the quotes, whatever stands before it
	}
	if strings.ContainsAny(arg, acts) || strings.Contains(arg, `\"`) || strings.HasSuffix(arg, `\`) {
		return string(AppendWord(nil, arg, Cmd))
	}
	return `"` + strings.ReplaceAll(arg, `"`, `\"`) + `"`
}
