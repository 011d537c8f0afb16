// Package code writes a request as a program of another language: the request
// that curl would send, sent by the HTTP client of that language; or as a file
// that another tool opens.
//
// A [Target] is a language with a client, or the format of a tool. [Target.Append]
// writes one program that sends the requests of a command in order. It is pure: no files, no
// network, no clock. Variables that the shell does not know become look-ups in
// the environment.
//
// What a client adds, folds and rewrites by itself is known for each target
// (its capabilities). Where the client's own helper sends the same bytes, the
// program uses it; else the program holds the bytes. What a client cannot do is
// a warning with the code [diag.WarnCannotExpress] and a comment in the program
// where the request stays the same, and an error with the code
// [diag.CodeCannotExpress] where the client would send a different request.
package code

import (
	"slices"
	"strings"
	"sync"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/code/internal/rewrite"
	"uncoil/diag"
	"uncoil/internal/engine/fault"
	"uncoil/internal/engine/meter"
	"uncoil/request"
)

// A Kind says what a target writes.
type Kind string

// The kinds.
const (
	KindCode    = Kind(plan.Code)    // a program
	KindFile    = Kind(plan.File)    // a file that another tool opens
	KindCommand = Kind(plan.Command) // a command line
)

// A Target is what a request can be written as. [Targets] and [Lookup] return them.
type Target struct {
	Name      string   // "python-requests"
	Language  string   // "python"
	Client    string   // "requests"
	Version   string   // of the client: the oldest that the program is written for
	Kind      Kind     //
	Extension string   // of a file name, without the dot
	Filename  string   // a usual name for a file that holds the program
	Aliases   []string // other names, those that users of other converters know among them
	// Proven reports whether the programs of this target, as they are now, were
	// run, and what they sent was compared with what curl sends: docs/proof.md.
	Proven bool
	// Proof is "run" where Proven is true, and else "compiled", "parsed" or "unproven":
	// whether a compiler took the programs, or a grammar of their language.
	Proof string
	// Reason says of a target whose Proof is not "run" what read its programs, and why they were
	// not run.
	Reason string
	// Rank is the place among the fifteen targets that most people want, from 1; 0: of the others.
	Rank int
	// Functions reports whether the programs can be functions: [Options.Function].
	Functions bool
	// Switches are the names of the options of single languages that it takes.
	Switches []string

	plan *plan.Target
}

// wanted are the targets that most people want, the first of them first.
var wanted = strings.Fields("python-requests javascript-fetch node-axios typescript java go php csharp ruby rust kotlin-okhttp4 swift dart powershell postman")

// switchesOf returns the options of single languages that a target takes, or a client that
// writes in its place where it does not.
func switchesOf(t *plan.Target) (names []string) {
	for _, writer := range append([]*plan.Target{t}, t.Fallbacks...) {
		for _, v := range writer.Variants {
			if !slices.Contains(names, v.Switch.Name) {
				names = append(names, v.Switch.Name)
			}
		}
	}
	return names
}

// targetOf returns a target as callers see it.
func targetOf(t *plan.Target) Target {
	return Target{
		Name: t.Name, Language: t.Language, Client: t.Client, Version: t.Version, Kind: Kind(t.Kind),
		Extension: t.Extension, Filename: t.Filename(), Aliases: slices.Clone(t.Aliases), Proven: t.Proven, Proof: string(t.Proof()), Reason: t.Why,
		Rank: slices.Index(wanted, t.Name) + 1, Functions: t.Functions, Switches: switchesOf(t), plan: t,
	}
}

// Options say how a program is written. The zero value gives a whole program
// that reads variables from the environment and prints the response.
type Options struct {
	// KeepVariables leaves variables as they were typed.
	KeepVariables bool
	// Bare leaves out the imports, the printing of the response, and what
	// else stands around the request.
	Bare bool
	// LongNames writes --header where -H says the same, in commands.
	LongNames bool
	// DropNoise leaves out the header fields that browsers add to a request
	// whatever it asks for: docs/code.md has the list. A warning with the code
	// [diag.WarnFieldsDropped] names those that were left out, here and by
	// DropCookies.
	DropNoise bool
	// DropCookies leaves out cookies, which browsers add too, but without which
	// few servers know who is logged in.
	DropCookies bool
	// MoveSecrets puts variables in the place of secrets, as the function does.
	MoveSecrets bool
	// Placeholders says what becomes of {id}, <id>, {{id}}, :id, '$ID' and YOUR_ID.
	Placeholders Placeholders
	// Source is the text of the command. Where it is given, comments name the line
	// and the column of the option that they are about.
	Source string
	// Indent is one level of indentation; "" means the custom of the language.
	Indent string
	// Style says how close the program keeps to curl.
	Style Style
	// RunSubstitutions has the program run what the shell would run for $(…), where it is
	// not known what that prints: sh -c and the text of the command. Without it no
	// program runs text of a command. Few targets can; for others the error is an *Error.
	RunSubstitutions bool
	// CheckStatus makes a status of 400 and more an error of the program, as -f does.
	CheckStatus bool
	// DecodeJSON has the program decode the response as JSON. Few targets can; for others
	// the error is an *Error.
	DecodeJSON bool
	// Function, unless empty, makes the program a function of that name, or of one made of
	// the request where it is [AutoFunction]. Its parameters are the variables, and the
	// placeholders too, unless Placeholders says otherwise; it returns what the program
	// would print. Few targets can; for others the error is an *Error.
	Function string
	// RawParameters leaves the parameters of a function, and the variables in the place of
	// placeholders, as they are given. Without it each is a value, which the program encodes
	// for its place.
	RawParameters bool
	// Switches are the names of the options of single languages that are on: [Switches] and
	// [Target.Switches] have them. For a target that lacks one, the error is an *Error.
	Switches []string
}

