package httpapi

import (
	"runtime"
	"runtime/debug"
	"time"
)

// goRuntime writes what Go tells about itself, under the names that
// Prometheus' own library uses, so that dashboards for Go programs work. All
// of it is read when it is asked for: the package runtime/metrics would lay
// out its tables at the start of every run, for commands too.
func (x *exposition) goRuntime() {
	x.garbageCollection()
	x.single("go_goroutines", typeGauge, "Goroutines that there are.", float64(runtime.NumGoroutine()))
	x.family("go_info", typeGauge, "Always 1; the label says which Go built this.")
	x.sample("go_info", 1, "version", runtime.Version())
	x.memory()
	x.single("go_sched_gomaxprocs_threads", typeGauge, "GOMAXPROCS: threads that may run Go code at once.", float64(runtime.GOMAXPROCS(0)))
	threads, _ := runtime.ThreadCreateProfile(nil)
	x.single("go_threads", typeGauge, "Threads made so far.", float64(threads))
}

// garbageCollection writes the pauses and the limit.
func (x *exposition) garbageCollection() {
	const pauses = "go_gc_duration_seconds"
	gc := debug.GCStats{PauseQuantiles: make([]time.Duration, 5)}
	debug.ReadGCStats(&gc)
	x.family(pauses, typeSummary, "Pauses of the program for garbage collection.")
	for i, quantile := range []string{"0", "0.25", "0.5", "0.75", "1"} {
		x.sample(pauses, gc.PauseQuantiles[i].Seconds(), "quantile", quantile)
	}
	x.sample(pauses+"_sum", gc.PauseTotal.Seconds())
	x.sample(pauses+"_count", float64(gc.NumGC))
	x.single("go_gc_gomemlimit_bytes", typeGauge, "GOMEMLIMIT: the size that the collector tries to keep to.", float64(debug.SetMemoryLimit(-1)))
}

// memory writes the numbers of runtime.MemStats.
func (x *exposition) memory() {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	for _, f := range []struct {
		name, kind, help string
		value            uint64
	}{
		{"alloc_bytes", typeGauge, "Bytes of objects on the heap.", m.Alloc},
		{"alloc_bytes_total", typeCounter, "Bytes of all objects that ever were on the heap.", m.TotalAlloc},
		{"buck_hash_sys_bytes", typeGauge, "Bytes for the tables of profiles.", m.BuckHashSys},
		{"frees_total", typeCounter, "Objects that were freed.", m.Frees},
		{"gc_sys_bytes", typeGauge, "Bytes for garbage collection.", m.GCSys},
		{"heap_alloc_bytes", typeGauge, "The same as go_memstats_alloc_bytes.", m.HeapAlloc},
		{"heap_idle_bytes", typeGauge, "Bytes of heap that nothing uses.", m.HeapIdle},
		{"heap_inuse_bytes", typeGauge, "Bytes of heap in use.", m.HeapInuse},
		{"heap_objects", typeGauge, "Objects on the heap.", m.HeapObjects},
		{"heap_released_bytes", typeGauge, "Bytes of heap that the system has back.", m.HeapReleased},
		{"heap_sys_bytes", typeGauge, "Bytes of heap from the system.", m.HeapSys},
		{"mallocs_total", typeCounter, "Objects that were made.", m.Mallocs},
		{"mcache_inuse_bytes", typeGauge, "Bytes in use for the caches of the allocator.", m.MCacheInuse},
		{"mcache_sys_bytes", typeGauge, "Bytes from the system for the caches of the allocator.", m.MCacheSys},
		{"mspan_inuse_bytes", typeGauge, "Bytes in use for the lists of the allocator.", m.MSpanInuse},
		{"mspan_sys_bytes", typeGauge, "Bytes from the system for the lists of the allocator.", m.MSpanSys},
		{"next_gc_bytes", typeGauge, "Size of the heap at which the next collection ends.", m.NextGC},
		{"other_sys_bytes", typeGauge, "Bytes from the system for all else.", m.OtherSys},
		{"stack_inuse_bytes", typeGauge, "Bytes in use for stacks.", m.StackInuse},
		{"stack_sys_bytes", typeGauge, "Bytes from the system for stacks.", m.StackSys},
		{"sys_bytes", typeGauge, "Bytes from the system.", m.Sys},
	} {
		x.single("go_memstats_"+f.name, f.kind, f.help, float64(f.value))
	}
	x.single("go_memstats_last_gc_time_seconds", typeGauge, "When the last collection ended, in seconds since 1970.", float64(m.LastGC)/1e9)
}
