package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// version writes which build this is.
func (p *Program) version(args []string) error {
	if len(args) > 0 {
		if strings.TrimLeft(args[0], "-") == "h" || strings.TrimLeft(args[0], "-") == "help" {
			return p.help([]string{"version"})
		}
		return &UsageError{fmt.Sprintf("version takes no argument such as %q", args[0]), "uncoil help version"}
	}
	_, err := fmt.Fprintln(p.Stdout, buildVersion())
	return err
}

// Version is the version alone.
func Version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// buildVersion puts together what the Go toolchain recorded in the program.
func buildVersion() string {
	stamp := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "-tags", "vcs.revision", "vcs.time":
				stamp += " " + s.Value
			case "vcs.modified":
				if s.Value == "true" {
					stamp += " modified"
				}
			}
		}
	}
	return fmt.Sprintf("uncoil %s %s %s/%s%s", Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, stamp)
}