// AutoFunction is the name of a function that is named after its request: get_items.
const AutoFunction = plan.AutoFunction

// plan returns the options as the plan takes them.
func (o *Options) plan() plan.Options {
	return plan.Options{
		KeepVariables: o.KeepVariables, Bare: o.Bare, LongNames: o.LongNames, DropNoise: o.DropNoise, DropCookies: o.DropCookies,
		MoveSecrets: o.MoveSecrets, Placeholders: plan.Placeholders(o.Placeholders), Source: o.Source, Indent: o.Indent, Style: plan.Style(o.Style), RunSubstitutions: o.RunSubstitutions,
		CheckStatus: o.CheckStatus, DecodeJSON: o.DecodeJSON, Function: o.Function, RawParameters: o.RawParameters, Switches: o.switches(),
	}
}

// switches returns the options of single languages that are on.
func (o *Options) switches() (list []*plan.Switch) {
	for _, name := range o.Switches {
		i := slices.IndexFunc(languageSwitches, func(s *plan.Switch) bool { return s.Name == name })
		if i < 0 {
			list = append(list, &plan.Switch{Name: name, Lacks: "has no option of this name"})
			continue
		}
		list = append(list, languageSwitches[i])
	}
	return list
}

// A Switch is an option of the programs of one language.
type Switch struct {
	Name string // as requests and [Options.Switches] spell it: "csharp7"
	Flag string // on the command line
	Does string // what it does, in the imperative and without a full stop
	More string // what else there is to say of it, in sentences
}

// Switches returns the options of the programs of single languages.
func Switches() (list []Switch) {
	for _, s := range languageSwitches {
		list = append(list, Switch{s.Name, s.Flag, s.Does, s.More})
	}
	return list
}

// A Style says how close a program keeps to curl.
type Style uint8

// The styles.
const (
	// StyleIdiomatic is what a person would write: the client's own helpers and its usual
	// behaviour, for a request that is the same by meaning.
	StyleIdiomatic = Style(plan.Idiomatic)
	// StyleExact keeps curl's bytes, and curl's behaviour in the exchange, as far as the
	// client can.
	StyleExact = Style(plan.Exact)
)

// Placeholders says what becomes of the placeholders of documentation.
type Placeholders uint8

// What becomes of placeholders.
const (
	// PlaceholdersUsual makes them parameters or variables of the formats that have a custom
	// for them, such as OpenAPI and Postman, and leaves them as text elsewhere, and in a file
	// of the exact style, which sends what curl sends.
	PlaceholdersUsual = Placeholders(plan.PlaceholdersUsual)
	// PlaceholdersVariables makes variables of them in every target. An advice with the code
	// [diag.WarnPlaceholderMoved] names these.
	PlaceholdersVariables = Placeholders(plan.PlaceholdersVariables)
	// PlaceholdersText leaves them as they were typed, which is what curl sends.
	PlaceholdersText = Placeholders(plan.PlaceholdersText)
)

// Targets returns all targets, by name.
func Targets() []Target {
	list := make([]Target, len(targets))
	for i := range targets {
		list[i] = targetOf(&targets[i])
	}
	return list
}

// Lookup returns the target with a name or an alias, or one of the names that
// other converters have, in any case of letters.
func Lookup(name string) (Target, bool) {
	t, ok := lookup(name)
	if !ok {
		return Target{}, false
	}
	return targetOf(t), true
}

// Append appends a program that sends the requests, in order. The warnings say what the
// client of the target cannot do. Where it would send other requests, the error is an
// *Error, and dst comes back as it was.
func (t Target) Append(dst []byte, requests []request.Request, o Options) (out []byte, warnings diag.List, err error) {
	p, warnings, err := t.write(dst, requests, o)
	return p.Code, warnings, err
}

