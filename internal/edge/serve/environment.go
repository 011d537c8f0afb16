package serve

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"

	"uncoil/internal/edge/api"
	"uncoil/internal/edge/cli"
)

// envPrefix is the prefix of variables that set flags.
const envPrefix = "UNCOIL_"

// envName returns the variable of a flag: UNCOIL_MAX_BODY for -max-body.
func envName(flagName string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(flagName, "-", "_"))
}

// foreignNames are prefixes of variables that set no flags: a cluster with a
// Service named uncoil sets some in every container, and tests use the others.
var foreignNames = []string{"UNCOIL_SERVICE_", "UNCOIL_PORT", "UNCOIL_REQUIRE_", "UNCOIL_CURL", "UNCOIL_INSPECTOR", "UNCOIL_JUDGES", "UNCOIL_NODE_MODULES"}

// environmentFlags sets flags from the environment, except those on the command
// line. A variable that matches no flag is an error, because it may be a
// misspelt limit.
func environmentFlags(fs *flag.FlagSet, environ []string) error {
	given := make(map[string]bool)
	fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
	flags := make(map[string]string) // by variable
	fs.VisitAll(func(f *flag.Flag) { flags[envName(f.Name)] = f.Name })
	for _, variable := range environ {
		name, value, _ := strings.Cut(variable, "=")
		if !strings.HasPrefix(name, envPrefix) || slices.ContainsFunc(foreignNames, func(p string) bool { return strings.HasPrefix(name, p) }) {
			continue
		}
		flagName, ok := flags[name]
		switch {
		case !ok:
			return &cli.UsageError{Message: name + " in the environment sets no flag" + api.Meant(api.Near(name, slices.Collect(maps.Keys(flags)))), Help: "uncoil serve -h"}
		case given[flagName] || value == "":
			continue
		}
		if err := fs.Set(flagName, value); err != nil {
			return &cli.UsageError{Message: fmt.Sprintf("%s in the environment: invalid value %q: %v", name, value, err), Help: "uncoil serve -h"}
		}
	}
	return nil
}
