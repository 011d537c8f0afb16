package serve

import (
	"flag"
	"log/slog"
	"runtime/debug"
)

// fitFiles lowers -max-connections to what the limit of open files allows. Beyond
// that limit nobody could connect, while a connection above -max-connections
// replaces another one.
func (o *options) fitFiles(most uint64) {
	c := &o.config
	if most == 0 || most >= uint64(c.MaxConnections)+ownFiles {
		return
	}
	wanted := c.MaxConnections
	c.MaxConnections = int(max(most/2, most-min(most, ownFiles), 1))
	c.Log.Warn("fewer files may be open than -max-connections needs", "files", most, "wanted", wanted, "connections", c.MaxConnections)
}

// ownFiles is the number of open files beside connections, including connections
// that are being closed.
const ownFiles = 64

// A fitted is a limit that fitMemory may lower, but not below its least.
type fitted struct {
	flag  string
	value *int
	least int
}

// fitMemory lowers limits until the memory bound is what the control group of the
// process allows: first those that let fewer do something at once, in the same
// proportion, and then the size of answers. It leaves limits that the operator gave.
func (o *options) fitMemory(group int64, given map[string]bool) {
	c := &o.config
	bound := c.MemoryBound()
	if bound <= group {
		return
	}
	atOnce := []fitted{
		{"max-connections", &c.MaxConnections, 64},
		{"max-conversions", &c.MaxConversions, 1},
		{"max-batches", &c.MaxBatches, 8},
		// Alone a client may hold a half, and so two contents.
		{"max-held", &c.MaxHeld, 4 * c.MaxBody},
	}
	answer := []fitted{{"max-answer", &c.MaxAnswer, 1 << 20}}
	lowered := []any{"bound", bound, "group", group}
	for _, step := range [][]fitted{atOnce, answer} {
		before := make([]int, len(step))
		for i, f := range step {
			before[i] = *f.value
		}
		const parts = 32
		for n := parts - 1; n > 0 && c.MemoryBound() > group; n-- {
			for i, f := range step {
				if !given[f.flag] {
					*f.value = min(before[i], max(f.least, (before[i]*n+parts-1)/parts))
				}
			}
		}
		for i, f := range step {
			if *f.value != before[i] {
				lowered = append(lowered, f.flag, *f.value)
			}
		}
	}
	c.Log.Warn("the control group allows less memory than the limits need, so they are lowered", lowered...)
}

// given returns the names of the flags that were set.
func given(fs *flag.FlagSet) map[string]bool {
	names := make(map[string]bool)
	fs.Visit(func(f *flag.Flag) { names[f.Name] = true })
	return names
}

// limitMemory logs the bound and, if set, has the collector work harder when the
// process comes near the bound or near what its control group allows it.
func limitMemory(log *slog.Logger, bound, group int64, set bool) {
	if set {
		debug.SetMemoryLimit(min(bound, group) * 9 / 10)
	}
	if group < bound {
		log.Warn("memory: the control group allows less than the bound; set lower limits", "bound", bound, "group", group)
		return
	}
	log.Info("memory", "bound", bound)
}
