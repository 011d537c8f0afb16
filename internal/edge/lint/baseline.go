package lint

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"uncoil/diag"
)

// A Baseline is a list of findings that are known, as a project has it that begins to check
// its commands. A finding is known by its file, its rule, the line of text on which it
// begins, and how often there is such a one; not by the number of the line.
type Baseline struct {
	left map[known]int // how many of them there are still to be found
}

// known is what a finding is known by.
type known struct {
	File string    `json:"file"` // from the folder of the baseline, with slashes
	Code diag.Code `json:"code"`
	Text string    `json:"text"` // of its line, as Finding.text
}

// entry is what the file of a baseline has of a finding.
type entry struct {
	known
	Count int `json:"count"`
}

// baselineFile is the file of a baseline.
type baselineFile struct {
	Version  int     `json:"version"`
	Findings []entry `json:"findings"`
}

// baselineVersion is the form of the file.
const baselineVersion = 1

// ReadBaseline reads the file of a baseline.
func ReadBaseline(text []byte) (*Baseline, error) {
	var f baselineFile
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&f); err != nil {
		return nil, fmt.Errorf("is no baseline: %w", err)
	}
	if f.Version != baselineVersion {
		return nil, fmt.Errorf("is a baseline of version %d, and this program reads version %d: write it anew", f.Version, baselineVersion)
	}
	b := &Baseline{make(map[known]int)}
	for _, e := range f.Findings {
		b.left[e.known] += max(0, e.Count)
	}
	return b, nil
}

// New returns the findings that the baseline does not have, and counts its own down. File
// says how the baseline names a file.
func (b *Baseline) New(findings []Finding, file func(name string) string) (fresh []Finding) {
	for _, f := range findings {
		if k := f.known(file); b.left[k] > 0 {
			b.left[k]--
		} else {
			fresh = append(fresh, f)
		}
	}
	return fresh
}

// Gone returns how many findings of the baseline are in files of a set, and were not found.
func (b *Baseline) Gone(files map[string]bool) (n int) {
	for k, left := range b.left {
		if files[k.File] {
			n += left
		}
	}
	return n
}

// WriteBaseline returns the file of a baseline that has findings.
func WriteBaseline(findings []Finding, file func(name string) string) []byte {
	counts := make(map[known]int)
	for _, f := range findings {
		counts[f.known(file)]++
	}
	f := baselineFile{baselineVersion, make([]entry, 0, len(counts))}
	for k, n := range counts {
		f.Findings = append(f.Findings, entry{k, n})
	}
	slices.SortFunc(f.Findings, func(a, b entry) int {
		return cmp.Or(strings.Compare(a.File, b.File), strings.Compare(string(a.Code), string(b.Code)), strings.Compare(a.Text, b.Text))
	})
	text, err := json.MarshalIndent(f, "", " ")
	if err != nil {
		panic(err) // it holds nothing but strings and numbers
	}
	return append(text, '\n')
}

func (f *Finding) known(file func(name string) string) known {
	text := f.text
	if text == "" {
		text = fingerprint(f.Message) // in a document of OpenAPI, whose lines are not read here
	}
	return known{file(f.File), f.Code, text}
}

// fingerprint is a short name of a text, which may hold secrets.
func fingerprint(text string) string {
	sum := sha256.Sum256([]byte(strings.TrimSpace(text)))
	const enough = 8
	return hex.EncodeToString(sum[:enough])
}

// lineAt returns the line of a text that holds a byte: of a long one, as JSON and minified pages
// have them, what is near, so that many findings on it do not each cost its length.
func lineAt(text string, at int) string {
	const near = 512
	from := max(0, at-near)
	start := from + strings.LastIndexByte(text[from:at], '\n') + 1
	line, _, _ := strings.Cut(text[start:min(len(text), at+near)], "\n")
	return line
}
