package paste

import (
	"slices"
	"strings"

	"uncoil/internal/engine/ascii"
)

// ShownName returns the name of a command for a message: its beginning, and nothing of an
// assignment, whose value may be a secret.
func ShownName(name string) string {
	const longest = 40
	if len(name) > longest {
		name = name[:longest] + "…"
	}
	name, _, _ = strings.Cut(name, "=")
	return strings.ToValidUTF8(name, "?")
}

// IsCurl reports whether a word names curl: by its path, and with or without
// .exe.
func IsCurl(text string) bool {
	if text == "curl" {
		return true
	}
	if n := len(text) - len(".exe"); n > 0 && ascii.EqualFold(text[n:], ".exe") {
		text = text[:n]
	}
	n := len(text) - len("curl")
	return n >= 0 && ascii.EqualFold(text[n:], "curl") && (n == 0 || text[n-1] == '/' || text[n-1] == '\\')
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
	n := 0
	for n < len(text) && ascii.IsDigit(text[n]) {
		n++
	}
	return n > 0 && (text[n:] == "." || text[n:] == ")")
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
	case "call", "wsl", "run:", "command:", "cmd:", "test:", "script:", // the last are of YAML
		"exec", "command", "builtin", "nohup", "noglob", "winpty", "setsid", "proxychains", "proxychains4", "torsocks", "then", "do", "else", "if", "while", "until":
		return " "
	}
	return ""
}

// RunsElsewhere reports whether a command runs another one in a container or a namespace. Its
// options are not known here. xargs is not one, because it makes up arguments.
func RunsElsewhere(text string) bool {
	switch text {
	case "docker", "docker-compose", "podman", "nerdctl", "kubectl", "oc",
		"lxc", "incus", "nsenter", "chroot", "crictl", "multipass", "ip":
		return true
	}
	return false
}

// viewers are programs behind a pipe that show what they read, or a part of it.
var viewers = strings.Fields("bat cat cut column egrep fgrep fx grep gron head jid jless jq json json_pp json_reformat less more most nl pygmentize rg sort tail tr ts uniq wc xmllint xq yq")

// Views reports whether a program with so many arguments behind a pipe shows what it reads, or a
// part of it. With a file, tee does more.
func Views(name string, arguments int) bool {
	return name == "tee" && arguments == 0 || slices.Contains(viewers, name)
}
