package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"sync"

	yaml "github.com/oasdiff/yaml3"
)

// openAPIYAML is the description of the service.
func openAPIYAML() document {
	return document{contentType: "application/yaml", body: asset("openapi.yaml")}.tagged()
}

// openAPIJSON returns the description as JSON. It is made when somebody first asks for it,
// or for the page that shows it.
var openAPIJSON = sync.OnceValue(func() []byte {
	var doc yaml.Node
	var compact, b bytes.Buffer
	err := yaml.Unmarshal(asset("openapi.yaml"), &doc)
	if err == nil {
		err = writeJSON(&compact, doc.Content[0])
	}
	if err = errors.Join(err, json.Indent(&b, compact.Bytes(), "", "  ")); err != nil {
		panic(err) // it is part of the program
	}
	b.WriteByte('\n')
	return b.Bytes()
})

// writeJSON writes a YAML node as JSON, in the same order.
func writeJSON(w *bytes.Buffer, n *yaml.Node) error {
	switch n.Kind {
	case yaml.MappingNode:
		w.WriteByte('{')
		for i := 0; i < len(n.Content); i += 2 {
			if i > 0 {
				w.WriteByte(',')
			}
			name, _ := json.Marshal(n.Content[i].Value)
			w.Write(name)
			w.WriteByte(':')
			if err := writeJSON(w, n.Content[i+1]); err != nil {
				return err
			}
		}
		w.WriteByte('}')
	case yaml.SequenceNode:
		w.WriteByte('[')
		for i, item := range n.Content {
			if i > 0 {
				w.WriteByte(',')
			}
			if err := writeJSON(w, item); err != nil {
				return err
			}
		}
		w.WriteByte(']')
	case yaml.ScalarNode:
		var value any
		if err := n.Decode(&value); err != nil {
			return err
		}
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		return enc.Encode(value)
	default:
		return errors.New("openapi.yaml has an alias, which JSON has not")
	}
	return nil
}
