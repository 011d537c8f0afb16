package posix

import (
	"strings"

	"uncoil/internal/engine/source/word"
	"uncoil/request"
)

// A digest is what a program prints of a hash or an HMAC, before others make a value of
// that. It is a From only between two commands of a pipe.
type digest struct {
	request.Encoded
	as digestForm
}

// A digestForm says how a program prints a digest.
type digestForm uint8

const (
	bytesOnly  digestForm = iota // openssl dgst -binary
	firstField                   // sha256sum: the digits, and the name of the file
	lastField                    // openssl dgst: the name of the hash, and the digits
	inLines                      // digits or Base64 that may be broken into lines
)

// hashSizes are the hashes, and how many bytes they have.
var hashSizes = map[string]int{"md5": 16, "sha1": 20, "sha224": 28, "sha256": 32, "sha384": 48, "sha512": 64}

// encodes reports whether encoded may know a command.
func encodes(name string) bool {
	switch name {
	case "base64", "openssl", "shasum":
		return true
	}
	hash, found := strings.CutSuffix(name, "sum")
	return found && hashSizes[hash] > 0
}

// encoded returns what a program prints that encodes or hashes the text that it reads,
// or nil.
func (r *reader) encoded(args []word.Word, stdin *word.Input) *word.Input {
	if stdin == nil || !stdin.Known || stdin.Kept && stdin.Holes == nil || isComputed(stdin.Holes) {
		return nil
	}
	words := make([]string, len(args))
	if !r.hold(textSize * len(args)) {
		return nil
	}
	var key *word.Operand
	for i := range args {
		words[i] = args[i].Text
		if i > 0 && args[i-1].Text == "-hmac" && args[i].Text != "" && !isComputed(args[i].Holes) {
			key = &word.Operand{Text: args[i].Text, Holes: args[i].Holes}
		} else if len(args[i].Holes) > 0 {
			return nil
		}
	}
	name, words := words[0], words[1:]
	switch f := hashing(name, words, key != nil); {
	case f != nil:
		return r.made(f, word.Operand{Text: stdin.Text, Holes: stdin.Holes}, key)
	case key == nil && stdin.Kept && base64Width(name, words) >= 0: // of known text printed knows it
		return r.made(&request.Encoded{Base64: true}, word.Operand{Text: stdin.Text, Holes: stdin.Holes}, nil)
	}
	return nil
}

// isComputed reports whether the shell computes more of one of the holes than the value
// of a variable.
func isComputed(holes []word.Hole) bool {
	for i := range holes {
		if holes[i].Computed {
			return true
		}
	}
	return false
}

// made returns input that comes from operands.
func (r *reader) made(f request.From, text word.Operand, key *word.Operand) *word.Input {
	size := word.OperandSize + len(text.Text) + word.VariableSize*len(text.Holes)
	if key != nil {
		size += word.OperandSize + len(key.Text) + word.VariableSize*len(key.Holes)
	}
	if !r.hold(size) || !r.pay(size) {
		return nil
	}
	of := word.NewOperands(text, key)
	if of == nil {
		return nil
	}
	made := r.from(f, nil)
	if made.From != nil {
		made.From.Of = of
	}
	return made
}

// hashing returns what a program prints that hashes what it reads, or nil.
func hashing(name string, args []string, keyed bool) request.From {
	if name == "openssl" {
		return opensslHashing(args, keyed)
	}
	if keyed {
		return nil
	}
	if n := len(args); n > 0 && args[n-1] == "-" {
		args = args[:n-1]
	}
	hash := strings.TrimSuffix(name, "sum")
	if name == "shasum" { // of Perl, which macOS has
		hash = "sha1"
		if algorithm, found := strings.CutPrefix(strings.Join(args, ""), "-a"); found && len(args) <= 2 {
			hash, args = "sha"+algorithm, nil
		}
	}
	if len(args) > 0 || hashSizes[hash] == 0 {
		return nil
	}
	return &digest{Encoded: request.Encoded{Hash: hash}, as: firstField}
}

// opensslHashing is hashing of openssl dgst -sha256, or openssl sha256.
func opensslHashing(args []string, keyed bool) request.From {
	d := &digest{as: lastField}
	for i := 0; i < len(args); i++ {
		name := strings.TrimPrefix(args[i], "-")
		switch {
		case i == 0 && args[i] == "dgst", name == "hex" && i > 0:
		case i == 0 && hashSizes[args[i]] > 0, i > 0 && name != args[i] && hashSizes[name] > 0 && d.Hash == "":
			d.Hash = name
		case name == "binary" && i > 0:
			d.as = bytesOnly
		case name == "r" && i > 0 && d.as == lastField:
			d.as = firstField
		case name == "hmac" && i > 0 && keyed && i+1 < len(args):
			i++
		default:
			return nil
		}
	}
	if d.Hash == "" {
		return nil
	}
	return d
}

