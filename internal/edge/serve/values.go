package serve

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
)

// An amount is a number, and of bytes if its flag counts those: 65536, 64KiB, 1MB.
type amount struct {
	value *int
	bytes bool
}

// units are what a number of bytes may end with, the longer ones first.
var units = []struct {
	name string
	size float64
}{
	{"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30},
	{"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9},
	{"k", 1 << 10}, {"m", 1 << 20}, {"g", 1 << 30}, {"b", 1},
}

func (a *amount) String() string {
	if a.value == nil {
		return "" // package flag asks the zero value
	}
	switch n := *a.value; {
	case a.bytes && n > 0 && n%(1<<20) == 0:
		return strconv.Itoa(n>>20) + "MiB"
	case a.bytes && n > 0 && n%(1<<10) == 0:
		return strconv.Itoa(n>>10) + "KiB"
	default:
		return strconv.Itoa(n)
	}
}

// kind is what the value is called in the help.
func (a *amount) kind() string {
	if a.bytes {
		return "SIZE"
	}
	return "N"
}

// Get returns the value, as package flag wants it.
func (a *amount) Get() any { return *a.value }

func (a *amount) Set(text string) error {
	number, unit := strings.ToLower(strings.TrimSpace(text)), 1.0
	if a.bytes {
		for _, u := range units {
			if head, ok := strings.CutSuffix(number, u.name); ok {
				number, unit = strings.TrimSpace(head), u.size
				break
			}
		}
	}
	if n, err := strconv.Atoi(number); err == nil && unit == 1 {
		*a.value = n
		return nil
	}
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || unit == 1 || !(math.Abs(n*unit) <= math.MaxInt32) {
		if a.bytes {
			return errors.New("must be a number of bytes, such as 65536, 64KiB or 1MiB")
		}
		return errors.New("must be a whole number")
	}
	*a.value = int(n * unit)
	return nil
}

// A span is a time, such as 30s. A number alone is one of seconds.
type span time.Duration

func (s *span) String() string { return time.Duration(*s).String() }

// Get returns the value, as package flag wants it.
func (s *span) Get() any { return time.Duration(*s) }

func (s *span) Set(text string) error {
	d, err := time.ParseDuration(text)
	if n, notNumber := strconv.ParseFloat(text, 64); notNumber == nil && math.Abs(n) < math.MaxInt32 {
		d, err = time.Duration(n*float64(time.Second)), nil
	}
	if err != nil {
		return errors.New("must be a time such as 30s, 5m or 1h30m")
	}
	*s = span(d)
	return nil
}

// A perSecond is a number of times in a second.
type perSecond float64

func (p *perSecond) String() string { return strconv.FormatFloat(float64(*p), 'g', -1, 64) }

// Get returns the value, as package flag wants it.
func (p *perSecond) Get() any { return float64(*p) }

func (p *perSecond) Set(text string) error {
	n, err := strconv.ParseFloat(strings.TrimSuffix(text, "/s"), 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		return errors.New("must be a number of requests in a second, such as 50 or 0.5")
	}
	*p = perSecond(n)
	return nil
}
