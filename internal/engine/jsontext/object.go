package jsontext

import (
	"encoding/base64"
	"strconv"
)

// An Object appends a JSON object to Dst, member by member. Names are written
// as they are: they must need no escape. A caller may append the value of a
// member to Dst after [Object.Key].
type Object struct {
	Dst       []byte
	separator byte // what stands before the next member: the brace or a comma
}

// NewObject begins an object after dst.
func NewObject(dst []byte) Object { return Object{dst, '{'} }

// End ends the object and returns Dst.
func (o *Object) End() []byte {
	if o.separator == '{' {
		return append(o.Dst, '{', '}')
	}
	return append(o.Dst, '}')
}

// Key begins a member; the caller appends its value to Dst.
func (o *Object) Key(name string) {
	o.Dst = append(append(append(o.Dst, o.separator, '"'), name...), '"', ':')
	o.separator = ','
}

// String appends a member whose value is a string.
func (o *Object) String(name, value string) {
	o.Key(name)
	o.Dst = AppendString(o.Dst, value)
}

// Plain is String for a value that needs no escape.
func (o *Object) Plain(name, value string) {
	o.Key(name)
	o.Dst = append(append(append(o.Dst, '"'), value...), '"')
}

// Text is String, and reports whether the value is UTF-8.
func (o *Object) Text(name, value string) (valid bool) {
	o.Key(name)
	o.Dst, valid = AppendText(o.Dst, value)
	return valid
}

// Optional is String, but an empty value appends nothing.
func (o *Object) Optional(name, value string) {
	if value != "" {
		o.String(name, value)
	}
}

// Maybe appends a string unless it is nil.
func (o *Object) Maybe(name string, value *string) {
	if value != nil {
		o.String(name, *value)
	}
}

// Int appends a member whose value is a number.
func (o *Object) Int(name string, value int64) {
	o.Key(name)
	o.Dst = strconv.AppendInt(o.Dst, value, 10)
}

// True appends a member whose value is true; false appends nothing.
func (o *Object) True(name string, value bool) {
	if value {
		o.Key(name)
		o.Dst = append(o.Dst, "true"...)
	}
}

// Strings appends a member whose value is an array of strings; no values
// append nothing.
func (o *Object) Strings(name string, values []string) {
	if len(values) > 0 {
		o.Key(name)
		o.Dst = AppendStrings(o.Dst, values)
	}
}

// Base64 appends a member whose value is a string: the value in base64.
func (o *Object) Base64(name, value string) {
	o.Key(name)
	o.Dst = append(o.Dst, '"')
	o.Dst = base64.StdEncoding.AppendEncode(o.Dst, []byte(value))
	o.Dst = append(o.Dst, '"')
}

// AppendStrings appends an array of strings.
func AppendStrings(dst []byte, values []string) []byte {
	return AppendArray(dst, values, func(dst []byte, v *string) []byte { return AppendString(dst, *v) })
}

// AppendArray appends an array, each element of which is appended by element.
func AppendArray[T any](dst []byte, values []T, element func(dst []byte, value *T) []byte) []byte {
	dst = append(dst, '[')
	for i := range values {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = element(dst, &values[i])
	}
	return append(dst, ']')
}
