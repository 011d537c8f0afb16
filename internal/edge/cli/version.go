package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version writes which build this is.
func (p *Program) version() error {
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
