package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
)

// replaceFile gives a file that had a content another one. Whatever stops it, a full disk,
// an interrupt or a kill, the file has the old or the new content, whole: the new one is
// written beside it and then takes its name. A file that has another content by then is
// left as it is. A symbolic link stays, and leads to the new content. Mode and, where that
// is allowed, owner stay too. A file with other hard links is refused, because those would
// keep the old content.
func replaceFile(name string, had, content []byte) (err error) {
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
	case hasOtherLinks(info):
		return fmt.Errorf("%s has other hard links, which would keep the old text; it is left as it is", name)
	}
	created, stop := removeWhenInterrupted()
	defer stop()
	f, err := os.CreateTemp(filepath.Dir(path), ".uncoil-*")
	if err != nil {
		return err
	}
	created <- f.Name()
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
	// The synchronisation may have taken long, so this comes after it.
	if now, err := os.ReadFile(path); err != nil {
		return err
	} else if !bytes.Equal(now, had) {
		return fmt.Errorf("%s was changed in the meantime, and is left as it is", name)
	}
	if err = os.Rename(f.Name(), path); err != nil {
		return err
	}
	syncFolder(filepath.Dir(path))
	return nil
}

// removeWhenInterrupted removes the file whose name is sent to it when a signal ends the
// process, until stop is called. A signal that comes before the name waits for it.
func removeWhenInterrupted() (created chan<- string, stop func()) {
	signals, names, done := make(chan os.Signal, 1), make(chan string, 1), make(chan struct{})
	signal.Notify(signals, endings...)
	go func() {
		select {
		case name := <-names:
			select {
			case s := <-signals:
				_ = os.Remove(name)
				end(s)
			case <-done:
			}
		case <-done:
		}
	}()
	return names, func() {
		signal.Stop(signals)
		close(done)
	}
}

// writeFile gives a file a content: one that is there as replaceFile does, and a new one
// whole or not at all. What is no regular file, such as /dev/null, is written to.
func writeFile(name string, content []byte) error {
	info, err := os.Stat(name)
	if err == nil && info.Mode().IsRegular() {
		had, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return replaceFile(name, had, content)
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
	if raw, err := os.ReadFile(name); err != nil || string(raw) != text {
		return fmt.Errorf("%s is not UTF-8 without a byte order mark, or was changed in the meantime, and is left as it is", name)
	}
	return replaceFile(name, []byte(text), []byte(other))
}
