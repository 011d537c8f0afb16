package repo

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The final image contains only the program, which runs as user nobody.
func TestDockerfile(t *testing.T) {
	text, err := os.ReadFile("Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	var last []string // the statements of the last stage
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "FROM ") {
			last = nil
		}
		if line != "" && !strings.HasPrefix(line, "#") {
			last = append(last, line)
		}
	}
	if last[0] != "FROM scratch" {
		t.Errorf("the last stage begins with %s", last[0])
	}
	stage := strings.Join(last, "\n")
	user := regexp.MustCompile(`(?m)^USER (\d+):(\d+)$`).FindStringSubmatch(stage)
	if user == nil || user[1] == "0" || user[2] == "0" {
		t.Errorf("the user is %v: without names, and not root", user)
	}
	if copies := regexp.MustCompile(`(?m)^COPY .*`).FindAllString(stage, -1); len(copies) != 1 || copies[0] != "COPY --from=build /uncoil /uncoil" {
		t.Errorf("it copies %q", copies)
	}
	if !regexp.MustCompile(`(?m)^HEALTHCHECK .*CMD \["/uncoil", "health"\]$`).MatchString(stage) {
		t.Errorf("nothing asks whether it is healthy:\n%s", stage)
	}
	// A flag would beat the variable, which the health check reads.
	if !strings.Contains(stage, "\nENV UNCOIL_ADDR=0.0.0.0:8080\n") || !strings.HasSuffix(stage, "\nCMD [\"serve\"]") {
		t.Errorf("UNCOIL_ADDR does not set the address:\n%s", stage)
	}
	if !strings.Contains(stage, `ENTRYPOINT ["/uncoil"]`) || strings.Contains(stage, "RUN ") {
		t.Errorf("it has no shell:\n%s", stage)
	}
	goMod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	wanted := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindSubmatch(goMod)
	if !strings.Contains(string(text), " golang:"+string(wanted[1])+" AS build") || !strings.Contains(string(text), "CGO_ENABLED=0") {
		t.Errorf("it is not built with Go %s, statically", wanted[1])
	}
}

// The context of the image has all that git tracks, because Go stamps the
// program as modified where a tracked file is missing, and nothing that builds
// and tests leave behind.
func TestDockerignore(t *testing.T) {
	text, err := os.ReadFile(".dockerignore")
	if err != nil {
		t.Fatal(err)
	}
	var patterns []*regexp.Regexp
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		// As https://docs.docker.com/build/concepts/context/#dockerignore-files
		// defines: from the root of the context, with what is below.
		form := strings.NewReplacer(`\*\*/`, `(.*/)?`, `\*`, `[^/]*`).Replace(regexp.QuoteMeta(line))
		patterns = append(patterns, regexp.MustCompile("^"+form+"(/.*)?$"))
	}
	ignored := func(name string) bool {
		return slices.ContainsFunc(patterns, func(p *regexp.Regexp) bool { return p.MatchString(name) })
	}
	for _, name := range []string{
		"bin/uncoil", "dist/man/uncoil.1", "uncoil", "npm/dist/index.mjs", "npm/parse/dist/index.mjs", "web/node_modules/typescript/package.json",
		"npm/node_modules/x/y.js", "uncoil.test", "code/code.test", "bench.out", "internal/edge/api/cpu.prof",
	} {
		if !ignored(name) {
			t.Errorf("%s gets into the image's context", name)
		}
	}
	for _, name := range []string{".git/HEAD", "cmd/uncoil/main.go", "web/engine/.gitignore", "testdata/x.txtar", "npm/src/cli.js"} {
		if ignored(name) {
			t.Errorf("%s is missing from the image's context", name)
		}
	}
	tracked, err := exec.Command("git", "ls-files").Output()
	if err != nil {
		t.Skip("no repository")
	}
	for name := range strings.FieldsSeq(string(tracked)) {
		if ignored(name) {
			t.Errorf("%s is tracked, and missing from the image's context", name)
		}
	}
}

// systemd understands the units, and finds little that the service could do.
func TestUnits(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not installed")
	}
	const unit = "deploy/systemd/uncoil.service"
	out, _ := exec.Command(analyze, "verify", unit, "deploy/systemd/uncoil.socket").CombinedOutput()
	for line := range strings.Lines(string(out)) {
		// The program is not installed where the test runs.
		if strings.Contains(line, "uncoil.") && !strings.Contains(line, "is not executable") {
			t.Errorf("%s", line)
		}
	}
	out, _ = exec.Command(analyze, "security", "--offline=true", "--no-pager", unit).CombinedOutput()
	level := regexp.MustCompile(`Overall exposure level for \S+: ([0-9.]+)`).FindSubmatch(out)
	if level == nil {
		t.Skipf("this systemd-analyze cannot judge a file:\n%s", out)
	}
	if exposure, err := strconv.ParseFloat(string(level[1]), 64); err != nil || exposure > 1.5 {
		t.Errorf("the exposure is %s", level[1])
	}
}

// Every flag that the operations page, the unit and the manifests set exists.
func TestDeploymentFlags(t *testing.T) {
	binary := t.TempDir() + "/uncoil"
	if out, err := exec.Command("go", "build", "-o", binary, "./cmd/uncoil").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	help, err := exec.Command(binary, "help", "serve").Output()
	if err != nil {
		t.Fatal(err)
	}
	flags := make(map[string]bool)
	for _, m := range regexp.MustCompile(`(?m)^  -([a-z-]+)`).FindAllSubmatch(help, -1) {
		flags[string(m[1])] = true
	}
	operations, err := os.ReadFile("docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	for name := range flags {
		variable := "UNCOIL_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
		if !strings.Contains(string(operations), "-"+name) && !strings.Contains(string(operations), variable) && name != "log-format" && name != "log-level" && name != "addr" {
			t.Errorf("docs/operations.md says nothing about -%s", name)
		}
	}
	for _, file := range []string{"docs/operations.md", "deploy/systemd/uncoil.service", "deploy/systemd/uncoil.socket", "deploy/kubernetes/uncoil.yaml"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`UNCOIL_([A-Z_]+)`).FindAllSubmatch(text, -1) {
			if name := strings.ToLower(strings.ReplaceAll(string(m[1]), "_", "-")); !flags[name] {
				t.Errorf("%s sets %s, which is not a flag", file, m[0])
			}
		}
	}
}
