package samples

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	yaml "github.com/oasdiff/yaml3"

	"uncoil/code"
	"uncoil/diag"
	"uncoil/internal/edge/openapi"
	"uncoil/internal/edge/snippets"
	"uncoil/internal/engine"
)

// maxWork is how many values the examples of a document may have in all.
const maxWork = 1 << 22

// maxText is how many bytes all samples may have.
const maxText = 64 << 20

// A Report says what was found in a document.
type Report struct {
	Operations int
	Stale      []snippets.Note // operations whose samples are not as they should be
	Errors     []snippets.Note // why operations have no samples
	Doubts     []snippets.Note // about the commands, and what the clients cannot do
	Notes      []string        // what of the document could not be read
}

// Update returns an OpenAPI document, in YAML or JSON, with samples for the targets in its
// operations. Where there is an error, the text comes back as it was. Read returns the
// files that the document refers to, as for [openapi.Open].
func Update(name, document string, read func(name string) ([]byte, error), targets []code.Target, o code.Options) (string, Report, error) {
	d, err := openapi.Open(name, func(file string) ([]byte, error) {
		if file == name {
			return []byte(document), nil
		}
		return read(file)
	})
	if err != nil {
		return document, Report{}, err
	}
	if d.Upgraded {
		return document, Report{}, fmt.Errorf("%s is Swagger 2.0, into which no samples are written: convert it to OpenAPI 3", name)
	}
	s := &spec{Document: d, work: maxWork, within: map[*openapi.Node]bool{}}
	var r Report
	edited, err := s.update(document, targets, o, &r)
	r.Notes = d.Notes
	switch {
	case err != nil:
		return document, r, fmt.Errorf("%s: %w", name, err)
	case len(r.Errors) > 0:
		return document, r, nil
	}
	return edited, r, nil
}

// update returns the document with samples, unless the report has errors.
func (s *spec) update(document string, targets []code.Target, o code.Options, r *Report) (string, error) {
	root, err := parsed(document)
	if err != nil {
		return "", err
	}
	e := newEditor(document)
	labels := snippets.Labels(targets)
	want := map[*yaml.Node][]sample{}
	written := 0
	for _, op := range s.operations(root, r) {
		r.Operations++
		samples, ok := op.samples(targets, labels, o, r)
		if !ok {
			continue
		}
		want[op.layout] = samples
		if !same(op.layout, samples) {
			r.note(&r.Stale, op.Operation, "its samples are not the programs of its request")
			e.set(op.layout, samples)
		}
		for i := range samples {
			if written += len(samples[i].source); written > maxText {
				return "", fmt.Errorf("the samples would have more than %d bytes", maxText)
			}
		}
	}
	switch {
	case len(r.Errors) > 0:
		return "", nil
	case s.work <= 0:
		return "", errors.New("the examples of this document take more work than is allowed")
	}
	edited := e.result()
	return edited, check(root, edited, want)
}

// parsed returns the root of a document as it is laid out.
func parsed(document string) (*yaml.Node, error) {
	var n yaml.Node
	if err := yaml.Unmarshal([]byte(document), &n); err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if n.Kind != yaml.DocumentNode || len(n.Content) != 1 || n.Content[0].Kind != yaml.MappingNode {
		return nil, errors.New("this is no object in YAML or JSON")
	}
	return n.Content[0], nil
}

// note adds a note about an operation.
func (r *Report) note(notes *[]snippets.Note, o *openapi.Operation, message string) {
	at := o.At
	if at.File != o.Item.Member.Value.File.Name {
		at = o.Item.Member.Place() // the path stands in the document, and a reference leads on
	}
	*notes = append(*notes, snippets.Note{Line: at.Line, Column: at.Column, Message: o.Name() + ": " + message})
}

