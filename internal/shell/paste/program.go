package paste

import (
	"strings"

	"uncoil/internal/ascii"
)

// IsCurl reports whether a word names curl: by its path, and with or without
// .exe.
func IsCurl(text string) bool {
	if text == "curl" {
		return true
	}
	if i := strings.LastIndexAny(text, `/\`); i >= 0 {
		text = text[i+1:]
	}
	return ascii.EqualFold(text, "curl") || ascii.EqualFold(text, "curl.exe")
}

// IsAssignment reports whether a word assigns to a variable: NAME=value.
func IsAssignment(text string) bool {
	n := ascii.NameLength(text)
	return n > 0 && n < len(text) && text[n] == '='
}

// IsMarker reports what begins an item of a list: -, *, •, 1., 2).
func IsMarker(text string) bool {
	switch text {
	case "-", "*", "•", "–":
		return true
	}
	digits := strings.TrimLeft(text, "0123456789")
	return len(digits) < len(text) && (digits == "." || digits == ")")
}

// IsPrompt reports a word that can only be the end of a prompt.
func IsPrompt(text string) bool {
	switch text {
	case "$", "%", "#", ">", "❯", "➜", "λ", "!":
		return true
	}
	return false
}

// WrapperOptions returns which letters of a command that runs another one
// take an argument, or the empty string for other commands. A
// leading space stands for no letters.
func WrapperOptions(text string) string {
	switch text {
	case "sudo":
		return "ugCpThUrtD"
	case "doas":
		return "uC"
	case "time":
		return "fo"
	case "env":
		return "uCS"
	case "nice":
		return "n"
	case "watch":
		return "nq"
	case "timeout":
		return "ks"
	case "stdbuf":
		return "ioe"
	case "RUN", "CMD", "ENTRYPOINT", "HEALTHCHECK": // of a Dockerfile
		return " "
	case "wsl", "run:", "command:", "cmd:", "test:", "script:", // the last are of YAML
		"exec", "command", "builtin", "nohup", "noglob", "winpty", "setsid", "proxychains", "proxychains4", "torsocks", "then", "do", "else":
		return " "
	}
	return ""
}

// RunsElsewhere reports whether a command runs another one in a container
// or a namespace. Its
// options are not known here. xargs is not one, because it makes up arguments.
func RunsElsewhere(text string) bool {
	switch text {
	case "docker", "docker-compose", "podman", "nerdctl", "kubectl", "oc",
		"lxc", "nsenter", "chroot", "crictl", "multipass", "ip":
		return true
	}
	return false
}
