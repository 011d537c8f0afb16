package cli

import (
	"fmt"
	"io"
	"os"
	"syscall"
)

const (
	// maxFile bounds a file that is read for a command, and maxFiles all of
	// them together.
	maxFile  = 64 << 20
	maxFiles = 256 << 20
)

// A fileReader reads the files that a command names, below a directory.
type fileReader struct {
	root *os.Root
	left int       // bytes that may still be read
	read []content // each file once, however it is spelled
	warn func(message string)
}

type content struct {
	info os.FileInfo
	text []byte
}

// ReadFile returns the content of a file. It writes a warning for an unreadable
// file, and the answer is the one without that file.
func (r *fileReader) ReadFile(name string) ([]byte, error) {
	text, err := r.readBelow(name)
	if err != nil {
		r.warn("-files: " + err.Error())
	}
	return text, err
}

// readBelow reads a regular file that is not outside the root, neither by its
// name nor by a symbolic link.
func (r *fileReader) readBelow(name string) ([]byte, error) {
	// Opening a named pipe would wait for its writer.
	f, err := r.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", name)
	}
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
