package repeat

import "slices"

// A Member of a list has a place among those of the same name.
type Member struct {
	Next  int32 // the index of the next one of the name, or 0
	Again bool  // one of the name stands before it
}

// Few is up to how many names each is compared with each, which takes no
// memory; of more, those that may repeat are looked up in a map.
const Few = 32

// Group finds the members of a list of n that share a name, in any case
// if fold is set. Those whose name is not ok stand for themselves. What it
// returns takes the room of members as far as there is some.
func Group(members []Member, n int, fold bool, name func(i int) (name string, ok bool)) []Member {
	names := NewNames(make([]uint32, n))
	for i := range n {
		if own, ok := name(i); ok {
			names.Add(own)
		} else {
			names.AddNone()
		}
	}
	return names.Group(members, fold, func(i int) string { own, _ := name(i); return own })
}

// Group finds the members that share a name, as [Names.Pairs] does. What it
// returns takes the room of members as far as there is some.
func (n *Names) Group(members []Member, fold bool, name func(i int) string) []Member {
	members = slices.Grow(members[:0], len(n.hashes))[:len(n.hashes)]
	clear(members)
	for i, j := range n.Pairs(fold, name) {
		members[i].Next, members[j].Again = int32(j), true
	}
	return members
}
