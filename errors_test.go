package uncoil_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"uncoil"
	"uncoil/diag"
)

// errorFields are the fields that the comment of a file in testdata/errors
// may have, besides those of the corpus: option, files and count are what the
// error says beyond its code and its place, and "as: convert" marks a command
// that has a full description, but no answer of four members.
var errorFields = append([]string{"as", "option", "files", "count"}, corpusFields...)

// TestErrors converts the commands of testdata/errors/CODE. Each has the
// place of its error marked: «--heder» 'A: b'. The marks are no part of the
// command.
func TestErrors(t *testing.T) {
	for _, c := range readCases(t, filepath.Join("testdata", "errors"), errorFields) {
		code := filepath.Base(filepath.Dir(c.path))
		t.Run(code+"/"+strings.TrimSuffix(filepath.Base(c.path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			command, span := unmark(t, c)
			result, err := uncoil.Parse(command, c.input)
			if (err == nil) != (c.fields["as"] == "convert") {
				t.Fatalf("Parse says %v\n%s", err, command)
			}
			if err == nil {
				_, err = result.AppendConvert(nil)
			} else if _, other := uncoil.AppendConvert(nil, command, c.input); other == nil || other.Error() != err.Error() {
				t.Errorf("AppendConvert says %v, and Parse %v", other, err)
			}
			var e *uncoil.Error
			if !errors.As(err, &e) {
				t.Fatalf("the error is %v\n%s", err, command)
			}
			want := diag.Diagnostic{Code: diag.Code(code), Severity: diag.Error, Span: span, Option: c.fields["option"]}
			want.Count, _ = strconv.Atoi(c.fields["count"])
			if files := c.fields["files"]; files != "" {
				want.Files = strings.Split(files, " ")
			}
			got := e.Diagnostic
			got.Message, got.Hint = "", ""
			if _, said := c.fields["option"]; !said {
				got.Option = ""
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s%s", c.path, diff, e.AppendText(nil))
			}
			line, column := diag.Position(command, span.Start)
			if e.Line != line || e.Column != column {
				t.Errorf("the place is %d:%d, want %d:%d", e.Line, e.Column, line, column)
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

// unmark takes the marks out of a command and returns where they stood.
func unmark(t *testing.T, c *corpusCase) (command string, span diag.Span) {
	t.Helper()
	before, rest, ok := strings.Cut(c.command, "«")
	marked, after, ok2 := strings.Cut(rest, "»")
	if !ok || !ok2 || strings.ContainsAny(after, "«»") {
		t.Fatalf("%s: the command has no place marked between « and »", c.path)
	}
	return before + marked + after, diag.Span{Start: int32(len(before)), End: int32(len(before) + len(marked))}
}

// checkMessage holds the form of a message: part of a sentence in one line,
// without the period.
func checkMessage(t *testing.T, s string) {
	t.Helper()
	if strings.ContainsAny(s, "\n\r\x00") || strings.HasSuffix(s, ".") || strings.TrimSpace(s) != s || len(s) > 300 {
		t.Errorf("the message %q is not one plain line", s)
	}
}

// TestErrorCodes holds that every code has a file, and every directory a
// code.
func TestErrorCodes(t *testing.T) {
	codes := diag.ErrorCodes()
	have := make(map[diag.Code]bool)
	for _, c := range readCases(t, filepath.Join("testdata", "errors"), errorFields) {
		code := diag.Code(filepath.Base(filepath.Dir(c.path)))
		have[code] = true
		if !slices.Contains(codes, code) {
			t.Errorf("%s: no code of that name is in diag.ErrorCodes", c.path)
		}
	}
	for _, code := range codes {
		if !have[code] {
			t.Errorf("no command in testdata/errors/%s shows this code; add one", code)
		}
		if code.Title() == string(code) {
			t.Errorf("the code %s has no title", code)
		}
	}
}
