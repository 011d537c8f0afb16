package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"debug/buildinfo"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"
)

// newBuild returns a build with files that stand in for programs.
func newBuild(t *testing.T) *build {
	t.Helper()
	b := &build{
		dir: t.TempDir(), url: "https://downloads.example.com/uncoil", version: "1.2.3-rc.1", time: time.Unix(1_700_000_000, 0).UTC(),
		systems: systems, info: make(map[system]*buildinfo.BuildInfo), licenses: []byte("licences"), sums: make(map[string]string),
	}
	files := map[string]string{"man/uncoil.1": ".TH UNCOIL 1\n", "completions/uncoil.bash": "", "completions/_uncoil": "", "completions/uncoil.fish": "", "completions/uncoil.ps1": "", engine: "an engine"}
	for _, s := range systems {
		files[s.program()] = "a program for " + s.name()
		b.info[s] = &buildinfo.BuildInfo{GoVersion: "go1.26.8", Deps: []*debug.Module{{Path: "golang.org/x/net", Version: "v0.50.0"}}}
	}
	for name, content := range files {
		path := filepath.Join(b.dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []func() error{b.writeArchives, b.writeEngine, b.writeWheels, b.writePackages, b.writeBOMs, b.writeManifests, b.writeSums} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// TestRelease checks the files with the programs that read them, where these
// are installed.
func TestRelease(t *testing.T) {
	b := newBuild(t)
	for name, sum := range newBuild(t).sums {
		if b.sums[name] != sum {
			t.Errorf("%s has other bytes the second time", name)
		}
	}
	if sum, err := exec.LookPath("sha256sum"); err == nil {
		run(t, b.dir, sum, "--check", "--quiet", "SHA256SUMS")
	}
	for _, s := range systems {
		names := strings.Join(archiveNames(t, filepath.Join(b.dir, s.archive())), "\n")
		for _, want := range []string{"uncoil", "LICENSE", "LICENSES.txt", "man/uncoil.1", "completions/uncoil.bash"} {
			if !strings.Contains(names, s.name()+"/"+want) {
				t.Errorf("%s lacks %s:\n%s", s.archive(), want, names)
			}
		}
		if _, err := os.Stat(filepath.Join(b.dir, s.name()+".cdx.json")); err != nil {
			t.Error(err)
		}
	}
	if wheels, _ := filepath.Glob(filepath.Join(b.dir, "*.whl")); len(wheels) != len(systems) {
		t.Errorf("there are the wheels %q", wheels)
	}
	if names := archiveNames(t, filepath.Join(b.dir, engineArchive)); !slices.Contains(names, "uncoil-wasi/"+engine) || !slices.Contains(names, "uncoil-wasi/LICENSES.txt") {
		t.Errorf("%s has %q", engineArchive, names)
	}
}

// archiveNames returns the names of the files in an archive.
func archiveNames(t *testing.T, path string) (names []string) {
	t.Helper()
	if strings.HasSuffix(path, ".zip") {
		archive, err := zip.OpenReader(path)
		if err != nil {
			t.Fatal(err)
		}
		defer archive.Close()
		for _, f := range archive.File {
			names = append(names, f.Name)
		}
		return names
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	archive := tar.NewReader(plain)
	for {
		header, err := archive.Next()
		if err == io.EOF {
			return names
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, header.Name)
	}
}

// TestPackages checks that the packages have each file where its system looks
// for it.
func TestPackages(t *testing.T) {
	b := newBuild(t)
	common := []string{
		"/usr/bin/uncoil", "/usr/share/man/man1/uncoil.1.gz", "/usr/share/bash-completion/completions/uncoil",
		"/usr/share/fish/vendor_completions.d/uncoil.fish", "/lib/systemd/system/uncoil.service", "/lib/systemd/system/uncoil.socket",
	}
	for _, test := range []struct {
		list  []string
		files string
		also  []string
	}{
		{[]string{"dpkg-deb", "--contents"}, "*_amd64.deb", []string{"/usr/share/zsh/vendor-completions/_uncoil", "/usr/share/doc/uncoil/copyright"}},
		{[]string{"rpm", "--query", "--list", "--package"}, "*.x86_64.rpm", []string{"/usr/share/zsh/site-functions/_uncoil", "/usr/share/licenses/uncoil/LICENSE"}},
	} {
		t.Run(test.list[0], func(t *testing.T) {
			found, _ := filepath.Glob(filepath.Join(b.dir, test.files))
			if len(found) != 1 {
				t.Fatalf("%v for %s", found, test.files)
			}
			if _, err := exec.LookPath(test.list[0]); err != nil {
				t.Skip("not installed")
			}
			list := run(t, b.dir, test.list[0], append(test.list[1:], found[0])...)
			for _, name := range append(test.also, common...) {
				if !strings.Contains(list, name+"\n") {
					t.Errorf("there is no %s:\n%s", name, list)
				}
			}
		})
	}
	lintian, err := exec.LookPath("lintian")
	if err != nil {
		return
	}
	debs, _ := filepath.Glob(filepath.Join(b.dir, "*_amd64.deb"))
	out, _ := exec.Command(lintian, debs[0]).CombinedOutput()
	for line := range strings.Lines(string(out)) {
		// Where the real program is, a text stands in this test.
		if strings.HasPrefix(line, "E: ") && !strings.Contains(line, "usr/bin/uncoil") {
			t.Error(line)
		}
	}
}

// TestUnitOfPackage checks that the unit starts the program that the package
// has.
func TestUnitOfPackage(t *testing.T) {
	b, stage := newBuild(t), t.TempDir()
	if err := b.stagePackage(stage); err != nil {
		t.Fatal(err)
	}
	unit, err := os.ReadFile(filepath.Join(stage, "uncoil.service"))
	if err != nil || !strings.Contains(string(unit), "\nExecStart=/usr/bin/uncoil serve\n") || !strings.HasPrefix(string(unit), "[Unit]\n") {
		t.Errorf("%v\n%s", err, unit)
	}
}

// TestManifests checks that the formula and the manifest name the archives with
// their checksums.
func TestManifests(t *testing.T) {
	b := newBuild(t)
	formula, err := os.ReadFile(filepath.Join(b.dir, "uncoil.rb"))
	if err != nil {
		t.Fatal(err)
	}
	pairs := regexp.MustCompile(`url "https://downloads\.example\.com/uncoil/(.*)"\n\s+sha256 "(.*)"`).FindAllStringSubmatch(string(formula), -1)
	if len(pairs) != 4 {
		t.Errorf("the formula has %d archives", len(pairs))
	}
	for _, pair := range pairs {
		if b.sums[pair[1]] != pair[2] {
			t.Errorf("%s has the checksum %s, not %s", pair[1], b.sums[pair[1]], pair[2])
		}
	}
	if ruby, err := exec.LookPath("ruby"); err == nil {
		run(t, b.dir, ruby, "-c", "uncoil.rb")
	}
	var manifest struct {
		Version      string
		Architecture map[string]struct{ URL, Hash, Extract_dir string }
	}
	content, _ := os.ReadFile(filepath.Join(b.dir, "uncoil.json"))
	if err := json.Unmarshal(content, &manifest); err != nil || manifest.Version != b.version {
		t.Errorf("%v, version %s", err, manifest.Version)
	}
	for _, name := range []string{"64bit", "arm64"} {
		a := manifest.Architecture[name]
		archive := strings.TrimPrefix(a.URL, b.url+"/")
		if a.Hash == "" || b.sums[archive] != a.Hash || a.Extract_dir+".zip" != archive {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

// TestBOM checks the list of what a program consists of.
func TestBOM(t *testing.T) {
	b := newBuild(t)
	var bom struct {
		BOMFormat, SpecVersion, SerialNumber string
		Metadata                             struct {
			Component struct{ Hashes []struct{ Content string } }
		}
		Components []struct{ PURL string }
	}
	name := systems[0].name()
	content, err := os.ReadFile(filepath.Join(b.dir, name+".cdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(content, &bom); err != nil {
		t.Fatal(err)
	}
	if bom.BOMFormat != "CycloneDX" || bom.SpecVersion != "1.6" || !regexp.MustCompile(`^urn:uuid:[0-9a-f-]{36}$`).MatchString(bom.SerialNumber) {
		t.Errorf("%s", content)
	}
	if hashes := bom.Metadata.Component.Hashes; len(hashes) != 1 || hashes[0].Content != b.sums[name] {
		t.Errorf("the hash is %v, not %s", hashes, b.sums[name])
	}
	if len(bom.Components) != 2 || bom.Components[0].PURL != "pkg:golang/std@1.26.8" || bom.Components[1].PURL != "pkg:golang/golang.org/x/net@v0.50.0" {
		t.Errorf("%+v", bom.Components)
	}
}

func run(t *testing.T, dir, program string, args ...string) string {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%s %v: %v\n%s", program, args, err, out)
	}
	return string(out)
}
