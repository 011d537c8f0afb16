// Package repeat finds the members of a list that share a name, in a time that
// grows with the list and no faster.
package repeat

import (
	"iter"
	"math/bits"

	"uncoil/internal/ascii"
)

// Names are the names of the members of a list, as far as it takes to tell
// most of those that are alone, in any case: four bytes for each.
type Names struct {
	hashes []uint32 // none for a member without a name
}

const none = 0 // is no hash of a name

// NewNames returns no names. Their hashes take the room of a slice as far as
// there is some.
func NewNames(room []uint32) Names { return Names{hashes: room[:0]} }

// Add adds the name of the next member.
func (n *Names) Add(name string) {
	n.hashes = append(n.hashes, hash(name))
}

// AddNone adds a member without a name, which shares it with no other one.
func (n *Names) AddNone() { n.hashes = append(n.hashes, none) }

// Pairs returns the pairs of members that share a name and have none of it
// between them, by their indexes, in the order of the second. The name of a
// member has to be as it was added; fold says that its case does not matter.
//
// Only names that may repeat are asked for and put into a map: a map of half
// a million names would leave the caches, and is where the time would go.
func (n *Names) Pairs(fold bool, name func(i int) string) iter.Seq2[int, int] {
	return func(yield func(i, j int) bool) {
		if len(n.hashes) <= Few {
			n.fewPairs(fold, name, yield)
			return
		}
		f := newFilter(len(n.hashes))
		for _, h := range n.hashes {
			f.add(h)
		}
		last := make(map[string]int)
		for j, h := range n.hashes {
			if h == none || !f.mayRepeat(h) {
				continue
			}
			own := name(j)
			if fold {
				own = ascii.ToLower(own)
			}
			if i, found := last[own]; found && !yield(i, j) {
				return
			}
			last[own] = j
		}
	}
}

// fewPairs compares each hash with each, which takes no memory.
func (n *Names) fewPairs(fold bool, name func(i int) string, yield func(i, j int) bool) {
	for j, h := range n.hashes {
		for i := j - 1; i >= 0 && h != none; i-- {
			if other := n.hashes[i]; other == none || other != h {
				continue
			}
			if first, second := name(i), name(j); first == second || fold && ascii.EqualFold(first, second) {
				if !yield(i, j) {
					return
				}
				break
			}
		}
	}
}

// A filter tells hashes that are alone from those that may not be: those that
// have a bit of a set which another one has too. Hashes that collide by chance
// or on purpose cost whoever looks their names up in a map time, and no more.
type filter struct {
	once, twice []uint64 // sets of bits
	shift       uint     // which leaves as many bits of a hash as the sets have
}

// newFilter returns a filter for n hashes.
func newFilter(n int) *filter {
	const bitsForHash = 32
	size := min(max(bits.Len(uint(n*bitsForHash)), 6), 32)
	return &filter{once: make([]uint64, 1<<size/64), twice: make([]uint64, 1<<size/64), shift: uint(32 - size)}
}

// add adds a hash, each time that it stands in the list.
func (f *filter) add(hash uint32) {
	word, bit := f.place(hash)
	f.twice[word] |= f.once[word] & bit
	f.once[word] |= bit
}

// mayRepeat reports, once all are added, whether a hash may have been added
// more than once. It is never false for one that was.
func (f *filter) mayRepeat(hash uint32) bool {
	word, bit := f.place(hash)
	return f.twice[word]&bit != 0
}

func (f *filter) place(hash uint32) (word, bit uint64) {
	place := uint64(hash >> f.shift)
	return place / 64, 1 << (place % 64)
}

// hash returns the hash of a name in any case, and whether it is ASCII: FNV, and
// a multiplication by the golden ratio, for what the last characters are has
// to show in the upper bits.
func hash(name string) uint32 {
	const offset, prime, golden, fold = 14695981039346656037, 1099511628211, 0x9e3779b97f4a7c15, 0x20
	sum := uint64(offset)
	for i := range len(name) {
		sum = (sum ^ uint64(name[i]|fold)) * prime
	}
	sum = (sum ^ sum>>32) * golden
	return max(uint32(sum>>32), none+1)
}
