// Package switches has every switch of a conversion and of a program once: what it is
// called in a request object, in a query and on the command line, which values it takes,
// what it does, and what it sets.
//
// All doors read the table: the decoder of request objects, queries and forms, the flags
// with their help and their manual, and the tools for agents. What is written for other
// languages and for readers (openapi.yaml, the options of the packages for npm and Python,
// the tables of the documentation) has regions that are generated from it:
//
//	go test ./internal/edge/switches -update
//
// What is no single value (files, env, stdin, targets) is no switch.
package switches

import (
	"slices"
	"strings"

	"uncoil/code"
	"uncoil/internal/engine"
	"uncoil/internal/engine/curl"
)

// A Want says which answer is wanted.
type Want struct {
	As engine.As
	// Warnings and Doubts are those of engine.Want.
	Warnings, Doubts bool
	// DataText is that of engine.Want.
	DataText bool
	// Target names the language and the client of a program: a name or an alias of
	// code.Targets.
	Target string
	// Targets, unless empty, name several of them, in place of Target.
	Targets []string
	// Options say how a program is written.
	code.Options
	// Plain is an answer as text without JSON, such as the program alone.
	Plain bool
}

// A Kind says which values a switch takes.
type Kind uint8

// The kinds.
const (
	Truth  Kind = iota // "true" or "false"
	Word               // one of Words
	Text               // a text
	Number             // a whole number from 1 on
)

// A Scope says what a switch is about.
type Scope uint8

// The scopes.
const (
	Reading    Scope = iota // how the text of a command is read: all answers
	Converting              // the answer of convert
	Programs                // programs, files and commands
)

// A Switch is one setting of a conversion or a program.
type Switch struct {
	Name  string // of the member of a request object and of the parameter: "checkStatus"
	Flag  string // on the command line: "check-status"; "" where only the other doors have it
	Scope Scope
	Kind  Kind
	Words []string // the values of a Word
	// Default is the word that a Word has unless it is given; "" where that is none of them.
	Default string
	// Argument is what help calls the value of the flag, and FlagWord the value that a flag
	// without an argument stands for.
	Argument, FlagWord string
	// Does says what it does, in the imperative and without a full stop; of a switch with
	// values, what these are. FlagDoes says so of the flag, where that differs.
	Does, FlagDoes string
	// More is what schemas and references say of it beside that, in whole sentences.
	More string
	// Must completes "must be" in the error for another value, and Without is the hint. For
	// a Word both follow from its words. FlagMust is Must for the flag, where that differs.
	Must, Without, FlagMust string
	// Pattern is the regular expression of the values of a Text, for schemas.
	Pattern string
	// Typed returns the value for another spelling that the command line takes, too.
	Typed func(value string) string
	// OnlyFlag keeps the switch from the doors other than the command line.
	OnlyFlag bool
	// TakesEmpty has the empty text stand for the default.
	TakesEmpty bool

	set func(v *values, value string) bool
}

// values are what switches set.
type values struct {
	Want
	shell string // of engine.Input
	entry int
}

// Set sets a value, unless it is none that the switch takes: then it returns false.
func (s *Switch) Set(w *Want, in *engine.Input, value string) bool {
	switch s.Kind {
	case Truth:
		if value != "true" && value != "false" {
			return false
		}
	case Word:
		if !slices.Contains(s.Words, value) && (value != "" || !s.TakesEmpty) {
			return false
		}
	}
	// The functions of the table get copies, so that the caller's values, which stand before
	// every conversion, stay on its stack.
	v := values{*w, in.Shell, in.Entry}
	ok := s.set(&v, value)
	*w, in.Shell, in.Entry = v.Want, v.shell, v.entry
	return ok
}

// Wanted completes "must be" in the error for a value that Set does not take. quote
// stands on both sides of each word.
func (s *Switch) Wanted(quote string) string {
	switch {
	case s.Must != "":
		return s.Must
	case s.Kind == Truth:
		return listed([]string{"true", "false"}, quote)
	}
	return listed(s.Words, quote)
}

// FlagText says in the help of the flag what it does.
func (s *Switch) FlagText() string {
	if s.FlagDoes != "" {
		return s.FlagDoes
	}
	return s.Does
}

// Description says in schemas and references what the switch does, in sentences.
func (s *Switch) Description() string {
	text := strings.ToUpper(s.Does[:1]) + s.Does[1:] + "."
	if s.More != "" {
		text += " " + s.More
	}
	return text
}

// FlagWanted is Wanted for the flag, which may take other spellings, too. The name of a flag
// that is one of curl's options, too, may have been meant for curl.
func (s *Switch) FlagWanted() string {
	must := s.FlagMust
	if must == "" {
		must = s.Wanted("")
	}
	if curl.Lookup(s.Flag) != nil {
		must += " (curl's own options go after uncoil curl …)"
	}
	return must
}

// listed returns words as a sentence lists them.
func listed(words []string, quote string) string {
	last := len(words) - 1
	if last == 0 {
		return quote + words[0] + quote
	}
	return quote + strings.Join(words[:last], quote+", "+quote) + quote + " or " + quote + words[last] + quote
}

// Lookup returns the switch that a member of a request object or a parameter names, or nil.
func Lookup(name string) *Switch {
	for _, s := range All() {
		if s.Name == name && !s.OnlyFlag {
			return s
		}
	}
	return nil
}

// All returns the switches in the order in which documentation lists them. They are not to
// be changed.
func All() []*Switch { return table() }

// Names returns the names of the members that are switches.
func Names() (names []string) {
	for _, s := range All() {
		if !s.OnlyFlag {
			names = append(names, s.Name)
		}
	}
	return names
}
