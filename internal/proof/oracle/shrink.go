package oracle

import (
	"maps"
	"slices"
)

// shrinkTries bounds how many cases Shrink asks about.
const shrinkTries = 1500

// Shrink returns a smaller case that still fails: it drops and shortens
// arguments, then files, input and variables, greedily, until nothing more can
// go. The case itself must fail.
func Shrink(c Case, fails func(Case) bool) Case {
	s := &shrinker{best: c, fails: fails}
	for before := -1; before != s.kept; {
		before = s.kept
		s.dropArgs()
		s.shortenArgs()
		s.shortenSetup()
	}
	return s.best
}

type shrinker struct {
	best        Case
	fails       func(Case) bool
	kept, tries int
}

// try keeps the case if it still fails.
func (s *shrinker) try(c Case) bool {
	if s.tries++; s.tries > shrinkTries || !s.fails(c) {
		return false
	}
	s.best = c
	s.kept++
	return true
}

// dropArgs drops runs of arguments, long ones first: an option and its value
// must go together.
func (s *shrinker) dropArgs() {
	for n := max(1, len(s.best.Args)/2); n > 0; n = next(n) {
		for i := 0; i+n <= len(s.best.Args); {
			c := s.best
			c.Args = slices.Delete(slices.Clone(c.Args), i, i+n)
			if !s.try(c) {
				i++
			}
		}
	}
}

// next is the length of the runs to try after those of length n. Runs of two
// are never left out.
func next(n int) int {
	if n == 3 {
		return 2
	}
	return n / 2
}

func (s *shrinker) shortenArgs() {
	for i := range s.best.Args {
		s.shorten(s.best.Args[i], func(text string) Case {
			c := s.best
			c.Args = slices.Clone(c.Args)
			c.Args[i] = text
			return c
		})
	}
}

func (s *shrinker) shortenSetup() {
	for _, name := range slices.Sorted(maps.Keys(s.best.Files)) {
		c := s.best
		c.Files = maps.Clone(c.Files)
		delete(c.Files, name)
		if s.try(c) {
			continue
		}
		s.shorten(string(s.best.Files[name]), func(text string) Case {
			c := s.best
			c.Files = maps.Clone(c.Files)
			c.Files[name] = []byte(text)
			return c
		})
	}
	for _, name := range slices.Sorted(maps.Keys(s.best.Env)) {
		c := s.best
		c.Env = maps.Clone(c.Env)
		delete(c.Env, name)
		s.try(c)
	}
	if s.best.Stdin != nil {
		c := s.best
		c.Stdin = nil
		if !s.try(c) {
			s.shorten(string(s.best.Stdin), func(text string) Case {
				c := s.best
				c.Stdin = []byte(text)
				return c
			})
		}
	}
}

// shorten cuts pieces out of a text, half of it first, single bytes last.
func (s *shrinker) shorten(text string, replace func(string) Case) {
	for n := (len(text) + 1) / 2; n > 0; n /= 2 {
		for i := 0; i+n <= len(text); {
			shorter := text[:i] + text[i+n:]
			if s.try(replace(shorter)) {
				text = shorter
			} else {
				i++
			}
		}
	}
}
