package serve

import (
	"math"
	"testing"
	"testing/fstest"
)

func TestCgroupMemory(t *testing.T) {
	for name, test := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"no control groups": {nil, math.MaxInt64},
		"container":         {map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "67108864\n"}, 64 << 20},
		"unit": {map[string]string{"proc/self/cgroup": "0::/system.slice/uncoil.service\n",
			"sys/fs/cgroup/system.slice/uncoil.service/memory.max": "max\n", "sys/fs/cgroup/system.slice/memory.max": "1000\n"}, 1000},
		"the least counts": {map[string]string{"proc/self/cgroup": "0::/a/b\n",
			"sys/fs/cgroup/a/memory.max": "3000\n", "sys/fs/cgroup/a/b/memory.max": "2000\n"}, 2000},
		"version 1": {map[string]string{"proc/self/cgroup": "5:cpu,memory:/docker/x\n4:pids:/\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "4000\n"}, 4000},
		"no limit": {map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n"}, math.MaxInt64},
	} {
		root := fstest.MapFS{}
		for name, text := range test.files {
			root[name] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := cgroupMemory(root); got != test.want {
			t.Errorf("%s: %d, want %d", name, got, test.want)
		}
	}
}
