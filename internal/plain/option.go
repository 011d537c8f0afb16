package plain

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/curl"
)

// An option is what an option of curl comes to here.
type option uint8

const (
	unknown    option = iota
	ignored           // changes nothing of the four members
	remoteName        // -O
	head              // -I
	get               // -G
	arguments         // those behind it take an argument
	request
	headerLine
	data
	dataBinary // keeps the line breaks of a file
	dataRaw    // takes a leading @ as it is
	dataUrlencode
	json
	user
	userAgent
	referer
	cookie
	output
	cookieJar
	seconds
	writeOut
	urlOption
	protocols
	upload
	form
	formString
)

// long reads an option by its name.
func (c *command) long(name string, s *scanner) bool {
	o := longOption(name)
	if o < arguments {
		return c.set(o)
	}
	return s.next() && c.setNext(o, s)
}

// short reads a cluster of letters, of which the last may have its argument
// behind it.
func (c *command) short(letters string, s *scanner) bool {
	for i := range len(letters) {
		if i > 0 {
			s.words++
		}
		o := shortOptions[letters[i]]
		if o > arguments {
			if i+1 < len(letters) {
				return !s.holed && c.setArgument(o, letters[i+1:])
			}
			return s.next() && c.setNext(o, s)
		}
		if !c.set(o) {
			return false
		}
	}
	return true
}

func longOption(name string) option {
	switch name {
	case "request":
		return request
	case "header":
		return headerLine
	case "data", "data-ascii":
		return data
	case "data-binary":
		return dataBinary
	case "data-raw":
		return dataRaw
	case "data-urlencode":
		return dataUrlencode
	case "json":
		return json
	case "user":
		return user
	case "user-agent":
		return userAgent
	case "referer":
		return referer
	case "cookie":
		return cookie
	case "head":
		return head
	case "get":
		return get
	case "output":
		return output
	case "cookie-jar":
		return cookieJar
	case "remote-name":
		return remoteName
	case "max-time", "connect-timeout":
		return seconds
	case "write-out":
		return writeOut
	case "url":
		return urlOption
	case "proto":
		return protocols
	case "upload-file":
		return upload
	case "form":
		return form
	case "form-string":
		return formString
	case "silent", "show-error", "insecure", "location", "location-trusted", "include", "verbose", "fail", "no-buffer", "progress-bar", "compressed",
		"tlsv1.2", "tlsv1.3", "ipv4", "ipv6", "no-progress-meter", "http1.1", "http2":
		return ignored
	}
	return unknown
}

// shortOptions are the options by their letter.
var shortOptions = [256]option{
	'X': request, 'H': headerLine, 'd': data, 'u': user, 'A': userAgent, 'e': referer, 'b': cookie, 'I': head, 'G': get,
	'o': output, 'O': remoteName, 'T': upload, 'F': form, 'c': cookieJar, 'm': seconds, 'w': writeOut,
	's': ignored, 'S': ignored, 'k': ignored, 'L': ignored, 'i': ignored, 'v': ignored, 'f': ignored, 'N': ignored, '#': ignored, '4': ignored, '6': ignored,
}

// set reads an option without an argument.
func (c *command) set(o option) bool {
	switch o {
	case head:
		c.head = true
	case get:
		c.get = true
	case remoteName:
		first := !c.output
		c.output = true
		return first
	}
	return o != unknown
}

// setNext reads an option whose argument is the next word. Variables are kept
// in texts, but not in what has to be taken apart.
func (c *command) setNext(o option, s *scanner) bool {
	if o == urlOption {
		return c.setURL(s.word, s.holed)
	}
	if s.holed {
		return c.setHoled(o, s.word)
	}
	switch o {
	case data, dataBinary, json:
		if len(s.word) > 1 && s.word[0] == '@' && s.word != "@-" {
			return c.readData(s.word[1:], s)
		}
	case upload:
		return s.word != "-" && s.word != "." && !strings.ContainsAny(s.word, "[{") && c.readData(s.word, s)
	case cookie:
		if strings.IndexByte(s.word, '=') < 0 {
			return s.word != "-" && c.readFile(s.word, s)
		}
	}
	return c.setArgument(o, s.word)
}

