//go:build light

package main

import "testing"

func TestFullName(t *testing.T) {
	for own, want := range map[string]string{
		"uncoil": "uncoil-full", "uncoil.exe": "uncoil-full.exe", "uncoil-linux-arm64": "uncoil-full-linux-arm64",
		"uncoil-windows-amd64.exe": "uncoil-full-windows-amd64.exe", "what": "uncoil-full", "what.exe": "uncoil-full.exe",
	} {
		if got := fullName(own); got != want {
			t.Errorf("beside %s, it is %s, want %s", own, got, want)
		}
	}
}
