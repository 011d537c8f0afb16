package render

import (
	"slices"

	"uncoil/internal/engine/ascii"
)

// A member of a list has a place among those of the same name.
type member struct {
	next  int32 // the index of the next one of the name, or 0
	again bool  // one of the name stands before it
}

// fewNames is up to how many names each is compared with each, which takes no
// memory; more of them are looked up in a map.
const fewNames = 32

// groupNames finds the members of a list of n that share a name; with fold the case
// of ASCII letters does not matter. Those whose name is not ok stand for
// themselves. The result takes the room of members as far as there is some.
func groupNames(members []member, n int, fold bool, name func(i int) (name string, ok bool)) []member {
	members = slices.Grow(members[:0], n)[:n]
	clear(members)
	if n <= fewNames {
		compareNames(members, fold, name)
		return members
	}
	last := make(map[string]int, n)
	for j := range members {
		own, ok := name(j)
		if !ok {
			continue
		}
		if fold {
			own = lower(own)
		}
		if i, found := last[own]; found {
			members[i].next, members[j].again = int32(j), true
		}
		last[own] = j
	}
	return members
}

// compareNames compares each name with each before it, the nearest first.
func compareNames(members []member, fold bool, name func(i int) (name string, ok bool)) {
	for j := range members {
		own, ok := name(j)
		for i := j - 1; i >= 0 && ok; i-- {
			other, named := name(i)
			if !named || len(other) != len(own) || other != own && !(fold && ascii.EqualFold(other, own)) {
				continue
			}
			members[i].next, members[j].again = int32(j), true
			break
		}
	}
}

// lower returns a name with its ASCII letters in lower case.
func lower(name string) string {
	for i := range len(name) {
		if ascii.Lower(name[i]) != name[i] {
			b := []byte(name)
			for ; i < len(b); i++ {
				b[i] = ascii.Lower(b[i])
			}
			return string(b)
		}
	}
	return name
}
