package serve

import (
	"io/fs"
	"math"
	"path"
	"strconv"
	"strings"
)

// cgroupMemory returns the memory that the control groups of the process allow it,
// or math.MaxInt64 where there is no limit. The root has proc and sys.
func cgroupMemory(root fs.FS) int64 {
	groups, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return math.MaxInt64 // another system
	}
	least := int64(math.MaxInt64)
	for line := range strings.SplitSeq(strings.TrimSpace(string(groups)), "\n") {
		_, rest, _ := strings.Cut(line, ":")
		controllers, group, _ := strings.Cut(rest, ":")
		switch {
		case controllers == "": // version 2
			least = min(least, leastOf(root, "sys/fs/cgroup", group, "memory.max"))
		case strings.Contains(","+controllers+",", ",memory,"):
			least = min(least, leastOf(root, "sys/fs/cgroup/memory", group, "memory.limit_in_bytes"))
		}
	}
	return least
}

// leastOf returns the least limit of a group and those around it. In a container
// the path may be the host's, and then only the uppermost file exists.
func leastOf(root fs.FS, mount, group, file string) int64 {
	least := int64(math.MaxInt64)
	for group = path.Clean("/" + group); ; group = path.Dir(group) {
		if text, err := fs.ReadFile(root, path.Join(mount, group, file)); err == nil {
			if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil { // not "max"
				least = min(least, n)
			}
		}
		if group == "/" {
			return least
		}
	}
}
