// Package envname names variables of an environment after what they hold.
package envname

import (
	"strings"

	"uncoil/internal/engine/ascii"
)

// Of returns the name of a variable for what others call its value: clientSecret and
// client-secret are CLIENT_SECRET. It is empty where the name has no letter and no digit,
// and may begin with a digit.
func Of(called string) string {
	var b []byte
	for i := range len(called) {
		c := called[i]
		switch {
		case !ascii.IsLetter(c) && !ascii.IsDigit(c):
			c = '_'
		case i > 0 && 'A' <= c && c <= 'Z' && ('a' <= called[i-1] && called[i-1] <= 'z' || ascii.IsDigit(called[i-1])):
			b = append(b, '_')
		case 'a' <= c && c <= 'z':
			c -= 'a' - 'A'
		}
		if c != '_' || len(b) > 0 && b[len(b)-1] != '_' {
			b = append(b, c)
		}
	}
	return strings.TrimSuffix(string(b), "_")
}

// IsReserved reports a name that each environment has, or that means something to a shell.
func IsReserved(name string) bool { return reserved[name] }

var reserved = map[string]bool{
	"DISPLAY": true, "EDITOR": true, "ENV": true, "EUID": true, "HOME": true, "HOST": true, "HOSTNAME": true, "IFS": true, "LANG": true,
	"LANGUAGE": true, "LINENO": true, "LOGNAME": true, "MAIL": true, "OLDPWD": true, "OPTIND": true, "PAGER": true, "PATH": true, "PPID": true,
	"PS1": true, "PWD": true, "RANDOM": true, "SECONDS": true, "SHELL": true, "SHLVL": true, "TEMP": true, "TERM": true, "TMP": true,
	"TMPDIR": true, "TZ": true, "UID": true, "USER": true, "USERNAME": true,
}
