package transfer

import (
	"strings"
	"time"

	"uncoil/internal/engine/ascii"
)

// parseDate reads a date as curl does, in any of the forms that have been
// seen in the wild: parsedate() in curl 8.22 lib/parsedate.c. The result is
// in seconds since 1970.
func parseDate(s string) (seconds int64, ok bool) {
	d := date{weekday: -1, month: -1, day: -1, hour: -1, minute: -1, second: -1, year: -1}
	for part, i := 0, 0; i < len(s) && part < maxDateParts; part++ {
		for i < len(s) && !(ascii.IsLetter(s[i]) || ascii.IsDigit(s[i])) {
			i++
		}
		if i == len(s) {
			break
		}
		n := 0
		if ascii.IsLetter(s[i]) {
			n = d.word(s[i:])
		} else {
			n = d.number(s, i)
		}
		if n == 0 {
			return 0, false
		}
		i += n
	}
	return d.seconds()
}

// maxDateParts is how many words and numbers curl looks at.
const maxDateParts = 6

// date collects the parts of a date; -1 is unknown.
type date struct {
	weekday, month, day, hour, minute, second, year int

	zone    int // seconds to add for UTC
	hasZone bool
	dayDone bool // the next plain number is a year
}

// maxDateWord is longer than the longest word that a date may hold.
const maxDateWord = 12

// word reads a weekday, a month or a time zone and returns its length, or 0.
func (d *date) word(s string) int {
	n := 0
	for n < len(s) && ascii.IsLetter(s[n]) {
		n++
	}
	if n >= maxDateWord {
		return 0
	}
	s = s[:n]
	if d.weekday < 0 {
		if d.weekday = indexFold(weekdays, s); d.weekday >= 0 {
			return n
		}
	}
	if d.month < 0 && n == 3 {
		if d.month = indexFold(months, s); d.month >= 0 {
			return n
		}
	}
	if !d.hasZone {
		if minutes, ok := zoneMinutes(s); ok {
			d.zone, d.hasZone = minutes*60, true
			return n
		}
	}
	return 0
}

