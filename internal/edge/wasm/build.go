// Package wasm builds programs for WebAssembly: the engine and the command line for
// JavaScript, with the script that starts them and their licences, and the engine for
// hosts with WASI. It runs the go command, so only
// builds and tests import it; no released program does.
package wasm

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A Program is a main package and the tags with which it is built.
type Program struct{ Package, Tags string }

// The programs.
var (
	Engine      = Program{Package: "uncoil/cmd/uncoil-wasm"}
	Parser      = Program{Engine.Package, "uncoil_parse"} // the engine without programs
	CommandLine = Program{Package: "uncoil/cmd/uncoil"}
	WASI        = Program{Package: "uncoil/cmd/uncoil-wasi"} // which is for no JavaScript
)

// An Inlining says in which packages functions are inlined.
type Inlining string

const (
	// Small inlines nothing: the download is a tenth smaller than with Fast.
	Small Inlining = "all=-l"
	// Fast inlines in all packages but those of the targets, which would grow by a
	// quarter of the program: an answer takes 0.6 times as long.
	Fast Inlining = "uncoil/code/...=-l"
)

// Build writes a program into the file out, without symbols and with its data in few segments.
// root is the directory of the module.
func Build(root string, program Program, out string, inlining Inlining) error {
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	system, mode := "js", "default"
	if program == WASI {
		system, mode = "wasip1", "c-shared" // a reactor: its functions are called, and it has no end
	}
	if _, err = goCommand(root, system, "build", "-buildmode="+mode, "-o", out, "-trimpath", "-ldflags=-s -w", "-gcflags="+string(inlining), "-tags="+program.Tags, program.Package); err != nil {
		return err
	}
	module, err := os.ReadFile(out)
	if err == nil {
		module, err = joinSegments(module)
	}
	if err != nil {
		return err
	}
	// Half a file would look up to date to the go command.
	whole := out + ".joined"
	if err := os.WriteFile(whole, module, 0o777); err != nil {
		return err
	}
	return os.Rename(whole, out)
}

// Imports returns the import paths of all that the engine consists of.
func Imports(root string) ([]string, error) {
	listed, err := goCommand(root, "js", "list", "-deps", Engine.Package)
	return strings.Fields(listed), err
}

// Exec returns the script of the Go distribution that runs such a program.
func Exec(root string) ([]byte, error) {
	goroot, err := goCommand(root, "js", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(strings.TrimSpace(goroot), "lib", "wasm", "wasm_exec.js"))
}

// Licenses returns the licences of Go and of the modules that are part of programs,
// which ask to go along with them.
func Licenses(root string, programs ...Program) ([]byte, error) {
	goroot, err := goCommand(root, "js", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	args := []string{"list", "-deps", "-f", `{{with .Module}}{{if not .Main}}{{.Path}}={{.Dir}}{{end}}{{end}}`}
	for _, program := range programs {
		args = append(args, program.Package)
	}
	listed, err := goCommand(root, "js", args...)
	if err != nil {
		return nil, err
	}
	text := []byte("The engine is compiled from uncoil, under the Apache License 2.0, and from:\n")
	add := func(name, dir string) error {
		license, err := os.ReadFile(filepath.Join(dir, "LICENSE"))
		text = fmt.Appendf(text, "\n\n%s\n%s\n\n%s", name, strings.Repeat("-", len(name)), license)
		return err
	}
	if err := add("Go, with wasm_exec.js", strings.TrimSpace(goroot)); err != nil {
		return nil, err
	}
	seen := make(map[string]bool)
	for line := range strings.Lines(listed) {
		name, dir, ok := strings.Cut(strings.TrimSpace(line), "=")
		if !ok || seen[name] {
			continue
		}
		seen[name] = true
		if err := add(name, dir); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// goCommand runs the go command for a system.
func goCommand(root, system string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH=wasm", "GOWORK=off", "GOFLAGS=")
	var problem strings.Builder
	cmd.Stderr = &problem
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, problem.String())
	}
	return string(out), nil
}
