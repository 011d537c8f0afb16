package render

import "strings"

// A member of a list has a place among those of the same name.
type member struct {
	next  int32 // the index of the next one of the name, or 0
	again bool  // one of the name stands before it
}

// fewMembers is up to how many members each is compared with each, which
// takes no memory; more are looked up in a map.
const fewMembers = 32

// groupNames finds the members of a list of n that share a name, in any case
// if fold is set. Those whose name is not ok stand for themselves. What it
// returns takes the room of members as far as there is some.
func groupNames(members []member, n int, fold bool, name func(i int) (name string, ok bool)) []member {
	if n > fewMembers {
		return groupMany(n, fold, name)
	}
	for i := range n {
		members = append(members, member{})
		own, ok := name(i)
		for j := i - 1; ok && j >= 0; j-- {
			if other, counts := name(j); counts && (other == own || fold && strings.EqualFold(other, own)) {
				members[j].next, members[i].again = int32(i), true
				break
			}
		}
	}
	return members
}

// groupMany looks up each name once to find out which repeat, and only those
// again: a map of many names is where most of the time goes.
func groupMany(n int, fold bool, name func(i int) (name string, ok bool)) []member {
	key := func(i int) (string, bool) {
		own, ok := name(i)
		if ok && fold {
			own = strings.ToLower(own)
		}
		return own, ok
	}
	members := make([]member, n)
	names := make(map[string]struct{}, n)
	repeated := make(map[string]int32) // the last index, or -1
	for i := range members {
		if own, ok := key(i); ok {
			known := len(names)
			if names[own] = struct{}{}; len(names) == known {
				repeated[own] = -1
			}
		}
	}
	for i := range members {
		if len(repeated) == 0 {
			break
		}
		own, ok := key(i)
		if !ok {
			continue
		}
		last, ok := repeated[own]
		if !ok {
			continue
		}
		if last >= 0 {
			members[last].next, members[i].again = int32(i), true
		}
		repeated[own] = int32(i)
	}
	return members
}
