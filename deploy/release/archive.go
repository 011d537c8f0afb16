package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// An entry is a file of an archive.
type entry struct {
	name    string
	content []byte
	mode    int64
}

// writeArchives writes an archive for each system: the program, the manual, the
// completions and the licences, in a folder.
func (b *build) writeArchives() error {
	common, err := b.commonEntries()
	if err != nil {
		return err
	}
	for _, s := range b.systems {
		program, err := os.ReadFile(filepath.Join(b.dir, s.program()))
		if err != nil {
			return err
		}
		name, pack := "uncoil", packTar
		if s.os == "windows" {
			name, pack = "uncoil.exe", packZip
		}
		content, err := pack(s.name()+"/", append([]entry{{name, program, 0o755}}, common...), b.time)
		if err != nil {
			return err
		}
		if err := b.write(s.archive(), content); err != nil {
			return err
		}
	}
	return nil
}

// engine is the file of the engine for hosts with WASI, which dist.sh has built, and
// engineArchive what people download.
const (
	engine        = "uncoil-wasi.wasm"
	engineArchive = "uncoil-wasi.tar.gz"
)

// writeEngine writes the archive of the engine, which goes with the licences alone.
func (b *build) writeEngine() error {
	program, err := os.ReadFile(filepath.Join(b.dir, engine))
	if err != nil {
		return err
	}
	license, err := os.ReadFile(filepath.Join(root, "LICENSE"))
	if err != nil {
		return err
	}
	content, err := packTar("uncoil-wasi/", []entry{{engine, program, 0o644}, {"LICENSE", license, 0o644}, {"LICENSES.txt", b.licenses, 0o644}}, b.time)
	if err != nil {
		return err
	}
	return errors.Join(b.write(engine, program), b.write(engineArchive, content))
}

// archive is the name of the archive.
func (s system) archive() string {
	if s.os == "windows" {
		return s.name() + ".zip"
	}
	return s.name() + ".tar.gz"
}

// commonEntries returns what all archives have.
func (b *build) commonEntries() ([]entry, error) {
	entries := []entry{{"LICENSES.txt", b.licenses, 0o644}}
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		content, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{name, content, 0o644})
	}
	for _, folder := range []string{"man", "completions"} {
		names, err := b.files(folder)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			content, err := os.ReadFile(filepath.Join(b.dir, name))
			if err != nil {
				return nil, err
			}
			entries = append(entries, entry{name, content, 0o644})
		}
	}
	return entries, nil
}

// root is the folder of the repository. go run starts in the folder of this
// program.
const root = "../.."

func packTar(folder string, entries []entry, modified time.Time) ([]byte, error) {
	var out bytes.Buffer
	squeezed, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	archive := tar.NewWriter(squeezed)
	for _, e := range entries {
		header := tar.Header{Name: folder + e.name, Mode: e.mode, Size: int64(len(e.content)), ModTime: modified, Format: tar.FormatUSTAR}
		if err := archive.WriteHeader(&header); err != nil {
			return nil, err
		}
		if _, err := archive.Write(e.content); err != nil {
			return nil, err
		}
	}
	err = errors.Join(archive.Close(), squeezed.Close())
	return out.Bytes(), err
}

func packZip(folder string, entries []entry, modified time.Time) ([]byte, error) {
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, e := range entries {
		header := zip.FileHeader{Name: folder + e.name, Method: zip.Deflate, Modified: modified.UTC()}
		header.SetMode(os.FileMode(e.mode))
		w, err := archive.CreateHeader(&header)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(e.content); err != nil {
			return nil, err
		}
	}
	err := archive.Close()
	return out.Bytes(), err
}

// collectLicenses puts together the licences of Go and of the modules in the
// programs, which ask to go along with them.
func (b *build) collectLicenses() error {
	text := []byte("uncoil is under the Apache License 2.0. Its programs consist of it and of:\n")
	add := func(name, dir string) error {
		found, _ := filepath.Glob(filepath.Join(dir, "[Ll][Ii][Cc][Ee][Nn][Ss][Ee]*"))
		if len(found) == 0 {
			return fmt.Errorf("%s has no licence in %s", name, dir)
		}
		license, err := os.ReadFile(found[0])
		text = fmt.Appendf(text, "\n\n%s\n%s\n\n%s", name, strings.Repeat("-", len(name)), license)
		return err
	}
	goroot, err := goCommand("env", "GOROOT")
	if err != nil {
		return err
	}
	if err := add("Go", goroot); err != nil {
		return err
	}
	seen := make(map[string]bool)
	for _, s := range b.systems {
		for _, module := range b.info[s].Deps {
			if seen[module.Path] {
				continue
			}
			seen[module.Path] = true
			dir, err := goCommand("list", "-m", "-f", "{{.Dir}}", module.Path)
			if err != nil {
				return err
			}
			if err := add(module.Path, dir); err != nil {
				return err
			}
		}
	}
	b.licenses = text
	return nil
}

// goCommand runs the go command in the repository.
func goCommand(args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = root
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
}
