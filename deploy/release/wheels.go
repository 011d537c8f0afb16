package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// writeWheels writes the wheels for Python, with the script that anybody may build one
// with.
func (b *build) writeWheels() error {
	stage, err := os.MkdirTemp("", "uncoil-wheels-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(stage)
	licenses := filepath.Join(stage, "LICENSES.txt")
	if err := os.WriteFile(licenses, b.licenses, 0o666); err != nil {
		return err
	}
	args := []string{filepath.Join(root, "python", "wheel.py"), "--licenses", licenses, stage}
	for _, s := range b.systems {
		args = append(args, filepath.Join(b.dir, s.program()))
	}
	if out, err := exec.Command("python3", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("wheel.py: %w\n%s", err, out)
	}
	wheels, err := filepath.Glob(filepath.Join(stage, "*.whl"))
	if err != nil {
		return err
	}
	if len(wheels) != len(b.systems) {
		return fmt.Errorf("wheel.py wrote %d wheels for %d systems", len(wheels), len(b.systems))
	}
	for _, wheel := range wheels {
		content, err := os.ReadFile(wheel)
		if err != nil {
			return err
		}
		if err := b.write(filepath.Base(wheel), content); err != nil {
			return err
		}
	}
	return nil
}