// setHoled reads an option whose argument holds a variable.
func (c *command) setHoled(o option, argument string) bool {
	switch o {
	case data, dataBinary, json:
		if strings.HasPrefix(argument, "@") {
			return false
		}
		c.holedData = true
	case dataRaw:
		c.holedData = true
	case dataUrlencode:
		name, content, _ := strings.Cut(argument, "=")
		c.holedData = true
		return isName(name) && isVariable(content) && c.addData(o, argument) // a variable stays as it is
	case request:
		return isVariable(argument) && setOnce(&c.method, argument)
	case headerLine, user, userAgent, referer, cookie, output:
	default:
		return false
	}
	return c.setArgument(o, argument)
}

// setArgument reads an option with its argument.
func (c *command) setArgument(o option, argument string) bool {
	switch o {
	case request:
		return isMethod(argument) && setOnce(&c.method, argument)
	case headerLine:
		return c.addHeader(argument)
	case data, dataBinary, json:
		if argument == "@-" {
			return c.readStdin(o)
		}
		return !strings.HasPrefix(argument, "@") && c.addData(o, argument)
	case dataRaw:
		return c.addData(o, argument)
	case dataUrlencode:
		name, content, ok := strings.Cut(argument, "=")
		return ok && isName(name) && c.addEncoded(name, content)
	case user:
		colon := strings.IndexByte(argument, ':')
		return colon >= 0 && argument != ":" && argument[0] != ';' && setOnce(&c.user, argument)
	case userAgent:
		return isText(argument) && setOnce(&c.agent, argument)
	case referer:
		return isText(argument) && !strings.Contains(argument, ";") && setOnce(&c.referer, argument)
	case cookie:
		return isText(argument) && strings.IndexByte(argument, '=') > 0 && setOnce(&c.cookie, argument)
	case output:
		first := !c.output
		c.output = true
		return first && isText(argument) && argument != ""
	case cookieJar:
		return isText(argument) && argument != ""
	case seconds:
		return isNumber(argument)
	case writeOut:
		return !strings.HasPrefix(argument, "@")
	case form, formString:
		return c.addPart(o, argument)
	case protocols:
		c.secure = true
		return argument == "=https"
	}
	return false
}

// addData appends data to what there is.
func (c *command) addData(o option, text string) bool {
	if !c.beginData(o) {
		return false
	}
	if c.joined == nil {
		c.data = text
	} else {
		c.joined = append(c.joined, text...)
	}
	return true
}

// addEncoded appends the data name=content, with the content percent-encoded.
func (c *command) addEncoded(name, content string) bool {
	if !c.beginData(dataUrlencode) {
		return false
	}
	if c.joined == nil {
		c.joined = make([]byte, 0, joinedRoom)
	}
	c.joined = curl.AppendForm(append(append(c.joined, name...), '='), content)
	return true
}

// joinedRoom is how much data of several pieces there is room for at first.
const joinedRoom = 512

// beginData reports whether data may follow what there is, and sets that off.
func (c *command) beginData(o option) bool {
	if c.stdin != unknown || c.dataInFile || c.hasData && (o == json || c.json || c.data == "" && c.joined == nil) {
		return false
	}
	if c.hasData && c.joined == nil {
		c.joined = append(make([]byte, 0, max(joinedRoom, 2*len(c.data))), c.data...)
	}
	if c.hasData {
		c.joined = append(c.joined, '&')
	}
	c.hasData, c.json = true, o == json
	return true
}

// readStdin says that standard input is the data.
func (c *command) readStdin(o option) bool {
	first := !c.hasData
	c.hasData, c.json, c.stdin = true, o == json, o
	return first
}

// readData says that a file is the data.
func (c *command) readData(name string, s *scanner) bool {
	first := !c.hasData
	c.hasData, c.dataInFile = true, true
	return first && c.readFile(name, s)
}

// readFile says that the file that the word names is read.
func (c *command) readFile(name string, s *scanner) bool {
	first := c.file == ""
	c.file = name
	c.fileSpan = diag.Span{Start: int32(s.start), End: int32(s.i)}
	joined := s.i < len(s.src) && s.src[s.i] == '\\' // by what the full grammar counts in
	return first && !joined && name != "" && isText(name) && !strings.HasPrefix(name, "/dev/")
}

// setOnce sets what may be given once.
func setOnce(to *string, argument string) bool {
	first := *to == ""
	*to = argument
	return first && argument != ""
}

func isMethod(s string) bool {
	for i := range len(s) {
		if s[i]|0x20 < 'a' || s[i]|0x20 > 'z' {
			return false
		}
	}
	return true
}

func isVariable(s string) bool {
	return strings.HasPrefix(s, "$") && variableLength(s) == len(s)
}

func isNumber(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != "" && len(s) < 6
}
