package main

import (
	"bytes"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
)

//go:embed uncoil.rb.tmpl uncoil.json.tmpl
var templates embed.FS

// writeManifests writes the formula for Homebrew and the manifest for Scoop,
// with the checksums of the archives. A part of a release has none.
func (b *build) writeManifests() error {
	if len(b.systems) < len(systems) {
		return nil
	}
	parsed, err := template.New("").Option("missingkey=error").ParseFS(templates, "*.tmpl")
	if err != nil {
		return err
	}
	downloads := make(map[string]download)
	for _, s := range systems {
		key := strings.ToUpper(s.os[:1]) + s.os[1:] + strings.ToUpper(s.arch[:1]) + s.arch[1:]
		downloads[key] = download{b.url + "/" + s.archive(), b.sums[s.archive()], s.name()}
	}
	for _, name := range []string{"uncoil.rb", "uncoil.json"} {
		var out bytes.Buffer
		if err := parsed.ExecuteTemplate(&out, name+".tmpl", map[string]any{"Version": b.version, "Of": downloads}); err != nil {
			return err
		}
		if err := b.write(name, out.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// A download is an archive as manifests name it.
type download struct{ URL, SHA256, Folder string }

// writeSums writes the checksums of all files, in the form of sha256sum.
func (b *build) writeSums() error {
	for _, s := range b.systems {
		content, err := os.ReadFile(filepath.Join(b.dir, s.program()))
		if err != nil {
			return err
		}
		if err := b.write(s.program(), content); err != nil {
			return err
		}
	}
	var names []string
	for name := range b.sums {
		names = append(names, name)
	}
	slices.Sort(names)
	var out bytes.Buffer
	for _, name := range names {
		fmt.Fprintf(&out, "%s  %s\n", b.sums[name], name)
	}
	return os.WriteFile(filepath.Join(b.dir, "SHA256SUMS"), out.Bytes(), 0o666)
}
