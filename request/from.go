package request

import "uncoil/diag"

// From is where the text says that the value of a variable comes from: a *[Response],
// *[Date], *[UUID], *[Hostname], *[FileContent], *[Encoded] or *[Command]. Line breaks at the end
// are cut, as the shell does.
type From interface{ from() }

// A Response is the content of the response to an earlier request of the text, or a
// value in it, as in TOKEN=$(curl … | jq -r .token), or the value of a header field of
// that response.
type Response struct {
	Request int    // its index
	Path    []Step // from the JSON content to the value; empty: the content itself
	// Quoted reports that the value stands there as JSON: a string has its quotes, as
	// jq prints it without -r.
	Quoted bool
	// Header is the name of the field, as the text spells it; "" for the content. Path is
	// empty then.
	Header string
	// Word is which of the words of the field's value it is, counted from 1, where blanks
	// part them; 0 for all of it.
	Word int
}

// A Step goes from a JSON value to one that is in it: from an object by Key, or from
// an array.
type Step struct {
	Key     string
	Index   int
	IsIndex bool
}

// A Date is the time at which the command runs, as date prints it.
type Date struct {
	// Format has the conversions %Y, %m, %d, %H, %M, %S, %F, %T, %s and %% of date,
	// and no others.
	Format string
	UTC    bool
}

// A UUID is a random one, in lower case, as uuidgen prints it.
type UUID struct{}

// A Hostname is the name of the machine, as hostname prints it.
type Hostname struct{}

// A FileContent is the content of a file, as cat prints it.
type FileContent struct {
	Name   string
	Base64 bool // in Base64 without line breaks, as base64 -w0 prints it
}

// An Encoded is a text in Base64, or the hash or the HMAC of one, as base64, openssl dgst
// and sha256sum print them.
type Encoded struct {
	Text      string
	Variables []Variable // in Text, without In and At
	// Hash is md5, sha1, sha224, sha256, sha384 or sha512; "" for the text itself.
	Hash string
	// Key is that of the HMAC, with its variables; "" for the hash alone.
	Key          string
	KeyVariables []Variable
	// Base64 says how it is written; else in hexadecimal digits, in small letters.
	Base64 bool
	// URLSafe says that this Base64 is for URLs, with - and _ and without = at its end.
	URLSafe bool
	Span    diag.Span // of the text of the commands
}

// A Command is any other command, whose output only running it would tell.
type Command struct {
	Span diag.Span // of its text
	// Text is what a shell would run by itself: "" where that depends on what the text
	// does before, such as a variable that it sets.
	Text string
}

func (*Response) from()    {}
func (*Date) from()        {}
func (*UUID) from()        {}
func (*Hostname) from()    {}
func (*FileContent) from() {}
func (*Encoded) from()     {}
func (*Command) from()     {}
