package cli

import "flag"

// Pages calls f with the page of each subcommand and its flags.
func Pages(serve Subcommand, f func(name string, page *Page, flags *flag.FlagSet)) {
	p := &Program{Env: func(string) string { return "" }, serve: serve}
	for _, s := range p.subcommands() {
		page, flags := p.describe(&s)
		f(s.name, page, flags)
	}
}

// ReplaceFile is replaceFile.
var ReplaceFile = replaceFile
