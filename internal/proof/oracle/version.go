package oracle

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// A Version is a release of curl.
type Version struct{ Major, Minor, Patch int }

// Compare returns -1, 0 or 1 as v is older than, the same as or newer than w.
func (v Version) Compare(w Version) int {
	return cmp.Or(cmp.Compare(v.Major, w.Major), cmp.Compare(v.Minor, w.Minor), cmp.Compare(v.Patch, w.Patch))
}

// String returns the version with dots.
func (v Version) String() string { return fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch) }

// ParseVersion reads a version of two or three numbers with dots.
func ParseVersion(s string) (Version, error) {
	var v Version
	fields := strings.Split(s, ".")
	if len(fields) < 2 || len(fields) > 3 {
		return Version{}, fmt.Errorf("%q is not a version", s)
	}
	for i, number := range []*int{&v.Major, &v.Minor, &v.Patch}[:len(fields)] {
		n, err := strconv.Atoi(fields[i])
		if err != nil || n < 0 {
			return Version{}, fmt.Errorf("%q is not a version", s)
		}
		*number = n
	}
	return v, nil
}

// CurlVersion returns the version of the curl that Run uses.
func CurlVersion() (Version, error) { return curlVersion() }

var versionLine = regexp.MustCompile(`^curl (\d+\.\d+\.\d+)`)

var curlVersion = sync.OnceValues(func() (Version, error) {
	result, err := RunArgs(context.Background(), []string{"-q", "--version"}, Setup{})
	if err != nil {
		return Version{}, err
	}
	match := versionLine.FindStringSubmatch(result.Stdout)
	if match == nil {
		return Version{}, fmt.Errorf("curl --version says %q", result.Stdout)
	}
	return ParseVersion(match[1])
})
