// Package repeat finds the members of a list that share a name, in a time that
// grows with the list and no faster.
package repeat

import (
	"math/bits"
	"unicode/utf8"
)

// A filter tells names that are alone, in any case, from those that may not
// be: those whose hash has a bit of a set that another one has too. It takes
// four bytes for a name, where a map of the names would leave the caches.
// Names that collide by chance or on purpose cost whoever looks them up in a
// map time, and no more.
type filter struct {
	once, twice []uint64 // sets of hashes
	shift       uint     // which leaves as many bits of a hash as the sets have
	off         bool     // some name is not ASCII, which has more to fold
}

// newFilter returns a filter for n names.
func newFilter(n int) *filter {
	const bitsForName = 16
	size := max(bits.Len(uint(n*bitsForName)), 6)
	return &filter{once: make([]uint64, 1<<size/64), twice: make([]uint64, 1<<size/64), shift: uint(64 - size)}
}

// add adds a name, each time that it stands in the list.
func (f *filter) add(name string) {
	word, bit := f.place(name)
	f.twice[word] |= f.once[word] & bit
	f.once[word] |= bit
	f.off = f.off || !isASCII(name)
}

// mayRepeat reports, once all are added, whether a name may have been added
// more than once. It is never false for one that was.
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
