package render

import (
	"encoding/base64"
	"math"
	"strconv"
	"unicode/utf8"

	"uncoil/internal/jsontext"
	"uncoil/request"
)

// object appends the members of a JSON object.
type object struct {
	dst  []byte
	many bool // a member is there already
}

// key begins a member; the value is for the caller to append.
func (o *object) key(name string) {
	if o.many {
		o.dst = append(o.dst, ',')
	}
	o.many = true
	o.dst = append(o.dst, '"')
	o.dst = append(o.dst, name...)
	o.dst = append(o.dst, '"', ':')
}

func (o *object) text(name, value string) {
	o.key(name)
	o.dst = jsontext.AppendString(o.dst, value)
}

// optional appends a member that is left out when empty.
func (o *object) optional(name, value string) {
	if value != "" {
		o.text(name, value)
	}
}

func (o *object) number(name string, value int64) {
	o.key(name)
	o.dst = strconv.AppendInt(o.dst, value, 10)
}

func (o *object) yes(name string, value bool) {
	if value {
		o.key(name)
		o.dst = append(o.dst, "true"...)
	}
}

func (o *object) texts(name string, values []string) {
	if len(values) == 0 {
		return
	}
	o.key(name)
	o.dst = appendTexts(o.dst, values)
}

func appendTexts(dst []byte, values []string) []byte {
	dst = append(dst, '[')
	for i, v := range values {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsontext.AppendString(dst, v)
	}
	return append(dst, ']')
}

// bytes appends content under a name where it is text, and else in base64.
func (o *object) bytes(name, value string) {
	if utf8.ValidString(value) {
		o.text(name, value)
		return
	}
	o.key("base64")
	o.dst = append(o.dst, '"')
	o.dst = base64.StdEncoding.AppendEncode(o.dst, []byte(value))
	o.dst = append(o.dst, '"')
}

// params appends ordered names and values.
func (o *object) params(name string, params []request.Param) {
	if len(params) == 0 {
		return
	}
	o.key(name)
	for i, p := range params {
		o.dst = append(o.dst, "[,"[min(i, 1)])
		pair := object{dst: append(o.dst, '{')}
		pair.text("name", p.Name)
		pair.text("value", p.Value)
		o.dst = append(pair.dst, '}')
	}
	o.dst = append(o.dst, ']')
}

// value appends the value of an option.
func (o *object) value(name string, value any) {
	o.key(name)
	switch v := value.(type) {
	case bool:
		o.dst = strconv.AppendBool(o.dst, v)
	case int64:
		o.dst = strconv.AppendInt(o.dst, v, 10)
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			v = 0
		}
		o.dst = strconv.AppendFloat(o.dst, v, 'f', -1, 64)
	case string:
		o.dst = jsontext.AppendString(o.dst, v)
	case []string:
		o.dst = appendTexts(o.dst, v)
	default:
		o.dst = append(o.dst, "null"...)
	}
}

// partAttributes appends what a form part has besides its content.
func (o *object) partAttributes(p *request.Part) {
	if p.Filename != nil {
		o.text("filename", *p.Filename)
	}
	if p.ContentType != nil {
		o.text("contentType", *p.ContentType)
	}
	o.texts("headers", p.Headers)
	o.optional("encoder", p.Encoder)
}