// Write is Append with what belongs to the program: the packages that it needs, and the
// imports of a bare one.
func (t Target) Write(requests []request.Request, o Options) (p Program, warnings diag.List, err error) {
	return t.write(nil, requests, o)
}

func (t Target) write(dst []byte, requests []request.Request, o Options) (p Program, warnings diag.List, err error) {
	p, diags := t.WriteMetered(dst, requests, o, emit.MeterFor(requests), 0)
	if diags.Err() != nil {
		err = &Error{diags}
	}
	return p, diags.Warnings(), err
}

// A Program is one that was written.
type Program struct {
	Code     []byte
	Filename string // a usual name for a file that holds it
	// Imports are what a program with [Options.Bare] needs above it, as lines of its
	// language; "" for a whole program, which has them.
	Imports string
	// Dependencies are the packages that the program needs beside its language.
	Dependencies []Dependency
	// Differs is what the program sends or does otherwise than curl, where nothing is wrong.
	Differs []Difference
	// Function is what the program defines, with [Options.Function]; nil: it is a script.
	Function *Function
}

// A Function is what a program defines.
type Function struct {
	Name       string
	Parameters []Parameter // in order
}

// A Parameter is one of a function, a string.
type Parameter struct {
	Name     string
	Variable string // of the command, or for a placeholder, whose value it has
	Default  string // what the shell has for a variable without a value, where HasDefault
	// HasDefault says that a caller may leave the parameter out; in Go, pass "".
	HasDefault bool
}

// A Difference is what a program sends or does otherwise than curl, where the request is the
// same by meaning.
type Difference struct {
	// Kind is one of "unproven", "adds", "follows-redirects", "spelling", "json-blanks",
	// "header-order", "header-case", "form-parts", "compression" and "decodes-text":
	// docs/code.md explains them.
	Kind string
	// Of is what is spelled otherwise: "url", "form" or "fields".
	Of string
	// Fields are the names of those that the client adds, or spells otherwise.
	Fields []string
}

// A Dependency is a package that a program needs.
type Dependency struct {
	File    string // in which projects name it: "requirements.txt"
	Line    string // what stands there: "requests>=2.28"
	Name    string // "requests"
	Version string // the oldest that the program is written for: "2.28"
}

// An Error is why a target writes no program for requests.
type Error struct {
	// Diagnostics has at least one error, and the warnings between them.
	Diagnostics diag.List
}

// Error returns the code and the message of the first error.
func (e *Error) Error() string {
	first := e.Diagnostics.Err()
	return string(first.Code) + ": " + first.Message
}

// Unwrap returns the panic behind the code diag.CodeInternal, for logs, or nil.
func (e *Error) Unwrap() error { return e.Diagnostics.Err().Cause }

// WriteMetered is Write for the edges of uncoil: the program stands behind dst, pays the
// meter of a conversion, and has at most so many bytes, or any number with 0. The list has
// the errors, too; with one, the code is dst.
func (t Target) WriteMetered(dst []byte, requests []request.Request, o Options, m *meter.Meter, most int) (p Program, diags diag.List) {
	defer func() {
		if value := recover(); value != nil {
			p, diags = Program{Code: dst}, diag.List{fault.New(value).Diagnostic()}
		}
	}()
	b := &emit.Budget{Meter: m, Most: most}
	var w plan.Written
	if refused := b.Within(func() { w = writeAll(t.plan, b, dst, requests, o.plan()) }); refused != nil {
		return Program{Code: dst}, diag.List{*refused}
	}
	p = Program{Code: w.Out, Filename: w.Filename, Imports: string(w.Imports)}
	if w.Function != "" {
		p.Function = &Function{Name: w.Function}
		for _, one := range w.Parameters {
			p.Function.Parameters = append(p.Function.Parameters, Parameter{one.Name, one.Variable, one.Default, one.HasDefault})
		}
	}
	for _, d := range w.Differs {
		p.Differs = append(p.Differs, Difference(d))
	}
	for _, d := range w.Dependencies {
		p.Dependencies = append(p.Dependencies, Dependency(d))
	}
	return p, w.Diags
}

// MoveSecrets returns the requests with variables in the place of passwords,
// tokens, cookies and other secrets. A warning with the code
// [diag.WarnSecretMoved] names each variable, and does not repeat the secret. A
// secret in JSON that is no string stays, and one that holds a variable already.
func MoveSecrets(requests []request.Request) ([]request.Request, diag.List) {
	return rewrite.MoveSecrets(requests)
}

