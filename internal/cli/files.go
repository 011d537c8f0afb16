package cli

import (
	"errors"
	"fmt"
	"io"
	"os"

	"uncoil"
	"uncoil/diag"
	"uncoil/internal/api"
	"uncoil/request"
)

const (
	// maxFile bounds a file that is read for a command.
	maxFile = 64 << 20
	// maxRounds bounds how often a file may turn out to name others, as a
	// file of options does.
	maxRounds = 16
)

// supplyFiles adds to req.Files the files that the command names and that are
// not there yet, read below dir. What cannot be read is reported and left out, so
// that the answer says what it would say without -files.
func (p *Program) supplyFiles(req *api.Request, as api.As, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return &UsageError{"-files: " + err.Error(), ""}
	}
	defer root.Close()
	tried := make(map[string]bool)
	for range maxRounds {
		news := false
		for _, name := range missingFiles(req, as) {
			if tried[name] {
				continue
			}
			tried[name], news = true, true
			content, err := readBelow(root, name)
			if err != nil {
				p.complain("-files: " + err.Error())
				continue
			}
			req.Files[name] = content
		}
		if !news {
			break
		}
	}
	return nil
}

// missingFiles returns the names of the files that the answer depends on:
// those without which there is none, those that it has to leave open, and in
// the full description those that a form sends.
func missingFiles(req *api.Request, as api.As) []string {
	result, err := uncoil.Parse(req.Curl, req.Input)
	if e, ok := errors.AsType[*uncoil.Error](err); ok {
		return e.Files
	}
	if err != nil {
		return nil
	}
	var names []string
	for _, w := range result.Warnings {
		if w.Code == diag.WarnFileNotSupplied {
			names = append(names, w.Files...)
		}
	}
	if as == api.AsParse {
		for _, r := range result.Requests {
			if r.Body != nil {
				names = appendPartFiles(names, r.Body.Parts)
			}
		}
	}
	return names
}

// appendPartFiles appends the names of the files in form parts whose content
// is not known. The part - is standard input.
func appendPartFiles(names []string, parts []request.Part) []string {
	for _, p := range parts {
		if p.File != "" && p.File != "-" && p.Content == nil {
			names = append(names, p.File)
		}
		names = appendPartFiles(names, p.Parts)
	}
	return names
}

// readBelow reads a regular file that is not outside the root, neither by its
// name nor by a symbolic link.
func readBelow(root *os.Root, name string) ([]byte, error) {
	info, err := root.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", name)
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(content) > maxFile {
		err = fmt.Errorf("%s is larger than %d bytes", name, maxFile)
	}
	return content, err
}
