package request

// A Variable is a part of a request that only the shell would know: an unset
// variable ($TOKEN, ${HOST:-x}, %TOKEN%, $env:TOKEN) or the output of a command
// ($(date)). The strings of the request hold its spelling.
//
// There is one Variable for each occurrence, in the order of the model.
type Variable struct {
	Name string // without sigils; empty for the output of a command
	Expr string // as spelled
	// Default is the value when the variable is not set.
	Default    string
	HasDefault bool
	// Computed is set where the shell takes more than the value of the variable
	// or its default: ${TOKEN^^}, ${TOKEN:-$OTHER}.
	Computed bool
	// From is where the text says that the value comes from; nil for a variable that
	// the text does not set.
	From From

	// In names the member of the description: url, query.NAME, headers.NAME,
	// body, body.NAME, auth.username, auth.password, auth.token,
	// options.NAME …, or files for the name of a file that was not supplied, as
	// the files of a warning have it. An occurrence that is visible in several strings of the
	// model has the same In in each: that of the most specific one.
	In string
	// At is the string of the model that the variable is in: method, url,
	// target, query.0.name, query.0.value, headers.0.name, headers.0.value,
	// headers.0.line, removed.0, body (the exact bytes), body.fields.0.name,
	// body.fields.0.value, body.pieces.0.text, body.pieces.0.file,
	// body.pieces.0.name, body.parts.0.M with M one of name, value, file,
	// content, filename, contentType, encoder, headers.0 and parts.0.M,
	// auth.username, auth.password, auth.token, auth.params.0,
	// options.NAME, options.NAME.0, missing.0.
	At string
	// Start and End are the byte range of the spelling in that string. With
	// the encoding EncodingBase64 they are the range of the encoded text, which
	// encodes the user name, a colon, and the password.
	Start, End int
	// Encoding must be applied to the value.
	Encoding Encoding
}

// Known reports whether the value of the variable, or its default, is all that is
// needed.
func (v *Variable) Known() bool { return v.Name != "" && !v.Computed }

// Variables are the variables of a request; nil for nearly every one.
type Variables []Variable

// At returns the variables in one string of the model, in order.
func (v Variables) At(at string) []Variable {
	for i := range v {
		if v[i].At != at {
			continue
		}
		end := i + 1
		for end < len(v) && v[end].At == at {
			end++
		}
		return v[i:end]
	}
	return nil
}

// An Encoding is applied to a value before it is inserted.
type Encoding uint8

// The encodings.
const (
	EncodingNone    Encoding = 1 + iota
	EncodingPercent          // percent-encoded, a space as %20
	EncodingForm             // percent-encoded, a space as +
	EncodingJSON             // escaped for the inside of a JSON string
	EncodingBase64           // of the user name, a colon, and the password
)

var encodingNames = [...]string{"invalid", "none", "percent", "form", "json", "base64"}

// String returns the name of the encoding.
func (e Encoding) String() string { return nameOf(encodingNames[:], int(e)) }

// MarshalText returns the name of the encoding.
func (e Encoding) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// nameOf returns the name of a constant, or "invalid".
func nameOf(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return "invalid"
}
