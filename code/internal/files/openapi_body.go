package files

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/mime"
)

// body adds the content, by its type, and reports whether it could.
func (o *apiOperation) body(d *apiDocument, c *plan.Call) bool {
	if c.Content.Kind == plan.NoBody {
		return true
	}
	contentType := "application/octet-stream"
	if f := c.Field("Content-Type"); f != nil && f.Value.Source() != "" {
		contentType = plainText(d.p, f.Value)
	} else if c.Content.Kind == plan.MultipartBody {
		contentType = "multipart/form-data"
	}
	again := o.seen["content "+contentType]
	o.seen["content "+contentType] = true
	if o.content == nil {
		o.content, o.json = newObject(), make(map[string][]emit.Value)
	}
	v, isJSON := jsonBody(c)
	switch isJSON = isJSON && strings.Contains(strings.ToLower(contentType), "json"); {
	case !again && isJSON:
		o.json[contentType] = []emit.Value{v}
		o.content.add(contentType, emit.Value{})
	case !again:
		o.content.add(contentType, d.media(c, contentType))
	case isJSON && o.json[contentType] != nil:
		o.json[contentType] = append(o.json[contentType], v)
	default:
		return o.first == c.Content.Data.Source() && c.Content.Kind == plan.RawBody
	}
	if !again {
		o.first = c.Content.Data.Source()
	}
	return true
}

// jsonMedia returns the schema of JSON content, and its examples.
func jsonMedia(values []emit.Value) emit.Value {
	o := newObject().add("schema", schemaOf(values))
	values = slices.DeleteFunc(values, func(v emit.Value) bool { return !distinctMembers(&v) })
	if len(values) == 1 {
		return o.add("example", values[0]).Value
	}
	examples := newObject()
	for i := range values {
		examples.add("example"+emit.Itoa(i+1), newObject().add("value", values[i]).Value)
	}
	if len(values) > 0 {
		o.add("examples", examples.Value)
	}
	return o.Value
}

// media returns the schema of the content, and an example.
func (d *apiDocument) media(c *plan.Call, contentType string) emit.Value {
	o := newObject()
	switch {
	case c.Content.Kind == plan.MultipartBody:
		return d.formMedia(c)
	case c.Content.Kind == plan.RawBody && c.HasType(plan.FormType) && len(c.Content.Form) > 0:
		properties, sample := newObject(), newObject()
		for _, g := range queryGroups(c.Content.Data) {
			schema, v, ok := g.schema()
			properties.add(g.name, schema)
			if ok {
				sample.add(g.name, v)
			}
		}
		o.add("schema", newObject().text("type", "object").add("properties", properties.Value).Value)
		if len(sample.Names) > 0 {
			o.add("example", sample.Value)
		}
		return o.Value
	case c.Content.Kind == plan.RawBody && c.Content.Data.IsText():
		o.add("schema", newObject().text("type", "string").Value)
		if onlyVariable(c.Content.Data) == nil {
			o.text("example", c.Content.Data.Source())
		}
		return o.Value
	}
	if c.Content.Kind == plan.RawBody {
		d.p.Cannot("has no place for an example that is not text", "the file leaves it out")
	}
	return o.add("schema", binarySchema(contentType)).Value
}

// binarySchema returns the schema of content that is bytes: OpenAPI 3.1.0,
// section 4.8.14.2.
func binarySchema(contentType string) emit.Value {
	return newObject().text("type", "string").text("contentMediaType", contentType).Value
}

// formMedia returns the schema of a form of several parts.
func (d *apiDocument) formMedia(c *plan.Call) emit.Value {
	properties, encoding := newObject(), newObject()
	schemas := make(map[string][]emit.Value)
	var names []string
	for i := range c.Content.Part {
		part := &c.Content.Part[i]
		name := plainText(d.p, part.NameText)
		if len(part.Headers) > 0 {
			d.p.Cannot("has no example of the fields of a form part", "the file leaves them out")
		}
		schema := newObject().text("type", "string").Value
		contentType := ""
		if part.TypeText != nil && plan.IsMediaType(*part.TypeText) {
			contentType = *part.TypeText
		}
		switch v, ok := emit.ParseValue(part.ValueText.Source()); {
		case part.Nested:
			contentType = part.Typed().Source()
			schema = newObject().text("type", "array").add("items", newObject().text("type", "string").Value).Value
		case mime.Encodes(part.Encoder):
			schema = newObject().text("type", "string").text("contentEncoding", strings.ToLower(part.Encoder)).Value
		case part.IsFile() && contentType == "":
			schema = binarySchema("application/octet-stream")
		case part.IsFile():
			schema = binarySchema(contentType)
		case ok && contentType == "application/json":
			schema = schemaOf([]emit.Value{v})
		}
		if schemas[name] == nil {
			names = append(names, name)
			if contentType != "" {
				encoding.add(name, newObject().text("contentType", plainText(d.p, plan.Literal(contentType))).Value)
			}
		}
		schemas[name] = append(schemas[name], schema)
	}
	for _, name := range names {
		if list := schemas[name]; len(list) > 1 {
			properties.add(name, newObject().text("type", "array").add("items", list[0]).Value)
		} else {
			properties.add(name, list[0])
		}
	}
	o := newObject().add("schema", newObject().text("type", "object").add("properties", properties.Value).Value)
	if len(encoding.Names) > 0 {
		o.add("encoding", encoding.Value)
	}
	return o.Value
}
