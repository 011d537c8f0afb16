// Package wasm builds cmd/uncoil-wasm, the engine for JavaScript, with the
// script that starts it and its licences. It runs the go command, so only
// builds and tests import it; no released program does.
package wasm

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const program = "uncoil/cmd/uncoil-wasm"

// flags make the program small: without symbols and inlining the download is a
// seventh smaller, and an answer still takes less than a millisecond.
var flags = []string{"-trimpath", "-ldflags=-s -w", "-gcflags=all=-l"}

// WithoutCode is the tag of an engine that writes no programs: see
// code/targets_none.go.
const WithoutCode = "nocode"

// Build writes the engine into the file out. root is the directory of the
// module.
func Build(root, out string, tags ...string) error {
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	args := append([]string{"build", "-o", out, "-tags", strings.Join(tags, ",")}, flags...)
	_, err = goCommand(root, append(args, program)...)
	return err
}

// Imports returns the import paths of all that the engine consists of.
func Imports(root string) ([]string, error) {
	listed, err := goCommand(root, "list", "-deps", program)
	return strings.Fields(listed), err
}

// Exec returns the script of the Go distribution that runs such a program.
func Exec(root string) ([]byte, error) {
	goroot, err := goCommand(root, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(strings.TrimSpace(goroot), "lib", "wasm", "wasm_exec.js"))
}

// Licenses returns the licences of Go and of the modules that are part of the
// engine, which ask to go along with it.
func Licenses(root string) ([]byte, error) {
	goroot, err := goCommand(root, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	listed, err := goCommand(root, "list", "-deps", "-f", `{{with .Module}}{{if not .Main}}{{.Path}}={{.Dir}}{{end}}{{end}}`, program)
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

// goCommand runs the go command for the engine's system.
func goCommand(root string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOWORK=off", "GOFLAGS=")
	var problem strings.Builder
	cmd.Stderr = &problem
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, problem.String())
	}
	return string(out), nil
}
