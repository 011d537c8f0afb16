package request

import "strconv"

// A Member is a kind of string in a [Request].
type Member uint8

// The members, in the order of the model.
const (
	MemberMethod Member = 1 + iota
	MemberURL
	MemberQueryName // decoded
	MemberQueryValue
	MemberTarget
	MemberFieldName
	MemberFieldValue
	MemberFieldLine
	MemberRemoved
	MemberBody     // the exact bytes
	MemberFormName // decoded
	MemberFormValue
	MemberPieceText
	MemberPieceFile
	MemberPieceName
	MemberPartName
	MemberPartValue
	MemberPartFile
	MemberPartContent
	MemberPartFilename
	MemberPartContentType
	MemberPartEncoder
	MemberPartHeader
	MemberUsername
	MemberPassword
	MemberToken
	MemberAuthParam
	MemberOption
	MemberMissing
)

// A Place names one string of a [Request].
type Place struct {
	Member Member
	// Index is which of the pairs, fields, pieces, parts, parameters or names it is.
	// Parts are counted as they come, each before those that nest in it.
	Index int32
	// Item is which header line of the part, or which text of an option that has
	// several.
	Item   int32
	Option string // the name of the option of MemberOption
}

var memberNames = [...]struct{ before, after string }{
	MemberMethod: {"method", ""}, MemberURL: {"url", ""},
	MemberQueryName: {"query.", ".name"}, MemberQueryValue: {"query.", ".value"}, MemberTarget: {"target", ""},
	MemberFieldName: {"headers.", ".name"}, MemberFieldValue: {"headers.", ".value"}, MemberFieldLine: {"headers.", ".line"},
	MemberRemoved: {"removed.", ""}, MemberBody: {"body", ""},
	MemberFormName: {"body.fields.", ".name"}, MemberFormValue: {"body.fields.", ".value"},
	MemberPieceText: {"body.pieces.", ".text"}, MemberPieceFile: {"body.pieces.", ".file"}, MemberPieceName: {"body.pieces.", ".name"},
	MemberPartName: {"body.parts.", ".name"}, MemberPartValue: {"body.parts.", ".value"}, MemberPartFile: {"body.parts.", ".file"},
	MemberPartContent: {"body.parts.", ".content"}, MemberPartFilename: {"body.parts.", ".filename"},
	MemberPartContentType: {"body.parts.", ".contentType"}, MemberPartEncoder: {"body.parts.", ".encoder"},
	MemberPartHeader: {"body.parts.", ".headers."},
	MemberUsername:   {"auth.username", ""}, MemberPassword: {"auth.password", ""}, MemberToken: {"auth.token", ""},
	MemberAuthParam: {"auth.params.", ""}, MemberOption: {"options.", ""}, MemberMissing: {"missing.", ""},
}

// String returns the place as a path for people: headers.0.value.
func (p Place) String() string {
	if int(p.Member) >= len(memberNames) || p.Member == 0 {
		return "invalid"
	}
	n := memberNames[p.Member]
	s := n.before
	switch {
	case p.Member == MemberOption:
		s += p.Option
	case s[len(s)-1] == '.':
		s += strconv.Itoa(int(p.Index))
	}
	s += n.after
	if p.Member == MemberPartHeader || p.Item > 0 {
		if p.Member == MemberOption {
			s += "."
		}
		s += strconv.Itoa(int(p.Item))
	}
	return s
}
