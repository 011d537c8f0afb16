package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	url := flag.String("url", "https://downloads.example.com/uncoil", "the folder from which people will download the files")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: release [-url URL] FOLDER")
		os.Exit(2)
	}
	if err := release(flag.Arg(0), *url, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// A system is one for which a program was built.
type system struct{ os, arch string }

var systems = []system{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"}}

// name is that of the archive without its extension, and of the folder in it.
func (s system) name() string { return "uncoil-" + s.os + "-" + s.arch }

// program is the name of the file that dist.sh has built.
func (s system) program() string {
	if s.os == "windows" {
		return s.name() + ".exe"
	}
	return s.name()
}

// A build is what a release is made of.
type build struct {
	dir, url string
	version  string // without the v
	time     time.Time
	systems  []system
	info     map[system]*buildinfo.BuildInfo
	licenses []byte            // of what the programs consist of
	sums     map[string]string // SHA-256 in hexadecimal, by file
}

func release(dir, url string, log io.Writer) error {
	b := &build{dir: dir, url: strings.TrimRight(url, "/"), info: make(map[system]*buildinfo.BuildInfo), sums: make(map[string]string)}
	if err := b.inspect(); err != nil {
		return err
	}
	for _, step := range []func() error{b.collectLicenses, b.writeArchives, b.writeEngine, b.writeWheels, b.writePackages, b.writeBOMs, b.writeManifests, b.writeSums} {
		if err := step(); err != nil {
			return err
		}
	}
	fmt.Fprintf(log, "uncoil %s: %d files\n", b.version, len(b.sums))
	return nil
}

// inspect reads from the programs what was built, and checks that they are of
// one commit.
func (b *build) inspect() error {
	commit := ""
	for _, s := range systems {
		info, err := buildinfo.ReadFile(filepath.Join(b.dir, s.program()))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		settings := make(map[string]string)
		for _, setting := range info.Settings {
			settings[setting.Key] = setting.Value
		}
		if b.time, err = time.Parse(time.RFC3339, settings["vcs.time"]); err != nil {
			return fmt.Errorf("%s has no time of a commit: build it in a clone of the repository", s.program())
		}
		if commit != "" && settings["vcs.revision"] != commit {
			return fmt.Errorf("%s was built from %s, and the others from %s", s.program(), settings["vcs.revision"], commit)
		}
		commit = settings["vcs.revision"]
		b.version = strings.TrimPrefix(info.Main.Version, "v")
		b.systems = append(b.systems, s)
		b.info[s] = info
	}
	if len(b.systems) == 0 {
		return fmt.Errorf("%s has no programs", b.dir)
	}
	return nil
}

// files returns the files below a folder of the build, by their paths in it.
func (b *build) files(folder string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(b.dir, folder))
	var names []string
	for _, entry := range entries {
		names = append(names, folder+"/"+entry.Name())
	}
	return names, err
}

// write writes a file of the release.
func (b *build) write(name string, content []byte) error {
	sum := sha256.Sum256(content)
	b.sums[name] = hex.EncodeToString(sum[:])
	return os.WriteFile(filepath.Join(b.dir, name), content, 0o666)
}
