package code_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/request"
)

var bruBlock = regexp.MustCompile(`^[a-z]+(:[a-z0-9-]+)? \{$`)

// readBru reads the blocks of a file of Bru markup: what stands in each, without
// its indentation.
func readBru(t *testing.T, s string) map[string]string {
	blocks := make(map[string]string)
	name := ""
	for line := range strings.SplitSeq(strings.TrimSuffix(s, "\n"), "\n") {
		switch {
		case name == "" && line == "":
		case name == "" && bruBlock.MatchString(line):
			name = strings.TrimSuffix(line, " {")
			if _, twice := blocks[name]; twice {
				t.Errorf("two blocks %s", name)
			}
			blocks[name] = ""
		case name != "" && line == "}":
			name = ""
		case name != "" && (strings.HasPrefix(line, "  ") || line == ""):
			blocks[name] += strings.TrimPrefix(line, "  ") + "\n"
		default:
			t.Errorf("no line of the grammar: %q in\n%s", line, s)
			return blocks
		}
	}
	if name != "" {
		t.Errorf("the block %s has no end", name)
	}
	return blocks
}

// TestBruno reads the files for commands, and compares them with the requests.
func TestBruno(t *testing.T) {
	eachFile(t, "bruno", func(command string, requests []request.Request, _ []byte) {
		target, _ := code.Lookup("bruno")
		file, diags := target.Compose(nil, requests, code.Options{Style: code.StyleExact, KeepVariables: true})
		if diags.Err() != nil {
			return
		}
		blocks, want := readBru(t, string(file)), target.Spelled(&requests[0])
		line, ok := blocks[strings.ToLower(want.Method)]
		if !ok {
			line = blocks["http"]
		}
		if !strings.Contains("\n"+line, "\nurl: "+want.URL+"\n") {
			t.Errorf("%s\n%s\nhas another URL than %s", command, file, want.URL)
		}
		if want.Body != nil && want.Body.Kind.Known() && !strings.Contains(string(file), `{\u007b`) {
			content := blocks["body:text"] + blocks["body:json"] + blocks["body:xml"]
			if form, ok := blocks["body:form-urlencoded"]; ok {
				content = ""
				for line := range strings.SplitSeq(strings.TrimSuffix(form, "\n"), "\n") {
					name, value, _ := strings.Cut(line, ":")
					content += "&" + url.QueryEscape(strings.Trim(name, `"`)) + "=" + url.QueryEscape(strings.TrimPrefix(value, " "))
				}
				content = strings.NewReplacer("~", "%7E", "%2A", "*").Replace(content[1:]) // as URLSearchParams
			}
			if strings.TrimSuffix(content, "\n") != want.Body.Data {
				t.Errorf("%s\n%s\nhas the content %q", command, file, content)
			}
		}
	})
}