// base64Width returns after how many characters a program that prints Base64 breaks a
// line; 0 for never, and less for another program.
func base64Width(name string, args []string) int {
	command := strings.Join(args, " ")
	switch name {
	case "base64":
		switch command {
		case "", "-":
			return 76
		case "-w0", "-w 0", "--wrap=0", "--wrap 0":
			return 0
		}
	case "openssl":
		command = strings.Replace(command, "enc -base64", "base64", 1)
		command = strings.Replace(command, "enc -a", "base64", 1)
		switch strings.Replace(command, " -e", "", 1) {
		case "base64":
			return 64
		case "base64 -A":
			return 0
		}
	}
	return -1
}

// digested returns what a command makes of a digest.
func (r *reader) digested(args []string, origin *word.Origin, d *digest) *word.Input {
	next := *d
	size := hashSizes[d.Hash]
	switch d.as {
	case bytesOnly:
		width, length := base64Width(args[0], args[1:]), (size+2)/3*4
		next.Base64 = width >= 0
		if !next.Base64 {
			width, length = hexWidth(args), 2*size
		}
		switch {
		case width < 0:
			return &unknown
		case width > 0 && length > width:
			next.as = inLines
			return r.passedOn(&next, origin)
		}
	case firstField:
		if !isFirstField(args, 2*size) {
			return &unknown
		}
	case lastField:
		if !isLastField(args) {
			return &unknown
		}
	case inLines:
		if !isTrim(args) {
			return &unknown
		}
	}
	return r.passedOn(&next.Encoded, origin)
}

// passedOn returns input of the same operands.
func (r *reader) passedOn(f request.From, origin *word.Origin) *word.Input {
	made := r.from(f, nil)
	if made.From != nil {
		made.From.Of = origin.Of
	}
	return made
}

// hexWidth returns after how many digits xxd breaks a line; less for another program.
func hexWidth(args []string) int {
	switch strings.Join(args, " ") {
	case "xxd -p", "xxd -ps", "xxd -plain":
		return 60
	case "xxd -p -c 256", "xxd -p -c256", "xxd -c 256 -p", "xxd -c256 -p", "xxd -p -c 128", "xxd -p -c 64":
		return 0
	}
	return -1
}

// isFirstField reports a command that prints so many digits, which a blank follows in
// what it reads.
func isFirstField(args []string, digits int) bool {
	name, command := args[0], strings.Join(args[1:], " ")
	switch name {
	case "cut":
		if isCutAtBlanks(command, "1") {
			return true
		}
		command, _ = strings.CutPrefix(command, "-c")
		return strings.TrimPrefix(strings.TrimPrefix(command, " "), "1-") == formatInt(int64(digits))
	case "head":
		return command == "-c "+formatInt(int64(digits)) || command == "-c"+formatInt(int64(digits))
	case "awk":
		return isAwkPrint(args[1:], "$1")
	case "sed":
		return command == "s/ .*//" || command == "s/ .*$//"
	}
	return false
}

// isCutAtBlanks reports the arguments of cut with which it prints one field of those that
// a blank ends.
func isCutAtBlanks(command, field string) bool {
	switch strings.Replace(command, "-f "+field, "-f"+field, 1) {
	case "-d  -f" + field, "-d   -f" + field, "-f" + field + " -d ", "-f" + field + " -d  ":
		return true
	}
	return false
}

// isLastField reports a command that prints what follows the last blank in what it reads.
func isLastField(args []string) bool {
	name, command := args[0], strings.Join(args[1:], " ")
	switch name {
	case "cut":
		return isCutAtBlanks(command, "2")
	case "awk":
		return isAwkPrint(args[1:], "$2") || isAwkPrint(args[1:], "$NF") || len(args) == 3 && args[1] == "-F= " && isAwkPrint(args[2:], "$2")
	case "sed":
		command = strings.TrimPrefix(command, "-e ")
		command = strings.Replace(command, "s/^.*", "s/.*", 1)
		return command == "s/.* //" || command == "s/.*= //" || command == "s/.*= *//"
	}
	return false
}

// isAwkPrint reports a program for awk that prints one field.
func isAwkPrint(args []string, field string) bool {
	return len(args) == 1 && strings.Join(strings.Fields(args[0]), "") == "{print"+field+"}"
}

// A halfSafe is Base64 on its way to be that of URLs. It is a From only between two
// commands of a pipe.
type halfSafe struct {
	request.Encoded
	letters, bare bool // it has - and _, and no = at its end
}

// forURLs returns what tr makes of Base64.
func (r *reader) forURLs(args []string, origin *word.Origin, half *halfSafe) *word.Input {
	next := *half
	switch strings.Join(args, " ") {
	case "tr +/ -_", "tr /+ _-", "tr -- +/ -_":
		next.letters = true
	case "tr -d =", `tr -d =\n`, `tr -d \n=`, "tr -d =\n", "sed s/=//g", "sed s/=*$//", "sed s/=.*$//":
		next.bare = true
	default:
		if !isTrim(args) {
			return &unknown
		}
	}
	if next.letters && next.bare {
		next.URLSafe = true
		return r.passedOn(&next.Encoded, origin)
	}
	return r.passedOn(&next, origin)
}

// isTrim reports tr with which line breaks go.
func isTrim(args []string) bool {
	switch strings.Join(args, " ") {
	case `tr -d \n`, "tr -d \n", `tr -d \r\n`, `tr -d \n\r`:
		return true
	}
	return false
}