// writeAll is WriteMetered, but ends by a panic when a payment is refused.
func writeAll(t *plan.Target, b *emit.Budget, dst []byte, requests []request.Request, o plan.Options) plan.Written {
	usual := o.Placeholders == plan.PlaceholdersUsual && (t.Placeholders && (o.Style == plan.Idiomatic || t.Facts.Format) || o.Function != "")
	asText := o
	if usual {
		o.Placeholders = plan.PlaceholdersVariables
	}
	w, changed := try(t, b, dst, requests, o)
	if usual && changed && w.Diags.Err() != nil { // a place that takes no variable
		w, _ = try(t, b, dst, requests, asText)
	}
	diags := w.Diags
	if diags.Err() == nil {
		return w
	}
	hint := plan.NoTarget
	if t.Kind == plan.Command || !slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Hint == plan.NoTarget }) {
		hint = others(t, b, requests, asText)
	}
	for i := range diags {
		switch d := &diags[i]; {
		case d.Severity != diag.SeverityError:
		case d.Hint == "" || d.Hint == plan.NoTarget:
			d.Hint = hint
		case hint != plan.NoTarget:
			d.Hint += ", or " + hint
		}
	}
	return plan.Written{Out: dst, Diags: diags}
}

// try writes the requests as the options want them, and reports whether variables stand in
// the place of placeholders.
func try(t *plan.Target, b *emit.Budget, dst []byte, requests []request.Request, o plan.Options) (w plan.Written, filled bool) {
	fills := o.Placeholders == plan.PlaceholdersVariables
	moves := o.MoveSecrets || t.Secretless
	if o.DropNoise || o.DropCookies || moves || fills {
		for i := range requests {
			b.Hold(emit.Weigh(&requests[i]).Held())
		}
	}
	var notes diag.List
	if o.DropNoise || o.DropCookies {
		requests, notes = rewrite.WithoutDropped(&o, requests)
	}
	var moved diag.List
	var secrets rewrite.Moved
	if moves {
		requests, moved, secrets = rewrite.Move(requests)
		notes = append(notes, moved...)
		moved = notes[len(notes)-len(moved):]
	}
	if fills {
		var told diag.List
		requests, o.Values, told = rewrite.Placeholders(b, requests, t.Kind != plan.File)
		notes, filled = append(notes, told...), len(told) > 0
	}
	w = t.Try(b, dst, requests, o, false)
	if !secrets.Empty() {
		n := len(w.Out) - len(dst) + len(w.Imports)
		b.Work(n)
		b.Hold(n)
		secrets.Left(moved, "the program", string(w.Out[len(dst):])+"\n"+string(w.Imports), true)
		b.Free(n)
		for _, d := range w.Diags {
			secrets.Left(moved, "a warning", d.Message+"\n"+d.Hint, true)
		}
	}
	w.Diags = append(notes, w.Diags...)
	return w, filled
}

// tryOther is the hint where it is not known which target can send the request.
const tryOther = "try another target"

// others returns the hint of an error: proven targets that can send the requests.
// Where it costs too much to try them all, it names those that were found.
func others(t *plan.Target, b *emit.Budget, requests []request.Request, o plan.Options) string {
	var can []string
	enough := b.ForHint(func(b *emit.Budget) {
		for _, other := range candidates()[t.Language] {
			if len(can) == maxNamed {
				break
			}
			if other.Name == t.Name || other.Kind != t.Kind {
				continue
			}
			if w := other.Try(b, nil, requests, o, false); w.Diags.Err() == nil {
				can = append(can, other.Name)
			}
		}
	})
	switch {
	case len(can) == 0 && !enough:
		return tryOther
	case len(can) == 0:
		return plan.NoTarget
	}
	return "choose a target that can: " + strings.Join(can, ", ")
}

// candidates are the proven targets for a hint to users of each language: those
// of the same language first, and then those that most people know.
var candidates = sync.OnceValue(func() map[string][]*plan.Target {
	of := map[string][]*plan.Target{}
	for i := range targets {
		language := targets[i].Language
		if of[language] != nil {
			continue
		}
		order := func(other *plan.Target) int {
			if other.Language == language {
				return -1
			}
			if i := slices.Index(wellKnown, other.Name); i >= 0 {
				return i
			}
			return len(wellKnown)
		}
		var list []*plan.Target
		for i := range targets {
			if targets[i].Proven {
				list = append(list, &targets[i])
			}
		}
		slices.SortStableFunc(list, func(a, b *plan.Target) int { return order(a) - order(b) })
		of[language] = list
	}
	return of
})

// wellKnown are the targets that a hint names before others.
var wellKnown = []string{"python-requests", "php", "csharp"}

// maxNamed is how many other targets a hint names.
const maxNamed = 3