// operations returns those that stand in the text itself, in its order. Another file, and
// what an alias or a reference leads to, is no place for samples.
func (s *spec) operations(root *yaml.Node, r *Report) (all []*operation) {
	layouts := make(map[string]*yaml.Node)
	each(unaliased(own(root, "paths")), func(path string, item *yaml.Node) {
		each(item, func(method string, o *yaml.Node) { layouts[strings.ToUpper(method)+" "+path] = o })
	})
	for _, path := range s.Paths() {
		for _, o := range path.Operations {
			layout := layouts[o.Name()]
			delete(layouts, o.Name()) // the path may stand there twice
			switch {
			case o.Node.File != s.Root.File:
				r.note(&r.Doubts, o, "it has no samples, because it stands in "+o.Node.File.Name)
			case layout == nil || layout.Kind != yaml.MappingNode || own(layout, "$ref") != nil:
				r.note(&r.Doubts, o, "it has no samples, because an alias or a reference leads to it")
			default:
				all = append(all, &operation{spec: s, Operation: o, layout: layout})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b *operation) int {
		return cmp.Or(a.At.Line-b.At.Line, a.At.Column-b.At.Column)
	})
	return all
}

// samples returns the samples of an operation.
func (o *operation) samples(targets []code.Target, labels []string, options code.Options, r *Report) ([]sample, bool) {
	command, problem := o.command()
	if problem != "" {
		r.note(&r.Errors, o.Operation, problem)
		return nil, false
	}
	var samples []sample
	for i, t := range targets {
		program, warnings, err := snippets.Program(command, engine.Input{Shell: "posix"}, t, options)
		if err != nil {
			message := err.Error()
			if e, ok := errors.AsType[*engine.Error](err); ok {
				message = string(e.Code) + ": " + e.Message
			}
			r.note(&r.Errors, o.Operation, t.Name+": "+message)
			return nil, false
		}
		for j := range warnings {
			if w := &warnings[j]; w.Level == diag.LevelDoubt {
				r.note(&r.Doubts, o.Operation, t.Name+": "+string(w.Code)+": "+w.Message)
			}
		}
		samples = append(samples, sample{snippets.LanguageName(t), labels[i], program, t.Name})
	}
	return samples, true
}

// same reports whether the samples of an operation that were written from here are these.
func same(operation *yaml.Node, samples []sample) bool {
	n := 0
	value := own(operation, key)
	if value == nil {
		return len(samples) == 0
	}
	for _, item := range value.Content {
		if !isOwn(item) {
			continue
		}
		if n >= len(samples) || read(item) != samples[n] {
			return false
		}
		n++
	}
	return n == len(samples)
}

// read returns the sample that a document has.
func read(n *yaml.Node) (s sample) {
	for name, into := range map[string]*string{"lang": &s.lang, "label": &s.label, "source": &s.source, mark: &s.target} {
		if v := own(n, name); v != nil {
			*into = v.Value
		}
	}
	return s
}

// check returns an error unless an edited document has the samples, and is otherwise what
// it was: where a text is laid out as nobody has thought of, it is left alone.
func check(before *yaml.Node, edited string, want map[*yaml.Node][]sample) error {
	after, err := parsed(edited)
	if err != nil {
		return fmt.Errorf("samples cannot be put into this document: %w", err)
	}
	if line := differs(before, after, want); line > 0 {
		return fmt.Errorf("samples cannot be put into the operation near line %d, as it is laid out", line)
	}
	return nil
}

// differs returns the line from which two documents differ in more than samples, or 0.
func differs(a, b *yaml.Node, want map[*yaml.Node][]sample) int {
	if samples, ok := want[a]; ok {
		if !same(b, samples) {
			return a.Line
		}
		a, b = without(a), without(b)
	}
	if a.Kind != b.Kind || a.Tag != b.Tag || a.Value != b.Value || a.Anchor != b.Anchor || len(a.Content) != len(b.Content) {
		return max(a.Line, 1)
	}
	for i := range a.Content {
		if line := differs(a.Content[i], b.Content[i], want); line > 0 {
			return line
		}
	}
	return 0
}

// without returns an operation without the samples that were written from here.
func without(operation *yaml.Node) *yaml.Node {
	rest := *operation
	rest.Content = nil
	for i := 0; i+1 < len(operation.Content); i += 2 {
		k, v := operation.Content[i], operation.Content[i+1]
		if k.Value == key {
			var others []*yaml.Node
			for _, item := range v.Content {
				if !isOwn(item) {
					others = append(others, item)
				}
			}
			if len(others) == 0 {
				continue
			}
			v = &yaml.Node{Kind: v.Kind, Tag: v.Tag, Content: others}
		}
		rest.Content = append(rest.Content, k, v)
	}
	return &rest
}
