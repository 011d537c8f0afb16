package code

import (
	"strings"

	"uncoil/internal/engine/mime"
)

// body adds the content, by its type.
func (o *apiOperation) body(d *apiDocument, c *call) {
	if c.body.kind == noBody {
		return
	}
	contentType := "application/octet-stream"
	if f := c.field("Content-Type"); f != nil && f.value.source() != "" {
		contentType = d.p.plainText(f.value)
	} else if c.body.kind == multipartBody {
		contentType = "multipart/form-data"
	}
	if o.seen["content "+contentType] {
		return
	}
	o.seen["content "+contentType] = true
	if o.content == nil {
		o.content = newObject()
	}
	o.content.add(contentType, d.media(c, contentType))
}

// media returns the schema of the content, and an example.
func (d *apiDocument) media(c *call, contentType string) value {
	o := newObject()
	if v, ok := c.jsonBody(); ok && strings.Contains(strings.ToLower(contentType), "json") {
		o.add("schema", schemaOf([]value{v}))
		if v.distinctMembers() {
			o.add("example", v)
		}
		return o.value
	}
	switch {
	case c.body.kind == multipartBody:
		return d.formMedia(c)
	case c.body.kind == rawBody && c.hasType(formType) && len(c.body.form) > 0:
		properties, sample := newObject(), newObject()
		for _, g := range queryGroups(c.body.data) {
			schema, v, ok := g.schema()
			properties.add(g.name, schema)
			if ok {
				sample.add(g.name, v)
			}
		}
		o.add("schema", newObject().text("type", "object").add("properties", properties.value).value)
		if len(sample.names) > 0 {
			o.add("example", sample.value)
		}
		return o.value
	case c.body.kind == rawBody && c.body.data.isText():
		o.add("schema", newObject().text("type", "string").value)
		if onlyVariable(c.body.data) == nil {
			o.text("example", c.body.data.source())
		}
		return o.value
	}
	if c.body.kind == rawBody {
		d.p.cannot("has no place for an example that is not text", "the file leaves it out")
	}
	return o.add("schema", binarySchema(contentType)).value
}

// binarySchema returns the schema of content that is bytes: OpenAPI 3.1.0,
// section 4.8.14.2.
func binarySchema(contentType string) value {
	return newObject().text("type", "string").text("contentMediaType", contentType).value
}

// formMedia returns the schema of a form of several parts.
func (d *apiDocument) formMedia(c *call) value {
	properties, encoding := newObject(), newObject()
	schemas := make(map[string][]value)
	var names []string
	for i := range c.body.part {
		part := &c.body.part[i]
		name := d.p.plainText(part.name)
		if len(part.Headers) > 0 {
			d.p.cannot("has no example of the fields of a form part", "the file leaves them out")
		}
		schema := newObject().text("type", "string").value
		contentType := ""
		if part.contentType != nil && isMediaType(*part.contentType) {
			contentType = *part.contentType
		}
		switch v, ok := parseValue(part.value.source()); {
		case part.Nested:
			contentType = part.typed().source()
			schema = newObject().text("type", "array").add("items", newObject().text("type", "string").value).value
		case mime.Encodes(part.Encoder):
			schema = newObject().text("type", "string").text("contentEncoding", strings.ToLower(part.Encoder)).value
		case part.isFile() && contentType == "":
			schema = binarySchema("application/octet-stream")
		case part.isFile():
			schema = binarySchema(contentType)
		case ok && contentType == "application/json":
			schema = schemaOf([]value{v})
		}
		if schemas[name] == nil {
			names = append(names, name)
			if contentType != "" {
				encoding.add(name, newObject().text("contentType", d.p.plainText(literal(contentType))).value)
			}
		}
		schemas[name] = append(schemas[name], schema)
	}
	for _, name := range names {
		if list := schemas[name]; len(list) > 1 {
			properties.add(name, newObject().text("type", "array").add("items", list[0]).value)
		} else {
			properties.add(name, list[0])
		}
	}
	o := newObject().add("schema", newObject().text("type", "object").add("properties", properties.value).value)
	if len(encoding.names) > 0 {
		o.add("encoding", encoding.value)
	}
	return o.value
}
