package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

const (
	// maxFile limits the size of one file, and maxFiles the sum of all.
	maxFile  = 64 << 20
	maxFiles = 256 << 20
)

// A fileReader reads the files that a command names, below a directory.
type fileReader struct {
	root *os.Root
	left int       // the rest of maxFiles
	read []content // each file once, under whatever names
	warn func(message string)
	said []string // the warnings: a text with its fixes is read again
}

type content struct {
	info os.FileInfo
	text []byte
}

// ReadFile returns the content of a file. It warns of an unreadable file; the
// answer is then the one without it.
func (r *fileReader) ReadFile(name string) ([]byte, error) {
	text, err := r.readBelow(name)
	if err != nil && !slices.Contains(r.said, err.Error()) {
		r.said = append(r.said, err.Error())
		r.warn("-files: " + err.Error())
	}
	return text, err
}

// readBelow reads a regular file. Neither its name nor a symbolic link may lead
// out of the root.
func (r *fileReader) readBelow(name string) ([]byte, error) {
	f, info, err := openRegular(r.root.OpenFile, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for _, known := range r.read {
		if os.SameFile(known.info, info) {
			return known.text, nil
		}
	}
	most := min(maxFile, r.left)
	text, err := io.ReadAll(io.LimitReader(f, int64(most)+1))
	if err != nil {
		return nil, err
	}
	if len(text) > most {
		return nil, fmt.Errorf("%s is too large: a file may have %d bytes, and all together %d", name, maxFile, maxFiles)
	}
	r.left -= len(text)
	r.read = append(r.read, content{info, text})
	return text, nil
}

// readBeside reads a file that an OpenAPI document names, which writes / on every system.
func (r *fileReader) readBeside(name string) ([]byte, error) {
	return r.readBelow(filepath.FromSlash(name))
}

// openRegular opens a regular file for reading, with the function of a folder or
// of the system. Other files are refused: some have no end.
func openRegular(open func(name string, flag int, mode os.FileMode) (*os.File, error), name string) (*os.File, os.FileInfo, error) {
	f, err := open(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", name)
	}
	if err != nil {
		_ = f.Close()
		return nil, nil, err
	}
	return f, info, nil
}
