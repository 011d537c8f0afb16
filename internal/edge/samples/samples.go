package samples

import (
	"errors"
	"fmt"
	"strings"

	yaml "github.com/oasdiff/yaml3"

	"uncoil/code"
	"uncoil/diag"
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
}

// Update returns an OpenAPI document, in YAML or JSON, with samples for the targets in its
// operations. Where there is an error, the text comes back as it was.
func Update(document string, targets []code.Target, o code.Options) (string, Report, error) {
	var r Report
	root, err := parsed(document)
	if err != nil {
		return document, r, err
	}
	s := &spec{root: root, work: maxWork, within: map[*yaml.Node]bool{}}
	if !strings.HasPrefix(s.text(root, "openapi"), "3.") {
		return document, r, errors.New("this is no OpenAPI document of version 3")
	}
	e := newEditor(document)
	labels := snippets.Labels(targets)
	want := map[*yaml.Node][]sample{}
	written := 0
	for _, op := range s.operations(&r) {
		r.Operations++
		samples, ok := op.samples(targets, labels, o, &r)
		if !ok {
			continue
		}
		want[op.node] = samples
		if !same(op.node, samples) {
			r.note(&r.Stale, op, "its samples are not the programs of its request")
			e.set(op.node, samples)
		}
		for i := range samples {
			if written += len(samples[i].source); written > maxText {
				return document, r, fmt.Errorf("the samples would have more than %d bytes", maxText)
			}
		}
	}
	switch {
	case len(r.Errors) > 0:
		return document, r, nil
	case s.work <= 0:
		return document, r, errors.New("the examples of this document take more work than is allowed")
	}
	edited := e.result()
	if err := check(root, edited, want); err != nil {
		return document, r, err
	}
	return edited, r, nil
}

// parsed returns the root of a document.
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
func (r *Report) note(notes *[]snippets.Note, o *operation, message string) {
	*notes = append(*notes, snippets.Note{Line: o.key.Line, Column: o.key.Column, Message: o.method + " " + o.path + ": " + message})
}

var methods = map[string]string{"get": "GET", "put": "PUT", "post": "POST", "delete": "DELETE", "options": "OPTIONS", "head": "HEAD", "patch": "PATCH", "trace": "TRACE"}

// operations returns those of the paths. What stands behind an alias is the operation of
// another path, or is no place for samples.
func (s *spec) operations(r *Report) (all []*operation) {
	s.members(own(s.root, "paths"), func(path string, item *yaml.Node) {
		if item.Kind != yaml.MappingNode {
			return
		}
		for i := 0; i+1 < len(item.Content); i += 2 {
			method := methods[item.Content[i].Value]
			if method == "" || !strings.HasPrefix(path, "/") {
				continue
			}
			op := &operation{spec: s, method: method, path: path, item: item, node: item.Content[i+1], key: item.Content[i]}
			if op.node.Kind != yaml.MappingNode {
				r.note(&r.Doubts, op, "it has no samples, because it is an alias")
				continue
			}
			all = append(all, op)
		}
	})
	return all
}

// samples returns the samples of an operation.
func (o *operation) samples(targets []code.Target, labels []string, options code.Options, r *Report) ([]sample, bool) {
	command, problem := o.command()
	if problem != "" {
		r.note(&r.Errors, o, problem)
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
			r.note(&r.Errors, o, t.Name+": "+message)
			return nil, false
		}
		for j := range warnings {
			if w := &warnings[j]; w.Level == diag.LevelDoubt {
				r.note(&r.Doubts, o, t.Name+": "+string(w.Code)+": "+w.Message)
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
