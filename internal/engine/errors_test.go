package engine_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"uncoil/diag"
	"uncoil/internal/edge/api"
	"uncoil/internal/engine"
	"uncoil/internal/proof/corpus"
)

// TestErrors converts the commands of testdata/errors/CODE. Each has the
// span of its error marked: «--heder» 'A: b'. The fields option, files and
// count are what the error has beyond its code and span; "as: convert" marks
// a command that has a full description, but no answer of four members; the
// section meant is what its fix must come to. "as: code" marks one that the
// target has no program for.
func TestErrors(t *testing.T) {
	for _, c := range corpus.Read(t, corpus.Errors) {
		code := filepath.Base(filepath.Dir(c.Path))
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			command, span, in := c.Command, c.Span, inputOf(c)
			result, err := engine.Parse(command, in)
			if (err == nil) != (c.Fields["as"] != "") {
				t.Fatalf("Parse says %v\n%s", err, command)
			}
			if err == nil && c.Fields["as"] == "code" {
				want := api.Want{As: api.AsCode, Target: c.Fields["target"]}
				_, _, err = api.Append(nil, result, &want)
			} else if err == nil {
				_, err = appendResult(nil, result)
			} else if _, other := appendConvert(nil, command, in); other == nil || other.Error() != err.Error() {
				t.Errorf("AppendConvert says %v, and Parse %v", other, err)
			}
			var e *engine.Error
			if !errors.As(err, &e) {
				t.Fatalf("the error is %v\n%s", err, command)
			}
			want := diag.Diagnostic{Code: diag.Code(code), Severity: diag.SeverityError, Span: span, Option: c.Fields["option"]}
			want.Count, _ = strconv.Atoi(c.Fields["count"])
			want.Variable = c.Fields["variable"]
			if files := c.Fields["files"]; files != "" {
				want.Files = strings.Split(files, " ")
			}
			got := e.Diagnostic
			got.Message, got.Hint = "", ""
			if c.Meant != "" {
				got.Fix = nil // which TestMeant applies
			}
			if _, said := c.Fields["option"]; !said {
				got.Option = ""
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s%s", c.Path, diff, e.AppendReport(nil))
			}
			line, column := diag.Position(command, span.Start)
			if e.Line != line || e.Column != column {
				t.Errorf("the position is %d:%d, want %d:%d", e.Line, e.Column, line, column)
			}
			checkMessage(t, e.Message)
			checkMessage(t, e.Hint)
			for _, secret := range []string{"s3cret", "t0k3n"} {
				if strings.Contains(e.Message+e.Hint, secret) {
					t.Errorf("the message holds a secret: %s (%s)", e.Message, e.Hint)
				}
			}
		})
	}
}

// checkMessage checks the form of a message: part of a sentence in one line,
// without the period.
func checkMessage(t *testing.T, s string) {
	t.Helper()
	if strings.ContainsAny(s, "\n\r\x00") || strings.HasSuffix(s, ".") || strings.TrimSpace(s) != s || len(s) > 300 {
		t.Errorf("the message %q is not one plain line", s)
	}
}

// TestErrorCodes checks that every code has a file, and every directory a
// code.
func TestErrorCodes(t *testing.T) {
	codes := diag.ErrorCodes()
	have := make(map[diag.Code]bool)
	for _, c := range corpus.Read(t, corpus.Errors) {
		code := diag.Code(filepath.Base(filepath.Dir(c.Path)))
		have[code] = true
		if !slices.Contains(codes, code) {
			t.Errorf("%s: no code of that name is in diag.ErrorCodes", c.Path)
		}
	}
	for _, code := range codes {
		if !have[code] && code != diag.CodeInternal { // which no command may have
			t.Errorf("no command in testdata/errors/%s shows this code; add one", code)
		}
		if code.Title() == string(code) {
			t.Errorf("the code %s has no title", code)
		}
	}
}
