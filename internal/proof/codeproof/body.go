package codeproof

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"uncoil/internal/proof/oracle"
)

// compareBody compares the content of two requests.
func (d *difference) compareBody(want, got *oracle.Request) {
	if bytes.Equal(want.Body, got.Body) {
		return
	}
	a, b := boundary(want.Values("Content-Type")), boundary(got.Values("Content-Type"))
	switch {
	case a != "" && b != "":
		d.compareParts(want.Body, got.Body, a, b)
	case sameJSON(want.Body, got.Body), sameForm(want, got):
		d.found(Equivalent, "the content", string(want.Body), string(got.Body))
	default:
		d.found(Wrong, "the content", string(want.Body), string(got.Body))
	}
}

// boundary returns the boundary that a type names, or nothing. curl gives any type of
// a form its boundary, also an empty one.
func boundary(values []string) string {
	if len(values) != 1 {
		return ""
	}
	_, rest, _ := strings.Cut(values[0], ";")
	_, parameters, err := mime.ParseMediaType("multipart/form-data;" + rest)
	if err != nil {
		return ""
	}
	return parameters["boundary"]
}

// A part is a part of a multipart body: its field lines and its content.
type part struct {
	head    []string
	content string
}

// parts cuts a multipart body into its parts, and nothing where it is none.
func parts(body []byte, boundary string) []part {
	var out []part
	sections := strings.Split("\r\n"+string(body), "\r\n--"+boundary)
	if len(sections) < 2 || sections[0] != "" || !strings.HasPrefix(sections[len(sections)-1], "--") {
		return nil
	}
	for _, s := range sections[1 : len(sections)-1] {
		head, content, ok := strings.Cut(s, "\r\n\r\n")
		if !ok {
			return nil
		}
		out = append(out, part{strings.Split(strings.TrimPrefix(head, "\r\n"), "\r\n"), content})
	}
	return out
}

func (d *difference) compareParts(want, got []byte, a, b string) {
	w, g := parts(want, a), parts(got, b)
	if len(w) != len(g) || w == nil {
		d.found(Wrong, "the form", string(want), string(got))
		return
	}
	for i := range w {
		w[i].unify()
		g[i].unify()
		switch {
		case w[i].content != g[i].content, w[i].disposition() != g[i].disposition():
			d.found(Wrong, "a part", fmt.Sprint(w[i]), fmt.Sprint(g[i]))
		case !sameLines(w[i].head, g[i].head):
			v := Equivalent
			if d.partTyped(i) && !strings.EqualFold(w[i].field("Content-Type"), g[i].field("Content-Type")) {
				v = Wrong
			}
			d.found(v, "the head of a part", strings.Join(w[i].head, " | "), strings.Join(g[i].head, " | "))
		}
	}
}

// unify gives parts within the part, at any depth, boundaries that all clients share.
func (p *part) unify() {
	whole := strings.Join(p.head, "\r\n") + "\r\n\r\n" + p.content
	for i, found := range innerBoundary.FindAllStringSubmatch(whole, -1) {
		whole = strings.ReplaceAll(whole, found[1], "inner-"+strconv.Itoa(i))
	}
	head, content, _ := strings.Cut(whole, "\r\n\r\n")
	p.head, p.content = strings.Split(head, "\r\n"), content
}

// innerBoundary finds the types of parts that hold parts.
var innerBoundary = regexp.MustCompile(`(?m)^Content-Type: .*; boundary=([^\s;"]+)\r$`)

// partTyped reports whether the command gives a part a type: curl guesses the
// others by the names of their files.
func (d *difference) partTyped(i int) bool {
	if d.request.Body == nil || i >= len(d.request.Body.Parts) {
		return false
	}
	p := &d.request.Body.Parts[i]
	return p.ContentType != nil && p.File == ""
}

func (p *part) field(name string) string {
	for _, line := range p.head {
		if n, value, _ := strings.Cut(line, ":"); strings.EqualFold(n, name) {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// disposition returns the name and the file name of a part, unescaped: as tokens, too, and
// without a filename* that says the same again.
func (p *part) disposition() string {
	value := p.field("Content-Disposition")
	kind, _, _ := strings.Cut(value, ";")
	out, filename := kind, ""
	for _, m := range dispositionParameter.FindAllStringSubmatch(value, -1) {
		name, quoted, token := strings.ToLower(m[1]), m[2], strings.TrimSpace(m[3])
		text := unescape(strings.NewReplacer(`\"`, "%22", `\\`, `\`).Replace(quoted) + token)
		switch again, isAgain := strings.CutPrefix(strings.ToLower(token), "utf-8''"); {
		case name == "filename":
			filename = text
		case name == "filename*" && isAgain && unescape(token[len(token)-len(again):]) == filename:
			continue
		}
		out += "; " + name + "=" + text
	}
	return out
}

// dispositionParameter finds the parameters of Content-Disposition: a quoted text or a token.
var dispositionParameter = regexp.MustCompile(`;\s*([^=;\s]+)=(?:"((?:[^"\\]|\\.)*)"|([^;"]*))`)

// sameLines reports whether field lines are the same but for the case of their
// names and their order.
func sameLines(a, b []string) bool {
	canonical := func(lines []string) []string {
		out := slices.Clone(lines)
		for i, line := range out {
			name, value, _ := strings.Cut(line, ":")
			out[i] = strings.ToLower(name) + ":" + strings.TrimSpace(value)
		}
		slices.Sort(out)
		return out
	}
	return slices.Equal(canonical(a), canonical(b))
}

// sameJSON reports whether two texts are JSON objects or arrays with the same
// values in the same order, numbers as decimals.
func sameJSON(a, b []byte) bool {
	if start := bytes.TrimSpace(a); len(start) == 0 || start[0] != '{' && start[0] != '[' {
		return false
	}
	tokens := func(text []byte) []json.Token {
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		var out []json.Token
		for {
			token, err := decoder.Token()
			if err == io.EOF {
				return out
			}
			if err != nil {
				return nil
			}
			if n, ok := token.(json.Number); ok {
				token = json.Number(decimal(string(n)))
			}
			out = append(out, token)
		}
	}
	x, y := tokens(a), tokens(b)
	return x != nil && slices.Equal(x, y)
}

// decimal returns a number of JSON in one spelling: whole digits without zeros at their
// ends, and the power of ten that they are multiplied by.
func decimal(n string) string {
	mantissa, power, _ := strings.Cut(strings.ToLower(n), "e")
	exponent, err := strconv.Atoi(cmp.Or(power, "0"))
	if err != nil {
		return n
	}
	digits, negative := strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	digits = strings.TrimLeft(whole+fraction, "0")
	short := strings.TrimRight(digits, "0")
	if short == "" {
		return "0"
	}
	if negative {
		short = "-" + short
	}
	return short + "e" + strconv.Itoa(exponent-len(fraction)+len(digits)-len(strings.TrimPrefix(short, "-")))
}

// sameForm reports whether two contents are forms with the same pairs. Text that
// is no form, such as JSON, has no other spelling, whatever its type says.
func sameForm(a, b *oracle.Request) bool {
	const form = "application/x-www-form-urlencoded"
	for _, r := range []*oracle.Request{a, b} {
		if values := r.Values("Content-Type"); len(values) != 1 || !strings.HasPrefix(strings.ToLower(values[0]), form) {
			return false
		}
	}
	for pair := range strings.SplitSeq(string(a.Body), "&") {
		if strings.IndexByte(pair, '=') < 1 {
			return false
		}
	}
	return canonicalTarget("?"+string(a.Body)) == canonicalTarget("?"+string(b.Body))
}
