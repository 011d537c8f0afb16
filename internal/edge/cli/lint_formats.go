package cli

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"

	"uncoil/diag"
	"uncoil/internal/edge/codes"
	"uncoil/internal/edge/contract"
	"uncoil/internal/edge/lint"
)

var lintFormats = map[string]func(io.Writer, []lint.Finding) error{
	"text": writeText, "json": writeJSON, "sarif": writeSARIF, "github": writeGitHub, "gitlab": writeGitLab,
}

// said returns the message, with the place of the document that it is about.
func said(f *lint.Finding) string {
	if f.OpenAPI == nil {
		return f.Message
	}
	return f.Message + "; see " + f.OpenAPI.String()
}

// grouped is how many findings of a rule in a file are shown to people, who mend them as
// one; those that follow are counted.
const grouped = 10

func writeText(w io.Writer, findings []lint.Finding) error {
	type group struct {
		file string
		code diag.Code
	}
	sizes := map[group]int{}
	for i := range findings {
		sizes[group{findings[i].File, findings[i].Code}]++
	}
	shown := map[group]int{}
	for i := range findings {
		f := &findings[i]
		g := group{f.File, f.Code}
		shown[g]++
		if n := sizes[g] - grouped; n > 1 && shown[g] > grouped { // one more is no shorter
			if shown[g] == grouped+1 {
				line := fmt.Sprintf("%s: %d more of %s, which -format json has", f.File, n, f.Code)
				if _, err := w.Write(append(diag.AppendPrintable(nil, line), '\n')); err != nil {
					return err
				}
			}
			continue
		}
		line := fmt.Sprintf("%s:%d:%d: %s: %s: %s", f.File, f.Line, f.Column, levels[f.Severity].text, f.Code, said(f))
		if f.Hint != "" {
			line += " (" + f.Hint + ")"
		}
		if _, err := w.Write(append(diag.AppendPrintable(nil, line), '\n')); err != nil {
			return err
		}
	}
	return nil
}

func writeJSON(w io.Writer, findings []lint.Finding) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for i := range findings {
		if err := encoder.Encode(&findings[i]); err != nil {
			return err
		}
	}
	return nil
}

// annotation escapes what GitHub's runner takes for its own in the data of a
// workflow command, and property what it does in a property.
var (
	annotation = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property   = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func writeGitHub(w io.Writer, findings []lint.Finding) error {
	for i := range findings {
		f := &findings[i]
		level := levels[f.Severity].github
		message := said(f)
		if f.Hint != "" {
			message += "\n" + f.Hint
		}
		_, err := fmt.Fprintf(w, "::%s file=%s,line=%d,endLine=%d,col=%d,title=%s::%s\n",
			level, property.Replace(f.File), f.Line, f.EndLine, f.Column, property.Replace(string(f.Code)), annotation.Replace(message))
		if err != nil {
			return err
		}
	}
	return nil
}

// writeGitLab writes a report of code quality for merge requests of GitLab. It tells
// findings apart by their fingerprints, and takes one for old that has the fingerprint of
// one on the target branch: so the line is no part of it, and like findings of a file are
// counted.
func writeGitLab(w io.Writer, findings []lint.Finding) error {
	type object = map[string]any
	seen := map[string]int{}
	separator := "["
	for i := range findings {
		f := &findings[i]
		message := said(f)
		if f.Hint != "" {
			message += " (" + f.Hint + ")"
		}
		file := path.Clean(f.File)
		same := strings.Join([]string{file, string(f.Code), message}, "\x00")
		seen[same]++
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", same, seen[same]))
		report, err := indented(" ", object{
			"description": message, "check_name": f.Code, "severity": levels[f.Severity].gitlab,
			"fingerprint": hex.EncodeToString(sum[:]),
			"location":    object{"path": file, "lines": object{"begin": f.Line, "end": f.EndLine}},
		})
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%s\n %s", separator, bytes.TrimSuffix(report, []byte("\n"))); err != nil {
			return err
		}
		separator = ","
	}
	end := "\n]\n"
	if len(findings) == 0 {
		end = "[]\n"
	}
	_, err := io.WriteString(w, end)
	return err
}

// writeSARIF writes the Static Analysis Results Interchange Format, version
// 2.1.0 (OASIS).
func writeSARIF(w io.Writer, findings []lint.Finding) error {
	type object = map[string]any
	rules, index := []object{}, map[diag.Code]int{}
	for i := range findings {
		code := findings[i].Code
		if _, ok := index[code]; !ok {
			index[code] = len(rules)
			rule := object{"id": code, "shortDescription": object{"text": cmp.Or(contract.Title(code), code.Title())}}
			if text := codes.Explain(code); text != "" {
				rule["help"] = object{"text": text, "markdown": text}
			}
			rules = append(rules, rule)
		}
	}
	const none = `"results": []`
	frame, err := indented("", object{
		"$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		"version": "2.1.0",
		"runs": []object{{
			"tool":       object{"driver": object{"name": "uncoil", "rules": slices.Clip(rules)}},
			"columnKind": "unicodeCodePoints",
			"results":    []object{},
		}},
	})
	if err != nil || len(findings) == 0 {
		_, failed := w.Write(frame)
		return errors.Join(err, failed)
	}
	// The results are written one by one, because there may be a million.
	head, tail, _ := bytes.Cut(frame, []byte(none))
	separator := append(slices.Clip(head), strings.TrimSuffix(none, "]")...)
	for i := range findings {
		f := &findings[i]
		message := said(f)
		if f.Hint != "" {
			message += " (" + f.Hint + ")"
		}
		file := url.URL{Path: f.File}
		described := object{
			"ruleId": f.Code, "ruleIndex": index[f.Code],
			"level":   levels[f.Severity].sarif,
			"message": object{"text": message},
			"locations": []object{{"physicalLocation": object{
				"artifactLocation": object{"uri": file.String()},
				"region":           object{"startLine": f.Line, "startColumn": f.Column, "endLine": f.EndLine, "endColumn": f.EndColumn},
			}}},
		}
		if d := f.OpenAPI; d != nil {
			uri := url.URL{Path: d.File}
			described["relatedLocations"] = []object{{"message": object{"text": "the OpenAPI document"}, "physicalLocation": object{
				"artifactLocation": object{"uri": uri.String()},
				"region":           object{"startLine": d.Line, "startColumn": d.Column},
			}}}
		}
		if e := f.Fix; e != nil {
			described["fixes"] = []object{{"artifactChanges": []object{{
				"artifactLocation": object{"uri": file.String()},
				"replacements": []object{{
					"deletedRegion":   object{"startLine": e.Line, "startColumn": e.Column, "endLine": e.EndLine, "endColumn": e.EndColumn},
					"insertedContent": object{"text": e.Text},
				}},
			}}}}
		}
		result, err := indented(sarifMargin, described)
		if err != nil {
			return err
		}
		result = append(append(separator, "\n"+sarifMargin...), bytes.TrimSuffix(result, []byte("\n"))...)
		if _, err := w.Write(result); err != nil {
			return err
		}
		separator = []byte(",")
	}
	_, err = w.Write(append([]byte("\n"+sarifMargin[1:]+"]"), tail...))
	return err
}

// sarifMargin is the margin of a result.
const sarifMargin = "    "

// indented returns a value in JSON with a line for each member and item.
func indented(margin string, v any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent(margin, " ")
	err := encoder.Encode(v)
	return b.Bytes(), err
}