var (
	weekdays = strings.Fields("Mon Tue Wed Thu Fri Sat Sun Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
	months   = strings.Fields("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec")
)

func indexFold(list []string, s string) int {
	for i, item := range list {
		if ascii.EqualFold(item, s) {
			return i
		}
	}
	return -1
}

// zones gives the minutes west of UTC by name; curl knows upper case only.
var zones = map[string]int{
	"GMT": 0, "UT": 0, "UTC": 0, "WET": 0, "BST": -60, "WAT": 60, "AST": 240, "ADT": 180,
	"EST": 300, "EDT": 240, "CST": 360, "CDT": 300, "MST": 420, "MDT": 360, "PST": 480, "PDT": 420,
	"YST": 540, "YDT": 480, "HST": 600, "HDT": 540, "CAT": 600, "AHST": 600, "NT": 660, "IDLW": 720,
	"CET": -60, "MET": -60, "MEWT": -60, "MEST": -120, "CEST": -120, "MESZ": -120, "FWT": -60,
	"FST": -120, "EET": -120, "WAST": -420, "WADT": -480, "CCT": -480, "JST": -540, "EAST": -600,
	"EADT": -660, "GST": -600, "NZT": -720, "NZST": -720, "NZDT": -780, "IDLE": -720,
}

// zoneMinutes looks up a time zone, or the letter of a military one: A is
// UTC+1 … M UTC+12 (without J), N is UTC-1 … Y UTC-12.
func zoneMinutes(s string) (minutes int, ok bool) {
	if len(s) != 1 {
		minutes, ok = zones[s]
		return minutes, ok
	}
	switch c := s[0]; {
	case c >= 'A' && c <= 'I':
		return -60 * int(c-'A'+1), true
	case c >= 'K' && c <= 'M':
		return -60 * int(c-'A'), true
	case c >= 'N' && c <= 'Y':
		return 60 * int(c-'N'+1), true
	case c == 'Z':
		return 0, true
	}
	return 0, false
}

// number reads a time of day, a zone offset, YYYYMMDD, a day or a year at
// byte i, and returns its length, or 0.
func (d *date) number(s string, i int) int {
	if d.second < 0 {
		if n := d.clock(s[i:]); n > 0 {
			return n
		}
	}
	value, n := 0, 0
	for i+n < len(s) && ascii.IsDigit(s[i+n]) {
		if value = value*10 + int(s[i+n]-'0'); value > 99999999 {
			return 0
		}
		n++
	}
	if !d.hasZone && n == 4 && value <= 1400 && i > 0 && (s[i-1] == '+' || s[i-1] == '-') {
		d.zone, d.hasZone = (value/100*60+value%100)*60, true
		if s[i-1] == '+' {
			d.zone = -d.zone
		}
		return n
	}
	if n == 8 && d.year < 0 && d.month < 0 && d.day < 0 {
		d.year, d.month, d.day = value/10000, value%10000/100-1, value%100
		return n
	}
	if !d.dayDone && d.day < 0 {
		d.dayDone = true
		if value > 0 && value < 32 {
			d.day = value
			return n
		}
	}
	if d.dayDone && d.year < 0 {
		d.year = value
		switch {
		case value <= 70:
			d.year += 2000
		case value < 100:
			d.year += 1900
		}
		d.dayDone = d.day >= 0
		return n
	}
	return 0
}

// clock reads H:MM or HH:MM:SS and returns its length, or 0.
func (d *date) clock(s string) int {
	hour, n := oneOrTwoDigits(s)
	if hour >= 24 || n+1 >= len(s) || s[n] != ':' || !ascii.IsDigit(s[n+1]) {
		return 0
	}
	minute, m := oneOrTwoDigits(s[n+1:])
	n += 1 + m
	if minute >= 60 {
		return 0
	}
	second := 0
	if n+1 < len(s) && s[n] == ':' && ascii.IsDigit(s[n+1]) {
		second, m = oneOrTwoDigits(s[n+1:])
		if second > 60 {
			return 0
		}
		n += 1 + m
	}
	d.hour, d.minute, d.second = hour, minute, second
	return n
}

func oneOrTwoDigits(s string) (value, n int) {
	value = int(s[0] - '0')
	if len(s) > 1 && ascii.IsDigit(s[1]) {
		return value*10 + int(s[1]-'0'), 2
	}
	return value, 1
}

// seconds adds the parts up. A date needs day, month and year.
func (d *date) seconds() (int64, bool) {
	if d.second < 0 {
		d.hour, d.minute, d.second = 0, 0, 0
	}
	if d.day < 0 || d.month < 0 || d.month > 11 || d.year < 1583 || d.day > 31 {
		return 0, false
	}
	days := daysSince1970(d.year, d.month, d.day)
	seconds := ((days*24+int64(d.hour))*60+int64(d.minute))*60 + int64(d.second) + int64(d.zone)
	if seconds == -1 { // curl keeps -1 for failure
		seconds = 0
	}
	return seconds, true
}

// daysSince1970 counts days of the Gregorian calendar; month counts from 0.
// A day beyond the month's end runs into the next month, as in curl.
func daysSince1970(year, month, day int) int64 {
	cumulative := [...]int{0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334}
	y := year
	if month <= 1 {
		y--
	}
	const leapDaysBefore1969 = 1969/4 - 1969/100 + 1969/400
	leapDays := y/4 - y/100 + y/400 - leapDaysBefore1969
	return int64(year-1970)*365 + int64(leapDays+cumulative[month]+day-1)
}

// httpDate formats seconds since 1970 as HTTP wants a date:
// "Tue, 15 Nov 1994 12:45:26 GMT".
func httpDate(seconds int64) string {
	return time.Unix(seconds, 0).UTC().Format("Mon, 02 Jan 2006 15:04:05 GMT")
}
