package request

import "uncoil/diag"

// A Request is one HTTP request.
type Request struct {
	Method string
	// URL is the URL that curl would request, as typed
	// wherever curl would send the same.
	URL string
	// Query is the decoded view of the URL's query.
	Query []Param
	// Added reports whether -G or --url-query added to the query.
	Added bool
	// Target is the request target where --request-target sets it.
	Target string
	// Fields are the header fields in the order in which curl sends them.
	Fields []Field
	// Removed names the header fields that the user told curl not to send.
	Removed []string
	// Body is nil when the request has no content.
	Body *Body
	// Auth is nil when nothing asks for authentication.
	Auth *Auth
	// Options shape the exchange without being part of the request.
	Options Options
	// Ignored names the options, as --long names, that have no bearing on
	// one HTTP request.
	Ignored []string
	// Variables are the parts of the request that only the shell would know.
	Variables []Variable
	// Missing are the files that were not supplied, where the request lacks
	// what they hold.
	Missing []MissingFile
	// Span is where the command has the URL.
	Span diag.Span
}

// A MissingFile is a file that was not supplied.
type MissingFile struct {
	Name string
	Role string // what it holds: "cookies" (-b), "credentials" (--netrc), "etag" (--etag-compare) or "headers" (-H @file)
}

// Origin says who asked for a header field.
type Origin uint8

// The origins.
const (
	OriginUser    Origin = 1 + iota // -H
	OriginImplied                   // another option: -d, -u, -b, --json …
	OriginDefault                   // curl adds it with nothing said: Host, Accept: */* …
)

var originNames = [...]string{"invalid", "user", "implied", "default"}

// String returns the name of the origin.
func (o Origin) String() string { return nameOf(originNames[:], int(o)) }

// MarshalText returns the name of the origin.
func (o Origin) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// A Field is a header field.
type Field struct {
	Name, Value string
	// From is the option that set the field, as typed, or "url".
	From   string
	Origin Origin
	// Span is where the command has the option.
	Span diag.Span
	// Line is the field line where curl sends it in another form than
	// "Name: Value".
	Line string
}

// A Param is a decoded name and value, of a query or of form data.
type Param struct{ Name, Value string }

// Auth is how the request authenticates.
type Auth struct {
	Scheme   string // basic, bearer, digest, ntlm, negotiate, aws-sigv4, http-signature, any
	Username string
	Password string
	// Whole reports that Username is a variable that may hold the password, too,
	// after a colon: curl splits its value.
	Whole bool
	Token string // bearer
	// Schemes lists what is offered when curl would let the server choose.
	Schemes []string
	// Params are the parameters of the scheme by name: provider, region …
	Params []Param
	// Span is where the command has the option that gives the user name or the token.
	Span diag.Span
}

// Computed reports whether curl computes a field of the first request from the
// credentials when it sends it, so that no Field has it: Authorization, or
// Signature for http-signature.
func (a *Auth) Computed() bool {
	switch a.Scheme {
	case "aws-sigv4", "http-signature", "ntlm", "negotiate":
		return true
	}
	return false
}

// A Kind is the kind of a body.
type Kind uint8

// The kinds of body. A body of kind KindFile, KindStdin or KindConcat has parts that
// were not supplied, so that its bytes are not known.
const (
	KindText      Kind = 1 + iota // UTF-8 that is none of the following
	KindJSON                      // a JSON object or array, whatever its content type says
	KindForm                      // pairs, by the content type application/x-www-form-urlencoded
	KindBinary                    // bytes that are not UTF-8
	KindMultipart                 // a form of -F
	KindFile                      // one file
	KindStdin                     // standard input
	KindConcat                    // several pieces, some of them files
)

var kindNames = [...]string{"invalid", "text", "json", "form", "binary", "multipart", "file", "stdin", "concat"}

// String returns the name that the API uses for the kind.
func (k Kind) String() string { return nameOf(kindNames[:], int(k)) }

// MarshalText returns the name that the API uses for the kind.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Known reports whether Data holds the bytes of a body of this kind.
func (k Kind) Known() bool { return KindText <= k && k <= KindBinary }

// A Body is the content of a request.
type Body struct {
	Kind Kind
	// Data holds the exact bytes for KindText, KindJSON, KindForm and KindBinary.
	Data string
	// Fields are the decoded pairs of KindForm.
	Fields []Param
	// Parts are the parts of KindMultipart.
	Parts []Part
	// FormEscape marks a KindMultipart body whose names and file names are
	// escaped with backslashes instead of percent-encoding (--form-escape).
	FormEscape bool
	// Pieces make up a KindFile, KindStdin or KindConcat body: one piece, or several
	// that curl joins.
	Pieces []Piece
}

// A Piece is a part of a body whose bytes may not be known. Pieces follow
// each other without a separator; the & that curl puts between two pieces of
// form data is a piece of its own text.
type Piece struct {
	Kind Kind   // KindText, KindFile or KindStdin
	Text string // KindText: the bytes
	File string // KindFile: its name
	// What curl does with the content of a file before sending it.
	Strip     bool   // removes CR, LF and NUL
	URLEncode bool   // percent-encodes it, space as +
	Name      string // puts this name and = before it
	Offset    int64  // skips this many bytes (-C)
}

// A Part is a part of a multipart body.
type Part struct {
	Name string
	// Value is the content of a part that is not a file.
	Value string
	// File is the file that the part's content comes from; "-" is stdin.
	File string
	// Inline marks a part whose content comes from a file but which is
	// sent without a file name (-F name=<file).
	Inline bool
	// Content is the file's content where it was supplied.
	Content *string
	// Filename is sent where it is not nil.
	Filename *string
	// ContentType is sent where it is not nil.
	ContentType *string
	// Guessed reports that the command gives no type, so that ContentType is
	// what curl makes of the names.
	Guessed bool
	Headers []string // header lines of the part, as given
	Encoder string   // binary, 8bit, 7bit, base64, quoted-printable
	Parts   []Part   // nested parts; nil when the part has content of its own
	Nested  bool     // the part is a multipart, with or without parts
	// Span is where the command has the option.
	Span diag.Span
}
