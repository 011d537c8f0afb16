package code_test

import (
	"bytes"
	"encoding/xml"
	"strconv"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/internal/engine/ascii"
	"uncoil/request"
)

// An xmlNode is an element of a test plan.
type xmlNode struct {
	Name     string    `xml:"name,attr"`
	Text     string    `xml:",chardata"`
	Children []xmlNode `xml:",any"`
}

// property returns the first element with a name at any depth, or nil.
func (n *xmlNode) property(name string) *xmlNode {
	if n.Name == name {
		return n
	}
	for i := range n.Children {
		if found := n.Children[i].property(name); found != nil {
			return found
		}
	}
	return nil
}

// value returns what JMeter makes of a property.
func (n *xmlNode) value(t *testing.T, name string) string {
	t.Helper()
	found := n.property(name)
	if found == nil {
		return ""
	}
	return jmeterValue(t, found.Text)
}

// jmeterValue evaluates a string as JMeter 5.6 does (FunctionParser.java), with
// the function __char alone. A string without functions stays as it is.
func jmeterValue(t *testing.T, s string) string {
	t.Helper()
	if !strings.Contains(s, "${") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			i++
			if !strings.ContainsRune(`$,\`, rune(s[i])) {
				b.WriteByte('\\')
			}
			b.WriteByte(s[i])
		case strings.HasPrefix(s[i:], "${"):
			argument, rest, found := strings.Cut(strings.TrimPrefix(s[i:], "${__char("), ")}")
			n, err := strconv.Atoi(argument)
			if !found || err != nil {
				t.Fatalf("JMeter evaluates %q at %d", s, i)
			}
			b.WriteRune(rune(n))
			i = len(s) - len(rest) - 1
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// TestJMeterReads holds that JMeter reads from a test plan the strings of its
// request, for all requests without variables.
func TestJMeterReads(t *testing.T) {
	eachFile(t, "jmeter", func(command string, requests []request.Request, file []byte) {
		var plan xmlNode
		if err := xml.NewDecoder(bytes.NewReader(file)).Decode(&plan); err != nil {
			t.Fatalf("%s\n%s\n%v", command, file, err)
		}
		if len(requests) != 1 || len(requests[0].Variables) > 0 {
			return
		}
		r := &requests[0]
		wrong := func(what, got, want string) {
			t.Errorf("%s\n%s\n%s is %q; want %q", command, file, what, got, want)
		}
		if got := plan.value(t, "HTTPSampler.method"); got != r.Method {
			wrong("the method", got, r.Method)
		}
		if got, want := urlOf(t, &plan), r.URL; got != want && got != strings.Replace(want, "?", "/?", 1) && got != want+"/" && !strings.Contains(got, "%") {
			wrong("the URL", got, want)
		}
		sent := make(map[string]bool)
		if headers := plan.property("HeaderManager.headers"); headers != nil {
			for i := range headers.Children {
				h := &headers.Children[i]
				sent[h.value(t, "Header.name")+": "+h.value(t, "Header.value")] = true
			}
		}
		for _, f := range r.Fields {
			if line := f.Name + ": " + strings.TrimSpace(f.Value); f.Origin != request.OriginDefault && !sent[line] && !ascii.EqualFold(f.Name, "Content-Type") &&
				!ascii.EqualFold(f.Name, "Content-Length") && !ascii.EqualFold(f.Name, "Connection") && f.From != "--compressed" {
				wrong("no field", "", line)
			}
		}
		if raw := plan.property("HTTPSampler.postBodyRaw"); raw != nil && r.Body.Kind != request.KindMultipart && len(r.Body.Pieces) == 0 {
			if got := plan.value(t, "Argument.value"); got != r.Body.Data {
				wrong("the content", got, r.Body.Data)
			}
		}
	})
}

// urlOf returns the URL that JMeter makes of the parts that a plan has: getUrl()
// in HTTPSamplerBase.java.
func urlOf(t *testing.T, plan *xmlNode) string {
	path := plan.value(t, "HTTPSampler.path")
	if domain := plan.value(t, "HTTPSampler.domain"); domain != "" {
		if port := plan.value(t, "HTTPSampler.port"); port != "" {
			domain += ":" + port
		}
		return plan.value(t, "HTTPSampler.protocol") + "://" + domain + path
	}
	return path
}

// TestJMeterStrings holds that JMeter evaluates a string to what it was, beside
// functions or alone.
func TestJMeterStrings(t *testing.T) {
	for _, s := range []string{`plain \ \\ \$ \,`, `${x}`, `\${x}`, `\\${x}`, `a\`, `$`, `$$ {`, "a\x01b\x1f", `,()`, "ends $", "\r\n\t", "\u00e9 \u2028 \U0001f600"} {
		for _, whole := range []string{s, s + "\x01" + s} { // alone, and beside a function
			if written := code.JMeterText(whole); jmeterValue(t, written) != whole {
				t.Errorf("%q becomes %q, which is %q", whole, written, jmeterValue(t, written))
			}
		}
	}
}

// TestJMeterNetwork holds how a plan limits the time, where it connects from, and who
// resolves its names.
func TestJMeterNetwork(t *testing.T) {
	target, _ := code.Lookup("jmeter")
	const warns = "cannot-express \n"
	for _, c := range []struct{ command, want, diags string }{
		{"curl -m 5 http://h.test/", `<stringProp name="HTTPSampler.response_timeout">5000</stringProp>`, warns}, // each wait, not all
		{"curl --interface eth0 http://h.test/", `<stringProp name="HTTPSampler.ipSource">eth0</stringProp>`, ""},
		{"curl --interface 'if!eth0' http://h.test/", `<intProp name="HTTPSampler.ipSourceType">1</intProp>`, ""},
		{"curl --interface 'host!a.test' http://h.test/", `<stringProp name="HTTPSampler.ipSource">a.test</stringProp>`, ""},
		{"curl --interface 10.0.0.2 http://h.test/", `<intProp name="HTTPSampler.ipSourceType">0</intProp>`, ""},
		{"curl --dns-servers 1.1.1.1,8.8.8.8 http://h.test/", `<stringProp name="">8.8.8.8</stringProp>`, ""},
		{"curl --resolve h.test:80:10.0.0.1 http://h.test/", `<stringProp name="StaticHost.Address">10.0.0.1</stringProp>`, ""},
		{"curl --connect-to ::i.test: http://h.test/", `<stringProp name="StaticHost.Address">i.test</stringProp>`, ""},
		{"curl --connect-to ::i.test:81 http://h.test/", "", "cannot-express --connect-to\n"},
		{"curl --resolve other.test:80:10.0.0.1 http://h.test/", "", ""},
		{"curl -E c.pem https://h.test/", "", "cannot-express --cert\n"},
	} {
		program, diags := write(t, target, c.command)
		if diags != c.diags || !strings.Contains(program, c.want) || c.want == "" && strings.Contains(program, "DNSCacheManager") {
			t.Errorf("%s: %q, want %s and %q\n%s", c.command, diags, c.want, c.diags, program)
		}
	}
}
