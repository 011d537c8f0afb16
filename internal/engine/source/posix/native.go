package posix

import (
	"strings"

	"uncoil/internal/engine/source/word"
	"uncoil/request"
)

// mayBeNative reports whether native may know a command.
func mayBeNative(name string) bool {
	switch name {
	case "date", "uuidgen", "hostname", "cat", "printf", "base64":
		return true
	}
	return false
}

// native returns what a command prints that asks the machine for something that every
// language can ask for, or nil.
func native(args []string) request.From {
	switch name, args := args[0], args[1:]; name {
	case "date":
		return date(args)
	case "uuidgen":
		if len(args) == 0 || len(args) == 1 && (args[0] == "-r" || args[0] == "--random") {
			return new(request.UUID)
		}
	case "hostname":
		if len(args) == 0 {
			return new(request.Hostname)
		}
	case "cat":
		switch {
		case len(args) != 1 || args[0] == "" || args[0][0] == '-':
		case args[0] == "/proc/sys/kernel/random/uuid":
			return new(request.UUID)
		default:
			return &request.FileContent{Name: args[0]}
		}
	}
	return nil
}

// date returns what date prints with a format that has no name in a language: the
// names of days and months depend on the machine.
func date(args []string) request.From {
	d := new(request.Date)
	for _, a := range args {
		switch {
		case a == "-u" || a == "--utc" || a == "--universal":
			d.UTC = true
		case a != "" && a[0] == '+' && d.Format == "":
			d.Format = a[1:]
		default:
			return nil
		}
	}
	if d.Format == "" {
		return nil
	}
	for rest := d.Format; ; {
		_, verb, found := strings.Cut(rest, "%")
		if !found {
			return d
		}
		if verb == "" || strings.IndexByte("YmdHMSFTs%", verb[0]) < 0 {
			return nil
		}
		rest = verb[1:]
	}
}

// A brokenFile is a file in Base64 that a program breaks into lines. It is a From only
// between two commands of a pipe.
type brokenFile struct{ request.FileContent }

// encodedFile returns what base64 prints of a file, which it reads or which its arguments name,
// or nil. That of macOS breaks no lines, and names the file after -i.
func encodedFile(args []string, stdin *word.Input) request.From {
	name := ""
	switch n := len(args); {
	case stdin != nil && stdin.File != "":
		name = stdin.File
	case stdin != nil || n == 0:
		return nil
	case args[0] != "" && args[0][0] != '-':
		name, args = args[0], args[1:]
	case n == 2 && args[0] == "-i":
		name, args = args[1], nil
	default:
		name, args = args[n-1], args[:n-1]
	}
	if name == "" || name[0] == '-' {
		return nil
	}
	content := request.FileContent{Name: name, Base64: true}
	switch width := base64Width("base64", args); {
	case width == 0:
		return &content
	case width > 0:
		return &brokenFile{content}
	}
	return nil
}
