package switches

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"uncoil/code"
	"uncoil/internal/engine/source"
)

// truth is what a Truth sets: the place of its value.
func truth(place func(v *values) *bool) func(*values, string) bool {
	return func(v *values, value string) bool {
		*place(v) = value == "true"
		return true
	}
}

// table has the switches, from when a door asks for them. To add one, add it to general, or
// in the room of its language where it is of one language only (code.Switches), and run the
// command of the package comment.
var table = sync.OnceValue(func() []*Switch { return append(general, ofLanguages()...) })

// general are the switches that all languages have in common.
var general = []*Switch{
	{
		Name: "shell", Flag: "shell", Scope: Reading, Kind: Word, Words: source.DialectNames(), Default: "auto", Argument: "S",
		Does: "how the text is quoted, or what it is in place of a command", FlagDoes: listed(source.DialectNames(), ""),
		Typed: otherShell, TakesEmpty: true,
		set: func(v *values, value string) bool { v.shell = value; return true },
	},
	{
		Name: "entry", Flag: "entry", Scope: Reading, Kind: Number, Argument: "N",
		Does: "answer only this request of a HAR file, an .http file or a collection, counted from 1",
		Must: "a whole number from 1 on", Without: "leave it out for all entries",
		set: func(v *values, value string) bool {
			n, err := strconv.Atoi(value)
			v.entry = n
			return err == nil && n > 0
		},
	},
	{
		Name: "data", Flag: "data", Scope: Converting, Kind: Word, Words: []string{"text"}, Argument: "text",
		Does:    "make data the exact body as a string, JSON and forms too",
		More:    "A form is as it goes out, with its boundary in `Content-Type`. One line then sends the answer: requests, httpx, axios and fetch take the string as it is, encoded as UTF-8.",
		Without: "leave it out for JSON as JSON",
		set:     func(v *values, _ string) bool { v.DataText = true; return true },
	},
	{
		Name: "warnings", Flag: "warnings", Scope: Converting, Does: "add the warnings to the answer",
		set: truth(func(v *values) *bool { return &v.Warnings }),
	},
	{
		Name: "target", Scope: Programs, Kind: Text, Does: "what is written: a name or an alias of /api/targets",
		set: func(v *values, value string) bool { v.Target = value; return true },
	},
	{
		Name: "style", Flag: "style", Scope: Programs, Kind: Word, Words: []string{"idiomatic", "exact"}, Default: "idiomatic", Argument: "STYLE",
		Does:     "write what a person would, the same request by meaning (idiomatic, the default), or keep curl's bytes and behaviour, as far as the client can (exact)",
		FlagDoes: "idiomatic (default) or exact, which keeps curl's bytes",
		set: func(v *values, value string) bool {
			v.Style = code.StyleIdiomatic
			if value == "exact" {
				v.Style = code.StyleExact
			}
			return true
		},
	},
	{
		Name: "bare", Flag: "bare", Scope: Programs, Does: "leave out the imports and the printing of the response",
		set: truth(func(v *values) *bool { return &v.Bare }),
	},
	{
		Name: "variables", Flag: "keep", Scope: Programs, Kind: Word, Words: []string{"env", "keep"}, Default: "env", FlagWord: "keep",
		Does:     "have the program look variables up in its environment (env, the default), or leave them as they were typed (keep)",
		FlagDoes: "leave variables as they were typed",
		set:      func(v *values, value string) bool { v.KeepVariables = value == "keep"; return true },
	},
	{
		Name: "dropNoise", Flag: "drop-noise", Scope: Programs, Does: "leave out what only browsers send",
		More: "These are the header fields that browsers add to a request whatever it asks for, such as `sec-*`, `user-agent` and `accept-language`. A warning `fields-dropped` names them.",
		set:  truth(func(v *values) *bool { return &v.DropNoise }),
	},
	{
		Name: "moveSecrets", Flag: "move-secrets", Scope: Programs, Does: "put variables in place of passwords, tokens and cookies",
		More: "A warning `secret-moved` names each variable and the member of the request that it stands in.",
		set:  truth(func(v *values) *bool { return &v.MoveSecrets }),
	},
	{
		Name: "function", Flag: "function", Scope: Programs, Kind: Text, Argument: "NAME",
		Does: "write a function with the variables and placeholders as parameters; auto names it after the request",
		More: "It returns what the program would print. Of Python, JavaScript, TypeScript, PHP, Ruby, Go, C#, Java, Kotlin and Rust; others are the error `cannot-express`.",
		set:  func(v *values, value string) bool { v.Function = value; return true },
	},
	{
		Name: "rawParameters", Flag: "raw-parameters", Scope: Programs, Does: "insert the parameters of a function, and variables for placeholders, as they are given",
		FlagDoes: "insert parameters and variables for placeholders as they are, and encode none",
		More:     "Without it each is a value, which the program encodes for its place.",
		set:      truth(func(v *values) *bool { return &v.RawParameters }),
	},
	{
		Name: "decodeJson", Flag: "decode-json", Scope: Programs, Does: "decode the response as JSON",
		More: "Of Python, JavaScript, TypeScript, PHP, Ruby, Go, C#, Java, Kotlin and Rust; others are the error `cannot-express`.",
		set:  truth(func(v *values) *bool { return &v.DecodeJSON }),
	},
	{
		Name: "checkStatus", Flag: "check-status", Scope: Programs, Does: "make a status of 400 and more an error of the program",
		set: truth(func(v *values) *bool { return &v.CheckStatus }),
	},
	{
		Name: "indent", Flag: "indent", Scope: Programs, Kind: Text, Argument: "N", Pattern: `^[ \t]{0,8}$`,
		Does:     "one level of indentation, up to eight spaces or tabs; by default the custom of the language",
		FlagDoes: "one level of indentation: so many spaces, tab, or the spaces or tabs themselves", Typed: indentation,
		Must: "up to eight blanks or tabs", FlagMust: "a number up to 8, tab, or up to eight spaces or tabs",
		Without: `leave it out for the custom of the language, or write "    "`,
		set: func(v *values, value string) bool {
			v.Indent = value
			return len(value) <= 8 && strings.Trim(value, " \t") == ""
		},
	},
	{
		Name: "longNames", Flag: "long-names", Scope: Programs, Does: "write --header for -H in commands",
		set: truth(func(v *values) *bool { return &v.LongNames }),
	},
	{
		Name: "dropCookies", Flag: "drop-cookies", Scope: Programs, Does: "leave out cookies", More: "A warning `fields-dropped` says so.",
		set: truth(func(v *values) *bool { return &v.DropCookies }),
	},
	{
		Name: "placeholders", Flag: "placeholders", Scope: Programs, Kind: Word, Words: []string{"variables", "text"}, Argument: "WHAT",
		Does:     "put variables in place of {id}, <id>, :id and YOUR_ID (variables), or leave them as they were typed (text)",
		FlagDoes: "variables for {id}, <id>, :id and YOUR_ID, or text, as they were typed",
		More:     "By default they become variables in formats such as OpenAPI and Postman, and stay in programs. A warning `placeholder-moved` names the variables.",
		set: func(v *values, value string) bool {
			v.Placeholders = code.PlaceholdersVariables
			if value == "text" {
				v.Placeholders = code.PlaceholdersText
			}
			return true
		},
	},
	{
		Name: "substitutions", Flag: "substitutions", Scope: Programs, Kind: Word, Words: []string{"run"}, Argument: "run", OnlyFlag: true,
		Does: "the program runs what $(…) holds, with sh -c; by default it runs no text of a command",
		set:  func(v *values, _ string) bool { v.RunSubstitutions = true; return true },
	},
}

// ofLanguages returns the switches of programs of one language.
func ofLanguages() (list []*Switch) {
	for _, s := range code.Switches() {
		list = append(list, &Switch{
			Name: s.Name, Flag: s.Flag, Scope: Programs, Does: s.Does, More: s.More,
			set: func(v *values, value string) bool {
				v.Switches = slices.DeleteFunc(slices.Clone(v.Switches), func(name string) bool { return name == s.Name })
				if value == "true" {
					v.Switches = append(v.Switches, s.Name)
				}
				return true
			},
		})
	}
	return list
}

// otherShell returns the shell of another name.
func otherShell(name string) string {
	switch strings.ToLower(name) {
	case "bash", "sh", "zsh", "dash", "ksh":
		return "posix"
	case "cmd.exe":
		return "cmd"
	case "pwsh", "powershell.exe":
		return "powershell"
	}
	return name
}

// indentation returns one level of indentation for a number of spaces, or for tab.
func indentation(text string) string {
	if n, err := strconv.Atoi(text); err == nil && n >= 0 {
		return strings.Repeat(" ", min(n, 9)) // nine are refused
	}
	if text == "tab" {
		return "\t"
	}
	return text
}
