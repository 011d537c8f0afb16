package render

import (
	"math/bits"
	"strings"
	"unicode/utf8"
)

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

// groupMany puts only the names that may repeat into a map, for one of many
// names is where most of the time would go: those whose hash has a bit of a
// filter that another one has too.
func groupMany(n int, fold bool, name func(i int) (name string, ok bool)) []member {
	members := make([]member, n)
	f := newFilter(n)
	for i := range members {
		if own, ok := name(i); ok {
			f.add(own)
		}
	}
	last := make(map[string]int32)
	for i := range members {
		own, ok := name(i)
		if !ok || !f.mayRepeat(own) {
			continue
		}
		if fold {
			own = strings.ToLower(own)
		}
		if j, found := last[own]; found {
			members[j].next, members[i].again = int32(i), true
		}
		last[own] = int32(i)
	}
	return members
}

// A filter tells names that are alone, in any case, from those that may not
// be. Names that collide cost time in the map, and no more.
type filter struct {
	once, twice []uint64 // sets of hashes
	shift       uint     // which leaves as many bits of a hash as the sets have
	off         bool     // some name is not ASCII, which has more to fold
}

func newFilter(n int) *filter {
	const bitsForName = 16
	size := max(bits.Len(uint(n*bitsForName)), 6)
	return &filter{once: make([]uint64, 1<<size/64), twice: make([]uint64, 1<<size/64), shift: uint(64 - size)}
}

func (f *filter) add(name string) {
	word, bit := f.place(name)
	f.twice[word] |= f.once[word] & bit
	f.once[word] |= bit
	f.off = f.off || !isASCII(name)
}

func (f *filter) mayRepeat(name string) bool {
	word, bit := f.place(name)
	return f.off || f.twice[word]&bit != 0
}

// place returns the word and the bit for the hash of a name in any case: FNV,
// and a multiplication by the golden ratio, for what the last characters are
// has to show in the upper bits.
func (f *filter) place(name string) (word, bit uint64) {
	const offset, prime, golden, fold = 14695981039346656037, 1099511628211, 0x9e3779b97f4a7c15, 0x20
	hash := uint64(offset)
	for i := range len(name) {
		hash = (hash ^ uint64(name[i]|fold)) * prime
	}
	hash = (hash ^ hash>>32) * golden >> f.shift
	return hash / 64, 1 << (hash % 64)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
