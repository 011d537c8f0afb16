package code_test

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/request"
)

var (
	hclBlock     = regexp.MustCompile(`^ *[a-z_]+( "[^"]*")* \{$`)
	hclAttribute = regexp.MustCompile(`^ *([A-Za-z_][A-Za-z0-9_-]*|"(?:[^"\\]|\\.)*") += (.*)$`)
)

// readHCL reads the blocks and attributes of a file, by the grammar of
// hclsyntax/spec.md as far as the target writes it: the attributes of each data
// source.
func readHCL(s string) (sources []map[string]string, err error) {
	depth := 0
	var source map[string]string
	for line := range strings.SplitSeq(strings.TrimSuffix(s, "\n"), "\n") {
		switch m := hclAttribute.FindStringSubmatch(line); {
		case line == "" || strings.HasPrefix(strings.TrimSpace(line), "#"):
		case strings.TrimSpace(line) == "}":
			if depth--; depth == 0 {
				source = nil
			}
		case hclBlock.MatchString(line):
			if strings.HasPrefix(line, "data ") {
				source = make(map[string]string)
				sources = append(sources, source)
			}
			depth++
		case m != nil && m[2] == "{":
			depth++
		case m != nil && depth > 0:
			if source != nil && depth == 1 {
				source[m[1]] = m[2]
			}
		default:
			return nil, errors.New("no line of the grammar: " + line)
		}
	}
	if depth != 0 {
		err = errors.New("a block without an end")
	}
	return sources, err
}

// unquoteHCL returns what a quoted template without variables stands for.
func unquoteHCL(s string) (string, error) {
	for _, sign := range []string{"$", "%"} {
		if strings.Contains(strings.ReplaceAll(s, sign+sign+"{", ""), sign+"{") {
			return "", errors.New("a template")
		}
		s = strings.ReplaceAll(s, sign+sign+"{", sign+"{")
	}
	return strconv.Unquote(s)
}

// TestTerraform reads the files for commands, and compares them with the
// requests.
func TestTerraform(t *testing.T) {
	eachFile(t, "terraform", func(command string, requests []request.Request, _ []byte) {
		target, _ := code.Lookup("terraform")
		file, _ := target.Compose(nil, requests, code.Options{Style: code.StyleExact, KeepVariables: true})
		sources, err := readHCL(string(file))
		if err != nil || len(sources) != len(requests) {
			t.Errorf("%s\n%s\n%d data sources, %v", command, file, len(sources), err)
			return
		}
		for i, source := range sources {
			want := &requests[i]
			url, err := unquoteHCL(source["url"])
			if err != nil || url != want.URL && !strings.Contains(url, "%") {
				t.Errorf("%s\n%s\nhas the URL %q, %v", command, file, url, err)
			}
			if want.Body != nil && want.Body.Kind.Known() && want.Body.Data != "" {
				if body, err := unquoteHCL(source["request_body"]); err != nil || body != want.Body.Data {
					t.Errorf("%s\n%s\nhas the content %q, %v", command, file, body, err)
				}
			}
		}
	})
}
