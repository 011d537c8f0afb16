package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// replaceFile gives a file, as it was when its content was read, another content.
// Whatever stops it, a full disk or a kill, the file has the old or the new
// content, whole: the new one is written beside it and then takes its name. A
// symbolic link stays, and leads to the new content. Mode and, where that is
// allowed, owner stay too. A file with other hard links is refused, because those
// would keep the old content.
func replaceFile(name string, read os.FileInfo, content []byte) (err error) {
	path, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	// A file that may not be written is not replaced either.
	old, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	info, err := old.Stat()
	_ = old.Close()
	switch {
	case err != nil:
		return err
	case !os.SameFile(info, read) || info.Size() != read.Size() || !info.ModTime().Equal(read.ModTime()):
		return fmt.Errorf("%s was changed in the meantime, and is left as it is", name)
	case hasOtherLinks(info):
		return fmt.Errorf("%s has other hard links, which would keep the old text; it is left as it is", name)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".uncoil-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
		}
	}()
	ignoreFileSizeSignal()
	if _, err = f.Write(content); err != nil {
		return err
	}
	mode := info.Mode() & (os.ModePerm | os.ModeSetuid | os.ModeSetgid | os.ModeSticky)
	if !keepOwner(f, info) {
		mode = mode.Perm()
	}
	if err = f.Chmod(mode); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	if err = os.Rename(f.Name(), path); err != nil {
		return err
	}
	syncFolder(filepath.Dir(path))
	return nil
}

// writeFile gives a file a content: one that is there as replaceFile does, and a new one
// whole or not at all. What is no regular file, such as /dev/null, is written to.
func writeFile(name string, content []byte) error {
	info, err := os.Stat(name)
	if err == nil && info.Mode().IsRegular() {
		return replaceFile(name, info, content)
	}
	isNew := errors.Is(err, fs.ErrNotExist)
	ignoreFileSizeSignal()
	if err = os.WriteFile(name, content, 0o666); err != nil && isNew {
		_ = os.Remove(name)
	}
	return err
}

// replaceText gives the file that had a text another one.
func replaceText(name, text, other string) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if raw, err := os.ReadFile(name); err != nil || string(raw) != text {
		return fmt.Errorf("%s is not UTF-8 without a byte order mark, or was changed in the meantime, and is left as it is", name)
	}
	return replaceFile(name, info, []byte(other))
}
