package contract

import "strings"

// A branch is a segment of the paths of a document, with those that follow it.
type branch struct {
	items    []*pathItem // that end here
	literals map[string]*branch
	patterns []limb
}

// A limb is a branch below a segment with parameters.
type limb struct {
	pattern
	to *branch
}

// maxLookups is how many branches are looked at for the commands of all files: real
// ones take a few each.
const maxLookups = 1 << 26

// add puts a path into the tree.
func (b *branch) add(item *pathItem) {
	for _, p := range item.segments {
		b = b.grow(p)
	}
	b.items = append(b.items, item)
}

// grow returns the branch for a segment.
func (b *branch) grow(p pattern) *branch {
	if p.isLiteral() {
		if b.literals == nil {
			b.literals = make(map[string]*branch)
		}
		next := b.literals[p.literals[0]]
		if next == nil {
			next = new(branch)
			b.literals[p.literals[0]] = next
		}
		return next
	}
	shape := strings.Join(p.literals, "{")
	for i := range b.patterns {
		if strings.Join(b.patterns[i].literals, "{") == shape {
			return b.patterns[i].to
		}
	}
	b.patterns = append(b.patterns, limb{p, new(branch)})
	return b.patterns[len(b.patterns)-1].to
}

// lookup returns the paths that may match, those that a placeholder may stand for too.
func (d *Document) lookup(path []string) (found []*pathItem) {
	at := []*branch{&d.tree}
	for _, segment := range path {
		var next []*branch
		for _, b := range at {
			if one := b.literals[segment]; one != nil {
				next = append(next, one)
			}
			for i := range b.patterns {
				if _, ok := b.patterns[i].match(segment); ok {
					next = append(next, b.patterns[i].to)
				}
			}
			d.left -= 1 + len(b.patterns)
			if isPlaceholder(segment) {
				for name, one := range b.literals {
					if name != segment {
						next = append(next, one)
					}
				}
				d.left -= len(b.literals)
			}
			if d.left < 0 {
				d.Note("there are too many commands for so many paths: not all are checked")
				return nil
			}
		}
		at = next
	}
	for _, b := range at {
		found = append(found, b.items...)
	}
	return found
}
