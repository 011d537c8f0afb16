package source

import (
	"uncoil/diag"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/posix"
)

// CommandEnd returns where the command of the POSIX shell ends with which a text
// starts; posix.SimpleEnd says what belongs to it.
func CommandEnd(src string, m *meter.Meter) (end int, err *diag.Diagnostic) {
	return posix.SimpleEnd(src, m)
}

// FeedsCurl reports whether a text is one command of curl that has its standard
// input from the text, as in echo x | curl -d @- h.
func FeedsCurl(src string, m *meter.Meter) bool {
	curls := curlsOf(src, m)
	return len(curls) == 1 && curls[0].Stdin != nil && curls[0].Stdin.Known
}

// RunsCurl reports whether one of the commands in a text runs curl.
func RunsCurl(src string, m *meter.Meter) bool { return len(curlsOf(src, m)) > 0 }

func curlsOf(src string, m *meter.Meter) []Command {
	commands, diags := withNested(src, nil, m)(posix.Read(src, nil, m, nil))
	if m.Over() || diags.Err() != nil {
		return nil
	}
	curls, _ := Curls(commands)
	return curls
}
