package api

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxName bounds how much of a name from the input a message repeats.
const maxName = 80

// entry names a member of an object that is itself a member.
func entry(member, name string) string {
	return member + "[" + strconv.Quote(Clip(name)) + "]"
}

// memberNamed begins a sentence about a member.
func memberNamed(member string) string {
	if strings.HasPrefix(member, "files[") || strings.HasPrefix(member, "env[") {
		return "the member " + member
	}
	return `the member "` + member + `"`
}

// Clip cuts a long name at the start of a character.
func Clip(name string) string {
	if len(name) <= maxName {
		return name
	}
	cut := maxName
	for cut > 0 && !utf8.RuneStart(name[cut]) {
		cut--
	}
	return name[:cut] + "…"
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8.
func invalidUTF8(s string) int {
	for i, r := range s {
		if r == utf8.RuneError {
			if _, width := utf8.DecodeRuneInString(s[i:]); width == 1 {
				return i
			}
		}
	}
	return len(s)
}
