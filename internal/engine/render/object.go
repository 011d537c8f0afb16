package render

import (
	"math"
	"strconv"

	"uncoil/internal/engine/jsontext"
	"uncoil/request"
)

// object appends the members of a JSON object.
type object struct{ jsontext.Object }

func newObject(dst []byte) object { return object{jsontext.NewObject(dst)} }

// bytes appends content under a name where it is text, and else in base64.
func (o *object) bytes(name, value string) {
	before := *o
	if !o.Text(name, value) {
		*o = before
		o.Base64("base64", value)
	}
}

// params appends ordered names and values.
func (o *object) params(name string, params []request.Param) {
	if len(params) == 0 {
		return
	}
	o.Key(name)
	for i, p := range params {
		o.Dst = append(o.Dst, "[,"[min(i, 1)])
		pair := newObject(o.Dst)
		pair.String("name", p.Name)
		pair.String("value", p.Value)
		o.Dst = pair.End()
	}
	o.Dst = append(o.Dst, ']')
}

// value appends the value of an option.
func (o *object) value(name string, value any) {
	o.Key(name)
	switch v := value.(type) {
	case bool:
		o.Dst = strconv.AppendBool(o.Dst, v)
	case int64:
		o.Dst = strconv.AppendInt(o.Dst, v, 10)
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			v = 0
		}
		o.Dst = strconv.AppendFloat(o.Dst, v, 'f', -1, 64)
	case string:
		o.Dst = jsontext.AppendString(o.Dst, v)
	case []string:
		o.Dst = jsontext.AppendStrings(o.Dst, v)
	default:
		o.Dst = append(o.Dst, "null"...)
	}
}

// partAttributes appends what a form part has besides its content.
func (o *object) partAttributes(p *request.Part) {
	if p.Filename != nil {
		o.String("filename", *p.Filename)
	}
	if p.ContentType != nil {
		o.String("contentType", *p.ContentType)
	}
	o.Strings("headers", p.Headers)
	o.Optional("encoder", p.Encoder)
}
