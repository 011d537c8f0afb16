package main

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb"
	_ "github.com/goreleaser/nfpm/v2/rpm"
)

// nfpmConfig describes the packages; see https://nfpm.goreleaser.com.
//
//go:embed nfpm.yaml
var nfpmConfig string

// writePackages writes the packages for Linux.
func (b *build) writePackages() error {
	stage, err := os.MkdirTemp("", "uncoil-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(stage)
	if err := b.stagePackage(stage); err != nil {
		return err
	}
	for _, s := range b.systems {
		if s.os != "linux" {
			continue
		}
		for _, format := range []string{"deb", "rpm"} {
			if err := b.writePackage(stage, s, format); err != nil {
				return fmt.Errorf("%s for %s: %w", format, s.arch, err)
			}
		}
	}
	return nil
}

func (b *build) writePackage(stage string, s system, format string) error {
	program, err := filepath.Abs(filepath.Join(b.dir, s.program()))
	if err != nil {
		return err
	}
	values := map[string]string{"ARCH": s.arch, "VERSION": b.version, "PROGRAM": program, "STAGE": stage}
	config, err := nfpm.ParseWithEnvMapping(strings.NewReader(nfpmConfig), func(name string) string { return values[name] })
	if err != nil {
		return err
	}
	config.MTime = b.time
	info, err := config.Get(format)
	if err != nil {
		return err
	}
	if info = nfpm.WithDefaults(info); format == "deb" {
		info.License = "" // the control file of Debian has no such field
	}
	if err := nfpm.PrepareForPackager(info, format); err != nil {
		return err
	}
	packager, err := nfpm.Get(format)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := packager.Package(info, &out); err != nil {
		return err
	}
	return b.write(packager.ConventionalFileName(info), out.Bytes())
}

// stagePackage writes what both packages have and the repository has in another
// form.
func (b *build) stagePackage(stage string) error {
	write := func(name string, content []byte) error {
		path := filepath.Join(stage, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o666); err != nil {
			return err
		}
		return os.Chtimes(path, b.time, b.time)
	}
	entries, err := b.commonEntries()
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.name, "man/") {
			e.name += ".gz"
			e.content = compressed(e.content)
		}
		if err := write(e.name, e.content); err != nil {
			return err
		}
	}
	for _, unit := range []string{"uncoil.service", "uncoil.socket"} {
		text, err := os.ReadFile(filepath.Join(root, "deploy/systemd", unit))
		if err != nil {
			return err
		}
		text = bytes.ReplaceAll(text, []byte("/usr/local/bin/"), []byte("/usr/bin/"))
		// The beginning says how to install it by hand.
		_, rest, _ := bytes.Cut(text, []byte("[Unit]"))
		if err := write(unit, append([]byte("[Unit]"), rest...)); err != nil {
			return err
		}
	}
	change := fmt.Sprintf("uncoil (%s-1) unstable; urgency=medium\n\n  * CHANGELOG.md has the changes.\n\n -- uncoil <uncoil@example.com>  %s\n",
		debianVersion(b.version), b.time.UTC().Format("Mon, 02 Jan 2006 15:04:05 -0700"))
	for name, content := range map[string]string{"changelog.gz": string(compressed([]byte(change))), "copyright": copyright, "overrides": overrides} {
		if err := write(name, []byte(content)); err != nil {
			return err
		}
	}
	return nil
}

// copyright and overrides are what Debian asks of a package: where its licences
// are, and that lintian need not say that programs of Go are linked statically.
const (
	copyright = `uncoil is under the Apache License 2.0, which is in
/usr/share/common-licenses/Apache-2.0. Copyright: the authors of uncoil.

It is linked with Go and other modules, whose licences are in
/usr/share/doc/uncoil/LICENSES.txt.
`
	overrides = "uncoil: statically-linked-binary\n"
)

// debianVersion returns the version as Debian sorts it: what comes before a
// release has a tilde.
func debianVersion(version string) string { return strings.Replace(version, "-", "~", 1) }

// compressed compresses as gzip -9n does.
func compressed(content []byte) []byte {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression)
	_, _ = w.Write(content)
	_ = w.Close()
	return out.Bytes()
}
