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
	// At is the string of the model that the variable is in.
	At Place
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
