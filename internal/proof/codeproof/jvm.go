package codeproof

import (
	"context"
	_ "embed"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Judges returns the path of what tools/judges/install.sh installed, in the folder that
// UNCOIL_JUDGES names.
func Judges(elements ...string) string {
	return filepath.Join(append([]string{os.Getenv("UNCOIL_JUDGES")}, elements...)...)
}

// Jars returns the class path of judges that are jars, whose first has no other's.
func Jars(folders ...string) string {
	var jars []string
	for _, folder := range folders {
		found, _ := filepath.Glob(Judges("maven", folder, "*.jar"))
		jars = append(jars, found...)
	}
	return strings.Join(jars, ":")
}

// A jvmProgram is how the programs of a target become classes, and which of these is run.
type jvmProgram struct{ language, file, main string }

var (
	javaProgram   = jvmProgram{"java", "Main.java", "Main"}
	kotlinProgram = jvmProgram{"kotlin", "Main.kt", "MainKt"}
)

// jvm returns the runtime of programs that a compiler, itself a judge unless it is Java's,
// makes classes of, with the judges that they use. name tells one of several for a target.
func jvm(target, name string, p jvmProgram, compiler string, clients ...string) *Runtime {
	folders := clients
	if compiler != "javac" {
		folders = append(folders[:len(folders):len(folders)], compiler)
	}
	first := folders[0]
	r := &Runtime{Target: target, Client: name, Judged: true, File: p.file,
		Version: []string{"bash", "-c", `[ -n "$UNCOIL_JUDGES" ] && cd "$UNCOIL_JUDGES/maven" && cat ` + strings.Join(folders, "/.version ") + `/.version >/dev/null && head -n 1 ` + first + `/.version | sed 's/.*://'`}}
	path := Jars(append([]string{"javac"}, folders...)...)
	r.Command = []string{"java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-cp", "classes:" + path, p.main}
	r.compile = func(dir, file string) error {
		out := filepath.Join(dir, "classes")
		if err := os.Mkdir(out, 0o755); err != nil {
			return err
		}
		return theCompiler.compile(p.language, Judges("maven", compiler), out, path, filepath.Join(dir, file))
	}
	return r
}

//go:embed compiler/Compiler.java
var compilerSource []byte

// A compilerProcess compiles programs, one after the other.
type compilerProcess struct {
	mu sync.Mutex
	*answerer
}

var theCompiler compilerProcess

func (c *compilerProcess) start() error {
	if c.answerer != nil {
		return nil
	}
	dir, err := os.MkdirTemp("", "uncoil-compiler")
	if err != nil {
		return err
	}
	source := filepath.Join(dir, "Compiler.java")
	if err := os.WriteFile(source, compilerSource, 0o644); err != nil {
		return err
	}
	c.answerer, err = startAnswerer("java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx1500m", "-Dkotlin.environment.keepalive=true", source)
	return err
}

// compile makes the classes of a file of source in a folder.
func (c *compilerProcess) compile(language, compiler, out, path, file string) error {
	arguments := []string{"-d", out, "-cp", path, file}
	switch language {
	case "java":
		arguments = append([]string{"-nowarn", "-proc:none"}, arguments...)
	case "kotlin":
		arguments = append([]string{"-no-stdlib", "-no-reflect", "-nowarn"}, arguments...)
	case "scala2", "scala3":
		arguments = append([]string{"-nowarn"}, arguments...)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.start(); err != nil {
		return err
	}
	answer, err := c.ask(context.Background(), []byte(strings.Join(append([]string{language, compiler}, arguments...), "\t")))
	if err == nil && answer != "ok\n" {
		err = errors.New(strings.ReplaceAll(answer, `\n`, "\n"))
	}
	return err
}
