package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/fileio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/textio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

func init() {
	beam.RegisterDoFn(&routeFn{})
	beam.RegisterDoFn(&gunzipFn{})
	beam.RegisterDoFn(&textFn{})
	register.Emitter1[string]()
	register.Emitter1[fileio.FileMetadata]()
	register.Emitter2[string, string]()
}

// readLines returns a PCollection<string> of the lines in the files that a
// pattern matches.
func readLines(s beam.Scope, pattern string) beam.PCollection {
	switch path.Ext(pattern) {
	case ".avro":
		return readAvro(s, pattern)
	case ".parquet":
		return readParquet(s, pattern)
	}
	// Textio takes the size of a compressed file for that of its text, and stops
	// there. So it reads only the others, which it can split.
	s = s.Scope("readLines")
	plain, compressed := beam.ParDo2(s, &routeFn{}, fileio.MatchFiles(s, pattern, fileio.MatchEmptyDisallow()))
	return beam.Flatten(s,
		textio.ReadAll(s, plain, textio.ReadUncompressed()),
		beam.ParDo(s, &gunzipFn{}, fileio.ReadMatches(s, compressed, fileio.ReadGzip())))
}

// routeFn tells compressed files from plain ones.
type routeFn struct{}

func (*routeFn) ProcessElement(file fileio.FileMetadata, plain func(string), compressed func(fileio.FileMetadata)) error {
	if path.Ext(file.Path) == ".gz" {
		compressed(file)
		return nil
	}
	if strings.ContainsAny(file.Path, `*?[\`) {
		// Textio would take it for a pattern, which might match nothing.
		return fmt.Errorf("%s: rename this file, because its name has characters of patterns", file.Path)
	}
	plain(file.Path)
	return nil
}

// gunzipFn reads the lines of a compressed file, which cannot be split.
type gunzipFn struct{}

func (*gunzipFn) ProcessElement(ctx context.Context, file fileio.ReadableFile, line func(string)) error {
	f, err := file.Open(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", file.Metadata.Path, err)
	}
	defer f.Close()
	for r := bufio.NewReader(f); ; {
		text, err := r.ReadString('\n')
		if err != nil && err != io.EOF {
			return fmt.Errorf("%s: %w", file.Metadata.Path, err)
		}
		if text != "" {
			line(strings.TrimSuffix(text, "\n"))
		}
		if err == io.EOF {
			return nil
		}
	}
}

// readTexts returns a PCollection<KV<string, string>> of the files that a
// pattern matches, by name.
func readTexts(s beam.Scope, pattern string) beam.PCollection {
	s = s.Scope("readTexts")
	return beam.ParDo(s, &textFn{}, fileio.ReadMatches(s, fileio.MatchFiles(s, pattern, fileio.MatchEmptyDisallow())))
}

// textFn reads a file.
type textFn struct{}

func (*textFn) ProcessElement(ctx context.Context, file fileio.ReadableFile, text func(name, text string)) error {
	content, err := file.ReadString(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", file.Metadata.Path, err)
	}
	text(strings.TrimSuffix(file.Metadata.Path, ".gz"), content)
	return nil
}
