package httpapi

import (
	"math"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// An exposition is what a scrape reads: metrics as text, in the format of
// Prometheus, version 0.0.4. A family is a line with the meaning of a metric,
// one with its type, and then its samples; no family comes twice.
type exposition struct{ text []byte }

const typeExposition = "text/plain; version=0.0.4; charset=utf-8"

// The types of metrics.
const (
	typeCounter   = "counter"
	typeGauge     = "gauge"
	typeHistogram = "histogram"
	typeSummary   = "summary"
)

var (
	helpEscapes  = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
	labelEscapes = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)
)

// family opens a metric.
func (x *exposition) family(name, kind, help string) {
	x.text = append(x.text, "# HELP "+name+" "+helpEscapes.Replace(help)+"\n# TYPE "+name+" "+kind+"\n"...)
}

// sample writes a number; the labels are names and values in turn.
func (x *exposition) sample(name string, value float64, labels ...string) {
	x.text = append(x.text, name...)
	for i := 0; i < len(labels); i += 2 {
		separator := byte(',')
		if i == 0 {
			separator = '{'
		}
		x.text = append(x.text, separator)
		x.text = append(x.text, labels[i]+`="`+labelEscapes.Replace(labels[i+1])+`"`...)
	}
	if len(labels) > 0 {
		x.text = append(x.text, '}')
	}
	x.text = append(x.text, ' ')
	x.text = append(x.text, number(value)...)
	x.text = append(x.text, '\n')
}

// number writes a number as the format wants it.
func number(f float64) string {
	if math.IsInf(f, 1) {
		return "+Inf"
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// single writes a metric that is one number.
func (x *exposition) single(name, kind, help string, value float64) {
	x.family(name, kind, help)
	x.sample(name, value)
}

// A counter is a number that grows.
type counter struct{ n atomic.Uint64 }

func (c *counter) add(n int64) { c.n.Add(uint64(n)) }
func (c *counter) inc()        { c.n.Add(1) }

func (c *counter) value() float64 { return float64(c.n.Load()) }

// buckets are the bounds of durations, for a service that answers most
// requests in less than a millisecond, and a batch in many seconds.
var buckets = [...]time.Duration{
	100 * time.Microsecond, 250 * time.Microsecond, 500 * time.Microsecond,
	1 * time.Millisecond, 2500 * time.Microsecond, 5 * time.Millisecond,
	10 * time.Millisecond, 25 * time.Millisecond, 50 * time.Millisecond,
	100 * time.Millisecond, 250 * time.Millisecond, 500 * time.Millisecond,
	1 * time.Second, 2500 * time.Millisecond, 5 * time.Second,
	10 * time.Second, 30 * time.Second,
}

// A histogram counts durations by size.
type histogram struct {
	counts [len(buckets) + 1]atomic.Uint64 // the last one is above all bounds
	sum    atomic.Int64                    // nanoseconds
}

func (h *histogram) observe(d time.Duration) {
	i := 0
	for i < len(buckets) && d > buckets[i] {
		i++
	}
	h.counts[i].Add(1)
	h.sum.Add(int64(d))
}

// histogram writes a histogram that has counted something. Its count is the
// sum of the buckets, so that the two agree while others count.
func (x *exposition) histogram(name string, h *histogram, label, value string) {
	var counts [len(h.counts)]uint64
	var total uint64
	for i := range h.counts {
		total += h.counts[i].Load()
		counts[i] = total
	}
	if total == 0 {
		return
	}
	for i, n := range counts {
		bound := math.Inf(1)
		if i < len(buckets) {
			bound = buckets[i].Seconds()
		}
		x.sample(name+"_bucket", float64(n), label, value, "le", number(bound))
	}
	x.sample(name+"_sum", time.Duration(h.sum.Load()).Seconds(), label, value)
	x.sample(name+"_count", float64(total), label, value)
}
